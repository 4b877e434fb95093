"""The apparatus of a rule set as one family of frozen records, which every format of it is written
from.

It holds what the profiles say of their disputed points; no rule is decided here.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from quadrille_core import __version__
from quadrille_core.errors import Command, ProfileError, did_you_mean
from quadrille_core.frozen import frozen
from quadrille_core.profile.records import PointDoc, ReadingDoc, Source, WitnessDoc
from quadrille_core.ruleset import Compiled
from quadrille_core.ruleset.compile import cited
from quadrille_core.ruleset.merge import Choices
from quadrille_core.ruleset.provenance import SPEAKS
from quadrille_plugins.shell.point_status import point_status, several_of
from quadrille_plugins.shell.values import pages_seen
from quadrille_plugins.witnesses.table import bearing_out

_BECAUSE: Mapping[str, str] = {
    "hand": "chosen by hand",
    "profile": "chosen by the profile",
    "witness": "as the witness has it",
    "filling": "chosen as a filling for the witness",
    "default": "the default",
}

SEVERAL: Mapping[str, str] = {
    "both": "its text has more than one of these readings",
    "uncertain": "its text can be read in more than one way",
}
"""How a witness has more than one reading of a point, in words."""


def because_text(because: str) -> str:
    """Why a reading is in use, in words."""
    return _BECAUSE.get(because, because)


@frozen
class ApparatusReading:
    """One reading of a point."""

    id: str
    text: str
    """Its title, or its name where it has none."""
    sets: tuple[tuple[str, Any], ...]
    """Each rule with the plain value that the reading gives it."""
    attested: tuple[tuple[str, str], ...]
    """Each witness that has it, testimonia last, and where in it; the place is empty where the
    profile names none."""
    elsewhere: tuple[tuple[str, str], ...]
    """The same of sources that are no witnesses of the profile."""
    at: str
    """Where it was taken from, when neither a witness nor a source is named."""
    status: str
    """``attested``, ``inferred``, ``conjecture`` or ``house``, or an absence: that of the rules
    when it is in force and no witness is followed."""
    certainty: str
    """``high``, ``medium``, ``low``, or empty where the profile does not say."""
    note: str


@frozen
class Silence:
    """A witness that does not answer a point, why, and what is played in its stead where it is
    followed."""

    witness: str
    filled: str
    """The reading that is played."""
    because: str
    """By whose choice, one of ``Because``."""
    state: str = "silent"
    """``silent``: the place was read whole; ``unseen``: it was not; ``inapplicable``: no such rule
    there."""


@frozen
class ApparatusPoint:
    """One open point: the reading in use first, its alternatives in the order of the profile."""

    id: str
    question: str
    note: str
    because: str
    """Why the first reading is in use, one of ``Because``."""
    readings: tuple[ApparatusReading, ...]
    silences: tuple[Silence, ...]

    @property
    def lemma(self) -> ApparatusReading:
        """The reading in use."""
        return self.readings[0]

    @property
    def several(self) -> dict[str, str]:
        """Each witness that has more than one reading, and how: ``both`` where its text plainly has
        two of them, ``uncertain`` where it can be read in more than one way."""
        return several_of(self.readings)

    @property
    def status(self) -> str:
        """How the witnesses stand to it, in a few words."""
        return point_status(self.readings, {s.witness: s.state for s in self.silences})


@frozen
class Settled:
    """A rule of a closed point: its value in force, and who settled it."""

    path: str
    value: Any
    setter: str
    """``profile``, ``reading`` or ``plugin``."""
    name: str
    attested: tuple[tuple[str, str], ...] = ()
    """Each source that has the rule so, and where in it."""


@frozen
class Closed:
    """A point of a parent profile that decides nothing here, because a child or a plugin settled
    its rules; what its texts say is said all the same."""

    id: str
    question: str
    readings: tuple[ApparatusReading, ...]
    by: tuple[Settled, ...]


@frozen
class Witness:
    """A witness of the profile, or a testimonium, by the source that it is."""

    id: str
    source: str
    title: str
    note: str
    testimonium: str = ""
    """The unseen text of which this is a report; empty for a witness proper, a copy of the text
    that was seen."""
    pages: str = ""
    """Of a text read in part, how much of it was seen."""


@frozen
class Apparatus:
    """Everything that is in dispute in a rule set, with its witnesses and the sources that it
    cites."""

    rules: str
    """The rule set as a user names it."""
    title: str
    digest: str
    witness: str
    """The witness that is followed; empty where none is."""
    chosen: tuple[tuple[str, str], ...]
    """The readings chosen by hand, point and reading."""
    plugins: tuple[tuple[str, str], ...]
    """Every plugin at work, with its version."""
    program: str
    """The version of this program."""
    witnesses: tuple[Witness, ...]
    points: tuple[ApparatusPoint, ...]
    closed: tuple[Closed, ...]
    sources: tuple[Source, ...]


def apparatus_of(compiled: Compiled, only: Sequence[str] = ()) -> Apparatus:
    """The apparatus of a compiled rule set, of all its points or ``only`` of some.

    Raises ProfileError (Q401) for a point that there is not.
    """
    identity = compiled.identity
    known = [point.id for point in _every(compiled)]
    for point in only:
        if point not in known:
            raise ProfileError.of(
                "no-point-called",
                did_you_mean(point, known, what="points"),
                point=point,
                lists=Command("apparatus", (identity.reference,)),
            )
    witnesses = _witnesses(compiled)
    followed = compiled.witnesses.get(identity.witness or "")
    by_witness = {w: _choices(compiled, compiled.witnesses.get(w)) for w in witnesses}
    chosen = _choices(compiled, followed)
    return Apparatus(
        rules=identity.reference,
        title=compiled.title,
        digest=identity.digest,
        witness=identity.witness or "",
        chosen=tuple(identity.readings),
        plugins=tuple((p.name, p.version) for p in identity.plugins),
        program=__version__,
        witnesses=tuple(witnesses.values()),
        points=tuple(
            _point(state.point, chosen, by_witness, witnesses)
            for state in compiled.points
            if not only or state.point.id in only
        ),
        closed=tuple(
            Closed(
                id=c.point.id,
                question=c.point.question,
                readings=tuple(_reading(c.point.id, r, witnesses) for r in c.point.readings),
                by=tuple(
                    Settled(path, link.value, link.setter, link.name, _told(compiled, path))
                    for path, link in c.by
                ),
            )
            for c in compiled.closed
            if not only or c.point.id in only
        ),
        sources=tuple(_sources(compiled, witnesses.values(), only)),
    )


def _every(compiled: Compiled) -> list[PointDoc]:
    """Every point, open and closed."""
    return [s.point for s in compiled.points] + [c.point for c in compiled.closed]


def _told(compiled: Compiled, path: str) -> tuple[tuple[str, str], ...]:
    """The sources that have a rule as it is, and where."""
    cites = compiled.origins[path].link.citations
    return tuple((c.source, c.at) for c in cites if c.source and c.status in SPEAKS)


def _choices(compiled: Compiled, witness: WitnessDoc | None) -> Choices:
    """The readings in force if that witness were followed; its faults were told when the rules were
    compiled."""
    return Choices(compiled.chain, witness, dict(compiled.identity.readings), [], compiled.sources)


def _witnesses(compiled: Compiled) -> dict[str, Witness]:
    """The witnesses that the profiles declare, and after them those that only a reading names."""
    found = {}
    for w in compiled.witnesses.values():
        source = compiled.sources.get(w.source)
        reports = source.testimonium if source else ""
        found[w.id] = Witness(w.id, w.source, w.title, w.note, reports, pages_seen(source))
    for point in _every(compiled):
        for reading in point.readings:
            for name in reading.witnesses:
                found.setdefault(name, Witness(name, "", "", ""))
    return found


def _point(
    point: PointDoc,
    chosen: Choices,
    by_witness: Mapping[str, Choices],
    witnesses: Mapping[str, Witness],
) -> ApparatusPoint:
    lemma, _ = chosen.of(point)
    alternatives = [r for r in point.readings if r.id != lemma.id]
    speaking = {name for r in point.readings for name in r.witnesses}
    return ApparatusPoint(
        id=point.id,
        question=point.question,
        note=point.note,
        because=chosen.because(point),
        readings=tuple(_reading(point.id, r, witnesses) for r in (lemma, *alternatives)),
        silences=tuple(
            Silence(name, choices.of(point)[0].id, choices.because(point), choices.absence(point))
            for name, choices in by_witness.items()
            if name not in speaking
        ),
    )


def _reading(point: str, reading: ReadingDoc, witnesses: Mapping[str, Witness]) -> ApparatusReading:
    elsewhere = _elsewhere(point, reading, {w.source for w in witnesses.values()})
    return ApparatusReading(
        id=reading.id,
        text=reading.title or reading.id,
        sets=tuple((path, value) for path, value, _ in reading.sets),
        attested=tuple(
            sorted(
                ((a.witness, a.at) for a in reading.attested),
                key=lambda one: bool(witnesses[one[0]].testimonium),
            )
        ),
        elsewhere=elsewhere,
        at="" if reading.attested or reading.elsewhere else reading.at,
        status=reading.status,
        certainty=reading.certainty,
        note=reading.note,
    )


def _elsewhere(
    point: str, reading: ReadingDoc, own: Collection[str]
) -> tuple[tuple[str, str], ...]:
    """The sources of a reading that are no witnesses of the profile: those that it names, and the
    period texts."""
    named = dict(reading.elsewhere)
    period = {cell.text: cell.at for cell in bearing_out(point, reading.id) if cell.text not in own}
    return tuple((period | named).items()) if period else tuple(reading.elsewhere)


def _sources(
    compiled: Compiled, witnesses: Iterable[Witness], only: Sequence[str]
) -> Iterator[Source]:
    """The sources of the witnesses and of the readings shown; unless only some points are wanted,
    all that the profile, its parents and its plugins cite; and the sources that any of these
    report; in the order of the bibliography."""
    named = {w.source for w in witnesses}
    shown = [point for point in _every(compiled) if not only or point.id in only]
    own = frozenset(named)
    named |= {
        source
        for p in shown
        for reading in p.readings
        for source, _ in _elsewhere(p.id, reading, own)
    }
    if not only:
        named |= {c.source for o in compiled.origins.values() for c in o.link.citations}
        named |= {source for doc in compiled.chain for source, _ in cited(doc)}
    known = compiled.sources
    while missing := {one for s in named if s in known for one in _rests_on(known[s])} - named:
        named |= missing
    for name, source in compiled.sources.items():
        if name in named:
            yield replace(source, place=None)


def _rests_on(source: Source) -> tuple[str, ...]:
    """The sources that one reports, is known through, or descends from."""
    return (source.of, source.via, *(one["from"] for one in source.descends))
