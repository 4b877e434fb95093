"""``compare --double-dummy``: par under several rule sets on the same deals."""

import csv
import io
import json
from collections import Counter
from fractions import Fraction
from importlib.util import find_spec

import pytest

pytest.importorskip("numba")

from quadrille_plugins.compare.double_dummy import (
    STEPS,
    SolverCache,
    Worked,
    compare_open,
    open_pair,
)
from quadrille_plugins.compare.double_dummy_command import open_json
from quadrille_plugins.deal.record import replay
from quadrille_plugins.kernel.ready import ready
from quadrille_plugins.solver.deals import DealSolver, dealt
from quadrille_plugins.studies.paired import FEWEST_DIFFERING
from quadrille_plugins.studies.runner.executors import Placement
from quadrille_plugins.studies.runner.run import Runner

from quadrille_core.cards import Suit
from quadrille_core.errors import UsageError
from quadrille_core.installation import install_hint
from quadrille_core.ruleset import compile_reference

TWO = ("quanti-1822", "quadrille-modern")


@pytest.fixture(scope="module", autouse=True)
def compiled_before():
    """What is compiled is compiled here, and said here."""
    if find_spec("numba"):
        ready("quadrille_plugins.solver.solve")


def compiled(*references):
    return [compile_reference(r) for r in references]


@pytest.fixture(scope="module")
def found():
    return compare_open(compiled(*TWO), deals=12, seed=5)


@pytest.mark.slow
def test_every_number_is_that_of_the_deals_solved_one_by_one(found):
    pars = [
        [
            DealSolver(c.ruleset, dealt(c.ruleset.rules, 5, number, 0)).value()
            for number in range(12)
        ]
        for c in compiled(*TWO)
    ]
    pair = found.pairs[0]

    def contract(v):
        return v.par.contract.spec.bid, v.par.contract.hombre, v.solved.trump, v.solved.ally

    assert (
        pair.contract_differs.count
        == sum(contract(a) != contract(b) for a, b in zip(*pars, strict=True))
        > 0
    )
    assert pair.payments_differ.count == sum(a.net != b.net for a, b in zip(*pars, strict=True))
    for index, values in enumerate(pars):
        summary = found.summaries[index]
        hombre = [v.net[v.par.contract.hombre] for v in values]
        assert summary.roles["hombre"].mean == sum(hombre, Fraction(0)) / 12
        assert {c.name: c.count for c in summary.contracts} == Counter(
            str(v.par.contract.spec) for v in values
        )
    means = [s.roles["hombre"].mean for s in found.summaries]
    assert pair.roles["hombre"].mean == means[1] - means[0]
    assert [s.name for s in pair.steps] == list(STEPS)
    assert sum(s.count for s in pair.steps[:-1]) == pair.contract_differs.count


@pytest.mark.parametrize(
    ("differing", "given"), [(0, False), (FEWEST_DIFFERING - 1, False), (FEWEST_DIFFERING, True)]
)
def test_a_difference_of_pars_has_an_interval_only_where_enough_deals_differ(differing, given):
    """Nothing that was seen to differ in few deals, or in none, is known to be zero."""
    first = compiled(TWO[0])[0]

    def par(hombre):
        net = tuple(Fraction(n) for n in (hombre, -1, -1, 2 - hombre))
        return Worked("solo", 0, Suit(0), None, 6, "won", net, Fraction(0))

    columns = [[par(3)] * 60, [par(4 + n % 2) if n < differing else par(3) for n in range(60)]]
    pair = open_pair([first, first], columns, 1, 0)
    assert (pair.roles["hombre"].low is not None) == given
    assert (pair.seats["seat 3"].low is not None) == given
    assert pair.seats["seat 1"].low is None
    assert pair.roles["hombre"].mean == Fraction(sum(1 + n % 2 for n in range(differing)), 60)


def test_examples_come_weightiest_first_and_are_deals_that_differ(found):
    examples = found.pairs[0].examples
    assert [e.weight for e in examples] == sorted((e.weight for e in examples), reverse=True)
    for e in examples:
        assert e.pars[1].differs_from(e.pars[0]) == e.step
        assert e.weight == sum(
            abs(a - b) for a, b in zip(e.pars[0].net, e.pars[1].net, strict=True)
        )


def test_the_results_do_not_depend_on_the_workers(found):
    again = compare_open(compiled(*TWO), deals=12, seed=5, runner=Runner(Placement(2)))
    assert open_json(again) == open_json(found)


