"""Deals that ``seer`` imagines, bid and played out: everybody goes on as ``steady`` does.

Hands and amounts are as in ``seer.kernel_play``.
"""

from numba import int64

from quadrille_plugins.kernel.auction import bids, home_bit, may_bid, passes
from quadrille_plugins.kernel.bits import copy
from quadrille_plugins.kernel.compiled import compiled
from quadrille_plugins.kernel.deal import set_table
from quadrille_plugins.kernel.declare import call_card, reveal
from quadrille_plugins.kernel.emit import AUCTION
from quadrille_plugins.kernel.shares import OPTIONS
from quadrille_plugins.players.kernel_steady import TABLE
from quadrille_plugins.players.kernel_steady_bids import POLICY
from quadrille_plugins.seer.kernel_mind import S_BID, S_NAMED, S_SEAT
from quadrille_plugins.seer.kernel_play import paid, seat_hands

announce, auction, declare, play = TABLE.announce, TABLE.auction, TABLE.declare, TABLE.play
D_NAME, D_CALL, D_GIVE, D_INVITE = range(4)
"""Ways to declare: each with the suit or the card."""
NOT_SO = -2
"""The turn after something that could not be said."""


@compiled("int64(rules, deal, int64, int64, int64)", **OPTIONS)
def say(rules, deal, turn, seat, spec):
    """Have a seat say something in its turn; returns whose turn it is then, NOT_SO where that could
    not be said."""
    if turn != seat:
        return int64(NOT_SO)
    hand = deal.hands[seat]
    if spec < 0:
        return passes(rules, deal, hand, seat)
    if not may_bid(rules, deal, hand, seat, spec):
        return int64(NOT_SO)
    return bids(rules, deal, seat, spec)


@compiled("int64(rules, mind)", **OPTIONS)
def say_again(rules, mind):
    """Say what was said; returns whose turn it is then, NOT_SO where it could not be said."""
    turn = int64(0)
    for n in range(mind.said_count):
        turn = say(rules, mind.before, turn, mind.said[n, S_SEAT], mind.said[n, S_BID])
    return turn


@compiled(f"int64(rules, {POLICY}, mind, int64, int64[::1])", **OPTIONS)
def bid_out(rules, policy, mind, rows, events):
    """What each choice of the seat in turn pays on each of so many deals, after what was said.

    Deals on which that could not have been said are left out: returns how many are left.
    """
    deal, before, result, out = mind.deal, mind.before, mind.result, mind.out
    left, named = int64(0), int64(-1)
    for n in range(mind.said_count):
        if mind.said[n, S_BID] >= 0:
            named = mind.said[n, S_NAMED]
    for n in range(rows):
        copy(before, mind.game)
        for seat in range(rules.table.players):
            before.hands[seat] = before.dealt[seat] = mind.hands[n, seat]
        turn = say_again(rules, mind)
        if turn == NOT_SO:
            continue
        for c in range(mind.choice_count):
            if not mind.alive[c]:
                continue
            copy(deal, before)
            spec = mind.choices[c, 0]
            trump = mind.choices[c, 1] if spec >= 0 else named
            next_turn = say(rules, deal, turn, mind.me, spec)
            by, standing = deal.standing, deal.standing_spec
            if not auction(rules, policy, deal, events, next_turn):
                mind.amounts[left, c] = deal.pool
                continue
            if trump >= 0 and deal.hombre == by and deal.spec == standing:
                deal.trump = trump
            declare(rules, policy, deal, events)
            set_table(rules, deal)
            announce(rules, policy, deal, events, result, out)
            play(rules, policy, deal, events, result, out, int64(0))
            mind.amounts[left, c] = paid(rules, deal, result, out, mind.me)
            mind.inexact |= out.inexact
        left += 1
    return left


@compiled(f"void(rules, {POLICY}, mind, int64, int64[::1])", **OPTIONS)
def declare_out(rules, policy, mind, rows, events):
    """The payments of each declaration on each of so many deals."""
    deal, result, out = mind.deal, mind.result, mind.out
    for n in range(rows):
        for c in range(mind.choice_count):
            if not mind.alive[c]:
                continue
            copy(deal, mind.game)
            for seat in range(rules.table.players):
                mind.began[seat] = mind.hands[n, seat]
            seat_hands(rules, deal, mind.began[:])
            what, which = mind.choices[c, 0], mind.choices[c, 1]
            if what == D_NAME:
                deal.trump = which
                if mind.me == deal.ally:
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
            mind.amounts[n, c] = paid(rules, deal, result, out, mind.me)
            mind.inexact |= out.inexact
