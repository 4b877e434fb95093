"""What the player on lead makes at once: they draw trumps, lead winners, and their side's trumps
win later.

A bound for who wants tricks: it is a way to play, where the sure trumps of ``solver.search`` win
however they are played.  Ranks are relied on as sparingly as may be, so that what is found holds of
many positions.
"""

from typing import Final

from numba import int64, types

from quadrille_plugins.kernel.bits import (
    ALL_BITS,
    ONE,
    ZERO,
    U,
    count,
    high_bit,
    load,
    low_bit,
    lowest,
)
from quadrille_plugins.kernel.follow import LANE_LOWS, TRUMP, lane_of
from quadrille_plugins.kernel.lanes import EXCUSABLE, OBLIGED, REFERENCES, TRUMP_LOW
from quadrille_plugins.solver.memory import ROW, SEATS, helper, i8, inlined, on_side, u8

PLAIN: Final = U((1 << TRUMP_LOW) - 1)
BUT_ONE: Final = U(int(LANE_LOWS) * 0x7FF)
"""Every lane without its highest bit, its two highest, its four highest."""
BUT_TWO: Final = U(int(LANE_LOWS) * 0x3FF)
BUT_FOUR: Final = U(int(LANE_LOWS) * 0x0FF)
NO_LIMIT: Final = 12


@inlined(u8(u8))
def down_from(cards):
    """From the highest of the cards of each lane down to the lane's lowest bit."""
    cards |= (cards >> ONE) & BUT_ONE
    cards |= (cards >> U(2)) & BUT_TWO
    cards |= (cards >> U(4)) & BUT_FOUR
    return cards | (cards >> U(4)) & BUT_FOUR


@inlined(u8(u8, i8))
def nth_high(cards, n):
    """The ``n``-th highest of at least ``n`` cards."""
    c = ZERO
    for _ in range(n):
        c = high_bit(cards)
        cards ^= c
    return c


@inlined(u8(i8, u8))
def drawn_by(w, leads):
    """The trumps that all of these must play; none, conservatively, where more than the card led
    decides."""
    if load(w, ROW + REFERENCES) | load(w, ROW + EXCUSABLE):
        return ZERO
    obliged = ALL_BITS
    while leads:
        obliged &= load(w, ROW + OBLIGED + lowest(leads))
        leads &= leads - ONE
    return obliged


@inlined(types.Tuple((i8, u8))(u8, u8, i8, i8))
def sure_of(own, against, most, want):
    """How many of a hand's trumps surely win, up to ``want``, and the lowest of them.

    Each higher trump against them kills at most one, and at most ``most`` do.
    """
    sure = int64(0)
    killed = int64(0)
    low = ZERO
    while own and sure < want:
        c = high_bit(own)
        own ^= c
        if min(most, count(against & ~(c - ONE))) > killed:
            killed += 1
        else:
            sure += 1
            low = c
    return sure, low


@inlined(types.Tuple((types.boolean, u8))(i8, i8, i8, u8, u8, i8, u8))
def winners(w, p, need, tops, others, limited, rel):
    """Whether the leader's winners in plain suits are as many, and the cards relied on with
    ``rel``.

    ``limited``: as often only as every adversary who holds a trump must follow.
    """
    seats = int64(load(w, SEATS))
    side = on_side(w, p)
    tops &= PLAIN
    while tops:
        lane = lane_of(low_bit(tops))
        mine = tops & lane
        tops ^= mine
        many = min(count(mine), need)
        if limited:
            for q in range(seats):
                hand = load(w, q)
                if on_side(w, q) != side and hand & TRUMP:
                    many = min(many, count(hand & lane))
        if many:
            need -= many
            if others & lane:
                rel |= nth_high(mine, many)
            if need == 0:
                return True, rel
    return False, ZERO


@helper(types.Tuple((types.boolean, u8))(i8, i8, i8, u8))
def cashed(w, p, goal, live):
    """Whether player ``p``, on lead, can cash N tricks for their side, and the cards whose rank
    this depends on.

    Their highest trumps, above all others in play, draw the adversaries'.  Either that leaves them
    none, and they go on with their winners; or they lead first what winners they must follow to,
    and trumps after.  Partners who hold trumps need plain cards to play to their winners.
    """
    hand = load(w, p)
    others = live & ~hand
    tops = hand & ~down_from(others)
    plain = count(tops & PLAIN)
    own = hand & TRUMP
    if tops == ZERO or plain + count(own) < goal:
        return False, ZERO
    draws = tops & TRUMP
    leads = count(draws)
    obliged = drawn_by(w, draws)
    seats = int64(load(w, SEATS))
    side = on_side(w, p)
    against = ZERO
    longest = int64(0)  # the most trumps that an adversary holds
    kept = int64(0)  # trumps that adversaries may still hold when they have led their highest
    for q in range(seats):
        if on_side(w, q) != side:
            trumps = load(w, q) & TRUMP
            against |= trumps
            longest = max(longest, count(trumps))
            kept += count(trumps) - min(leads, count(trumps & obliged))
    sure = count(own)
    rel = ZERO
    drawing = int64(0)
    if (
        kept
    ):  # the highest, which they lead, are among those relied on, or ``sure_answer`` had decided
        sure, rel = sure_of(own, against, kept, goal)
    elif against:
        drawing = longest
        rel = nth_high(draws, drawing)
    if sure >= goal:
        return True, rel
    most = int64(NO_LIMIT)
    for q in range(seats):
        partner = load(w, q)
        if q != p and on_side(w, q) == side and count(partner & TRUMP) > drawing:
            most = min(most, count(partner & PLAIN))
    need = goal - sure
    if min(plain, most) < need:
        return False, ZERO
    return winners(w, p, need, tops, others, kept, rel)