def test_rules_against_themselves_differ_in_nothing():
    pair = compare_open(compiled("quanti-1822", "quanti-1822"), deals=6, seed=2).pairs[0]
    assert (pair.contract_differs.count, pair.payments_differ.count, pair.examples) == (0, 0, ())
    assert {e.mean for e in (*pair.roles.values(), *pair.seats.values())} == {0}


def test_what_rules_share_is_solved_once_and_the_same():
    dearer = compile_reference("quanti-1822", settings={"payments.premium.solo": 9})
    room = SolverCache([*(c.ruleset for c in compiled("quanti-1822")), dearer.ruleset])
    solvings = list(room.solvings(1, 0))
    assert solvings[0].play is solvings[1].play, "they differ in payments alone"
    apart = [DealSolver(d.ruleset, d.setup).value() for d in solvings]
    assert [d.value() for d in solvings] == apart


@pytest.mark.slow
def test_interrupted_it_reports_the_deals_that_were_finished(found):
    def stop(done, total, seconds):
        assert total == 12
        if done == 4:
            raise KeyboardInterrupt

    for workers in (1, 2):
        partial = compare_open(
            compiled(*TWO), deals=12, seed=5, runner=Runner(Placement(workers)), progress=stop
        )
        assert (partial.interrupted, partial.deals) == (True, 4)
        whole = compare_open(compiled(*TWO), deals=4, seed=5)
        assert open_json(partial)["paired"] == open_json(whole)["paired"]


def test_interrupted_before_the_first_deal_it_says_nothing(monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("quadrille_plugins.compare.double_dummy.SolverCache.work", interrupted)
    with pytest.raises(KeyboardInterrupt):
        compare_open(compiled(*TWO), deals=3, seed=1)


def test_rules_for_four_and_for_five_are_not_compared():
    with pytest.raises(UsageError, match="seats four players and quintille five"):
        compare_open(compiled("quanti-1822", "quintille"), deals=2, seed=1)


# --- the command --------------------------------------------------------------------------------

ARGS = ("compare", *TWO, "--double-dummy", "--deals", "6", "--workers", "1")


@pytest.mark.slow
def test_the_command_in_all_formats_and_the_deals_it_saves(quadrille, tmp_path):
    status, out, err = quadrille(
        *ARGS, "--format", "json", "--save", str(tmp_path / "deals"), "--examples", "2"
    )
    assert (status, err) == (0, "")
    data = json.loads(out)
    assert list(data) == ["rules", "design", "rules_diff", "paired", "per_rule_set"]
    assert data["design"] == {"deals": 6, "seed": 1, "double_dummy": True, "interrupted": False}
    for example in data["paired"][0]["examples"]:
        for index, reference in enumerate(TWO):
            path = tmp_path / "deals" / f"session{example['session']}-deal0-{index + 1}.json"
            record = json.loads(path.read_text())
            assert record["net"] == example["pars"][index]["net"]
            assert replay(compile_reference(reference).ruleset, record).divergence is None
            found = json.loads(
                quadrille("deal", "--solve", "--replay", str(path), "--format", "json")[1]
            )
            assert found["par"]["net"] == record["net"]
    rows = list(csv.DictReader(io.StringIO(quadrille(*ARGS, "--format", "csv")[1])))
    assert list(rows[0]) == ["section", "rules", "against", "name", "mean", "low", "high", "count"]
    assert {r["section"] for r in rows} == {
        "differs",
        "difference",
        "contract",
        "outcome",
        "payment",
        "mean",
    }
    table = quadrille(*ARGS, "--details")[1]
    assert ": how often it matters" in table
    assert "see one solved: quadrille deal quanti-1822 --solve --seed 1 --session" in table


@pytest.mark.parametrize(
    "more", [("--sessions", "2"), ("--players", "random"), ("--engine", "fast")]
)
def test_what_is_meant_for_players_is_refused(more, quadrille):
    status, out, err = quadrille("compare", *TWO, "--double-dummy", *more)
    assert (status, out) == (2, "")
    assert "with --double-dummy nobody plays" in err


def test_without_numba_it_says_how_to_get_it(monkeypatch, quadrille):
    monkeypatch.setattr("quadrille_plugins.solver.open_play.find_spec", lambda _: None)
    status, out, err = quadrille(*ARGS)
    assert (status, out) == (2, "")
    assert install_hint("fast") in err
