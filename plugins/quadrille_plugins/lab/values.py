"""How estimates are written, for people and for JSON."""

from collections.abc import Sequence
from typing import Any, Final

from quadrille_core.report.blocks import Table
from quadrille_core.report.rules import difference_rows
from quadrille_core.report.values import decimal, plainly, reference
from quadrille_core.ruleset import Compiled
from quadrille_core.ruleset.difference import RuleDifference
from quadrille_plugins.lab.intervals import Estimate
from quadrille_plugins.lab.words import letter

MOST_RULES: Final = 15
"""Rules that differ which the terminal is shown; JSON and ``diff`` have all."""


def estimate_text(e: Estimate, digits: int = 2, *, sign: bool = False) -> str:
    """``+0.35 ± 0.08``; without an honest interval, the mean and a question mark."""
    return f"{decimal(e.mean, digits, sign=sign)} ± {'?' if e.half is None else decimal(e.half, digits)}"


def percent(e: Estimate) -> str:
    """A share in per cent with the ends of its interval."""
    ends = "?" if e.low is None or e.high is None else f"{100 * e.low:.1f}–{100 * e.high:.1f}"
    return f"{100 * float(e.mean):.1f} % ({ends})"


def estimate_json(e: Estimate) -> dict[str, Any]:
    """An estimate as JSON: the mean to six places, its 95 % interval (null where there is none), the count."""
    return {
        "mean": round(float(e.mean), 6),
        **plainly(e, "low", "high"),
        "deals": e.count,
        "sessions": e.sessions,
    }


def rules_table(rules_diff: Sequence[RuleDifference], first: int, second: int, compiled: Sequence[Compiled]) -> Table:
    """The rules in which two of these rule sets differ, the first of them where they are many."""
    letters = letter(first), letter(second)
    rows, title = difference_rows(rules_diff, letters), f"rules that differ: {len(rules_diff)}"
    if len(rows) > MOST_RULES:
        refs = " ".join(reference(compiled[i].identity) for i in (first, second))
        title += f"; the first {MOST_RULES}, and all with: quadrille diff {refs}"
    return Table(title, ("rule", *letters, "sources"), tuple(rows[:MOST_RULES]))
