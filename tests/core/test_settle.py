"""Settlements worked by hand, every leaf of settlement shown to matter, and what never changes."""

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from quadrille_plugins.settle.consulted import with_leaves
from quadrille_plugins.settle.result_file import (
    account_name,
    read_result,
    result_to_plain,
    rules_named,
    settlement_to_json,
)
from support import PLAYERS, made_result, made_rules
from support.data import cases
from support.settling import DATA, SETTLED, overrides_of, results, settled_values, values_of

from quadrille_core import vocabulary
from quadrille_core.cards import Suit
from quadrille_core.engine.amounts import basic_stake, unit_of
from quadrille_core.engine.result import FUND, POOL, SCORE, VOLE_POOL, Result, Settlement
from quadrille_core.engine.settle import settle
from quadrille_core.engine.terms import in_points
from quadrille_core.errors import Place, ResultError
from quadrille_core.rules import PayItem, Rules


def rules_of(case: dict[str, Any]) -> Rules:
    return vocabulary.build(values_of(case))


def result_of(case: dict[str, Any], rules: Rules) -> Result:
    plain = {"players": list(PLAYERS), **case["result"]}
    if not case.get("unchecked"):
        return read_result(plain, rules)
    further = {
        "payments.matadors_four_in_black": True,
        "payments.matadors_past_four": "as_the_fourth",
    }
    return read_result(plain, made_rules(**overrides_of(case) | further).rules)


def spelled(settlement: Settlement) -> list[str]:
    return [
        f"{account_name(t.source, PLAYERS)} {account_name(t.target, PLAYERS)} {t.amount} "
        f"{t.reason} {t.rule}"
        for t in settlement.transfers
    ]


@pytest.mark.parametrize("case", DATA["cases"], ids=lambda c: c["name"])
def test_settlement(case: dict[str, Any]) -> None:
    rules = rules_of(case)
    settlement = settle(rules, result_of(case, rules))
    assert settlement.outcome == case["outcome"]
    assert settlement.vole == case.get("vole", "none")
    assert list(settlement.net) == [Fraction(n) for n in case["net"]]
    assert settlement.pool_after == Fraction(case["pool_after"])
    if "transfers" in case:
        assert spelled(settlement) == case["transfers"]
    if "lapsed" in case:
        assert [f"{x.item} {x.amount} {x.reason} {x.rule}" for x in settlement.lapsed] == case[
            "lapsed"
        ]
    if "undivided" in case:
        assert [f"{left} {why}" for left, why, _ in settlement.undivided] == case["undivided"]
    if "leaves" in case:
        left = {
            "frozen": settlement.frozen,
            "beast": settlement.beast,
            "pool_taken": settlement.pool_taken,
        }
        assert left == {k: Fraction(v) if k == "beast" else v for k, v in case["leaves"].items()}
    assert_conserved(rules, settlement)
    for transfer in settlement.transfers:
        assert vocabulary.pattern_of(transfer.rule), f"{transfer.rule} is no rule"


def assert_conserved(rules: Rules, settlement: Settlement) -> None:
    """Every counter comes from somewhere: a fund gives what its rules say and points are written
    only for points."""
    accounts: dict[int, Fraction] = defaultdict(Fraction)
    for t in settlement.transfers:
        assert t.amount > 0
        accounts[t.source] -= t.amount
        accounts[t.target] += t.amount
    assert accounts[VOLE_POOL] == 0
    assert settlement.pool_before + accounts[POOL] == settlement.pool_after
    assert settlement.pool_after >= 0
    assert tuple(accounts[seat] for seat in range(4)) == settlement.net
    assert accounts.keys() <= {*range(4), POOL, VOLE_POOL, SCORE if in_points(rules) else FUND}
    assert accounts[FUND] == -sum(t.amount for t in settlement.transfers if ".fund_" in t.rule)
    assert (
        sum(settlement.net) + settlement.pool_after + accounts[FUND] + accounts[SCORE]
        == settlement.pool_before
    )


