"""``quadrille rank`` as a user has it: formats, pictures, refusals, interruption, and again by its
manifest."""

import io
import json

import pytest
from quadrille_plugins.rank import command
from quadrille_plugins.rank.pictures import pictures_of
from quadrille_plugins.shell.main import run
from quadrille_plugins.studies import engines
from quadrille_plugins.studies.design import FAST, READABLE
from quadrille_plugins.studies.equivalence import LARGER, SMALLER, UNDECIDED
from support.data import cases

SHORT = "table.session_deals=8"
ASK = [
    "rank",
    "quanti-1822",
    "--points",
    "solo_premium,queen_when,early_claim",
    "--sessions",
    "10",
    "--workers",
    "1",
]
RANDOM = [*ASK, "--players", "random", "--set", SHORT]


@pytest.fixture(scope="module")
def results():
    """What the command says as JSON, of eighty deals by steady on the readable engine."""
    return _json([*ASK, "--set", SHORT, "--engine", "readable"])


def _that_differed(results):
    return [p for p in results["points"] if p["effects"]["payments"]["differing"]]


def _json(args):
    out = io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdout", out)
        assert run([*args, "--format", "json"]) == 0
    return json.loads(out.getvalue())


def test_the_points_are_told_with_their_questions_the_one_that_matters_most_first(results):
    assert results["design"]["configurations"] == results["design"]["valid"] == 12
    assert results["design"]["sessions"] == 10
    assert results["design"]["estimand"] == "total"
    points = results["points"]
    sizes = [p["effects"]["payments"]["size"]["value"] for p in points]
    assert sizes == sorted(sizes, reverse=True)
    first = points[0]
    assert first["point"] == "solo_premium"
    assert first["question"] == "What is the premium of a solo?"
    assert first["place_low"] <= first["place"] <= first["place_high"]
    assert set(first["effects"]["payments"]["readings"]) == {"two_units", "double_stake"}
    assert first["verdicts"]["payments"]["verdict"] in (LARGER, SMALLER, UNDECIDED)
    size = first["effects"]["payments"]["size"]
    assert size["low"] is None  # of ten sessions there is a bound alone
    assert size["value"] < size["high"]


def test_by_another_measure_the_order_is_that_measures(capsys):
    assert run([*RANDOM, "--measure", "seats", "--details"]) == 0
    out = capsys.readouterr().out
    assert "points by seats" in out
    assert "the largest change of what a seat gets" in " ".join(out.split())


def test_a_row_for_each_reading_has_what_it_moves_the_hombre(results):
    """The largest change first, with its interval where there is one and the threshold; other
    pictures are the sizes and the curve."""
    readings, bars, curve = pictures_of(results)
    assert (readings.kind, bars.kind, curve.kind) == ("intervals", "bars", "curve")
    signed = {
        f"{p['point']}={name}": found["signed"]["hombre"]
        for p in results["points"]
        for name, found in p["effects"]["payments"]["readings"].items()
        if "hombre" in found["signed"]
    }
    assert all(m.value == signed[m.label]["value"] and m.threshold == 10 for m in readings.rows)
    assert [abs(m.value) for m in readings.rows] == sorted(
        (abs(s["value"]) for s in signed.values() if s["value"]), reverse=True
    )
    assert [m.label for m in bars.rows] == [p["point"] for p in _that_differed(results)]
    assert pictures_of({**results, "points": [], "configurations": []}) == ()


def test_the_specification_curve_is_sorted_and_has_the_choices_below_it(results):
    """Each of twelve configurations has a value and a choice for every leading point; the rule set
    itself is zero."""
    curve = pictures_of(results)[2]
    values = [m.value for m in curve.rows if not m.label]
    assert len(values) == len(results["configurations"]) == 12
    assert values == sorted(values)
    assert values[0] < 0 < values[-1]
    for point in _that_differed(results):
        taken = sorted(m.x for m in curve.rows if m.label.startswith(f"{point['point']}="))
        assert taken == list(range(1, 13))
    (own,) = (c for c in results["configurations"] if not c["choices"])
    assert own["changes"]["payments"] == {}


@pytest.mark.slow
def test_random_bots_carry_no_pool(results):
    """Else their payments grow to 10^14 counters; so sizes are of the order of what is paid in a
    deal."""
    found = _json(
        [
            *ASK[:4],
            "--players",
            "random",
            "--deals",
            "240",
            "--engine",
            "readable",
            "--workers",
            "1",
        ]
    )
    sizes = [p["effects"]["payments"]["size"]["value"] for p in found["points"]]
    assert max(sizes) < 10_000
    assert found["design"]["sessions"] == 6


@pytest.mark.parametrize(("compiled", "engine"), [(True, FAST), (False, READABLE)])
def test_one_point_is_ranked_by_the_fast_engine_where_it_is_compiled(compiled, engine, monkeypatch):
    """Where it is not, the readable engine plays its few deals at once; asked for few deals, it
    does in any case."""
    pytest.importorskip("numba")
    asked = []

    def choose(*args):
        asked.append(args)
        return READABLE

    monkeypatch.setattr(engines, "is_compiled", lambda *_: compiled)
    monkeypatch.setattr(command, "choose_engine", choose)
    args = ["rank", "quanti-1822", "--points", "ante", "--workers", "1"]
    assert _json(args)["design"]["deals"] == command.DEFAULT_DEALS[READABLE]
    assert _json([*args, "--set", SHORT, "--deals", "16"])["design"]["deals"] == 16
    assert [engines.choose_engine(*a) for a in asked] == [engine, READABLE]


def test_sampled_configurations_are_told_as_such():
    found = _json([*RANDOM, "--configurations", "2"])
    design = found["design"]
    assert (
        design["all_configurations"],
        design["valid"],
        design["sampled_configurations"],
        design["draws"],
    ) == (
        False,
        None,
        2,
        2,
    )
    assert all(p["effects"]["payments"]["size"]["low"] is None for p in found["points"])


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


@cases("rank_cli")
def test_what_cannot_be_ranked_is_refused_in_a_line(args, said, capsys):
    assert run(["rank", *args]) == 2
    assert said in capsys.readouterr().err


def test_a_patience_is_refused(capsys):
    assert run(["rank", "captive-queens"]) == 2
    assert "captive-queens is a patience" in capsys.readouterr().err
