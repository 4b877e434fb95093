"""A family of players is asked whether a reading matters: what all agree on, what depends on who
plays, who stops."""

import json
from fractions import Fraction
from itertools import pairwise

import pytest
from quadrille_plugins.deal.players import family
from quadrille_plugins.matters.alternatives import Alternative
from quadrille_plugins.matters.data import matters_csv
from quadrille_plugins.matters.matched_play import MatchedPlayer
from quadrille_plugins.matters.matched_starts import DIVERGED, MatchedSums
from quadrille_plugins.matters.pictures import pictures_of
from quadrille_plugins.matters.study import (
    AlternativeRun,
    Finding,
    Gain,
    Matters,
    Mean,
    Question,
    decided_after,
    design_of,
    matters,
    mean_of,
    of_all,
    settled_now,
)
from quadrille_plugins.shell.main import run
from quadrille_plugins.studies.effects import TOTAL
from quadrille_plugins.studies.intervals import Moments
from quadrille_plugins.studies.sequences import ALPHA, Bounds, PayeeSums

from quadrille_core.ruleset import compile_reference

BOLD, TIMID = "steady:boldness=+3", "steady:boldness=-6"
MEMBERS = ("steady", BOLD, TIMID)
BASE = compile_reference("quanti-1822")
OTHER = compile_reference("quanti-1822", settings={"payments.premiers": 3})


def question(**more: object) -> Question:
    asked = {"deals": 4000, "seed": 1, "bots": ("steady",), "precision": 1e-4} | more
    return design_of([BASE, OTHER], **asked)  # type: ignore[arg-type]


# --- what is allowed to fail ----------------------------------------------------------------------


def test_the_error_is_divided_among_alternatives_players_columns_and_estimands():
    """So that whatever is said of all players together errs in one study of twenty at most."""
    alone, all_of_them = question(), question(others=[(BOLD,), (TIMID,)], decompose=True)
    assert (alone.alpha, alone.members) == (ALPHA, ("steady",))
    assert all_of_them.members == MEMBERS
    assert all_of_them.others == ((BOLD,) * 4, (TIMID,) * 4)
    assert all_of_them.alpha == pytest.approx(ALPHA / 3)
    assert all_of_them.payment_alpha == pytest.approx(ALPHA / 3 / all_of_them.columns / 5)
    sums = PayeeSums(sessions=100, total=Fraction(300), spread=9e4, differing=60, reach=200.0)
    one, another = (mean_of(sums, "hombre", design).bounds for design in (alone, all_of_them))
    assert one.half < another.half == sums.half(all_of_them.payment_alpha)


# --- what all say of it ---------------------------------------------------------------------------

LARGER = (80.0, 50.0, 110.0, "larger")
LESS = (-80.0, -110.0, -50.0, "larger")
SMALLER = (3.0, -20.0, 26.0, "smaller")
OPEN = (35.0, 10.0, 60.0, "undecided", (9_000, 40_000))
LATER = (36.0, 20.0, 52.0, "undecided", (20_000, 30_000))
NEAR = (39.9, 30.0, 49.0, "near")


def finding(told: tuple, *, diverged: int = 9) -> Finding:
    mean, low, high, answer, *needed = told
    found = Mean(
        mean=Fraction(mean),
        bounds=Bounds(low, high),
        differing=40,
        answer=answer,
        needed=needed[0] if needed else None,
        interest=40.0,
    )
    return Finding(
        point="p",
        reading="r",
        compiled=None,
        verdict="different" if diverged else "no difference",
        trials=4000,
        deals=4000,
        sessions=100,
        diverged=diverged,
        share=Bounds(0.0, 0.01),
        gains=(Gain(column="hombre", means={TOTAL: found}),),
    )


