"""On whom a bid falls when all pass, where a plugin's record says it and no card."""

import itertools
import re
import sys
from dataclasses import replace
from fractions import Fraction
from textwrap import dedent

import pytest
from quadrille_plugins.deal.players import make_bot
from quadrille_plugins.deal.session import play_session
from quadrille_plugins.house_rules.testing import compiled, same_by_both_engines
from quadrille_plugins.ledger.answers import Table
from quadrille_plugins.ledger.deriving import DealStart, derive
from quadrille_plugins.ledger.journal import Fact
from quadrille_plugins.players.steady import valuer_of
from quadrille_plugins.players.steady_play import mask_of
from quadrille_plugins.settle.result_file import read_result
from quadrille_plugins.shell.idle_rules import idle_rules
from quadrille_plugins.studies.looks import identical_columns
from support.plugin import LEAF, PREAMBLE, SOLO, make_plugin

from quadrille_core.cards import parse_cards, parse_suit
from quadrille_core.engine.actions import Action, BidSpec
from quadrille_core.engine.carry import START
from quadrille_core.engine.deal import DealSetup
from quadrille_core.engine.facts import expects_forced, forced_seat
from quadrille_core.engine.past import Deeds, Past
from quadrille_core.engine.table import Deal
from quadrille_core.errors import ProfileError, ResultError
from quadrille_core.plugin_rules import PluginRules, ThrowIn

BASE = "quanti-1822@parlett"
HANDS = tuple(
    parse_cards(hand)
    for hand in (
        "SA HA H7 H6 H5 H4 H3 H2 S7 S6",
        "CA DK CK D7 D6 D5 D4 D3 D2 S5",
        "HK HQ HJ DA DQ DJ CQ CJ S4 S3",
        "SK SQ SJ C7 C6 C5 C4 C3 C2 S2",
    )
)
"""Aces: 2, 1, 1, 0.  Kings: 0, 2, 1, 1.  Queens: 0, 0, 3, 1."""

CODE = """
from quadrille_core.hookspecs import AtLeast, ForcedBid, Patch

@hookimpl
def quadrille_leaves():
    return [OwnLeaf(path="{0}.on", type="boolean", doc="d", neutral=True)]

@hookimpl
def quadrille_forcing(rules, parameters):
    return [{1}]
"""
FALLS = {
    # on whom: by seat, and which hands expect it
    "seat='eldest'": (0, [0]),
    "seat='dealer'": (3, [3]),
    "most_of='aces_dealt'": (0, [0]),
    "most_of='kings_dealt'": (1, [1]),
    "most_of='queens_dealt', facts={'aces_dealt': 0}": (3, []),
    "facts={'kings_dealt': AtLeast(1)}": (1, [1, 2, 3]),
    "facts={'kings_dealt': AtLeast(3)}": (None, []),
    "most_of='aces_dealt', facts={'kings_dealt': AtLeast(3)}": (None, []),
}


@pytest.fixture
def falling(tmp_path, monkeypatch):
    """Rules with these records, each told by its fields."""

    count = itertools.count()

    def falling(*records, settings=None):
        name = f"falling{next(count)}"
        told = [
            f"ForcedBid(bid='forced-spadille', reason='r', rule='{name}.on', {fields})"
            for fields in records
        ]
        make_plugin(tmp_path, name, PREAMBLE + CODE.format(name, ", ".join(told)))
        monkeypatch.syspath_prepend(str(tmp_path))
        monkeypatch.delitem(sys.modules, f"{name}_module", raising=False)
        return compiled(f"{BASE}+{name}", settings=settings)

    return falling


def passed_by_all(ruleset):
    deal = Deal(ruleset, DealSetup(hands=HANDS, pool=4))
    for _ in HANDS:
        deal.apply(Action("pass"))
    return deal


@pytest.mark.parametrize("fields", FALLS)
def test_a_bid_falls_on_whom_the_record_says(falling, fields):
    """The deal is theirs; where nobody is so, the cards are dealt again; whoever expects it sees
    their own hand alone."""
    ruleset = falling(fields).ruleset
    seat, expecting = FALLS[fields]
    deal = passed_by_all(ruleset)
    assert (deal.hombre, deal.redealt) == (seat, seat is None)
    assert forced_seat(ruleset.rules, HANDS) == seat
    how = ruleset.rules.forced_by()
    assert [s for s, hand in enumerate(HANDS) if expects_forced(how, hand, s, 4)] == expecting
    same = same_by_both_engines(ruleset, deals=24, session=3)
    assert same, same


