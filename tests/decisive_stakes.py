"""Cases for the dead-option guard: what a deal counts, and in what it is counted.  ``decisive`` collects them."""

from collections.abc import Mapping
from typing import Any

_COUNTED = {"multiplier.after_losses": "counted"}

CASES: tuple[Mapping[str, Any], ...] = (
    {
        "why": "games lost in a row, and what the next counts",
        "leaves": ("multiplier.after_losses", "multiplier.loss_adds", "multiplier.stake"),
        "but": _COUNTED,
        "wishes": ("bid solo", "pass"),
        "deals": 6,
    },
)
