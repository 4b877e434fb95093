"""Grandissimo: a solo without a trump suit, the two black aces apart."""

from collections.abc import Mapping, Sequence
from typing import Any

from quadrille_core.hookspecs import About, Default, Justification, NewBid, Override, hookimpl
from quadrille_core.rules import Bid
from quadrille_plugins.mechanics._rows import game_rows, winning_tricks
from quadrille_plugins.mechanics._sources import NO_MATADORS, PARLETT, older


@hookimpl
def quadrille_describe() -> About:
    """Name the mechanic."""
    return About(
        title="Grandissimo",
        summary="A solo in which the two black aces alone are trumps, a suit of two cards.",
    )


@hookimpl
def quadrille_bids(rules: Mapping[str, Any]) -> Sequence[Override]:
    """Add the bid above a solo."""
    return (
        NewBid(
            id="grandissimo",
            bid=Bid(
                title="Grandissimo",
                rank=50,
                goal="at_least",
                tricks=winning_tricks(rules),
                trump="none",
                matadors="none",
            ),
            reason="a solo with no trump suit",
            source=PARLETT,
            at="Médiateur, bid 6",
            also=older("Grandissimo", "goal", "trump"),
            justifications={
                "matadors": Justification(status="silent", reason=NO_MATADORS, source=PARLETT)
            },
        ),
    )


@hookimpl
def quadrille_forcing() -> Sequence[Override]:
    """Say whether the black aces keep the matadors' privilege; no source does."""
    return (
        Default(
            path="forcing.at_no_trump",
            value="privileged",
            reason="no text takes the privilege from the black aces",
            status="conjecture",
        ),
    )


@hookimpl
def quadrille_payments(rules: Mapping[str, Any]) -> Sequence[Override]:
    """Give the bid its rows: twice a solo in favourite."""
    return tuple(game_rows(rules, "grandissimo", 8, None, (24, None)))
