"""The laws of the Académie universelle des jeux that were seen: what each orders, and what is
borrowed for the rest."""

import json
from typing import Any

import pytest
import yaml
from quadrille_plugins.ledger.incident import FACTS
from quadrille_plugins.ledger.laws import load_laws
from quadrille_plugins.shell.main import run
from quadrille_plugins.witnesses.table import facts
from support.data import cases
from support.laws import KINDS, ORDERS, PERSONS

from quadrille_core import resources, vocabulary

SEEN = [*range(7, 19), *range(47, 58)]
"""The numbers of the laws that were read."""
TABLE = {"players": list("ABCD"), "hombre": "A", "ally": "C", "pool": 14}


@pytest.fixture
def ruled(capsys, tmp_path) -> Any:
    def ask(incident: dict[str, Any], *options: str) -> Any:
        file = tmp_path / "incident.yaml"
        file.write_text(yaml.safe_dump({**TABLE, **incident}))
        assert run(["session", "ruling", "academie", str(file), "--format", "json", *options]) == 0
        return json.loads(capsys.readouterr().out)

    return ask


@pytest.mark.parametrize("code", resources.laws())
def test_every_sheet_of_laws_names_what_there_is(code: str) -> None:
    """Kinds, orders, persons, facts, rules and incidents are those that the program knows; no
    number comes twice."""
    sheet = load_laws(resources.laws()[code])
    numbers = [law.number for law in sheet.laws]
    assert len(set(numbers)) == len(numbers)
    assert {c.incident for law in sheet.laws for c in law.clauses} <= set(sheet.incidents)
    for law in sheet.laws:
        assert law.kind in KINDS
        assert law.kind != "irregularity" or law.clauses or (code, law.number) == ("hoyle", 18)
        for path in law.concerns:
            assert any(vocabulary.matches(path, leaf) for leaf in vocabulary.leaves()), (
                law.number,
                path,
            )
        for clause in law.clauses:
            assert all(name in FACTS or name.startswith("offender_") for name, _ in clause.when)
            assert all(o.order in ORDERS and {o.who, o.whom} <= set(PERSONS) for o in clause.orders)


def test_the_laws_that_were_seen_are_there_and_no_others() -> None:
    sheet = load_laws(resources.laws()["academie-universelle"])
    assert [law.number for law in sheet.laws if isinstance(law.number, int)] == SEEN
    pages = [law.number for law in sheet.laws if isinstance(law.number, str)]
    assert [sheet.cite(page) for page in pages] == [
        f"academie-universelle: {page}" for page in pages
    ]


@cases("academie_laws")
def test_a_table_by_the_academie_is_ruled_by_its_own_laws(ruled, incident, orders, paid) -> None:
    """W1.7, W1.29 to W1.31: a beast is what lies at stake."""
    data = ruled(incident)
    found: dict[Any, list[str]] = {}
    for ruling in data["rulings"]:
        found.setdefault(ruling["law"], []).extend(order["order"] for order in ruling["orders"])
    assert found == orders
    assert data["laws"]["borrowed"] is False
    assert [[t["from"], t["to"], t["amount"]] for t in data["transfers"]] == paid


def test_what_the_seen_laws_leave_out_is_borrowed_and_said_to_be(ruled) -> None:
    """The laws on a renounce were not read, so that those of the older article rule on it."""
    laws = ruled({"incident": "revoke", "by": "B", "trick_turned": True})["laws"]
    assert (laws["source"], laws["borrowed"]) == ("wikipedia-old", True)


def test_no_fact_of_the_academie_waits_for_a_ruling() -> None:
    """Of its facts only those of the game for three, and what a result cannot hold, have no rule or
    law."""
    left = {
        n
        for n, f in facts().items()
        if f.source == "academie-universelle" and f.state != "represented"
    }
    assert left == {"W1.21", "W1.32", "W1.33", "W1.37"}
