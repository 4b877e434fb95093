"""``random`` in the kernel: any legal action, drawn from the seat's stream as ``players.random`` draws it."""

from typing import Any

import numpy as np
from numba import boolean, int64

from quadrille_core.rules import Rules
from quadrille_plugins.fast import memory as at_deal
from quadrille_plugins.fast import play_layout as at
from quadrille_plugins.fast.auction import home_bit, may_bid, named_unasked
from quadrille_plugins.fast.bits import ZERO, U, count
from quadrille_plugins.fast.cards import BLOCK
from quadrille_plugins.fast.compiled import compiled
from quadrille_plugins.fast.declare import callable_cards, may_invite, may_name
from quadrille_plugins.fast.draws import below
from quadrille_plugins.fast.session import sessions_of
from quadrille_plugins.fast.shares import OPTIONS
from quadrille_plugins.fast.slot import PASS, CompiledPlayer
from quadrille_plugins.fast.table import table_of

MIND = "UniTuple(int64[::1], 1)"
"""Nothing: a tuple must have something in it."""


def mind_of(rules: Rules, table: Any, amounts: Any) -> tuple[Any]:
    """What she plays by."""
    return (np.zeros(0, np.int64),)


@compiled("int64(uint64[::1], int64, int64)", **OPTIONS)
def _pick(hands, seat, many):
    """The place of one of so many actions; without a draw where there is no choice."""
    return below(hands, seat, many) if many > 1 else int64(0)


@compiled("int64(uint64[::1], int64, int64)", **OPTIONS)
def _one_of(hands, seat, mask):
    """The place of one of the bits set."""
    drawn = _pick(hands, seat, int64(count(U(mask))))
    place = int64(0)
    while True:
        if mask >> place & 1:
            if drawn == 0:
                return place
            drawn -= 1
        place += 1


@compiled("uint64(uint64[::1], int64, uint64, int64)", **OPTIONS)
def _card_at(order, trump, cards, place):
    """The card in that place of a set, in the order of the pack."""
    for card in range(40):
        bit = order[trump * BLOCK + at.BIT_OF + card]
        if cards & bit:
            if place == 0:
                return bit
            place -= 1
    return ZERO


@compiled(f"int64(int64[::1], uint64[::1], {MIND}, int64[::1], uint64[::1], int64)", **OPTIONS)
def _bid(rules, order, mind, deal, hands, seat):
    """To pass, a bid from the lowest up, or trumps named unasked."""
    hand, many = hands[at_deal.HANDS + seat], int64(1)
    for spec in range(rules[at.LADDER]):
        many += may_bid(rules, deal, hand, seat, int64(spec))
    for suit in range(4):
        many += _may_name_unasked(rules, deal, hand, seat, int64(suit))
    drawn = _pick(hands, seat, many)
    if drawn == 0:
        return int64(PASS)
    for spec in range(rules[at.LADDER]):
        drawn -= may_bid(rules, deal, hand, seat, int64(spec))
        if drawn == 0:
            return int64(spec)
    suit = int64(-1)
    while drawn:
        suit += 1
        drawn -= _may_name_unasked(rules, deal, hand, seat, suit)
    return PASS - 1 - suit


@compiled("boolean(int64[::1], int64[::1], uint64, int64, int64)", **OPTIONS)
def _may_name_unasked(rules, deal, hand, seat, suit):
    spec = named_unasked(rules, deal, suit)
    return spec >= 0 and may_bid(rules, deal, hand, seat, spec)


@compiled(f"int64(int64[::1], uint64[::1], {MIND}, int64[::1], uint64[::1], int64)", **OPTIONS)
def _trump(rules, order, mind, deal, hands, seat):
    suits = int64(16) if may_invite(rules, deal) else int64(0)
    for suit in range(4):
        if may_name(rules, deal, int64(suit)):
            suits |= int64(1) << suit
    return _one_of(hands, seat, suits)


@compiled(f"int64(int64[::1], uint64[::1], {MIND}, int64[::1], uint64[::1])", **OPTIONS)
def _call(rules, order, mind, deal, hands):
    hombre = deal[at_deal.HOMBRE]
    return _one_of(hands, hombre, callable_cards(rules, order, deal, hands[at_deal.HANDS + hombre]))


@compiled(f"uint64(int64[::1], uint64[::1], {MIND}, int64[::1], uint64[::1])", **OPTIONS)
def _give(rules, order, mind, deal, hands):
    hombre, mine = deal[at_deal.HOMBRE], int64(0)
    for card in range(40):
        if card != deal[at_deal.CALLED] and hands[at_deal.HANDS + hombre] & home_bit(order, int64(card)):
            mine |= int64(1) << card
    return home_bit(order, _one_of(hands, hombre, mine))


@compiled(
    f"int64(int64[::1], int64[::1], {MIND}, int64[::1], uint64[::1], int64, int64, int64[::1], int64[::1])", **OPTIONS
)
def _decide(rules, money_rules, mind, deal, hands, seat, choices, result, out):
    return int64(1) << _one_of(hands, seat, choices)


@compiled(f"boolean(int64[::1], int64[::1], {MIND}, int64[::1], uint64[::1], int64, int64[::1], int64[::1])", **OPTIONS)
def _answer(rules, money_rules, mind, deal, hands, seat, result, out):
    """Yes is the first of the two."""
    return boolean(_pick(hands, seat, int64(2)) == 0)


@compiled(f"uint64(int64[::1], uint64[::1], {MIND}, int64[::1], uint64[::1], int64)", **OPTIONS)
def _lead(rules, order, mind, deal, hands, seat):
    """A card, or to claim the game, which comes after them."""
    cards = hands[at_deal.HANDS + seat]
    many = int64(count(cards))
    drawn = _pick(hands, seat, many + 1)
    return ZERO if drawn == many else _card_at(order, deal[at_deal.TRUMP], cards, drawn)


@compiled(
    f"uint64(int64[::1], uint64[::1], {MIND}, int64[::1], uint64[::1], int64, int64, uint64, uint64, int64, int64)",
    **OPTIONS,
)
def _card(rules, order, mind, deal, hands, seat, played, cards, best, winner, behind):
    return _card_at(order, deal[at_deal.TRUMP], cards, _pick(hands, seat, int64(count(cards))))


RANDOM = CompiledPlayer(
    module=__name__,
    mind=MIND,
    draws=True,
    bid=_bid,
    trump=_trump,
    call=_call,
    give=_give,
    announce=_decide,
    decide=_decide,
    answer=_answer,
    lead=_lead,
    card=_card,
)
play_sessions, replay_sessions = sessions_of(RANDOM, table_of(RANDOM))
