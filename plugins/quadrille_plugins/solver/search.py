"""The search: does the counted side make at least N of the remaining tricks?

An answer is one word: bit 63 (YES), and below it ``rel``, the cards whose rank it depends on.  It
holds for every position of the same class (``solver.memory``) in which the same players hold the
cards of each suit from the highest down to the lowest of ``rel``.
"""

from typing import Final

from numba import int64, types

from quadrille_plugins.kernel.bits import (
    ONE,
    ZERO,
    U,
    count,
    high_bit,
    load,
    low_bit,
    pdep,
    pext,
    popcount,
    prefetch,
    store,
)
from quadrille_plugins.kernel.compiled import way_in
from quadrille_plugins.kernel.follow import TRUMP, lane_of, legal_at
from quadrille_plugins.kernel.lanes import NESTED, REFERENCES, SPECIAL, TRUMP_LOW
from quadrille_plugins.solver.cash import NO_LIMIT, cashed, sure_of
from quadrille_plugins.solver.memory import (
    FEWEST,
    MOVES_EACH,
    NO_CARD,
    NODES,
    ROW,
    SEATS,
    YES,
    class_of,
    close_up,
    find_slot,
    helper,
    i8,
    inlined,
    keep,
    look_up,
    on_side,
    place_of,
    u8,
)
from quadrille_plugins.solver.order import best_of, score_fewest, score_follow, score_lead

PLAIN: Final = U((1 << TRUMP_LOW) - 1)
GAPS: Final = U(1 << 12 | 1 << 24 | 1 << 36 | 1 << 48)
"""Bits of no card between the lanes of spread words."""


@inlined(types.Tuple((i8, u8))(u8, u8, i8))
def sure_trumps(own, against, want):
    """How many of a hand's trumps win however the cards fall, up to ``want``, and the lowest of
    them.

    Each higher trump against them kills at most one, as no hand plays two cards to a trick.
    """
    own &= TRUMP
    against &= TRUMP
    longer = count(own) - count(against)
    if longer >= want or against == ZERO:
        return min(longer, want), ZERO
    return sure_of(own, against, int64(NO_LIMIT), want)


@inlined(types.Tuple((types.boolean, u8))(i8, i8, i8))
def sure_answer(w, need, left):
    """Whether one player's sure trumps alone settle the question, and the answer."""
    seats = int64(load(w, SEATS))
    ours = ZERO
    theirs = ZERO
    for p in range(seats):
        t = load(w, p) & TRUMP
        if on_side(w, p):
            ours |= t
        else:
            theirs |= t
    for p in range(seats):
        hand = load(w, p)
        side = on_side(w, p)
        goal = need if side else left - need + 1
        if count(hand & TRUMP) >= goal:
            n, low = sure_trumps(hand, theirs if side else ours, goal)
            if n >= goal:
                return True, (YES if side else ZERO) | low
    return False, ZERO


@helper(types.Tuple((types.boolean, u8))(i8, i8))
def sure_to_lose(w, leader):
    """Whether the counted side can lose every trick for a plain reason, and the cards that it
    depends on.

    An adversary leads, and each player of the side has no trump and in every suit, counted from the
    lowest, no card above the adversaries' card of the same number.  They then play the highest
    below the card led, or discard the highest of a suit, and it remains so.
    """
    rel = ZERO
    if on_side(w, leader):
        return False, rel
    seats = int64(load(w, SEATS))
    against = ZERO
    for p in range(seats):
        if not on_side(w, p):
            against |= load(w, p)
    for p in range(seats):
        if on_side(w, p):
            hand = load(w, p)
            if hand & TRUMP:
                return False, rel
            while hand:
                lane = lane_of(low_bit(hand))
                mine = hand & lane
                theirs = against & lane
                hand ^= mine
                if theirs:
                    rel |= low_bit(theirs)
                while mine and theirs:
                    if low_bit(mine) > low_bit(theirs):
                        return False, rel
                    mine &= mine - ONE
                    theirs &= theirs - ONE
    return True, rel


@helper(u8(i8, i8, i8))
def last_trick(w, leader, need):
    """The answer with one card left in each hand."""
    seats = int64(load(w, SEATS))
    best = load(w, leader)
    lane = lane_of(best)
    cover = lane | TRUMP
    table = best
    winner = leader
    p = leader
    for _ in range(seats - 1):
        p = p + 1 if p + 1 < seats else int64(0)
        c = load(w, p)
        table |= c
        if (c & cover) > best:
            best = c
            winner = p
    rel = best if table & lane_of(best) & ~best else ZERO
    return rel | YES if on_side(w, winner) >= need else rel


@inlined(u8(u8))
def spread(cards):
    """Shift the trumps by a bit, so that a free bit separates any two lanes."""
    return cards + (cards & TRUMP)


@inlined(u8(u8))
def closed(cards):
    """Undo ``spread``."""
    trumps = cards & ~PLAIN
    return cards - (trumps >> ONE)


@inlined(types.UniTuple(u8, 2)(i8, u8, u8, u8))
def runs_of(w, cards, live, table):
    """The highest and the lowest card of each run of equal cards.

    Cards are equal when no card still ``live`` in another hand or winning the trick stands between
    them, and the duty to follow does not tell them apart.  ``table`` are cards that may matter to
    that duty.
    """
    special = load(w, ROW + SPECIAL)
    own = cards & special
    cards ^= own
    among = spread(live | cards | special) | GAPS
    x = pext(spread(cards), among)
    tops = closed(pdep(x & ~(x >> ONE), among))
    lows = closed(pdep(x & ~(x << ONE), among))
    if own:
        if load(w, ROW + NESTED):
            among = (live | table | own) & special
            x = pext(own, among)
            return tops | pdep(x & ~(x >> ONE), among), lows | pdep(x & ~(x << ONE), among)
        return tops | own, lows | own
    return tops, lows


