"""Means with their 95 % intervals, from sessions as the independent units.

Deals of one session share a pool and are not independent, so the session is the sampling unit
throughout.  A mean per deal over sessions of unequal size is a ratio of two sums; its variance is
the usual linearised one (Cochran, *Sampling Techniques*, 3rd ed., ch. 6), and a paired difference
of two such ratios is linearised session by session.  Sums are exact fractions; only the square root
and the quantile are floating-point numbers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from fractions import Fraction
from math import sqrt
from operator import mul
from statistics import NormalDist
from typing import Any, Final, TypeVar

from quadrille_core.frozen import frozen

LEVEL: Final = 0.95
FEWEST_SESSIONS: Final = 6
"""With fewer sessions no interval is given: the approximations behind it do not hold."""


@frozen
class Estimate:
    """A mean per deal, the ends of its 95 % interval, and how many deals and sessions it rests on.

    The ends are None when there are too few sessions for an honest interval.
    """

    mean: Fraction
    low: float | None
    high: float | None
    count: int
    sessions: int

    @property
    def half(self) -> float | None:
        """Half the interval's width; an interval of a share need not lie evenly about its mean."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2

    @property
    def excludes_zero(self) -> bool:
        """Whether the whole interval lies on one side of zero."""
        return self.low is not None and self.high is not None and (self.low > 0 or self.high < 0)


class Accumulator:
    """Exact sums over sessions that take in those of others, field by field."""

    __slots__ = ()

    def merge(self, other: Any) -> None:
        """Take in the sums of other sessions, whose parts may become parts of these."""
        for one in fields(self):  # type: ignore[arg-type]
            setattr(self, one.name, added(getattr(self, one.name), getattr(other, one.name)))


def added(mine: Any, theirs: Any) -> Any:
    """Two sums added: mappings key by key, rows place by place (an empty one is nothing),
    accumulators by field."""
    if isinstance(mine, Accumulator):
        mine.merge(theirs)
        return mine
    if isinstance(mine, dict):
        for key, value in theirs.items():
            mine[key] = added(mine[key], value) if key in mine else value
        return mine
    if isinstance(mine, (list, tuple)):
        return type(mine)(map(added, mine, theirs)) if mine and theirs else mine or theirs
    return mine + theirs


K = TypeVar("K")
N = TypeVar("N", int, Fraction, "Fraction | int")
Amount = Fraction | int
Counted = tuple[Sequence[Amount], Sequence[int]]
"""Of something, the totals by session, and the deals that it was counted in."""


@frozen
class Tally:
    """One session's sum of something and the number of deals it was counted in."""

    total: Fraction
    count: int


@dataclass(slots=True)
class Moments(Accumulator):
    """Exact sums over sessions from which means and intervals follow, of constant size.

    ``tt`` sums the squared totals, ``cc`` the squared counts, ``tc`` their products.
    """

    sessions: int = 0
    total: Fraction = field(default_factory=Fraction)
    count: int = 0
    tt: Fraction = field(default_factory=Fraction)
    tc: Fraction = field(default_factory=Fraction)
    cc: int = 0

    @classmethod
    def of(cls, totals: Sequence[Amount], counts: Sequence[int], scale: int = 1) -> "Moments":
        """The sums of sessions, whose totals are in so many parts of a counter."""
        return cls(
            len(totals),
            counters(sum(totals), scale),
            sum(counts),
            counters(product(totals, totals), scale * scale),
            counters(product(totals, counts), scale),
            product(counts, counts),
        )

    def add(self, total: Fraction | int, count: int) -> None:
        """One more session."""
        self.merge(Moments.of([total], [count]))

    @property
    def mean(self) -> Fraction:
        """The ratio of the sums."""
        return self.total / self.count

    def spread(self) -> Fraction:
        """The sum of squared influences of the sessions on the mean."""
        mean = self.mean
        return (self.tt - 2 * mean * self.tc + mean * mean * self.cc) / self.count**2


@dataclass(slots=True)
class Products(Accumulator):
    """Sums over sessions of the products of two tallies' totals and counts, the first's named
    first."""

    tt: Fraction = field(default_factory=Fraction)
    tc: Fraction = field(default_factory=Fraction)
    ct: Fraction = field(default_factory=Fraction)
    cc: int = 0

    @classmethod
    def of(cls, a: Counted, b: Counted, scale: int = 1) -> "Products":
        """The sums of sessions, whose totals are in so many parts of a counter."""
        return cls(
            Fraction(product(a[0], b[0]), scale * scale),
            Fraction(product(a[0], b[1]), scale),
            Fraction(product(b[0], a[1]), scale),
            product(a[1], b[1]),
        )

    def turned(self) -> "Products":
        """The same with the second named first."""
        return Products(self.tt, self.ct, self.tc, self.cc)

    def together(self, a: Moments, b: Moments) -> Fraction:
        """The sum of the products of both means' errors."""
        found = self.tt - b.mean * self.tc - a.mean * self.ct + a.mean * b.mean * self.cc
        return found / (a.count * b.count)


def counters(parts: Amount, scale: int) -> Fraction:
    """An amount in counters; most are counts, and whole."""
    return Fraction(parts) if scale == 1 else Fraction(parts, scale)


def product(a: Sequence[N], b: Sequence[N]) -> N:
    """The sum of the products of two rows; the second is mostly the same number throughout."""
    if b and b.count(b[0]) == len(b):
        return b[0] * sum(a)
    found: N = sum(map(mul, a, b))
    return found