def test_a_vole_on_which_the_rules_set_no_price_costs_nothing() -> None:
    for kept in ("counters", "points"):
        rules = made_rules(**{"score.kept": kept, "vole.announced_failed_premium": True}).rules
        for tricks in ((10, 0, 0, 0), (6, 4, 0, 0)):
            result = made_result(contract="alliance", ally=2, tricks=tricks, vole="announced")
            assert [t for t in settle(rules, result).transfers if "vole" in t.rule] == []


# --- every leaf matters ----------------------------------------------------------------------


def alternatives(pattern: str, value: Any) -> list[Any]:
    leaf = vocabulary.leaves()[pattern]
    if leaf.choices():
        return [c for c in leaf.choices() if c != value]
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, list):
        words = get_args(get_args(leaf.type)[0])
        return [[i for i in value if i != item] for item in value] + [
            [*value, item] for item in words if item not in value
        ]
    if isinstance(value, int) and pattern != "stakes.unit":
        return [v for v in (value + 1, value - 1) if v >= (leaf.low or 0) and v <= (leaf.high or v)]
    return [1, "1/2"] if value != 1 else [2]


def flips() -> dict[tuple[str, str], bool]:
    """Each (leaf, other value), and whether it changes some case's settlement."""
    decisive: dict[tuple[str, str], bool] = {}
    for case in DATA["cases"]:
        rules = rules_of(case)
        result = result_of(case, rules)
        before = settle(rules, result)
        complete = vocabulary.dump(rules)
        for path, value in complete.items():
            pattern = vocabulary.pattern_of(path)
            if pattern not in SETTLED or (
                "*" in pattern and result.contract not in path.split(".")
            ):
                continue
            for other in alternatives(pattern, value):
                key = (pattern, str(other) if vocabulary.leaves()[pattern].choices() else "other")
                if not decisive.get(key):
                    changed = with_leaves(
                        rules, {path: vocabulary.to_typed(vocabulary.leaf_at(path), other)}
                    )
                    decisive[key] = settle(changed, result) != before
    return decisive


def test_every_leaf_of_settlement_and_every_word_it_can_take_is_decisive_in_some_case() -> None:
    decisive = flips()
    assert {pattern for pattern, _ in decisive} == set(SETTLED)
    assert [f"{pattern}: {word}" for (pattern, word), seen in decisive.items() if not seen] == []


@pytest.mark.parametrize("item", get_args(PayItem))
@pytest.mark.parametrize("outcome", ["remise", "codille"])
def test_every_item_of_a_loss_is_paid_when_it_is_listed_and_only_then(
    outcome: str, item: str
) -> None:
    result = Result(
        players=PLAYERS,
        pool=Fraction(12),
        contract="solo",
        trump=Suit(2),
        hombre=0,
        # Ten tricks are the goal here, so that a lost game can have had premiers.
        tricks=(9 if outcome == "remise" else 8, 0, 1, 0 if outcome == "remise" else 1),
        matadors=3,
        premiers=True,
        vole="none",
    )
    if item == "vole":
        result = made_result(
            tricks=(5, 5, 0, 0) if outcome == "remise" else (3, 7, 0, 0), vole="announced", pool=12
        )
    if item == "allied":
        tricks = (4, 3, 1, 2) if outcome == "remise" else (3, 4, 1, 2)
        result = made_result(contract="alliance", ally=2, tricks=tricks, pool=12)
    base = {
        "bids.solo.tricks": 10 if item != "vole" else 6,
        "vole.announced_below_game": "by_tricks",
        "payments.vole_premium.announced.solo": 1,
        "payments.game": 1,
        "payments.consolation": 1,
        "payments.allied": 1,
    }
    listed = settle(made_rules(**base | {f"loss.{outcome}_pays": [item]}).rules, result)
    silent = settle(made_rules(**base | {f"loss.{outcome}_pays": []}).rules, result)
    assert listed.outcome == silent.outcome == outcome
    assert len(listed.transfers) == len(silent.transfers) + (2 if item == "allied" else 3)


# --- whatever the rules ------------------------------------------------------------------------


