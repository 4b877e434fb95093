"""bidder as the fast engine plays it: each decision as `readable` makes it.

`quadrille_plugins.kernel.bot` says what a decision is asked and what it may read.
"""

import numpy as np
from numba import int64
from quadrille_plugins.kernel.bot import (
    PASS,
    SPADILLE,
    STOP,
    ZERO,
    callable_cards,
    called_cards,
    decides,
    first_in_pack,
    home_bit,
    may_bid,
    may_name,
    playing,
)

POLICY = "UniTuple(int64[::1], 1)"
"""What it plays by, as Numba has it: a tuple of one array."""
FIRST = int(SPADILLE)


def policy_of(rules, record, bids):
    """What it plays by under these rules: whether it always bids."""
    return (np.full(1, bids == "always", np.int64),)


@decides(POLICY)
def bid(rules, policy, deal, seat):
    """The lowest bid, by its number, or PASS."""
    if policy[0][0] or deal.hands[seat] & home_bit(rules, int64(FIRST)):
        for spec in range(rules.ladder):
            if may_bid(rules, deal, deal.hands[seat], seat, int64(spec)):
                return int64(spec)
    return int64(PASS)


@decides(POLICY)
def trump(rules, policy, deal, seat):
    """The suit that becomes trumps."""
    suit = int64(0)
    while not may_name(rules, deal, suit):
        suit += 1
    return suit


@decides(POLICY)
def call(rules, policy, deal):
    """The card of the pack that the Hombre calls."""
    cards, place = callable_cards(rules, deal, deal.hands[deal.hombre]), int64(0)
    while not cards >> place & 1:
        place += 1
    return place


@decides(POLICY)
def give(rules, policy, deal):
    """The card that the Hombre gives for a called one."""
    called, place = called_cards(rules, deal), int64(0)
    while called >> place & 1 or not deal.hands[deal.hombre] & home_bit(rules, place):
        place += 1
    return home_bit(rules, place)


@decides(POLICY)
def decide(rules, policy, deal, seat, choices, result, out):
    """What is done about the vole, one of the bits of ``choices``."""
    return int64(STOP)


@decides(POLICY)
def answer(rules, policy, deal, seat, result, out):
    """Whether to play for the vole, having been asked."""
    return True


@decides(POLICY)
def lead(rules, policy, deal, seat):
    """The card to lead where the game may be claimed instead; ZERO claims it."""
    return ZERO


@decides(POLICY)
def card(rules, policy, deal, seat, played, cards, best, winner, behind):
    """One of the legal cards."""
    return first_in_pack(rules, deal.trump, cards)


play_sessions, replay_sessions = playing(
    __name__,
    POLICY,
    bid=bid,
    trump=trump,
    call=call,
    give=give,
    decide=decide,
    answer=answer,
    lead=lead,
    card=card,
)
