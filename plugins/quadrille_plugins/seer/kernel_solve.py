"""Deals that ``seer`` imagines, solved: what each card makes of each of them when everybody sees
all, and what the rules pay for that."""

from numba import int64

from quadrille_plugins.kernel.auction import home_bit
from quadrille_plugins.kernel.bits import ONE, ZERO, U, copy, count, ctz, load, store
from quadrille_plugins.kernel.compiled import compiled
from quadrille_plugins.kernel.deal import write_result
from quadrille_plugins.kernel.follow import TRUMP, lane_of, reference
from quadrille_plugins.kernel.lanes import WIDTH, WORD
from quadrille_plugins.kernel.settle import due, settle
from quadrille_plugins.kernel.shares import OPTIONS
from quadrille_plugins.kernel.words import GOAL, LEVEL, LOST_AS, WON_BY
from quadrille_plugins.players.kernel_steady_bids import POLICY
from quadrille_plugins.seer.kernel_play import G_AGAINST, G_ALLY, G_HELD, replay
from quadrille_plugins.solver.memory import (
    FEW_BITS,
    FEWEST,
    GENERATION,
    MOVES,
    PATTERNS_MOST,
    PATTERNS_USED,
    ROW,
    SEATS,
    SIDE,
    SLOT_BITS,
    SLOTS,
    SLOTS_AT,
    SLOTS_USED,
)
from quadrille_plugins.solver.search import search

SIXTEEN = 16


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


