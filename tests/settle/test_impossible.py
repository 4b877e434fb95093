"""Results that cannot have happened: every fault at once, each where it stands and with how to mend
it.

The cases lie in ``data/impossible.yaml``: what is changed of a plain solo, which rules are changed,
and every fault.
"""

from fractions import Fraction
from pathlib import Path
from typing import Any, get_args

import pytest
from quadrille_plugins.settle.possible import impossible, vole_levels
from support import made_result, made_rules, made_values
from support.data import of_yaml

from quadrille_core import resources, vocabulary
from quadrille_core.cards import NO_TRUMP, Suit, parse_suit
from quadrille_core.engine.deal import names
from quadrille_core.engine.result import Result
from quadrille_core.errors import DidYouMean, Problem
from quadrille_core.kinds import TRICKS
from quadrille_core.profile import load_profile
from quadrille_core.rules import Rules, VoleLevel
from quadrille_core.ruleset import compile_reference

CASES = of_yaml(Path(__file__).parents[1] / "data" / "impossible.yaml")


def changed(plain: dict[str, Any]) -> dict[str, Any]:
    """The fields of a Result, from their spelling in the file."""
    suits = {
        k: NO_TRUMP if plain[k] == "none" else parse_suit(plain[k])
        for k in ("trump", "favourite")
        if plain.get(k)
    }
    return {k: tuple(v) if isinstance(v, list) else v for k, v in plain.items()} | suits


def rules_of(case: dict[str, Any]) -> Rules:
    """The made rules with the case's changes, and without the leaves whose paths begin as it
    says."""
    without = case.get("without", "nothing")
    values = made_values(**case.get("rules", {}))
    return vocabulary.build(
        {path: value for path, value in values.items() if not path.startswith(without)}
    )


def faults_of(case: dict[str, Any]) -> list[tuple[str, Problem]]:
    """What is wrong with the case's result, each fault after its key."""
    return impossible(rules_of(case), made_result(**changed(case.get("result", {}))))


@pytest.mark.parametrize("case", CASES, ids=[c["name"] for c in CASES])
def test_every_fault_of_a_result_is_told_where_it_stands_and_how_to_mend_it(
    case: dict[str, Any],
) -> None:
    told = [{key: p.message} | ({"help": p.help} if p.help else {}) for key, p in faults_of(case)]
    assert told == case["faults"]
    assert all(p.code == "Q701" for _, p in faults_of(case))


def test_a_contract_that_is_nearly_one_leads_to_it() -> None:
    ((key, problem),) = impossible(made_rules().rules, made_result(contract="forced_spadile"))
    assert key == "contract"
    assert problem.hint == DidYouMean("forced_spadile", ("forced-spadille",))


def played_profiles() -> list[str]:
    """The shipped profiles of games of tricks."""
    compiled = (
        (name, load_profile(path, validate=False))
        for name, path in resources.shipped_profiles().items()
    )
    return [
        name
        for name, doc in compiled
        if not doc.abstract and compile_reference(name).kind == TRICKS
    ]


@pytest.mark.parametrize("name", played_profiles())
def test_the_vole_may_be_played_for_in_the_ways_that_are_offered_and_in_no_other(name: str) -> None:
    """Of each bid of a rule set: a way that is offered is no fault of the bid, and any other is
    one."""
    rules = compile_reference(name).ruleset.rules
    hand = rules.table.hand_cards
    for contract, bid in rules.bids.items():
        offered = vole_levels(rules, bid)
        for level in get_args(VoleLevel):
            result = Result(
                players=names(rules.table.players),
                pool=Fraction(4),
                contract=contract,
                trump=Suit(1) if bid.trump == "suit" else NO_TRUMP,
                hombre=0,
                tricks=(hand, *[0] * (rules.table.players - 1)),
                premiers=True,
                vole=level,
            )
            faults = [p for key, p in impossible(rules, result) if key == "vole"]
            # to play for none is not told where the bid itself announces one
            assert (level in offered) == (not faults) or (level == "none" and bid.is_vole), (
                contract,
                level,
                faults,
            )
