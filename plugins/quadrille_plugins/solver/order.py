"""Which move the solver tries first: the sooner the right one, the less it searches; the answer is
the same.

A set of moves is a word with the highest card of each run of equal cards; ``lows`` has the lowest
card of each.  Scores are signed; that of a move is written to the word of the ply that its place
among all moves tells.
"""

from typing import Final

import numpy as np
from numba import int64

from quadrille_plugins.kernel.bits import ZERO, U, count, high_bit, load, low_bit, store
from quadrille_plugins.kernel.follow import TRUMP, lane_of
from quadrille_plugins.solver.memory import SEATS, helper, i8, inlined, on_side, side_size, u8

# fmt: off
NAMES: Final = (
    "LT_CLEAR_SHARED", "LT_CLEAR", "LT_TOP", "LT_TOP_RANK", "LT_TOP_OPPLEN", "LT_PTOP",
    "LT_PTOP_RANK", "LT_PTOP_LEN", "LT_LOW", "LT_LOW_RANK", "LT_LOW_LEN", "LT_LOW_OPPLEN",
    "LP_TOP", "LP_TOP_RANK", "LP_TOP_LEN", "LP_TOP_OPPLEN", "LP_PTOP", "LP_PTOP_RANK",
    "LP_PTOP_LEN", "LP_PRUFF", "LP_PRUFF_RANK", "LP_LOW", "LP_LOW_RANK", "LP_LOW_LEN",
    "LP_LOW_NEXT", "LP_LOW_LAST", "LR_TOP", "LR_TOP_RANK", "LR_TOP_LEN", "LR_LOW", "LR_LOW_RANK",
    "LR_LOW_LEN", "LR_LOW_PRUFF", "LR_NEXT", "LR_COUNT", "LT_TOP_LEN", "LP_TOP_PLEN",
    "LP_LOW_PLEN", "LP_LOW_OPPLEN", "LP_LOW_SPREAD", "LP_SINGLE", "F_SAFE_WIN", "F_SAFE_WIN_RANK",
    "F_WIN", "F_WIN_RANK", "F_WIN_HELP", "F_WIN_HELP_RANK", "F_WIN_OURS", "F_WIN_OURS_RANK",
    "F_WIN_TRY", "F_WIN_TRY_RANK", "F_LOSE_SAFE", "F_LOSE_HELP", "F_LOSE", "F_LOSE_RANK",
    "F_LOSE_RUFF", "D_LEN", "D_WINNER", "D_SINGLE", "D_GUARD2", "D_GUARD", "F_RUFF_WIN",
)
WEIGHTS: Final = np.array(
    [
        (
            91, -3, 341, 0, 2, 248, 98, -30, -93, -14, -59, 15, 428, -11, -114, 34, 172, 12, -74,
            402, 0, 84, 2, 22, -10, 115, -23, -12, 40, 12, 33, -64, 52, -56, -126, 0, -103, -40,
            -6, 9, 38, 128, 70, 389, 3, 185, -3, 52, -132, 150, 21, 277, 93, -25, 7, 349, -1, 94,
            101, -13, -17, -60,
        ),
        (
            1, -3, 198, -3, 12, 270, 9, -17, -82, -2, -40, 32, 331, 12, -38, 17, 365, 6, 32, 329,
            -2, 78, -6, -8, -13, 41, 36, -4, 20, 23, -12, -19, 39, -55, -96, -16, 66, -2, -15, 44,
            38, 14, 149, 387, 6, 38, 9, 10, -14, 138, -2, 123, 282, 43, 9, 268, -6, 139, 125, 12,
            7, -175,
        ),
        (
            -54, -15, 261, -5, -96, 173, 29, -11, -96, 110, -80, -118, 351, 8, -159, 114, 292, 7,
            8, 254, -44, 103, 2, -3, -85, -2, -46, 2, 20, 17, -16, -14, -51, -65, -66, 1, 13, 0,
            -22, -6, 72, 127, 38, 239, 2, 71, -21, 47, -1, 150, 17, 311, 225, 46, 11, 345, 3, -16,
            60, 55, -117, -64,
        ),
        (
            21, -3, 180, -7, -6, 79, 21, -14, -90, -2, -52, 10, 536, 43, -23, 22, 340, 2, 45, 426,
            14, 158, -6, 10, -36, 29, 13, -8, 16, 39, -4, -14, 3, -58, -138, 4, 31, 2, 9, 31, 35,
            33, 149, 399, 4, 64, 21, 4, -1, 134, 13, 276, 141, 106, 25, 423, 0, 126, 58, 2, 3,
            -157,
        ),
    ],
    dtype=[(name, np.int64) for name in NAMES],
)
# fmt: on
"""By the mover's side: of one, of two whose tricks are counted, of three and more, and of two
against whom they are counted.

Tuned for few nodes on standard deals of ten cards; they decide how long a search takes, never what
it finds.  LT: to lead a trump; LP: a plain suit; LR: a plain suit that an adversary ruffs; F: to
follow; D: to discard.
"""


