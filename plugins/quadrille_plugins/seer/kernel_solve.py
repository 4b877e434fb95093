"""Deals that ``seer`` imagines, solved: what each card makes of each of them when everybody sees
all."""

from numba import int64

from quadrille_plugins.kernel.bits import ONE, ZERO, U, count, load, store
from quadrille_plugins.kernel.compiled import compiled, way_in
from quadrille_plugins.kernel.follow import TRUMP, lane_of, reference
from quadrille_plugins.kernel.lanes import WORD
from quadrille_plugins.kernel.shares import OPTIONS
from quadrille_plugins.seer.kernel_draw import words_of
from quadrille_plugins.solver.memory import (
    FEW_BITS,
    FEWEST,
    GENERATION,
    MOVES,
    PATTERNS_MOST,
    PATTERNS_USED,
    SEATS,
    SIDE,
    SLOT_BITS,
    SLOTS,
    SLOTS_AT,
    SLOTS_USED,
)
from quadrille_plugins.solver.search import search


@compiled("void(int64)", **OPTIONS)
def forget(w):
    """Drop what has been proven."""
    store(w, int64(GENERATION), load(w, int64(GENERATION)) + ONE)
    store(w, int64(PATTERNS_USED), ONE)
    store(w, int64(SLOTS_USED), ZERO)
    store(w, int64(SLOTS_AT), U(SLOTS))
    store(w, int64(SLOT_BITS), U(FEW_BITS))


@compiled("boolean(int64, int64, int64, int64, uint64, uint64, int64, uint64, uint64)", **OPTIONS)
def at_least(w, need, lying, seat, led, best, by, table, judged):
    """Whether the counted side makes N more tricks with that seat to play."""
    return (
        search(w, int64(MOVES), lying, seat, need, led, best, best, by, table, judged) >> U(63)
        != ZERO
    )


@compiled(
    "int64(int64, int64, int64, int64, int64, int64, uint64, uint64, int64, uint64, uint64)",
    **OPTIONS,
)
def solved(w, left, guess, enough, lying, seat, led, best, by, table, judged):
    """How many of the ``left`` tricks not complete the counted side makes; ``guess`` is asked for
    first.

    Where it wants as few as it can, they are distinguished only as none, one, or ``enough`` (0: not
    even that) and more.
    """
    if load(w, int64(FEWEST)):
        if not at_least(w, int64(1), lying, seat, led, best, by, table, judged):
            return int64(0)
        if enough == 0 or enough > left:
            return int64(1)
        return (
            enough if at_least(w, enough, lying, seat, led, best, by, table, judged) else int64(1)
        )
    least, most = int64(0), left
    while least < most:
        guess = min(max(guess, least + 1), most)
        if at_least(w, guess, lying, seat, led, best, by, table, judged):
            least, guess = guess, guess + 1
        else:
            most, guess = guess - 1, guess - 1
    return least


@way_in(
    "void(int64, uint64[::1], uint64[:, ::1], int64[::1], int64[::1], int64, int64, int64[::1], "
    "int64, int64[:, ::1])",
    **OPTIONS,
)
def solve_cards(w, row, hands, which, lying, leader, me, cards, enough, made):
    """The tricks that the counted side makes, this one included, once each card is played on each
    deal of ``which``.

    The solver's memory at address ``w`` is ready for these rules, the trump and the side.
    ``hands`` (masks of the pack) are without the cards ``lying`` in the trick that ``leader`` led;
    ``made`` has their rows and a column for each card.
    """
    seats, many, zero = int64(load(w, int64(SEATS))), len(lying), int64(0)
    led, best, table, judged, by = ZERO, ZERO, ZERO, ZERO, leader
    for n in range(many):
        card = row[WORD + lying[n]]
        led = card if n == 0 else led
        judged = reference(row, judged, card)
        if card > best and card & (lane_of(led) | TRUMP):
            best, by = card, (leader + n) % seats
        table |= card
    side = load(w, int64(SIDE))
    for i in range(len(which)):
        n = which[i]
        if load(w, int64(PATTERNS_USED)) > U(PATTERNS_MOST // 2):
            forget(w)
        for seat in range(5):
            store(w, int64(seat), words_of(row, hands[n, seat]) if seat < seats else ZERO)
        mine = load(w, me)
        left = int64(count(mine))
        guess = left // 2
        for c in range(len(cards)):
            card = row[WORD + cards[c]]
            store(w, me, mine ^ card)
            first, top, whose = led, best, by
            if many == 0:
                first = card
            if card > best and card & (lane_of(first) | TRUMP):
                top, whose = card, me
            if many + 1 < seats:
                seat = me + 1 if me + 1 < seats else zero
                refers = reference(row, judged, card)
                guess = solved(
                    w, left, guess, enough, many + 1, seat, first, top, whose, table | card, refers
                )
                made[n, c] = guess
            else:
                more = zero
                if left > 1:
                    more = guess = solved(
                        w, left - 1, guess, enough, zero, whose, ZERO, ZERO, zero, ZERO, ZERO
                    )
                made[n, c] = more + int64((side >> U(whose)) & ONE)
            store(w, me, mine)
