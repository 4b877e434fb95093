"""By whose laws a rule set is ruled: its own text's where that has one, and else a lent one, which
is said first."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from quadrille_plugins.shell.main import run
from support.data import cases, listed

from quadrille_core import resources
from quadrille_core.ruleset import compile_reference
from quadrille_core.ruleset.reference import shipped_profile

FACED = "a_faced_card_is_ruled_on_under_every_rule_set"


@pytest.fixture
def ruled(capsys: Any, tmp_path: Path) -> Any:
    """What is ruled on an incident, or the laws that are listed where there is none."""

    def ask(ref: str, incident: dict[str, Any] | None, *options: str) -> str:
        asked = "--laws"
        if incident is not None:
            seats = compile_reference(ref).ruleset.rules.table.players
            file = tmp_path / "incident.yaml"
            told = {"players": list("ABCDE"[:seats]), "hombre": "A", "pool": 14}
            file.write_text(yaml.safe_dump(told | incident))
            asked = str(file)
        assert run(["session", "ruling", ref, asked, *options]) == 0
        return str(capsys.readouterr().out)

    return ask


@cases("laws_of_texts")
def test_a_faced_card_is_ruled_on_under_every_rule_set(
    ruled: Any, ref: str, source: str, borrowed: bool, always: bool
) -> None:
    for last in (False, True):
        told = {"incident": "faced_card", "last_card": last}
        data = json.loads(ruled(ref, told, "--format", "json"))
        assert (data["laws"]["source"], data["laws"]["borrowed"]) == (source, borrowed)
        assert bool(data["rulings"]) == (always or not last)


def test_no_rule_set_of_a_game_of_tricks_is_left_out() -> None:
    docs = {name: shipped_profile(path) for name, path in resources.shipped_profiles().items()}
    played = {n for n, doc in docs.items() if not doc.abstract and doc.game != "patience"}
    assert {case["ref"].split("@")[0] for case in listed("laws_of_texts")[FACED]} == played


@cases("laws_of_texts")
def test_a_table_is_ruled_by_the_laws_of_its_own_text(
    ruled: Any, incident: dict[str, Any], orders: dict[str, list[str]], paid: list[Any]
) -> None:
    data = json.loads(ruled("encyclopedie-mediateur", incident, "--format", "json"))
    found = {r["law"]: [order["order"] for order in r["orders"]] for r in data["rulings"]}
    assert (found, data["laws"]["borrowed"]) == (orders, False)
    assert [[t["from"], t["to"], t["amount"]] for t in data["transfers"]] == paid


@cases("laws_of_texts")
def test_the_first_line_says_whose_law_is_lent(
    ruled: Any, ref: str, incident: dict[str, Any] | None, lent: bool
) -> None:
    first = ruled(ref, incident).splitlines()[0]
    assert first.startswith("borrowed from wikipedia-old") == lent
