"""``quadrille rank`` as a user has it: formats, pictures, refusals, interruption, and again by its manifest."""

import csv
import io
import json

import pytest

from quadrille_core.cli import rank as command
from quadrille_core.cli.main import run
from quadrille_core.report.rank import pictures_of
from quadrille_core.study.rank import MATTERS, UNDECIDED

ASK = ["rank", "quanti-1822", "--points", "solo_premium,queen_when,early_claim", "--sessions", "6", "--workers", "1"]
RANDOM = [*ASK, "--players", "random", "--set", "table.session_deals=8"]


@pytest.fixture(scope="module")
def results():
    """What the command says as JSON, of forty-eight deals by steady on the readable engine."""
    return _json([*ASK, "--set", "table.session_deals=8", "--engine", "readable"])


def _json(args):
    out = io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdout", out)
        assert run([*args, "--format", "json"]) == 0
    return json.loads(out.getvalue())


def test_the_points_are_told_with_their_questions_the_one_that_matters_most_first(results):
    assert results["design"]["combinations"] == results["design"]["valid"] == 12
    assert results["design"]["sessions"] == 6
    points = results["points"]
    sizes = [p["effects"]["payments"]["size"]["value"] for p in points]
    assert sizes == sorted(sizes, reverse=True)
    assert points[0]["point"] == "solo_premium"
    assert points[0]["question"] == "What is the premium of a solo?"
    assert set(points[0]["effects"]["payments"]["main"]) == {"two_units", "double_stake"}
    assert points[0]["verdicts"]["payments"] in (MATTERS, UNDECIDED)
    size = points[0]["effects"]["payments"]["size"]
    assert size["low"] < size["value"] < size["high"]


def test_the_same_numbers_stand_in_the_csv(results, capsys):
    assert run([*ASK, "--set", "table.session_deals=8", "--engine", "readable", "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    sizes = {(r["measure"], r["point"]): r for r in rows if r["section"] == "size"}
    for p in results["points"]:
        for measure, effect in p["effects"].items():
            assert float(sizes[measure, p["point"]]["value"]) == effect["size"]["value"]
            assert sizes[measure, p["point"]]["verdict"] == p["verdicts"][measure]
    main = {(r["point"], r["reading"], r["part"]): r["value"] for r in rows if r["section"] == "main"}
    told = results["points"][0]["effects"]["payments"]["main"]["two_units"]["hombre"]["value"]
    assert float(main["solo_premium", "two_units", "hombre"]) == told


def test_by_another_measure_the_order_is_that_measures(capsys):
    assert run([*RANDOM, "--measure", "seats"]) == 0
    out = capsys.readouterr().out
    assert "points by seats" in out
    assert "best and the worst seat" in out


def test_the_tornado_reaches_as_far_as_the_readings_move_hombre(results):
    tornado, bars = pictures_of(results)
    assert (tornado.kind, bars.kind) == ("tornado", "bars")
    main = results["points"][0]["effects"]["payments"]["main"]
    moves = [parts["hombre"]["value"] for parts in main.values()]
    assert tornado.rows[0].label == "solo_premium"
    assert (tornado.rows[0].low, tornado.rows[0].high) == (min(0.0, *moves), max(0.0, *moves))
    assert [m.label for m in bars.rows] == [p["point"] for p in results["points"] if p["place"]]
    assert pictures_of({**results, "points": []}) == ()


def test_the_order_of_a_bot_that_ignores_the_rules_is_held_against_the_first(results):
    found = _json([*ASK, "--set", "table.session_deals=8", "--engine", "readable", "--also", "random"])
    assert found["points"] == results["points"]
    first, other = found["orders"]
    assert first["tau"]["payments"] == 1
    assert first["moved"] == {"payments": [], "contracts": [], "seats": []}
    assert other["bots"] == ["random"] * 4
    assert other["sessions"] == 1
    assert other["left_out"] == 0
    assert other["sizes"]["contracts"]["solo_premium"]["value"] == 0  # it bids the same whatever is paid


def test_drawn_backgrounds_are_told_as_such():
    found = _json([*RANDOM, "--backgrounds", "2"])
    design = found["design"]
    assert (design["all_combinations"], design["valid"], design["backgrounds"], design["draws"]) == (False, None, 2, 2)
    assert all(e["size"]["low"] is None for p in found["points"] for e in p["effects"].values())


def test_rerun_finds_the_same_numbers(tmp_path, capsys):
    manifest = tmp_path / "rank.json"
    assert run([*RANDOM, "--manifest", str(manifest)]) == 0
    assert run(["rerun", str(manifest)]) == 0
    written = json.loads(manifest.read_text("utf-8"))
    assert written["command"] == "rank"
    assert "engine" not in written["results"]["design"]


def test_interrupted_it_reports_what_was_finished_and_says_so(capsys, monkeypatch):
    told = []

    def stop(self, done, total, seconds):
        told.append(total)
        if done == 11:
            raise KeyboardInterrupt

    monkeypatch.setattr(command.StudyProgress, "update", stop)
    assert run([*RANDOM, "--format", "json"]) == 130
    found = capsys.readouterr()
    assert json.loads(found.out)["design"]["interrupted"]
    assert "interrupted: reporting the" in found.err
    assert set(told) == {12}


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["quanti-1822", "--points", "solo_premum"], "did you mean solo_premium?"),
        (["quanti-1822", "--points", "ante", "--also", "steadfast"], "there is no bot 'steadfast'"),
        (
            ["quanti-1822", "--points", "ante", "--also", "held", "--players", "random"],
            "only the fast engine plays held",
        ),
        (["quanti-1822", "--exact"], "too many to take all"),
        (["quanti-1822", "--exact", "--backgrounds", "3"], "--exact takes all combinations"),
        (["quanti-1822", "--deals", "8", "--sessions", "3"], "--deals and --sessions both say"),
        (["quanti-1822", "--points", ","], "--points names no point"),
    ],
)
def test_what_cannot_be_ranked_is_refused_in_a_line(args, said, capsys):
    assert run(["rank", *args]) == 2
    assert said in capsys.readouterr().err


def test_a_patience_is_refused(capsys):
    assert run(["rank", "captive-queens"]) == 2
    assert "captive-queens is a patience" in capsys.readouterr().err


def test_the_report_says_in_sentences_what_was_found(tmp_path):
    pytest.importorskip("altair")
    pytest.importorskip("vl_convert")
    page = tmp_path / "rank.html"
    assert run([*RANDOM, "--report", str(page), "--pictures", str(tmp_path / "drawn")]) == 0
    text = page.read_text("utf-8")
    assert "Of 3 points" in text
    assert "some deals differed, but no mean effect is shown to differ from nought: " in text
    assert (tmp_path / "drawn" / "rank-payments.svg").exists()


def test_the_tornado_says_what_its_strokes_are(results):
    tornado = pictures_of(results)[0]
    assert f"changes what Hombre is paid a deal by {tornado.rows[0].low:+.3f} to" in tornado.alt
    assert "the stroke marks the larger change" in tornado.caption


def test_what_was_not_seen_is_not_told_as_nought_for_certain(capsys):
    assert run([*ASK, "--set", "table.session_deals=8", "--engine", "readable", "--measure", "contracts"]) == 0
    out = capsys.readouterr().out
    assert "in hundredths" in " ".join(out.split())
    rows = [line.split() for line in out.splitlines() if "not shown" in line and "seen" in line]
    assert rows
    assert all(row[2:4] == ["none", "seen"] for row in rows)
