"""Builds from the middle: fives down to the ace and round to the king, sixes up to the knave;
queens take no part."""

from collections.abc import Sequence
from typing import Final

from quadrille_core.hookspecs import About, Default, Override, hookimpl

DOWNWARDS: Final = ["5", "4", "3", "2", "A", "K"]
UPWARDS: Final = ["6", "7", "8", "9", "10", "J"]


@hookimpl
def quadrille_describe() -> About:
    """Name the mechanic."""
    return About(
        title="Builds from the middle",
        summary="In each suit fives are built down past the ace to the king, and sixes up to the "
        "knave.",
    )


@hookimpl
def quadrille_builds() -> Sequence[Override]:
    """Give both sequences, and leave the queens out of them."""
    return (
        Default(
            path="foundations.builds",
            value=[DOWNWARDS, UPWARDS],
            reason="fives and sixes lie round the queens and are built away from each other",
            source="wikipedia-patience",
            at="Captive Queens: the two rows of builds",
        ),
        Default(
            path="foundations.adornment",
            value=["Q"],
            reason="the queens only adorn the table",
            source="wikipedia-patience",
            at="Captive Queens: after the two ways of setting up",
        ),
    )
