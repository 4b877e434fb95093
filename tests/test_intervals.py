"""Intervals: the quantile, the linearised variance, and what paired sampling gains."""

import random
from fractions import Fraction

import pytest
from scipy import stats

from quadrille_core.study.intervals import FEWEST_SESSIONS, Tally, difference, ratio, t_quantile


@pytest.mark.parametrize("freedom", [*range(FEWEST_SESSIONS - 1, 60), 100, 1000, 10**6])
def test_the_quantile_agrees_with_scipys_within_two_in_a_thousand(freedom):
    assert t_quantile(freedom) == pytest.approx(stats.t.ppf(0.975, freedom), rel=2e-3)


def test_sessions_of_equal_length_give_the_textbook_interval_of_a_mean():
    values = [Fraction(v) for v in (3, 5, 4, 8, 1, 9, 2, 7)]
    found = ratio([Tally(v * 10, 10) for v in values])
    low, high = stats.t.interval(0.95, len(values) - 1, loc=4.875, scale=stats.sem([float(v) for v in values]))
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
            tallies.append(Tally(Fraction(sum(level + draw.randint(-4, 4) for _ in range(size))), size))
        found = ratio(tallies)
        hits += abs(float(found.mean)) <= found.half
    assert 0.925 <= hits / 1000 <= 0.97
