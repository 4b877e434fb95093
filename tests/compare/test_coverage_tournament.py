"""The coverage simulation of shares of the variance: that it can fail, and that the intervals hold
where it is soon seen."""

import pytest

pytest.importorskip("numba")

import numpy as np
from coverage_tournament import even, tried, truth_of
from quadrille_plugins.compare.variance import PARTS, rows_of


def test_intervals_of_many_sessions_hold_the_shares_and_not_others():
    rng, rows = np.random.default_rng(4), []
    for _ in range(300):
        cards, own = rng.integers(-9, 10, 40), rng.integers(-4, 5, (2, 40))
        x, y = (cards + one + gap for one, gap in zip(own, (1, -1), strict=True))
        sums = tuple(int(a @ b) for a, b in ((x, x), (y, y), (x, y)))
        rows.append(rows_of(40, 4, (int(x.sum()), int(y.sum())), (sums, sums))["deal"])
    found = np.array([rows])
    truth = truth_of(found)
    assert sum(truth) == pytest.approx(1)
    told = tried(found, truth, 40, 200, rng)
    assert all(held > 0.9 * 200 for held, _ in told)
    wrong = tried(found, [share + 0.3 for share in truth], 40, 200, rng)
    assert all(held < 0.1 * 200 for held, _ in wrong)
    player = PARTS.index("player")
    assert truth_of(even(found))[player] == pytest.approx(0, abs=1e-12)
