"""How large an effect is shown to be, and how many sessions it takes to show it: pure functions of
a paired difference.

``mean`` and ``deviation`` are of a session's paired difference (its mean, and its standard
deviation from session to session), in counters a session; ``smallest`` is the smallest effect of
interest in the same unit.  ``comparisons`` divides the error that is allowed among as many
intervals.  Bounds are normal: they are for planning.
"""

from collections.abc import Callable
from fractions import Fraction
from math import ceil, exp, inf, sqrt
from statistics import NormalDist
from typing import Final, Literal

LARGER: Final = "larger"
SMALLER: Final = "smaller"
UNDECIDED: Final = "undecided"
IDENTICAL: Final = "identical"
NEAR: Final = "near"
Answer = Literal["larger", "smaller", "undecided", "identical", "near"]
"""``larger`` than the smallest effect of interest, ``smaller`` (equivalent for every purpose), or
``undecided``; ``identical`` by the rules themselves; ``near`` the smallest effect, so that it may
stay undecided."""
DECIDED: Final = frozenset({LARGER, SMALLER, IDENTICAL})

SMALLEST: Final = Fraction(10)
"""The smallest effect of interest unless another is asked for: counters a seat and session of
``OF_DEALS``."""
OF_DEALS: Final = 40
MOST_NEEDED: Final = 10**8
"""Deals: an effect that may need more, which is more than can be asked for, is called near the
threshold."""
QUANTILES: Final = tuple(NormalDist().inv_cdf((2 * k + 1) / 100) for k in range(50))
"""Of the normal distribution, evenly spaced in probability."""
POWER: Final = 0.8
"""The probability with which a study of the size that is recommended answers."""
ALPHA: Final = 0.05


def smallest_for(smallest: Fraction, length: int) -> Fraction:
    """The smallest effect of interest in a session of ``length`` deals, from that in one of
    ``OF_DEALS``."""
    return smallest * length / OF_DEALS


def interest_in(column: str, smallest: Fraction, length: int, players: int) -> Fraction:
    """The smallest effect of interest for a column in a session of ``length`` deals.

    ``smallest`` is of one seat in a session of ``OF_DEALS``; roles and accounts are sums over all
    ``players``, so that they are held against as many times that.
    """
    return smallest_for(smallest, length) * (1 if column.startswith("seat ") else players)


def answer(low: float | None, high: float | None, smallest: float) -> Answer:
    """Whether an interval lies beyond ± smallest, within it, or neither."""
    if low is None or high is None:
        return "undecided"
    if low > smallest or high < -smallest:
        return "larger"
    return "smaller" if -smallest < low and high < smallest else "undecided"


def sessions_within(
    deviation: float, half: float, *, alpha: float = ALPHA, comparisons: int = 1
) -> float:
    """Sessions until the interval is no wider than ± half; infinite when half is 0."""
    return _squared(_z(1 - alpha / comparisons / 2) * deviation, half)


def sessions_to_show(deviation: float, effect: float) -> float:
    """Sessions until, with this power, the interval of an effect of this size excludes zero."""
    return _squared((_z(1 - ALPHA / 2) + _z(POWER)) * deviation, effect)


def sessions_for_differing(differing: int, sessions: int, fewest: int) -> float:
    """Sessions after which, with probability ``POWER``, as many as ``fewest`` differ, at the rate
    seen.

    Where none has differed the rate is taken to be at most 3 in as many sessions, so that it is a
    least number.
    """
    expected = fewest + _z(POWER) * sqrt(
        fewest
    )  # a number of rare events varies by its square root
    return sessions * expected / (differing or 3)


def sessions_needed(
    mean: float,
    error: float,
    smallest: float,
    sessions: int,
    half_at: Callable[[float], float],
    most: float,
    spread: float = 0.0,
) -> tuple[float, float] | None:
    """After how many sessions, in all, an effect will be decided: the middle 90 % of a predictive
    distribution.

    The true mean is taken to lie about ``mean`` as a normal distribution of standard error
    ``error`` has it, and the logarithm of the true deviation about that of the one seen, with a
    standard error of ``spread``.  For each of their quantiles the study goes on, look by look,
    until the expected mean lies farther than ``half_at`` (half the interval's width at that many
    sessions, were the deviation the one seen) from ± smallest.  None where it may take more than
    ``most`` sessions.
    """
    found = []
    for wider in (exp(spread * q) for q in QUANTILES[4::10]):
        for quantile in QUANTILES:
            found.append(
                _decided_after(
                    mean, quantile * error * wider, smallest, sessions, half_at, most, wider
                )
            )
    found.sort()
    tail = len(found) // 20
    low, high = found[tail], found[-1 - tail]
    return None if high == inf else (low, high)


def _decided_after(
    mean: float,
    off: float,
    smallest: float,
    sessions: int,
    half_at: Callable[[float], float],
    most: float,
    wider: float,
) -> float:
    """The sessions at the look that decides, where the true mean is ``mean + off``; infinite beyond
    ``most``."""
    now = float(sessions)
    while (now := now * LOOK_RATIO) <= most:
        more = 1 - sessions / now
        half = half_at(now) * sqrt(1 + more * (wider * wider - 1))
        if abs(abs(mean + more * off) - smallest) > half:
            return now
    return inf


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
