"""Rules, their provenance and their differences, as blocks and JSON."""

from typing import Any

from quadrille_core.ruleset import Compiled
from quadrille_plugins.shell.blocks import Block, Table, Text
from quadrille_plugins.shell.fact_words import reported_rules
from quadrille_plugins.shell.idle_rules import idle_rules
from quadrille_plugins.shell.values import (
    filled_text,
    identity_text,
    if_any,
    point_json,
    rule_value,
    ruleset_json,
)


def show_blocks(compiled: Compiled, *, everything: bool = False) -> list[Block]:
    """The resolved rules, block by block, each with its source; neutral values only with
    ``everything``."""
    identity = compiled.identity
    plugins = ", ".join(f"{p.name} {p.version}" for p in identity.plugins) or "none"
    blocks: list[Block] = [
        Text(compiled.title, strong=True),
        Text(f"{identity_text(identity)}{filled_text(compiled)}\nplugins: {plugins}"),
    ]
    groups: dict[str, list[tuple[str, ...]]] = {}
    hidden, idle, reported = 0, idle_rules(compiled), reported_rules(compiled.values)
    for path, origin in compiled.origins.items():
        if origin.link.setter == "vocabulary" and not everything:
            hidden += 1
            continue
        head, _, tail = path.partition(".")
        if head == "bids":
            bid, _, tail = tail.partition(".")
            head = f"bids.{bid}"
        source = origin.source_text() + (" (cannot act)" if path in idle else "")
        source += " (incidents alone)" if path in reported else ""
        groups.setdefault(head, []).append((tail, rule_value(origin.value), source))
    for head, rows in groups.items():
        blocks.append(Table(head, ("rule", "value", "source"), tuple(rows)))
    if compiled.points:
        rows = [
            (
                s.point.id,
                s.reading.id + (f" ({s.absence})" if s.absence else ""),
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
    if reported:
        told = [f"{path}: {why}" for path, why in reported.items()]
        blocks.append(Text("\n  ".join(["Rules that no play brings about:", *told])))
    if idle:
        blocks.append(Text("\n  ".join(["Rules that cannot act:", *dict.fromkeys(idle.values())])))
    if hidden:
        blocks.append(
            Text(
                f"{hidden} rules stand at their neutral value, for want of any source; --all "
                "shows them"
            )
        )
    return blocks


def show_json(compiled: Compiled) -> dict[str, Any]:
    """The resolved rules as JSON: a flat map of paths, each with value, status and source, and why
    it cannot act."""
    idle, reported = idle_rules(compiled), reported_rules(compiled.values)
    return {
        "rules": ruleset_json(compiled),
        "title": compiled.title,
        "leaves": {
            path: {"value": o.value, "status": o.status, "source": o.source_text()}
            | if_any(idle=idle.get(path), reported=reported.get(path))
            for path, o in compiled.origins.items()
        },
        "points": {s.point.id: point_json(s) for s in compiled.points},
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
