"""Deals that ``seer`` imagines, bid and played out: everybody goes on as ``steady`` does.

Hands and amounts are as in ``kernel.seer_play``.
"""

from numba import int64

from quadrille_plugins.fast import layout as money
from quadrille_plugins.fast import memory as at_deal
from quadrille_plugins.fast import play_layout as at
from quadrille_plugins.fast.auction import bids, home_bit, may_bid, passes
from quadrille_plugins.fast.compiled import compiled, way_in
from quadrille_plugins.fast.deal import set_table
from quadrille_plugins.fast.declare import call_card, reveal
from quadrille_plugins.fast.say import AUCTION
from quadrille_plugins.fast.shares import OPTIONS
from quadrille_plugins.players.kernel_steady import TABLE
from quadrille_plugins.players.kernel_steady_bids import MIND
from quadrille_plugins.seer.kernel_draw import home_of
from quadrille_plugins.seer.kernel_play import BEFORE_AT, BEGAN_AT, KEPT_AT, OUT_AT, RESULT_AT, paid, seat_hands

announce, auction, declare, play = TABLE.announce, TABLE.auction, TABLE.declare, TABLE.play
S_SEAT, S_SPEC, S_TRUMP, SAID = range(4)
"""What was said: by whom, the bid as it is spoken (-1 for a pass), and the trump if it was named with it (-1)."""
D_NAME, D_CALL, D_GIVE, D_INVITE = range(4)
"""Ways to declare: each with the suit or the card."""
NOT_SO = -2
"""The turn after something that could not be said."""


@compiled("int64(int64[::1], uint64[::1], int64[::1], uint64[::1], int64, int64[::1])", **OPTIONS)
def say(rules, order, deal, hands, turn, said):
    """Have a seat say something in its turn; returns whose turn it is then, NOT_SO where that could not be said."""
    seat, spec = said[S_SEAT], said[S_SPEC]
    if turn != seat:
        return int64(NOT_SO)
    hand = hands[at_deal.HANDS + seat]
    if spec < 0:
        return passes(rules, order, deal, hand, seat)
    if not may_bid(rules, deal, hand, seat, spec):
        return int64(NOT_SO)
    return bids(rules, deal, seat, spec)


@way_in(
    f"int64(int64[::1], uint64[::1], int64[::1], {MIND}, int64[::1], int64[:, ::1],"
    "int64[:, ::1], uint64[:, ::1], int64[:, ::1], int64[::1], uint64[::1])",
    **OPTIONS,
)
def bid_out(rules, order, money_rules, mind, game, spoken, choices, hands, amounts, numbers, words):
    """What each choice of the seat in turn pays on each of the deals, after what was spoken.

    Deals on which that could not have been spoken are left out: returns how many rows of ``amounts`` there are, -1 when
    something cannot be told exactly.
    """
    deal, result, out = numbers[: at_deal.SIZE], numbers[RESULT_AT:OUT_AT], numbers[OUT_AT:BEFORE_AT]
    table, events, players, rows = words[: at_deal.WORDS], numbers[:0], rules[at.PLAYERS], int64(0)
    for n in range(len(hands)):
        good = True
        for c in range(len(choices)):
            for i in range(at_deal.SIZE):
                deal[i] = game[i]
            for seat in range(players):
                table[at_deal.HANDS + seat] = table[at_deal.DEALT + seat] = home_of(order, hands[n, seat])
            turn, last, zero = int64(0), int64(-1), int64(0)
            for i in range(len(spoken)):
                turn = say(rules, order, deal, table, turn, spoken[i])
                if spoken[i, S_SPEC] >= 0:
                    last = spoken[i, S_TRUMP]
            turn = say(rules, order, deal, table, turn, choices[c])
            if choices[c, S_SPEC] >= 0:
                last = choices[c, S_TRUMP]
            if turn == NOT_SO:
                good = False
                break
            by, spec = deal[at_deal.STANDING], deal[at_deal.STANDING_SPEC]
            if not auction(rules, order, mind, deal, table, events, turn):
                amounts[rows, c] = deal[at_deal.POOL]
                continue
            if last >= 0 and deal[at_deal.HOMBRE] == by and deal[at_deal.SPEC] == spec:
                deal[at_deal.TRUMP] = last
            declare(rules, order, mind, deal, table, events)
            set_table(rules, order, deal, table)
            announce(rules, money_rules, mind, deal, table, events, result, out)
            play(rules, order, money_rules, mind, deal, table, events, result, out, zero)
            amounts[rows, c] = paid(rules, money_rules, deal, result, out, choices[c, S_SEAT])
            if out[money.O_INEXACT]:
                return int64(-1)
        rows += good
    return rows


@way_in(
    f"boolean(int64[::1], uint64[::1], int64[::1], {MIND}, int64[::1], int64,"
    "int64[:, ::1], uint64[:, ::1], int64[:, ::1], int64[::1], uint64[::1])",
    **OPTIONS,
)
def declare_out(rules, order, money_rules, mind, game, me, choices, hands, amounts, numbers, words):
    """What each way to declare pays on each of the deals; False when something cannot be told exactly."""
    deal, result, out = numbers[: at_deal.SIZE], numbers[RESULT_AT:OUT_AT], numbers[OUT_AT:BEFORE_AT]
    table, began, events = words[: at_deal.WORDS], words[BEGAN_AT:KEPT_AT], numbers[:0]
    players = rules[at.PLAYERS]
    for n in range(len(hands)):
        for c in range(len(choices)):
            for i in range(at_deal.SIZE):
                deal[i] = game[i]
            for seat in range(players):
                began[seat] = home_of(order, hands[n, seat])
            seat_hands(rules, order, deal, began, table)
            what, which = choices[c, 0], choices[c, 1]
            if what == D_NAME:
                deal[at_deal.TRUMP] = which
                if me == deal[at_deal.ALLY]:
                    reveal(rules, deal, events, int64(AUCTION))
            elif what == D_CALL:
                call_card(rules, order, deal, table, events, which)
            elif what == D_INVITE:
                deal[at_deal.INVITED] = 1
            else:
                card = home_bit(order, which)
                deal[at_deal.GIVEN] = which
                table[at_deal.HANDS + deal[at_deal.HOMBRE]] ^= card
                table[at_deal.HANDS + deal[at_deal.HOLDER]] |= card
            declare(rules, order, mind, deal, table, events)
            set_table(rules, order, deal, table)
            announce(rules, money_rules, mind, deal, table, events, result, out)
            play(rules, order, money_rules, mind, deal, table, events, result, out, int64(0))
            amounts[n, c] = paid(rules, money_rules, deal, result, out, me)
            if out[money.O_INEXACT]:
                return False
    return True