def test_no_card_forces_then_and_the_title_says_none(falling):
    """While the plugin's leaf is off, all is as the card has it."""
    on = falling("seat='eldest'")
    bid = on.game.rules.forced_bid()[1]
    assert (bid.forced_on, bid.title) == (None, "Forced Game")
    off = falling("seat='eldest'", settings={"falling1.on": False})
    assert off.value_of("bids.forced-spadille.forced_on") == "SA"
    assert passed_by_all(off.ruleset).hombre == 0  # who holds Spadille


TITLES = {"SA": "Forced Spadille", "CA": "Forced Basto", "HK": "Forced king of hearts"}


@pytest.mark.parametrize("card", TITLES)
def test_the_title_of_a_forced_bid_names_its_card(card):
    rules = compiled(BASE, settings={"bids.forced-spadille.forced_on": card})
    assert rules.game.rules.forced_bid()[1].title == TITLES[card]
    own = {"bids.forced-spadille.forced_on": card, "bids.forced-spadille.title": "Ours"}
    assert compiled(BASE, settings=own).game.rules.forced_bid()[1].title == "Ours"


FAULTS = {
    "two records of one bid": (("seat='eldest'", "seat='dealer'"), {}, "falls-twice"),
    "a bid that is made in turn": (
        ("seat='eldest'",),
        {"bids.forced-spadille.made": "in_turn", "auction.all_pass": "redeal"},
        "falls-and-is-bid",
    ),
    "a return by a card": (
        ("seat='eldest'",),
        {"auction.passed_may_return": True},
        "returns-without-card",
    ),
}


@pytest.mark.parametrize(("records", "settings", "variant"), FAULTS.values(), ids=FAULTS)
def test_what_cannot_be_is_refused(falling, records, settings, variant):
    with pytest.raises(ProfileError) as refused:
        falling(*records, settings=settings)
    assert [p.variant for p in refused.value.problems] == [variant]


def limited(*suits):
    """A plugin with a limit for each of these on the trumps of a bid that falls on somebody."""
    code = LEAF.format('OwnLeaf(path="barred.on", type="boolean", doc="d", neutral=True)') + dedent(f"""
        @hookimpl
        def quadrille_bids(rules, parameters):
            who = {{"bid": "forced-spadille", "rule": "barred.on"}}
            return [TrumpsOnly(suits=suits, **who) for suits in {suits}]
        """)
    return PREAMBLE + code


@pytest.fixture
def barred(tmp_path, monkeypatch):
    """Rules with such limits, on or off."""

    def barred(*suits):
        make_plugin(tmp_path, "barred", limited(*suits))
        monkeypatch.syspath_prepend(str(tmp_path))
        monkeypatch.delitem(sys.modules, "barred_module", raising=False)
        return lambda on: compiled(f"{BASE}+barred", settings={"barred.on": on})

    return barred


def test_who_must_play_names_trumps_within_a_limit(barred):
    """In play, by steady's choice, and in a result that is typed, as at any bid."""
    ruleset = barred(("spades", "hearts"), ("hearts", "favourite"))(on=True).ruleset
    made, forced = passed_by_all(ruleset).declaration, BidSpec("forced-spadille")
    hearts, clubs = parse_suit("hearts"), parse_suit("clubs")
    assert made.refusal(Action("trump", suit=clubs)).rule == "barred.on"
    assert [a.suit for a in made.legal() if a.kind == "trump"] == [hearts]
    assert valuer_of(ruleset.rules).suits_for(forced, None) == (hearts,)
    typed = SOLO | {"contract": "forced-spadille", "ally": "C"}
    assert read_result(typed | {"trump": "hearts"}, ruleset.rules).trump == hearts
    with pytest.raises(ResultError, match=r"barred\.on"):
        read_result(typed | {"trump": "clubs"}, ruleset.rules)


@pytest.mark.parametrize("suits", [(("spades",), ("hearts",)), (("favourite",),)])
def test_a_limit_that_may_leave_nothing_to_whoever_must_play_is_refused(barred, suits):
    """Switched off, it is no fault."""
    rules = barred(*suits)
    with pytest.raises(ProfileError) as refused:
        rules(on=True)
    assert [p.variant for p in refused.value.problems] == ["limits-forced"]
    rules(on=False)


