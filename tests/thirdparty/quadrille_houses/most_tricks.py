"""Whoever plays for the most tricks is preferred, where all have agreed to that.

So a late Hoyle has it (law 18).  Each number is a bid of its own, and the higher overcalls the
lower; what they earn the law does not say, and here it is the solo's price.
"""

from quadrille_core.hookspecs import About, Justification, NewBid, hookimpl
from quadrille_core.rules import Bid
from quadrille_houses._bids import rows_like_solo

RANKS = {"for-seven": 46, "for-eight": 47, "for-nine": 48}


@hookimpl
def quadrille_describe():
    """Name the mechanic; ``late``, for it copies the rows of the solo."""
    return About(title="Most tricks", summary="Solos of seven to nine tricks.", late=True)


@hookimpl
def quadrille_bids(rules, parameters):
    """A bid for each number above the solo's."""
    ours = Justification(status="inferred", reason="a number of tricks is a bid of its own")
    return [
        NewBid(
            id=name,
            bid=Bid(
                title=f"Solo {name.replace('-', ' ')}",
                rank=rank,
                goal="at_least",
                tricks=tricks,
                in_favourite="by_trump",
            ),
            reason="who plays for the most tricks is preferred",
            source="hoyle",
            at="laws 18",
            justifications={"in_favourite": ours, "title": ours},
        )
        for tricks, (name, rank) in enumerate(RANKS.items(), start=7)
    ]


@hookimpl
def quadrille_payments(rules, parameters):
    """As for a solo."""
    return rows_like_solo(rules, *RANKS)