@inlined(u8(i8, i8, u8, u8, i8, i8, u8, u8, i8))
def first_of(w, m, moves, lows, p, pos, lane, best, bestp):
    """Score the moves; return the best."""
    if load(w, int64(FEWEST)):
        return score_fewest(w, m, moves, p, pos, lane, best, bestp)
    if pos == 0:
        return score_lead(w, m, moves, lows, p)
    return score_follow(w, m, moves, p, pos, lane, best, bestp)


# Literal integers in the recursive calls would make a cached function abort when it is loaded
# again: hence int64(0).
@way_in(u8(i8, i8, i8, i8, i8, u8, u8, u8, i8, u8, u8), cache=True, nogil=True)
def search(w, m, pos, p, need, led, best, bestlow, bestp, table, judged_by):  # noqa: C901
    """Whether the counted side makes ``need`` more tricks, player ``p`` being the ``pos``-th to
    play to the trick.

    ``w`` is the address of the block, ``m`` the word for the moves of this ply.  Of the trick so
    far: the card led, the best card, the lowest of the run it stands for and who played it, all
    cards, and the reference (0 on lead).
    """
    seats = int64(load(w, SEATS))
    slot = int64(0)
    left = int64(0)
    own0 = ZERO
    own1 = ZERO
    own2 = ZERO
    h0, h1, h2, h3, h4 = (
        load(w, int64(0)),
        load(w, int64(1)),
        load(w, int64(2)),
        load(w, int64(3)),
        load(w, int64(4)),
    )
    live = h0 | h1 | h2 | h3 | h4
    hand = load(w, p)
    fewest = int64(load(w, int64(FEWEST)))
    remembered = NO_CARD
    if pos == 0:
        left = count(hand)
        if need <= 0:
            return YES
        if need > left:
            return ZERO
        if left == 1:
            return last_trick(w, p, need)
        k0, k1, k2 = class_of(w, p, live)
        place = place_of(w, k0, k1, k2)
        prefetch(w, place)
        decided, r = sure_answer(w, need, left)
        if decided:
            return r
        if fewest:
            decided, r = sure_to_lose(w, p)
            if decided:
                return r
        slot = find_slot(w, place, k0, k1, k2)
        if slot:
            own0 = pext(h1 | h3, live)
            own1 = pext(h2 | h3, live)
            own2 = pext(h4, live)
            e, r, remembered = look_up(w, slot, own0, own1, own2, need)
            if e:
                return r | pdep(load(w, e + 3), live)
        if fewest == 0:
            mine = on_side(w, p)
            decided, r = cashed(w, p, need if mine else left - need + 1, live)
            if decided:
                return r | (YES if mine else ZERO)
    store(w, NODES, load(w, NODES) + ONE)
    lane = lane_of(led) if pos else ZERO
    free = legal_at(w + 8 * ROW, hand, led, judged_by)
    moves = free
    lows = free
    if free & (free - ONE):
        moves, lows = runs_of(w, free, (live | best) & ~hand, led | judged_by)
    every = moves
    scored = False
    c = moves
    if moves & (moves - ONE):
        c = pdep(ONE << remembered, live) & hand if remembered != NO_CARD else ZERO
        if c:
            c = low_bit(moves & ~(c - ONE))
        else:
            scored = True
            c = first_of(w, m, moves, lows, p, pos, lane, best, bestp)
    special = load(w, ROW + SPECIAL)
    wants = on_side(w, p) ^ fewest
    rel = ZERO
    result = ZERO if wants else YES
    remembered = NO_CARD
    after = p + 1 if p + 1 < seats else int64(0)
    while True:
        low = high_bit(lows & ((c << ONE) - ONE))
        store(w, p, hand ^ c)
        if pos == 0:
            r = search(w, m + MOVES_EACH, pos + 1, after, need, c, c, low, p, c, c)
        else:
            b = best
            by = bestp
            if (c & (lane | TRUMP)) > best:
                b = c
                by = p
            else:
                low = bestlow
            if pos + 1 < seats:
                judged = max(judged_by, c & load(w, ROW + REFERENCES))
                r = search(
                    w, m + MOVES_EACH, pos + 1, after, need, led, b, low, by, table | c, judged
                )
            else:
                more = need - on_side(w, by)
                if more <= 0:
                    r = YES
                elif more >= count(hand):
                    r = ZERO
                else:
                    r = search(
                        w,
                        m + MOVES_EACH,
                        int64(0),
                        by,
                        more,
                        ZERO,
                        ZERO,
                        ZERO,
                        int64(0),
                        ZERO,
                        ZERO,
                    )
                if (table | c) & lane_of(b) & ~b:  # rank won it
                    r |= low
        store(w, p, hand)
        if int64(r >> U(63)) == wants:
            rel = r & ~YES
            result = r & YES
            remembered = popcount(live & (c - ONE))
            break
        rel |= r & ~YES
        moves ^= c
        if moves == ZERO:
            break
        # lower cards of the suit whose rank nothing depended on fail as this one did
        own_lane = lane_of(c)
        low = r & own_lane | special & own_lane
        if low == ZERO or c < low_bit(low):
            moves &= ~(own_lane & ((low_bit(low) if low else ZERO) - ONE))
            if moves == ZERO:
                break
        if not scored:
            scored = True
            first_of(w, m, every, lows, p, pos, lane, best, bestp)
        c = best_of(w, m, every, moves)
    if slot:
        keep(
            w,
            slot,
            own0,
            own1,
            own2,
            pext(close_up(rel), live),
            need,
            left,
            result != ZERO,
            remembered,
        )
    return result | rel