def shares_of_deals(told: Mapping[K, Sequence[int]], deals: Sequence[int]) -> dict[K, Moments]:
    """Of each thing that is told of the deals of sessions, the sums."""
    return {what: Moments.of(many, deals) for what, many in told.items()}


def counted(tallies: Sequence[Tally]) -> Counted:
    """The totals and the counts of these sessions."""
    return [t.total for t in tallies], [t.count for t in tallies]


def ratio(tallies: Sequence[Tally]) -> Estimate:
    """The mean per counted deal, with its interval over sessions; a mean of nothing is 0 with no
    interval."""
    return mean_of(Moments.of(*counted(tallies)))


def mean_of(found: Moments) -> Estimate:
    """The same from the sessions' sums."""
    if not found.count:
        return Estimate(Fraction(0), None, None, 0, found.sessions)
    return _symmetric(found.mean, found.spread(), found.sessions, found.count)


def difference(a: Sequence[Tally], b: Sequence[Tally]) -> Estimate | None:
    """Mean of ``a`` minus mean of ``b``, paired session by session; both hold one tally a session.

    None when one of them was never counted: what does not exist differs from nothing by no amount.
    """
    mine, theirs = counted(a), counted(b)
    return difference_of(Moments.of(*mine), Moments.of(*theirs), Products.of(mine, theirs))


def difference_of(a: Moments, b: Moments, products: Products) -> Estimate | None:
    """The same from the sessions' sums."""
    if not a.count or not b.count:
        return None
    spread = a.spread() + b.spread() - 2 * products.together(a, b)
    return _symmetric(a.mean - b.mean, spread, a.sessions, max(a.count, b.count))


def share_of(found: Moments) -> Estimate:
    """The share of counted deals in which something happened; each session's total is a number of
    deals.

    Wilson's interval on the effective sample size: the deals divided by the design effect of their
    sessions (at least 1), and by the square of t over z for how few the sessions are (Korn &
    Graubard 1998).  It stays within 0 and 1, and does not shrink to nothing when nothing was seen.
    """
    sessions, count = found.sessions, found.count
    if not count:
        return Estimate(Fraction(0), None, None, 0, sessions)
    mean = found.mean
    if sessions < FEWEST_SESSIONS:
        return Estimate(mean, None, None, count, sessions)
    simple = mean * (1 - mean) / count
    effect = max(1.0, float(_variance(found.spread(), sessions) / simple)) if simple else 1.0
    z = z_quantile()
    size = count / effect * (z / t_quantile(sessions - 1)) ** 2
    return Estimate(mean, *_wilson(float(mean), size), count, sessions)


def proportion(count: int, of: int) -> Estimate:
    """The share of independent trials in which something happened, with Wilson's score interval.

    It stays within 0 and 1, and does not shrink to nothing when the thing always or never happened.
    """
    if not of:
        return Estimate(Fraction(0), None, None, 0, 0)
    return Estimate(Fraction(count, of), *_wilson(count / of, of), of, of)


def _wilson(p: float, size: float) -> tuple[float, float]:
    """Wilson's interval of a share with N effective trials."""
    z = z_quantile()
    middle = (p + z * z / (2 * size)) / (1 + z * z / size)
    reach = z / (1 + z * z / size) * sqrt(p * (1 - p) / size + z * z / (4 * size * size))
    return (max(0.0, middle - reach) if p else 0.0), (min(1.0, middle + reach) if p < 1 else 1.0)


def paired_difference(gained: int, lost: int, of: int) -> Estimate:
    """The difference of two shares of the same independent trials, from the discordant counts.

    The interval is Bonett and Price's (2012), Wald's with a trial added to either kind: it does not
    shrink to nothing when the trials never went apart.
    """
    if not of:
        return Estimate(Fraction(0), None, None, 0, 0)
    z = z_quantile()
    more, less = (gained + 1) / (of + 2), (lost + 1) / (of + 2)
    half = z * sqrt((more + less - (more - less) ** 2) / (of + 2))
    return Estimate(
        Fraction(gained - lost, of),
        max(-1.0, more - less - half),
        min(1.0, more - less + half),
        of,
        of,
    )


def _variance(spread: Fraction, sessions: int) -> Fraction:
    return spread * sessions / (sessions - 1)


def _symmetric(mean: Fraction, spread: Fraction, sessions: int, count: int) -> Estimate:
    if sessions < FEWEST_SESSIONS:
        return Estimate(mean, None, None, count, sessions)
    half = t_quantile(sessions - 1) * sqrt(_variance(spread, sessions))
    return Estimate(mean, float(mean) - half, float(mean) + half, count, sessions)


def z_quantile(level: float = LEVEL) -> float:
    """The normal quantile at the two-sided level."""
    return NormalDist().inv_cdf((1 + level) / 2)


def t_quantile(freedom: float, level: float = LEVEL) -> float:
    """Student's t at the two-sided level, by the Cornish-Fisher expansion in 1/freedom.

    Within 0.2 % of the true quantile from five degrees of freedom up (Abramowitz & Stegun 26.7.5);
    the tests compare it with SciPy's, which would be a heavy dependency for one number.
    """
    z = z_quantile(level)
    v = freedom
    g1 = (z**3 + z) / 4
    g2 = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    g3 = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    g4 = (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160
    return z + g1 / v + g2 / v**2 + g3 / v**3 + g4 / v**4
