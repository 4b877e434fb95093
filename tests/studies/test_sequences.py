"""Confidence sequences: bounds that hold however often one looks."""

import itertools
import random
from fractions import Fraction
from math import exp, inf, log, sqrt

import numpy as np
import pytest
from coverage_matters import asymptotic
from quadrille_plugins.matters.study import looks
from quadrille_plugins.studies.sequences import (
    ALPHA,
    Bounds,
    PayeeSums,
    deviation,
    share_bounds,
    trials_for,
)
from scipy.stats import binom

RATIOS = np.array([exp(s * log(256) / 2**i) for i in range(11) for s in (1, -1)])


def evidence(k, n, p):
    """The mixture in plain numbers, as the module's docstring states it; ``k``, ``n`` and ``p`` may
    be arrays."""
    k, n, p = (np.asarray(x, float)[..., None] for x in (k, n, p))
    with np.errstate(all="ignore"):  # what grows beyond all bounds is infinite, and evidence enough
        others = np.exp(k * np.log(RATIOS) - n * np.log1p(p * (RATIOS - 1))).mean(axis=-1)
        nothing = np.where(k > 0, 0.0, np.exp(-n * np.log1p(-p)))[..., 0]
    return 0.8 * nothing + 0.2 * others


@pytest.mark.parametrize(
    ("k", "n"), [(0, 50), (1, 80), (3, 400), (17, 300), (290, 300), (300, 300)]
)
def test_the_ends_of_a_share_are_where_the_evidence_reaches_its_limit(k, n):
    bounds = share_bounds(k, n)
    assert bounds.low <= k / n <= bounds.high
    limit = 1 / ALPHA
    if bounds.high < 1:
        assert evidence(k, n, bounds.high) == pytest.approx(limit, rel=1e-9)
    if bounds.low > 0:
        assert evidence(k, n, bounds.low) == pytest.approx(limit, rel=1e-9)
    else:
        assert evidence(k, n, 0.0) < limit


def test_the_evidence_against_the_true_chance_is_one_on_average():
    """It is a martingale for equal chances: exactly 1 in expectation at any number of trials."""
    for p, n in ((0.3, 40), (0.02, 100)):
        assert sum(binom.pmf(k, n, p) * evidence(k, n, p) for k in range(n + 1)) == pytest.approx(1)


def test_and_no_more_than_one_where_the_chances_change():
    """For their average the expectation is less: the trials need not be alike."""
    chances = [0.02, 0.5, 0.1, 0.3, 0.0, 0.9]
    counts = np.array([1.0])
    for p in chances:
        counts = np.convolve(counts, [1 - p, p])
    average, n = sum(chances) / len(chances), len(chances)
    assert 0.1 < sum(counts[k] * evidence(k, n, average) for k in range(n + 1)) < 0.9


def test_where_nothing_happened_the_bound_is_about_three_and_a_fifth_in_so_many():
    for n in (1000, 32_000, 1_000_000):
        assert share_bounds(0, n) == Bounds(0.0, pytest.approx(3.2 / n, rel=0.01))


def test_what_always_happens_is_bounded_from_below_alone():
    assert share_bounds(1000, 1000).high == 1.0
    assert share_bounds(1000, 1000).low > 0.98


