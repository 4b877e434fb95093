"""Rules in which two rule sets differ."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from textwrap import fill
from typing import Any, Final

from quadrille_core.frozen import frozen, frozen_by_keyword
from quadrille_core.ruleset import Compiled
from quadrille_core.ruleset.provenance import NEUTRAL
from quadrille_plugins.diff.other_texts import other_texts
from quadrille_plugins.shell.blocks import Block, Table, Text
from quadrille_plugins.shell.fact_words import reported_only
from quadrille_plugins.shell.values import (
    filled_text,
    identity_text,
    if_any,
    names_beside,
    never_met,
    rule_value,
)

WIDE: Final = 80
"""Columns of a terminal that a rule's lines fit."""


@frozen_by_keyword
class RuleDifference:
    """A rule that differs, both values, both sources."""

    path: str
    values: tuple[object, object]
    sources: tuple[str, str]
    statuses: tuple[str, str]
    reported: bool = False
    """Whether only incidents that people report come to it, so that studies never meet it."""


@frozen
class Part:
    """Rules that differ below a head of their own; ``cells`` stand behind each in CSV."""

    head: str
    rules: tuple[RuleDifference, ...]
    cells: tuple[str, ...] = ()


def rules_difference(a: Compiled, b: Compiled) -> tuple[RuleDifference, ...]:
    """The rules that differ: first those that both sides attest, then those a silence was filled in
    for."""
    found = []
    reported = {*reported_only((a, b))}
    for path in dict.fromkeys((*a.origins, *b.origins)):
        mine, theirs = a.origins.get(path), b.origins.get(path)
        values = (mine.value if mine else None, theirs.value if theirs else None)
        if values[0] != values[1] and not path.endswith(".title"):
            found.append(
                RuleDifference(
                    path=path,
                    values=values,
                    sources=(
                        a.source_of(path) or "no such rule",
                        b.source_of(path) or "no such rule",
                    ),
                    statuses=(
                        mine.status if mine else "absent",
                        theirs.status if theirs else "absent",
                    ),
                    reported=path in reported,
                )
            )
    return tuple(sorted(found, key=lambda d: sum(s != "attested" for s in d.statuses)))


def bids_of_one_side(
    differences: Sequence[RuleDifference],
) -> dict[str, tuple[RuleDifference, ...]]:
    """Each bid that only one of two rule sets has or makes, with all its rules that differ."""
    absent = {
        d.path.split(".")[1]
        for d in differences
        if d.path.endswith(".made") and ("absent" in d.statuses or "never" in d.values)
    }
    found: dict[str, list[RuleDifference]] = {}
    for d in differences:
        steps = d.path.split(".")
        bid = next((s for s in (steps[1], steps[-1]) if s in absent), None)
        if bid is not None:
            found.setdefault(bid, []).append(d)
    return {bid: tuple(rules) for bid, rules in found.items()}


def has_bid(rules: Sequence[RuleDifference]) -> tuple[bool, bool]:
    """Which of two rule sets makes a bid, of whose rules these differ."""
    made = next(d for d in rules if d.path.endswith(".made"))
    one, other = (
        s != "absent" and v != "never" for v, s in zip(made.values, made.statuses, strict=True)
    )
    return one, other


def references(first: Compiled, second: Compiled, between: str = "") -> str:
    """Two rule sets as one types them behind ``diff``: what is chosen by hand stands behind both,
    with the number.

    ``between`` stands before the second, such as an option.
    """
    parts, chosen = [], []
    for number, identity in enumerate((first.identity, second.identity), 1):
        parts += [between] if between and number == 2 else []
        parts.append(identity.reference)
        chosen += [
            part
            for point, reading in identity.readings
            for part in ("--reading", f"{number}:{point}={reading}")
        ]
        chosen += [
            part
            for path, value in identity.settings
            for part in ("--set", f"{number}:{path}={value}")
        ]
    return shlex.join([*parts, *chosen])


def diff_blocks(
    a: Compiled,
    b: Compiled,
    parts: Sequence[Part],
    *,
    everything: bool,
    words: str | None,
    told: str,
) -> list[Block]:
    """How many rules differ, then each of them: its value and source in either rule set.

    Unless ``everything`` is wanted, the rules of a bid that only one of them has take one line
    together.  ``words`` name the rules that alone are asked about; ``told`` stands above the heads
    of the parts.
    """
    differences = [d for part in parts for d in part.rules]
    names = names_beside([a, b])
    heads = "\n".join(
        f"{n}: {identity_text(c.identity)}{filled_text(c, ' ' * (len(n) + 2))}"
        for n, c in zip(names, (a, b), strict=True)
    )
    of = "" if words is None else f" that {words} names"
    if not differences:
        return [
            Text(f"No rule{of} differs between {names[0]} and {names[1]}.", strong=True),
            Text(heads),
        ]
    one = len(differences) == 1
    many = f"1 rule{of} differs" if one else f"{len(differences)} rules{of} differ"
    more = (
        *other_texts((a, b), names, differences),
        *never_met([d.path for d in differences if d.reported]),
    )
    warned = "".join(f"\n{line}" for line in more)
    found: list[Block] = [
        Text(f"{many} between {names[0]} and {names[1]}.{warned}", strong=True),
        Text(heads),
    ]
    found += [Text(told)] if told else []
    bids = {} if everything else bids_of_one_side(differences)
    for part in parts:
        found += [Text(part.head, strong=True)] if part.head else []
        found += _tables(part.rules, bids, names)
    # who names two rule sets asks what is new in the second
    return [*found, Text(f"As prose: quadrille rulebook {references(b, a, '--against')}")]


