"""Settlements worked by hand, and results and rules drawn at random."""

from fractions import Fraction
from pathlib import Path
from typing import Any, get_args

from hypothesis import strategies as st

from quadrille_core import vocabulary
from quadrille_core.cards import NO_TRUMP, Suit
from quadrille_core.engine.result import Result
from support import made_result, made_rules, made_values
from support.data import of_yaml

FILES = [
    of_yaml(Path(__file__).parents[1] / "data" / name)
    for name in ("settlements.yaml", "switches.yaml", "money.yaml")
]


DATA: dict[str, Any] = {
    "presets": {name: preset for file in FILES for name, preset in file.get("presets", {}).items()},
    "cases": [case for file in FILES for case in file["cases"]],
}


def overrides_of(case: dict[str, Any]) -> dict[str, Any]:
    return {**DATA["presets"][case["under"]], **case.get("but", {})}


def values_of(case: dict[str, Any]) -> dict[str, Any]:
    """The leaf map of a case, without the leaves whose paths begin as it says."""
    without = case.get("without", "nothing")
    return {
        path: value
        for path, value in made_values(**overrides_of(case)).items()
        if not path.startswith(without)
    }


BID_LEAVES = (
    *("matadors", "lost_as", "loss_borne", "pool_penalty", "hombre_least_tricks"),
    *("is_vole", "tricks", "goal", "claimed"),
)


NOT_SETTLED_HERE = {
    "payments.matadors_held_by": "decides the count of matadors, which the result states",
    "payments.matadors_counted": "decides the count of matadors, which the result states",
    "payments.premiers_won_by": "decides whether premiers were made, which the result states",
    "vole.consultation": "is a matter of play",
    "vole.ally_known": "is a matter of play",
    "vole.waits_for_ally": "is a matter of play",
    "vole.alone_decides": "is a matter of play",
    "vole.announced_until": "decides when the vole is announced, which the result states",
}


SETTLED = [
    pattern
    for pattern in vocabulary.leaves()
    if pattern not in NOT_SETTLED_HERE
    and (
        pattern.split(".")[0] in ("stakes", "payments", "loss", "vole", "exchange")
        or pattern in {f"bids.*.{leaf}" for leaf in BID_LEAVES}
    )
]


MADE = made_rules().rules


MADE_PATHS = [p for p in vocabulary.dump(MADE) if vocabulary.pattern_of(p) in SETTLED]


@st.composite
def settled_values(draw: st.DrawFn) -> dict[str, Any]:
    """Overrides of some leaves of settlement by random values of their types."""
    overrides: dict[str, Any] = {}
    for path in draw(st.lists(st.sampled_from(MADE_PATHS), max_size=12, unique=True)):
        leaf = vocabulary.leaf_at(path)
        if leaf.choices():
            overrides[path] = draw(st.sampled_from(leaf.choices()))
        elif leaf.type is bool:
            overrides[path] = draw(st.booleans())
        elif leaf.type is int:
            overrides[path] = draw(st.integers(leaf.low or 0, min(leaf.high or 10, 10)))
        elif leaf.type is Fraction:
            overrides[path] = f"{draw(st.integers(0, 50))}/{draw(st.integers(1, 7))}"
        else:
            overrides[path] = draw(
                st.lists(st.sampled_from(get_args(get_args(leaf.type)[0])), unique=True)
            )
    return overrides


@st.composite
def results(draw: st.DrawFn) -> Result:
    cuts = sorted(draw(st.lists(st.integers(0, 10), min_size=3, max_size=3)))
    contract = draw(st.sampled_from(MADE.bids.names()))
    bid = MADE.bids.of(contract)
    hombre = draw(st.integers(0, 3))
    others = [s for s in range(4) if s != hombre]
    return made_result(
        pool=draw(st.fractions(min_value=1, max_value=60, max_denominator=6)),
        contract=contract,
        trump=NO_TRUMP
        if bid.trump == "none"
        else draw(st.sampled_from([Suit(s) for s in range(4)])),
        hombre=hombre,
        ally=draw(st.sampled_from([None, *others])) if bid.partner == "called" else None,
        surrendered=draw(st.sampled_from(others)) if bid.exchange else None,
        tricks=(cuts[0], cuts[1] - cuts[0], cuts[2] - cuts[1], 10 - cuts[2]),
        matadors=draw(st.integers(0, 12)),
        premiers=draw(st.booleans()),
        vole=draw(st.sampled_from(["none", "undertaken", "announced", "revealed"])),
    )
