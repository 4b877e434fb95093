"""Following suit on words of lanes, by the row of ``kernel.lanes`` for the rules and the trump.

``legal`` needs the card led and the *reference* by which matadors are judged: the card led, or
where a matador is forced by one played, the highest matador so far.  ``reference`` keeps it as
cards are played.
"""

from typing import Final

from numba import int64

from quadrille_plugins.kernel.bits import ONE, ZERO, U, high_bit, load, lowest
from quadrille_plugins.kernel.compiled import compiled, way_in
from quadrille_plugins.kernel.lanes import EXCUSABLE, EXCUSED, OBLIGED, REFERENCES, TRUMP_LOW

LANE_LOWS: Final = U(sum(1 << low for low in (0, 12, 24, 36, 48)))
"""The lowest bit of every lane."""
TRUMP: Final = U(0xFFF << TRUMP_LOW)
"""The lane of the trumps."""


@way_in("uint64(uint64)", cache=True)
def lane_of(card):
    """The lane of a card."""
    low = high_bit(LANE_LOWS & (card | (card - ONE)))
    return (low << U(12)) - low


@compiled("uint64(uint64[::1], uint64, uint64)", cache=True)
def reference(row, before, card):
    """The reference once ``card`` has been played to a trick; ``before`` is the one so far, or 0 on
    lead."""
    return card if before == ZERO else max(before, card & row[REFERENCES])


@compiled("uint64(int64, uint64, uint64, uint64)", cache=True)
def legal_at(row, hand, led, judged_by):
    """``legal`` with the row given by its address in memory."""
    if led == ZERO:
        return hand
    same = hand & lane_of(led)
    if led & TRUMP == ZERO:
        return same if same else hand
    bound = same & load(row, OBLIGED + lowest(judged_by))
    if bound == ZERO:
        return hand
    if bound == same or bound & ~load(row, int64(EXCUSABLE)):
        return same
    return bound | (hand & load(row, int64(EXCUSED)))


@compiled("uint64(uint64[::1], uint64, uint64, uint64)", cache=True)
def legal(row, hand, led, judged_by):
    """The cards of the hand that may be played: ``led`` is the card led, or 0 on lead;
    ``judged_by`` the reference."""
    return legal_at(row.ctypes.data, hand, led, judged_by)


@way_in("uint64(uint64[::1], uint64, uint64[::1], int64)", cache=True)
def legal_after(row, hand, trick, played):
    """The cards of the hand that may be played after the first ``played`` cards of the trick."""
    if played == 0:
        return hand
    judged_by = trick[0]
    for i in range(1, played):
        judged_by = reference(row, judged_by, trick[i])
    return legal(row, hand, trick[0], judged_by)
