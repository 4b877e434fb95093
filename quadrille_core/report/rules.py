"""Rules, their provenance and their differences, as blocks and JSON."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from quadrille_core import vocabulary
from quadrille_core.errors import Place
from quadrille_core.report.blocks import Block, Table, Text
from quadrille_core.report.values import filled_text, identity_text, rule_value, ruleset_json, who_has_it
from quadrille_core.ruleset import Compiled, Link, PointState

_CERTAIN = {
    "attested": "",
    "inferred": "inferred",
    "silent": "silent",
    "conjecture": "conjecture",
    "house": "house rule",
}


def show_blocks(compiled: Compiled, *, everything: bool = False) -> list[Block]:
    """The resolved rules, block by block, each with its source; neutral values only with ``everything``."""
    identity = compiled.identity
    plugins = ", ".join(f"{p.name} {p.version}" for p in identity.plugins) or "none"
    blocks: list[Block] = [
        Text(compiled.title, strong=True),
        Text(f"{identity_text(identity)}{filled_text(compiled)}\nplugins: {plugins}"),
    ]
    groups: dict[str, list[tuple[str, ...]]] = {}
    hidden = 0
    for path, origin in compiled.origins.items():
        if origin.link.setter == "vocabulary" and not everything:
            hidden += 1
            continue
        head, _, tail = path.partition(".")
        if head == "bids":
            bid, _, tail = tail.partition(".")
            head = f"bids.{bid}"
        groups.setdefault(head, []).append((tail, rule_value(origin.value), origin.source_text()))
    for head, rows in groups.items():
        blocks.append(Table(head, ("rule", "value", "source"), tuple(rows)))
    if compiled.points:
        rows = [
            (
                s.point.id,
                s.reading.id + (" (silent)" if s.silent else ""),
                ", ".join(r.id for r in s.point.readings if r.id != s.reading.id),
            )
            for s in compiled.points
        ]
        blocks.append(
            Table(
                "points in dispute (choose with --reading POINT=READING)",
                ("point", "reading in use", "alternatives"),
                tuple(rows),
            )
        )
    if hidden:
        blocks.append(Text(f"{hidden} rules stand at their neutral value, for want of any source; --all shows them"))
    return blocks


def show_json(compiled: Compiled) -> dict[str, Any]:
    """The resolved rules as JSON: a flat map of paths, each with value, status and source."""
    return {
        "rules": ruleset_json(compiled),
        "title": compiled.title,
        "leaves": {
            path: {"value": o.value, "status": o.status, "source": o.source_text()}
            for path, o in compiled.origins.items()
        },
        "points": {s.point.id: point_json(s) for s in compiled.points},
    }


def point_json(state: PointState) -> dict[str, Any]:
    """One disputed point as JSON."""
    return {
        "question": state.point.question,
        "reading": state.reading.id,
        "silent": state.silent,
        "readings": {
            r.id: {
                "set": {path: value for path, value, _ in r.sets},
                "witnesses": {name: {"source": source, "at": at} for name, source, at in r.attested},
                "elsewhere": {source: {"at": at} for source, at in r.elsewhere},
                "status": r.status,
                "certainty": r.certainty or None,
                "note": r.note or None,
            }
            for r in state.point.readings
        },
    }


def tree(compiled: Compiled) -> dict[str, Any]:
    """The resolved rules as one nested mapping, fit to stand below ``rules:`` in a profile."""
    root: dict[str, Any] = {}
    added = {path for path, _ in compiled.game.rules.own.records}  # by plugins, and by no profile
    for path, origin in compiled.origins.items():
        if path in added:
            continue
        *steps, last = path.split(".")
        node = root
        for step in steps:
            node = node.setdefault(step, {})
        node[last] = origin.value
    return root


# --- explain ----------------------------------------------------------------------------------


def explain_blocks(compiled: Compiled, paths: Sequence[str]) -> list[Block]:
    """Where the value of each of these rules comes from, link by link, and the alternative readings."""
    blocks: list[Block] = [Text(identity_text(compiled.identity) + filled_text(compiled), strong=True)]
    for path in paths:
        origin = compiled.origins[path]
        lines = [f"{path} = {rule_value(origin.value)}", f"  {vocabulary.leaf_at(path).doc}"]
        for number, link in enumerate(reversed(origin.chain)):
            what = "set" if number == 0 else f"was {rule_value(link.value)}, set"
            lines.append(f"  {what} by {_setter(link)}")
            lines += [f"      {line}" for line in _attestation(link)]
        for state in compiled.points:
            if any(p == path for r in state.point.readings for p, _, _ in r.sets):
                lines += [f"  {line}" for line in _alternatives(state, path)]
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


def _attestation(link: Link) -> list[str]:
    lines = []
    for cite in link.citations:
        words = _CERTAIN.get(cite.status, cite.status) or "attested"
        text = f"{words}: {cite.source or 'no source'}{', ' + cite.at if cite.at else ''}"
        if cite.filled:
            text += f"; filled: {cite.filled}"
        if cite.certainty:
            text += f" (certainty {cite.certainty})"
        lines.append(text)
        if cite.note and cite.note != cite.filled:
            lines.append(f"  {cite.note}")
    return lines


def _alternatives(state: PointState, path: str) -> list[str]:
    lines = [f"in dispute: {state.point.id}: {state.point.question}"]
    for reading in state.point.readings:
        value = next((rule_value(v) for p, v, _ in reading.sets if p == path), "as the plugin or the rules have it")
        mark = "→" if reading.id == state.reading.id else " "
        who = who_has_it([(w, at) for w, _, at in reading.attested], reading.elsewhere)
        lines.append(f"  {mark} {reading.id}: {value}: {who}")
        if reading.note:
            lines.append(f"      {reading.note}")
    return lines


def explain_json(compiled: Compiled, paths: Sequence[str]) -> dict[str, Any]:
    """The same as JSON: for each path its doc, value, chain (newest first) and points."""
    return {
        "rules": ruleset_json(compiled),
        "paths": {
            path: {
                "doc": vocabulary.leaf_at(path).doc,
                "value": compiled.origins[path].value,
                "status": compiled.origins[path].status,
                "chain": [_link_json(link) for link in reversed(compiled.origins[path].chain)],
                "points": [
                    {"point": s.point.id, **point_json(s)}
                    for s in compiled.points
                    if any(p == path for r in s.point.readings for p, _, _ in r.sets)
                ],
            }
            for path in paths
        },
    }


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


# --- diff -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleDifference:
    """A rule that differs, both values, both sources."""

    path: str
    values: tuple[object, object]
    sources: tuple[str, str]
    statuses: tuple[str, str]


def rules_difference(a: Compiled, b: Compiled) -> tuple[RuleDifference, ...]:
    """The rules that differ: first those that both sides attest, then those a silence was filled in for."""
    found = []
    for path in dict.fromkeys((*a.origins, *b.origins)):
        mine, theirs = a.origins.get(path), b.origins.get(path)
        values = (mine.value if mine else None, theirs.value if theirs else None)
        if values[0] != values[1] and not path.endswith(".title"):
            found.append(
                RuleDifference(
                    path=path,
                    values=values,
                    sources=(a.source_of(path) or "no such rule", b.source_of(path) or "no such rule"),
                    statuses=(mine.status if mine else "absent", theirs.status if theirs else "absent"),
                )
            )
    return tuple(sorted(found, key=lambda d: sum(s != "attested" for s in d.statuses)))


def diff_blocks(a: Compiled, b: Compiled, differences: Sequence[RuleDifference]) -> list[Block]:
    """The rules that differ, each side with its source."""
    names = "\n".join(f"{m}  {identity_text(c.identity)}{filled_text(c, '   ')}" for m, c in (("A", a), ("B", b)))
    blocks: list[Block] = [Text(names, strong=True)]
    if not differences:
        return [*blocks, Text("no rule differs")]
    rows = tuple((d.path, *difference_values(d), both_sources(d, ("A", "B"))) for d in differences)
    blocks.append(Table(f"{len(differences)} rules differ", ("rule", "A", "B", "sources"), rows))
    return blocks


def both_sources(d: RuleDifference, letters: tuple[str, str]) -> str:
    """The sources of both sides, each behind its letter; a neutral value in short."""
    shorter = ("silent" if s.startswith("silent; filled: the neutral") else s for s in d.sources)
    return "\n".join(f"{letter}: {s}" for letter, s in zip(letters, shorter, strict=True))


def difference_values(d: RuleDifference) -> tuple[str, str]:
    """Both values of a rule that differs, a dash where a side has no such rule."""
    a, b = (rule_value(v) if s != "absent" else "–" for v, s in zip(d.values, d.statuses, strict=True))
    return a, b


def differences_json(differences: Sequence[RuleDifference]) -> list[dict[str, Any]]:
    """The differences as JSON: path, both values, both sources and statuses."""
    return [
        {"path": d.path, "values": list(d.values), "sources": list(d.sources), "statuses": list(d.statuses)}
        for d in differences
    ]
