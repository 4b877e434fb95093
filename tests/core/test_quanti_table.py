"""Quanti's table of payments, as it is paid: every cell of it by a deal that earns it."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from quadrille_plugins.settle.possible import impossible
from quadrille_plugins.settle.result_file import read_result
from support.data import of_yaml

from quadrille_core.engine.settle import settle
from quadrille_core.ruleset import compile_reference

DATA = of_yaml(Path(__file__).parents[1] / "data" / "quanti_table.yaml")
Cell = tuple[str, int | str | None, str]


def cells(table: list[list[Any]]) -> list[Cell]:
    """Every cell as its row, what is in it, and where its rule lies below `payments.`."""
    return [
        (row, amount, where)
        for row, *pair in table
        for amount, where in zip(pair, ("", "in_favourite."), strict=True)
    ]


CELLS = cells(DATA["table"])
ALTERNATIVES = [
    (alternative["readings"], *cell)
    for alternative in DATA["rivals"]
    for cell in cells(alternative["table"])
]
UNITS = 3
"""Counters in a unit: a quarter of the stake of twelve."""


def earning(row: str, favourite: bool) -> dict[str, Any]:
    """The result of a deal in which the row is due, as a file has it."""
    words = row.split(".")
    what, last = words[0], words[-1]
    contract = last if what in ("premium", "vole_stake") else "solo"
    result: dict[str, Any] = {
        "players": list("ABCD"),
        "pool": 4 * UNITS,
        "contract": contract,
        "hombre": "A",
    }
    result |= {
        "favourite": "hearts",
        "trump": "hearts" if favourite else "diamonds",
        "tricks": {"A": 6, "B": 4},
    }
    if contract in ("grandissimo", "nemo"):
        result["trump"] = "none"
    if contract in ("forced-spadille", "alliance", "casco"):
        result |= {"ally": "C", "tricks": {"A": 4, "C": 2, "B": 4}}
    if contract == "mediateur":
        result["surrendered"] = "B"
    if contract == "nemo":
        result["tricks"] = {"B": 10}
    if what == "matadors":
        result["matadors"] = {"three": 3, "four": 4}[last]
    if what == "premiers":
        result["premiers"] = True
    if what == "vole_stake":
        result |= {"vole": words[1], "premiers": True}
        result["tricks"] = {"A": 6, "C": 4} if "ally" in result else {"A": 10}
    return result


@pytest.mark.parametrize(
    ("row", "amount", "prefix"), CELLS, ids=[f"{prefix}{row}" for row, _, prefix in CELLS]
)
def test_every_cell_of_quantis_table_is_paid_as_it_stands(
    row: str, amount: int | None, prefix: str
) -> None:
    assert_paid({}, row, amount, prefix)


@pytest.mark.parametrize(("readings", "row", "amount", "prefix"), ALTERNATIVES)
def test_every_other_figure_for_a_vole_is_paid_as_it_stands(readings, row, amount, prefix) -> None:
    assert_paid(readings, row, amount, prefix)


def assert_paid(readings: dict[str, str], row: str, amount: int | str | None, prefix: str) -> None:
    rules = compile_reference("mediateur-1752", readings=readings).ruleset.rules
    result = read_result(earning(row, favourite=bool(prefix)), rules)
    assert impossible(rules, result) == []
    paid = [
        t
        for t in settle(rules, result).transfers
        if t.rule == f"payments.{prefix}{row}" and t.source >= 0
    ]
    if row.startswith("vole_stake"):
        pay = (0, 1, 2, 3)  # all stake
    elif row.startswith("premium"):
        pay = tuple(s for s in result.adversaries() if s != result.surrendered)
    else:
        pay = result.adversaries()
    # nothing is due, or there is no such cell: without trumps there is no favourite suit
    due = [(seat, Fraction(amount) * UNITS) for seat in pay] if amount else []
    assert sorted((t.source, t.amount) for t in paid) == due