@given(settled_values(), results())
def test_no_counter_is_made_or_lost_whatever_the_rules_and_the_vole_pool_empties(
    overrides: dict[str, Any], result: Result
) -> None:
    rules = made_rules(**overrides).rules
    settlement = settle(rules, result)
    assert_conserved(rules, settlement)
    assert settlement.outcome in ("won", "remise", "codille")
    assert all(vocabulary.pattern_of(paid.rule) for paid in settlement.transfers)


@given(results(), st.fractions(min_value=0, max_value=100))
def test_a_rounded_unit_is_whole_and_within_one_counter_of_the_exact_one(
    result: Result, share: Fraction
) -> None:
    text = f"{share.numerator % 100}/{share.denominator}" if share.denominator < 10**17 else "1/3"
    exact = unit_of(made_rules(**{"stakes.unit": text}).rules.stakes, result.pool)
    sizes = {}
    for how in ("down", "nearest", "up"):
        sizes[how] = unit_of(
            made_rules(**{"stakes.unit": text, "stakes.unit_rounding": how}).rules.stakes,
            result.pool,
        )
        assert sizes[how].denominator == 1
        assert abs(sizes[how] - exact) < 1
    assert sizes["down"] <= sizes["nearest"] <= sizes["up"]


def test_a_basic_stake_is_what_one_deal_s_antes_come_to() -> None:
    assert basic_stake(made_rules(**{"stakes.ante": 3}).rules.stakes, 4) == 12
    assert (
        basic_stake(made_rules(**{"stakes.ante": 3, "stakes.ante_by": "dealer"}).rules.stakes, 4)
        == 3
    )


# --- the settle input ----------------------------------------------------------------------------

EXAMPLE: dict[str, Any] = {
    "rules": "made@witness",
    "readings": {},
    "players": ["A", "B", "C", "D"],
    "pool": 12,
    "contract": "solo",
    "trump": "hearts",
    "favourite": "hearts",
    "hombre": "A",
    "tricks": {"A": 6, "B": 2, "D": 2},
    "matadors": 3,
    "premiers": True,
    "vole": "none",
    "claims": [],
}


def at_path(path: Sequence[str | int], *, key: bool = False) -> Place:
    """A place that says which path it is, ending in a colon where the key is at fault."""
    return Place(".".join(map(str, path)) + ":" * key, 1, 1)


def faults(plain: Any, **overrides: Any) -> dict[str, list[str]]:
    with pytest.raises(ResultError) as caught:
        read_result(plain, made_rules(**overrides).rules, place=at_path)
    told: dict[str, list[str]] = defaultdict(list)
    for problem in caught.value.problems:
        assert problem.place is not None
        told[problem.place.path].append(f"{problem.code} {problem.message}")
    return told


def test_the_promised_input_is_read() -> None:
    result = read_result(EXAMPLE, made_rules().rules)
    assert result == made_result(
        pool=12, trump=Suit(1), tricks=(6, 2, 0, 2), matadors=3, premiers=True, favourite=Suit(1)
    )
    assert rules_named(EXAMPLE) == ("made@witness", {})


def test_a_result_is_written_as_the_input_that_describes_it() -> None:
    rules = made_rules().rules
    for case in DATA["cases"]:
        if case["under"] == "table" and not case.get("unchecked") and "but" not in case:
            result = result_of(case, rules)
            plain = result_to_plain(result, "made", {"p": "r"})
            assert read_result(plain, rules) == result
            assert rules_named(plain) == ("made", {"p": "r"})


@pytest.mark.parametrize("word", ["forced-spadille", "forced_spadille", " Forced_Spadille"])
def test_a_contract_may_be_spelled_with_either_stroke(word: str) -> None:
    plain = EXAMPLE | {"contract": word, "ally": "B", "premiers": False}
    assert read_result(plain, made_rules().rules).contract == "forced-spadille"


def test_spades_are_trumps_like_any_suit() -> None:
    assert read_result(EXAMPLE | {"trump": "spades"}, made_rules().rules).trump == Suit(0)


def test_the_favourite_suit_need_not_be_repeated_where_it_is_fixed() -> None:
    plain = {k: v for k, v in EXAMPLE.items() if k != "favourite"}
    assert read_result(plain, made_rules().rules).favourite == Suit(1)


