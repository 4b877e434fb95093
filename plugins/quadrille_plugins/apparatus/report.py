"""The apparatus of a rule set for people, as JSON and as rows."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from textwrap import wrap
from typing import Any, Final

from quadrille_core.profile.records import FILLED, Source
from quadrille_plugins.apparatus.model import (
    SEVERAL,
    Apparatus,
    ApparatusPoint,
    ApparatusReading,
    Closed,
    because_text,
)
from quadrille_plugins.shell.blocks import Block, Text
from quadrille_plugins.shell.filled import BY_FILLING, Filled, filled_in
from quadrille_plugins.shell.values import (
    Json,
    access,
    plainly,
    rule_value,
    short_title,
    source_json,
    who_has_it,
)
from quadrille_plugins.witnesses.lines import elsewhere_text

COLUMNS = (
    "point",
    "reading",
    "in_use",
    "witnesses",
    "testimonia",
    "elsewhere",
    "status",
    "certainty",
    "sets",
    *FILLED,
    "note",
    "question",
)


OUR_WORDS: Final = "What a source says at a place is told here in our words, not the text's."

Said = Callable[[str, str], Sequence[Any]]
"""What the texts say at a reading of a point, in our words: passages with ``source``, ``at`` and
``says``."""


def _silent(point: str, reading: str) -> Sequence[Any]:
    """Nothing is known of what the texts say."""
    del point, reading
    return ()


def apparatus_blocks(apparatus: Apparatus, whole: Apparatus | None, said: Said) -> list[Block]:
    """The apparatus for a person: every point with its readings, then what is closed, then the
    sources.

    ``whole`` is the apparatus of all points where this one is of some: fillings are counted in it.
    """
    blocks: list[Block] = [
        Text(f"{apparatus.title}: the points in dispute", strong=True),
        Text("\n".join(_fitted(_head(apparatus, whole or apparatus)))),
    ]
    if any(said(point.id, reading.id) for point in apparatus.points for reading in point.readings):
        blocks.append(Text(OUR_WORDS))
    blocks += [
        Text("\n".join(_fitted(_point(point, said, apparatus)))) for point in apparatus.points
    ]
    if apparatus.closed:
        lines = ["closed: these decide nothing here; a later profile or a plugin sets their rules"]
        lines += [line for closed in apparatus.closed for line in _closed(closed)]
        blocks.append(Text("\n".join(_fitted(lines))))
    sources = [line for source in apparatus.sources for line in _source(source)]
    blocks.append(Text("\n".join(["sources", *_fitted(sources)])))
    return blocks


def _source(source: Source) -> Iterator[str]:
    """A source by its short title with what is recorded of when it was seen, and its address on a
    line of its own."""
    yield f"{source.id}: {short_title(source)}. {access(source)}".rstrip()
    if source.url:
        yield f"  {source.url}"


def _head(apparatus: Apparatus, whole: Apparatus) -> Iterator[str]:
    yield f"{apparatus.rules}#{apparatus.digest[:12]}" + "".join(
        f", reading {p}={r}" for p, r in apparatus.chosen
    )
    for witness in apparatus.witnesses:
        mark = ", followed here" if witness.id == apparatus.witness else ""
        filled = _filled(whole, witness.id)
        silent = f"; {filled}" if filled.points else ""
        title = f": {witness.title}" if witness.title else ""
        what = "testimonium" if witness.testimonium else "witness"
        of = f" of {witness.testimonium}, which was not seen" if witness.testimonium else ""
        seen = f"; {witness.pages}" if witness.pages else ""
        yield f"{what} {witness.id}{of}{title}{mark}{silent}{seen}"


def _filled(apparatus: Apparatus, witness: str) -> Filled:
    """How many of the points would be filled, were this witness followed."""
    found = []
    for point in apparatus.points:
        fillings = {
            s.filled for s in point.silences if s.witness == witness and s.because in BY_FILLING
        }
        found += [[name for name, _ in r.attested] for r in point.readings if r.id in fillings]
    return filled_in(len(apparatus.points), found)


def _point(point: ApparatusPoint, said: Said, apparatus: Apparatus) -> Iterator[str]:
    source_of = {w.id: w.source for w in apparatus.witnesses}
    shelf = {s.id: s for s in apparatus.sources}

    def own(reading: ApparatusReading) -> list[tuple[str, str]]:
        return [(source_of.get(name, name), at) for name, at in reading.attested]

    status = f" ({point.status})" if point.status else ""
    yield f"{point.id}: {point.question}{status}"
    for reading in point.readings:
        mark = "→" if reading is point.lemma else " "
        yield f"  {mark} {reading.text}: {_who(reading)}"
        if votes := elsewhere_text(reading.elsewhere, own(reading), shelf):
            yield f"        {votes}"
        yield from (f"        {path} = {rule_value(value)}" for path, value in reading.sets)
        for passage in said(point.id, reading.id):
            yield f"        {passage.source}, {passage.at}: {passage.says}"
        if reading.note:
            yield f"        {reading.note}"
    yield f"    in use: {point.lemma.id}, {because_text(point.because)}"
    for name, how in point.several.items():
        yield f"    {name} has several: {SEVERAL[how]}"
    for silence in point.silences:
        yield (
            f"    {silence.state}: {silence.witness}; {silence.filled} fills it, "
            f"{because_text(silence.because)}"
        )
    if point.note:
        yield f"    {point.note}"


def _fitted(lines: Iterable[str]) -> Iterator[str]:
    """The lines in 80 columns: the rest of one that is longer stands two columns further in."""
    for line in lines:
        indent = line[: len(line) - len(line.lstrip())]
        yield from wrap(
            line,
            80,
            subsequent_indent=indent + "  ",
            break_long_words=False,
            break_on_hyphens=False,
        )


def _who(reading: ApparatusReading) -> str:
    """The witnesses and other sources of a reading with their places, and how sure it is."""
    who = who_has_it(reading.attested, reading.elsewhere)
    certain = [reading.status] if reading.status != "attested" else []
    certain += [f"certainty {reading.certainty}"] if reading.certainty else []
    return (
        who
        + (f" ({reading.at})" if reading.at else "")
        + (f"; {', '.join(certain)}" if certain else "")
    )


def _closed(closed: Closed) -> Iterator[str]:
    yield f"  {closed.id}: {closed.question}"
    for reading in closed.readings:
        yield f"      {reading.text}: {_who(reading)}"
    for by in closed.by:
        said = "; ".join(f"{source} ({at})" if at else source for source, at in by.attested)
        who = f"{by.setter} {by.name}{f'; {said}' if said else ''}"
        yield f"      {by.path} = {rule_value(by.value)}: {who}"


def apparatus_json(
    apparatus: Apparatus, whole: Apparatus | None = None, said: Said = _silent
) -> Json:
    """The apparatus as JSON; points, witnesses and sources are maps by their names, the reading in
    use stands first.

    ``whole`` is the apparatus of all points where this one is of some: fillings are counted in it.
    """
    return {
        "rules": {
            "reference": apparatus.rules,
            **_or_none(apparatus, "title", "witness"),
            "readings": dict(apparatus.chosen),
            "plugins": dict(apparatus.plugins),
            "digest": apparatus.digest,
        },
        "program": apparatus.program,
        "witnesses": {
            w.id: {
                **_or_none(w, "source", "title", "note", "testimonium"),
                "filled": _filled(whole or apparatus, w.id).to_plain(),
                "pages": w.pages or None,
            }
            for w in apparatus.witnesses
        },
        "points": {p.id: _point_json(p, said) for p in apparatus.points},
        "closed": {
            c.id: {
                "question": c.question,
                "readings": {r.id: {"text": r.text, **_who_json(r)} for r in c.readings},
                "settled": {
                    b.path: plainly(b, "value", "setter", "name") | {"attested": dict(b.attested)}
                    for b in c.by
                },
            }
            for c in apparatus.closed
        },
        "sources": {s.id: source_json(s) for s in apparatus.sources},
    }


def _or_none(of: object, *names: str) -> Json:
    """These texts, null where one is empty."""
    return {name: getattr(of, name) or None for name in names}


def _who_json(reading: ApparatusReading) -> Json:
    return {
        "witnesses": {name: {"at": at or None} for name, at in reading.attested},
        "elsewhere": {name: {"at": at or None} for name, at in reading.elsewhere},
    }


def _point_json(point: ApparatusPoint, said: Said) -> Json:
    return {
        "question": point.question,
        **_or_none(point, "note", "status"),
        "reading": point.lemma.id,
        "because": point.because,
        "readings": {
            r.id: {
                "text": r.text,
                "set": dict(r.sets),
                **_who_json(r),
                **_or_none(r, "at", "status", "certainty", "note"),
                "says": [passage.to_plain() for passage in said(point.id, r.id)],
            }
            for r in point.readings
        },
        "several": point.several,
        **{
            state: {
                s.witness: plainly(s, "filled", "because")
                for s in point.silences
                if s.state == state
            }
            for state in FILLED
        },
    }


def apparatus_rows(apparatus: Apparatus) -> list[tuple[str, ...]]:
    """One row for each reading of each open point, under ``COLUMNS``; several of a thing are joined
    by ``; ``."""
    reports = {w.id for w in apparatus.witnesses if w.testimonium}

    def who(reading: ApparatusReading) -> tuple[str, ...]:
        seen = [one for one in reading.attested if one[0] not in reports]
        reported = [one for one in reading.attested if one[0] in reports]
        return tuple(
            "; ".join(f"{n}: {at}" if at else n for n, at in named)
            for named in (seen, reported, reading.elsewhere)
        )

    return [
        (
            point.id,
            reading.id,
            "yes" if reading is point.lemma else "no",
            *who(reading),
            reading.status,
            reading.certainty,
            "; ".join(f"{path}={rule_value(value)}" for path, value in reading.sets),
            *("; ".join(s.witness for s in point.silences if s.state == state) for state in FILLED),
            reading.note,
            point.question,
        )
        for point in apparatus.points
        for reading in point.readings
    ]
