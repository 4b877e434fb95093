"""The vole announced until the first lead, as the older article's variation has it: by any game
that may."""

import json
from dataclasses import replace

import pytest
from quadrille_plugins.deal.players import make_bot
from quadrille_plugins.deal.record import replay, to_record
from quadrille_plugins.deal.session import play_streams
from quadrille_plugins.deal.view import view_of
from quadrille_plugins.settle.possible import impossible
from support.table import dealt, run, said, say, sit

from quadrille_core.engine.actions import parse_action
from quadrille_core.engine.settle import settle
from quadrille_core.engine.table import Deal
from quadrille_core.ruleset import compile_reference

LAWS = "quadrille-laws+vole-announced"
TEN = "SA S2 CA SK SQ SJ S7 S6 S5 S4"
"""Spades hold ten sure tricks here, with the third spade left out."""
MADE = {"vole.announced_until": "first_lead", "bids.alliance.vole_before_lead": True}


def ruleset(reference=LAWS, **readings):
    return compile_reference(reference, readings=readings).ruleset


def allied(rules, hand="SA S2 CA SK SQ SJ S7 S6 S5 H2", partner="HK"):
    """A deal whose eldest has asked leave, named spades and called the king of hearts."""
    return say(
        Deal(rules, dealt(hand, partner)),
        "bid alliance",
        "pass",
        "pass",
        "pass",
        "trump spades",
        "call HK",
    )


def test_hombre_is_entitled_to_know_the_ally_before_she_announces_it():
    """Law 19: whom they called the player may know before they declare; who does not ask keeps the
    ally hidden."""
    deal = allied(ruleset())
    before = len(deal.events)
    assert view_of(deal, 0).ally is None
    deal = say(deal, "ask")
    assert [e.text() for e in deal.events[before:]] == ["A asks who the ally is", "B is the ally"]
    assert (deal.phase, deal.turn, said(deal), view_of(deal, 0).ally) == (
        "vole",
        0,
        ["no", "vole"],
        1,
    )
    assert (
        str(deal.refusal(parse_action("ask"))) == "Hombre knows the ally already (vole.ally_known)"
    )
    assert say(deal, "vole").vole == "announced"
    record = json.loads(json.dumps(to_record(run(deal))))
    assert record["actions"][6:8] == ["A ask", "A vole"]
    assert replay(deal.ruleset, record).divergence is None
    assert run(say(allied(ruleset()), "ask", "no"), until="vole").vole == "none", (
        "having asked, she need not"
    )


def test_who_does_not_announce_it_is_told_of_in_no_way_and_may_undertake_it_later():
    deal = allied(ruleset())
    before = len(deal.events)
    deal = run(say(deal, "no"), until="vole")
    assert not [
        e for e in deal.events[before:] if e.kind in ("vole", "no", "ally") and e.stage == "auction"
    ]
    assert deal.vole == "none"


def test_announced_it_raises_the_game_by_half_as_much_again_as_undertaken_and_missed_the_game_is_lost():
    rules = ruleset().rules
    played = run(say(allied(ruleset()), "vole")).result()
    assert played.vole == "announced"
    made = replace(played, tricks=(9, 1, 0, 0), premiers=True)
    missed = replace(played, tricks=(8, 1, 1, 0), premiers=True)
    assert impossible(rules, made) == impossible(rules, missed) == []
    assert [t.amount for t in settle(rules, made).transfers if "vole" in t.reason] == [3, 3, 3, 3]
    undertaken = replace(made, vole="undertaken")
    assert [t.amount for t in settle(rules, undertaken).transfers if "vole" in t.reason] == [
        2,
        2,
        2,
        2,
    ]
    assert settle(rules, missed).outcome == "remise"


def test_an_alliance_with_the_vole_announced_is_a_possible_result_only_where_it_may_be():
    deal = run(say(allied(ruleset()), "vole"))
    faults = impossible(ruleset(announced_vole_when="with_the_bid").rules, deal.result())
    assert [(p.variant, p.data["bid"]) for _, p in faults] == [
        ("vole-not-announced-with-bid", "Ask leave")
    ]


def test_it_is_recorded_and_replayed():
    deal = run(say(allied(ruleset()), "vole"))
    record = json.loads(json.dumps(to_record(deal)))
    assert record["actions"][6] == "A vole"
    assert replay(deal.ruleset, record).divergence is None


@pytest.mark.parametrize(
    ("hand", "announces"), [(TEN, True), ("SA S2 CA SK SQ SJ S7 S6 S5 H2", False)]
)
def test_steady_announces_it_when_every_card_is_sure_to_win(hand, announces):
    deal = sit(
        dealt(hand),
        **MADE,
        **{"bids.solo.vole_before_lead": True, "bids.solo.vole_with_bid": "none"},
    )
    deal = say(deal, "bid solo", "pass", "pass", "pass", "trump spades")
    assert said(deal) == ["no", "vole"]
    chosen = make_bot("steady").choose(view_of(deal, 0), deal.legal(), play_streams(1, 0, 0, 4)[0])
    assert str(chosen) == ("vole" if announces else "no")
