"""What was measured for ``steady``, by the number of players: ``steady_measured.json``, which
``tools/measure_steady.py`` makes."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from quadrille_plugins.players.steady_features import Mode


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """The results of hands with N players, for each way of playing."""

    weights: dict[str, list[int]]
    """Hundredths of a trick for each feature; at ``blind`` a constant, and hundredths of the mean
    score over the four suits."""
    tricks: dict[str, list[list[int]]]
    """How often each number of tricks is made, in thousandths, for each bucket of scores."""
    premiers_of_16: list[int]
    """Of sixteen games with so many tricks, those whose first tricks were won without a break."""
    typical: dict[Mode, int]
    """The bucket of a hand that somebody else has bid on, as far as one can tell."""
    forced: int
    """The bucket of a hand that somebody else was forced to play."""


FILE: Final = Path(__file__).with_name("steady_measured.json")


def _read() -> dict[int, Measured]:
    tables: dict[str, dict[str, Any]] = json.loads(FILE.read_text("utf-8"))
    return {int(players): Measured(**table) for players, table in tables.items()}


in_use: Final = _read()
"""The tables by the number of players; a measuring alone puts others in their place."""


def measured(players: int) -> Measured:
    """The measurements for N players."""
    return in_use[players]
