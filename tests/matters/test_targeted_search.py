"""Rare situations by targeted search: found where chance does not find them, the same every time,
and replayable."""

from pathlib import Path

import pytest
from quadrille_plugins.matters.dependence import ReachableState, reachable_states
from quadrille_plugins.matters.shrink import shrink
from quadrille_plugins.matters.situations import bid_of
from quadrille_plugins.matters.targeted_search import (
    KEEP,
    MADE,
    SESSIONS,
    DealSource,
    bids_of_interest,
    carry_out,
    targeted_search,
)
from quadrille_plugins.studies.lockstep import Couple
from support.data import of_yaml
from support.shrinking import parts
from support.situations import compiled

from quadrille_core.cards import PACK
from quadrille_core.engine.actions import BidSpec
from quadrille_core.engine.ranking import trumps
from quadrille_core.stream import Purpose, Stream

SEARCHED = of_yaml(Path(__file__).parents[1] / "data" / "targeted_search.yaml")


def pair_for(case):
    reference = case["rules"] + case.get("add", "")
    readings = case.get("with", [])
    return compiled(reference, *readings), compiled(
        reference, *readings, f"{case['point']}={case['rival']}"
    )


def couple(*pair):
    return Couple(pair[0].ruleset, pair[1].ruleset)


@pytest.mark.parametrize("case", SEARCHED, ids=[f"{c['point']}-{c['rival']}" for c in SEARCHED])
def test_what_chance_seldom_brings_is_found_and_made_plain(case):
    pair = pair_for(case)
    (found,) = targeted_search(couple(*pair), seed=1, limit=200, enough=1, strategies=[case["by"]])
    assert found.diverged == 1
    assert found.triggered >= 1
    assert found.tried <= 200
    example_deal = found.found[0]
    assert example_deal.divergence.first != example_deal.divergence.second
    if case["by"] == SESSIONS or found.where[0][0] == "next deal":
        return  # what parts is what comes after the deal
    assert parts(pair, example_deal.records)
    shrunk = shrink(pair, example_deal, most=150)
    assert parts(pair, shrunk.records)


def test_only_what_the_rules_name_is_bid_and_else_everything():
    named = pair_for({"rules": "mediateur-1752", "point": "nemo_loss", "rival": "by_tricks"})
    assert [a.bid for a in bids_of_interest(couple(*named))] == [BidSpec("nemo")]
    forced = pair_for({"rules": "quanti-1822", "point": "forced_order", "rival": "call_first"})
    assert bids_of_interest(couple(*forced)) == ()
    whole = pair_for({"rules": "quanti-1822", "point": "red_plain_ace", "rival": "top"})
    assert {a.bid.bid for a in bids_of_interest(couple(*whole))} == {"alliance", "solo", "vole"}
    assert bid_of("payments.in_favourite.vole_stake.announced.solo") == "solo"
    assert bid_of("bids.solo.call.fallback") == "solo"
    assert bid_of("stakes.unit") is None


def test_the_same_seed_gives_the_same_deals_and_another_gives_others():
    pair = couple(*pair_for({"rules": "quanti-1822", "point": "red_plain_ace", "rival": "top"}))
    one, again, other = (targeted_search(pair, seed=s, limit=12) for s in (3, 3, 4))
    assert one == again
    assert one != other
    assert [s.strategy for s in one] == [SESSIONS, *MADE]
    for searched in one:
        assert searched.tried == 12
        assert searched.triggered <= searched.tried
        assert sum(n for _, n in searched.where) == searched.triggered
        assert len(searched.found) == min(KEEP, searched.diverged)
        assert [t.weight for t in searched.found] == sorted(
            (t.weight for t in searched.found), reverse=True
        )
        if searched.strategy in MADE:
            assert searched.diverged == searched.triggered


def test_readings_that_differ_in_words_alone_diverge_nowhere():
    pair = couple(*pair_for({"rules": "quanti-1822", "point": "ponto", "rival": "black_king_too"}))
    for searched in targeted_search(pair, seed=1, limit=8):
        assert (searched.tried, searched.triggered, searched.diverged, searched.found) == (
            8,
            0,
            0,
            [],
        )


@pytest.mark.parametrize(
    ("point", "alternative"), [("unit_rounding", "up"), ("odd_counters", "pool")]
)
def test_no_state_is_made_up_that_no_session_comes_to(point, alternative):
    """Four stake a counter each and every loss multiplies the pool: it is always a multiple of
    four, and so divides."""
    pair = couple(*pair_for({"rules": "quanti-1822", "point": point, "rival": alternative}))
    known = reachable_states(pair)
    assert known[0] == ReachableState()
    assert len(known) > 10
    assert all(s.beyond % 4 == 0 for s in known)
    assert all(s.beyond > 0 for s in known if s.beasts)
    (found,) = targeted_search(pair, seed=1, limit=40, strategies=["standings"])
    assert found.triggered == 0


def test_states_have_what_the_rules_count():
    pair = couple(
        *pair_for(
            {
                "rules": "quadrille-laws",
                "add": "+multiplier",
                "point": "early_claim",
                "rival": "any_six",
            }
        )
    )
    assert {s.multiplier for s in reachable_states(pair)} >= {1, 2, 3}
    beasts = couple(*pair_for({"rules": "quanti-1822", "point": "beasts_wait", "rival": "wait"}))
    assert max(s.beasts for s in reachable_states(beasts)) >= 2


def test_a_strategy_stops_when_it_has_enough():
    pair = couple(*pair_for({"rules": "quanti-1822", "point": "red_plain_ace", "rival": "top"}))
    (few,) = targeted_search(pair, seed=1, limit=500, enough=2, strategies=["contracts"])
    assert few.diverged == 2
    assert few.tried < 50


@pytest.mark.parametrize(
    "reference", ["quanti-1822", "mediateur-1752", "quadrille-laws", "quintille"]
)
@pytest.mark.parametrize("strategy", MADE)
def test_whatever_is_made_is_a_deal_that_both_tables_can_play(reference, strategy):
    rules = compiled(reference).ruleset
    both = Couple(rules, rules)
    seats = rules.rules.table.players
    for number in range(6):
        cards, choices = (Stream(9, number, 0, purpose) for purpose in (Purpose.DEAL, Purpose.PLAY))
        plan = MADE[strategy][1](DealSource(both, cards, number))
        assert sorted(c for hand in plan.opening.hands for c in hand) == list(PACK)
        assert {len(hand) for hand in plan.opening.hands} == {40 // seats}
        assert len(plan.aims) in (0, seats)
        assert not plan.opening.beasts or plan.opening.beyond
        places, a, b = carry_out(both, plan, choices)
        assert places == []
        assert a.deal.over
        assert a.deal.events == b.deal.events
        if strategy == "matadors":
            held = [len(set(hand) & set(trumps(plan.trump)[:3])) for hand in plan.opening.hands]
            assert sorted(held)[-2:] == [1, 2]


def test_a_rule_is_triggered_more_often_by_deals_made_for_it_than_by_chance():
    """So how often says nothing of how often it would at a table."""
    pair = couple(
        *pair_for({"rules": "quanti-1822", "point": "undertaken_vole_lost", "rival": "units_too"})
    )
    by_chance, made = targeted_search(pair, seed=1, limit=60, strategies=[SESSIONS, "long-suit"])
    assert by_chance.triggered < made.triggered
    assert made.weight > 0
