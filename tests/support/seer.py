"""Deals and views for the tests of ``seer``."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from quadrille_plugins.deal.players import make_bot
from quadrille_plugins.deal.session import play_streams
from quadrille_plugins.deal.view import View, view_of
from quadrille_plugins.seer import kernel_choose, kernel_mind
from quadrille_plugins.seer.deals import MEMORY, choices_of, seen, tables_of

from quadrille_core.cards import Card, Suit
from quadrille_core.engine.actions import Action
from quadrille_core.engine.amounts import basic_stake
from quadrille_core.engine.carry import favourite_suit
from quadrille_core.engine.deal import DealSetup, shuffled_hands
from quadrille_core.engine.table import Deal
from quadrille_core.rules import RuleSet
from quadrille_core.ruleset import compile_reference
from quadrille_core.stream import Purpose, Stream

PROFILES = ("quanti-1822", "mediateur-1752", "quadrille-laws", "quadrille-modern", "quintille")


def rules_of(reference: str, **settings: Any) -> RuleSet:
    return compile_reference(
        reference, settings={k.replace("__", "."): v for k, v in settings.items()}
    ).ruleset


def setup_of(number: int, ruleset: RuleSet) -> DealSetup:
    rules = ruleset.rules
    return DealSetup(
        hands=shuffled_hands(3, 0, number, rules),
        pool=Fraction(basic_stake(rules.stakes, rules.table.players)),
        favourite=favourite_suit(rules, seed=3, session=0, deal=number, first_trumps=Suit(1)),
    )


def stream_of(number: int = 0) -> Stream:
    return Stream(1, 2, number, Purpose.PLAY)


def deals_by_chance(reference: str, deals: int) -> Iterator[tuple[Deal, View]]:
    """Every view of some deals, played at random with bids that are not too wild to be played."""
    ruleset = rules_of(reference)
    bots = [make_bot("random"), make_bot("steady")]
    for number in range(deals):
        deal = Deal(ruleset, setup_of(number, ruleset))
        streams = play_streams(5, 0, number, len(deal.hands))
        while (seat := deal.turn) is not None:
            view = view_of(deal, seat)
            yield deal, view
            # the auction by steady, or nothing but the wildest bids would be played
            bot = bots[deal.phase in ("auction", "declare") and number % 3 > 0]
            deal.apply(bot.choose(view, deal.legal(), streams[seat]))


class Looking:
    """What ``seer`` knows of a view, and what its choices bring on deals that a test gives it."""

    def __init__(self, view: View, solved: int = 0) -> None:
        self.view, self.tables = view, tables_of(view.rules, 100, solved)
        assert self.tables.arrays is not None
        self.rules, self.policy = self.tables.arrays
        self.steady, self.parts = self.policy[:3], self.tables.scale * len(view.players)
        self.mind = np.zeros(1, kernel_mind.MIND)[0]
        kernel_mind.know(self.rules, self.steady, self.mind, seen(view, self.tables))

    def home(self, cards: Sequence[Card]) -> int:
        """Cards in the home order."""
        return int(kernel_mind.home_of(self.rules, sum(1 << c for c in cards)))

    def begin(self, hands: Sequence[Sequence[Card]]) -> None:
        """Let the deal have begun with these hands, and what was played since."""
        for seat, hand in enumerate(hands):
            self.mind["began"][seat] = self.home(hand) | int(self.mind["gone"][seat])

    def brought(
        self, what: int, legal: Sequence[Action], hands: Sequence[Sequence[Card]]
    ) -> list[int]:
        """What each action brings where these are the hands now, in parts; as it was looked at
        last."""
        for seat, hand in enumerate(hands):
            self.mind["hands"][0, seat] = self.home(hand)
        choices = choices_of(self.view, legal, self.tables)
        self.mind["choice_count"], self.mind["alive"][: len(choices)] = len(choices), 1
        self.mind["choices"][: len(choices)] = choices
        room = MEMORY.address + kernel_mind.SOLVER_AT
        events = np.zeros(0, np.int64)
        rows = kernel_choose.look(self.rules, self.policy, self.mind, what, room, 1, events)
        assert rows == 1
        assert not self.mind["inexact"]
        return [int(n) for n in self.mind["amounts"][0, : len(choices)]]
