"""The apparatus of a rule set for people, as JSON and as rows."""

from collections.abc import Iterator
from typing import Any

from quadrille_core.report.blocks import Block, Table, Text
from quadrille_core.report.values import rule_value, short_title, source_json, who_has_it
from quadrille_core.ruleset.provenance import BY_FILLING, Filled, filled_in
from quadrille_plugins.apparatus.model import Apparatus, ApparatusPoint, ApparatusReading, Closed, because_text

COLUMNS = (
    "point",
    "reading",
    "in_use",
    "witnesses",
    "elsewhere",
    "status",
    "certainty",
    "sets",
    "silent",
    "note",
    "question",
)


def apparatus_blocks(apparatus: Apparatus, whole: Apparatus | None = None) -> list[Block]:
    """The apparatus for a person: every point with its readings, then what is closed, then the sources.

    ``whole`` is the apparatus of all points where this one is of some: fillings are counted in it.
    """
    blocks: list[Block] = [
        Text(f"{apparatus.title}: the points in dispute", strong=True),
        Text("\n".join(_head(apparatus, whole or apparatus))),
    ]
    blocks += [Text("\n".join(_point(point))) for point in apparatus.points]
    if apparatus.closed:
        lines = ["closed: these decide nothing here, for their rules are settled otherwise"]
        blocks.append(Text("\n".join([*lines, *(line for closed in apparatus.closed for line in _closed(closed))])))
    rows = tuple((s.id, short_title(s)) for s in apparatus.sources)
    blocks.append(Table("sources", ("source", "short title"), rows, whole=frozenset({"source"})))
    return blocks


def _head(apparatus: Apparatus, whole: Apparatus) -> Iterator[str]:
    yield f"{apparatus.rules}#{apparatus.digest[:12]}" + "".join(f", reading {p}={r}" for p, r in apparatus.chosen)
    for witness in apparatus.witnesses:
        mark = ", followed here" if witness.id == apparatus.witness else ""
        filled = _filled(whole, witness.id)
        silent = f"; {filled}" if filled.points else ""
        title = f": {witness.title}" if witness.title else ""
        yield f"witness {witness.id}{title}{mark}{silent}"


def _filled(apparatus: Apparatus, witness: str) -> Filled:
    """How many of the points would be filled, were this witness followed."""
    found = []
    for point in apparatus.points:
        fillings = {s.filled for s in point.silences if s.witness == witness and s.because in BY_FILLING}
        found += [[name for name, _ in r.attested] for r in point.readings if r.id in fillings]
    return filled_in(len(apparatus.points), found)


def _point(point: ApparatusPoint) -> Iterator[str]:
    yield f"{point.id}: {point.question}"
    for reading in point.readings:
        mark = "→" if reading is point.lemma else " "
        yield f"  {mark} {reading.text}: {_who(reading)}"
        yield from (f"        {path} = {rule_value(value)}" for path, value in reading.sets)
        if reading.note:
            yield f"        {reading.note}"
    yield f"    in use: {point.lemma.id}, {because_text(point.because)}"
    for silence in point.silences:
        yield f"    silent: {silence.witness}; {silence.filled} fills it, {because_text(silence.because)}"
    if point.note:
        yield f"    {point.note}"


def _who(reading: ApparatusReading) -> str:
    """The witnesses and other sources of a reading with their places, and how sure it is."""
    who = who_has_it(reading.attested, reading.elsewhere)
    certain = [reading.status] if reading.status != "attested" else []
    certain += [f"certainty {reading.certainty}"] if reading.certainty else []
    return who + (f" ({reading.at})" if reading.at else "") + (f"; {', '.join(certain)}" if certain else "")


def _closed(closed: Closed) -> Iterator[str]:
    yield f"  {closed.id}: {closed.question}"
    yield f"      readings: {', '.join(closed.readings)}"
    yield from (f"      {by.path} = {rule_value(by.value)}: {by.setter} {by.name}" for by in closed.by)


def apparatus_json(apparatus: Apparatus, whole: Apparatus | None = None) -> dict[str, Any]:
    """The apparatus as JSON; points, witnesses and sources are maps by their names, the reading in use stands first.

    ``whole`` is the apparatus of all points where this one is of some: fillings are counted in it.
    """
    return {
        "rules": {
            "reference": apparatus.rules,
            "title": apparatus.title,
            "witness": apparatus.witness or None,
            "readings": dict(apparatus.chosen),
            "plugins": dict(apparatus.plugins),
            "digest": apparatus.digest,
        },
        "program": apparatus.program,
        "witnesses": {
            w.id: {
                "source": w.source or None,
                "title": w.title or None,
                "note": w.note or None,
                "filled": _filled(whole or apparatus, w.id).to_plain(),
            }
            for w in apparatus.witnesses
        },
        "points": {p.id: _point_json(p) for p in apparatus.points},
        "closed": {
            c.id: {
                "question": c.question,
                "readings": list(c.readings),
                "settled": {b.path: {"value": b.value, "setter": b.setter, "name": b.name} for b in c.by},
            }
            for c in apparatus.closed
        },
        "sources": {s.id: source_json(s) for s in apparatus.sources},
    }


def _point_json(point: ApparatusPoint) -> dict[str, Any]:
    return {
        "question": point.question,
        "note": point.note or None,
        "reading": point.lemma.id,
        "because": point.because,
        "readings": {
            r.id: {
                "text": r.text,
                "set": dict(r.sets),
                "witnesses": {name: {"at": at or None} for name, at in r.attested},
                "elsewhere": {name: {"at": at or None} for name, at in r.elsewhere},
                "at": r.at or None,
                "status": r.status,
                "certainty": r.certainty or None,
                "note": r.note or None,
            }
            for r in point.readings
        },
        "silent": {s.witness: {"filled": s.filled, "because": s.because} for s in point.silences},
    }


def apparatus_rows(apparatus: Apparatus) -> list[tuple[str, ...]]:
    """One row for each reading of each open point, under ``COLUMNS``; several of a thing are joined by ``; ``."""
    return [
        (
            point.id,
            reading.id,
            "yes" if reading is point.lemma else "no",
            *("; ".join(f"{n}: {at}" if at else n for n, at in who) for who in (reading.attested, reading.elsewhere)),
            reading.status,
            reading.certainty,
            "; ".join(f"{path}={rule_value(value)}" for path, value in reading.sets),
            "; ".join(s.witness for s in point.silences),
            reading.note,
            point.question,
        )
        for point in apparatus.points
        for reading in point.readings
    ]
