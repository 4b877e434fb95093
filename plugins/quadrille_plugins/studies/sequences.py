"""Confidence sequences: intervals that hold at all times at once, so that a study may be looked at
whenever one likes.

Ordinary intervals are right at one number of deals fixed beforehand; who looks again and again and
stops when he likes what he sees is misled by them.  These are right at every number at once with
the stated probability.

**Shares.**  Deal after deal has some chance of parting, whatever came before.  With ``k`` of ``n``
parted, the mixture over odds ratios θ of θ^k / (1 + p (θ − 1))^n, with p the average of those
chances, is at most a mixture of martingales that begin at 1, for log (1 + p (θ − 1)) is concave in
p.  By Ville's inequality it ever reaches 1/alpha with probability at most alpha: the p at which it
is below are an exact confidence sequence for the average chance, and the deals need not be
independent (Ville 1939; Robbins 1970; Howard, Ramdas, McAuliffe and Sekhon 2021).

**Payments.**  Sessions are independent and alike; D is a payee's difference in one.  Let no
difference exceed ``c``, and let each be compared with a guess g made before it, the mean at the
look before.  Then the mixture over s of exp(s Σ(D − μ)/c − ψ(s) Σ(D − g)²/c²), with ψ(s) = −log(1 −
s) − s, is a mixture of supermartingales that begin at 1 for the true mean μ (Howard, Ramdas,
McAuliffe and Sekhon 2021, theorem 4; Waudby-Smith and Ramdas 2024): an empirical-Bernstein
confidence sequence, exact at every number of sessions if ``c`` is right.  Nobody knows ``c``, for a
pool has no bound; it is taken to be the *reach*: the largest sum that the payee ever won or lost in
a session under either rule set, or that differed between them.  All sessions tell of it, not only
the few that differ, so that a difference that has not been seen yet is allowed for: where none has
been seen, the bound is about 5 times the reach divided by the sessions.
``tools/coverage_matters.py`` measures how often the bounds fail with sessions of real play.
"""

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from math import ceil, exp, inf, log, log1p, sqrt
from typing import Final

from quadrille_core.frozen import frozen

ALPHA: Final = 0.05
"""The probability with which an interval ever fails, before it is divided among several
alternatives."""

NONE_WEIGHT: Final = 0.8
"""The weight of θ = 0, which alone speaks where nothing ever parted: there the bound is about
3.2/n."""
FINEST: Final = 10
_STEPS: Final = tuple(log(256) / 2**i for i in range(FINEST + 1))
_LOG_RATIOS: Final = (*(-s for s in _STEPS), *reversed(_STEPS))
"""The other odds ratios' logarithms, from 1/256 to 256, the denser the nearer to 1: so intervals go
on narrowing."""
_LOG_WEIGHT: Final = log((1 - NONE_WEIGHT) / len(_LOG_RATIOS))

BETS: Final = tuple(0.9 * 0.6**j for j in range(16))
"""The values of s in the mixture for payments: the largest speak of few heavy sessions, the others
of many."""
_BETS: Final = tuple((s, -log1p(-s) - s, -log((j + 1) * (j + 2))) for j, s in enumerate(BETS))
"""s, ψ(s) and the logarithm of its weight; the weights 1/2, 1/6, 1/12 … sum to less than 1."""
FIRST_GUESS: Final = 30
"""With fewer sessions that differ the guess of the mean stays 0."""
HEAVY: Final = 1 / 3
"""The reach grows about as this power of the sessions played: what predictions assume, and no bound
does."""


@frozen
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
    """The average chance of what happened in ``k`` of ``n`` trials: bounds that hold at all ``n``
    at once."""
    if n == 0:
        return Bounds(0.0, 1.0)
    limit, found = -log(alpha), k / n

    def outside(p: float) -> bool:
        return _log_evidence(k, n, p) >= limit

    low = edge(outside, found, 0.0) if k else 0.0
    high = edge(outside, found, 1.0) if k < n else 1.0
    return Bounds(low, high)


@cache
def ranks(n: int, q: float, alpha: float = ALPHA) -> tuple[int, int]:
    """The ranks of the order statistics of ``n`` trials between which their quantile of part ``q``
    lies, at all ``n`` at once.

    Those at most there, and those below it, happen with a chance of at least ``q`` and at most
    (Howard and Ramdas 2022).  Ranks count from 1; below 1, or above ``n``, there is no such end.
    """
    limit, middle = -log(alpha), ceil(n * q)

    def inside(k: int) -> bool:
        return _log_evidence(k, n, q) < limit

    low = bisect_left(range(middle), True, key=inside)
    above = bisect_left(range(n - middle + 1), True, key=lambda k: not inside(middle + k))
    return low, middle + above


