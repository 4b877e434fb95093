"""What was measured for ``steady``, by the number of players: ``steady_table`` and ``steady_table_five``."""

from dataclasses import dataclass
from typing import Final

from quadrille_core.bots import steady_table, steady_table_five
from quadrille_core.bots.steady_features import Mode


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What a hand comes to when so many play, for each way of playing."""

    weights: dict[str, tuple[int, ...]]
    """Hundredths of a trick for each feature."""
    tricks: dict[str, tuple[tuple[int, ...], ...]]
    """How often each number of tricks is made, in thousandths, for each bucket of scores."""
    premiers_of_16: tuple[int, ...]
    """Of sixteen games with so many tricks, those whose first tricks were won without a break."""
    typical: dict[Mode, int]
    """The bucket of a hand that somebody else has bid on, as far as one can tell."""
    forced: int
    """The bucket of a hand that somebody else was forced to play."""


_BY_PLAYERS: Final = {
    4: Measured(
        weights=steady_table.WEIGHTS,
        tricks=steady_table.TRICKS,
        premiers_of_16=(0, 0, 0, 0, 0, 0, 1, 4, 8, 12, 16),
        typical={"alone": 14, "ally": 16, "blind": 16, "bare": 14, "none": 0},
        forced=14,
    ),
    5: Measured(
        weights=steady_table_five.WEIGHTS,
        tricks=steady_table_five.TRICKS,
        premiers_of_16=(0, 0, 0, 0, 0, 1, 5, 11, 16),
        typical={"alone": 12, "ally": 13, "blind": 13, "bare": 12, "none": 0},
        forced=11,
    ),
}


def measured(players: int) -> Measured:
    """What was measured where so many play."""
    return _BY_PLAYERS[players]