@inlined(i8(i8, i8))
def weights_of(w, p):
    """The row of weights for a player: two against whom tricks are counted have their own."""
    size = side_size(w, p)
    if size == 2 and on_side(w, p) == 0:
        return int64(3)
    return min(size, int64(3)) - 1


@inlined(i8(u8))
def rank_of(card):
    """The card's place in its lane."""
    return count((card - U(1)) & lane_of(card))


@inlined(u8(i8, i8, u8, u8))
def best_of(w, m, all_moves, moves):
    """The best of the moves that are left of those scored at word ``m``."""
    first = ZERO
    top_score = int64(-1 << 40)
    while moves:
        c = low_bit(moves)
        moves ^= c
        sc = int64(load(w, m + count(all_moves & (c - U(1)))))
        if sc > top_score:
            top_score = sc
            first = c
    return first


@helper(u8(i8, i8, u8, u8, i8))
def score_lead(w, m, moves, lows, p):  # noqa: C901 - a call costs at every node
    """Score the moves of player ``p`` on lead, at word ``m``; return the best."""
    at = WEIGHTS[weights_of(w, p)]
    seats = int64(load(w, SEATS))
    side = on_side(w, p)
    opp = ZERO
    par = ZERO
    for q in range(seats):
        if q != p:
            if on_side(w, q) == side:
                par |= load(w, q)
            else:
                opp |= load(w, q)
    hp = load(w, p)
    next_opp = int64(on_side(w, p + 1 if p + 1 < seats else int64(0)) != side)
    last_opp = int64(on_side(w, p - 1 if p else seats - 1) != side)
    rest = moves
    i = m
    while rest:
        c = low_bit(rest)
        rest ^= c
        ln = lane_of(c)
        o = opp & ln
        q = par & ln
        r = rank_of(c)
        size = count(hp & ln)
        olen = count(o)
        top = o == ZERO or c > high_bit(o)
        ptop = bool(o) and bool(q) and high_bit(q) > high_bit(o)
        if ln == TRUMP:
            if o == ZERO:
                sc = at.LT_CLEAR_SHARED if q else at.LT_CLEAR
            elif top:
                sc = at.LT_TOP + at.LT_TOP_RANK * r + at.LT_TOP_OPPLEN * olen + at.LT_TOP_LEN * size
            elif ptop:
                sc = at.LT_PTOP - at.LT_PTOP_RANK * r + at.LT_PTOP_LEN * size
            else:
                sc = at.LT_LOW - at.LT_LOW_RANK * r + at.LT_LOW_LEN * size + at.LT_LOW_OPPLEN * olen
        else:
            ruff = 0  # players void in the suit who hold trumps
            pruff = 0
            for j in range(seats):
                h = load(w, j)
                if j != p and (h & ln) == ZERO and (h & TRUMP) != ZERO:
                    if on_side(w, j) != side:
                        ruff += 1
                    else:
                        pruff = 1
            if ruff:
                if top:
                    sc = at.LR_TOP - at.LR_TOP_RANK * r + at.LR_TOP_LEN * size
                else:
                    sc = (
                        at.LR_LOW
                        - at.LR_LOW_RANK * r
                        + at.LR_LOW_LEN * size
                        + at.LR_LOW_PRUFF * pruff
                    )
                sc += at.LR_NEXT * next_opp + at.LR_COUNT * ruff
            elif top:
                sc = (
                    at.LP_TOP
                    + at.LP_TOP_RANK * r
                    - at.LP_TOP_LEN * size
                    + at.LP_TOP_OPPLEN * olen
                    + at.LP_TOP_PLEN * count(q)
                )
            elif ptop:
                sc = at.LP_PTOP - at.LP_PTOP_RANK * r + at.LP_PTOP_LEN * size
            elif pruff:
                sc = at.LP_PRUFF - at.LP_PRUFF_RANK * r
            else:
                sc = (
                    at.LP_LOW
                    - at.LP_LOW_RANK * r
                    - at.LP_LOW_LEN * size
                    + at.LP_LOW_NEXT * next_opp
                    + at.LP_LOW_LAST * last_opp
                    + at.LP_LOW_PLEN * count(q)
                    + at.LP_LOW_OPPLEN * olen
                    + at.LP_LOW_SPREAD * (r - rank_of(high_bit(lows & ((c << U(1)) - U(1)))))
                )
            if size == 1 and (hp & TRUMP) != ZERO:
                sc += at.LP_SINGLE
        store(w, i, U(sc))
        i += 1
    return best_of(w, m, moves, moves)


