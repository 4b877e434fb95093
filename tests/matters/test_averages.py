"""Effects averaged over readings by the user's weights: ``quadrille matters REF --over POINT``."""

import csv
import io
import json
from fractions import Fraction

import pytest
from documents import told_below
from quadrille_plugins.matters.averages import AverageRun, PlayingAverages, in_one_unit
from quadrille_plugins.matters.weights import combinations_of, lines_by_reading, weighed
from quadrille_plugins.shell.main import run
from quadrille_plugins.studies.accounts import columns, places
from quadrille_plugins.studies.effects import TOTAL
from quadrille_plugins.studies.runner.tasks import Sessions
from quadrille_plugins.studies.sessions import readable

from quadrille_core.errors import ProfileError, UsageError
from quadrille_core.ruleset import compile_reference

BASE = "quanti-1822"
SHARED = "codille_shared:always=3,triple_stake=1"
LINE = ["matters", BASE, "--engine", "readable", "--players", "steady", "--deals", "40"]


@pytest.fixture(scope="module")
def base():
    return compile_reference(BASE)


@pytest.fixture
def told(capsys):
    def told(*over, form="json", line=LINE):
        given = [word for one in over for word in ("--over", one)]
        assert run([*line, *given, "--format", form]) == 0
        return capsys.readouterr().out

    return told


def test_weights_sum_to_one_and_a_reading_that_is_not_named_weighs_nothing(base):
    assert weighed(base, SHARED).weights == {
        "always": Fraction(3, 4),
        "triple_stake": Fraction(1, 4),
    }
    assert weighed(base, "solo_premium:two_units=0.5, double_stake=1/2").weights == {
        "four_units": 0,
        "two_units": Fraction(1, 2),
        "double_stake": Fraction(1, 2),
    }
    assert weighed(base, "codille_shared").weights == {}


@pytest.mark.parametrize(
    ("over", "variant"),
    [
        (["codille_shard"], "no-point-in-profile"),
        (["codille_shared:allways=1"], "no-reading-to-weigh"),
        (["codille_shared:always=-1"], "no-weight"),
        (["codille_shared:always=1/0"], "no-weight"),
        (["codille_shared:always"], "no-weight"),
        (["codille_shared:always=1e9"], "no-weight"),
        (["codille_shared:always=0"], "weights-sum-to-nothing"),
        (["codille_shared:always=1,always=2"], "reading-weighed-twice"),
        (["codille_shared", "codille_shared"], "point-weighed-twice"),
        (["unit_rounding", "odd_counters", "elder_may_raise"], "too-many-to-average"),
    ],
)
def test_what_is_no_point_reading_or_weight_is_refused(base, over, variant):
    with pytest.raises(UsageError) as refused:
        combinations_of(base, BASE, [weighed(base, text) for text in over], {}, {})
    assert [p.variant for p in refused.value.problems] == [variant]


def test_a_combination_that_its_rules_do_not_allow_is_refused():
    free = {"table.purse": 0, "table.coins": []}
    base = compile_reference(BASE, settings=free)
    with pytest.raises(ProfileError):
        combinations_of(base, BASE, [weighed(base, "purse_empty")], {}, free)


def test_combinations_begin_with_the_readings_in_use_and_their_weights_are_products(base):
    points = [weighed(base, SHARED), weighed(base, "codille_base:taken=2,pool=1")]
    found = combinations_of(base, BASE, points, {}, {})
    assert [(*one.readings.values(), one.weight) for one in found] == [
        ("always", "pool", Fraction(1, 4)),
        ("always", "taken", Fraction(1, 2)),
        ("triple_stake", "pool", Fraction(1, 12)),
        ("triple_stake", "taken", Fraction(1, 6)),
    ]
    assert [one.same for one in found] == [True, False, False, False]


def test_texts_that_descend_from_one_another_are_one_line_in_whichever_reading(base):
    found = lines_by_reading(base, weighed(base, "ponto"))
    sources = {reading: {s: n for n, (s, _) in some} for reading, some in found.items()}
    assert sources["red_ace_only"]["parlett"] == sources["black_king_too"]["wikipedia-new"]
    assert len(set(sources["red_ace_only"].values())) == len(sources["red_ace_only"]) == 4


