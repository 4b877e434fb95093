"""Cards under a trump: from the home order to the lanes, and what may be played; ``tables.play`` has the order."""

from numba import int64

from quadrille_plugins.fast import memory as at_deal
from quadrille_plugins.fast import play_layout as at
from quadrille_plugins.fast.bits import ONE, ZERO, U, ctz, low_bit
from quadrille_plugins.fast.compiled import compiled
from quadrille_plugins.fast.shares import INLINED, OPTIONS

TRUMPS = U(at_deal.TRUMPS)
BLOCK = at.ORDER_SIZE


@compiled("uint64(uint64)", **INLINED)
def lane_of(card):
    """The whole lane of a card."""
    place = ctz(card)
    return U(0xFFF) << (((place * U(43)) >> U(9)) * U(12))


@compiled("uint64(int64)", **INLINED)
def lane(suit):
    """The lane of a suit, or of the trumps (4)."""
    return U(0xFFF) << U(12 * suit)


@compiled("uint64(uint64[::1], int64, uint64)", **INLINED)
def trumps_of(order, trump, home):
    """The trumps of a hand that stands in the home order, as they stand under that trump."""
    base = trump * BLOCK
    holding = int64((home >> U(12 * trump)) & U(1023))
    held = order[base + at.TRUMP_LANE + holding]
    held |= ((home >> U(9)) & ONE) << U(59)
    return held | (((home >> U(33)) & ONE) << order[base + at.BASTO_SHIFT])


@compiled("uint64(uint64[::1], int64, uint64)", **OPTIONS)
def under(order, trump, home):
    """A hand of the home order as it stands under that trump."""
    return (home & order[trump * BLOCK + at.PLAIN_MASK]) | trumps_of(order, trump, home)


@compiled("int64(uint64[::1], int64, int64)", **INLINED)
def strength(order, trump, place):
    """What ``Ranking.strength`` says of the card at that bit."""
    if place >= 48:
        return place + int64(order[trump * BLOCK + at.STRENGTH_OFF])
    return place % 12 + 1


@compiled("int64(uint64[::1], int64, uint64)", **INLINED)
def card_of(order, trump, bit):
    """The card of the pack that a bit stands for."""
    return int64(order[trump * BLOCK + at.CARD_AT + int64(ctz(bit))])


@compiled("uint64(uint64[::1], int64, uint64)", **OPTIONS)
def first_in_pack(order, trump, cards):
    """Of a set of cards the one that comes first in the pack."""
    best = int64(99)
    found = ZERO
    while cards:
        bit = low_bit(cards)
        cards ^= bit
        card = card_of(order, trump, bit)
        if card < best:
            best = card
            found = bit
    return found


@compiled("uint64(uint64[::1], int64[::1], int64, uint64, uint64, uint64)", **INLINED)
def legal(order, rules, trump, hand, led, trick):
    """The cards that may be played; ``led`` is 0 on lead, ``trick`` the cards played so far."""
    if led == ZERO:
        return hand
    suit = lane_of(led)
    same = hand & suit
    if same == ZERO:
        return hand
    if suit != TRUMPS:
        return same
    base = trump * BLOCK
    after = led
    if rules[at.BY_PLAYED]:
        played = trick & order[base + at.MATADORS]
        if played:
            after = U(0x8000000000000000)
            while not (after & played):
                after >>= ONE
    forced = same & order[base + at.OBLIGING + int64(ctz(after))]
    if forced == ZERO:
        return hand
    if forced == same or rules[at.AMONG] == at.ANY_TRUMP:
        return same
    if forced & ~order[base + at.PRIVILEGED]:
        return same
    return hand if rules[at.AMONG] == at.ALTERNATIVE_EXCUSES else forced
