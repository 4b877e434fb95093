"""The list of what words may mean, and what else decides what a game costs that ends as they
say."""

import json
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from quadrille_core.frozen import frozen_by_keyword
from quadrille_core.ruleset import Compiled, PointState
from quadrille_plugins.lookup.find import (
    LEAF,
    POINT,
    SEVERAL,
    SORTS,
    TERM,
    Found,
    Thing,
    everything,
    is_named,
    points_in,
)
from quadrille_plugins.lookup.glossary import glossary
from quadrille_plugins.shell.answer import Answer
from quadrille_plugins.shell.blocks import Block, Text
from quadrille_plugins.shell.point_status import DIFFER, absences, point_status
from quadrille_plugins.shell.values import rule_value, ruleset_json
from quadrille_plugins.shell.wrapping import filled, listed, proposed

COST_POINTS: Final = Path(__file__).with_name("cost_points.json")
"""The points that decide what a lost game costs, by rule set and by what they decide."""


@frozen_by_keyword
class Deciding:
    """Points that decide what such a game costs, though their words do not say so."""

    asks: str
    """What they decide, such as ``what a codille costs``."""
    points: tuple[Thing, ...]

    def to_plain(self) -> dict[str, object]:
        """The same as plain data."""
        return {"decide": self.asks, "points": [point.to_plain() for point in self.points]}


def also_decide(
    found: Found, compiled: Compiled | None, named: Sequence[Thing]
) -> tuple[Deciding, ...]:
    """What else decides what a game costs that ends as the words say; the named points are left
    out."""
    if found.one is not None and found.one.sort != TERM:
        return ()
    terms = [glossary()[hit.id] for hit in found.of(TERM) if is_named(hit, found.words)]
    costly = [term.costs.asks for term in terms if term.costs is not None]
    if not costly:
        return ()
    kept = {thing.id for thing in named}
    made = []
    for asks in costly:
        ids, where = _deciding(asks, compiled)
        known = (
            points_in(compiled)
            if compiled is not None
            else (t for t in everything() if t.sort == POINT)
        )
        if points := tuple(thing for thing in known if thing.id in ids - kept):
            made.append(Deciding(asks=asks + where, points=points))
    return tuple(made)


def _deciding(asks: str, compiled: Compiled | None) -> tuple[set[str], str]:
    """The points that decide that, as settling results under the shipped rule sets has shown; and
    in which rule set, where it is not that very one."""
    found: dict[str, dict[str, list[str]]] = json.loads(COST_POINTS.read_bytes())
    if compiled is None:
        return {point for points in found.values() for point in points[asks]}, ""
    identity = compiled.identity
    names = [identity.reference, *(doc.id for doc in reversed(compiled.chain))]
    shown = next((name for name in names if name in found), None)
    if shown is None:
        return set(), ""
    is_same = shown in (identity.reference, identity.profile) and not (
        identity.settings or identity.readings
    )
    return set(found[shown][asks]), "" if is_same else f" in {shown}"


def several(
    command: str, found: Found, compiled: Compiled | None, also: Sequence[Deciding]
) -> Answer:
    """The list of what words may mean, with status 2."""
    where = f" of {compiled.identity.reference}" if compiled is not None else ""
    said = (
        f"{found.words} touches {found.counts()}{where}"
        if found.hits
        else _more(also[0], has_others=False)
    )
    return Answer(
        blocks=lambda: [
            *([Text("\n".join(filled(f"{said}:", more=0)), strong=True)] if found.hits else []),
            *lists(found.hits, compiled),
            *deciding_blocks(also, compiled, has_others=bool(found.of(POINT))),
            to_name_one(
                command, (*found.hits, *(p for more in also for p in more.points)), compiled
            ),
        ],
        data=lambda: {
            "words": found.words,
            "answer": said,
            "rules": ruleset_json(compiled) if compiled is not None else None,
            "hits": [hit.to_plain() for hit in found.hits],
            "also": [more.to_plain() for more in also],
        },
        rows=lambda: (
            ("kind", "id", "title", "decides"),
            [
                *((h.sort, h.id, h.title, "") for h in found.hits),
                *((p.sort, p.id, p.title, more.asks) for more in also for p in more.points),
            ],
        ),
        status=2,
    )


def to_name_one(command: str, hits: Sequence[Thing], compiled: Compiled | None) -> Text:
    """The command that names the first of several exactly, as a shell takes it: points go first."""
    first = min(hits, key=lambda hit: SORTS.index(hit.sort))
    ref = f" {shlex.quote(compiled.identity.reference)}" if compiled is not None else ""
    return Text(
        "\n".join(proposed("To name one:", f"quadrille {command}{ref} {shlex.quote(first.name)}"))
    )


def _more(more: Deciding, *, has_others: bool) -> str:
    number = len(more.points)
    if not has_others:
        return f"{number} {'point decides' if number == 1 else 'points decide'} {more.asks}"
    return (
        f"{number} more {'point also decides' if number == 1 else 'points also decide'} {more.asks}"
    )


def deciding_blocks(
    also: Sequence[Deciding], compiled: Compiled | None, *, has_others: bool
) -> Iterator[Block]:
    """The points that decide what a game costs, below the sentence that says how many they are."""
    for more in also:
        yield Text("\n".join(filled(f"{_more(more, has_others=has_others)}:", more=0)), strong=True)
        yield Text("\n".join(listed([(point.id, _line(point, compiled)) for point in more.points])))


def lists(hits: Sequence[Thing], compiled: Compiled | None) -> Iterator[Block]:
    """The hits sort by sort, a line each."""
    for sort in SORTS:
        rows = [(hit.id, _line(hit, compiled)) for hit in hits if hit.sort == sort]
        if rows:
            yield Text("\n".join([SEVERAL[sort], *listed(rows)]))


def _line(hit: Thing, compiled: Compiled | None) -> str:
    """A hit in a line; of a rule also its value, where it has one in the rule set."""
    if compiled is None or hit.sort not in (LEAF, POINT):
        return hit.title
    if hit.sort == POINT:
        state = next((s for s in compiled.points if s.point.id == hit.id), None)
        if state is None:
            return f"{hit.title} (closed: other rules settle it)"
        status = point_status(state.point.readings, absences(hit.id, compiled))
        status = status.replace(DIFFER, "; ".join(_elsewhere(state)) or DIFFER)
        return f"{hit.title} ({'; '.join(filter(None, (state.reading.id, status)))})"
    values = dict.fromkeys(
        rule_value(compiled.value_of(p)) for p in hit.paths if p in compiled.origins
    )
    return f"{hit.title} ({' or '.join(values)})"


def _elsewhere(state: PointState) -> Iterator[str]:
    """The witnesses that have not the reading in use, each with what it has instead:
    ``wikipedia triple_stake``."""
    used = {one.witness for one in state.reading.attested}
    held: dict[str, list[str]] = {}
    for reading in state.point.readings:
        for one in reading.attested:
            if one.witness not in used and reading.id not in held.setdefault(one.witness, []):
                held[one.witness].append(reading.id)
    yield from (f"{witness} {' or '.join(readings)}" for witness, readings in held.items())
