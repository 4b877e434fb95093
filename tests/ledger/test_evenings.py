"""Several evenings: standings and averages over their ledgers."""

import json
import shutil

import pytest
from support.ledger import LOST, NAMES, SOLO


@pytest.fixture
def two(begin, quadrille):
    """Two evenings, of two deals and of one; Emma comes to the second for Dorothea."""
    first, second = begin(), begin(players=("Beatrice", "Anne", "Charlotte", "Emma"))
    for path, deal in (
        (first, SOLO),
        (first, LOST),
        (second, SOLO | {"tricks": {"Anne": 6, "Emma": 4}}),
    ):
        assert quadrille("deal", path, deal)[0] == 0
    return first, second


def test_evenings_are_added_up_by_player(two, quadrille):
    """The sums are those of the ledgers, deals are those in which a player sat, and means are
    exact."""
    nets = []
    for path in two:
        shown = json.loads(quadrille("show", path, "--format", "json")[1])
        nets.append({one["player"]: one["net"] for one in shown["standing"]})
    found = json.loads(quadrille("show", *two, "--format", "json")[1])
    assert [e["net"] for e in found["evenings"]] == nets
    assert [e["deals"] for e in found["evenings"]] == [2, 1]
    standing = {one.pop("player"): one for one in found["standing"]}
    assert {p: one["net"] for p, one in standing.items()} == {
        p: nets[0].get(p, 0) + nets[1].get(p, 0) for p in (*NAMES, "Emma")
    }
    assert {p: (one["evenings"], one["deals"]) for p, one in standing.items()} == {
        "Anne": (2, 3),
        "Beatrice": (2, 3),
        "Charlotte": (2, 3),
        "Dorothea": (1, 2),
        "Emma": (1, 1),
    }
    net = standing["Anne"]["net"]
    assert standing["Anne"]["per_deal"] == (net // 3 if net % 3 == 0 else f"{net}/3")
    rows = quadrille("show", *two, "--format", "csv")[1].splitlines()
    assert rows[0] == "player,evenings,deals,net,per_evening,per_deal"
    assert len(rows) == 6


def test_an_evening_that_has_only_begun_is_none_in_a_mean(two, begin, quadrille):
    """A mean by the evening is over those in which somebody played, or won or lost."""
    alone = json.loads(quadrille("show", *two, "--format", "json")[1])["standing"]
    begun = begin(players=("Charlotte", "Anne", "Beatrice", "Dorothea"))
    beside = json.loads(quadrille("show", *two, begun, "--format", "json")[1])["standing"]
    assert beside == alone


@pytest.mark.parametrize("settled", [False, True])
def test_what_an_evening_took_over_counts_once(two, begin, quadrille, settled, tmp_path):
    """A counter won on the first is no gain of the second, and whoever did not sit down there again
    has no evening of it; nor has the keeper of a pool that was settled."""
    first, after = two[0], tmp_path / "after.ledger"
    if settled:
        assert quadrille("end", first)[0] == 0
    people = ("--players", "Anne,Beatrice,Charlotte,Emma")
    assert quadrille("start", after, "--from", first, *people)[0] == 0
    assert quadrille("deal", after, SOLO | {"tricks": {"Anne": 6, "Emma": 4}})[0] == 0
    shown = [json.loads(quadrille("show", p, "--format", "json")[1]) for p in (first, after)]
    nets = [{one["player"]: one["net"] for one in told["standing"]} for told in shown]
    found = json.loads(quadrille("show", first, after, "--format", "json")[1])["standing"]
    standing = {one["player"]: (one["evenings"], one["net"]) for one in found}
    evenings = {"Dorothea": 1, "Emma": 1}
    assert standing == {
        name: (evenings.get(name, 2), nets[1][name] + settled * nets[0].get(name, 0))
        for name in (*NAMES, "Emma")
        if name in nets[1]
    } | ({"Dorothea": (1, nets[0]["Dorothea"])} if settled else {})
    assert sum(net for _, net in standing.values()) + shown[1]["pool"]["amount"] == 0


def test_what_cannot_be_added_up_is_refused(two, begin, quadrille, tmp_path):
    """One evening twice, also as a copy; points beside counters; a deal of several ledgers."""
    copy = tmp_path / "copy.ledger"
    shutil.copy(two[0], copy)
    rules = {"score__kept": "points", "stakes__ante": 0, "stakes__unit_of": "constant"}
    points = begin(**rules, stakes__unit=1, table__coins=[])
    for args in ((two[0], two[0]), (two[0], copy), (two[0], points), (*two, "--deal", 1)):
        status, _, err = quadrille("show", *args)
        assert (status, "Q802" in err) == (2, True), err
