"""The distribution over sessions: exact counts however they are merged, quantiles that are order
statistics, and ranks that hold as often as they say."""

from fractions import Fraction
from itertools import permutations
from math import ceil
from random import Random

import pytest
from quadrille_plugins.studies.distribution import (
    FARTHEST,
    QUARTILES,
    Spread,
    at_all_looks,
    at_one_look,
    binomial_ranks,
    distribution,
)
from quadrille_plugins.studies.over_sessions import OverSessions
from quadrille_plugins.studies.runner.plain import from_plain, to_plain
from quadrille_plugins.studies.sequences import ranks, share_bounds
from scipy.stats import binom

DRAWN = [Fraction(Random(7).randrange(-60, 90), 4) for _ in range(300)]


def merged(*parts):
    found = Spread()
    for part in parts:
        found.merge(Spread.of(part))
    return found


def test_merged_in_any_order_and_by_either_engine_it_is_the_same():
    whole = Spread.of(DRAWN)
    cut = [DRAWN[:1], DRAWN[1:100], DRAWN[100:]]
    assert all(merged(*parts) == whole for parts in permutations(cut))
    assert Spread.of([int(d * 480) for d in DRAWN], 480) == whole
    assert from_plain(Spread, to_plain(Spread, whole)) == whole


@pytest.mark.parametrize("n", [1, 2, 5, 300])
def test_a_quantile_is_an_order_statistic(n):
    some, by = sorted(DRAWN[:n]), at_one_look()
    found = distribution(Spread.of(some), by)
    for name, q in QUARTILES.items():
        low, high = by.ranks(n, q)
        ends = (some[low - 1], some[high - 1]) if low >= 1 and high <= n else (None, None)
        assert found[name].value == some[ceil(n * q) - 1]
        assert (found[name].low, found[name].high) == ends
    shares = {"gain": lambda d: d > 0, "even": lambda d: d == 0, "lose": lambda d: d < 0}
    assert {k: found[k].value for k in shares} == {
        k: sum(map(has, some)) / n for k, has in shares.items()
    }


def test_a_quantile_so_far_out_is_not_told_and_the_others_are():
    far = FARTHEST + 5
    found = distribution(Spread.of([-far, -far, -far, 1, 2, 3, 4, far]), at_one_look())
    assert found["lower_quartile"].value is None
    assert (found["median"].value, found["lose"].value) == (1, 3 / 8)


@pytest.mark.parametrize("n", [6, 50, 2263, 1_000_000])
@pytest.mark.parametrize("q", QUARTILES.values())
@pytest.mark.parametrize("alpha", [0.05, 1e-6])
def test_ranks_miss_as_seldom_as_they_say_and_no_seldomer_than_they_must(n, q, alpha):
    low, high = binomial_ranks(n, q, alpha)
    p, most = float(q), alpha / 2 * (1 + 1e-6)
    assert binom.cdf(low - 1, n, p) <= most
    assert binom.sf(high - 1, n, p) <= most
    assert binom.cdf(low, n, p) > alpha / 2 * (1 - 1e-6)
    assert binom.sf(high - 2, n, p) > alpha / 2 * (1 - 1e-6)


@pytest.mark.parametrize("n", [5, 60, 400])
@pytest.mark.parametrize("q", [0.25, 0.5, 0.75, 0.02])
def test_ranks_at_all_looks_leave_out_the_counts_whose_bounds_leave_out_the_part(n, q):
    low, high = ranks(n, q, 0.01)
    inside = [k for k in range(n + 1) if (b := share_bounds(k, n, 0.01)).low < q < b.high]
    assert (low, high - 1) == (inside[0], inside[-1])
    assert at_all_looks(0.01).ranks(n, Fraction(q)) == (low, high)


@pytest.mark.parametrize(
    ("mean", "half", "shift", "differs", "shown"),
    [(3, 1, -5, True, 2), (3, 4, -5, True, 1), (3, 1, 5, False, 2), (3, 4, 0, False, 0)],
)
def test_whether_mean_and_median_differ_in_sign_and_whether_that_is_shown(
    mean, half, shift, differs, shown
):
    told = distribution(Spread.of([Fraction(n % 3 - 1 + shift) for n in range(99)]), at_one_look())
    one = OverSessions("steady", Fraction(mean), mean - half, mean + half, told)
    assert (one.differs, one.signs_shown) == (differs, shown)
