"""Whole deals of the cards played at random, as words of lanes: the engine's ceiling, and a check on its rules.

Deal ``i`` of a seed draws from two streams of its own, one that deals and one that plays, so that totals do not
depend on how the deals are split.  ``run`` releases the GIL.
"""

from typing import Final

import numpy as np
from numba import njit

from quadrille_core.kernel.bits import ONE, ZERO, U, count, ctz, mix, mulhi, nth_bit, popcount
from quadrille_core.kernel.follow import TRUMP, lane_of, legal, reference
from quadrille_core.tables.lanes import EXCUSABLE, OBLIGED, REFERENCES, WORD

GAMMA: Final = U(0x9E3779B97F4A7C15)
PLAY: Final = U(0xA5A5A5A5)
"""What the seed of the plays differs by from that of the deals."""
CARDS: Final = 40


@njit("uint64(uint64, uint64)", cache=True)
def stream(seed, index):
    """The state with which stream ``index`` of a seed begins; word ``n`` is ``mix(state + n GAMMA)``."""
    return mix(seed + mix(index + GAMMA))


@njit("void(uint64, uint64[::1], int64, uint64[::1], uint64[::1])", inline="always", cache=True)
def _deal(state, row, seats, pack, hands):
    """``deal`` to so many seats; the caller writes the number out, so that the loops are unrolled."""
    for i in range(CARDS):
        pack[i] = row[WORD + i]
    each = CARDS // seats
    i = 0
    for player in range(seats - 1):
        hand = ZERO
        for _half in range(2):
            state += GAMMA
            x = mix(state)
            for _draw in range(each // 2):
                left = U(CARDS - i)
                j = U(i) + mulhi(x, left)
                x = x * left
                hand |= pack[j]
                pack[j] = pack[U(i)]
                i += 1
        hands[U(player)] = hand
    hand = ZERO
    for n in range(CARDS - each, CARDS):
        hand |= pack[U(n)]
    hands[U(seats - 1)] = hand


@njit("void(uint64, uint64[::1], int64, uint64[::1], uint64[::1])", cache=True)
def deal(state, row, seats, pack, hands):
    """Deal the pack at random to four or five hands; ``pack`` is scratch for 40 words.

    Half a hand is drawn from one random word; no draw is biased by more than 2 to the -36.
    """
    if seats == 4:
        _deal(state, row, 4, pack, hands)
    else:
        _deal(state, row, 5, pack, hands)


@njit("uint64(uint64, int64)", inline="always", cache=True)
def _seat(place, seats):
    """The seat of a place counted on beyond the last seat."""
    if seats == 4:
        return place & U(3)
    return place - U(seats) if place >= U(seats) else place


@njit("uint64(uint64[::1], uint64[::1], int64, uint64, uint64)", inline="always", cache=True)
def _play(row, hands, seats, leader, state):
    """``play`` by the common duty to follow, which one mask decides; the caller writes the seats out."""
    tricks = ZERO
    for _trick in range(count(hands[leader]) - 1):
        state += GAMMA
        x = mix(state)
        hand = hands[leader]
        n = popcount(hand)
        led = nth_bit(hand, mulhi(x, n))
        x = x * n
        hands[leader] = hand ^ led
        lane = lane_of(led)
        cover = lane | TRUMP
        bound = row[U(OBLIGED) + ctz(led)]
        best = (led << U(3)) | leader
        for k in range(1, seats):
            p = _seat(leader + U(k), seats)
            hand = hands[p]
            same = hand & lane
            free = same if same & bound else hand
            n = popcount(free)
            card = nth_bit(free, mulhi(x, n))
            x = x * n
            hands[p] = hand ^ card
            best = max(best, ((card & cover) << U(3)) | p)
        leader = best & U(7)
        tricks += ONE << (U(8) * leader)
    best = hands[leader]
    cover = lane_of(best) | TRUMP
    best = (best << U(3)) | leader
    for k in range(1, seats):
        p = _seat(leader + U(k), seats)
        best = max(best, ((hands[p] & cover) << U(3)) | p)
    return tricks + (ONE << (U(8) * (best & U(7))))


@njit("uint64(uint64[::1], uint64[::1], int64, uint64, uint64)", cache=True)
def _play_any(row, hands, seats, leader, state):
    """``play`` by whatever duty to follow the row tabulates."""
    tricks = ZERO
    while hands[leader]:
        state += GAMMA
        x = mix(state)
        led = ZERO
        judged_by = ZERO
        cover = ZERO
        best = ZERO
        p = leader
        for k in range(seats):
            free = legal(row, hands[p], led, judged_by)
            n = popcount(free)
            card = nth_bit(free, mulhi(x, n))
            x = x * n
            hands[p] ^= card
            if k == 0:
                led = card
                cover = lane_of(led) | TRUMP
            judged_by = reference(row, judged_by, card)
            best = max(best, ((card & cover) << U(3)) | p)
            p += ONE
            if p == U(seats):
                p = ZERO
        leader = best & U(7)
        tricks += ONE << (U(8) * leader)
    return tricks


@njit("uint64(uint64[::1], uint64[::1], int64, uint64, uint64)", cache=True)
def play(row, hands, seats, leader, state):
    """Play the hands out (they are used up), each legal card as likely as any other; tricks by seat, a byte each."""
    if row[EXCUSABLE] | row[REFERENCES]:
        return _play_any(row, hands, seats, leader, state)
    if seats == 4:
        return _play(row, hands, 4, leader, state)
    return _play(row, hands, 5, leader, state)


@njit("void(uint64, int64, int64, uint64[::1], int64, int64, int64[::1])", nogil=True, cache=True)
def run(seed, first, number, row, seats, side, made):
    """Play deals ``first`` to ``first + number - 1``, in turn led to by every seat.

    ``made[n]`` goes up by the deals in which the players of the mask ``side`` made n tricks between them.
    """
    pack = np.empty(CARDS, np.uint64)
    hands = np.empty(seats, np.uint64)
    counted = ZERO
    for p in range(seats):
        if side >> p & 1:
            counted |= U(0xFF) << U(8 * p)
    leader = first % seats
    for i in range(first, first + number):
        deal(stream(seed, U(i)), row, seats, pack, hands)
        tricks = play(row, hands, seats, U(leader), stream(seed ^ PLAY, U(i)))
        leader = leader + 1 if leader + 1 < seats else 0
        made[((tricks & counted) * U(0x0101010101010101)) >> U(56)] += 1
