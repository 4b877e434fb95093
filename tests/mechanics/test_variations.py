"""Variations of the game settled by hand: ``data/variations.yaml``, each case named as the rule it
works out."""

import json
from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from quadrille_plugins.settle.result_file import account_name, read_result
from support import made_result, made_rules
from support.data import of_yaml
from support.settling import results, settled_values

from quadrille_core import vocabulary
from quadrille_core.engine.result import POOL, SCORE, VOLE_POOL
from quadrille_core.engine.settle import settle
from quadrille_core.errors import ProfileError, ResultError
from quadrille_core.rules import Rules
from quadrille_core.ruleset import compile_reference

CASES = of_yaml(Path(__file__).parents[1] / "data" / "variations.yaml")["cases"]
PLAYERS = ("A", "B", "C", "D")


@cache
def _rules(reference: str, settings: str) -> Rules:
    return compile_reference(reference, settings=json.loads(settings)).ruleset.rules


def rules_of(case: dict[str, Any]) -> Rules:
    return _rules(case["rules"], json.dumps(case.get("set", {})))


@pytest.mark.parametrize("case", CASES, ids=lambda c: c["name"])
def test_variation(case):
    rules = rules_of(case)
    settlement = settle(rules, read_result({"players": list(PLAYERS), **case["result"]}, rules))
    assert settlement.outcome == case["outcome"]
    assert settlement.vole == case.get("vole", "none")
    assert list(settlement.net) == [Fraction(n) for n in case["net"]]
    assert settlement.pool_after == Fraction(case["pool_after"])
    if "transfers" in case:
        assert [
            f"{account_name(t.source, PLAYERS)} {account_name(t.target, PLAYERS)} {t.amount} "
            f"{t.reason} {t.rule}"
            for t in settlement.transfers
        ] == case["transfers"]
    if "lapsed" in case:
        assert [f"{x.item} {x.amount} {x.reason} {x.rule}" for x in settlement.lapsed] == case[
            "lapsed"
        ]
    accounts: dict[int, Fraction] = defaultdict(Fraction)
    for t in settlement.transfers:
        assert t.amount > 0
        assert vocabulary.pattern_of(t.rule), f"{t.rule} is no rule"
        accounts[t.source] -= t.amount
        accounts[t.target] += t.amount
    assert accounts[VOLE_POOL] == 0
    assert accounts[POOL] == settlement.pool_after - settlement.pool_before
    assert accounts[SCORE] == case.get("score", 0)
    assert sum(settlement.net) + accounts[POOL] + accounts[SCORE] == 0


def test_the_cases_have_names_of_their_own():
    assert len({c["name"] for c in CASES}) == len(CASES)


WON = {
    "players": list(PLAYERS),
    "contract": "solo",
    "trump": "hearts",
    "hombre": "A",
    "tricks": {"A": 6, "B": 4},
}


@pytest.mark.parametrize("times", [0, -1, 1001, 10**30, True, "2", "1/2", 2.0])
def test_a_deal_counts_a_whole_number_of_times_within_bounds(times):
    rules = _rules("quadrille-laws", json.dumps({"multiplier.after_losses": "counted"}))
    with pytest.raises(ResultError) as refused:
        read_result(WON | {"pool": 4, "multiplier": times}, rules)
    assert [p.code for p in refused.value.problems] in (["Q203"], ["Q205"])


def test_no_game_counts_double_where_losses_are_not_counted():
    rules = _rules("quadrille-laws", "{}")
    with pytest.raises(ResultError, match="no game counts more than once"):
        read_result(WON | {"pool": 4, "multiplier": 2}, rules)
    assert read_result(WON | {"pool": 4, "multiplier": 1}, rules).multiplier == 1


COUNTING = st.fixed_dictionaries(
    {
        path: st.sampled_from(vocabulary.leaf_at(path).choices())
        for path in (
            "multiplier.after_losses",
            "multiplier.loss_adds",
            "multiplier.stake",
            "favourite.doubles",
        )
    }
)


