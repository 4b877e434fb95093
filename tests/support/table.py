"""Helpers for tests that sit down at the table: deals from a few named cards, and simple bots."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from quadrille_plugins.deal.view import View

from quadrille_core.cards import PACK, Card, Suit, parse_card, parse_cards
from quadrille_core.engine.actions import Action, parse_action
from quadrille_core.engine.deal import DealSetup, Hands, hand_size
from quadrille_core.engine.table import Deal
from quadrille_core.rules import RuleSet
from quadrille_core.stream import Stream
from support import made_rules


class FirstBot:
    """Takes the first legal action."""

    name = "first"

    def choose(self, view: View, legal: tuple[Action, ...], stream: Stream) -> Action:
        return legal[0]


class TableBot:
    """Takes any legal action."""

    name = "random"

    def choose(self, view: View, legal: tuple[Action, ...], stream: Stream) -> Action:
        return legal[stream.below(len(legal))]


def dealt(
    *hands: str,
    favourite: Suit | None = None,
    pool: int = 4,
    packets: tuple[int, ...] = (),
    players: int = 4,
) -> DealSetup:
    """A setup from the cards that matter, hand by hand from the eldest; the rest fills up in pack
    order."""
    named = [list(parse_cards(h)) for h in hands] + [[] for _ in range(players - len(hands))]
    taken = [c for hand in named for c in hand]
    assert len(set(taken)) == len(taken)
    rest = [c for c in PACK if c not in taken]
    for hand in named:
        while len(hand) < hand_size(players):
            hand.append(rest.pop())
    return DealSetup(
        hands=tuple(map(tuple, named)), pool=Fraction(pool), favourite=favourite, packets=packets
    )


def sit(setup: DealSetup, **overrides: Any) -> Deal:
    """A deal under the made rules, without a favourite suit unless the overrides or the setup have
    one."""
    if setup.favourite is None:
        overrides = {"favourite.source": "none", "favourite.suit": None} | overrides
    return Deal(made_rules(**overrides), setup)


def say(deal: Deal, *actions: str) -> Deal:
    """Apply actions as a record spells them."""
    for text in actions:
        deal.apply(parse_action(text))
    return deal


def lead(deal: Deal, *cards: str) -> Deal:
    """Lead cards one after another, the others following with the first card they may play."""
    for card in cards:
        say(deal, f"play {card}")
        while deal.phase == "play" and deal.trick:
            deal.apply(deal.legal()[0])
    return deal


def said(deal: Deal) -> list[str]:
    """The legal actions as a record spells them."""
    return [str(a) for a in deal.legal()]


def kinds(deal: Deal) -> list[str]:
    return [e.kind for e in deal.events]


def run(deal: Deal, *, until: str = "over") -> Deal:
    """Take the first legal action until the phase is reached."""
    while deal.turn is not None and deal.phase != until:
        deal.apply(deal.legal()[0])
    return deal


def play_out(ruleset: RuleSet, setup: DealSetup, stream: Stream) -> Deal:
    """A deal played at random."""
    deal = Deal(ruleset, setup)
    while deal.turn is not None:
        legal = deal.legal()
        assert legal
        deal.apply(legal[stream.below(len(legal))])
    return deal


def swapped(setup: DealSetup, one: str, other: str) -> DealSetup:
    """The setup with two cards changed for one another."""
    a, b = parse_card(one), parse_card(other)
    change = {a: b, b: a}
    return replace(
        setup, hands=tuple(tuple(change.get(c, c) for c in hand) for hand in setup.hands)
    )


def hands_from_pack(pack: Sequence[Card], packets: Sequence[int], seats: int) -> Hands:
    """Deal a pack from the top by packets, eldest first; the inverse of ``pack_order``."""
    hands: list[list[Card]] = [[] for _ in range(seats)]
    top = 0
    for size in packets:
        for hand in hands:
            hand.extend(pack[top : top + size])
            top += size
    return tuple(tuple(hand) for hand in hands)


def pack_order(hands: Sequence[Sequence[Card]], packets: Sequence[int]) -> tuple[Card, ...]:
    """The pack, top card first, that deals these hands by these packets, each hand in its order."""
    pack: list[Card] = []
    start = 0
    for size in packets:
        for hand in hands:
            pack.extend(hand[start : start + size])
        start += size
    return tuple(pack)
