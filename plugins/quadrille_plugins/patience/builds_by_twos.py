"""Builds by twos: the odd cards of a suit on its ace, the even ones on its deuce."""

from collections.abc import Sequence
from typing import Final

from quadrille_core.hookspecs import About, Default, Override, hookimpl

ON_THE_ACE: Final = ["A", "3", "5", "7", "9", "J", "K"]
ON_THE_DEUCE: Final = ["2", "4", "6", "8", "10", "Q"]


@hookimpl
def quadrille_describe() -> About:
    """Name the mechanic."""
    return About(
        title="Builds by twos",
        summary="In each suit every other rank is built on the ace up to the king, the rest on "
        "the deuce to the queen.",
    )


@hookimpl
def quadrille_builds() -> Sequence[Override]:
    """Give both sequences."""
    return (
        Default(
            path="foundations.builds",
            value=[ON_THE_ACE, ON_THE_DEUCE],
            reason="the kings and queens come to lie in pairs",
            source="wikipedia-patience",
            at="Royal Quadrille or La Française: the two rows of builds",
        ),
    )
