"""Deals played at random, many abreast: what ``playout`` does to one deal, done to the same place of many.

Every step is a loop over deals without a branch, so that the compiler makes of it instructions which work on several
words at once (eight with AVX-512, four with AVX2, one where there is nothing of the kind).  For four hands, and where
one mask decides which cards must be followed with.  ``playout`` is the definition; the results are the same.
"""

from typing import Final

from quadrille_plugins.fast.bits import ONE, ZERO, U, ctz, mix, popcount
from quadrille_plugins.fast.compiled import compiled
from quadrille_plugins.fast.draws import CARDS, DRAWN, GAMMA, LEFT, PLAY, SPARE, WORD_DRAWS, stream
from quadrille_plugins.fast.follow import TRUMP, lane_of
from quadrille_plugins.fast.lanes import OBLIGED, WORD
from quadrille_plugins.fast.shares import INLINED, OPTIONS

ABREAST: Final = 64
"""Deals played at once: so many that a step's cost is its work, so few that all stay next to the processor."""
EACH: Final = CARDS // 4

# The work room: so many words of each kind, one for each deal.
DEALING, PLAYING, FRACTION, LED, BOUND, BEST, LEADER, TRICKS = (U(n * ABREAST) for n in range(8))
HANDS: Final = U(8 * ABREAST)
"""The hand of the leader, and of those after him in turn."""
ROOMS: Final = U(12 * ABREAST)
"""How much room there is in the first hand, the first two, the first three."""
WORK: Final = 15 * ABREAST
"""The words of the work room."""
MANY: Final = U(ABREAST)


@compiled("uint64(uint64, uint64)", **INLINED)
def _nth_bit(mask, place):
    """The bit of a hand that has ``place`` set bits below it: ``bits.nth_bit`` without a branch or ``pdep``."""
    for n in range(EACH - 1):
        mask = mask & (mask - ONE) if place > U(n) else mask
    return mask & (~mask + ONE)


@compiled("void(uint64[::1], uint64[::1])", **INLINED)
def _deal(row, work):
    """``playout.deal`` from the leader on: the sets of cards are those of a seat and all before it, until the end."""
    for d in range(MANY):
        for p in range(3):
            work[ROOMS + U(p) * MANY + d] = U(EACH * (p + 1))
            work[HANDS + U(p) * MANY + d] = ZERO
    pack = ZERO
    for drawn in range(0, CARDS, WORD_DRAWS):
        at, left = U(WORD + drawn), U(CARDS - drawn)
        card0, card1, card2, card3, card4 = row[at], row[at + U(1)], row[at + U(2)], row[at + U(3)], row[at + U(4)]
        pack |= card0 | card1 | card2 | card3 | card4
        for d in range(MANY):
            state = work[DEALING + d] + GAMMA
            work[DEALING + d] = state
            x = mix(state) >> SPARE
            room0, room1, room2 = work[ROOMS + d], work[ROOMS + MANY + d], work[ROOMS + U(2) * MANY + d]
            to0, to1, to2 = work[HANDS + d], work[HANDS + MANY + d], work[HANDS + U(2) * MANY + d]
            for n in range(WORD_DRAWS):
                card = card0 if n == 0 else card1 if n == 1 else card2 if n == 2 else card3 if n == 3 else card4
                product = x * (left - U(n))
                place, x = product >> DRAWN, product & LEFT
                here = place < room0
                room0 = room0 - ONE if here else room0
                to0 = to0 | card if here else to0
                here = place < room1
                room1 = room1 - ONE if here else room1
                to1 = to1 | card if here else to1
                here = place < room2
                room2 = room2 - ONE if here else room2
                to2 = to2 | card if here else to2
            work[ROOMS + d], work[ROOMS + MANY + d], work[ROOMS + U(2) * MANY + d] = room0, room1, room2
            work[HANDS + d], work[HANDS + MANY + d], work[HANDS + U(2) * MANY + d] = to0, to1, to2
    for d in range(MANY):
        to0, to1, to2 = work[HANDS + d], work[HANDS + MANY + d], work[HANDS + U(2) * MANY + d]
        work[HANDS + MANY + d] = to0 ^ to1
        work[HANDS + U(2) * MANY + d] = to1 ^ to2
        work[HANDS + U(3) * MANY + d] = to2 ^ pack