def test_shares_narrow_on_and_on_and_nothing_is_known_of_no_trials():
    assert share_bounds(0, 0) == Bounds(0.0, 1.0)
    widths = [
        share_bounds(3 * n // 10, n).half for n in (1000, 10_000, 100_000, 1_000_000, 10_000_000)
    ]
    assert all(b < 0.42 * a for a, b in itertools.pairwise(widths))


def misled(chances, paths, seed):
    """How many of so many paths at some time have evidence of 1/alpha against the average of their
    chances so far.

    ``chances`` gives each trial's from the counts before it and its number.
    """
    rng, n = np.random.default_rng(seed), np.arange(1, 2001)
    counts, total = np.zeros(paths), np.zeros(paths)
    wrong = np.zeros(paths, bool)
    for number in n:
        p = chances(counts, number)
        counts = counts + (rng.random(paths) < p)
        total = total + p
        wrong |= evidence(counts, number, total / number) >= 1 / ALPHA
    return wrong.sum()


CHANCES = {
    "one in two": lambda counts, number: np.full(counts.shape, 0.5),
    "one in fifty": lambda counts, number: np.full(counts.shape, 0.02),
    "one in a thousand": lambda counts, number: np.full(counts.shape, 0.001),
    "changing with time": lambda counts, number: np.full(
        counts.shape, 0.01 + 0.2 * (number % 100 > 80)
    ),
    "changing with what came before": lambda counts, number: (
        0.02 + 0.3 * ((counts * 7 + number) % 5 == 0)
    ),
}


@pytest.mark.parametrize("kind", CHANCES)
def test_whoever_looks_after_every_trial_is_misled_no_oftener_than_stated(kind):
    paths = 2000
    assert misled(CHANCES[kind], paths, seed=4) <= binom.ppf(0.999, paths, ALPHA)


def test_the_bounds_are_where_the_evidence_says():
    rng = random.Random(3)
    for _ in range(60):
        n = rng.randrange(1, 3000)
        k, p = rng.randrange(n + 1) // rng.choice((1, 50)), rng.random() / rng.choice((1, 100))
        bounds = share_bounds(k, n)
        assert (bounds.low <= p <= bounds.high) == (evidence(k, n, p) < 1 / ALPHA)


def test_how_many_trials_a_bound_takes():
    for bound, alpha in ((1e-4, 0.05), (0.01, 0.05), (1e-3, 0.05 / 40)):
        n = trials_for(bound, alpha)
        assert share_bounds(0, n, alpha).high <= bound < share_bounds(0, n - 1, alpha).high
    assert trials_for(1.0) == 1


# --- payments -----------------------------------------------------------------------------------


def known(values, at=None, reach=None):
    """What is known of these sessions' differences, looked at after so many of them, by default at
    the end alone."""
    found = PayeeSums()
    for upto in at or [len(values)]:
        some = [Fraction(v) for v in values[:upto]]
        most = Fraction(reach) if reach else max(map(abs, some))
        found.look(upto, sum(some), sum(v * v for v in some), sum(v != 0 for v in some), most)
    return found


def payment_evidence(found, mean):
    """The mixture in plain numbers, as the module's docstring states it, for the mean above what
    was seen."""
    c = found.reach + found.farthest
    off = abs(mean - float(found.mean)) * found.sessions / c
    return sum(
        exp(s * off - (-log(1 - s) - s) * found.spread / c**2) / ((j + 1) * (j + 2))
        for j, s in enumerate(0.9 * 0.6**j for j in range(16))
    )


PAYMENTS = {
    "none differs": ([0] * 300, 200),
    "one in fifty": ([0, 0, 0, 0, 30] * 10 + [0] * 450, 200),
    "all differ": ([7, -3, 5, 11] * 100, 40),
    "one that is larger than all won": ([0] * 40 + [500], None),
}


@pytest.mark.parametrize("case", PAYMENTS)
@pytest.mark.parametrize("alpha", [0.05, 0.05 / 700])
def test_the_ends_of_a_payment_are_where_the_evidence_reaches_its_limit(case, alpha):
    """Of both sides together: each has half of what may fail."""
    values, reach = PAYMENTS[case]
    found = known(values, reach=reach)
    bounds = found.bounds(alpha)
    assert bounds.low + bounds.high == pytest.approx(2 * sum(values) / len(values))
    assert payment_evidence(found, bounds.high) == pytest.approx(2 / alpha, rel=1e-9)


def test_squared_distances_are_from_the_mean_at_the_look_before():
    """The first 30 sessions that differ are compared with 0, the others with what was known before
    them."""
    values = [3, 5] * 20 + [4, 10] * 10
    found = known(values, at=[20, 40, 60])
    assert found.spread == pytest.approx(
        sum(v * v for v in values[:40]) + sum((v - 4) ** 2 for v in values[40:])
    )
    assert (found.guess, found.farthest) == (pytest.approx(5.0), 4.0)


def test_where_nothing_differs_the_bound_is_about_five_reaches_in_so_many_sessions():
    for sessions in (100, 10_000):
        assert known([0] * sessions, reach=60).half() == pytest.approx(
            60 * 4.785 / sessions, rel=0.001
        )
    nothing = PayeeSums()
    nothing.look(50, Fraction(0), Fraction(0), 0, Fraction(0))
    assert nothing.half() == 0  # never won or lost by anybody under either rule set


def test_a_sequence_of_payments_narrows_as_the_root_of_the_sessions():
    """Where all differ by no more than a few deviations; and a smaller level makes it wider."""
    half = [known([5, -5] * n, reach=20).half() for n in (100, 400, 1600, 6400)]
    assert all(0.4 * a < b < 0.6 * a for a, b in itertools.pairwise(half))
    assert known([5, -5] * 100, reach=20).half(0.001) > half[0]


def payments_missed(differences, reaches, truth, *, paths, sessions, alpha, bounds):
    """How many of so many paths, drawn with replacement, miss the truth at some look of
    ``matters``."""
    rng, missed = np.random.default_rng(5), 0
    for _ in range(paths):
        found, drawn = PayeeSums(), rng.integers(0, len(differences), sessions)
        d, r = differences[drawn], reaches[drawn]
        total, squares, moved, most = (
            d.cumsum(),
            (d * d).cumsum(),
            (d != 0).cumsum(),
            np.maximum.accumulate(r),
        )
        for n in looks(sessions):
            found.look(n, total[n - 1], squares[n - 1], int(moved[n - 1]), most[n - 1])
            if abs(float(found.mean) - truth) > bounds(found, alpha):
                missed += 1
                break
    return missed


def rare_payments():
    """Sessions that win or lose amounts with a heavy tail, and differ in one of thirty by as heavy
    a one, skewed."""
    rng = np.random.default_rng(8)
    won = 30 * rng.pareto(2.5, 200_000)
    differences = (rng.random(200_000) < 1 / 30) * 20 * rng.pareto(2.0, 200_000)
    return differences, np.maximum(won, differences)


def asymptotic_half(found, alpha):
    """What was given before: the asymptotic sequence, wherever 30 sessions differ."""
    if found.differing < 30:
        return inf
    deviation = sqrt(found.squares / found.sessions - float(found.mean) ** 2)
    return asymptotic(found.sessions, alpha) * deviation


@pytest.mark.parametrize("alpha", [ALPHA, ALPHA / 65])
def test_rare_payments_with_heavy_tails_leave_their_bounds_no_oftener_than_stated(alpha):
    """And leave the asymptotic sequence far oftener: that the test can fail."""
    differences, reach = rare_payments()
    missed, before = (
        payments_missed(
            differences,
            reach,
            differences.mean(),
            paths=300,
            sessions=2000,
            alpha=alpha,
            bounds=bounds,
        )
        for bounds in (PayeeSums.half, asymptotic_half)
    )
    assert missed <= binom.ppf(0.99, 300, alpha)
    assert before > binom.ppf(0.9999, 300, alpha)


def test_how_many_sessions_a_width_takes():
    """With a reach that grows with what is played; so far as can be known, and always more than was
    enough already."""
    found = known([5, -5] * 500, reach=60)
    n = found.sessions_for(0.25)
    assert n > 1000
    assert deviation(found.spread * n / 1000, 60 * (n / 1000) ** (1 / 3)) / n == pytest.approx(
        0.25, rel=0.01
    )
    assert found.sessions_for(1e9) == 1
