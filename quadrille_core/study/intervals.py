"""Means with their 95 % intervals, from sessions as the independent units.

Deals of one session share a pool and are not independent, so the session is the sampling unit
throughout.  A mean per deal over sessions of unequal size is a ratio of two sums; its variance is the
usual linearised one (Cochran, *Sampling Techniques*, 3rd ed., ch. 6), and a paired difference of two
such ratios is linearised session by session.  Sums are exact fractions; only the square root and the
quantile are floating-point numbers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from statistics import NormalDist
from typing import Final

LEVEL: Final = 0.95
FEWEST_SESSIONS: Final = 6
"""With fewer sessions no interval is given: the approximations behind it do not hold."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean per deal, its half-width at 95 %, and how many deals and sessions it rests on.

    ``half`` is None when there are too few sessions for an honest interval.
    """

    mean: Fraction
    half: float | None
    count: int
    sessions: int

    @property
    def low(self) -> float | None:
        """The interval's lower end."""
        return None if self.half is None else float(self.mean) - self.half

    @property
    def high(self) -> float | None:
        """The interval's upper end."""
        return None if self.half is None else float(self.mean) + self.half

    @property
    def excludes_zero(self) -> bool:
        """Whether the whole interval lies on one side of zero."""
        return self.half is not None and abs(float(self.mean)) > self.half


@dataclass(frozen=True, slots=True)
class Tally:
    """One session's sum of something and the number of deals it was counted in."""

    total: Fraction
    count: int


ZERO: Final = Tally(Fraction(0), 0)


def ratio(tallies: Sequence[Tally]) -> Estimate:
    """The mean per counted deal, with its interval over sessions."""
    return difference(tallies, [ZERO] * len(tallies))


def difference(a: Sequence[Tally], b: Sequence[Tally]) -> Estimate:
    """Mean of ``a`` minus mean of ``b``, paired session by session; both hold one tally a session."""
    count_a, count_b = sum(t.count for t in a), sum(t.count for t in b)
    mean_a = sum((t.total for t in a), Fraction(0)) / count_a if count_a else Fraction(0)
    mean_b = sum((t.total for t in b), Fraction(0)) / count_b if count_b else Fraction(0)
    sessions = len(a)
    half = None
    if sessions >= FEWEST_SESSIONS:
        squares = Fraction(0)
        for x, y in zip(a, b, strict=True):
            residual = Fraction(0)
            if count_a:
                residual += (x.total - mean_a * x.count) / count_a
            if count_b:
                residual -= (y.total - mean_b * y.count) / count_b
            squares += residual * residual
        variance = squares * sessions / (sessions - 1)
        half = t_quantile(sessions - 1) * sqrt(variance)
    return Estimate(mean_a - mean_b, half, max(count_a, count_b), sessions)


def t_quantile(freedom: int, level: float = LEVEL) -> float:
    """Student's t at the two-sided level, by the Cornish-Fisher expansion in 1/freedom.

    Within 0.2 % of the true quantile from five degrees of freedom up (Abramowitz & Stegun 26.7.5);
    the tests compare it with SciPy's, which would be a heavy dependency for one number.
    """
    z = NormalDist().inv_cdf((1 + level) / 2)
    v = freedom
    g1 = (z**3 + z) / 4
    g2 = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    g3 = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    g4 = (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160
    return z + g1 / v + g2 / v**2 + g3 / v**3 + g4 / v**4