@pytest.mark.parametrize(
    ("told", "answer", "cost"),
    [
        ((LARGER, LARGER, LARGER), "larger", ()),
        ((SMALLER, SMALLER, SMALLER), "smaller", ()),
        ((LARGER, SMALLER, OPEN), "depends", ()),
        ((LARGER, LESS, NEAR), "depends", ()),
        ((LARGER, OPEN, LARGER), "undecided", ((9_000, 40_000),)),
        ((OPEN, LATER, SMALLER), "undecided", ((20_000, 40_000),)),
        ((NEAR, OPEN, SMALLER), "near", (None,)),
        ((LARGER, NEAR, LARGER), "near", (None,)),
    ],
)
def test_a_verdict_needs_all_and_two_that_contradict_show_that_it_depends(told, answer, cost):
    """What is not decided takes as long as the one who takes longest; where one is near its size
    nobody can say."""
    found = of_all(
        dict(zip(MEMBERS, map(finding, told), strict=True)), question(others=[(BOLD,), (TIMID,)])
    )
    assert found.answer_on("hombre") == found.verdicts["hombre"].answer == answer
    assert tuple(c.deals for c in found.costs) == cost
    told_of_all = found.verdicts["hombre"]
    assert (told_of_all.low, told_of_all.high) == (min(t[1] for t in told), max(t[2] for t in told))
    if told[0] != told[2]:
        assert "how boldly one bids" in told_of_all.by


def test_a_deal_that_diverges_by_any_player_is_proof_and_who_gains_is_then_told_of_all():
    """Played by the first alone it would be no difference."""
    design = question(others=[(BOLD,)])
    found = of_all(
        {"steady": finding(SMALLER, diverged=0), BOLD: finding(LARGER, diverged=4)}, design
    )
    assert (found.verdict, found.diverged) == ("different", 0)
    assert set(found.by_all("hombre")) == {"steady", BOLD}
    none = of_all(
        {"steady": finding(SMALLER, diverged=0), BOLD: finding(SMALLER, diverged=0)}, design
    )
    assert (none.verdict, none.gains) == ("no difference", ())
    assert [c.until for c in none.costs] == ["tenth_of_precision"]


def test_one_player_is_told_as_if_there_were_no_family():
    """No verdicts by all, and the same finding."""
    alone = finding(LARGER)
    found = of_all({"steady": alone}, question())
    assert (found.family, found.verdicts, found.answer_on("hombre")) == ({}, {}, "larger")
    assert found == alone


# --- who goes on ----------------------------------------------------------------------------------


def run_of(total: int, spread: float, diverged: int = 50) -> AlternativeRun:
    """A hundred sessions in which the Hombre's differences sum to so much."""
    matched = MatchedSums()
    matched.shares[DIVERGED] = Moments(sessions=100, total=Fraction(diverged), count=4000)
    sums = PayeeSums(sessions=100, total=Fraction(total), spread=spread, differing=90, reach=100.0)
    matched.effects.reach = dict.fromkeys(("seat 0", "redealt", "antes"), Fraction(0))
    nobody = Alternative(point="", reading="", compiled=None)
    return AlternativeRun(nobody, matched=matched, payments={TOTAL: {"hombre": sums}})


@pytest.mark.parametrize(
    ("runs", "stop"),
    [
        (
            [run_of(20_000, 1e4), run_of(0, 1e4), run_of(4_000, 1e6)],
            [0, 1, 2],
        ),  # larger, smaller: it depends
        (
            [run_of(20_000, 1e4), run_of(20_000, 1e4), run_of(4_000, 1e6)],
            [0, 1],
        ),  # the third may still agree
        ([run_of(4_000, 1e6), run_of(0, 1e4), run_of(4_000, 1e6)], [1]),
        (
            [run_of(20_000, 1e4), run_of(0, 1e4, diverged=0), run_of(20_000, 1e4)],
            [0, 1, 2],
        ),  # proved by another
        ([run_of(0, 1e4, diverged=0), run_of(0, 1e4, diverged=0)], []),
    ],
)
def test_a_player_stops_who_has_an_answer_and_nobody_plays_for_what_depends_on_who_plays(
    runs, stop
):
    """Of what is settled nothing more is to be learnt."""
    design = question(others=[(BOLD,)] * (len(runs) - 1))
    assert settled_now(runs, range(len(runs)), design) == stop


