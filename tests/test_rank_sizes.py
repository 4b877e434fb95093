"""Whether the interval of a size covers it, also where nothing differs in truth and chance alone makes it."""

from fractions import Fraction

import numpy as np
import pytest

from quadrille_core.study.rank_effects import PAYMENTS, Measure, effect_of

SESSIONS = 24


def ranked(worth, seed, parts):
    """A switch worth so much in each part a session, give or take one; its replicates leave out a session each."""
    noise = np.random.default_rng(seed).normal(worth, 1, (SESSIONS, parts))
    whole = noise.sum(axis=0)
    exact = tuple(Fraction(round(1000 * w), 1000 * SESSIONS) for w in whole)
    on = (exact, *(tuple(float(x) for x in (whole - one) / (SESSIONS - 1)) for one in noise))
    off = tuple(tuple(0 * x for x in vector) for vector in on)
    measure = Measure(PAYMENTS, tuple(map(str, range(parts))), half=True)
    line = {0: off, 1: on}
    return effect_of([line], line, 0, ["off", "on"], measure, sampled=False, claims=parts, sessions=SESSIONS)


@pytest.mark.parametrize("worth", [0, Fraction(1, 5), 1])
@pytest.mark.parametrize("parts", [1, 4, 8])
def test_the_interval_of_a_size_covers_what_is_true(worth, parts):
    """The jackknife alone covers nought in three rankings of ten when there are eight parts."""
    covered = shown = 0
    for seed in range(100):
        effect = ranked(float(worth), seed, parts)
        assert 0 <= effect.size.low <= effect.size.value <= effect.size.high
        assert effect.shown or effect.size.low == 0
        covered += effect.size.low <= float(worth) * parts / 2 <= effect.size.high
        shown += effect.shown
    assert covered >= 88  # 95 are promised; fewer than 88 come hardly once in 300 times
    if worth == 0:
        assert shown <= 12
    if worth == 1:
        assert shown >= 95
