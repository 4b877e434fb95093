"""Whole deals of the cards played at random, as words of lanes: the engine's ceiling, and a check on its rules.

Deal ``i`` of a seed draws from two streams of its own, one that deals and one that plays, so that totals do not
depend on how the deals are split.  ``deal`` and ``play`` say what a deal is; ``abreast`` plays many at once, and alike.
"""

import numpy as np

from quadrille_plugins.fast.abreast import ABREAST, WORK, play_abreast
from quadrille_plugins.fast.bits import ONE, ZERO, U, mix, nth_bit, popcount
from quadrille_plugins.fast.compiled import compiled
from quadrille_plugins.fast.draws import CARDS, DRAWN, GAMMA, LEFT, PLAY, SPARE, WORD_DRAWS, stream
from quadrille_plugins.fast.follow import TRUMP, lane_of, legal, reference
from quadrille_plugins.fast.lanes import EXCUSABLE, REFERENCES, WORD


@compiled("void(uint64, uint64[::1], int64, uint64, uint64[::1])", cache=True)
def deal(state, row, seats, leader, hands):
    """Deal the pack at random to four or five hands: each card in turn to one, by the room that is left there.

    The hands are counted from the leader on.
    """
    rooms = np.empty(seats, np.uint64)  # of a seat and those before it
    for p in range(seats):
        rooms[p] = U(CARDS // seats * (p + 1))
        hands[p] = ZERO
    x = ZERO
    for i in range(CARDS):
        if i % WORD_DRAWS == 0:
            state += GAMMA
            x = mix(state) >> SPARE
        drawn = x * U(CARDS - i)
        place, x = drawn >> DRAWN, drawn & LEFT
        holder = 0
        while place >= rooms[holder]:
            holder += 1
        hands[(leader + U(holder)) % U(seats)] |= row[WORD + i]
        for p in range(holder, seats):
            rooms[p] -= ONE


@compiled("uint64(uint64[::1], uint64[::1], int64, uint64, uint64)", cache=True)
def play(row, hands, seats, leader, state):
    """Play the hands out (they are used up), each legal card as likely as any other; tricks by seat, a byte each."""
    tricks = ZERO
    while hands[leader]:
        state += GAMMA
        x = mix(state) >> SPARE
        led = ZERO
        judged_by = ZERO
        cover = ZERO
        best = ZERO
        p = leader
        for k in range(seats):
            free = legal(row, hands[p], led, judged_by)
            drawn = x * popcount(free)
            card, x = nth_bit(free, drawn >> DRAWN), drawn & LEFT
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


@compiled("void(uint64, int64, int64, uint64[::1], int64, int64, int64[::1])", nogil=True, cache=True)
def run(seed, first, number, row, seats, side, made):
    """Play deals ``first`` to ``first + number - 1``, in turn led to by every seat.

    ``made[n]`` goes up by the deals in which the players of the mask ``side`` made n tricks between them.  Four hands
    are played abreast, if one mask decides what must be followed with.
    """
    hands = np.empty(seats, np.uint64)
    counted = ZERO
    for p in range(seats):
        if side >> p & 1:
            counted |= U(0xFF) << U(8 * p)
    at, end = first, first + number
    if seats == 4 and not row[EXCUSABLE] | row[REFERENCES]:
        work = np.empty(WORK, np.uint64)
        while end - at >= ABREAST:
            play_abreast(seed, U(at), row, work, counted, made)
            at += ABREAST
    for i in range(at, end):
        leader = U(i % seats)
        deal(stream(seed, U(i)), row, seats, leader, hands)
        tricks = play(row, hands, seats, leader, stream(seed ^ PLAY, U(i)))
        made[((tricks & counted) * U(0x0101010101010101)) >> U(56)] += 1
