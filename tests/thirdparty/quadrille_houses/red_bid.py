"""A solo that may be played in a red suit only, and overcalls the plain one."""

from quadrille_core.hookspecs import About, NewBid, OwnLeaf, TrumpsOnly, hookimpl
from quadrille_core.rules import Bid
from quadrille_houses._bids import rows_like_solo


@hookimpl
def quadrille_describe():
    """Name the mechanic; ``late``, for it copies the rows of the solo."""
    return About(title="Red solo", summary="A bid for a red suit only.", late=True)


@hookimpl
def quadrille_leaves():
    """Whether the bid is bound to the red suits."""
    doc = "Whether a red solo may be played in hearts and diamonds alone."
    return [OwnLeaf(path="red-bid.red_only", type="boolean", doc=doc, neutral=True)]


@hookimpl
def quadrille_bids(rules, parameters):
    """The bid, and what may be trumps at it."""
    bid = Bid(title="Red solo", rank=41, goal="at_least", tricks=6, in_favourite="by_trump")
    return [
        NewBid(id="red-solo", bid=bid, reason="our own"),
        TrumpsOnly(bid="red-solo", suits=("hearts", "diamonds"), rule="red-bid.red_only"),
    ]


@hookimpl
def quadrille_payments(rules, parameters):
    """As for a solo."""
    return rows_like_solo(rules, "red-solo")
