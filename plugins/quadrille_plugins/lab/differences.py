"""The rules in which two rule sets differ, in short, and whether they differ at all."""

from collections.abc import Sequence
from typing import Final

from quadrille_core import vocabulary
from quadrille_core.report.blocks import Table
from quadrille_core.report.rules import RuleDifference, both_sources, difference_values
from quadrille_core.report.values import reference
from quadrille_core.ruleset import Compiled, digest
from quadrille_plugins.lab.words import letter

MOST_RULES: Final = 15
"""Rules that differ which the terminal is shown; JSON and ``diff`` have all."""


def difference_rows(differences: Sequence[RuleDifference], letters: tuple[str, str]) -> list[tuple[str, ...]]:
    """The differences in short: a bid that one side does not play is one row, with all that belongs to it."""
    rows: dict[str, tuple[str, ...]] = {}
    absent = {
        d.path.split(".")[1]: d
        for d in differences
        if d.path.endswith(".made") and ("absent" in d.statuses or "never" in d.values)
    }
    goals = {d.path.split(".")[1]: d for d in differences if d.path.endswith(".goal")}
    for d in differences:
        steps = d.path.split(".")
        bid = next((s for s in (steps[1], steps[-1]) if s in absent), None)
        if bid is None:
            rows[d.path] = (d.path, *difference_values(d), both_sources(d, letters))
        elif f"bids.{bid}" not in rows:
            made = absent[bid]
            values = tuple(
                "not played" if s == "absent" or v == "never" else "played"
                for v, s in zip(made.values, made.statuses, strict=True)
            )
            rows[f"bids.{bid}"] = (f"bids.{bid}", *values, both_sources(goals.get(bid, made), letters))
    return list(rows.values())


def same_rules(a: Compiled, b: Compiled) -> bool:
    """Whether both have the same rules, whichever plugins brought them about."""
    return _rules_digest(a) == _rules_digest(b)


def _rules_digest(compiled: Compiled) -> str:
    return digest(vocabulary.dump(compiled.ruleset.rules), ())


def rules_table(rules_diff: Sequence[RuleDifference], first: int, second: int, compiled: Sequence[Compiled]) -> Table:
    """The rules in which two of these rule sets differ, the first of them where they are many."""
    letters = letter(first), letter(second)
    rows, title = difference_rows(rules_diff, letters), f"rules that differ: {len(rules_diff)}"
    if len(rows) > MOST_RULES:
        refs = " ".join(reference(compiled[i].identity) for i in (first, second))
        title += f"; the first {MOST_RULES}, and all with: quadrille diff {refs}"
    return Table(title, ("rule", *letters, "sources"), tuple(rows[:MOST_RULES]))
