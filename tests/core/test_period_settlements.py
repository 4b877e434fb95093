"""Settlements of the Académie's games worked by hand from its pages, and its beasts as they follow
one another."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from quadrille_plugins.settle.possible import impossible
from quadrille_plugins.settle.result_file import read_result
from support.data import of_yaml

from quadrille_core.engine.carry import START, carried, staked
from quadrille_core.engine.result import Settlement
from quadrille_core.engine.settle import settle
from quadrille_core.rules import Rules
from quadrille_core.ruleset import compile_reference

DATA = of_yaml(Path(__file__).parents[1] / "data" / "period_worked.yaml")
CASES = [(ref, case) for ref in DATA if ref != "series" for case in DATA[ref]]
TRICKS = {"won": (4, 2), "remise": (4, 1), "codille": (3, 1)}


def settled(rules: Rules, case: dict[str, Any], pool: Any) -> Settlement:
    """What a case is settled at: Hombre is the first player, the friend, unless they play alone,
    the third."""
    names = "ABCDE"[: rules.table.players]
    raw = {
        "players": list(names),
        "pool": str(pool),
        "contract": case["game"],
        "hombre": "A",
        "trump": "spades",
    }
    raw["tricks"] = {name: n for name, n in zip(names, case["tricks"], strict=True) if n}
    if case["game"] != "solo" and not case.get("alone"):
        raw["ally"] = "C"
    result = read_result(raw | {k: case[k] for k in ("matadors", "vole") if k in case}, rules)
    assert impossible(rules, result) == []
    return settle(rules, result)


@pytest.mark.parametrize(
    ("ref", "case"), CASES, ids=[f"{ref}-{c['fact']}-{c['says']}" for ref, c in CASES]
)
def test_a_settlement_of_the_academie_is_as_worked_by_hand(ref, case):
    """Every player's balance and the pool are those of the arithmetic in the file."""
    rules = compile_reference(ref, readings=case.get("readings")).ruleset.rules
    made = settled(rules, case, case["P"])
    assert list(made.net) == case["net"], case["why"]
    assert made.pool_after == case["pool"]


@pytest.mark.parametrize("case", DATA["series"], ids=[c["says"] for c in DATA["series"]])
def test_beasts_follow_one_another_as_printed(case):
    """The printed figures of beasts follow from their size, what is at stake, and from their
    waiting apart."""
    rules = compile_reference(case["rules"]).ruleset.rules
    carry, stakes, beasts = START, [], []
    for end in case["ends"]:
        own, friend = TRICKS[end]
        if rules.table.players == 5:
            own -= 1
        rest = rules.table.hand_cards - own - friend
        tricks = [own, rest, friend, *[0] * (rules.table.players - 3)]
        pool = staked(rules, carry)
        made = settled(rules, {"game": "alliance", "tricks": tricks}, pool)
        assert made.outcome == end
        stakes.append(pool)
        beasts.append(made.beast)
        carry = carried(rules, carry, made)
    assert (stakes, beasts) == (
        [Fraction(n) for n in case["stakes"]],
        [Fraction(n) for n in case["beasts"]],
    )
