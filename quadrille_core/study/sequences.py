"""Confidence sequences: intervals that hold at all times at once, so that a study may be looked at whenever one likes.

Ordinary intervals are right at one number of deals fixed beforehand; who looks again and again and stops when he likes
what he sees is misled by them.  These are right at every number at once with the stated probability.

**Shares.**  Deal after deal has some chance of parting, whatever came before.  With ``k`` of ``n`` parted, the mixture
over odds ratios θ of θ^k / (1 + p (θ − 1))^n, with p the average of those chances, is at most a mixture of
martingales that begin at 1, for log (1 + p (θ − 1)) is concave in p.  By Ville's inequality it ever reaches 1/alpha
with probability at most alpha: the p at which it is below are an exact confidence sequence for the average chance, and
the deals need not be independent (Ville 1939; Robbins 1970; Howard, Ramdas, McAuliffe and Sekhon 2021).

**Means.**  Sessions are independent and alike.  The bounds are those of the asymptotic confidence sequence of
Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas (*Time-uniform central limit theory and asymptotic confidence
sequences*, Annals of Statistics 2024, theorem 2.2).  It holds, as usual intervals do, the better the more sessions
there are.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, exp, inf, log, log1p, log2, sqrt
from typing import Final

ALPHA: Final = 0.05
"""The probability with which an interval ever fails, before it is divided among several rivals."""

NONE_WEIGHT: Final = 0.8
"""The weight of θ = 0, which alone speaks where nothing ever parted: there the bound is about 3.2/n."""
FINEST: Final = 10
_STEPS: Final = tuple(log(256) / 2**i for i in range(FINEST + 1))
_LOG_RATIOS: Final = (*(-s for s in _STEPS), *reversed(_STEPS))
"""The other odds ratios' logarithms, from 1/256 to 256, the denser the nearer to 1: so intervals go on narrowing."""
_LOG_WEIGHT: Final = log((1 - NONE_WEIGHT) / len(_LOG_RATIOS))

TUNED_FOR: Final = 1000
"""The number of sessions at which the bounds of means are about as narrow as they can be."""
FEWEST_MOVED: Final = 30
"""With fewer sessions that differ no interval of a mean is given: the limit theorem does not reach so far."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """The two ends of an interval."""

    low: float
    high: float

    @property
    def half(self) -> float:
        """Half its width."""
        return (self.high - self.low) / 2


def _log_evidence(k: int, n: int, p: float) -> float:
    """The logarithm of the mixture: how much speaks against an average chance of ``p``."""
    terms = []
    if k == 0:
        terms.append(log(NONE_WEIGHT) - (n * log1p(-p) if p < 1 else -inf))
    for step in _LOG_RATIOS:
        terms.append(_LOG_WEIGHT + k * step - n * log1p(p * (exp(step) - 1)))
    top = max(terms)
    return top if top == inf else top + log(sum(exp(t - top) for t in terms))


def share_bounds(k: int, n: int, alpha: float = ALPHA) -> Bounds:
    """The average chance of what happened in ``k`` of ``n`` trials: bounds that hold at all ``n`` at once."""
    if n == 0:
        return Bounds(0.0, 1.0)
    limit, found = -log(alpha), k / n

    def outside(p: float) -> bool:
        return _log_evidence(k, n, p) >= limit

    low = _edge(outside, found, 0.0) if k else 0.0
    high = _edge(outside, found, 1.0) if k < n else 1.0
    return Bounds(low, high)


def _edge(outside: Callable[[float], bool], inner: float, outer: float) -> float:
    """The end of a convex set that holds ``inner``, between it and ``outer``, which is returned where it is inside."""
    if not outside(outer):
        return outer
    for _ in range(60):
        middle = (inner + outer) / 2
        if outside(middle):
            outer = middle
        else:
            inner = middle
    return outer


def trials_for(bound: float, alpha: float = ALPHA) -> int:
    """How many trials, none of which parts, it takes until the upper bound is no higher than ``bound`` (above 0)."""
    if bound >= 1:
        return 1
    low, high = 0, ceil(log(1 / (NONE_WEIGHT * alpha)) / -log1p(-bound)) + 1  # θ = 0 by itself is enough then
    while high - low > 1:
        middle = (low + high) // 2
        if share_bounds(0, middle, alpha).high <= bound:
            high = middle
        else:
            low = middle
    return high


def mean_factor(sessions: int, alpha: float = ALPHA) -> float:
    """Half the width of a mean's interval, in standard deviations of one session."""
    rho = (-2 * log(alpha) + log(1 - 2 * log(alpha))) / TUNED_FOR
    grown = sessions * rho + 1
    return sqrt(2 * grown / (sessions**2 * rho) * log(sqrt(grown) / alpha))


def mean_bounds(mean: float, deviation: float, sessions: int, alpha: float = ALPHA) -> Bounds:
    """A mean over sessions whose values have this standard deviation: bounds that hold at all times at once."""
    half = mean_factor(sessions, alpha) * deviation
    return Bounds(mean - half, mean + half)


def sessions_for(half: float, deviation: float, alpha: float = ALPHA) -> int:
    """About how many sessions it takes until half the interval of a mean is no wider than ``half``."""
    if deviation == 0:
        return 1
    low, high = 0, 1
    while mean_factor(high, alpha) * deviation > half:
        low, high = high, 2 * high
        if log2(high) > 60:
            return high
    while high - low > 1:
        middle = (low + high) // 2
        if mean_factor(middle, alpha) * deviation <= half:
            high = middle
        else:
            low = middle
    return high
