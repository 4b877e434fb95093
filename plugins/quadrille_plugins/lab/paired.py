"""The mean of a paired difference of sessions with its interval, and what the interval says of it.

The interval reaches on either side as far as the farther of two:

* Student's t, whose degrees of freedom are those of the variance's own estimate, 2 N / (κ − 1) with the kurtosis κ of
  the sessions' differences (Satterthwaite): few and large differences make it wider.
* Hall's transformation of t, which allows for the skewness of the differences (Hall 1992, *On the removal of skewness
  by transformation*).

There is none where fewer than ``FEWEST_DIFFERING`` sessions differ.  ``tests/coverage_compare.py`` measures how often
intervals miss, and docs/coverage.md reports it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import cbrt, inf, sqrt
from typing import Final

from quadrille_plugins.lab.accounts import ROLE_SUMS
from quadrille_plugins.lab.effects import DifferenceSums, Effects
from quadrille_plugins.lab.equivalence import (
    OF_DEALS,
    SMALLEST,
    Answer,
    answer,
    in_deals,
    interest_in,
    sessions_for_differing,
    sessions_to_decide,
    smallest_for,
)
from quadrille_plugins.lab.intervals import LEVEL, t_quantile

FEWEST_DIFFERING: Final = 30
"""With fewer sessions that differ no interval is given, and nothing is said to differ from zero."""
FEW_DIFFERING: Final = 150
"""With fewer it is said that an interval may be too narrow, for the large differences may not have come yet."""
PICKED_ROLES: Final = ROLE_SUMS[:3]
"""The roles that, with the seats, a sentence picks the largest effects from."""
FEWEST_FREEDOM: Final = 5.0
"""The least degrees of freedom: ``t_quantile`` is not exact below, and few samples have fewer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """One column's mean difference a session of ``length`` deals, in counters, and its interval, None without one.

    ``deviation`` is the standard deviation of a session's difference.  ``deals`` is how many were played under either
    rule set, ``needed`` how many it takes to answer what ``answer`` leaves undecided, and at the least
    (``at_least``) where there is no interval yet; None where no number would.
    """

    mean: Fraction
    low: float | None
    high: float | None
    deviation: float
    length: int
    sessions: int
    deals: int
    differing: int
    answer: Answer
    needed: int | None
    at_least: bool
    """Whether it takes at least ``needed`` deals, and nobody can say how many more."""
    first_interval: int | None
    """About how many deals it takes until there is an interval; None where there is one."""
    interest: float
    """What ``answer`` holds the interval against, in counters a session."""
    together: tuple[float, float] | None
    """The ends of the interval that holds together with those of the other columns from which one is picked."""

    @property
    def stands_out(self) -> bool:
        """Whether the interval corrected for selection excludes zero."""
        return self.together is not None and (self.together[0] > 0 or self.together[1] < 0)


def effect_of(
    change: DifferenceSums,
    effects: Effects,
    length: int,
    *,
    smallest: Fraction = SMALLEST,
    level: float = LEVEL,
    comparisons: int = 1,
    picked: int = 1,
) -> Effect:
    """One column's effect; ``smallest`` is of a session of ``equivalence.OF_DEALS`` and is scaled to ``length``.

    ``smallest`` is the column's own: see ``equivalence.interest_in``.  The interval's level is that of each of
    ``comparisons`` intervals which together hold at ``level``; that of ``Effect.together``, of each of ``picked``.
    """
    n, deals = effects.sessions, effects.deals
    mean = change.total / deals if deals else Fraction(0)
    ends: tuple[float | None, float | None] = (None, None)
    together = None
    deviation = 0.0
    if n > 1:
        spread = change.squares - 2 * mean * change.by_deals + mean * mean * effects.deals_squares
        error = sqrt(spread * n / (n - 1)) / deals * length
        deviation = error * sqrt(n)
        if change.differing >= FEWEST_DIFFERING:
            ends = _ends(change, n, float(mean * length), error, 1 - (1 - level) / comparisons)
            together = _ends(change, n, float(mean * length), error, 1 - (1 - level) / picked)
    interest = float(smallest_for(smallest, length))
    found = answer(*ends, interest)
    needed = first = None
    floor = sessions_for_differing(change.differing, n, FEWEST_DIFFERING) if ends[0] is None else 0.0
    if ends[0] is None:
        first = in_deals(max(n + 1, floor), length)
    if found == "undecided":
        # one that is about as large as the smallest of interest may take any number
        decided = sessions_to_decide(float(mean * length), deviation, interest, comparisons=comparisons)
        if ends[0] is None and decided == inf:
            decided = 0.0
        needed = in_deals(max(n + 1, floor, decided), length)
    return Effect(
        mean=mean * length, low=ends[0], high=ends[1], deviation=deviation, length=length, sessions=n, deals=deals,
        differing=change.differing, answer=found, needed=needed, at_least=needed is not None and ends[0] is None,
        first_interval=first, interest=interest, together=together,
    )  # fmt: skip


def _ends(change: DifferenceSums, n: int, mean: float, error: float, level: float) -> tuple[float, float]:
    """The interval of a column's mean; both ends are the mean when all sessions differ equally."""
    below, above = _reach(change, n, level) if error else (0.0, 0.0)
    return mean - below * error, mean + above * error


def _reach(change: DifferenceSums, n: int, level: float) -> tuple[float, float]:
    """How many standard errors the interval reaches below the mean and above it."""
    m = change.total / n
    second = change.squares / n - m * m
    third = change.cubes / n - 3 * m * change.squares / n + 2 * m**3
    fourth = change.fourths / n - 4 * m * change.cubes / n + 6 * m * m * change.squares / n - 3 * m**4
    kurtosis = float(fourth / second**2) if second else 3.0
    freedom = min(n - 1.0, max(FEWEST_FREEDOM, 2 * n / max(kurtosis - 1, 2.0)))
    t = t_quantile(freedom, level)
    skewness = float(third) / float(second) ** 1.5 if second else 0.0
    plain = t_quantile(n - 1.0, level)
    return max(t, _hall(plain, skewness, n)), max(t, -_hall(-plain, skewness, n))


def _hall(t: float, skewness: float, n: int) -> float:
    """The quantile of the studentised mean that Hall's transformation makes of a symmetric one."""
    a = skewness / sqrt(n)
    if abs(a) < 1e-9:
        return t
    return 3 * (cbrt(1 + (t - a / 6) * a) - 1) / a


def all_effects(
    effects: Effects, length: int, *, smallest: Fraction = SMALLEST, alternatives: int = 1, same: bool = False
) -> Mapping[str, Mapping[str, Effect]]:
    """Every effect by estimand and column; ``smallest`` is of a seat, and sums over players have as many times that.

    From the columns on players of all ``alternatives`` the ones worth a sentence are picked.  Of the ``same`` rules
    nothing can differ, however few sessions were played.
    """

    def one(name: str, change: DifferenceSums, players: int) -> Effect:
        own = interest_in(name, smallest, OF_DEALS, players)
        found = effect_of(change, effects, length, smallest=own, picked=alternatives * (players + len(PICKED_ROLES)))
        return nothing(found) if same else found

    return {
        estimand: {name: one(name, c, sum(n.startswith("seat ") for n in changes)) for name, c in changes.items()}
        for estimand, changes in effects.changes.items()
    }


def nothing(effect: Effect) -> Effect:
    """The effect of rules that are the same: none, with certainty."""
    return replace(
        effect, low=0.0, high=0.0, answer="smaller", needed=None, at_least=False, first_interval=None,
        together=(0.0, 0.0),
    )  # fmt: skip