@helper(u8(i8, i8, u8, i8, i8, u8, u8, i8))
def score_follow(w, m, moves, p, pos, led_lane, best, bestp):  # noqa: C901 - a call costs
    """Score the moves of player ``p``, the ``pos``-th to play to the trick, at word ``m``; return
    the best.

    ``best``: winning card so far, held by bestp; the players after p still have to play."""
    at = WEIGHTS[weights_of(w, p)]
    seats = int64(load(w, SEATS))
    side = on_side(w, p)
    ours = on_side(w, bestp) == side
    threat = ZERO  # strongest cards still to come, either side
    help_ = ZERO
    q = p
    for _ in range(seats - 1 - pos):
        q = q + 1 if q + 1 < seats else int64(0)
        h = load(w, q)
        x = h & led_lane
        if x == ZERO:
            x = h & TRUMP
        if x:
            if on_side(w, q) == side:
                help_ = max(help_, high_bit(x))
            else:
                threat = max(threat, high_bit(x))
    all_ = (
        load(w, int64(0))
        | load(w, int64(1))
        | load(w, int64(2))
        | load(w, int64(3))
        | load(w, int64(4))
    )
    hp = load(w, p)
    cover = led_lane | TRUMP
    safe = ours and best > threat
    rest = moves
    i = m
    while rest:
        c = low_bit(rest)
        rest ^= c
        ln = lane_of(c)
        r = rank_of(c)
        if (c & cover) > best:
            if c > threat:
                if safe:
                    sc = at.F_SAFE_WIN - at.F_SAFE_WIN_RANK * r
                else:
                    sc = at.F_WIN - at.F_WIN_RANK * r
                    if ln == TRUMP and led_lane != TRUMP:
                        sc += at.F_RUFF_WIN
            elif help_ > threat:
                sc = at.F_WIN_HELP - at.F_WIN_HELP_RANK * r
            elif ours:
                sc = at.F_WIN_OURS - at.F_WIN_OURS_RANK * r
            else:
                sc = at.F_WIN_TRY + at.F_WIN_TRY_RANK * r
        else:
            if safe:
                sc = at.F_LOSE_SAFE
            elif help_ > threat and help_ > best:
                sc = at.F_LOSE_HELP
            else:
                sc = at.F_LOSE
            sc -= at.F_LOSE_RANK * r
            if ln != led_lane:
                if ln == TRUMP:
                    sc -= at.F_LOSE_RUFF
                else:  # discard
                    own = hp & ln
                    others = all_ & ln & ~own
                    size = count(own)
                    sc += at.D_LEN * size
                    if others == ZERO or c > high_bit(others):
                        sc -= at.D_WINNER
                    if size == 1 and (hp & TRUMP) != ZERO:
                        sc += at.D_SINGLE
                    if size == 2 and others:
                        if high_bit(own) > high_bit(others):
                            sc -= at.D_GUARD2
                        elif c != high_bit(own):
                            sc -= at.D_GUARD
        store(w, i, U(sc))
        i += 1
    return best_of(w, m, moves, moves)


@helper(u8(i8, i8, u8, i8, i8, u8, u8, i8))
def score_fewest(w, m, moves, p, pos, led_lane, best, bestp):
    """``score_follow`` and leads, where the counted side avoids tricks and the others force
    them."""
    seats = int64(load(w, SEATS))
    mine = on_side(w, p)
    counted = ZERO
    others = ZERO
    for q in range(seats):
        if on_side(w, q):
            counted |= load(w, q)
        else:
            others |= load(w, q)
    to_come = ZERO  # of the counted side, what may still be played to this trick
    q = p
    for _ in range(seats - 1 - pos):
        q = q + 1 if q + 1 < seats else int64(0)
        if on_side(w, q):
            to_come |= load(w, q)
    hand = load(w, p)
    cover = led_lane | TRUMP
    against = others if mine else counted
    rest = moves
    i = m
    while rest:
        c = low_bit(rest)
        rest ^= c
        ln = lane_of(c)
        r = rank_of(c)
        o = against & ln
        below = count(o & (c - U(1)))
        above = count(o) - below
        wins = best == ZERO or (c & cover) > best
        if mine:
            # a card with many lower ones outside is the one to be rid of, when it does not win
            if best == ZERO:
                sc = 20 * above - 40 * below - 2 * count(hand & ln) - r
            elif not wins:
                sc = 200 + 20 * below + r - 4 * count(hand & ln)
            else:
                sc = r - 20 * above if to_come == ZERO and pos + 1 < seats else 10 * above - r
        elif best == ZERO:
            # low cards where the counted side has only higher ones
            d = counted & ln
            sc = 30 * (above - below) - 3 * r - 3 * count(others & ln) if d else -100 - r
        elif on_side(w, bestp):
            sc = r + 100 if not wins else -r
        elif to_come & led_lane:
            sc = -4 * r + (100 if not wins else 0)
        else:
            sc = 2 * r + (10 if ln != led_lane else 0)
        store(w, i, U(sc))
        i += 1
    return best_of(w, m, moves, moves)