def edge(outside: Callable[[float], bool], inner: float, outer: float) -> float:
    """The end of a convex set around ``inner``, by bisection up to ``outer``; ``outer`` if that is
    inside."""
    if not outside(outer):
        return outer
    for _ in range(60):
        middle = (inner + outer) / 2
        if outside(middle):
            outer = middle
        else:
            inner = middle
    return outer


@cache
def trials_for(bound: float, alpha: float = ALPHA) -> int:
    """Trials without any divergence until the upper bound is at most ``bound`` (above 0)."""
    if bound >= 1:
        return 1
    most = (
        ceil(log(1 / (NONE_WEIGHT * alpha)) / -log1p(-bound)) + 1
    )  # θ = 0 by itself is enough then
    return bisect_left(range(most), True, 1, key=lambda n: share_bounds(0, n, alpha).high <= bound)


@lru_cache(1 << 16)
def deviation(spread: float, scale: float, alpha: float = ALPHA) -> float:
    """How far a sum of differences may lie from its expectation, but for a probability of
    ``alpha``, at all times.

    ``spread`` is the sum of the squared differences from their guesses, ``scale`` the most that one
    may lie from its.
    """
    if not scale:
        return 0.0
    limit, v = log(2 / alpha), spread / scale**2
    # the mixture is no less than its largest term, which gives a bound; Newton's steps from there
    # fall to the edge
    x = min((limit + psi * v - weight) / s for s, psi, weight in _BETS)
    for _ in range(100):
        terms = [(s, weight + s * x - psi * v) for s, psi, weight in _BETS]
        top = max(t for _, t in terms)
        parts = [(s, exp(t - top)) for s, t in terms]
        total = sum(e for _, e in parts)
        step = (top + log(total) - limit) * total / sum(s * e for s, e in parts)
        x -= step
        if abs(step) <= 1e-12 * x:
            break
    return x * scale


@dataclass(slots=True)
class PayeeSums:
    """One payee's differences, session by session, as sums at the last look, in counters.

    ``spread`` sums the squared differences from ``guess``, the mean at the look before; ``reach``
    is the largest sum won or lost in a session under either rule set, ``differing`` how many
    sessions differ.
    """

    sessions: int = 0
    total: Fraction = Fraction(0)
    squares: Fraction = Fraction(0)
    differing: int = 0
    reach: float = 0.0
    guess: float = 0.0
    spread: float = 0.0
    farthest: float = 0.0
    """The guess that was farthest from 0."""

    def look(
        self, sessions: int, total: Fraction, squares: Fraction, differing: int, reach: Fraction
    ) -> None:
        """Take in the sums over all sessions so far; with them the next guess is made."""
        more, added = sessions - self.sessions, float(total - self.total)
        self.spread += max(
            0.0, float(squares - self.squares) - 2 * self.guess * added + self.guess**2 * more
        )
        self.sessions, self.total, self.squares, self.differing = (
            sessions,
            total,
            squares,
            differing,
        )
        self.reach, self.farthest = float(reach), max(self.farthest, abs(self.guess))
        self.guess = float(total / sessions) if differing >= FIRST_GUESS else 0.0

    @property
    def mean(self) -> Fraction:
        """The mean difference in a session."""
        return self.total / self.sessions

    def half(self, alpha: float = ALPHA) -> float:
        """How far the mean may lie from the true one, at all times."""
        return deviation(self.spread, self.reach + self.farthest, alpha) / self.sessions

    def bounds(self, alpha: float = ALPHA) -> Bounds:
        """The mean difference in a session: bounds that hold at all times at once."""
        mean, half = float(self.mean), self.half(alpha)
        return Bounds(mean - half, mean + half)

    def sessions_for(self, half: float, alpha: float = ALPHA, spare: float = 0.0) -> int:
        """About how many sessions it takes until the bounds lie no farther than ``half`` (above 0)
        from the mean.

        ``spare`` standard errors of the mean are added to how far they lie.
        """

        def far(sessions: int) -> float:
            times = sessions / self.sessions
            scale, spread = (self.reach + self.farthest) * times**HEAVY, self.spread * times
            return deviation(spread, scale, alpha) / sessions + spare * sqrt(spread) / sessions

        low, high = 0, 1
        while far(high) > half and high < 1 << 60:
            low, high = high, 2 * high
        return bisect_left(range(high), True, low + 1, key=lambda sessions: far(sessions) <= half)
