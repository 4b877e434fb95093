"""The rules in which two rule sets differ, in short, and whether they differ at all."""

from collections.abc import Sequence
from typing import Final

from quadrille_core import vocabulary
from quadrille_core.ruleset import Compiled, digest
from quadrille_plugins.diff.differences import (
    RuleDifference,
    bids_of_one_side,
    difference_values,
    has_bid,
    references,
)
from quadrille_plugins.diff.other_texts import other_texts
from quadrille_plugins.shell.blocks import Table
from quadrille_plugins.shell.fact_words import reported_only
from quadrille_plugins.shell.values import names_beside, never_met
from quadrille_plugins.shell.wrapping import proposed

MOST_RULES: Final = 15
"""Rules that differ which the terminal is shown; JSON and ``diff`` have all."""


def difference_rows(differences: Sequence[RuleDifference]) -> list[tuple[str, ...]]:
    """The differences in short: a bid that one side does not play is one row, with all that belongs
    to it."""
    rows: dict[str, tuple[str, ...]] = {}
    bids = bids_of_one_side(differences)
    bid_of = {d.path: bid for bid, rules in bids.items() for d in rules}
    for d in differences:
        bid = bid_of.get(d.path)
        if bid is None:
            rows[d.path] = (d.path, *difference_values(d))
        elif f"bids.{bid}" not in rows:
            values = ("played" if has else "not played" for has in has_bid(bids[bid]))
            rows[f"bids.{bid}"] = (f"bids.{bid}", *values)
    return list(rows.values())


def same_rules(a: Compiled, b: Compiled) -> bool:
    """Whether both have the same rules, whichever plugins brought them about."""
    return _rules_digest(a) == _rules_digest(b)


def _rules_digest(compiled: Compiled) -> str:
    return digest(vocabulary.dump(compiled.rules), ())


def rules_line(
    rules_diff: Sequence[RuleDifference], first: int, second: int, compiled: Sequence[Compiled]
) -> str:
    """How many rules differ between two of these rule sets, and the command that lists them."""
    if not rules_diff:
        return "No rule differs."
    many = "1 rule differs" if len(rules_diff) == 1 else f"{len(rules_diff)} rules differ"
    refs = references(compiled[first], compiled[second])
    return "\n".join(proposed(f"{many}, with sources:", f"quadrille diff {refs}"))


def rules_text(
    rules_diff: Sequence[RuleDifference], first: int, second: int, compiled: Sequence[Compiled]
) -> str:
    """The same, and below it which of the rules come from another text than their rule set's
    own."""
    names, pair = names_beside(compiled), (compiled[first], compiled[second])
    warned = other_texts(pair, (names[first], names[second]), rules_diff)
    line = rules_line(rules_diff, first, second, compiled)
    return "\n".join([line, *warned, *never_met(reported_only(pair))])


def rules_table(
    rules_diff: Sequence[RuleDifference], first: int, second: int, compiled: Sequence[Compiled]
) -> Table:
    """The rules in which two of these rule sets differ, the first of them where they are many."""
    every = names_beside(compiled)
    names = every[first], every[second]
    line = rules_line(rules_diff, first, second, compiled)
    unmet = never_met(reported_only((compiled[first], compiled[second])))
    rows, title = difference_rows(rules_diff), "\n".join([*unmet, line])
    if len(rows) > MOST_RULES:
        title += f"; the first {MOST_RULES}:"
    return Table(title, ("rule", *names), tuple(rows[:MOST_RULES]))
