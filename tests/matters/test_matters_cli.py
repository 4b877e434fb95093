"""``quadrille matters``: what it prints, in every format and by either engine."""

import csv
import io
import json
from contextlib import redirect_stdout
from fractions import Fraction
from functools import cache

import pytest
from documents import told_as_csv
from quadrille_plugins.matters.pictures import pictures_of
from quadrille_plugins.matters.study import Finding, Gain, Matters, Mean, Question
from quadrille_plugins.matters.words import for_more
from quadrille_plugins.shell.main import run
from quadrille_plugins.studies import fast
from quadrille_plugins.studies.paired import PICKED_ROLES
from quadrille_plugins.studies.sequences import Bounds

LINE = ["matters", "quanti-1822", "remise_pays", "--deals", "80"]


@cache
def printed(*arguments):
    """What the line prints with these arguments; each is run once."""
    with redirect_stdout(io.StringIO()) as out:
        assert run([*LINE, *arguments]) == 0
    return out.getvalue()


def told(*arguments):
    return json.loads(printed("--format", "json", *arguments))


@pytest.mark.slow
def test_csv_has_a_row_for_each_number():
    rows = list(csv.DictReader(io.StringIO(printed("--format", "csv", "--engine", "readable"))))
    assert {*rows[0]} == told_as_csv("matters.md")
    finding = told("--engine", "readable")["findings"][0]
    assert [float(r["mean"]) for r in rows[:2]] == [
        finding[s]["mean"] for s in ("share", "share_payments_differ")
    ]
    effects = [
        (estimand, partition, column, effect["mean"], effect["verdict"])
        for estimand, partitions in finding["effects"].items()
        for partition, columns in partitions.items()
        for column, effect in columns.items()
    ]
    assert [
        (r["of"], r["partition"], r["column"], float(r["mean"]), r["effect"])
        for r in rows[2:]
        if r["partition"]
    ] == effects
    assert {r["column"] for r in rows[2:] if not r["partition"]} == {*finding["over_sessions"]}


def test_what_plays_differently_and_pays_the_same_is_distinguished(capsys):
    line = [
        "matters",
        "quanti-1822",
        "early_claim",
        "--deals",
        "80",
        "--engine",
        "readable",
        "--format",
        "json",
    ]
    assert run(line) == 0
    finding = json.loads(capsys.readouterr().out)["findings"][0]
    assert finding["diverge"] > 0
    assert (finding["payments_differ"], finding["share_payments_differ"]["mean"]) == (0, 0)
    assert finding["share_payments_differ"]["high"] < finding["share"]["low"]
    assert all(
        e["sessions_that_differ"] == 0 for e in finding["effects"]["total"]["seats"].values()
    )


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (["quanti-1822"], "--all"),
        (["quanti-1822", "remise_pays", "--all"], "two questions at once"),
        (["quanti-1822", "remize_pays"], "did you mean remise_pays"),
        (["captive-queens", "--all"], "quadrille compare captive-queens"),
        (["quanti-1822", "quintille"], "seats four players"),
    ],
)
def test_what_cannot_be_asked_is_refused_with_what_may_be(capsys, line, said):
    assert run(["matters", *line]) == 2
    assert said in capsys.readouterr().err


def test_the_fast_engine_is_refused_where_it_cannot_play(capsys, monkeypatch):
    monkeypatch.setattr(fast, "find_spec", lambda name: None)
    assert run([*LINE, "--engine", "fast"]) == 2
    assert "cannot play this" in capsys.readouterr().err


NEVER = [
    "matters",
    "quanti-1822",
    "quanti-1822",
    "--set",
    "2:payments.premium.mediateur=3",
    "--deals",
    "40",
]


def test_the_search_for_what_cannot_happen_finds_nothing(capsys):
    assert run([*NEVER, "--format", "json"]) == 0
    finding = json.loads(capsys.readouterr().out)["findings"][0]
    assert finding["verdict"] == "no difference"
    assert finding["targeted_search"]
    assert not any(s["triggered"] or s["diverge"] for s in finding["targeted_search"])
    assert finding["triggered"]["triggered"] == 0
    assert "shrunk" not in finding


def test_its_pictures_have_the_numbers_of_the_answer():
    finding = told("--engine", "readable")
    often, gains, over, gaining = pictures_of(finding)
    share = finding["findings"][0]["share"]
    assert [m.value for m in often.rows] == [100 * share["mean"]]
    effects = finding["findings"][0]["effects"]["total"]
    numbers = {
        c: (e["mean"], e["low"], e["high"])
        for columns in effects.values()
        for c, e in columns.items()
    }
    assert [(m.value, m.low, m.high) for m in gains.rows] == list(numbers.values())
    sessions = finding["findings"][0]["over_sessions"]
    drawn = {(m.series, m.value) for m in over.rows if m.series != "mean"}
    assert drawn == {
        (quartile.replace("_", " "), sessions[role][quartile]["value"])
        for role in PICKED_ROLES
        for quartile in ("lower_quartile", "median", "upper_quartile")
    }
    assert {m.series for m in gaining.rows} == {"gain", "even", "lose"}
    assert pictures_of({"findings": [{"verdict": "same rules"}]}) == ()


