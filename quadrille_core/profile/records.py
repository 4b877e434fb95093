"""What a profile says, as frozen records: each thing with its place, nothing yet decided."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final, NamedTuple

from quadrille_core.errors import Place
from quadrille_core.frozen import frozen, frozen_by_keyword


class RuleValue(NamedTuple):
    """One rule as a profile or a reading sets it."""

    path: str
    value: Any
    place: Place


class Choice(NamedTuple):
    """One reading chosen for a point."""

    point: str
    reading: str
    place: Place


class Attestation(NamedTuple):
    """One witness that attests a reading: the witness, its source if this file names it, and where
    in it; status and certainty where they are its own, not the reading's."""

    witness: str
    source: str
    at: str
    status: str = ""
    certainty: str = ""


class Elsewhere(NamedTuple):
    """A source from outside the profile's witnesses that has a reading, and where in it."""

    source: str
    at: str


class Condition(NamedTuple):
    """A rule path, with ``*`` for any bid, and the plain values it may have, or an ``AtLeast``."""

    path: str
    allowed: tuple[Any, ...]
    place: Place


FILLED: Final = ("silent", "unseen", "inapplicable")
"""Statuses of a rule that the text does not give: the value is a filling."""


@frozen
class Citation:
    """Where a rule comes from: a source, the place in it, and how the source speaks."""

    source: str
    at: str = ""
    status: str = "attested"
    note: str = field(default="", kw_only=True)
    filled: str = field(default="", kw_only=True)
    """Where the source is silent, unseen or has no such rule: what is played instead, and why."""
    from_: str = field(default="", kw_only=True)
    """The source that the filling was taken from."""
    certainty: str = field(default="", kw_only=True)
    sentences: tuple[str, ...] = field(default=(), kw_only=True)
    """Of a text that is given sentence by sentence: those that say it."""
    place: Place | None = field(default=None, kw_only=True)


@frozen_by_keyword
class Sentence:
    """One sentence of a text, in our words."""

    id: str
    """Its number, or the name that it has in an edition."""
    says: str
    quote: str = ""
    """The text's own words on which a reading turns, where the licence allows."""
    at: str = ""
    """Where it stands: a page, a heading."""
    no_rule: str = ""
    """Why it bears on no rule."""
    place: Place

    @property
    def where(self) -> str:
        """Its place as it is cited."""
        return f"{self.at}, sentence {self.id}" if self.at else f"sentence {self.id}"

    @property
    def text(self) -> str:
        """What it says, and the words on which it turns."""
        return f"{self.says} (“{self.quote}”)" if self.quote else self.says


@frozen_by_keyword
class Source:
    """One entry of a bibliography."""

    id: str
    author: str = ""
    editor: str = ""
    title: str = ""
    year: int | None = None
    until: int | None = None
    """The last year it may have appeared, where the date is a range."""
    kind: str = ""
    of: str = ""
    via: str = ""
    """The source through which alone this one, unseen, is known."""
    publisher: str = ""
    publisher_place: str = ""
    edition: str = ""
    copy: str = ""
    """The copy that was seen: library and shelfmark."""
    images: str = ""
    """Where images of it are."""
    medium: str = ""
    """``print`` or ``web``."""
    url: str = ""
    seen: str = ""
    """Which revision was seen, or on what date; empty where that is not recorded."""
    language: str = ""
    """As ISO 639 has it."""
    licence: str = ""
    note: str = ""
    pages: Mapping[str, Any] = field(default_factory=dict)
    """Of a text read in part: the pages ``seen``, how many are ``known`` to treat of the game, and
    ``whole``, the places that were read to their end."""
    descends: tuple[Mapping[str, str], ...] = ()
    """The texts that it rests on: ``from`` which, ``how``, by what ``evidence``; ``at`` and
    ``places`` say where."""
    place: Place | None = None

    @property
    def date(self) -> str:
        """The year, or the years between which it appeared; empty where it is not known."""
        years = (self.year, self.until if self.until != self.year else None)
        return "–".join(str(y) for y in years if y is not None)

    @property
    def absence(self) -> str:
        """What it means that nothing is cited from it: ``silent``, or ``unseen`` for a text read in
        part."""
        return (
            "unseen"
            if self.pages and len(self.pages["seen"]) != self.pages.get("known")
            else "silent"
        )

    @property
    def testimonium(self) -> str:
        """The unseen text that this source reports or is reported of; empty where the source itself
        was seen."""
        return self.of or (self.id if self.via else "")


@frozen_by_keyword
class WitnessDoc:
    """A witness, and what fills the points that it does not answer."""

    id: str
    source: str
    title: str
    note: str
    fills: tuple[Choice, ...]
    silent: tuple[str, ...] = ()
    """Of a text read in part: the points of which the place was read whole, and says nothing."""
    inapplicable: tuple[str, ...] = ()
    """The points that its game cannot have."""
    unseen: tuple[str, ...] = ()
    """The points of which a text that was read whole has lost the place."""
    unnamed: str = ""
    """Of a witness with a file of its own: what it is to whatever it does not name."""
    says: Mapping[tuple[str, str], tuple[Sentence, ...]] = field(default_factory=dict)
    """Its sentences by the point and reading that they bear out."""
    answered: Mapping[str, Place] = field(default_factory=dict)
    """Where a file of its own answers a point, by the point."""
    place: Place

    def absence(self, point: str, source: Source | None) -> str:
        """Why it does not answer a point: ``silent``, ``unseen`` or ``inapplicable``."""
        for absence in ("inapplicable", "unseen"):
            if point in getattr(self, absence):
                return absence
        return "silent" if point in self.silent else self.absence_of_rules(source)

    def absence_of_rules(self, source: Source | None) -> str:
        """What it means that it says nothing of a rule: ``silent`` or ``unseen``."""
        return self.unnamed or ("silent" if source is None else source.absence)


