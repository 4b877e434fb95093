"""``quadrille matters``: what it prints, in every format and by either engine."""

import contextlib
import csv
import io
import json

import pytest

from quadrille_core.cli.main import run
from quadrille_core.report.matters_pictures import pictures_of

LINE = ["matters", "quanti-1822", "remise_pays", "--deals", "80"]


def told(capsys, *arguments):
    assert run([*LINE, "--format", "json", *arguments]) == 0
    return json.loads(capsys.readouterr().out)


def test_the_answer_does_not_depend_on_the_engine_or_on_the_workers(capsys):
    pytest.importorskip("numba")
    found = [
        told(capsys, "--engine", engine, "--workers", workers)
        for engine, workers in (("readable", "1"), ("readable", "2"), ("fast", "1"), ("fast", "3"))
    ]
    assert [f["design"].pop("engine") for f in found] == ["readable", "readable", "fast", "fast"]
    assert all(f == found[0] for f in found)
    finding = found[0]["findings"][0]
    assert finding["verdict"] == "different"
    assert finding["parted"] == sum(finding["first_in"].values())
    assert finding["example"]["records"][0]["rules"] != finding["example"]["records"][1]["rules"]


def test_the_three_verdicts_are_told_in_words(capsys):
    assert run([*LINE, "--engine", "readable"]) == 0
    assert "different: " in capsys.readouterr().out
    never = ["matters", "quanti-1822", "quanti-1822", "--set", "2:payments.premium.mediateur=3", "--deals", "40"]
    assert run([*never, "--engine", "readable"]) == 0
    shown = capsys.readouterr().out
    assert "no difference in 40 deals" in shown
    assert "payments.premium.mediateur" in shown
    assert run(["matters", "quanti-1822", "quanti-1822"]) == 0
    assert "same rules" in capsys.readouterr().out


ALL = ["matters", "quadrille-modern", "--all", "--deals", "40", "--players", "random"]


