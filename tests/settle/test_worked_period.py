"""Settlements worked by hand from period texts, fact by fact: the command line comes to the same
sums."""

import json
from pathlib import Path

import pytest
from support.data import of_yaml

WORKED = of_yaml(Path(__file__).parents[1] / "data" / "worked_period.yaml")["cases"]
PLAYERS = list("ABCD")


@pytest.mark.parametrize("case", WORKED, ids=[f"{c['fact']}: {c['says']}" for c in WORKED])
def test_a_settlement_worked_from_a_period_text(case, quadrille, write):
    head = {"rules": case["rules"], "players": PLAYERS, "pool": case["P"], "favourite": "hearts"}
    if "readings" in case:
        head["readings"] = case["readings"]
    status, out, err = quadrille("settle", write(head | case["result"]), "--format", "json")
    assert (status, err) == (0, "")
    found = json.loads(out)
    assert found["outcome"] == case["outcome"]
    assert found["net"] == dict(zip(PLAYERS, case["net"], strict=True)), case["why"]
    assert found["pool"] == {"before": case["P"], "after": case["after"]}
    assert sum(t["amount"] for t in found["transfers"] if t["from"] == "fund") == case.get(
        "fund", 0
    )


@pytest.mark.parametrize("case", WORKED, ids=[f"{c['fact']}: {c['says']}" for c in WORKED])
def test_nothing_comes_from_nowhere(case):
    """What the players, the stake and the fund have together does not change."""
    assert sum(case["net"]) + case["after"] == case["P"] + case.get("fund", 0)
