"""Settlements worked by hand without the program: it comes to the same sums, or a case says why it
does not."""

from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
from quadrille_plugins.settle.result_file import read_result
from support.data import of_yaml

from quadrille_core.engine.settle import settle
from quadrille_core.errors import ResultError
from quadrille_core.rules import Rules
from quadrille_core.ruleset import compile_reference

WORKED = of_yaml(Path(__file__).parents[1] / "data" / "worked_by_hand.yaml")["cases"]
KINDS = {"reading", "filling", "not_encoded"}


@cache
def rules_of(name: str, readings: tuple[tuple[str, str], ...]) -> Rules:
    """The rules by their name and readings, read once."""
    return compile_reference(name, readings=dict(readings)).ruleset.rules


def settled(case):
    """What the program makes of a case; raises ResultError where it refuses it."""
    rules = rules_of(case["rules"], tuple(case.get("readings", {}).items()))
    data = {"players": list("ABCDE")[: rules.table.players], "pool": case["P"]} | case["result"]
    return settle(rules, read_result(data, rules))


@pytest.mark.parametrize("case", WORKED, ids=[c["id"] for c in WORKED])
def test_the_program_comes_to_the_sum_of_the_hand_or_to_the_one_that_is_explained(case):
    if "refused" in case:
        with pytest.raises(ResultError) as refused:
            settled(case)
        assert [p.code for p in refused.value.problems] == [case["refused"]]
        return
    found = settled(case)
    expected = case.get("differs", case["net"])
    assert [Fraction(x) for x in found.net] == [Fraction(x) for x in expected], case["why"]
    if "differs" not in case:
        assert found.outcome == case["outcome"]
        assert found.pool_after + sum(case.get("waiting", [])) == case["after"]


@pytest.mark.parametrize("case", WORKED, ids=[c["id"] for c in WORKED])
def test_every_sum_rests_on_facts_and_adds_up(case):
    """A case names its facts and its arithmetic; a difference is real, of a known kind, and says
    why."""
    assert case["facts"]
    assert case["why"].strip()
    other = [key for key in ("differs", "refused") if key in case]
    assert len(other) <= 1
    assert ("kind" in case) == ("settled" in case) == bool(other)
    if other:
        assert case["kind"] in KINDS
        assert any(f"W{n}." in case["settled"] for n in (1, 2, 4))
        assert case.get("differs") != case["net"]
    there = case["P"] + sum(case.get("waiting", [])) + case.get("fund", 0)
    assert sum(case["net"]) + case["after"] == there


def test_most_sums_agree_and_none_was_left_out():
    assert len({c["id"] for c in WORKED}) == 131
    assert sum("settled" not in c for c in WORKED) >= 60
