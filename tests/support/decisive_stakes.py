"""Cases for the dead-option guard: what a deal counts, and in what it is counted.  ``decisive`` collects them."""

from collections.abc import Mapping
from typing import Any

_COUNTED = {"multiplier.after_losses": "counted"}
_POINTS = {
    "score.kept": "points",
    "stakes.ante": 0,
    "stakes.unit_of": "constant",
    "stakes.unit": 1,
    "table.purse": 0,
}

CASES: tuple[Mapping[str, Any], ...] = (
    {
        "why": "games lost in a row, and what the next counts",
        "leaves": ("multiplier.after_losses", "multiplier.loss_adds", "multiplier.stake"),
        "but": _COUNTED,
        "wishes": ("bid solo", "pass"),
        "deals": 6,
    },
    {
        "why": "a game in the favourite suit that is doubled as a whole",
        "leaves": ("favourite.doubles",),
        "but": {"favourite.doubles": "game"},
        "without": ("payments.in_favourite.",),
        "hands": ("SA H7 CA HA HK HQ HJ H2 H3 H4",),
        "favourite": "hearts",
        "wishes": ("bid solo+favourite", "pass", "trump hearts", "claim"),
        "refused": "a table of what is paid in the favourite suit stands or falls with it",
    },
    {
        "why": "points that are written for games won and lost",
        "leaves": ("score.won", "score.remise", "score.codille"),
        "but": _POINTS,
        "wishes": ("bid solo", "pass"),
        "deals": 12,
    },
    {
        "why": "counters that are paid, or points that are written",
        "leaves": ("score.kept",),
        "but": _POINTS,
        "wishes": ("bid solo", "pass"),
        "deals": 2,
    },
)