def test_an_average_is_that_of_each_sessions_differences_on_the_same_deals(base):
    weights, lengths = (Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)), (20, 20)
    rules = [
        compile_reference(BASE, readings={"solo_premium": r}).ruleset
        for r in ("four_units", "two_units", "double_stake")
    ]
    work = PlayingAverages(
        tuple(rules), ("steady",) * 4, 5, None, False, 0, weights=in_one_unit(weights)
    )
    task = Sessions(3, lengths, (1, 2))
    run = AverageRun(work.weights, work.ready()(task))
    assert work.fits(task, run.sums)
    assert not work.fits(Sessions(3, lengths[:1], (1, 2)), run.sums)

    moved = []
    for engine in readable(rules, work.bots):
        held = engine.play(5, 3, lengths, None, 0)
        moved.append([[s.moved[p] for p in places(4)] for s in held.session_sums()])
    for place, column in enumerate(columns(4)):
        by_session = [
            sum(
                w * (rows[n][place] - moved[0][n][place])
                for w, rows in zip(weights, moved, strict=True)
            )
            for n in range(2)
        ]
        sums = run.sums.effects[-1].changes[TOTAL][column]
        assert sums.total == sum(by_session)
        assert sums.squares == sum(d * d for d in by_session)

    run.look()
    one, two, average = run.payments
    for column in columns(4):
        far = one[column].reach / 3 + two[column].reach / 6
        assert average[column].reach == pytest.approx(far)


def test_the_average_lies_in_the_range_over_all_weights_which_the_readings_reach(told):
    found = json.loads(told(SHARED, "codille_base:pool=1,taken=1"))
    whole, effects = found["over_all_weights"], found["combinations"]
    for column, average in found["average"]["steady"]["roles"].items():
        one = [e["effects"]["steady"]["roles"][column] for e in effects]
        weighted = sum(
            Fraction(e["weight"]) * Fraction(m["mean"]) for e, m in zip(effects, one, strict=True)
        )
        assert average["mean"] == pytest.approx(float(weighted), abs=1e-5)
        span = whole["steady"]["roles"][column]
        assert (span["least"], span["most"]) == pytest.approx(
            (min(m["mean"] for m in one), max(m["mean"] for m in one)), abs=1e-5
        )
        assert span["low"] == min(m["low"] for m in one) <= average["mean"] <= span["high"]
        assert whole["all"]["roles"][column] == span  # one player was asked


def test_all_weight_on_one_reading_gives_its_own_effect_and_interval(told):
    found = json.loads(told("codille_shared:triple_stake=1"))
    assert found["average"]["steady"] == found["combinations"][1]["effects"]["steady"]


def test_without_weights_there_is_a_range_and_no_average(told):
    bare = json.loads(told("codille_shared"))
    assert bare["average"] is None
    assert bare["design"]["effects"] == 1
    assert {r["weight"] for r in bare["points"][0]["readings"].values()} == {None}


def test_the_point_without_weights_is_named(told):
    """Where one of two points is weighed, the answer says which is not."""
    text = told(SHARED, "codille_base", form="table")
    (said,) = (line for line in " ".join(text.split()).split(". ") if "so there is no av" in line)
    assert "codille_base" in said
    assert "codille_shared" not in said


def test_one_point_without_weights_leaves_no_average(base):
    bare = combinations_of(
        base, BASE, [weighed(base, SHARED), weighed(base, "codille_base")], {}, {}
    )
    assert {one.weight for one in bare} == {None}


def test_each_number_has_a_row_and_the_page_tells_of_every_column_and_key(told):
    rows = list(csv.DictReader(io.StringIO(told(SHARED, form="csv"))))
    found = json.loads(told(SHARED))
    assert {*rows[0], *found} == {*told_below("matters.md", "Averaged over readings")}
    averages = {
        (r["partition"], r["column"]): float(r["mean"]) for r in rows if r["of"] == "average"
    }
    assert averages == {
        (part, column): effect["mean"]
        for part, effects in found["average"]["steady"].items()
        for column, effect in effects.items()
    }


def test_the_same_seed_gives_the_same_bytes_with_any_number_of_workers(told):
    one, three = ([*LINE, "--deals", "120", "--workers", many] for many in ("1", "3"))
    assert told(SHARED, line=one) == told(SHARED, line=three)


@pytest.mark.slow
def test_both_engines_give_the_same_numbers(told):
    both = [
        json.loads(told(SHARED, "unit_rounding:down=1", line=[*LINE, "--engine", engine]))
        for engine in ("readable", "fast")
    ]
    for found in both:
        del found["design"]
    assert both[0] == both[1]


def test_a_point_beside_over_and_an_option_that_it_does_not_take_are_refused(capsys):
    assert run(["matters", BASE, "codille_base", "--over", "codille_shared"]) == 2
    assert run(["matters", BASE, "--over", "codille_shared", "--decompose"]) == 2
    assert "--over" in capsys.readouterr().err
