"""Dependency traces: a deal that read none of the rules that differ need not be played, and nothing
found changes."""

from contextlib import suppress
from dataclasses import replace
from functools import cache

import pytest
from quadrille_plugins.deal.players import make_bot
from quadrille_plugins.deal.session import play_session
from quadrille_plugins.matters import dependence as state
from quadrille_plugins.matters import targeted_search as searching
from quadrille_plugins.matters.alternatives import alternatives_of
from quadrille_plugins.matters.dependence import Traces
from quadrille_plugins.matters.situations import reach, walk_alone, walked
from quadrille_plugins.matters.targeted_search import (
    MADE,
    SESSIONS,
    DealSource,
    choice,
    targeted_search,
)
from quadrille_plugins.settle.consulted import touches, trace
from quadrille_plugins.studies.lockstep import Couple, alone, along, purses, side_by_side
from support.situations import compiled

from quadrille_core.errors import ProfileError
from quadrille_core.resources import shipped_profiles
from quadrille_core.rules import RuleSet
from quadrille_core.ruleset import compile_reference

BASE = "quanti-1822"
POINTS = ("unit_rounding", "among_several", "own_king_premium", "vole_consultation", "purse_empty")


@cache
def couples(*points):
    base, found = alternatives_of(BASE, {}, {})
    chosen = [r for r in found if r.compiled is not None and (not points or r.point in points)]
    return {f"{r.point}={r.reading}": Couple(base.ruleset, r.compiled.ruleset) for r in chosen}


def stood_in(ruleset):
    rules, notes = trace(ruleset.rules)
    return RuleSet(identity=ruleset.identity, rules=rules), notes


def tricks():
    """One rule set of every shipped game of tricks that is played."""
    for name in shipped_profiles():
        with suppress(ProfileError):  # an abstract profile is not played
            if (found := compile_reference(name)).kind == "tricks":
                yield found.ruleset


@pytest.mark.parametrize("ruleset", list(tricks()), ids=lambda r: r.identity.profile)
def test_a_deal_played_alone_reads_all_that_two_tables_side_by_side_read(ruleset):
    """Deals made by every strategy, and deals of a session with what becomes of purses."""
    couple = Couple(ruleset, ruleset)
    for number, strategy in enumerate([*MADE] * 2):
        plan = MADE[strategy][1](
            DealSource(couple, searching.streams(strategy, 1, number)[0], number)
        )
        one, mine = stood_in(ruleset)
        choices = searching.streams(strategy, 1, number)[1]
        alone(one, plan.opening, lambda deal, p=plan, s=choices: choice(p, deal, s))
        both, theirs = stood_in(ruleset)
        again = searching.streams(strategy, 1, number)[1]
        side_by_side(
            Couple(both, both), plan.opening, lambda deal, p=plan, s=again: choice(p, deal, s)
        )
        assert mine == theirs
    bots = [make_bot("random")] * ruleset.rules.table.players
    for played in play_session(ruleset, bots, seed=1, session=0, deals=4):
        one, mine = stood_in(ruleset)
        walk_alone(one, played)
        both, theirs = stood_in(ruleset)
        walk = walked(Couple(both, both), played)
        purses(Couple(both, both), played)
        assert walk.over
        assert mine == theirs


@pytest.mark.slow
@pytest.mark.parametrize("point", POINTS)
def test_what_is_found_is_the_same_with_traces_and_without(point):
    """Every strategy, each by itself to its limit; and at least one deal is left out by them in
    all."""
    for couple in couples(point).values():
        traces = Traces(compiled(BASE).ruleset)
        for enough in (None, 2):
            asked = {"seed": 3, "limit": 8, "enough": enough, "strategies": [SESSIONS, *MADE]}
            assert targeted_search(couple, **asked, traces=traces) == targeted_search(
                couple, **asked
            )


def test_traces_made_for_one_alternative_serve_another(monkeypatch):
    """The same deals are not traced again, and those unaffected are not played."""
    found = couples("unit_rounding", "odd_counters")
    first, second = found["unit_rounding=up"], found["odd_counters=pool"]
    traces, played = Traces(first.first), []
    carry_out = searching.carry_out
    monkeypatch.setattr(searching, "carry_out", lambda *a: played.append(a) or carry_out(*a))
    targeted_search(first, seed=1, limit=5, strategies=["kings"], traces=traces)
    known = len(traces._read)
    targeted_search(second, seed=1, limit=5, strategies=["kings"], traces=traces)
    assert (known, len(traces._read), played) == (5, 5, [])
    targeted_search(second, seed=1, limit=5, strategies=["kings"])
    assert len(played) == 5


def test_a_deal_is_unaffected_only_where_two_tables_agree_throughout():
    """Every rival of a rule set against deals as they come: none that is called unaffected reaches
    the situation."""
    found = couples()
    base = next(iter(found.values())).first
    deals = list(play_session(base, [make_bot("random")] * 4, seed=2, session=0, deals=6))
    traces, tally = Traces(base), [0, 0]
    for number, played in enumerate(deals):
        traces.run(number, lambda r, p=played: walk_alone(r, p))
    for couple in found.values():
        unaffected = traces.unaffected_by(couple)
        for number, played in enumerate(deals):
            tally[unaffected(number)] += 1
            if unaffected(number):
                assert not reach(couple, played)
    assert min(tally) > 50


def test_a_bid_that_comes_and_goes_affects_whoever_asked_which_bids_there_are():
    """Its own leaves nobody can have read who plays without it."""
    couple = couples("ladder")["ladder=with_mediateur_and_casco"]
    traces = Traces(couple.first)
    deal = next(
        iter(play_session(couple.first, [make_bot("random")] * 4, seed=2, session=0, deals=1))
    )
    traces.run("played", lambda r: walk_alone(r, deal))
    traces.run("unasked", lambda r: r.rules.stakes.ante)
    unaffected = traces.unaffected_by(couple)
    assert (unaffected("played"), unaffected("unasked")) == (False, True)


def test_blocks_that_are_handed_out_whole_count_as_read():
    """Their rows stay the rules' own, whose tables the engine has."""
    rules = compiled(BASE).ruleset.rules
    stand_in, notes = trace(rules, whole=("cards",))
    assert stand_in.cards is rules.cards
    assert touches(notes, "cards.red_plain_ace")
    assert not touches(notes, "stakes.unit")


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_states_are_those_of_sessions_played_under_either(part):
    """They are told once more by playing every deal under each rule set: for every ninth
    alternative."""
    asked = [couple for i, couple in enumerate(couples().values()) if i % 9 == 0][part::4]
    assert asked
    for couple in asked:
        plain = set()
        for ruleset in couple.sets:
            steps = state.sessions_of(lambda s, n, c, r=ruleset: state.step_of(r, s, n, c))
            plain |= {one for one, _ in steps.values()}
        assert set(state.reachable_states(couple)) == plain | {state.ReachableState()}
        assert state.reachable_states(couple)[0] == state.ReachableState()


@pytest.mark.slow
def test_a_script_that_ends_early_is_followed_as_far_as_it_goes():
    """So that whatever can be walked can be traced."""
    couple = couples("unit_rounding")["unit_rounding=up"]
    played = next(
        iter(play_session(couple.first, [make_bot("random")] * 4, seed=5, session=1, deals=1))
    )
    actions = [a for _, a in played.deal.actions]
    opening = walked(couple, played).opening
    one, mine = stood_in(couple.first)
    alone(one, opening, along(actions[:3]))
    both, theirs = stood_in(couple.first)
    side_by_side(Couple(both, both), replace(opening), along(actions[:3]))
    assert mine == theirs
