"""The coverage simulation of attributions: that it can fail, and that the intervals hold where it is
soon seen."""

from itertools import permutations

import pytest

pytest.importorskip("numba")

import numpy as np
from coverage_attribution import GROUPS, Population, table_of, tried
from quadrille_plugins.compare.shapley import all_coalitions, of_order


def test_intervals_of_many_sessions_hold_the_values_and_not_others():
    rng = np.random.default_rng(4)
    added = np.array([sum(2**n * (c >> n & 1) for n in range(GROUPS)) for c in range(1 << GROUPS)])
    worth = added[:, None, None] + rng.integers(-9, 10, (1 << GROUPS, 300, 3))
    found = Population(worth.astype(np.int64), 1)
    orders = [of_order(order, 0) for order in permutations(range(GROUPS))][::6]
    orders += [of_order(order, 1) for order in permutations(range(GROUPS))][::6]
    table, truth = table_of(found, orders), table_of(found, [all_coalitions(GROUPS)])
    alone, together, paired = tried(table, truth, 200, 1, 25, rng)
    assert alone.held / alone.given > 0.9
    assert together.all_held / together.runs > 0.85
    assert paired.given == 0  # each two groups are neighbours in too few of so few sessions
    wrong, *_ = tried(table, truth + 3, 200, 1, 25, rng)
    assert wrong.held / wrong.given < 0.1
