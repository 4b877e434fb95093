"""The distribution over sessions of a paired difference D: its quartiles, and the shares of
sessions that gain, lose or are even.

Estimands: of whole sessions of one length, the quantile ξ of a part q, the least x with P(D ≤ x) ≥
q; and P(D > 0), P(D < 0), P(D = 0).  The estimate of ξ is that quantile of the sessions played.  An
interval of it reaches from one order statistic to another: ξ lies below the l-th only where fewer
than l sessions are at most ξ, of which each is with a probability of at least q; so too above.  No
form of the distribution is assumed, and ties make an interval too wide, never too narrow.

The ranks are the binomial distribution's (``binomial_ranks``), or hold at every number of sessions
at once (``sequences.ranks``).
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import accumulate
from math import ceil, exp, floor, gcd, lcm, lgamma, log, log1p, sqrt
from typing import Final

from quadrille_core.frozen import frozen
from quadrille_plugins.studies.intervals import LEVEL, Accumulator, Amount, proportion
from quadrille_plugins.studies.sequences import ranks as ranks_at_all_looks
from quadrille_plugins.studies.sequences import share_bounds

FARTHEST: Final = 10_000
"""Differences of more counters are counted as this many: a quantile so far out is not told, all
others are exact, and the counts stay of one size."""
QUARTILES: Final = {
    "lower_quartile": Fraction(1, 4),
    "median": Fraction(1, 2),
    "upper_quartile": Fraction(3, 4),
}
FIGURES: Final = (*QUARTILES, "gain", "even", "lose")
"""What is told of a distribution: three quantiles, three shares."""
Ranks = tuple[int, int]


@dataclass(slots=True)
class Spread(Accumulator):
    """How many sessions differ by each amount, in ``parts`` of a counter: as few as all take."""

    parts: int = 1
    counts: Counter[int] = field(default_factory=Counter)

    @classmethod
    def of(cls, amounts: Sequence[Amount], scale: int = 1) -> "Spread":
        """The counts of sessions whose differences are in counters times ``scale``."""
        told = Counter(amounts)
        whole = lcm(*(amount.denominator for amount in told))
        parts, farthest = scale * whole, FARTHEST * scale * whole
        found: Counter[int] = Counter()
        for amount, many in told.items():
            found[max(-farthest, min(farthest, int(amount * whole)))] += many
        common = gcd(parts, *found)
        return cls(parts // common, Counter({n // common: many for n, many in found.items()}))

    def merge(self, other: "Spread") -> None:
        """Take in the counts of other sessions."""
        parts = lcm(self.parts, other.parts)
        if parts != self.parts:
            times = parts // self.parts
            self.counts = Counter({n * times: many for n, many in self.counts.items()})
            self.parts = parts
        times = parts // other.parts
        for amount, many in other.counts.items():
            self.counts[amount * times] += many

    def holds(self, sessions: int) -> bool:
        """Whether it can be of so many sessions; what was read from a file may be invented."""
        return (
            self.parts > 0
            and min(self.counts.values(), default=1) > 0
            and self.counts.total() == sessions
        )

    def sorted(self) -> tuple[list[int], list[int]]:
        """The amounts in order, and of each how many sessions are at most there."""
        amounts = sorted(self.counts)
        return amounts, list(accumulate(self.counts[one] for one in amounts))


@frozen
class Figure:
    """A quantile in counters, or a share of sessions, with its interval; None where none is
    given."""

    value: float | None
    low: float | None
    high: float | None

    @property
    def sign(self) -> int:
        """+1 or −1 where the interval lies on one side of zero, else 0."""
        if self.low is None or self.high is None:
            return 0
        return (self.low > 0) - (self.high < 0)


Distribution = Mapping[str, Figure]
"""By ``FIGURES``."""


@frozen
class Intervals:
    """How intervals are made: the ranks of a quantile's ends by sessions and part, and the ends of
    a share by count and sessions."""

    ranks: Callable[[int, Fraction], Ranks]
    share: Callable[[int, int], tuple[float | None, float | None]]


def at_one_look(comparisons: int = 1) -> Intervals:
    """Quantiles by the binomial distribution, the error divided among as many intervals; of shares
    Wilson's, each by itself."""

    def share(count: int, of: int) -> tuple[float | None, float | None]:
        found = proportion(count, of)
        return found.low, found.high

    return Intervals(lambda n, q: binomial_ranks(n, q, (1 - LEVEL) / comparisons), share)


def at_all_looks(alpha: float) -> Intervals:
    """Intervals that hold at every number of sessions at once, each but with a probability of
    ``alpha``."""

    def share(count: int, of: int) -> tuple[float, float]:
        found = share_bounds(count, of, alpha)
        return found.low, found.high

    return Intervals(lambda n, q: ranks_at_all_looks(n, float(q), alpha), share)


def distribution(spread: Spread, by: Intervals) -> dict[str, Figure]:
    """The figures of a distribution, in counters and shares; of no sessions there are none."""
    n = spread.counts.total()
    if not n:
        return {}
    amounts, upto = spread.sorted()
    found = {name: _quantile(amounts, upto, q, spread.parts, by) for name, q in QUARTILES.items()}
    even = spread.counts.get(0, 0)
    lose = sum(many for amount, many in spread.counts.items() if amount < 0)
    for name, many in (("gain", n - even - lose), ("even", even), ("lose", lose)):
        found[name] = Figure(many / n, *by.share(many, n))
    return found


def _quantile(
    amounts: Sequence[int], upto: Sequence[int], q: Fraction, parts: int, by: Intervals
) -> Figure:
    n = upto[-1]

    def at(rank: int) -> float | None:
        """The order statistic of that rank; None where there is none, or it is beyond
        ``FARTHEST``."""
        if not 1 <= rank <= n:
            return None
        amount = amounts[bisect_left(upto, rank)]
        return None if abs(amount) >= FARTHEST * parts else amount / parts

    low, high = map(at, by.ranks(n, q))
    whole = low is not None and high is not None
    return Figure(at(ceil(n * q)), low if whole else None, high if whole else None)


@cache
def binomial_ranks(n: int, q: Fraction, alpha: float) -> Ranks:
    """The ranks of the order statistics between which a quantile of part ``q`` lies, but with a
    probability of ``alpha``.

    Ranks count from 1; below 1, or above ``n``, there is no such end.
    """
    low = _fewer_than(n, float(q), alpha / 2)
    return low, n + 1 - _fewer_than(n, float(1 - q), alpha / 2)


def _fewer_than(n: int, p: float, alpha: float) -> int:
    """The largest number than which a binomial one is less with a probability of at most
    ``alpha``."""
    # what lies twelve deviations out is less than any error that is allowed
    start = max(0, floor(n * p - 12 * sqrt(n * p * (1 - p))))
    log_first = lgamma(n + 1) - lgamma(start + 1) - lgamma(n - start + 1)
    term = exp(log_first + start * log(p) + (n - start) * log1p(-p))
    odds, below, k = p / (1 - p), term, start
    while below <= alpha:
        term *= (n - k) / (k + 1) * odds
        k += 1
        below += term
    return k
