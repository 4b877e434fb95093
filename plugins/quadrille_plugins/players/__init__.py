"""Players that the fast engine plays as well: random and steady."""

from collections.abc import Mapping, Sequence
from typing import Any

from quadrille_core.hookspecs import Player, hookimpl


def _random() -> Any:
    from quadrille_plugins.players.random import RandomBot

    return RandomBot()


def _steady() -> Any:
    from quadrille_plugins.players.steady import SteadyBot

    return SteadyBot()


@hookimpl
def quadrille_players() -> Mapping[str, Player]:
    """See ``hookspecs.Features``."""
    return {"random": Player(make=_random, begins_anew=True), "steady": Player(make=_steady)}


@hookimpl
def quadrille_compiled() -> Sequence[str]:
    """See ``hookspecs.Features``."""
    return (
        "quadrille_plugins.players.kernel_steady_hands",
        "quadrille_plugins.players.kernel_steady_values",
        "quadrille_plugins.players.kernel_steady_bids",
        "quadrille_plugins.players.kernel_steady_cards",
    )
