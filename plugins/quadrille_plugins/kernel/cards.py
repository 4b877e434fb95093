"""Cards under a trump: from the home order to the lanes, and what may be played; ``tabulate`` has
the order."""

from numba import int64

from quadrille_plugins.kernel.bits import ONE, ZERO, U, ctz, low_bit
from quadrille_plugins.kernel.compiled import compiled
from quadrille_plugins.kernel.shares import INLINED, OPTIONS
from quadrille_plugins.kernel.words import AMONG, FORCED_BY

TRUMPS = U(0xFFF000000000000)
"""The lane of trumps."""


@compiled("uint64(uint64)", **INLINED)
def lane_of(card):
    """The whole lane of a card."""
    place = ctz(card)
    return U(0xFFF) << (((place * U(43)) >> U(9)) * U(12))


@compiled("uint64(int64)", **INLINED)
def lane(suit):
    """The lane of a suit, or of the trumps (4)."""
    return U(0xFFF) << U(12 * suit)


@compiled("uint64(rules, int64, uint64)", **INLINED)
def trumps_of(rules, trump, home):
    """The trumps in a hand of the home order, in the order of that trump."""
    holding = int64((home >> U(12 * trump)) & U(1023))
    held = rules.order[trump].trump_lane[holding]
    held |= ((home >> U(9)) & ONE) << U(59)
    return held | (((home >> U(33)) & ONE) << rules.order[trump].basto_shift)


@compiled("uint64(rules, int64, uint64)", **OPTIONS)
def under(rules, trump, home):
    """A hand of the home order in the order of that trump."""
    return (home & rules.order[trump].plain) | trumps_of(rules, trump, home)


@compiled("int64(rules, int64, int64)", **INLINED)
def strength(rules, trump, place):
    """What ``Ranking.strength`` says of the card at that bit."""
    if place >= 48:
        return place + rules.order[trump].strength_off
    return place % 12 + 1


@compiled("int64(rules, int64, uint64)", **INLINED)
def card_of(rules, trump, bit):
    """The card of a bit."""
    return rules.order[trump].card_at[int64(ctz(bit))]


@compiled("uint64(rules, int64, uint64)", **OPTIONS)
def first_in_pack(rules, trump, cards):
    """Of a set of cards the one that comes first in the pack."""
    best = int64(99)
    found = ZERO
    while cards:
        bit = low_bit(cards)
        cards ^= bit
        card = card_of(rules, trump, bit)
        if card < best:
            best = card
            found = bit
    return found


@compiled("uint64(rules, int64, uint64, uint64, uint64)", **INLINED)
def legal(rules, trump, hand, led, trick):
    """The cards that may be played; ``led`` is 0 on lead, ``trick`` the cards played so far."""
    if led == ZERO:
        return hand
    suit = lane_of(led)
    same = hand & suit
    if same == ZERO:
        return hand
    if suit != TRUMPS:
        return same
    after = led
    if rules.forcing.forced_by == FORCED_BY.PLAYED:
        played = trick & rules.order[trump].matadors
        if played:
            after = U(0x8000000000000000)
            while not (after & played):
                after >>= ONE
    forced = same & rules.order[trump].obliging[int64(ctz(after))]
    if forced == ZERO:
        return hand
    if forced == same or rules.forcing.among_several == AMONG.ANY_TRUMP:
        return same
    if forced & ~rules.order[trump].privileged:
        return same
    return hand if rules.forcing.among_several == AMONG.ALTERNATIVE_EXCUSES else forced
