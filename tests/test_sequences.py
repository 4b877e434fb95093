"""Confidence sequences: bounds that hold however often one looks."""

import itertools
import random
from math import exp, inf, log, sqrt

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import binom, norm

from quadrille_core.study import sequences
from quadrille_core.study.matters import looks
from quadrille_core.study.sequences import (
    ALPHA,
    Bounds,
    mean_bounds,
    mean_factor,
    sessions_for,
    share_bounds,
    trials_for,
)

RATIOS = np.array([exp(s * log(256) / 2**i) for i in range(11) for s in (1, -1)])


def evidence(k, n, p):
    """The mixture in plain numbers, as the module's docstring states it; ``k``, ``n`` and ``p`` may be arrays."""
    k, n, p = (np.asarray(x, float)[..., None] for x in (k, n, p))
    with np.errstate(all="ignore"):  # what grows beyond all bounds is infinite, and evidence enough
        others = np.exp(k * np.log(RATIOS) - n * np.log1p(p * (RATIOS - 1))).mean(axis=-1)
        nothing = np.where(k > 0, 0.0, np.exp(-n * np.log1p(-p)))[..., 0]
    return 0.8 * nothing + 0.2 * others


@pytest.mark.parametrize(("k", "n"), [(0, 50), (1, 80), (3, 400), (17, 300), (290, 300), (300, 300)])
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
    widths = [share_bounds(3 * n // 10, n).half for n in (1000, 10_000, 100_000, 1_000_000, 10_000_000)]
    assert all(b < 0.42 * a for a, b in itertools.pairwise(widths))


def misled(chances, paths, seed):
    """How many of so many paths at some time have evidence of 1/alpha against the average of their chances so far.

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
    "changing with time": lambda counts, number: np.full(counts.shape, 0.01 + 0.2 * (number % 100 > 80)),
    "changing with what came before": lambda counts, number: 0.02 + 0.3 * ((counts * 7 + number) % 5 == 0),
}


@pytest.mark.parametrize("kind", CHANCES)
def test_whoever_looks_after_every_trial_is_misled_no_oftener_than_stated(kind):
    paths = 2000
    assert misled(CHANCES[kind], paths, seed=4) <= binom.ppf(0.999, paths, ALPHA)


def test_an_ordinary_interval_would_mislead_him():
    """The same looks with the usual interval: that the test above can fail."""
    rng, paths = np.random.default_rng(4), 500
    n = np.arange(1, 2001)
    shares = np.cumsum(rng.random((paths, 2000)) < 0.5, axis=1) / n
    missed = (np.abs(shares - 0.5) > norm.ppf(0.975) * np.sqrt(0.25 / n))[:, 30:].any(axis=1).sum()
    assert missed > 4 * ALPHA * paths


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


def test_the_factor_of_means_is_the_edge_of_robbins_mixture():
    """A normal mixture over drifts: the evidence at the edge is 1/alpha, by numerical integration."""
    for n, alpha in ((30, 0.05), (1000, 0.05), (5000, 0.05 / 60)):
        rho = sqrt((-2 * log(alpha) + log(1 - 2 * log(alpha))) / sequences.TUNED_FOR)
        total = n * mean_factor(n, alpha)  # the sum's distance from its mean, in standard deviations of one session
        middle = total / (n + 1 / rho**2)

        def weighed(drift, total=total, n=n, rho=rho):
            return exp(drift * total - n * drift**2 / 2) * norm.pdf(drift, scale=rho)

        found, _ = quad(weighed, middle - 12 / sqrt(n), middle + 12 / sqrt(n), points=[middle])
        assert found == pytest.approx(1 / alpha, rel=1e-6)


def paths_missed(draw, mean, *, paths, sessions):
    """How many of so many paths leave the interval at any look; looked at after 30 sessions that are not 0."""
    rng, missed = np.random.default_rng(11), 0
    at = np.unique(np.geomspace(25, sessions, 40).astype(int))
    factors = np.array([mean_factor(int(n)) for n in at])
    for _ in range(paths):
        values = draw(rng, sessions)
        sums, squares, moved = np.cumsum(values), np.cumsum(values**2), np.cumsum(values != 0)
        means = sums[at - 1] / at
        deviations = np.sqrt(np.maximum(squares[at - 1] / at - means**2, 0))
        looked = moved[at - 1] >= sequences.FEWEST_MOVED
        missed += bool(np.any(looked & (np.abs(means - mean) > factors * deviations)))
    return missed


DRAWS = {
    "even": (lambda rng, n: rng.normal(3, 2, n), 3.0),
    "skewed": (lambda rng, n: rng.exponential(5, n), 5.0),
    "seldom and large": (lambda rng, n: (rng.random(n) < 0.02) * rng.exponential(50, n), 1.0),
}


@pytest.mark.parametrize("kind", DRAWS)
def test_means_looked_at_all_the_time_leave_their_interval_no_oftener_than_stated(kind):
    draw, mean = DRAWS[kind]
    missed = paths_missed(draw, mean, paths=400, sessions=8000)
    assert missed <= binom.ppf(0.999, 400, ALPHA)


def seldom_missed(alpha, *, paths, sessions=4000, rate=0.03):
    """The share of paths whose interval misses at a look of ``matters``, each session paying seldom, then at random."""
    rng, at = np.random.default_rng(5), np.array(list(looks(sessions)))
    total, squares, moved = np.zeros(paths), np.zeros(paths), np.zeros(paths, int)
    missed = np.zeros(paths, bool)
    for n, more in zip(at, np.diff(at, prepend=0), strict=True):
        paying = rng.binomial(more, rate, paths)
        amounts = rng.exponential(1, (paths, paying.max())) * (np.arange(paying.max()) < paying[:, None])
        total, squares, moved = total + amounts.sum(1), squares + (amounts**2).sum(1), moved + paying
        half = mean_factor(int(n), alpha) * np.sqrt(squares / n - (total / n) ** 2)
        missed |= (moved >= sequences.FEWEST_MOVED) & (np.abs(total / n - rate) > half)
    return missed.mean()


def test_of_seldom_payments_the_corrected_level_is_not_quite_reached():
    """What decision 021 says of it: a limit theorem is poorer further out in the tail, and by how much."""
    assert seldom_missed(ALPHA, paths=4000) < ALPHA
    assert ALPHA / 65 < seldom_missed(ALPHA / 65, paths=4000) < 0.01


def test_bounds_of_a_mean_lie_evenly_about_it_and_narrow():
    bounds = mean_bounds(2.0, 3.0, 400)
    assert bounds.low + bounds.high == pytest.approx(4.0)
    assert bounds.half == pytest.approx(3 * mean_factor(400))
    assert mean_factor(400) < mean_factor(100)
    assert mean_factor(400, 0.001) > mean_factor(400)


def test_how_many_sessions_a_width_takes():
    n = sessions_for(0.5, 12.0)
    assert mean_factor(n) * 12.0 <= 0.5 < mean_factor(n - 1) * 12.0
    assert sessions_for(0.5, 0.0) == 1
    assert sessions_for(1e-30, 1.0) < inf