def test_amounts_may_be_fractions_in_quotes() -> None:
    assert read_result(EXAMPLE | {"pool": "9/2"}, made_rules().rules).pool == Fraction(9, 2)
    assert faults(EXAMPLE | {"pool": 4.5}) == {
        "pool": ['Q203 pool is 4.5: expected a whole number or a fraction in quotes such as "9/2"']
    }


@cases("settle")
def test_a_fault_of_form_is_told_once_and_where_it_stands(
    changes: dict[str, Any], key: str, told: str
) -> None:
    assert faults(EXAMPLE | changes) == {key: [told]}


def test_faults_of_form_and_of_sense_come_together() -> None:
    told = faults(
        EXAMPLE | {"vol": "none", "contract": "nemo", "matadors": 4, "ally": "A", "pool": 0}
    )
    assert set(told) == {"vol:", "trump", "matadors", "ally", "pool", "premiers"} - {"matadors"}
    assert len(told["ally"]) == 2


def test_what_is_no_mapping_is_no_result() -> None:
    with pytest.raises(ResultError, match="a result is a mapping"):
        read_result([], made_rules().rules)
    with pytest.raises(ResultError, match="a result is a mapping"):
        rules_named("solo")


def test_rules_and_readings_are_words() -> None:
    with pytest.raises(ResultError, match="names no rules"):
        rules_named({"readings": {}})
    with pytest.raises(ResultError, match="no mapping of POINT"):
        rules_named({"rules": "made", "readings": []})
    with pytest.raises(ResultError, match="both words"):
        rules_named({"rules": "made", "readings": {"a": 1}})


def test_a_vole_bid_announces_its_vole_without_saying_so() -> None:
    rules = made_rules(**DATA["presets"]["basic_with_vole_bid"]).rules
    plain = {
        "players": list(PLAYERS),
        "pool": 4,
        "contract": "vole",
        "trump": "clubs",
        "hombre": "A",
    }
    assert (
        read_result(plain | {"tricks": {"A": 8, "B": 2}, "premiers": True}, rules).vole
        == "announced"
    )


def test_the_settlement_is_written_as_promised() -> None:
    case = DATA["cases"][0]
    rules = rules_of(case)
    result = result_of(case, rules)
    plain = settlement_to_json(
        {"profile": "made"}, result, settle(rules, result), lambda path: f"source of {path}"
    )
    assert list(plain)[:6] == ["rules", "outcome", "transfers", "net", "pool", "vole"]
    assert {k: plain[k] for k in list(plain)[6:]} == {
        "contract": "solo",
        "hombre": "A",
        "ally": None,
        "alone": None,
    }
    assert plain["rules"] == {"profile": "made"}
    assert plain["transfers"][1] == {
        "from": "B",
        "to": "A",
        "amount": 12,
        "reason": "solo premium",
        "rule": "payments.premium.solo",
        "source": "source of payments.premium.solo",
    }
    assert plain["transfers"][0]["from"] == "pool"
    assert plain["net"] == {"A": 66, "B": -18, "C": -18, "D": -18}
    assert plain["pool"] == {"before": 12, "after": 0}
    assert plain["vole"] == "none"


def test_an_amount_that_is_no_whole_number_is_written_as_a_fraction() -> None:
    rules = made_rules().rules
    result = made_result(pool=6)
    plain = settlement_to_json({}, result, settle(rules, result), lambda _: "")
    assert plain["transfers"][1]["amount"] == 3
    assert {
        t["amount"]
        for t in settlement_to_json(
            {}, made_result(pool=5), settle(rules, made_result(pool=5)), lambda _: ""
        )["transfers"]
    } == {5, "5/2"}


def test_the_vole_pool_is_named() -> None:
    rules = made_rules().rules
    result = made_result(tricks=(10, 0, 0, 0), premiers=True, vole="undertaken")
    plain = settlement_to_json({}, result, settle(rules, result), lambda _: "")
    assert {t["to"] for t in plain["transfers"] if t["reason"] == "vole pool stake"} == {
        "vole pool"
    }
