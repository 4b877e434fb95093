"""A solo of seven tricks, which overcalls that of six and earns a unit more."""

from quadrille_core.hookspecs import About, NewBid, OwnLeaf, PaymentRow, hookimpl
from quadrille_core.rules import Bid
from quadrille_houses._bids import rows_like_solo


@hookimpl
def quadrille_describe():
    """Name the mechanic; ``late``, for it copies the rows of the solo."""
    return About(title="Seven alone", summary="A solo of seven tricks.", late=True)


@hookimpl
def quadrille_leaves():
    """What it earns besides."""
    doc = "Units that seven tricks alone earn more than six."
    return [OwnLeaf(path="seven.more", type="amount", doc=doc, neutral=1)]


@hookimpl
def quadrille_bids(rules, parameters):
    """The bid, and what hands were measured to make at it."""
    bid = Bid(title="Seven alone", rank=42, goal="at_least", tricks=7, in_favourite="by_trump")
    return [NewBid(id="seven", bid=bid, reason="our own", measured="seven.json")]


@hookimpl
def quadrille_payments(rules, parameters):
    """As for a solo, and a unit more where it is won."""
    more = PaymentRow(
        reason="seven tricks",
        amount="seven.more",
        unit="units",
        payer="adversaries",
        payee="hombre",
        outcomes=("won",),
        contracts=("seven",),
    )
    return [*rows_like_solo(rules, "seven"), more]