# --- when it will be decided ----------------------------------------------------------------------


def sums(mean: float, deviation: float, sessions: int = 500) -> PayeeSums:
    return PayeeSums(
        sessions=sessions,
        total=Fraction(mean) * sessions,
        spread=deviation**2 * sessions,
        differing=sessions,
        reach=3 * deviation,
    )


def test_a_forecast_lies_after_what_was_played_and_farther_off_the_nearer_the_size():
    """Where the size itself lies within what the mean may be, no number of deals is enough for
    sure."""
    found = [decided_after(sums(mean, 200.0), 40.0, 1e-3, 1e7) for mean in (0.0, 10.0, 15.0)]
    assert all(one is not None and 500 < one[0] <= one[1] for one in found)
    assert all(one[1] < another[1] for one, another in pairwise(found))
    assert decided_after(sums(39.5, 200.0), 40.0, 1e-3, 1e6) is None
    mean = mean_of(sums(40.0, 20.0, 10**6), "hombre", question())
    assert (mean.answer, mean.needed) == ("near", None)


def test_where_no_session_differs_a_forecast_allows_for_one_as_large_as_the_reach():
    """It is a range, though the mean seems to be known."""
    few = PayeeSums(sessions=50, total=Fraction(0), spread=0.0, differing=0, reach=400.0)
    low, high = decided_after(few, 10.0, 1e-3, 1e7)
    assert 50 < low < high


# --- played ---------------------------------------------------------------------------------------


def test_both_engines_tell_the_same_of_another_member():
    """By the one table of players that is asked for, whichever it is."""
    pytest.importorskip("numba")
    from quadrille_plugins.studies import fast

    rules, told = [BASE.ruleset, OTHER.ruleset], []
    for tables in (None, fast.tabulate(rules, ("steady",))):
        plays = MatchedPlayer(
            rules, ("steady",) * 4, 9, tables=tables, others=((BOLD,) * 4, (TIMID,) * 4)
        )
        found = list(plays.at_tables(3, 2, 40, {2: [1]}, 100))
        assert {table for table, _ in found} == {2}
        whole = found[0][1]
        for _, more in found[1:]:
            whole.merge(more)
        told.append(
            (
                whole.pairs,
                [t.keys["paid", who] for t in whole.tables for who in ("seat 0", "hombre")],
            )
        )
    alone = next(MatchedPlayer(rules, (TIMID,) * 4, 9).runs(3, 1, 40, [1], 0))
    usual = next(MatchedPlayer(rules, ("steady",) * 4, 9).runs(3, 1, 40, [1], 0))
    first = next(
        MatchedPlayer(rules, ("steady",) * 4, 9, others=((TIMID,) * 4,)).at_tables(
            3, 1, 40, {1: [1]}, 0
        )
    )[1]
    assert told[0] == told[1]
    assert first.tables == alone.tables
    assert first.tables != usual.tables


class Spy:
    """Plays as a ``MatchedPlayer``, and keeps who was asked at each look."""

    def __init__(self, plays: MatchedPlayer) -> None:
        self.plays, self.asked = plays, []

    def at_tables(self, first, sessions, deals, others, sampled):
        self.asked.append((first, sessions, dict(others)))
        return self.plays.at_tables(first, sessions, deals, others, sampled)


