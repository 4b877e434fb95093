"""Events as numbers, written to the kernel's tape."""

from quadrille_plugins.kernel.compiled import compiled
from quadrille_plugins.kernel.shares import INLINED

AUCTION, PLAY = 0, 1


@compiled("void(deal, int64[::1], int64, int64, int64, int64)", **INLINED)
def emit(deal, events, kind, seat, stage, what):
    """Write an event down; a deal of more events than there is room for is left to the readable
    engine."""
    place = deal.event
    if place >= deal.event_end:
        deal.blocked = 1
        return
    events[place] = kind | (seat + 1) << 5 | stage << 8 | what << 9
    deal.event = place + 1


@compiled("int64(int64, int64, int64)", **INLINED)
def spoken(name, favourite, vole):
    """A bid as it is spoken, as a number."""
    return (name * 8 + favourite * 4 + vole) * 8
