"""``quadrille matters``: what it prints, in every format and by either engine."""

import csv
import io
import json

import pytest

from quadrille_core.cli.main import run

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


def test_all_open_points_are_told_in_one_table_that_says_how_many_there_were(capsys):
    line = ["matters", "quadrille-modern", "--all", "--deals", "40", "--players", "random"]
    assert run([*line, "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    played = [f for f in found["findings"] if "deals" in f]
    assert found["design"]["rivals"] == len(played)
    assert found["design"]["alpha"] == pytest.approx(0.05 / len(played))
    assert run(line) == 0
    shown = capsys.readouterr().out
    assert all(f"{f['point']}={f['reading']}" in shown for f in found["findings"])
    assert f"5 % divided by {len(played)} rivals" in " ".join(shown.split())


def test_csv_has_a_row_for_each_number(capsys):
    assert run([*LINE, "--format", "csv", "--engine", "readable"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    finding = told(capsys, "--engine", "readable")["findings"][0]
    assert len(rows) == 1 + 3 * len(finding["gains"])
    assert {r["payee"] for r in rows[1:]} == set(finding["gains"])


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
