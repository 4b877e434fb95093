"""Deals and views for the tests of ``seer``."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from quadrille_plugins.deal.players import make_bot
from quadrille_plugins.deal.session import play_streams
from quadrille_plugins.deal.view import View, view_of

from quadrille_core.cards import Suit
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
