"""Players that the fast engine plays as well: random and steady."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from quadrille_core.hookspecs import Player, hookimpl
from quadrille_plugins.players.family import FAMILY, PARAMETERS

STEADY: Final = f"{__name__}.kernel_steady"


def _random() -> Any:
    from quadrille_plugins.players.random import RandomBot

    return RandomBot()


def _steady(**manner: Any) -> Any:
    from quadrille_plugins.players.steady import SteadyBot
    from quadrille_plugins.players.steady_manner import Manner

    return SteadyBot(Manner(**manner))


@hookimpl
def quadrille_players() -> Mapping[str, Player]:
    """See ``hookspecs.Features``."""
    return {
        "random": Player(make=_random, begins_anew=True, compiled=f"{__name__}.kernel_random"),
        "steady": Player(make=_steady, parameters=PARAMETERS, family=FAMILY, compiled=STEADY),
    }


@hookimpl
def quadrille_compiled() -> Sequence[str]:
    """See ``hookspecs.Features``."""
    return (STEADY,)
