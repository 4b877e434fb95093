"""Intervals: the quantile, the linearised variance, and what paired sampling gains."""

import random
from fractions import Fraction

import pytest
from quadrille_plugins.studies.intervals import (
    FEWEST_SESSIONS,
    Moments,
    Tally,
    counted,
    difference,
    ratio,
    share_of,
    t_quantile,
)
from scipy import stats


@pytest.mark.parametrize("freedom", [*range(FEWEST_SESSIONS - 1, 60), 100, 1000, 10**6])
def test_the_quantile_agrees_with_scipys_within_two_in_a_thousand(freedom):
    assert t_quantile(freedom) == pytest.approx(stats.t.ppf(0.975, freedom), rel=2e-3)


def test_sessions_of_equal_length_give_the_textbook_interval_of_a_mean():
    values = [Fraction(v) for v in (3, 5, 4, 8, 1, 9, 2, 7)]
    found = ratio([Tally(v * 10, 10) for v in values])
    low, high = stats.t.interval(
        0.95, len(values) - 1, loc=4.875, scale=stats.sem([float(v) for v in values])
    )
    assert found.mean == Fraction(39, 8)
    assert (found.low, found.high) == pytest.approx((low, high), rel=2e-3)


def test_a_paired_difference_has_the_interval_of_the_differences():
    a = [Fraction(v) for v in (3, 5, 4, 8, 1, 9, 2, 7)]
    b = [v + d for v, d in zip(a, (0, 1, 0, 1, 1, 0, 2, 1), strict=True)]
    found = difference([Tally(v, 1) for v in b], [Tally(v, 1) for v in a])
    single = ratio([Tally(y - x, 1) for x, y in zip(a, b, strict=True)])
    assert found.mean == single.mean == Fraction(6, 8)
    assert found.half == pytest.approx(single.half)


def test_no_interval_is_given_for_fewer_than_six_sessions():
    assert ratio([Tally(Fraction(1), 1)] * (FEWEST_SESSIONS - 1)).half is None
    assert ratio([Tally(Fraction(1), 1)] * FEWEST_SESSIONS).half == 0


def test_the_interval_covers_the_truth_about_as_often_as_it_says():
    draw = random.Random(7)
    hits = 0
    for _ in range(1000):
        tallies = []
        for _ in range(12):
            level = draw.randint(-3, 3)
            size = draw.choice([20, 40])
            tallies.append(
                Tally(Fraction(sum(level + draw.randint(-4, 4) for _ in range(size))), size)
            )
        found = ratio(tallies)
        hits += abs(float(found.mean)) <= found.half
    assert 0.925 <= hits / 1000 <= 0.97


@pytest.mark.parametrize("truth", [0.002, 0.005, 0.02, 0.3, 0.97])
def test_the_interval_of_a_share_covers_rare_things_too(truth):
    """Ten sessions of forty, as ``compare`` plays by default; nothing seen is not nothing known."""
    draw = random.Random(3)
    hits = 0
    for _ in range(800):
        tallies = [
            Tally(Fraction(sum(draw.random() < truth for _ in range(40))), 40) for _ in range(10)
        ]
        found = share_of(Moments.of(*counted(tallies)))
        assert 0 <= found.low <= float(found.mean) <= found.high <= 1
        assert found.high > found.low
        hits += found.low <= truth <= found.high
    assert hits / 800 >= 0.93


def test_the_interval_of_a_share_heeds_sessions_whose_deals_go_together():
    draw = random.Random(5)
    hits = 0
    for _ in range(800):
        tallies = []
        for _ in range(20):
            level = draw.choice([0.1, 0.5])
            tallies.append(Tally(Fraction(sum(draw.random() < level for _ in range(40))), 40))
        found = share_of(Moments.of(*counted(tallies)))
        hits += found.low <= 0.3 <= found.high
    assert hits / 800 >= 0.92


def test_what_was_never_counted_has_no_difference():
    some, none = [Tally(Fraction(5), 1)] * 8, [Tally(Fraction(0), 0)] * 8
    assert difference(some, none) is None
    assert ratio(none).low is None