@pytest.fixture(scope="module")
def of_all_points():
    """The answer about every open point, which takes long."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert run([*ALL, "--format", "json"]) == 0
    return json.loads(out.getvalue())


@pytest.mark.slow
def test_all_open_points_are_told_in_one_table_that_says_how_many_there_were(capsys, of_all_points):
    found = of_all_points
    played = [f for f in found["findings"] if "deals" in f]
    assert found["design"]["rivals"] == len(played)
    assert found["design"]["alpha"] == pytest.approx(0.05 / len(played))
    assert run(ALL) == 0
    shown = capsys.readouterr().out
    assert all(f"{f['point']}={f['reading']}" in shown for f in found["findings"])
    assert f"5 % divided by {len(played)} rivals" in " ".join(shown.split())


def test_csv_has_a_row_for_each_number(capsys):
    assert run([*LINE, "--format", "csv", "--engine", "readable"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    finding = told(capsys, "--engine", "readable")["findings"][0]
    assert len(rows) == 2 + 3 * len(finding["gains"])
    assert [float(r["mean"]) for r in rows[:2]] == [finding[s]["mean"] for s in ("share", "share_paid_otherwise")]
    assert {(r["payee"], r["antes"]) for r in rows[2:]} == {(p, g["antes"]) for p, g in finding["gains"].items()}


STAKES = ["matters", "quanti-1822", "ante", "--deals", "80", "--engine", "readable"]


def test_what_is_put_as_ante_is_told_of_players_and_said_to_be_left_out_of_roles(capsys):
    """The dealer stakes four instead of one by each: six counters go otherwise in a deal, of which no role is told."""
    assert run([*STAKES, "--format", "json"]) == 0
    finding = json.loads(capsys.readouterr().out)["findings"][0]
    assert finding["counters_that_move_otherwise"] == 6
    assert finding["paid_otherwise"] == finding["parted"] == 80
    gains = {p: (g["antes"], g["deal_begun_alike"]["mean"]) for p, g in finding["gains"].items()}
    assert gains == {
        **{f"seat {s}": ("counted", 1) for s in range(3)},
        "seat 3": ("counted", -3),
        **dict.fromkeys(("hombre", "ally", "adversary"), ("left out", 0)),
    }
    assert run(STAKES) == 0
    shown = capsys.readouterr().out
    assert "6.00 counters move otherwise in a deal that parts, antes among them" in " ".join(shown.split())
    rows = {line[:31].strip(): line[31:].split() for line in shown.splitlines()}
    for role in ("Hombre", "the ally", "the adversaries"):
        assert rows[f"{role}, without antes"][:3] == ["0.0000", "0.00", "0.00"]
    assert rows["eldest hand"][:3] == ["+1.0000", "±", "?"]


def test_what_plays_otherwise_and_pays_alike_is_told_apart(capsys):
    line = ["matters", "quanti-1822", "early_claim", "--deals", "80", "--engine", "readable", "--format", "json"]
    assert run(line) == 0
    finding = json.loads(capsys.readouterr().out)["findings"][0]
    assert finding["parted"] > 0
    assert (finding["paid_otherwise"], finding["share_paid_otherwise"]["mean"]) == (0, 0)
    assert finding["share_paid_otherwise"]["high"] < finding["share"]["low"]
    assert all(g["session"]["sessions_that_differ"] == 0 for g in finding["gains"].values())


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (["quanti-1822"], "--all"),
        (["quanti-1822", "remise_pays", "--all"], "said twice"),
        (["quanti-1822", "remise_pay"], "did you mean remise_pays"),
        (["captive-queens", "--all"], "quadrille compare captive-queens"),
        (["quanti-1822", "quintille"], "seats four players"),
        (["quanti-1822", "remise_pays", "--players", "random", "--engine", "fast"], "cannot play this"),
    ],
)
def test_what_cannot_be_asked_is_refused_with_what_may_be(capsys, line, said):
    assert run(["matters", *line]) == 2
    assert said in capsys.readouterr().err


NEVER = ["matters", "quanti-1822", "quanti-1822", "--set", "2:payments.premium.mediateur=3", "--deals", "40"]


def test_what_is_rare_is_sought_and_a_deal_made_on_purpose_proves_it(capsys):
    """By chance no such vole is undertaken in forty deals; those made for it show what it comes to."""
    assert run(["matters", "quanti-1822", "failed_vole_keeps", "--deals", "40", "--format", "json"]) == 0
    finding = json.loads(capsys.readouterr().out)["findings"][0]
    assert (finding["verdict"], finding["parted"]) == ("different", 0)
    assert any(s["parted"] for s in finding["sought"])
    assert "“without premiers” nothing of that is paid" in finding["shrunk"]["sentence"]
    one, other = finding["shrunk"]["records"]
    assert one["net"] != other["net"]
    assert finding["share"]["low"] == 0


def test_what_cannot_happen_is_sought_in_vain(capsys):
    assert run([*NEVER, "--format", "json"]) == 0
    finding = json.loads(capsys.readouterr().out)["findings"][0]
    assert finding["verdict"] == "no difference"
    assert finding["sought"]
    assert not any(s["reached"] or s["parted"] for s in finding["sought"])
    assert finding["reached"]["reached"] == 0
    assert "shrunk" not in finding


def test_its_pictures_have_the_numbers_of_the_answer(capsys):
    finding = told(capsys, "--engine", "readable")
    often, gains = pictures_of(finding)
    share = finding["findings"][0]["share"]
    assert [m.value for m in often.rows] == [100 * share["mean"]]
    assert len(gains.rows) == len(finding["findings"][0]["gains"])
    assert pictures_of({"findings": [{"verdict": "same rules"}]}) == ()


def test_a_manifest_repeats_it(capsys, tmp_path):
    manifest = tmp_path / "study.json"
    assert run([*LINE, "--engine", "readable", "--manifest", str(manifest)]) == 0
    assert run(["rerun", str(manifest)]) == 0
    capsys.readouterr()


def test_what_players_get_from_the_box_is_a_difference_though_cards_payments_and_pools_never_part(capsys):
    line = ["matters", "quintille", "purse_empty", "--deals", "40", "--players", "random", "--format", "json"]
    assert run(line) == 0
    finding = next(f for f in json.loads(capsys.readouterr().out)["findings"] if f["reading"] == "refill")
    assert finding["reached"]["parted"] > 0 == finding["parted"]
    assert finding["verdict"] == "different"
    assert "from the box" in finding["example"]["second"]
    assert run(line[:-2]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "from the box under B; in cards, payments and pools none of 40 deals" in shown


@pytest.mark.slow
def test_every_difference_comes_with_a_deal_that_replays(capsys, tmp_path, of_all_points):
    """Of all points at once too, and where only deals made on purpose part."""
    found = [f for f in of_all_points["findings"] if f["verdict"] == "different"]
    made = [f for f in found if f["example"]["where"] == "made on purpose"]
    assert made
    assert all(f["parted"] == 0 and f["example"]["session"] is None for f in made)
    for f in (*made[:2], *(f for f in found if f not in made)):
        for record in f["example"]["records"]:
            path = tmp_path / "record.json"
            path.write_text(json.dumps(record))
            assert run(["replay", str(path)]) == 0
    capsys.readouterr()


@pytest.mark.parametrize("option", ["--precision", "--within"])
@pytest.mark.parametrize("value", ["nan", "inf", "0", "-1"])
def test_what_is_no_number_to_stop_at_is_refused(capsys, option, value):
    assert run([*LINE, option, value]) == 2
    assert "Invalid value" in capsys.readouterr().err


def test_empty_purses_are_sought_in_whole_sessions(capsys):
    """In forty deals of these bots no purse of quanti-1822 is empty; played at random some are."""
    assert run(["matters", "quanti-1822", "purse_empty", "--deals", "40", "--format", "json"]) == 0
    for finding in json.loads(capsys.readouterr().out)["findings"]:
        assert (finding["verdict"], finding["parted"], finding["reached"]["parted"]) == ("different", 0, 0)
        assert [s["strategy"] for s in finding["sought"] if s["parted"]] == ["sessions"]
        assert finding["example"]["parts_in"] == "purses"
