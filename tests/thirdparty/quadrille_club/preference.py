"""Preference: a bid above the solo that only the favourite suit may be played in, with a bonus of
its own."""

from quadrille_core.hookspecs import (
    About,
    Default,
    NewBid,
    OwnLeaf,
    PaymentRow,
    TrumpsOnly,
    hookimpl,
)
from quadrille_core.rules import Bid


@hookimpl
def quadrille_describe():
    """Name the mechanic."""
    return About(
        title="Preference",
        summary="A solo that only the favourite suit may be played in.",
        late=True,
    )


@hookimpl
def quadrille_leaves():
    """Whether the bid is bound to the favourite suit, and what it earns besides."""
    return [
        OwnLeaf(
            path="preference.favourite_only",
            type="boolean",
            doc="Whether preference may be played in the favourite suit alone.",
            neutral=True,
        ),
        OwnLeaf(
            path="preference.bonus", type="amount", doc="Units that it earns besides.", neutral=2
        ),
    ]


@hookimpl
def quadrille_bids(rules, parameters):
    """Add the bid, and what may be trumps at it."""
    bid = Bid(title="Preference", rank=42, goal="at_least", tricks=6, in_favourite="by_trump")
    return [
        NewBid(id="preference", bid=bid, reason="our own"),
        TrumpsOnly(bid="preference", suits=("favourite",), rule="preference.favourite_only"),
    ]


@hookimpl
def quadrille_payments(rules, parameters):
    """A premium as for the solo, the rows that a bid needs, and the bonus."""
    tables = ["payments"] + ["payments.in_favourite"] * any(
        p.startswith("payments.in_favourite.") for p in rules
    )
    rows = ("premium", "vole_stake.undertaken", "vole_premium.undertaken")
    return [
        *(
            Default(
                path=f"{table}.{row}.preference",
                value=rules[f"{table}.{row}.solo"],
                reason="as for the solo",
            )
            for table in tables
            for row in rows
            if f"{table}.{row}.solo" in rules
        ),
        PaymentRow(
            reason="preference",
            amount="preference.bonus",
            unit="units",
            payer="adversaries",
            payee="hombre",
            outcomes=("won",),
            contracts=("preference",),
            counted=True,
        ),
    ]