@pytest.mark.slow
def test_what_players_get_from_the_box_is_a_difference_though_cards_payments_and_pools_never_diverge(
    capsys,
):
    line = [
        "matters",
        "quintille",
        "purse_empty",
        "--deals",
        "40",
        "--players",
        "random",
        "--format",
        "json",
    ]
    assert run(line) == 0
    finding = next(
        f for f in json.loads(capsys.readouterr().out)["findings"] if f["reading"] == "refill"
    )
    assert finding["triggered"]["diverge"] > 0 == finding["diverge"]
    assert finding["verdict"] == "different"
    assert "from the box" in finding["example"]["second"]
    assert run(line[:-2]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert (
        "from the box under the alternative; in cards, payments and pools none of 40 matched starts"
        in shown
    )


@pytest.mark.parametrize("option", ["--precision"])
@pytest.mark.parametrize("value", ["nan", "inf", "0", "-1"])
def test_what_is_no_number_to_stop_at_is_refused(capsys, option, value):
    assert run([*LINE, option, value]) == 2
    assert "Invalid value" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--within", "--smallest", "--power"])
@pytest.mark.parametrize("value", ["nan", "inf", "0", "-1"])
def test_what_is_no_number_of_counters_is_refused(capsys, option, value):
    assert run([*LINE, option, value]) == 2
    assert f"{option} wants counters above 0" in capsys.readouterr().err


def test_power_says_before_playing_how_many_deals_show_an_effect():
    """From a pilot: the smaller the effect the more; and whatever differs, nothing is said of who
    gains."""

    pytest.importorskip("numba")
    pilot = ("--deals", "1600", "--engine", "fast")

    def shown(size):
        plan = told(*pilot, "--power", size)
        assert plan["design"]["deals"] == 1600
        return {
            column: one["shown"]
            for column, one in plan["plans"][0]["needed"].items()
            if one["differing"] >= 30
        }

    some, more = shown("40"), shown("20")
    assert set(some) >= {"seat 0", "seat 3", "hombre", "adversaries"}
    assert all(more[column] > some[column] for column in some)
    assert len({some[f"seat {s}"] for s in range(4)}) == 1  # the widest seat's
    text = " ".join(printed(*pilot, "--power", "20").split())
    assert "deals show, with a probability of 80 %," in text
    assert "what each gains" not in text


def test_nothing_is_planned_by_a_pilot_in_which_too_few_sessions_differ():
    """Two sessions of forty deals tell nothing of how sessions vary."""
    plan = told("--engine", "readable", "--power", "20")
    assert {(n["within"], n["shown"]) for n in plan["plans"][0]["needed"].values()} == {
        (None, None)
    }
    assert "too few differences to plan by" in " ".join(
        printed("--engine", "readable", "--power", "20").split()
    )


@pytest.mark.slow
def test_empty_purses_are_searched_for_in_whole_sessions(capsys):
    """In forty deals of these bots no purse of quanti-1822 is empty; played at random some are."""
    assert run(["matters", "quanti-1822", "purse_empty", "--deals", "40", "--format", "json"]) == 0
    for finding in json.loads(capsys.readouterr().out)["findings"]:
        assert (finding["verdict"], finding["diverge"], finding["triggered"]["diverge"]) == (
            "different",
            0,
            0,
        )
        assert [s["strategy"] for s in finding["targeted_search"] if s["diverge"]] == ["sessions"]
        assert finding["example"]["diverges_in"] == "purses"


def test_what_more_deals_would_tell_is_asked_for_by_options_that_play_on():
    """`--deals` was proposed with fewer deals than there might have been: what stopped was the
    precision, or a seat.

    A larger `--smallest` was proposed too, which stopped earlier, and proposed a larger one again.
    """
    wide, narrow = Bounds(-70.0, 60.0), Bounds(25.0, 45.0)
    for column, bounds, deals, seats, options in (
        ("hombre", wide, 9000, False, "--deals 9000"),
        ("hombre", narrow, 300, False, "--within 1"),
        ("seat 1", wide, 300, False, "--seats (in Python seats=True), 300 deals"),
        ("seat 1", wide, 100, False, "--seats (in Python seats=True)"),
        ("seat 1", wide, 9000, True, "--deals 9000"),
    ):
        interest = 10.0 if column.startswith("seat") else 40.0
        needed = (deals, deals)
        mean = Mean(
            mean=Fraction(35),
            bounds=bounds,
            needed=needed,
            interest=interest,
            differing=9,
            answer="undecided",
        )
        finding = Finding(
            point="p",
            reading="r",
            compiled=None,
            verdict="different",
            gains=(Gain(column=column, means={"total": mean}),),
            trials=200,
        )
        design = Question(
            seed=1,
            bots=("steady",) * 4,
            session_deals=40,
            sessions=10,
            precision=0.1,
            smallest=Fraction(10),
            within=Fraction(5),
            alpha=0.05,
            columns=9,
            seats=seats,
            alternatives=1,
        )
        found = Matters(base=None, design=design, engine="readable", findings=(finding,))
        assert for_more(found, finding) == f"; for more: {options}"
