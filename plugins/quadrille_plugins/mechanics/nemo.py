"""Nemo, or devole: Hombre undertakes to lose every trick, without a trump suit."""

from collections.abc import Sequence

from quadrille_core.hookspecs import About, Justification, NewBid, Override, hookimpl
from quadrille_core.rules import Bid
from quadrille_plugins.mechanics._rows import row
from quadrille_plugins.mechanics._sources import NO_MATADORS, PARLETT, older

_AT = "Médiateur, bid 7"
_LOST = "whoever makes a trick has lost"


@hookimpl
def quadrille_describe() -> About:
    """Name the mechanic."""
    return About(
        title="Nemo (devole, misère)",
        summary="The highest game: lose every trick, the two black aces alone being trumps.",
    )


@hookimpl
def quadrille_bids() -> Sequence[Override]:
    """Add the bid above grandissimo."""
    return (
        NewBid(
            id="nemo",
            bid=Bid(
                title="Nemo",
                rank=60,
                goal="none",
                tricks=0,
                trump="none",
                premiers=False,
                may_undertake_vole=False,
                matadors="none",
                lost_as="remise",
            ),
            reason="an undertaking to lose every trick",
            source=PARLETT,
            at=_AT,
            also=older("Devole", "goal", "trump"),
            justifications={
                "premiers": Justification(status="inferred", reason=_LOST, source=PARLETT, at=_AT),
                "may_undertake_vole": Justification(
                    status="inferred", reason=_LOST, source=PARLETT, at=_AT
                ),
                "matadors": Justification(status="silent", reason=NO_MATADORS, source=PARLETT),
                "lost_as": Justification(
                    status="silent",
                    reason="it doubles the pool and pays its premium, whatever was made",
                    source=PARLETT,
                ),
            },
        ),
    )


@hookimpl
def quadrille_payments() -> Sequence[Override]:
    """Give the bid its premium: twice a grandissimo."""
    return (row("premium.nemo", 16, "twice a grandissimo"),)
