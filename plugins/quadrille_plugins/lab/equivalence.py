"""How large an effect is shown to be, and how many sessions it takes to show it: pure functions of a paired difference.

``mean`` and ``deviation`` are of a session's paired difference (its mean, and its standard deviation from session to
session), in counters a session; ``smallest`` is the smallest effect of interest in the same unit.  ``comparisons``
divides the error that is allowed among as many intervals.  Bounds are normal: they are for planning.
"""

from collections.abc import Callable
from fractions import Fraction
from math import ceil, inf, sqrt
from statistics import NormalDist
from typing import Final, Literal

LARGER: Final = "larger"
SMALLER: Final = "smaller"
UNDECIDED: Final = "undecided"
IDENTICAL: Final = "identical"
NEAR: Final = "near"
Answer = Literal["larger", "smaller", "undecided", "identical", "near"]
"""``larger`` than the smallest effect of interest, ``smaller`` (equivalent for every purpose), or ``undecided``;
``identical`` by the rules themselves; ``near`` the smallest effect, so that it may stay undecided."""
DECIDED: Final = frozenset({LARGER, SMALLER, IDENTICAL})

SMALLEST: Final = Fraction(10)
"""The smallest effect of interest unless another is asked for: counters a seat and session of ``OF_DEALS``."""
OF_DEALS: Final = 40
MOST_NEEDED: Final = 10**9
"""Deals: an effect that may need more is called near the threshold."""
QUANTILES: Final = tuple(NormalDist().inv_cdf(k / 200) for k in range(1, 200))
"""Of the predictive distribution, evenly spaced in probability: the 10th from either end bound its middle 90 %."""
POWER: Final = 0.8
"""The probability with which a study of the size that is recommended answers."""
ALPHA: Final = 0.05


def smallest_for(smallest: Fraction, length: int) -> Fraction:
    """The smallest effect of interest in a session of ``length`` deals, from that in one of ``OF_DEALS``."""
    return smallest * length / OF_DEALS


def interest_in(column: str, smallest: Fraction, length: int, players: int) -> Fraction:
    """The smallest effect of interest for a column in a session of ``length`` deals.

    ``smallest`` is of one seat in a session of ``OF_DEALS``; roles and accounts are sums over all ``players``, so that
    they are held against as many times that.
    """
    return smallest_for(smallest, length) * (1 if column.startswith("seat ") else players)


def answer(low: float | None, high: float | None, smallest: float) -> Answer:
    """Whether an interval lies beyond ± smallest, within it, or neither."""
    if low is None or high is None:
        return "undecided"
    if low > smallest or high < -smallest:
        return "larger"
    return "smaller" if -smallest < low and high < smallest else "undecided"


def sessions_within(deviation: float, half: float, *, alpha: float = ALPHA, comparisons: int = 1) -> float:
    """Sessions until the interval is no wider than ± half; infinite when half is 0."""
    return _squared(_z(1 - alpha / comparisons / 2) * deviation, half)


def sessions_to_show(
    deviation: float, effect: float, *, alpha: float = ALPHA, comparisons: int = 1, power: float = POWER
) -> float:
    """Sessions until, with this power, the interval of an effect of this size excludes zero."""
    return _squared((_z(1 - alpha / comparisons / 2) + _z(power)) * deviation, effect)


def sessions_for_differing(differing: int, sessions: int, fewest: int) -> float:
    """Sessions after which, with probability ``POWER``, as many as ``fewest`` differ, at the rate seen.

    Where none has differed the rate is taken to be at most 3 in as many sessions, so that it is a least number.
    """
    expected = fewest + _z(POWER) * sqrt(fewest)  # a number of rare events varies by its square root
    return sessions * expected / (differing or 3)


def sessions_needed(
    mean: float, error: float, smallest: float, sessions: int, half_at: Callable[[float], float], most: float
) -> tuple[float, float] | None:
    """After how many sessions, in all, an effect will be decided: the middle 90 % of a predictive distribution.

    The true mean is taken to lie about ``mean`` as a normal distribution of standard error ``error`` has it.  For each
    of its ``QUANTILES`` the study goes on, look by look, until the expected mean lies farther than ``half_at`` (half
    the interval's width at that many sessions) from ± smallest.  None where it may take more than ``most`` sessions.
    """
    found = []
    for quantile in QUANTILES:
        truth, now = mean + quantile * error, float(sessions)
        while True:
            now *= LOOK_RATIO
            expected = (sessions * mean + (now - sessions) * truth) / now
            if abs(abs(expected) - smallest) > half_at(now):
                break
            if now > most:
                now = inf
                break
        found.append(now)
    found.sort()
    low, high = found[9], found[-10]
    return None if high == inf else (low, high)


LOOK_RATIO: Final = sqrt(2)
"""How many times as many sessions there are at each look as at the one before."""


def in_deals(sessions: float, length: int) -> int | None:
    """The deals of N sessions, rounded up to two leading digits; None when infinite."""
    if sessions == inf:
        return None
    deals = ceil(sessions) * length
    step: int = 10 ** max(0, len(str(deals)) - 2)
    return -(-deals // step) * step


def _squared(spread: float, half: float) -> float:
    if spread == 0:
        return 0.0
    return (spread / half) ** 2 if half else inf


def _z(level: float) -> float:
    return NormalDist().inv_cdf(level)
