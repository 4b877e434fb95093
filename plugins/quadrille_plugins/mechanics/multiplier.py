"""The multiplier ("remise or codille"): every game lost in a row makes the next count once more."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from quadrille_core.hookspecs import About, Default, Override, Parameter, Patch, hookimpl
from quadrille_plugins.mechanics._sources import OLDER, VARIATIONS

_AT = f"{VARIATIONS}: Remise or Codille"
_WHY: Final[Mapping[str, str]] = {
    "also": "a lost game adds to the pool as ever, for nothing is taken back; the alternative is "
    "loss_adds=instead",
    "instead": "the game that counts double stands instead of a doubled pool; the alternative is "
    "loss_adds=also",
    "made_good": "won or lost double is the game, and so its stake too, which the losers owe",
    "raised": "the stake too is doubled, and all players put it in",
    "penalty": "what a lost game adds is doubled, and a winner has what the pool holds",
    "single": "a pool holds what was put in it; only what players pay one another is doubled",
}


@hookimpl
def quadrille_describe() -> About:
    """Name the mechanic, and what the article leaves open as parameters."""
    return About(
        title="Multiplier (remise or codille)",
        summary="After a game lost the next counts double, after two in a row threefold, until "
        "one is won.",
        parameters={
            "loss_adds": Parameter(
                doc="Whether a lost game also adds to the pool, or the multiplied game stands "
                "instead: as the rules have it, or else also.",
                default="as_ruled",
                choices=("as_ruled", "also", "instead"),
                filled="also",
            ),
            "stake": Parameter(
                doc="What becomes of the stake of such a game: made good by the losers, raised "
                "by all players, doubled in what a lost game adds alone, or left single: as the "
                "rules have it, or else made good.",
                default="as_ruled",
                choices=("as_ruled", "made_good", "raised", "penalty", "single"),
                filled="made_good",
            ),
        },
    )


@hookimpl
def quadrille_payments(parameters: Mapping[str, Any]) -> Sequence[Override]:
    """Count the losses."""
    return (
        Default(
            path="multiplier.after_losses",
            value="counted",
            reason="the game after a loss is won or lost double, and so on until one is won",
            source=OLDER,
            at=_AT,
        ),
        _open("loss_adds", parameters, status="silent"),
        _open(
            "stake",
            parameters,
            status="inferred" if parameters["stake"] in ("as_ruled", "made_good") else "silent",
        ),
    )


def _open(name: str, parameters: Mapping[str, Any], *, status: str) -> Override:
    """What the article leaves open: the plugin's parameter overrides the rules."""
    told = parameters[name]
    filled = quadrille_describe().parameters[name].filled
    put, value = (Default, filled) if told == "as_ruled" else (Patch, told)
    return put(
        path=f"multiplier.{name}",
        value=value,
        reason=_WHY[value],
        source=OLDER,
        at=_AT,
        status=status,
    )
