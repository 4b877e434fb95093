"""Where the value of a rule comes from, link by link, as blocks and JSON."""

from collections.abc import Mapping, Sequence
from typing import Any

from quadrille_core import vocabulary
from quadrille_core.errors import Place
from quadrille_core.profile.records import Source
from quadrille_core.ruleset import Compiled, Link, PointState
from quadrille_plugins.lookup.meanings import meaning_of
from quadrille_plugins.lookup.passages import of_reading
from quadrille_plugins.shell.blocks import Block, Text
from quadrille_plugins.shell.fact_words import reported_rules, resting_on
from quadrille_plugins.shell.idle_rules import idle_rules
from quadrille_plugins.shell.values import (
    filled_text,
    identity_text,
    if_any,
    point_json,
    reading_who,
    record_value,
    rule_value,
    ruleset_json,
)
from quadrille_plugins.shell.wrapping import filled

_CERTAIN = {
    "attested": "",
    "inferred": "inferred",
    "silent": "silent",
    "unseen": "unseen",
    "inapplicable": "inapplicable",
    "conjecture": "conjecture",
    "house": "house rule",
}


def explain_blocks(compiled: Compiled, paths: Sequence[str]) -> list[Block]:
    """Where the value of each of these rules comes from, link by link, and the alternative
    readings."""
    head = f"{identity_text(compiled.identity)}{filled_text(compiled)}"
    blocks: list[Block] = [
        Text("\n".join(line for part in head.split("\n") for line in filled(part)), strong=True)
    ]
    values, idle = compiled.values, idle_rules(compiled)
    reported = reported_rules(values)
    for path in paths:
        origin = compiled.origins[path]
        lines = [
            *filled(f"{path} = {rule_value(origin.value)}"),
            *filled(vocabulary.leaf_at(path).doc, 2, 0),
        ]
        if means := meaning_of(path, origin.value):
            lines += filled(f"{origin.value}: {means}", 2)
        for at, record in resting_on(path, values):
            lines += filled(f"has a part in {at}: {record_value(dict(record))}", 2)
        if path in reported:
            lines += filled(reported[path], 2)
        if path in idle:
            lines += filled(f"cannot act here: {idle[path]}", 2)
        for number, link in enumerate(reversed(origin.chain)):
            what = "set" if number == 0 else f"was {rule_value(link.value)}, set"
            lines += filled(f"{what} by {_setter(link)}", 2)
            lines += _attestation(link, compiled.sources)
        for state in compiled.points:
            if any(p == path for r in state.point.readings for p, _, _ in r.sets):
                lines += _alternatives(state, path, compiled)
        blocks.append(Text("\n".join(lines)))
    return blocks


def _setter(link: Link) -> str:
    where = f" ({_place(link.place)})" if link.place else ""
    if link.setter == "vocabulary":
        return "nobody: a neutral value"
    return f"{link.setter} {link.name}{where}" if link.setter != "setting" else "hand (--set)"


def _place(place: Place) -> str:
    """A place with the file's base name only, the same wherever the product is installed."""
    return f"{place.path.replace(chr(92), '/').rsplit('/', 1)[-1]}:{place.line}:{place.col}"


def _attestation(link: Link, sources: Mapping[str, Source]) -> list[str]:
    lines = []
    for cite in link.citations:
        words = _CERTAIN.get(cite.status, cite.status) or "attested"
        text = f"{words}: {cite.source or 'no source'}{', ' + cite.at if cite.at else ''}"
        if cite.filled:
            text += f"; filled: {cite.filled}"
        if cite.certainty:
            text += f" (certainty {cite.certainty})"
        source = sources.get(cite.source)
        if source is not None and source.testimonium:
            text += f"; a testimonium of {source.testimonium}, which was not seen"
        lines += filled(text, 6)
        if cite.note and cite.note != cite.filled:
            lines += filled(cite.note, 8, 0)
    return lines


def _alternatives(state: PointState, path: str, compiled: Compiled) -> list[str]:
    """The readings of a point with who has them, and what their texts say at the place, in our
    words."""
    lines = filled(f"in dispute: {state.point.id}: {state.point.question}", 2)
    for reading in state.point.readings:
        value = next(
            (rule_value(v) for p, v, _ in reading.sets if p == path),
            "as the plugin or the rules have it",
        )
        mark = "→" if reading.id == state.reading.id else " "
        who = reading_who(reading)
        lines += filled(f"{mark} {reading.id}: {value}: {who}", 4, 4)
        if reading.note:
            lines += filled(reading.note, 8, 0)
        for passage in of_reading(state.point.id, reading, compiled):
            lines += filled(f"{passage.source}, {passage.at}: {passage.says}", 8)
    return lines


def explain_json(compiled: Compiled, paths: Sequence[str]) -> dict[str, Any]:
    """The same as JSON: for each path its doc, value, chain (newest first) and points, and why it
    cannot act."""
    values, idle = compiled.values, idle_rules(compiled)
    reported = reported_rules(values)
    return {
        "rules": ruleset_json(compiled),
        "paths": {
            path: {
                **if_any(
                    reported=reported.get(path),
                    records=_records(path, values),
                    idle=idle.get(path),
                ),
                "doc": vocabulary.leaf_at(path).doc,
                "value": compiled.origins[path].value,
                "means": meaning_of(path, compiled.origins[path].value) or None,
                "status": compiled.origins[path].status,
                "chain": [_link_json(link) for link in reversed(compiled.origins[path].chain)],
                "points": [
                    {"point": s.point.id, **_point_json(s, compiled)}
                    for s in compiled.points
                    if any(p == path for r in s.point.readings for p, _, _ in r.sets)
                ],
            }
            for path in paths
        },
    }


def _records(path: str, values: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The records of plugins that a leaf has a part in, each with where it stands."""
    return [{"path": at, **record} for at, record in resting_on(path, values)]


def _link_json(link: Link) -> dict[str, Any]:
    return {
        "value": link.value,
        "set_by": link.setter,
        "name": link.name,
        "place": _place(link.place) if link.place else None,
        "reason": link.reason or None,
        "citations": [
            {
                "source": c.source or None,
                "at": c.at or None,
                "status": c.status,
                "filled": c.filled or None,
                "from": c.from_ or None,
                "note": c.note or None,
            }
            for c in link.citations
        ],
    }


def _point_json(state: PointState, compiled: Compiled) -> dict[str, Any]:
    """A point as JSON, each reading with what its texts say."""
    found = point_json(state)
    for reading in state.point.readings:
        found["readings"][reading.id]["says"] = [
            passage.to_plain() for passage in of_reading(state.point.id, reading, compiled)
        ]
    return found
