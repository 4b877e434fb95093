"""The mean of a paired difference of sessions with its interval, and what the interval says of it.

The interval reaches on either side as far as the farther of two:

* Student's t, whose degrees of freedom are those of the variance's own estimate, 2 N / (κ − 1) with
  the kurtosis κ of
  the sessions' differences (Satterthwaite): few and large differences make it wider.
* Hall's transformation of t, which allows for the skewness of the differences (Hall 1992, *On the
  removal of skewness
  by transformation*).

There is none where fewer than ``FEWEST_DIFFERING`` sessions differ.  ``tools/coverage_compare.py``
measures how often intervals miss, and docs/coverage.md reports it.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace
from fractions import Fraction
from math import cbrt, sqrt
from typing import Final

from quadrille_core.frozen import frozen
from quadrille_plugins.studies.accounts import ANTES, ROLE_SUMS, ZERO
from quadrille_plugins.studies.effects import TOTAL, DifferenceSums, Effects, reaches
from quadrille_plugins.studies.equivalence import (
    IDENTICAL,
    MOST_NEEDED,
    NEAR,
    OF_DEALS,
    SMALLEST,
    UNDECIDED,
    Answer,
    answer,
    in_deals,
    interest_in,
    sessions_for_differing,
    sessions_needed,
    smallest_for,
)
from quadrille_plugins.studies.intervals import LEVEL, t_quantile, z_quantile
from quadrille_plugins.studies.sequences import deviation as bound

FEWEST_DIFFERING: Final = 30
"""With fewer sessions that differ no interval is given, and nothing is said to differ from zero."""
FEW_DIFFERING: Final = 150
"""With fewer it is said that an interval may be too narrow, for the large differences may not have
come yet."""
PICKED_ROLES: Final = ROLE_SUMS[:3]
"""The roles that, with the seats, a sentence picks the largest effects from."""
FEWEST_FREEDOM: Final = 5.0
"""The least degrees of freedom: ``t_quantile`` is not exact below, and few samples have fewer."""


@frozen
class Effect:
    """One column's mean difference a session of ``length`` deals, in counters, and its interval,
    None without one.

    ``deviation`` is the standard deviation of a session's difference.  ``deals`` is how many were
    played under either rule set, ``needed`` between how many it takes, with a probability of 90 %,
    to answer what ``answer`` leaves undecided; None where that cannot be said.
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
    needed: tuple[int, int] | None
    first_interval: int | None
    """About how many deals it takes until there is an interval; None where there is one."""
    interest: float
    """What ``answer`` holds the interval against, in counters a session."""
    together: tuple[float, float] | None
    """The ends of the interval that holds together with those of the other columns from which one
    is picked."""

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
    reach: Fraction | None = None,
    forecast: bool = True,
) -> Effect:
    """One column's effect; ``smallest`` is of a session of ``equivalence.OF_DEALS`` and is scaled
    to ``length``.

    ``smallest`` is the column's own: see ``equivalence.interest_in``.  The interval's level is that
    of each of ``comparisons`` intervals which together hold at ``level``; that of
    ``Effect.together``, of each of ``picked``. Where fewer than ``FEWEST_DIFFERING`` sessions
    differ there is none, unless the column's ``reach`` (``effects.reaches``) is known: then it is
    that of ``sequences.deviation``.  Without ``forecast`` what is near the threshold is undecided,
    and ``needed`` is not told.
    """
    n, deals = effects.sessions, effects.deals
    mean = change.total / deals if deals else Fraction(0)
    ends: tuple[float, float] | tuple[None, None] = (None, None)
    together = None
    deviation = error = 0.0
    if n > 1:
        spread = change.squares - 2 * mean * change.by_deals + mean * mean * effects.deals_squares
        error = sqrt(spread * n / (n - 1)) / deals * length
        deviation = error * sqrt(n)
        if change.differing >= FEWEST_DIFFERING:
            ends = _ends(change, n, float(mean * length), error, 1 - (1 - level) / comparisons)
            together = _ends(change, n, float(mean * length), error, 1 - (1 - level) / picked)
        elif reach is not None:
            half = bound(float(change.squares), float(reach), (1 - level) / comparisons) / n
            ends = together = float(mean * length) - half, float(mean * length) + half
    interest = float(smallest_for(smallest, length))
    found, first, needed = answer(ends[0], ends[1], interest), None, None
    if ends[0] is None:
        first = in_deals(
            max(n + 1, sessions_for_differing(change.differing, n, FEWEST_DIFFERING)), length
        )
    elif forecast and found == UNDECIDED and change.differing >= FEWEST_DIFFERING:
        needed = _needed(
            change,
            float(mean * length),
            error,
            ends,
            n,
            length,
            interest,
            (1 - level) / comparisons,
        )
        found = NEAR if needed is None else found
    return Effect(
        mean=mean * length,
        low=ends[0],
        high=ends[1],
        deviation=deviation,
        length=length,
        sessions=n,
        deals=deals,
        differing=change.differing,
        answer=found,
        needed=needed,
        first_interval=first,
        interest=interest,
        together=together,
    )