@compiled("void(rules, mind, int64, uint64[:, ::1], int64)", **OPTIONS)
def make_ready(rules, mind, w, lanes, ally):
    """Make the solver's memory at address ``w`` ready for the side of that ally; what is proven is
    kept where nothing differs."""
    game, side, differs = mind.game, int64(1) << mind.game.hombre, False
    fewest = U(rules.bids[game.bid].goal == GOAL.NONE)
    if ally >= 0:
        side |= int64(1) << ally
    for n in range(WIDTH):
        differs |= load(w, int64(ROW + n)) != lanes[game.trump, n]
    differs |= load(w, int64(SEATS)) != U(rules.table.players)
    differs |= load(w, int64(SIDE)) != U(side) or load(w, int64(FEWEST)) != fewest
    if differs or load(w, int64(PATTERNS_USED)) > U(PATTERNS_MOST // 2):
        for n in range(WIDTH):
            store(w, int64(ROW + n), lanes[game.trump, n])
        store(w, int64(SEATS), U(rules.table.players))
        store(w, int64(SIDE), U(side))
        store(w, int64(FEWEST), fewest)
        forget(w)


@compiled("void(rules, mind, uint64[:, ::1])", **OPTIONS)
def set_words(rules, mind, lanes):
    """The solver's word of each card, by its place in the home order."""
    for card in range(40):
        mind.words[int64(ctz(home_bit(rules, int64(card))))] = lanes[mind.game.trump, WORD + card]


@compiled("void(rules, mind, int64, int64)", **OPTIONS)
def seat_words(rules, mind, w, n):
    """Give the solver the hands of a deal."""
    for seat in range(5):
        word, hand = ZERO, mind.hands[n, seat] if seat < rules.table.players else ZERO
        while hand:
            word |= mind.words[int64(ctz(hand))]
            hand &= hand - ONE
        store(w, int64(seat), word)


# --- what tricks are worth ------------------------------------------------------------------------


@compiled("int64(rules, steady, mind, int64)", **OPTIONS)
def premiers_of_16(rules, steady, mind, total):
    """Of sixteen games, those in which premiers are paid, if the side makes so many tricks."""
    deal, first = mind.deal, rules.premiers.tricks
    if not rules.bids[deal.bid].premiers or not deal.straight or total < first:
        return int64(0)
    hombres = rules.payments.premiers_won_by == WON_BY.HOMBRE and deal.ally >= 0
    own, played = deal.won[deal.hombre], deal.tricks_done
    if played >= first:
        return int64(SIXTEEN if not hombres or own >= first else 0)
    if hombres:
        return int64(0) if own < played else steady.premiers_of_16[total] // 2
    return steady.premiers_of_16[total]


@compiled("void(rules, mind, int64, int64, boolean, boolean)", **OPTIONS)
def settle_so(rules, mind, level, more, premiers, over):
    """Settle the game of ``mind.deal`` if its side makes so many tricks more; ``over``: the play
    ends here, whatever tricks are left."""
    deal, result, out, players = mind.deal, mind.result, mind.out, rules.table.players
    ally, hombre = deal.ally, deal.hombre
    left = int64(0) if over else rules.table.hand_cards - deal.tricks_done
    made = deal.won[hombre] + (deal.won[ally] if ally >= 0 else int64(0))
    if rules.bids[deal.bid].ends_when_lost and more + made:
        more = left = int64(1)
    write_result(rules, deal, result, out)
    own = more if ally < 0 else (2 * more + 1) // 3
    result.tricks[hombre] += own
    if ally >= 0:
        result.tricks[ally] += more - own
    seat = int64(0)
    for _ in range(max(int64(0), left - more)):
        while seat in (hombre, ally):
            seat = seat + 1 if seat + 1 < players else int64(0)
        result.tricks[seat] += 1
        seat = seat + 1 if seat + 1 < players else int64(0)
    result.premiers, result.vole, result.beasts = premiers, level, 0
    result.claims = 0
    if rules.bids[deal.bid].claimed:
        result.claims = due(rules, result, out) & rules.bids[deal.bid].claimed
    settle(rules, result, out)
    mind.inexact |= out.inexact


@compiled(f"void(rules, {POLICY}, mind, int64, int64, boolean)", **OPTIONS)
def pay_so(rules, policy, mind, level, more, over):
    """What that pays the seat and Hombre, in sixteenths, premiers as often as they are made."""
    deal, out, players = mind.deal, mind.out, rules.table.players
    made = deal.won[deal.hombre] + (deal.won[deal.ally] if deal.ally >= 0 else int64(0))
    likely = premiers_of_16(rules, policy[0], mind, more + made)
    paid = mind.paid
    paid[0] = paid[1] = 0
    for premiers in range(2):
        share = likely if premiers else SIXTEEN - likely
        if share:
            settle_so(rules, mind, level, more, premiers != 0, over)
            paid[0] += share * (players * out.net[mind.me] + out.pool_after)
            paid[1] += share * (players * out.net[deal.hombre] + out.pool_after)


@compiled(f"int64(rules, {POLICY}, mind, int64, int64, boolean)", **OPTIONS)
def worth(rules, policy, mind, level, more, over):
    """What the seat gets if the side of ``mind.deal`` makes so many tricks more.

    Whoever can make every trick may yet undertake to, until premiers are made and the vole is
    decided upon.
    """
    deal, paid = mind.deal, mind.paid
    pay_so(rules, policy, mind, level, more, over)
    best, hombres = paid[0], paid[1]
    made = deal.won[deal.hombre] + (deal.won[deal.ally] if deal.ally >= 0 else int64(0))
    first, size = rules.premiers.tricks, rules.table.hand_cards
    open_yet = rules.bids[deal.bid].may_undertake_vole and deal.straight
    open_yet &= deal.tricks_done < first < size and level == LEVEL.NONE
    if open_yet and not over and more + made == size:
        pay_so(rules, policy, mind, int64(LEVEL.UNDERTAKEN), more, True)
        if paid[1] > hombres:
            best = paid[0]
    return best // SIXTEEN


@compiled("void(rules, mind, int64)", **OPTIONS)
def set_side(rules, mind, n):
    """Make ``mind.deal``, replayed on any of the deals, the game as the n-th has it."""
    deal, game = mind.deal, mind.allies[n]
    deal.ally, deal.held, deal.held_against = game[G_ALLY], game[G_HELD], game[G_AGAINST]
    side = int64(1) << deal.hombre
    if deal.ally >= 0:
        side |= int64(1) << deal.ally
    deal.straight = mind.takers & ~side == 0


# --- cards ----------------------------------------------------------------------------------------


@compiled("int64(rules, mind)", **OPTIONS)
def enough_of(rules, mind):
    """How many tricks more than one make a difference to a game of no tricks: a codille; 0 where
    none do."""
    block = mind.game.bid
    if rules.bids[block].ends_when_lost or rules.bids[block].lost_as == LOST_AS.REMISE:
        return int64(0)
    return rules.loss.remise_short + 1


@compiled("void(rules, mind, int64, uint64[::1], int64, int64)", **OPTIONS)
def solve_cards(rules, mind, w, row, ally, rows):
    """The tricks that Hombre's side makes, this one included, once each card is played on each of
    the first deals with that ally, into ``mind.amounts``."""
    seats, many, zero = rules.table.players, mind.lying, int64(0)
    me, enough = mind.me, enough_of(rules, mind)
    leader = (me - many) % seats
    led, best, table, judged, by = ZERO, ZERO, ZERO, ZERO, leader
    for n in range(many):
        card = row[WORD + mind.played[mind.played_count - many + n]]
        led = card if n == 0 else led
        judged = reference(row, judged, card)
        if card > best and card & (lane_of(led) | TRUMP):
            best, by = card, (leader + n) % seats
        table |= card
    side = load(w, int64(SIDE))
    for n in range(rows):
        if mind.allies[n, G_ALLY] != ally:
            continue
        if load(w, int64(PATTERNS_USED)) > U(PATTERNS_MOST // 2):
            forget(w)
        seat_words(rules, mind, w, int64(n))
        mine = load(w, me)
        left = int64(count(mine))
        guess = left // 2
        for c in range(mind.choice_count):
            if not mind.alive[c]:
                continue
            card = row[WORD + mind.choices[c, 0]]
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
                mind.amounts[n, c] = guess
            else:
                more = zero
                if left > 1:
                    more = guess = solved(
                        w, left - 1, guess, enough, zero, whose, ZERO, ZERO, zero, ZERO, ZERO
                    )
                mind.amounts[n, c] = more + int64((side >> U(whose)) & ONE)
            store(w, me, mine)


@compiled(f"void(rules, {POLICY}, mind, int64, uint64[:, ::1], int64)", **OPTIONS)
def solve_out(rules, policy, mind, w, lanes, rows):
    """What each card brings on each of the first deals if all see all and play as well as can be.

    To be asked after ``play_out``, which finds what each deal makes of the game.
    """
    set_words(rules, mind, lanes)
    level, memo = mind.before.vole, mind.memo
    copy(mind.deal, mind.before)
    for ally in range(-1, rules.table.players):
        game, asked = int64(-1), False
        for n in range(rows):
            if mind.allies[n, G_ALLY] == ally and not asked:
                make_ready(rules, mind, w, lanes, int64(ally))
                solve_cards(rules, mind, w, lanes[mind.game.trump], int64(ally), rows)
                asked = True
            if mind.allies[n, G_ALLY] != ally:
                continue
            known = mind.allies[n, G_HELD] * 16 + mind.allies[n, G_AGAINST]
            if known != game:
                game = known
                set_side(rules, mind, int64(n))
                for tricks in range(len(memo)):
                    memo[tricks, 0] = 0
            for c in range(mind.choice_count):
                if not mind.alive[c]:
                    continue
                tricks = mind.amounts[n, c]
                if not memo[tricks, 0]:
                    memo[tricks, 0] = 1
                    memo[tricks, 1] = worth(rules, policy, mind, level, tricks, False)
                mind.amounts[n, c] = memo[tricks, 1]


@compiled(
    f"void(rules, {POLICY}, mind, int64, uint64[:, ::1], int64, int64[::1])",
    **OPTIONS,
)
def vole_out(rules, policy, mind, w, lanes, rows, events):
    """What going on for the vole (choice 1), and stopping or not (0), bring on each of so many
    deals if all see all."""
    deal, zero = mind.deal, int64(0)
    set_words(rules, mind, lanes)
    for n in range(rows):
        copy(deal, mind.game)
        for seat in range(rules.table.players):
            mind.began[seat] = mind.hands[n, seat] | mind.gone[seat]
        replay(rules, policy, mind, deal, events, False)
        make_ready(rules, mind, w, lanes, deal.ally)
        seat_words(rules, mind, w, int64(n))
        left = rules.table.hand_cards - deal.tricks_done
        tricks = solved(w, left, left, zero, zero, deal.leader, ZERO, ZERO, zero, ZERO, ZERO)
        stops = rules.premiers.claim and deal.tricks_done >= rules.bids[deal.bid].tricks
        undertaken, level = int64(LEVEL.UNDERTAKEN), deal.vole
        mind.amounts[n, 0] = worth(rules, policy, mind, level, zero if stops else tricks, stops)
        mind.amounts[n, 1] = worth(rules, policy, mind, undertaken, tricks, True)
