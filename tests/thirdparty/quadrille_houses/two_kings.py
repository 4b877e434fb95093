"""Two kings are asked for, for two cards; then the Hombre plays alone for seven tricks."""

from quadrille_core.hookspecs import About, Default, NewBid, hookimpl
from quadrille_core.rules import Bid
from quadrille_houses._bids import rows_like_solo


@hookimpl
def quadrille_describe():
    """Name the mechanic; ``late``, for it copies the rows of the solo."""
    return About(title="Two kings", summary="A bid that asks for two kings.", late=True)


@hookimpl
def quadrille_bids(rules, parameters):
    """The bid: below the solo, for whoever plays it has help."""
    bid = Bid(
        title="Two kings",
        rank=25,
        goal="at_least",
        tricks=7,
        exchange=True,
        cards_asked=2,
        trump_when="after_exchange",
        in_favourite="by_trump",
    )
    return [NewBid(id="two-kings", bid=bid, reason="our own")]


@hookimpl
def quadrille_payments(rules, parameters):
    """As for a solo; a king costs a unit."""
    king = Default(path="payments.king", value=1, reason="a unit for each king")
    return [*rows_like_solo(rules, "two-kings"), king]
