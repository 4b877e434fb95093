"""The coverage of matters' intervals of payments: a short version of ``coverage_matters.py``."""

import pytest

pytest.importorskip("numba")

from coverage_matters import (
    NAMES,
    OVER,
    READINGS,
    UNOWNED,
    account,
    family_account,
    play,
    play_over,
    rows,
)
from quadrille_plugins.studies.effects import CARRIED, DIRECT, TOTAL
from quadrille_plugins.studies.sequences import ALPHA
from scipy.stats import binom

PATHS = 40


@pytest.fixture(scope="module")
def sessions():
    """Some sessions of a reading under which a quarter of them differ, replayed too."""
    return play(READINGS["queen"], 600, decompose=True)


@pytest.mark.parametrize("estimand", [TOTAL, DIRECT])
def test_paths_of_real_sessions_leave_their_intervals_no_oftener_than_stated(sessions, estimand):
    told = account(sessions, estimand, PATHS, longest=800)
    assert told.missed <= told.missed_alone <= binom.ppf(0.99, PATHS, ALPHA)
    assert told.missed_in_study <= binom.ppf(0.99, PATHS, ALPHA / 65)
    assert (
        len(list(rows(account(sessions, estimand, 2, longest=10_000)))) == 9
    )  # as many as the table has


def test_the_sessions_that_are_drawn_from_sum_to_zero_and_carried_is_the_rest(sessions):
    total, direct, carried = (sessions.differences[e] for e in (TOTAL, DIRECT, CARRIED))
    assert (total == direct + carried).all()
    assert 0.1 < (total != 0).any(axis=1).mean() < 0.5
    assert total.shape[1] == len(NAMES)
    seats = [*range(4), *range(len(NAMES) - UNOWNED, len(NAMES))]
    for difference in (total, direct):
        assert (difference[:, seats].sum(axis=1) == 0).all()
        assert (difference[:, 4:].sum(axis=1) == 0).all()


def test_paths_leave_the_intervals_of_an_average_and_of_its_combinations_no_oftener_than_stated():
    *combinations, average = found = play_over(OVER[1], 200)
    weighted = sum(
        w * one.differences[TOTAL] for w, one in zip((3, 1, 1), combinations, strict=True)
    )
    assert average.differences[TOTAL] * 8 == pytest.approx(weighted)
    assert (abs(average.differences[TOTAL]) <= average.reach).all()
    some, _ = family_account(found, 10, longest=400)
    assert some <= binom.ppf(0.99, 10, ALPHA)
    assert account(average, TOTAL, 10, longest=400).missed <= binom.ppf(0.99, 10, ALPHA)