OF_KURTOSIS: Final = 0.75


def _needed(
    change: DifferenceSums,
    mean: float,
    error: float,
    ends: tuple[float, float],
    n: int,
    length: int,
    interest: float,
    alpha: float,
) -> tuple[int, int] | None:
    """Between how many deals the effect will be decided; the interval's excess over a normal one
    fades as 1/√n."""
    normal = z_quantile(1 - alpha)
    # the standard error of the deviation's logarithm is half of this; the kurtosis seen is mostly
    # below the true one
    spread = OF_KURTOSIS * sqrt((_shape(change, n)[1] - 1) / n)
    excess = (ends[1] - ends[0]) / 2 / error - normal

    def half_at(sessions: float) -> float:
        times = sqrt(n / sessions)
        return error * times * (normal + excess * times)

    found = sessions_needed(mean, error, interest, n, half_at, MOST_NEEDED / length, spread)
    if found is None:
        return None
    low, high = (in_deals(sessions, length) or 0 for sessions in found)
    return low, high


def _ends(
    change: DifferenceSums, n: int, mean: float, error: float, level: float
) -> tuple[float, float]:
    """The interval of a column's mean; both ends are the mean when all sessions differ equally."""
    below, above = _reach(change, n, level) if error else (0.0, 0.0)
    return mean - below * error, mean + above * error


def _reach(change: DifferenceSums, n: int, level: float) -> tuple[float, float]:
    """How many standard errors the interval reaches below the mean and above it."""
    skewness, kurtosis = _shape(change, n)
    freedom = min(n - 1.0, max(FEWEST_FREEDOM, 2 * n / max(kurtosis - 1, 2.0)))
    t = t_quantile(freedom, level)
    plain = t_quantile(n - 1.0, level)
    return max(t, _hall(plain, skewness, n)), max(t, -_hall(-plain, skewness, n))


def _shape(change: DifferenceSums, n: int) -> tuple[float, float]:
    """The skewness and the kurtosis of the sessions' differences."""
    m = change.total / n
    second = change.squares / n - m * m
    if not second:
        return 0.0, 3.0
    third = change.cubes / n - 3 * m * change.squares / n + 2 * m**3
    fourth = (
        change.fourths / n - 4 * m * change.cubes / n + 6 * m * m * change.squares / n - 3 * m**4
    )
    return float(third) / float(second) ** 1.5, float(fourth / second**2)


def _hall(t: float, skewness: float, n: int) -> float:
    """The quantile of the studentised mean that Hall's transformation makes of a symmetric one."""
    a = skewness / sqrt(n)
    if abs(a) < 1e-9:
        return t
    return 3 * (cbrt(1 + (t - a / 6) * a) - 1) / a


def all_effects(
    effects: Effects,
    length: int,
    *,
    smallest: Fraction = SMALLEST,
    alternatives: int = 1,
    identical: Collection[str] = (),
    comparisons: int | None = None,
    forecast: bool = True,
) -> Mapping[str, Mapping[str, Effect]]:
    """Every effect by estimand and column; ``smallest`` is of a seat, and sums over players have as
    many times that.

    From the columns on players of all ``alternatives`` the ones worth a sentence are picked.  In
    the ``identical`` columns nothing can differ, however few sessions were played.  With
    ``comparisons`` every interval holds together with so many others, at every look of
    ``studies.looks``; else each by itself.  ``forecast`` as in ``effect_of``.
    """
    reach = reaches(effects.reach) if comparisons else {}

    def one(name: str, change: DifferenceSums, players: int, total: bool) -> Effect:
        own = interest_in(name, smallest, OF_DEALS, players)
        picked = comparisons or alternatives * (players + len(PICKED_ROLES))
        known = (
            max(reach[name], ZERO if name in ANTES else reach["seat 0"])
            if total and reach
            else None
        )
        found = effect_of(
            change,
            effects,
            length,
            smallest=own,
            picked=picked,
            comparisons=comparisons or 1,
            reach=known,
            forecast=forecast,
        )
        return nothing(found) if name in identical else found

    return {
        estimand: {
            name: one(name, c, sum(n.startswith("seat ") for n in changes), estimand == TOTAL)
            for name, c in changes.items()
        }
        for estimand, changes in effects.changes.items()
    }


def nothing(effect: Effect) -> Effect:
    """The effect on a column in which, by the rules themselves, nothing can differ."""
    return replace(
        effect,
        low=0.0,
        high=0.0,
        answer=IDENTICAL,
        needed=None,
        first_interval=None,
        together=(0.0, 0.0),
    )
