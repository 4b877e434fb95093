"""Which move the solver tries first: the sooner the right one, the less it searches; the answer is
the same.

The weights stand in ``solver_weights``.  A set of moves is a word with the highest card of each
run of equal cards; ``lows`` has the lowest card of each.  Scores are signed; that of a move is
written to the word of the ply that its place among all moves tells.
"""

from numba import int64

from quadrille_plugins.kernel.bits import ZERO, U, count, high_bit, load, low_bit, store
from quadrille_plugins.kernel.follow import TRUMP, lane_of
from quadrille_plugins.solver.memory import SEATS, helper, i8, inlined, on_side, side_size, u8
from quadrille_plugins.solver.weights import WEIGHTS


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
