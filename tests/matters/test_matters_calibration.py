"""Planted differences are found and planted no-ops are not: a short version of
``matters_calibration.py``."""

import pytest

pytest.importorskip("numba")

from dataclasses import replace

from matters_calibration import PAYEES, PLANTS, account, exact, truth
from quadrille_plugins.matters.study import DIFFERENT, NONE
from quadrille_plugins.studies.sequences import ALPHA
from scipy.stats import binom

RUNS = 8
RARE_MISSED = 0.025
"""The chance that a run meets no deal of the rare plant, by docs/matters.md: exp(-32 000 · 46 / 400
000)."""
MEASURED = 0.018
"""The most by which, with 95 %, bounds of the other plants miss: none of the 200 runs in
docs/matters.md did."""


def allowed(runs, rate):
    """So many that more come by chance once in a hundred, and none where none can."""
    return int(binom.ppf(0.99, runs, rate))


def named(plant):
    return plant.title.partition(":")[0]


@pytest.mark.slow
@pytest.mark.parametrize("plant", [pytest.param(p, id=named(p)) for p in PLANTS])
def test_each_plant_is_known_for_what_it_is(plant):
    known = truth(replace(plant, long=min(plant.long, 200_000)))
    told = account(plant, RUNS, 31, known, searching=1)
    assert told.runs == RUNS
    # nothing can part under a no-op, and of a frequent difference the first look alone sees
    # hundreds of deals that do
    rare = plant.verdict == DIFFERENT and known.share < 1e-3
    assert told.wrong <= (allowed(RUNS, RARE_MISSED) if rare else 0)
    assert told.wrong_after == told.wrong - min(told.wrong, told.drill_down)
    assert told.missed_share <= (
        0 if plant.verdict == NONE else allowed(RUNS, ALPHA if rare else MEASURED)
    )
    # the payees of one run miss together if at all, so that it is runs that are allowed for
    assert told.missed_gains <= len(PAYEES) * allowed(RUNS, MEASURED) * (told.intervals > 0)


def test_exact_intervals_are_clopper_and_pearsons():
    assert exact(0, 200) == "0 of 200 (0.0–1.8 %)"
    assert exact(10, 200) == "10 of 200 (2.4–9.0 %)"
    assert exact(3, 3) == "3 of 3 (29.2–100.0 %)"
    assert exact(0, 0) == "none"