def test_a_rule_on_whom_a_bid_falls_is_idle_where_none_does(falling):
    rules = falling("seat='eldest'", settings={"auction.all_pass": "redeal"})
    assert "auction.all_pass" in idle_rules(rules)["falling0.on"]
    assert "falling1.on" not in idle_rules(falling("seat='eldest'"))


def test_a_table_may_say_that_all_passed_where_perhaps_nobody_is_forced(falling):
    """A seat always is, so that the bid is to be recorded."""
    for fields, dealt_anew in (("seat='dealer'", False), ("facts={'aces_dealt': 4}", True)):
        rules = falling(fields).ruleset.rules
        start = DealStart((4, 5, 6, 7), tuple("ABCD"), START, None, "", {})
        assert Table(rules, start).may_be_passed() is dealt_anew
        if dealt_anew:
            assert derive(rules, start, Fact("passed")).outcome == "all passed"
        else:
            with pytest.raises(ResultError):
                derive(rules, start, Fact("passed"))


def test_antes_are_the_same_only_where_somebody_is_always_forced(falling):
    """By a hand that nobody may have, a deal can be dealt again."""
    first = compiled(BASE).ruleset.rules
    seat = falling("most_of='aces_dealt'").ruleset.rules
    assert identical_columns(first, seat)
    assert not identical_columns(first, falling("facts={'aces_dealt': 4}").ruleset.rules)
    throw = ThrowIn(reason="r", rule="x.on", facts={"aces_dealt": 0})
    own = PluginRules((("x.on", True),), (("x.thrown_in", (throw,)),))
    assert not identical_columns(first, replace(first, own=own))


def test_a_bot_passes_for_what_the_game_is_worth_that_would_fall_on_it(falling):
    """It counts its own game, or another's where it does not expect to be forced."""
    valuer = valuer_of(falling("seat='eldest'").ruleset.rules)
    hand, pool = mask_of(HANDS[3]), Fraction(4)
    forced = BidSpec("forced-spadille")
    mine, other = (valuer.all_pass_value(hand, pool, None, falls) for falls in (True, False))
    assert mine == valuer.bid_value(forced, hand, pool, None) != other


SESSION = {
    # on whom, before a deal, and who expects it: the second has been Hombre twice, the fourth once
    "facts={'games_before': 0}": (0, [0, 2]),
    "facts={'games_before': AtLeast(1)}": (1, [1, 3]),
    "most_of='games_before'": (1, [1]),
    "most_of='deals_since_hombre'": (0, [0, 2]),
    "facts={'aces_dealt': 1, 'games_before': 0}": (2, [2]),
    "facts={'games_before': AtLeast(3)}": (None, []),
}


@pytest.mark.parametrize("of", SESSION)
def test_a_bid_falls_by_what_was_played_before_in_the_session(falling, of):
    """Of several it falls on the eldest, and nothing of it is recorded in a result."""
    rules = falling(of).game.rules
    past = Past(4, (("B", Deeds(2, 0, 1, 1, 4)), ("D", Deeds(1, 0, 1, 0, 2))))
    before = past.before(("A", "B", "C", "D"))
    falls, expected = SESSION[of]
    assert forced_seat(rules, HANDS, before) == falls
    how = rules.forced_by()
    told = [s for s in range(4) if expects_forced(how, HANDS[s], s, 4, before)]
    assert told == expected
    assert rules.own.session_facts() == (re.search("[a-z]+_(before|since_hombre)", of)[0],)
    assert rules.own.recorded_facts() == ()
    same = same_by_both_engines(falling(of).ruleset, deals=48, session=12)
    assert same, same


def test_a_session_has_each_player_forced_once(club, monkeypatch):
    """Who was forced had never been Hombre before, and was the eldest such."""
    monkeypatch.syspath_prepend(str(club))
    rules = compiled("quanti-1822@parlett+compulsory").ruleset
    forced = 0
    for session in range(12):
        hombres = set()
        bots = [make_bot("steady")] * 4
        for one in play_session(rules, bots, seed=3, session=session, deals=8):
            seated, hombre = one.deal.setup.players, one.deal.hombre
            if one.deal.forced:
                assert seated[hombre] == next(p for p in seated if p not in hombres)
                forced += 1
            assert not one.deal.redealt or hombres == {*seated}
            hombres |= set() if hombre is None else {seated[hombre]}
    assert forced
