"""``random`` in the kernel: any legal action, from the same stream as ``players.random``."""

from typing import Any

import numpy as np
from numba import boolean, int64

from quadrille_core.rules import Rules
from quadrille_plugins.kernel.bot import (
    OPTIONS,
    PASS,
    ZERO,
    U,
    below,
    callable_cards,
    called_cards,
    compiled,
    count,
    decides,
    home_bit,
    may_bid,
    may_invite,
    may_name,
    named_unasked,
    playing,
)

POLICY = "UniTuple(int64[::1], 1)"
"""Nothing: a tuple must have something in it."""


def policy_of(rules: Rules, record: Any) -> tuple[Any]:
    """What it plays by."""
    return (np.zeros(0, np.int64),)


@compiled("int64(deal, int64, int64)", **OPTIONS)
def _pick(deal, seat, many):
    """The index of one of N actions; draws nothing when there is no choice."""
    return below(deal, seat, many) if many > 1 else int64(0)


@compiled("int64(deal, int64, int64)", **OPTIONS)
def _one_of(deal, seat, mask):
    """The place of one of the bits set."""
    drawn = _pick(deal, seat, int64(count(U(mask))))
    place = int64(0)
    while True:
        if mask >> place & 1:
            if drawn == 0:
                return place
            drawn -= 1
        place += 1


@compiled("uint64(rules, int64, uint64, int64)", **OPTIONS)
def _card_at(rules, trump, cards, place):
    """The card in that place of a set, in the order of the pack."""
    for card in range(40):
        bit = rules.order[trump].bit_of[card]
        if cards & bit:
            if place == 0:
                return bit
            place -= 1
    return ZERO


@decides(POLICY)
def bid(rules, policy, deal, seat):
    """To pass, a bid from the lowest up, or trumps named unasked."""
    hand, many = deal.hands[seat], int64(1)
    for spec in range(rules.ladder):
        many += may_bid(rules, deal, hand, seat, int64(spec))
    for suit in range(4):
        many += _may_name_unasked(rules, deal, hand, seat, int64(suit))
    drawn = _pick(deal, seat, many)
    if drawn == 0:
        return int64(PASS)
    for spec in range(rules.ladder):
        drawn -= may_bid(rules, deal, hand, seat, int64(spec))
        if drawn == 0:
            return int64(spec)
    suit = int64(-1)
    while drawn:
        suit += 1
        drawn -= _may_name_unasked(rules, deal, hand, seat, suit)
    return PASS - 1 - suit


@compiled("boolean(rules, deal, uint64, int64, int64)", **OPTIONS)
def _may_name_unasked(rules, deal, hand, seat, suit):
    spec = named_unasked(rules, deal, suit)
    return spec >= 0 and may_bid(rules, deal, hand, seat, spec)


@decides(POLICY)
def trump(rules, policy, deal, seat):
    """A suit that may be named, or to invite the ally."""
    suits = int64(16) if may_invite(rules, deal) else int64(0)
    for suit in range(4):
        if may_name(rules, deal, int64(suit)):
            suits |= int64(1) << suit
    return _one_of(deal, seat, suits)


@decides(POLICY)
def call(rules, policy, deal):
    """One of the cards that may be called."""
    hombre = deal.hombre
    return _one_of(deal, hombre, callable_cards(rules, deal, deal.hands[hombre]))


@decides(POLICY)
def give(rules, policy, deal):
    """Any card but the one that was called."""
    hombre, mine = deal.hombre, int64(0)
    called = called_cards(rules, deal)
    for card in range(40):
        if not called >> card & 1 and deal.hands[hombre] & home_bit(rules, int64(card)):
            mine |= int64(1) << card
    return home_bit(rules, _one_of(deal, hombre, mine))


@decides(POLICY)
def decide(rules, policy, deal, seat, choices, result, out):
    """One of what may be done about the vole."""
    return int64(1) << _one_of(deal, seat, choices)


@decides(POLICY)
def answer(rules, policy, deal, seat, result, out):
    """Yes is the first of the two."""
    return boolean(_pick(deal, seat, int64(2)) == 0)


@decides(POLICY)
def lead(rules, policy, deal, seat):
    """A card, or to claim the game, which comes after them."""
    cards = deal.hands[seat]
    many = int64(count(cards))
    drawn = _pick(deal, seat, many + 1)
    return ZERO if drawn == many else _card_at(rules, deal.trump, cards, drawn)


@decides(POLICY)
def card(rules, policy, deal, seat, played, cards, best, winner, behind):
    """One of the legal cards, in the order of the pack."""
    return _card_at(rules, deal.trump, cards, _pick(deal, seat, int64(count(cards))))


play_sessions, replay_sessions = playing(
    __name__,
    POLICY,
    draws=True,
    bid=bid,
    trump=trump,
    call=call,
    give=give,
    decide=decide,
    answer=answer,
    lead=lead,
    card=card,
)
