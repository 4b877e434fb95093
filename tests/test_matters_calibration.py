"""Planted differences and planted no-ops are told apart: a short version of ``matters_calibration.py``."""

import pytest

pytest.importorskip("numba")

from dataclasses import replace

from matters_calibration import PLANTS, account, exact, truth
from scipy.stats import binom

from quadrille_core.study.sequences import ALPHA

RUNS = 8


@pytest.mark.parametrize("plant", PLANTS, ids=lambda p: p.title.partition(":")[0])
def test_each_plant_is_known_for_what_it_is(plant):
    known = truth(replace(plant, long=min(plant.long, 200_000)))
    told = account(plant, RUNS, 31, known, seeking=1)
    allowed = binom.ppf(0.999, RUNS, ALPHA)
    assert told.runs == RUNS
    assert told.wrong <= allowed
    assert told.wrong_after <= told.wrong
    assert told.missed_share <= allowed
    assert told.missed_gains <= binom.ppf(0.999, max(told.intervals, 1), ALPHA)


def test_an_answer_against_the_truth_is_counted():
    """That the test above can fail: the no-op taken for a difference, and a truth that is none."""
    wrong = replace(PLANTS[0], verdict="different", deals=40)
    told = account(wrong, 2, 1, replace(truth(PLANTS[0]), share=0.5), seeking=0)
    assert (told.wrong, told.wrong_after, told.missed_share) == (2, 2, 2)


def test_exact_intervals_are_clopper_and_pearsons():
    assert exact(0, 200) == "0 of 200 (0.0–1.8 %)"
    assert exact(10, 200) == "10 of 200 (2.4–9.0 %)"
    assert exact(3, 3) == "3 of 3 (29.2–100.0 %)"
    assert exact(0, 0) == "none"
