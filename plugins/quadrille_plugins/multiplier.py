"""The multiplier ("remise or codille"): every game lost in a row makes the next count once more."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from quadrille_core.hookspecs import About, Default, Override, Parameter, hookimpl
from quadrille_plugins._sources import OLDER, VARIATIONS

_AT = f"{VARIATIONS}: Remise or Codille"
_WHY: Final[Mapping[str, str]] = {
    "also": "a lost game adds to the pool as ever, for nothing is taken back; the rival reading is loss_adds=instead",
    "instead": "the game that counts double stands instead of a doubled pool; the rival reading is loss_adds=also",
    "single": "a pool holds what was put in it, and nobody is said to add; the rival reading is stake=made_good",
    "made_good": "the stake too is won or lost double, and the losers owe it; the rival reading is stake=single",
}


@hookimpl
def quadrille_describe() -> About:
    """Name the mechanic, and what the article leaves open as parameters."""
    return About(
        title="Multiplier (remise or codille)",
        summary="After a game lost the next counts double, after two in a row threefold, until one is won.",
        parameters={
            "loss_adds": Parameter(
                doc="Whether a lost game also adds to the pool, or the multiplied game stands instead.",
                default="also",
                choices=("also", "instead"),
            ),
            "stake": Parameter(
                doc="Whether the stake of such a game stays single, or is made good by the losers.",
                default="single",
                choices=("single", "made_good"),
            ),
        },
    )


@hookimpl
def quadrille_payments(rules: Mapping[str, Any], parameters: Mapping[str, Any]) -> Sequence[Override]:
    """Count the losses."""
    del rules
    return (
        Default(
            path="multiplier.after_losses",
            value="counted",
            reason="the game after a loss is won or lost double, and so on until one is won",
            source=OLDER,
            at=_AT,
        ),
        Default(
            path="multiplier.loss_adds",
            value=parameters["loss_adds"],
            reason=_WHY[parameters["loss_adds"]],
            source=OLDER,
            at=_AT,
            status="silent",
        ),
        Default(
            path="multiplier.stake",
            value=parameters["stake"],
            reason=_WHY[parameters["stake"]],
            source=OLDER,
            at=_AT,
            status="silent",
        ),
    )
