"""The thirty-three laws of the late Hoyle, each under its number: what acts in the rules, what a
person rules on."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from quadrille_plugins.ledger.laws import load_laws
from quadrille_plugins.shell.main import run
from support.data import of_yaml

from quadrille_core import resources, vocabulary
from quadrille_core.ruleset import compile_reference

DATA: list[dict[str, Any]] = of_yaml(Path(__file__).parents[1] / "data" / "hoyle_laws.yaml")["laws"]
LAWS = {law.number: law for law in load_laws(resources.laws()["hoyle"]).laws}
OLD = {law.number: law for law in load_laws(resources.laws()["wikipedia-old"]).laws}
ACTS = {"engine": "acting", "claim": "acting", "irregularity": "ruling", "conduct": "conduct"}


def test_there_are_thirty_three_and_each_is_spoken_of() -> None:
    assert [row["law"] for row in DATA] == list(LAWS) == list(range(1, 34))


def test_every_law_of_the_thirty_has_its_place_among_them() -> None:
    """W4.9: 18 and 21 to 24 are new, and two of the thirty are one law here, twice."""
    assert sorted(n for row in DATA for n in row["of"] if n) == sorted(OLD)
    assert [row["law"] for row in DATA if row["of"] == [0]] == [18, 21, 22, 23, 24]


@pytest.mark.parametrize("row", DATA, ids=lambda r: str(r["law"]))
def test_every_law_acts_is_ruled_on_or_asks_for_manners(row: dict[str, Any]) -> None:
    law = LAWS[row["law"]]
    assert ACTS[law.kind] == row["acts"]
    if row["acts"] == "ruling" and row["law"] != 18:
        assert law.clauses
    for path in law.concerns:
        assert any(path == known or known.startswith(path) for known in vocabulary.every_leaf()), (
            path
        )
    assert ("sets" in row) == (row["acts"] == "acting")


@pytest.mark.parametrize("row", [r for r in DATA if "sets" in r], ids=lambda r: str(r["law"]))
def test_every_law_that_acts_is_in_the_rules(row: dict[str, Any]) -> None:
    compiled = compile_reference("hoyle-improved", readings=row.get("reading"))
    assert {path: compiled.value_of(path) for path in row["sets"]} == row["sets"]


@pytest.mark.parametrize("number", [9, 10, 13, 17, 25, 27, 29])
def test_no_law_prints_forced_spadille_for_sans_prendre(number: int) -> None:
    """W4.9: the emendation of the thirty laws is confirmed by these."""
    assert "forced game" not in LAWS[number].says("emended")
    assert LAWS[number].reading("emended") == LAWS[number].reading("literal")


def test_a_table_by_these_rules_is_ruled_by_these_laws(capsys, tmp_path) -> None:
    incident = tmp_path / "incident.yaml"
    told = {
        "players": list("ABCD"),
        "incident": "revoke",
        "by": "B",
        "hombre": "A",
        "trick_turned": True,
        "pool": 8,
    }
    incident.write_text(yaml.safe_dump(told))
    assert run(["session", "ruling", "hoyle-improved", str(incident), "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [r["law"] for r in data["rulings"]] == [15]
    assert data["laws"]["borrowed"] is False
