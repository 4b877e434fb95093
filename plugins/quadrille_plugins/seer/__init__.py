"""A player that imagines and solves hands: seer."""

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import Any, Final

from quadrille_core.hookspecs import Player, PlayerParameter, hookimpl

PARAMETERS: Final = {
    "deals": PlayerParameter(
        doc="Deals imagined for a decision, at most.",
        manner="how many deals are imagined",
        default=100,
        choices=range(1, 1001),
    ),
    "solved": PlayerParameter(
        doc="The most cards a hand with which deals are solved too, all cards open.",
        manner="from when on deals are solved",
        default=5,
        choices=range(11),
    ),
}
CHOOSE: Final = f"{__name__}.kernel_choose"
SESSIONS: Final = f"{__name__}.kernel_seer"


def _seer(deals: int = 100, solved: int = 5) -> Any:
    from quadrille_plugins.seer.player import SeerBot

    return SeerBot(deals, solved)


def _ready() -> None:
    if find_spec("numba") is not None:  # where it is not, the player says so itself
        from quadrille_plugins.kernel.ready import ready

        ready(
            CHOOSE,
            *(f"quadrille_plugins.players.kernel_steady_{name}" for name in ("hands", "values")),
        )


@hookimpl
def quadrille_players() -> Mapping[str, Player]:
    """See ``hookspecs.Features``."""
    return {
        "seer": Player(
            make=_seer, parameters=PARAMETERS, solves=True, ready=_ready, compiled=SESSIONS
        )
    }


@hookimpl
def quadrille_compiled() -> Sequence[str]:
    """See ``hookspecs.Features``."""
    return (CHOOSE,)
