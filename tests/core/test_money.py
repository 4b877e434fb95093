"""Counters that will not divide, and other irregular money, whatever the amounts."""

import json
from fractions import Fraction
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from quadrille_plugins.shell.main import run
from support import made_result, made_rules

from quadrille_core.cards import Suit
from quadrille_core.engine.amounts import share
from quadrille_core.engine.result import Result
from quadrille_core.engine.settle import settle
from quadrille_core.rules import OddCounters

HOWS = get_args(OddCounters)
PLAYERS = ("A", "B", "C", "D")
amounts = st.fractions(min_value=0, max_value=100, max_denominator=6)
seats = st.sampled_from([(0,), (2, 0), (1, 3), (1, 2, 3), (3, 0, 1, 2)])


@given(st.sampled_from(HOWS), seats, amounts)
def test_the_parts_and_what_is_left_are_the_whole(how, seats, amount):
    parts = share(lambda: how, seats, amount, hombre=2)
    assert sum(parts.of(seat) for seat in seats) + parts.left == amount
    assert 0 <= parts.left < len(seats)
    assert all(seat in seats and part > 0 for seat, part in parts.odd)


@given(st.sampled_from([h for h in HOWS if h != "exact"]), seats, st.integers(0, 1000))
def test_whole_counters_are_never_broken_unless_they_are_shared_exactly(how, seats, amount):
    parts = share(lambda: how, seats, Fraction(amount), hombre=2)
    assert all(parts.of(seat).denominator == 1 for seat in seats)


@given(st.sampled_from(HOWS), seats, st.integers(0, 100))
def test_what_divides_evenly_is_divided_evenly_whatever_the_rule(how, seats, each):
    parts = share(lambda: how, seats, Fraction(each * len(seats)), hombre=2)
    assert (parts.each, parts.odd, parts.left) == (each, (), 0)


@pytest.mark.parametrize("rounding", ["down", "up", "nearest"])
@pytest.mark.parametrize("odd", [h for h in HOWS if h != "exact"])
@pytest.mark.parametrize("contract", ["alliance", "casco", "solo", "mediateur"])
@pytest.mark.parametrize("tricks", [(6, 2, 0, 2), (5, 3, 0, 2), (2, 3, 3, 2)])
def test_with_a_rounded_unit_and_a_rule_for_odd_counters_every_payment_is_in_whole_counters(
    rounding, odd, contract, tricks
):
    rules = made_rules(
        **{
            "stakes.unit_rounding": rounding,
            "stakes.odd_counters": odd,
            "loss.codille_indivisible": "exact",
            "payments.matadors_four_in_black": True,
        }
    ).rules
    allied = rules.bids.of(contract).partner == "called"
    for pool in range(4, 30):
        result = Result(
            players=PLAYERS,
            pool=Fraction(pool),
            contract=contract,
            trump=Suit(1),
            favourite=Suit(1),
            hombre=0,
            ally=3 if allied else None,
            surrendered=3 if contract == "mediateur" else None,
            tricks=tricks,
            matadors=3,
        )
        settlement = settle(rules, result)
        assert settlement.transfers
        assert [t for t in settlement.transfers if t.amount.denominator != 1] == []
        assert settlement.pool_after.denominator == 1


def test_a_counter_that_will_not_divide_is_named_where_it_stays(capsys, tmp_path):
    """Two allies win a pool of five and take two each; at a remise of five they put two each."""
    file = tmp_path / "result.yaml"
    for tricks, pool, why in (
        ("{A: 4, C: 2, B: 4}", (5, 1), "half the pool taken: left in the pool"),
        ("{A: 4, C: 1, B: 5}", (5, 9), "remise times the pool, shared: not paid"),
    ):
        file.write_text(
            "rules: quanti-1822@parlett\nplayers: [A, B, C, D]\npool: 5\ncontract: "
            f"alliance\ntrump: clubs\nhombre: A\nally: C\ntricks: {tricks}\n"
        )
        args = ["settle", str(file), "--set", "bids.alliance.pool_penalty=as_borne"]
        assert run(args) == 0
        assert "Cannot be shared" not in capsys.readouterr().out
        args += ["--set", "stakes.odd_counters=pool"]
        assert run([*args, "--format", "json"]) == 0
        data = json.loads(capsys.readouterr().out)
        assert (data["pool"]["before"], data["pool"]["after"]) == pool
        (odd,) = data["undivided"]
        assert (odd["amount"], odd["rule"]) == (1, "stakes.odd_counters")
        assert odd["reason"].split(": ")[1] == why.split(": ")[1]
        assert run(args) == 0
        assert f"Cannot be shared evenly: 1, {odd['reason']}" in capsys.readouterr().out


@pytest.mark.parametrize("odd", HOWS)
def test_what_allies_halve_is_no_matter_of_odd_counters(odd):
    rules = made_rules(
        **{"payments.allies_paid": "once_and_halved", "stakes.odd_counters": odd}
    ).rules
    result = made_result(contract="mediateur", ally=1, tricks=(4, 3, 2, 1))
    paid = [t for t in settle(rules, result).transfers if t.rule == "payments.premium.mediateur"]
    assert [(t.source, t.target, t.amount) for t in paid] == [(2, 0, 1), (3, 1, 1)]
