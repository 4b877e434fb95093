"""Deals that ``seer`` imagines, bid and played out: everybody goes on as ``steady`` does.

Hands and amounts are as in ``seer.kernel_play``.
"""

from numba import int64

from quadrille_plugins.kernel.auction import bids, home_bit, may_bid, passes
from quadrille_plugins.kernel.bits import copy
from quadrille_plugins.kernel.compiled import compiled, way_in
from quadrille_plugins.kernel.deal import set_table
from quadrille_plugins.kernel.declare import call_card, reveal
from quadrille_plugins.kernel.emit import AUCTION
from quadrille_plugins.kernel.shares import OPTIONS
from quadrille_plugins.players.kernel_steady import TABLE
from quadrille_plugins.players.kernel_steady_bids import POLICY
from quadrille_plugins.seer.kernel_draw import home_of
from quadrille_plugins.seer.kernel_play import paid, seat_hands

announce, auction, declare, play = TABLE.announce, TABLE.auction, TABLE.declare, TABLE.play
S_SEAT, S_SPEC, S_TRUMP, SAID = range(4)
"""What was said: by whom, the bid as it is spoken (-1 for a pass), and the trump if it was named
with it (-1)."""
D_NAME, D_CALL, D_GIVE, D_INVITE = range(4)
"""Ways to declare: each with the suit or the card."""
NOT_SO = -2
"""The turn after something that could not be said."""


@compiled("int64(rules, deal, int64, int64[::1])", **OPTIONS)
def say(rules, deal, turn, said):
    """Have a seat say something in its turn; returns whose turn it is then, NOT_SO where that could
    not be said."""
    seat, spec = said[S_SEAT], said[S_SPEC]
    if turn != seat:
        return int64(NOT_SO)
    hand = deal.hands[seat]
    if spec < 0:
        return passes(rules, deal, hand, seat)
    if not may_bid(rules, deal, hand, seat, spec):
        return int64(NOT_SO)
    return bids(rules, deal, seat, spec)


@way_in(
    f"int64(rules, {POLICY}, deal, int64[:, ::1], int64[:, ::1], uint64[:, ::1], int64[:, ::1], "
    "imagined, int64[::1])",
    **OPTIONS,
)
def bid_out(rules, policy, game, spoken, choices, hands, amounts, imagined, events):
    """What each choice of the seat in turn pays on each of the deals, after what was spoken.

    Deals on which that could not have been spoken are left out: returns how many rows of
    ``amounts`` there are, -1 when something cannot be told exactly.
    """
    deal, result, out, players, rows = (
        imagined.deal,
        imagined.result,
        imagined.out,
        rules.table.players,
        int64(0),
    )
    for n in range(len(hands)):
        good = True
        for c in range(len(choices)):
            copy(deal, game)
            for seat in range(players):
                deal.hands[seat] = deal.dealt[seat] = home_of(rules, hands[n, seat])
            turn, last, zero = int64(0), int64(-1), int64(0)
            for i in range(len(spoken)):
                turn = say(rules, deal, turn, spoken[i])
                if spoken[i, S_SPEC] >= 0:
                    last = spoken[i, S_TRUMP]
            turn = say(rules, deal, turn, choices[c])
            if choices[c, S_SPEC] >= 0:
                last = choices[c, S_TRUMP]
            if turn == NOT_SO:
                good = False
                break
            by, spec = deal.standing, deal.standing_spec
            if not auction(rules, policy, deal, events, turn):
                amounts[rows, c] = deal.pool
                continue
            if last >= 0 and deal.hombre == by and deal.spec == spec:
                deal.trump = last
            declare(rules, policy, deal, events)
            set_table(rules, deal)
            announce(rules, policy, deal, events, result, out)
            play(rules, policy, deal, events, result, out, zero)
            amounts[rows, c] = paid(rules, deal, result, out, choices[c, S_SEAT])
            if out.inexact:
                return int64(-1)
        rows += good
    return rows


@way_in(
    f"boolean(rules, {POLICY}, deal, int64, int64[:, ::1], uint64[:, ::1], int64[:, ::1], "
    "imagined, int64[::1],uint64[::1])",
    **OPTIONS,
)
def declare_out(rules, policy, game, me, choices, hands, amounts, imagined, events, words):
    """The payments of each declaration on each deal; False when something is inexact."""
    deal, result, out = imagined.deal, imagined.result, imagined.out
    began, players = words[:5], rules.table.players
    for n in range(len(hands)):
        for c in range(len(choices)):
            copy(deal, game)
            for seat in range(players):
                began[seat] = home_of(rules, hands[n, seat])
            seat_hands(rules, deal, began)
            what, which = choices[c, 0], choices[c, 1]
            if what == D_NAME:
                deal.trump = which
                if me == deal.ally:
                    reveal(rules, deal, events, int64(AUCTION))
            elif what == D_CALL:
                call_card(rules, deal, events, which)
            elif what == D_INVITE:
                deal.invited = 1
            else:
                card = home_bit(rules, which)
                deal.given = which
                deal.hands[deal.hombre] ^= card
                deal.hands[deal.holder] |= card
            declare(rules, policy, deal, events)
            set_table(rules, deal)
            announce(rules, policy, deal, events, result, out)
            play(rules, policy, deal, events, result, out, int64(0))
            amounts[n, c] = paid(rules, deal, result, out, me)
            if out.inexact:
                return False
    return True