@settings(deadline=None)
@given(settled_values(), COUNTING, st.booleans(), results(), st.integers(1, 9))
def test_however_often_a_game_counts_and_in_what_nothing_is_made_or_lost(
    overrides, counting, points, result, times
):
    kept = {"score.kept": "points" if points else "counters"}
    settlement = settle(
        made_rules(**overrides, **counting, **kept).rules, replace(result, multiplier=times)
    )
    accounts: dict[int, Fraction] = defaultdict(Fraction)
    for t in settlement.transfers:
        assert t.amount > 0
        assert t.source != t.target
        accounts[t.source] -= t.amount
        accounts[t.target] += t.amount
    assert not sum(accounts.values())
    assert accounts[VOLE_POOL] == 0
    assert tuple(accounts[seat] for seat in range(4)) == settlement.net
    assert settlement.pool_before + accounts[POOL] == settlement.pool_after >= 0
    if points:
        assert accounts[POOL] == 0
        assert not any(settlement.net[s] for s in result.adversaries())
    else:
        assert SCORE not in accounts


@settings(deadline=None)
@given(settled_values(), results(), st.integers(2, 9))
def test_between_players_a_game_that_counts_several_times_is_the_same_game_several_times(
    overrides, result, times
):
    """Of what passes between players and the vole's pool; what the pool itself gives and gets stays
    single.

    What allies halve is counted first and halved after, so that it is their purses together that
    get so many times.
    """
    rules = made_rules(
        **overrides | {"stakes.odd_counters": "exact", "multiplier.stake": "single"}
    ).rules
    once, often = (settle(rules, r).transfers for r in (result, replace(result, multiplier=times)))
    if rules.payments.allies_paid == "once_and_halved":
        single, several = (_one_purse(transfers, result.side()) for transfers in (once, often))
        assert list(single) == list(several)
        pairs = [(key, single[key], several[key]) for key in single]
    else:
        pairs = []
        for t, u in zip(once, often, strict=True):
            assert (t.source, t.target, t.rule) == (u.source, u.target, u.rule)
            pairs.append(((t.source, t.target, t.rule), t.amount, u.amount))
    for (source, target, _), amount, counted in pairs:
        assert counted == (amount if POOL in (source, target) else times * amount)


def _one_purse(transfers, side):
    """What passes by each rule between every adversary, every pool and the side as a whole."""
    sums = defaultdict(Fraction)
    for t in transfers:
        source, target = (
            "side" if account in side else account for account in (t.source, t.target)
        )
        sums[source, target, t.rule] += t.amount
    return sums


@pytest.mark.parametrize(
    ("times", "hombre", "ally"), [(1, "1/2", "1/2"), (2, 1, 1), (3, "3/2", "3/2")]
)
def test_what_allies_halve_is_counted_first_and_halved_after(times, hombre, ally):
    """A premium of half a counter from each of two: doubled it is whole, and a whole counter is not
    broken."""
    rules = made_rules(**{"payments.allies_paid": "once_and_halved", "stakes.unit": "1/8"}).rules
    result = made_result(contract="mediateur", ally=1, tricks=(4, 3, 2, 1), multiplier=times)
    paid = [t for t in settle(rules, result).transfers if t.rule == "payments.premium.mediateur"]
    whole = times == 2
    assert [(t.source, t.target, t.amount) for t in paid] == (
        [(2, 0, 1), (3, 1, 1)]
        if whole
        else [(s, t, Fraction(times, 4)) for s in (2, 3) for t in (0, 1)]
    )
    assert sum(t.amount for t in paid if t.target == 0) == Fraction(hombre)
    assert sum(t.amount for t in paid if t.target == 1) == Fraction(ally)


@pytest.mark.parametrize("plugin", [True, False])
def test_a_row_in_favourite_in_a_file_does_what_set_does(plugin, tmp_path):
    """The plugin doubles what the table does not state; without it what is wanting stands at the
    line of the file."""
    file = tmp_path / "ours.yaml"
    file.write_text(
        "kind: profile\nid: ours\ntitle: Ours\nextends: quanti-1822\n"
        + "plugins: [{plugin: favourite}]\n" * plugin
        + "rules:\n  payments: {in_favourite: {premiers: 1}}\n"
    )
    if plugin:
        ours = compile_reference(str(file)).ruleset.rules
        by_hand = {"payments.in_favourite.premiers": 1}
        assert ours == compile_reference("quanti-1822+favourite", settings=by_hand).ruleset.rules
        assert ours.payments.in_favourite.matadors.three == 2 * ours.payments.matadors.three
    else:
        with pytest.raises(ProfileError) as caught:
            compile_reference(str(file))
        places = {(p.code, p.place.path, p.place.line) for p in caught.value.problems}
        assert places == {("Q601", str(file), 6)}
