"""Forced Spadille: when all pass, the holder of Spadille must play an alliance."""

from collections.abc import Mapping, Sequence
from typing import Any

from quadrille_core.cards import SPADILLE
from quadrille_core.hookspecs import About, Default, NewBid, Override, hookimpl
from quadrille_core.rules import Bid, Call
from quadrille_plugins.mechanics._rows import has_favourite, row, winning_tricks
from quadrille_plugins.mechanics._sources import PARLETT


@hookimpl
def quadrille_describe() -> About:
    """Name the mechanic."""
    return About(
        title="Forced Spadille",
        summary="When all pass, whoever holds the ace of spades must play, calling a king; its "
        "holder may name trumps.",
    )


@hookimpl
def quadrille_bids(rules: Mapping[str, Any]) -> Sequence[Override]:
    """Add the forced game, and have it follow when all pass."""
    return (
        NewBid(
            id="forced-spadille",
            bid=Bid(
                title="Forced {forced_on}",
                rank=0,
                made="when_all_pass",
                forced_on=SPADILLE,
                goal="at_least",
                tricks=winning_tricks(rules),
                trump_by="hombre_or_ally",
                partner="called",
                call=Call(queen_when="four_kings"),
                premiers=False,
                may_undertake_vole=False,
                in_favourite="by_trump",
                loss_borne="shared",
            ),
            reason="someone must play when nobody will",
            source=PARLETT,
            at="Auction; Premiers and the vole; Penalties for a lost game",
        ),
        Default(
            path="auction.all_pass",
            value="forced_bid",
            reason="whoever holds the card must play",
            source=PARLETT,
            at="Auction",
        ),
    )


@hookimpl
def quadrille_payments(rules: Mapping[str, Any]) -> Sequence[Override]:
    """Give the forced game its premium: none, or one unit in favourite."""
    rows = [row("premium.forced-spadille", 0, "a forced game earns no premium")]
    if has_favourite(rules):
        rows.append(
            row(
                "in_favourite.premium.forced-spadille",
                1,
                "in favourite a forced game earns one unit",
            )
        )
    return rows
