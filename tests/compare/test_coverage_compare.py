"""The coverage simulation of ``compare``: that it can fail, and that the intervals hold where it is
soon seen."""

from dataclasses import replace

import pytest

pytest.importorskip("numba")

import numpy as np
from coverage_compare import READINGS, Population, exact, rows_of, runs_of
from quadrille_plugins.studies.accounts import columns
from quadrille_plugins.studies.effects import TOTAL

NAMES = ("hombre",)


def made(values):
    """A population whose sessions all columns of which differ so."""
    d = np.repeat(np.array(values, np.int64)[:, None], len(columns(4)), axis=1)
    return Population({TOTAL: d}, 1)


def tried(values, sessions, runs=400):
    rng = np.random.default_rng(3)
    return runs_of(made(values), READINGS[0], TOTAL, 40 * sessions, runs, rng, NAMES)


def test_intervals_of_rare_and_skewed_differences_hold_the_truth():
    """One session in ten differs, by 5 or 50 counters: at 500 sessions the interval covers as it
    states."""
    values = np.zeros(2000, np.int64)
    values[:160], values[160:200] = 5, 50
    told = tried(values, 500)
    assert told.given["hombre"] == 400
    assert told.held["hombre"] / 400 >= 0.93
    # an ordinary interval of these has a width of 1.24
    assert 1.2 < told.width["hombre"] / 400 < 1.9


def test_below_the_floor_there_is_no_interval_to_miss():
    """Two of 500 sessions differ: such intervals covered 66 % where 95 % was stated."""
    values = np.zeros(2000, np.int64)
    values[:8] = 50
    told = tried(values, 500)
    assert not told.given
    assert "none given" in next(rows_of(told))


def test_intervals_that_miss_are_counted(monkeypatch):
    """That the tests above can fail: intervals of a tenth of the width."""
    import coverage_compare as script

    real = script.effect_of

    def narrow(*arguments, **named):
        return real(*arguments, level=0.08, **named)

    monkeypatch.setattr(script, "effect_of", narrow)
    told = tried(np.arange(-1000, 1000), 100)
    assert told.held["hombre"] / told.given["hombre"] < 0.2


def test_a_coverage_has_clopper_and_pearsons_interval():
    assert exact(950, 1000) == "95.0 % (93.5–96.3)"
    assert exact(10, 10) == "100.0 % (69.2–100.0)"


def test_intervals_of_the_share_of_matched_starts_hold_it_and_those_that_miss_are_counted(
    monkeypatch,
):
    """Sessions that differ in 0 to 12 of 40 matched starts: an interval covers as stated, a tenth
    of it does not."""
    import coverage_compare as script

    found = np.stack([np.arange(2600) % 13, np.full(2600, 40)], axis=1)
    told = script.starts_runs(found, 20_000, 400, np.random.default_rng(3))
    assert told.held + told.above + told.below == 400
    assert told.share == 6 / 40
    assert 0.93 <= told.held / 400 <= 0.98
    real = script.share_of

    def narrow(sums):
        e = real(sums)
        reach = (e.high - e.low) / 20
        return replace(e, low=float(e.mean) - reach, high=float(e.mean) + reach)

    monkeypatch.setattr(script, "share_of", narrow)
    assert script.starts_runs(found, 20_000, 400, np.random.default_rng(3)).held / 400 < 0.25


def test_the_population_of_matched_starts_is_what_a_comparison_counts():
    """Session by session it adds up to the sums of the same sessions."""
    from coverage_compare import BLOCK, LENGTH, LONG_SEED, STARTS, starts_of
    from quadrille_plugins.compare.blocks import Comparing
    from quadrille_plugins.studies.accumulators import PAYMENTS_DIFFER
    from quadrille_plugins.studies.direct import EVERY
    from quadrille_plugins.studies.runner.tasks import Sessions

    from quadrille_core.ruleset import compile_reference

    reading = STARTS[0]
    found = starts_of(reading, BLOCK + 5)[::EVERY].sum(axis=0)
    pair = tuple(compile_reference(name).ruleset for name in (reading.first, reading.second))
    work = Comparing(pair, ("steady",) * 4, LONG_SEED, "fast", False, 0)
    sums = (
        work.ready()(Sessions(0, (LENGTH,) * (BLOCK + 5)))
        .accumulated.pairs[0]
        .starts[PAYMENTS_DIFFER]
    )
    assert found.tolist() == [sums.total, sums.count]


def test_the_tool_counts_the_intervals_of_quartiles_and_shares_that_miss():
    """As often as they say of the truth drawn from, and nearly always of another."""
    import coverage_compare as script
    from quadrille_plugins.studies.distribution import FIGURES, at_one_look

    rng, at = np.random.default_rng(3), np.array([50, 400])
    true, other = (script.Truth(np.arange(2000) - shift) for shift in (800, 1600))
    drawn = rng.choice(true.values, (400, 400))
    missed = script.misses(true, drawn, at, at_one_look())
    assert list(missed) == list(FIGURES)
    assert all(one.shape == (400, 2) and one.mean() < 0.08 for one in missed.values())
    assert script.misses(other, drawn, at, at_one_look())["median"][:, 1].mean() > 0.99


def test_the_tool_stops_where_every_seat_is_decided():
    import coverage_compare as script

    rng = np.random.default_rng(4)
    seats = rng.normal([0, 0, 30, -30], 8, (3000, 4)).round().astype(np.int64)
    found = script.Population({script.TOTAL: seats}, 1)
    decided, missed, wrong = script.stopped(found, 40, rng)
    assert (decided, wrong) == (40, 0)
    assert missed <= 4