@frozen_by_keyword
class PluginDoc:
    """A plugin that the profile names, with its parameters."""

    plugin: str
    parameters: Mapping[str, Any]
    after: tuple[str, ...]
    place: Place | None
    """Where it is named; nowhere, when a user adds it by hand."""
    drop: bool = False
    """Whether it is inherited and is to do nothing here."""
    places: Mapping[str, Place] = field(default_factory=dict)  # of each parameter


@frozen_by_keyword
class ReadingDoc:
    """One reading of a point in dispute."""

    id: str
    sets: tuple[RuleValue, ...]
    title: str
    witnesses: tuple[str, ...]
    attested: tuple[Attestation, ...]
    elsewhere: tuple[Elsewhere, ...]
    at: str
    """Where in the source, when the file gives one place for all witnesses and sources; empty
    otherwise."""
    status: str
    """How they speak; where the file names nobody and says nothing, a conjecture."""
    certainty: str
    note: str
    sentences: tuple[str, ...] = ()
    """Of a text that is given sentence by sentence, and raises the point: those that say it."""
    place: Place

    def how(self, witness: str) -> tuple[str, str]:
        """With which status and certainty a witness has it."""
        own = next((a for a in self.attested if a.witness == witness and a.status), None)
        return (own.status, own.certainty) if own else (self.status, self.certainty)


@frozen_by_keyword
class PointDoc:
    """A point in dispute."""

    id: str
    question: str
    note: str
    default: str
    readings: tuple[ReadingDoc, ...]
    place: Place

    def reading(self, name: str) -> ReadingDoc | None:
        """The reading of that name, or None."""
        return next((r for r in self.readings if r.id == name), None)


@frozen_by_keyword
class ConstraintDoc:
    """Options that go, or do not go, together; of an assumption, what it requires."""

    when: tuple[Condition, ...] = ()
    requires: tuple[Condition, ...]
    excludes: tuple[Condition, ...] = ()
    reason: str
    source: str
    place: Place


@frozen_by_keyword
class PublishedDoc:
    """Odds of winning that a source gives, and the rules it gives them for."""

    odds: Fraction
    source: str
    at: str
    of: tuple[Condition, ...]
    note: str
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ProfileDoc:
    """One profile as its file states it; equal to itself alone."""

    name: str
    """The file, as messages name it."""
    id: str
    title: str
    version: str
    about: str
    abstract: bool
    extends: str | None
    extends_place: Place | None
    default_witness: str | None
    default_witness_place: Place | None
    sources: Mapping[str, Source]
    witnesses: tuple[WitnessDoc, ...]
    plugins: tuple[PluginDoc, ...]
    rules: tuple[RuleValue, ...]
    cites: Mapping[str, tuple[Citation, ...]]
    cite_places: Mapping[str, Place]
    """Where each key of ``cites`` stands."""
    points: tuple[PointDoc, ...]
    readings: tuple[Choice, ...]
    assumes: tuple[ConstraintDoc, ...]
    """What must stay true in every profile that extends this one."""
    constraints: tuple[ConstraintDoc, ...]
    place: Place
    game: str | None = None
    """The kind of game, where the file says it."""
    game_place: Place | None = None
    published: tuple[PublishedDoc, ...] = ()

    def witness(self, name: str) -> WitnessDoc | None:
        """The witness of that name, or None."""
        return next((w for w in self.witnesses if w.id == name), None)

    def point(self, name: str) -> PointDoc | None:
        """The point of that name, or None."""
        return next((p for p in self.points if p.id == name), None)


@frozen_by_keyword
class AnswerDoc:
    """What a witness with a file of its own says to one point of a profile."""

    point: str
    absence: str = ""
    """``silent``, ``unseen`` or ``inapplicable``; empty where it attests a reading."""
    reading: str = ""
    sets: tuple[RuleValue, ...] = ()
    """What a reading that the profile does not have gives its rules; empty of one that it has."""
    title: str = ""
    at: str = ""
    status: str = "attested"
    certainty: str = ""
    note: str = ""
    sentences: tuple[str, ...] = ()
    place: Place


@frozen_by_keyword
class WitnessFile:
    """A witness in a file of its own: a text, and what it says to the points of one profile.

    It adds attestations, and takes none away.
    """

    name: str
    """The file, as messages name it."""
    id: str
    of: str
    """The profile whose points it answers."""
    title: str
    note: str
    source: Source
    sentences: tuple[Sentence, ...]
    answers: tuple[AnswerDoc, ...]
    points: tuple[PointDoc, ...]
    """Points that only this text raises."""
    cites: Mapping[str, tuple[Citation, ...]]
    """The rules that it tells as the profile has them, and where."""
    cite_places: Mapping[str, Place]
    fills: tuple[Choice, ...]
    whole: bool
    """Whether the text was read whole, so that it is silent on what it does not name."""
    id_place: Place
    of_place: Place
    place: Place
