"""Tables that a comparison by play and one by par have in common."""

from collections.abc import Sequence
from typing import Any

from quadrille_core.report.blocks import Table
from quadrille_core.report.rules import difference_rows
from quadrille_core.report.values import reference
from quadrille_core.ruleset import Compiled
from quadrille_core.ruleset.difference import RuleDifference
from quadrille_plugins.lab.values import estimate_json, percent
from quadrille_plugins.lab.words import MOST_RULES, letter

COLUMNS = ("section", "rules", "against", "name", "mean", "low", "high", "count")
"""Of the numbers in long form."""


def share_rows(summaries: Sequence[Any], of: str, prefix: str = "") -> tuple[tuple[str, ...], ...]:
    """A row for each thing that happened under some rule set: its share under each, with the interval."""
    shares = [{x.name: percent(x.share) for x in getattr(s, of)} for s in summaries]
    return tuple((prefix + n, *(s.get(n, "–") for s in shares)) for n in dict.fromkeys(n for s in shares for n in s))


def rules_table(rules_diff: Sequence[RuleDifference], places: tuple[int, int], compiled: Sequence[Compiled]) -> Table:
    """The rules in which two rule sets differ, the first of them where they are many."""
    letters = letter(places[0]), letter(places[1])
    rows, title = difference_rows(rules_diff, letters), f"rules that differ: {len(rules_diff)}"
    if len(rows) > MOST_RULES:
        refs = " ".join(reference(compiled[i].identity) for i in places)
        title += f"; the first {MOST_RULES}, and all with: quadrille diff {refs}"
    return Table(title, ("rule", *letters, "sources"), tuple(rows[:MOST_RULES]))


def estimate_row(section: str, rules: str, against: str, name: str, e: Any, count: int) -> tuple[object, ...]:
    """An estimate under ``COLUMNS``; its ends are empty where it has no interval."""
    j = {k: "" if v is None else v for k, v in estimate_json(e).items()}
    return section, rules, against, name, j["mean"], j["low"], j["high"], count