def test_a_member_that_has_its_answer_stops_and_the_others_go_on():
    """Each finds what it would find if it were asked alone with the same error, and play ends with
    the last of them."""
    pytest.importorskip("numba")
    from quadrille_plugins.studies import fast

    other = compile_reference("quanti-1822", readings={"codille_shared": "triple_stake"})
    rules = [BASE.ruleset, other.ruleset]
    design = question(others=[(BOLD,), (TIMID,)], deals=20_000)
    plays = MatchedPlayer(
        rules, design.bots, 1, tables=fast.tabulate(rules, design.bots), others=design.others
    )
    spy = Spy(plays)
    alternatives = [Alternative(point="", reading="", compiled=other)]
    found = matters(BASE, alternatives, design, spy, engine="fast").findings[0]
    assert list(found.family) == list(MEMBERS)
    for table, one in enumerate(found.family.values()):
        assert one.sessions == sum(sessions for _, sessions, others in spy.asked if table in others)
        alone = MatchedPlayer(
            rules, design.tables[table], 1, tables=fast.tabulate(rules, design.tables[table])
        )
        runs = list(alone.runs(0, one.sessions, 40, [1], 0))
        for more in runs[1:]:
            runs[0].merge(more)
        assert (one.trials, one.diverged) == (runs[0].pairs[0].trials, runs[0].pairs[0].diverged)
        total = runs[0].pairs[0].effects.changes[TOTAL]["hombre"].total
        assert next(g for g in one.gains if g.column == "hombre").total.mean == total / one.sessions
    assert len({one.sessions for one in found.family.values()}) > 1
    assert found.verdict == "different"


# --- the command ----------------------------------------------------------------------------------


def asked(capsys, *line: str) -> dict:
    assert (
        run(
            [
                "matters",
                "quanti-1822",
                "failed_vole_keeps",
                "--deals",
                "2000",
                "--format",
                "json",
                *line,
            ]
        )
        == 0
    )
    return json.loads(capsys.readouterr().out)


def test_the_family_is_asked_unless_others_are(capsys, tmp_path):
    """Its members, verdicts and deals stand in the result; the manifest names whom it asked."""
    pytest.importorskip("numba")
    kept = tmp_path / "m.json"
    found = asked(capsys, "--engine", "fast", "--manifest", str(kept))
    one = found["findings"][0]
    assert found["design"]["family"] == list(one["family"]) == list(family())
    assert found["design"]["alpha"] == pytest.approx(ALPHA / len(family()))
    assert {one["seldomest_by"], one["oftenest_by"]} <= set(family())
    ends = [(one["verdicts"][c]["low"], one["verdicts"][c]["high"]) for c in one["verdicts"]]
    assert {(m.low, m.high) for m in pictures_of(found)[1].rows} <= set(ends)
    assert json.loads(kept.read_text())["parameters"]["players"] == "family"
    alone = asked(capsys, "--engine", "fast", "--players", "steady", "--manifest", str(kept))
    assert "family" not in {**alone["design"], **alone["findings"][0]}
    assert alone["design"]["alpha"] == ALPHA
    assert json.loads(kept.read_text())["parameters"]["players"] == "steady"


def test_the_readable_engine_asks_the_first_alone_and_says_so_last(capsys, tmp_path):
    """Whoever reads the answer knows by whom it is, and how to ask all."""
    kept = tmp_path / "m.json"
    line = ["matters", "quanti-1822", "failed_vole_keeps", "--deals", "40", "--engine", "readable"]
    assert run([*line, "--manifest", str(kept)]) == 0
    last = " ".join(capsys.readouterr().out.split())
    assert f"by {family()[0]} alone" in last
    assert json.loads(kept.read_text())["parameters"]["players"] == family()[0]
    assert run([*line, "--players", "steady"]) == 0
    assert "alone" not in capsys.readouterr().out.split("To cite this")[1]


def test_the_csv_has_a_row_for_each_player_and_for_all_together():
    """Each number says by whom it is; a verdict by all has no mean."""
    design = question(others=[(BOLD,)])
    one = of_all({"steady": finding(LARGER), BOLD: finding(SMALLER)}, design)
    whole = Matters(base=BASE, design=design, engine="fast", findings=(one,))
    heads, rows = matters_csv(whole)
    effects = [dict(zip(heads, row, strict=True)) for row in rows]
    assert {(r["player"], r["mean"], r["effect"]) for r in effects if r["column"] == "hombre"} == {
        ("steady", 80.0, "larger"),
        (BOLD, 3.0, "smaller"),
        ("all", "", "depends"),
    }
