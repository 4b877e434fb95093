"""Tables that a comparison by play and one by par have in common."""

from collections.abc import Sequence
from typing import Any

from quadrille_plugins.studies.values import estimate_json, percent

COLUMNS = ("section", "rules", "against", "name", "mean", "low", "high", "count")
"""Of the numbers in long form."""


def share_rows(summaries: Sequence[Any], of: str, prefix: str = "") -> tuple[tuple[str, ...], ...]:
    """A row for each thing that happened under some rule set: its share under each, with the
    interval."""
    shares = [{x.name: percent(x.share) for x in getattr(s, of)} for s in summaries]
    return tuple(
        (prefix + n, *(s.get(n, "–") for s in shares))
        for n in dict.fromkeys(n for s in shares for n in s)
    )


def estimate_row(
    section: str, rules: str, against: str, name: str, e: Any, count: int
) -> tuple[object, ...]:
    """An estimate under ``COLUMNS``; its ends are empty where it has no interval."""
    j = {k: "" if v is None else v for k, v in estimate_json(e).items()}
    return section, rules, against, name, j["mean"], j["low"], j["high"], count
