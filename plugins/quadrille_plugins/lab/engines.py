"""Which engine plays: the fast one where it is at hand and worth loading, the readable one for the rest.

The rule of ``auto``, in one sentence: the fast engine plays what it can play, unless the work is too small to be worth
loading it, or it is not compiled yet and the readable engine would be done before it were.
"""

from collections.abc import Sequence
from typing import Final

from quadrille_core.errors import UsageError
from quadrille_core.players import compiled_player
from quadrille_core.rules import RuleSet
from quadrille_plugins.fast.ready import is_compiled
from quadrille_plugins.lab.design import AUTO, FAST, READABLE
from quadrille_plugins.lab.fast import blocked_by

WORTH_LOADING: Final = 200
"""Deals, counted under each rule set, from which on loading the fast engine costs less than it saves."""
WORTH_COMPILING: Final = 20_000
"""The same for compiling it, which takes about a minute, as these deals do on the readable engine."""
NOT_COMPILED: Final = "it is not compiled yet for this processor (`quadrille warmup` does so once, in about a minute)"

PLAYER_NOT_COMPILED: Final = (
    "this player is not compiled yet for this processor (`--engine fast` does so once, in about a quarter of a minute)"
)


def played_by(bots: Sequence[str]) -> tuple[str, ...]:
    """The modules of the kernel that play these, to be made ready before they do."""
    player = compiled_player(bots)
    return () if player is None else ("quadrille_plugins.fast.session", player)


def choose_engine(asked: str, rulesets: Sequence[RuleSet], bots: Sequence[str], work: int) -> tuple[str, str | None]:
    """The engine to use, and why it is not the fast one where that costs time.

    ``work`` is how many deals the readable engine would play, each counted under every rule set.  Raises UsageError
    when the fast engine was asked for by name and cannot play this.
    """
    if asked == READABLE or (asked == AUTO and work < WORTH_LOADING):
        return READABLE, None
    why = blocked_by(rulesets, bots)
    if why is not None and asked == FAST:
        raise UsageError(f"the fast engine cannot play this: {why}", help="take --engine readable, or auto")
    if why is None and asked == AUTO and work < WORTH_COMPILING and not is_compiled(*played_by(bots)):
        why = PLAYER_NOT_COMPILED if is_compiled() else NOT_COMPILED
    return (FAST, None) if why is None else (READABLE, why)
