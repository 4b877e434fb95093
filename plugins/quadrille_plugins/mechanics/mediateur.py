"""Médiateur: Hombre takes the called king into their own hand in exchange for a card, and plays
alone."""

from collections.abc import Mapping, Sequence
from typing import Any

from quadrille_core.hookspecs import About, Default, Justification, NewBid, Override, hookimpl
from quadrille_core.rules import Bid, Call
from quadrille_plugins.mechanics._rows import game_rows, winning_tricks
from quadrille_plugins.mechanics._sources import NEWER, PARLETT, older


@hookimpl
def quadrille_describe() -> About:
    """Name the mechanic."""
    return About(
        title="Médiateur (dimidiator, roy rendu)",
        summary="A bid between alliance and solo: call a king, take it in exchange for any card, "
        "play alone.",
    )


@hookimpl
def quadrille_bids(rules: Mapping[str, Any]) -> Sequence[Override]:
    """Add the bid, and exempt whoever gives up the king from its premium."""
    reason = "the bid that gives the game its name"
    return (
        NewBid(
            id="mediateur",
            bid=Bid(
                title="Médiateur",
                rank=20,
                goal="at_least",
                tricks=winning_tricks(rules),
                exchange=True,
                trump_when="after_exchange",
                call=Call(queen_when="four_kings", trump_suit="any", suit_may_become_trump=True),
            ),
            reason=reason,
            source=PARLETT,
            at="Médiateur, bid 3",
            also=older("Médiateur", "exchange", "call.queen_when"),
            justifications={
                "trump_when": Justification(
                    status="inferred",
                    reason="the exchange is told before the naming of trumps",
                    source=NEWER,
                    at="Auction: Dimidiator",
                ),
                "call.trump_suit": Justification(
                    status="inferred",
                    reason="any king, and with four kings a queen, of which no suit is barred",
                    source=PARLETT,
                    at="Médiateur, bid 3",
                ),
                "call.suit_may_become_trump": Justification(
                    status="inferred",
                    reason="any king, so that of trumps too",
                    source=PARLETT,
                    at="Médiateur, bid 3",
                ),
            },
        ),
        Default(
            path="exchange.giver_pays_premium",
            value=False,
            reason="who surrenders the king owes matadors, premiers and vole, not the premium",
            source=PARLETT,
            at="Médiateur, bid 3 (b)",
        ),
        Default(
            path="exchange.giver_receives_premium",
            value=False,
            reason="no text says whether the giver receives it; taken to mirror what the giver "
            "would have paid",
            status="conjecture",
        ),
    )


@hookimpl
def quadrille_payments(rules: Mapping[str, Any]) -> Sequence[Override]:
    """Give the bid its rows: half of a solo."""
    return tuple(game_rows(rules, "mediateur", 1, 2, (3, 6)))