@compiled("void(uint64[::1])", **INLINED)
def _take(work):
    """The best card's owner has the trick, and is now the leader, from whom the hands are counted."""
    for d in range(MANY):
        by = work[BEST + d]
        leader = (work[LEADER + d] + by) & U(3)
        work[LEADER + d] = leader
        work[TRICKS + d] += ONE << (leader << U(3))
        first, second = work[HANDS + d], work[HANDS + MANY + d]
        third, fourth = work[HANDS + U(2) * MANY + d], work[HANDS + U(3) * MANY + d]
        odd, two = by & ONE, by & U(2)
        next0, next1 = second if odd else first, third if odd else second
        next2, next3 = fourth if odd else third, first if odd else fourth
        work[HANDS + d] = next2 if two else next0
        work[HANDS + MANY + d] = next3 if two else next1
        work[HANDS + U(2) * MANY + d] = next0 if two else next2
        work[HANDS + U(3) * MANY + d] = next1 if two else next3


@compiled("void(uint64[::1], uint64[::1], uint64)", **INLINED)
def _trick(row, work, cards):
    """One trick of hands that have so many cards."""
    for d in range(MANY):
        state = work[PLAYING + d] + GAMMA
        work[PLAYING + d] = state
        hand = work[HANDS + d]
        product = (mix(state) >> SPARE) * cards
        card = _nth_bit(hand, product >> DRAWN)
        work[FRACTION + d] = product & LEFT
        work[HANDS + d] = hand ^ card
        work[LED + d] = lane_of(card)
        work[BEST + d] = card << U(3)
        work[BOUND + d] = ctz(card)
    for d in range(MANY):
        work[BOUND + d] = row[U(OBLIGED) + work[BOUND + d]]
    for k in range(1, 4):
        for d in range(MANY):
            hand, lane, best = work[HANDS + U(k) * MANY + d], work[LED + d], work[BEST + d]
            same = hand & lane
            free = same if same & work[BOUND + d] else hand
            product = work[FRACTION + d] * popcount(free)
            card = _nth_bit(free, product >> DRAWN)
            work[FRACTION + d] = product & LEFT
            work[HANDS + U(k) * MANY + d] = hand ^ card
            counts = ((card & (lane | TRUMP)) << U(3)) | U(k)
            work[BEST + d] = counts if counts > best else best


@compiled("void(uint64[::1])", **INLINED)
def _last_trick(work):
    """The trick in which nobody has a choice."""
    for d in range(MANY):
        led = work[HANDS + d]
        best = led << U(3)
        cover = lane_of(led) | TRUMP
        for k in range(1, 4):
            counts = ((work[HANDS + U(k) * MANY + d] & cover) << U(3)) | U(k)
            best = counts if counts > best else best
        work[BEST + d] = best


@compiled("void(uint64, uint64, uint64[::1], uint64[::1], uint64, int64[::1])", **OPTIONS)
def play_abreast(seed, first, row, work, counted, made):
    """Deals ``first`` to ``first + ABREAST - 1`` of ``playout.run``; ``counted`` masks the tricks that count."""
    for d in range(MANY):
        work[DEALING + d] = stream(seed, first + d)
        work[PLAYING + d] = stream(seed ^ PLAY, first + d)
        work[LEADER + d] = (first + d) & U(3)
        work[TRICKS + d] = ZERO
    _deal(row, work)
    for n in range(EACH - 1):
        _trick(row, work, U(EACH - n))
        _take(work)
    _last_trick(work)
    _take(work)
    for d in range(MANY):
        made[((work[TRICKS + d] & counted) * U(0x0101010101010101)) >> U(56)] += 1
