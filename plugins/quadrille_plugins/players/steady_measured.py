"""What was measured for ``steady``, by the number of players: ``steady_table`` and
``steady_table_five``."""

from dataclasses import dataclass
from typing import Final

from quadrille_plugins.players import steady_table, steady_table_five
from quadrille_plugins.players.steady_features import Mode


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """The results of hands with N players, for each way of playing."""

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


in_use: Final = {
    players: Measured(
        weights=table.WEIGHTS,
        tricks=table.TRICKS,
        premiers_of_16=table.PREMIERS_OF_16,
        typical=table.TYPICAL,
        forced=table.FORCED,
    )
    for players, table in ((4, steady_table), (5, steady_table_five))
}
"""The tables by the number of players; ``calibrate`` alone puts others in their place while it
measures."""


def measured(players: int) -> Measured:
    """The measurements for N players."""
    return in_use[players]
