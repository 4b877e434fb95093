"""Telling what happens: an event as a number, as ``tables.events`` writes them."""

from quadrille_plugins.fast import memory as at_deal
from quadrille_plugins.fast.compiled import compiled
from quadrille_plugins.fast.shares import INLINED

AUCTION, PLAY = 0, 1


@compiled("void(int64[::1], int64[::1], int64, int64, int64, int64)", **INLINED)
def tell(deal, events, kind, seat, stage, what):
    """Write an event down; a deal of more events than there is room for is left to the readable engine."""
    place = deal[at_deal.EVENT]
    if place >= deal[at_deal.EVENT_END]:
        deal[at_deal.BLOCKED] = 1
        return
    events[place] = kind | (seat + 1) << 5 | stage << 8 | what << 9
    deal[at_deal.EVENT] = place + 1


@compiled("int64(int64, int64, int64)", **INLINED)
def spoken(name, favourite, vole):
    """A bid as it is spoken, as a number."""
    return (name * 8 + favourite * 4 + vole) * 8
