"""Casco: the holder of both black aces calls a king, and its holder names trumps."""

from collections.abc import Mapping, Sequence
from typing import Any

from quadrille_core.cards import BASTO, SPADILLE
from quadrille_core.hookspecs import About, Justification, NewBid, Override, hookimpl
from quadrille_core.rules import Bid, Call
from quadrille_plugins.mechanics._rows import game_rows, winning_tricks
from quadrille_plugins.mechanics._sources import PARLETT, older


@hookimpl
def quadrille_describe() -> About:
    """Name the mechanic."""
    return About(
        title="Casco (gasco, respect)",
        summary="With both black aces: call a king, whose holder says so, names trumps and is an "
        "equal ally.",
    )


@hookimpl
def quadrille_bids(rules: Mapping[str, Any]) -> Sequence[Override]:
    """Add the bid."""
    return (
        NewBid(
            id="casco",
            bid=Bid(
                title="Casco",
                rank=30,
                needs=(SPADILLE, BASTO),
                shows="after_auction",
                goal="at_least",
                tricks=winning_tricks(rules),
                trump_by="ally",
                trump_when="after_call",
                partner="called",
                ally_known="at_once",
                in_favourite="by_trump",
                call=Call(queen_when="four_kings", suit_may_become_trump=True),
                loss_borne="shared",
                pool_penalty="as_borne",
            ),
            reason="an alliance that only the two black aces entitle one to",
            source=PARLETT,
            at="Médiateur, bid 4",
            also=older("Casco", "needs", "partner", "trump_by"),
            justifications={
                "in_favourite": Justification(
                    status="inferred",
                    reason="the ally names trumps after the auction, and there is a premium in "
                    "favourite",
                    source=PARLETT,
                    at="Médiateur, bid 4",
                ),
                "call.suit_may_become_trump": Justification(
                    status="inferred",
                    reason="the king is called before trumps are named",
                    source=PARLETT,
                    at="Médiateur, bid 4",
                ),
                "call.queen_when": Justification(
                    status="silent",
                    reason="with all four kings no king is lacking, and a queen is all that can "
                    "be called",
                    source=PARLETT,
                ),
            },
        ),
    )


@hookimpl
def quadrille_payments(rules: Mapping[str, Any]) -> Sequence[Override]:
    """Give the bid its rows: a premium as for a solo."""
    return tuple(game_rows(rules, "casco", 2, 4, (6, 12)))