def _tables(
    differences: Sequence[RuleDifference],
    bids: Mapping[str, Sequence[RuleDifference]],
    names: Sequence[str],
) -> Iterator[Table]:
    """The rules of bids that only one side has, each bid in one row where it has several of these,
    and the others."""
    here = {bid: [d for d in differences if d in rules] for bid, rules in bids.items()}
    folded = {bid: rules for bid, rules in here.items() if len(rules) > 1}
    if folded:
        rows = tuple(_bid_row(bid, bids[bid], len(rules), names) for bid, rules in folded.items())
        # a notebook alone shows the heads, and there `all` is an argument of Python
        yield BidsTable("", ("bid", "only in", "rules (all=True lists them)"), rows, frozenset())
    hidden = {d.path for rules in folded.values() for d in rules}
    if shown := tuple(_row(d) for d in differences if d.path not in hidden):
        columns = ("rule", *(head for name in names for head in (name, f"source ({name})")))
        yield RulesTable("", columns, shown)


class BidsTable(Table):
    """The bids that only one rule set has; on a terminal a line for each."""

    def lines(self, console: Any, table: Any, rows: Sequence[Sequence[str]]) -> Iterator[str]:
        """A line for each bid, and the option that lists their rules."""
        del console, table
        yield from (f"only {who} has the bid {bid} ({many} rules)" for bid, who, many in rows)
        yield "(--all lists the rules of these bids)"


class RulesTable(Table):
    """The rules that differ, with the value and source of either side; on a terminal three lines
    for each."""

    def lines(self, console: Any, table: Any, rows: Sequence[Sequence[str]]) -> Iterator[str]:
        """The path of each rule, and a line for each rule set with its value and source."""
        del table
        names = self.columns[1::2]
        wide = max(map(len, names))
        for path, *sides in rows:
            yield path
            for name, value, source in zip(names, sides[::2], sides[1::2], strict=True):
                line, below = f"{name:<{wide}}  {value}  [{source}]", " " * (wide + 4)
                yield fill(
                    line, min(WIDE, console.width), initial_indent="  ", subsequent_indent=below
                )


def _bid_row(
    bid: str, rules: Sequence[RuleDifference], many: int, names: Sequence[str]
) -> tuple[str, str, str]:
    """A bid that only one rule set has, which one, and how many of its rules are listed so."""
    who = next((n for n, has in zip(names, has_bid(rules), strict=True) if has), names[0])
    return bid, who, str(many)


def _row(d: RuleDifference) -> tuple[str, ...]:
    """A rule that differs: its path, then of either side value and source."""
    sides = zip(difference_values(d), map(_short, d.sources), strict=True)
    return d.path, *(cell for side in sides for cell in side)


def _short(source: str) -> str:
    """A source in few words: why a silence was filled in, without what with."""
    absence, _, filled = source.partition("; filled: ")
    return absence if filled == NEUTRAL else source


def difference_values(d: RuleDifference) -> tuple[str, str]:
    """Both values of a rule that differs, a dash where a side has no such rule."""
    a, b = (
        rule_value(v) if s != "absent" else "–" for v, s in zip(d.values, d.statuses, strict=True)
    )
    return a, b


def difference_cells(d: RuleDifference) -> tuple[str, ...]:
    """The same as a row of CSV: path, both values, both sources; empty of a side that has no such
    rule."""
    sides = zip(d.values, d.sources, d.statuses, strict=True)
    values, sources = zip(
        *(("", "") if s == "absent" else (rule_value(v), said) for v, said, s in sides), strict=True
    )
    return d.path, *values, *sources


def differences_json(differences: Sequence[RuleDifference]) -> list[dict[str, Any]]:
    """The differences as JSON: path, both values, both sources and statuses."""
    return [
        {
            "path": d.path,
            "values": list(d.values),
            "sources": list(d.sources),
            "statuses": list(d.statuses),
            **if_any(reported=d.reported),
        }
        for d in differences
    ]
