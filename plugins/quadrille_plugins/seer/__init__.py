"""A player that solves its hands: seer."""

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import Any

from quadrille_core.hookspecs import Player, hookimpl


def _seer() -> Any:
    from quadrille_plugins.seer.player import SeerBot

    return SeerBot()


def _ready() -> None:
    if find_spec("numba") is not None:  # where it is not, the player says so itself
        from quadrille_plugins.kernel.ready import ready

        ready(
            "quadrille_plugins.solver.solve",
            *(
                f"quadrille_plugins.seer.kernel_{name}"
                for name in ("bids", "draw", "play", "solve")
            ),
            *(f"quadrille_plugins.players.kernel_steady_{name}" for name in ("hands", "values")),
        )


@hookimpl
def quadrille_players() -> Mapping[str, Player]:
    """See ``hookspecs.Features``."""
    return {"seer": Player(make=_seer, solves=True, ready=_ready)}


@hookimpl
def quadrille_compiled() -> Sequence[str]:
    """See ``hookspecs.Features``."""
    return (
        "quadrille_plugins.seer.kernel_bids",
        "quadrille_plugins.seer.kernel_draw",
        "quadrille_plugins.seer.kernel_play",
        "quadrille_plugins.seer.kernel_solve",
    )
