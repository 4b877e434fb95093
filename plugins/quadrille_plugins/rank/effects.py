"""Effects of switching one point, each a vector over accounts, and how sure their means and sizes
are.

A *switch* takes one sampled configuration from the reading in use to an alternative, on the same
deals.  Its vector says by how much every account changes.  Sessions are dealt into groups; each
group has a vector, and the groups' vectors sum to the switch's.
``docs/decisions/029-ranking-by-total-effects.md`` has the formulas and the measured coverage.
"""

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction
from math import exp, fsum, inf, log, log1p, sqrt
from statistics import NormalDist
from typing import Final

from quadrille_core.frozen import frozen
from quadrille_plugins.rank.play import Response
from quadrille_plugins.rank.space import Configuration, Space
from quadrille_plugins.studies.accounts import columns, partitions
from quadrille_plugins.studies.effects import DifferenceSums, Effects
from quadrille_plugins.studies.equivalence import (
    LARGER,
    LOOK_RATIO,
    OF_DEALS,
    SMALLER,
    UNDECIDED,
    sessions_needed,
)
from quadrille_plugins.studies.equivalence import SMALLEST as COUNTERS
from quadrille_plugins.studies.intervals import FEWEST_SESSIONS, t_quantile, z_quantile
from quadrille_plugins.studies.paired import FEWEST_DIFFERING as FEWEST_SESSIONS_DIFFERING
from quadrille_plugins.studies.paired import effect_of
from quadrille_plugins.studies.sequences import edge

LEVEL: Final = 0.95
PAYMENTS, CONTRACTS, SEATS = MEASURES = ("payments", "contracts", "seats")
SMALLEST: Final = {PAYMENTS: float(COUNTERS), CONTRACTS: 2.0, SEATS: float(COUNTERS)}
"""The smallest effect of interest by default, in each measure's unit."""
FEWEST_DIFFERING: Final = 6
"""Configurations in which something must differ before an interval is given; of sessions
``studies.paired`` has it."""
MOST: Final = 100.0
MOST_TIMES: Final = 10.0
"""What a switch counts for at most in counters, or so many times the smallest effect of interest if
that is more: in rare configurations pools double deal by deal, and a mean without a bound would be
that of those drawn."""
UNSEEN: Final = 2.0
"""One more unit is supposed, with an effect this many times the largest seen: effects are
skewed."""
UNSEEN_OF_FEW: Final = 5.0
"""The same where too few units differ for an interval."""


@frozen
class Sure:
    """A number with the ends of its interval; None where none can be given.

    ``high`` without ``low`` is an upper bound.
    """

    value: float
    low: float | None = None
    high: float | None = None


def bound_of(measure: str, smallest: float) -> float:
    """What a switch counts for at most where configurations are averaged; how often a contract is
    played needs none."""
    return inf if measure == CONTRACTS else max(MOST, MOST_TIMES * smallest)


Values = tuple[Mapping[str, float], ...]
"""For each group of sessions what it adds to the mean of every account."""


def values_of(response: Response, measure: str) -> Values:
    """A response in a measure's unit, group by group; accounts that are missing are 0.

    Payments are counters a seat in 40 deals (what all players got in a role, divided by the seats),
    seats are counters in 40 deals, contracts are deals in a hundred.  Means are over the deals that
    were planned.
    """
    if measure == CONTRACTS:
        return tuple({n: 100 * m / response.deals for n, m in g.contracts} for g in response.groups)
    names = partitions(response.seats)["roles" if measure == PAYMENTS else "seats"]
    places = [columns(response.seats).index(n) for n in names]
    unit = response.scale * response.deals * (response.seats if measure == PAYMENTS else 1)
    return tuple(
        {
            n: OF_DEALS * g.moved[p] / unit
            for n, p in zip(names, places, strict=True)
            if p < len(g.moved)
        }
        for g in response.groups
    )


# --- one switch -----------------------------------------------------------------------------------


@frozen
class Switch:
    """The effect of one switch on the deals of one block.

    ``size``: the largest change of an account, which chance among sessions makes larger.  ``fair``:
    for each group its change of the account that changes most in the *other* groups, with the sign
    it has there; their sum is free of that error, since chance is as often against the sign as with
    it.
    """

    total: Mapping[str, float] = field(default_factory=dict)
    noise: Mapping[str, float] = field(default_factory=dict)
    """The variance of each account's change over sessions."""
    size: float = 0.0
    fair: tuple[float, ...] = ()
    groups: Values = ()
    where: tuple[float, int] = (0.0, 0)
    """In how many groups it differs, after the sum of its sizes there, were all groups like
    each."""
    part: float = 1.0
    """The part of the change that counts: below 1 where the largest of an account lies beyond the
    bound."""

    @property
    def differs(self) -> bool:
        """Whether any session's sums differ."""
        return self.where[1] > 0

    def brief(self) -> "Switch":
        """The same without its groups; of what is free of chance the sum is kept."""
        return replace(
            self, groups=(), fair=(fsum(self.fair), 0.0) if len(self.fair) > 1 else self.fair
        )


NOTHING: Final = Switch()
"""A switch that changes nothing in these deals."""


def switch_of(before: Values, after: Values, bound: float) -> Switch:
    """The switch from one configuration to another on the same deals."""
    names = sorted({n for values in (before, after) for g in values for n in g})
    return switch_of_groups(
        tuple(
            {n: b.get(n, 0.0) - a.get(n, 0.0) for n in names}
            for a, b in zip(before, after, strict=True)
        ),
        bound,
    )


def switch_of_groups(groups: Values, bound: float = inf) -> Switch:
    """The switch with these changes, group by group.

    Where the largest change of an account lies beyond the bound, all are as many times smaller, so
    that they still sum to zero.  What is free of chance (``fair``) may lie farther out than the
    change itself, and is brought to the bound by itself; noise counts for no more than the change.
    """
    names, many = tuple(groups[0]), len(groups)
    if not any(v for g in groups for v in g.values()):
        return NOTHING
    total = {n: fsum(g[n] for g in groups) for n in names}
    size = max(map(abs, total.values()))
    if size > bound:
        part = bound / size
        smaller = switch_of_groups(tuple({n: part * v for n, v in g.items()} for g in groups))
        noise = {n: min(v, smaller.total[n] ** 2) for n, v in smaller.noise.items()}
        fair = _brought_to(smaller.fair, bound)
        return replace(smaller, part=part, noise=noise, fair=fair, where=_where(groups, bound))
    noise = (
        {n: _variance([g[n] for g in groups]) * many for n in names}
        if many > 1
        else dict.fromkeys(names, 0.0)
    )
    fair = _brought_to(tuple(_fair(g, total) for g in groups), bound) if many > 1 else ()
    return Switch(total, noise, size, fair, groups, _where(groups, bound))


def _brought_to(fair: tuple[float, ...], bound: float) -> tuple[float, ...]:
    whole = abs(fsum(fair))
    return tuple(v * bound / whole for v in fair) if whole > bound else fair


def _where(groups: Values, bound: float) -> tuple[float, int]:
    sizes = [min(len(groups) * most, bound) for g in groups if (most := max(map(abs, g.values())))]
    return fsum(sizes), len(sizes)


def _fair(group: Mapping[str, float], total: Mapping[str, float]) -> float:
    best, most = 0.0, 0.0
    for name, change in group.items():
        rest = total[name] - change
        if abs(rest) > most * (1 + 1e-9):
            best, most = (change if rest > 0 else -change), abs(rest)
    return best


def _variance(values: Sequence[float]) -> float:
    middle = fsum(values) / len(values)
    return fsum((v - middle) ** 2 for v in values) / (len(values) - 1)


# --- a reading over many configurations -----------------------------------------------------------


@frozen
class PointEffect:
    """The effect of one reading against the one in use, or of a point over all its readings, in one
    measure.

    ``size``: the mean over configurations of the largest change of an account (Morris's mu*, for
    vectors).  ``signed``: each account's mean change (mu).  ``sigma``: its standard deviation over
    configurations, chance taken off. ``depends``: the share of the mean square change that varies
    over configurations.  ``above_noise``: whether the size excludes zero.  ``units``: independent
    units that the interval rests on; ``differing``: those in which it differed; ``fewest``: how
    many of these an interval needs. ``column``: the size unit by unit, for resampling; None where a
    unit has none.
    """

    size: Sure
    signed: Mapping[str, Sure]
    sigma: Mapping[str, float]
    depends: float | None
    above_noise: bool
    units: int
    differing: int
    fewest: int
    column: tuple[float | None, ...]
    chance: float
    """By how much chance may make the mean size larger at most."""
    spread: float
    """The standard deviation of the size over units, as a part of the size."""
    beyond: int = 0
    """Configurations in which the change lies beyond the bound and counts as much as that; of
    several readings of the one of which that is oftenest so."""

    @property
    def enough(self) -> bool:
        """Whether enough units differ for an interval."""
        return self.differing >= self.fewest


def over_configurations(
    placed: Sequence[Switch | None], level: float = LEVEL, bound: float = inf
) -> PointEffect:
    """The effect over independent random configurations, each on deals of its own: these are the
    units.

    None holds the place of a configuration in which the switch is refused, or was not played.  No
    switch counts for more than the bound.
    """
    switches = [s for s in placed if s is not None]
    fair = [fsum(s.fair) for s in switches]
    sizes = [s.size for s in switches]
    names = sorted({n for s in switches for n in s.total})
    differing = sum(s.differs for s in switches)
    signed = {
        n: _signed([s.total.get(n, 0.0) for s in switches], differing, level, bound) for n in names
    }
    told = all(len(s.fair) > 1 for s in switches if s.differs)
    return PointEffect(
        size=_within(size_over_configurations(fair, sizes, differing, level, bound), bound)
        if told
        else Sure(_mean(fair or sizes)),
        signed=signed,
        sigma=_sigma(switches, names),
        depends=_depends(switches, names),
        above_noise=differing >= FEWEST_DIFFERING and _excludes_zero(fair),
        units=len(switches),
        differing=differing,
        fewest=FEWEST_DIFFERING,
        column=tuple(None if s is None else fsum(s.fair) for s in placed),
        chance=max(_mean(sizes) - max(_mean(fair), 0.0), 0.0),
        spread=_relative(fair),
        beyond=sum(s.part < 1 for s in switches),
    )


def over_sessions(
    placed: Sequence[Switch | None], level: float = LEVEL, bound: float = inf
) -> PointEffect:
    """The effect in these very configurations, all on the same deals: the groups of sessions are
    the units.

    None stands for a configuration in which the switch is refused.  No switch counts for more than
    the bound.
    """
    switches = [s for s in placed if s is not None]
    many = len(switches)
    groups = max((len(s.groups) for s in switches), default=0)
    told = [s for s in switches if s.differs]
    names = sorted({n for s in told for n in s.total})
    fair = [groups * fsum(s.fair[g] for s in told if s.fair) / many for g in range(groups)]
    changes = {
        n: [groups * fsum(s.groups[g].get(n, 0.0) for s in told) / many for g in range(groups)]
        for n in names
    }
    differing = sum(any(any(s.groups[g].values()) for s in told) for g in range(groups))
    seen, ends = _mean([s.size for s in switches]), _paired(fair, level)
    size = _size_over_sessions(fair, ends, seen, told, differing, level, bound)
    return PointEffect(
        size=_within(size, bound),
        signed={n: _within(_paired(column, level), bound) for n, column in changes.items()},
        sigma=_sigma(switches, names, sample=False),
        depends=_depends(switches, names, sample=False),
        above_noise=ends.low is not None and ends.low > 0,
        units=groups,
        differing=differing,
        fewest=FEWEST_SESSIONS_DIFFERING,
        column=tuple(fair),
        chance=max(seen - max(_mean(fair), 0.0), 0.0),
        spread=_relative(fair),
        beyond=sum(s.part < 1 for s in switches),
    )


def largest_of(effects: Sequence[PointEffect]) -> PointEffect:
    """A point's effect: that of the reading with the largest size, its interval spanning what any
    of them may have.

    Readings that never differed are left out where others did.
    """
    differing = [e for e in effects if e.differing] or list(effects)
    best = max(differing, key=lambda e: e.size.value)
    lows = [e.size.low for e in differing if e.size.low is not None]
    highs = [e.size.high for e in differing if e.size.high is not None]
    size = Sure(
        best.size.value,
        max(lows) if lows else None,
        max(highs) if len(highs) == len(differing) else None,
    )
    return replace(
        best,
        size=size,
        above_noise=any(e.above_noise for e in effects),
        differing=max(e.differing for e in effects),
        beyond=max(e.beyond for e in effects),
    )


# --- intervals ------------------------------------------------------------------------------------


def _mean(values: Sequence[float]) -> float:
    return fsum(values) / len(values) if values else 0.0


def _error(values: Sequence[float]) -> float:
    return sqrt(_variance(values) / len(values))


def _relative(values: Sequence[float]) -> float:
    middle = _mean(values)
    return sqrt(_variance(values)) / middle if middle > 0 and len(values) > 1 else inf


def _excludes_zero(column: Sequence[float]) -> bool:
    if len(column) < FEWEST_SESSIONS:
        return False
    return _mean(column) - t_quantile(len(column) - 1) * _error(column) > 0


def size_over_configurations(
    fair: Sequence[float], sizes: Sequence[float], differing: int, level: float, bound: float
) -> Sure:
    """A mean of skewed sizes: the lower end from the sizes free of chance, the upper from those
    chance makes larger.

    Both on the scale of logarithms; for the upper end one more configuration is supposed, with
    `UNSEEN` times the largest effect, or the bound.
    """
    value, many = max(_mean(fair), 0.0), len(fair)
    if not differing:
        return Sure(0.0)
    if many < FEWEST_SESSIONS:
        return Sure(value)
    if differing < FEWEST_DIFFERING:
        return Sure(
            value,
            None,
            share_at_most(differing, many, level) * min(UNSEEN_OF_FEW * max(sizes), bound),
        )
    low = value * exp(-t_quantile(many - 1, level) * _error(fair) / value) if value else 0.0
    more = [*sizes, min(UNSEEN * max(sizes), bound)]
    middle = _mean(more)
    return Sure(value, low, middle * exp(t_quantile(many, level) * _error(more) / middle))


def _size_over_sessions(
    fair: Sequence[float],
    ends: Sure,
    seen: float,
    told: Sequence[Switch],
    differing: int,
    level: float,
    bound: float,
) -> Sure:
    value, many = max(_mean(fair), 0.0), len(fair)
    if not told:
        return Sure(0.0)
    if many < FEWEST_SESSIONS:
        return Sure(seen if many < 2 else value)
    if ends.low is None or ends.high is None:
        return Sure(
            value,
            None,
            share_at_most(differing, many, level) * min(_supposed(told, differing), bound),
        )
    return Sure(value, max(ends.low, 0.0), seen + ends.high - ends.value)


def _supposed(told: Sequence[Switch], differing: int) -> float:
    """What a group that differs is supposed to change at most, in the mean, where too few do for an
    interval.

    Of very few it is `UNSEEN_OF_FEW` times the largest change; else the mean change, two more so
    large being supposed.
    """
    most = UNSEEN_OF_FEW * max(
        (len(s.groups) * max((abs(v) for g in s.groups for v in g.values()), default=0.0))
        for s in told
    )
    if differing < FEWEST_DIFFERING:
        return most
    mean = fsum(s.where[0] / s.where[1] for s in told) / len(told)
    return min(most, (mean * differing + 2 * most) / (differing + 2))


GRAIN: Final = 2**40
"""Parts that the largest of a column is divided into, to take its moments exactly."""


def _paired(column: Sequence[float], level: float) -> Sure:
    """The mean over groups of sessions with the interval of ``studies.paired``; without one where
    too few differ."""
    many, largest = len(column), max(map(abs, column), default=0.0)
    if not largest or sum(map(bool, column)) < FEWEST_SESSIONS_DIFFERING:
        return Sure(_mean(column))
    parts = [round(v / largest * GRAIN) for v in column]
    total, squares, cubes, fourths = (
        Fraction(sum(p**power for p in parts)) for power in (1, 2, 3, 4)
    )
    change = DifferenceSums(total, squares, cubes, fourths, total, sum(map(bool, parts)))
    found = effect_of(
        change, Effects(sessions=many, deals=many, deals_squares=many), 1, level=level
    )
    if found.low is None or found.high is None:
        return Sure(_mean(column))
    return Sure(_mean(column), found.low * largest / GRAIN, found.high * largest / GRAIN)


def _within(s: Sure, bound: float) -> Sure:
    """The interval of a mean of what is bounded."""
    return Sure(
        s.value,
        None if s.low is None else max(s.low, -bound),
        None if s.high is None else min(s.high, bound),
    )


def _signed(column: Sequence[float], differing: int, level: float, bound: float) -> Sure:
    """A mean that may be skewed either way: each end supposes one more unit, `UNSEEN` times as far
    out as any there.

    The bound is as far out as one may lie.
    """
    value = _mean(column)
    if len(column) < FEWEST_SESSIONS or differing < FEWEST_DIFFERING:
        return Sure(value)
    t = t_quantile(len(column), level)

    def end(side: int) -> float:
        more = [*column, min(UNSEEN * max(0.0, *(side * v for v in column)), bound) * side]
        return _mean(more) + side * t * _error(more)

    return _within(Sure(value, min(end(-1), value), max(end(1), value)), bound)


def share_at_most(seen: int, of: int, level: float = LEVEL) -> float:
    """The upper end of Clopper and Pearson's interval for a share; one-sided where nothing was
    seen."""
    if seen >= of:
        return 1.0
    tail = (1 - level) / 2 if seen else 1 - level
    return edge(lambda p: _at_most(seen, of, p) <= tail, seen / of, 1.0)


def _at_most(seen: int, of: int, p: float) -> float:
    """The probability of that many successes or fewer."""
    term = total = (1 - p) ** of
    for k in range(1, seen + 1):
        term *= (of - k + 1) / k * p / (1 - p) if p < 1 else 0.0
        total += term
    return total


# --- over configurations --------------------------------------------------------------------------


def _sigma(
    switches: Sequence[Switch], names: Sequence[str], *, sample: bool = True
) -> dict[str, float]:
    return (
        {n: sqrt(max(_varies(switches, n, sample=sample), 0.0)) for n in names}
        if len(switches) > 1
        else {}
    )


def _varies(switches: Sequence[Switch], name: str, *, sample: bool) -> float:
    """The variance of an account's change over configurations, less what chance among sessions
    adds."""
    column = [s.total.get(name, 0.0) for s in switches]
    many = len(column)
    chance = fsum(s.noise.get(name, 0.0) for s in switches) / many
    return _variance(column) - chance if sample else _variance(column) * (many - 1) / many - chance


def _depends(
    switches: Sequence[Switch], names: Sequence[str], *, sample: bool = True
) -> float | None:
    """The variance over configurations as a share of the mean square, free of chance; None if
    nothing is left."""
    if len(switches) < 2:
        return None
    many = len(switches)
    square = (
        fsum(s.total.get(n, 0.0) ** 2 - s.noise.get(n, 0.0) for s in switches for n in names) / many
    )
    varies = fsum(_varies(switches, n, sample=sample) for n in names)
    return min(max(varies / square, 0.0), 1.0) if square > 1e-12 else None


# --- verdicts -------------------------------------------------------------------------------------

MOST_NEEDED: Final = 1_000_000


def verdict_of(size: Sure, smallest: float) -> str:
    """Whether an effect is larger than the smallest of interest, smaller, or undecided."""
    if size.low is not None and size.low > smallest:
        return LARGER
    return SMALLER if size.high is not None and size.high < smallest else UNDECIDED


Needed = tuple[float, float]
"""The ends of the middle 90 % of a predictive distribution, as
``studies.equivalence.sessions_needed`` has it."""


def units_needed(
    effect: PointEffect, smallest: float, level: float = LEVEL, *, fades: bool = False
) -> Needed | None:
    """Between how many units will decide, on the scale of logarithms; None where it may take too
    many.

    It may where chance among sessions alone leaves it open, which more deals under each
    configuration would not; ``fades`` where units are sessions, of which more lessen it.  Where too
    few units differ for an interval it takes at least as many as it needs for one.
    """
    n, value, size = effect.units, effect.size.value, effect.size
    until = (
        units_until(effect.fewest, effect.differing, n)
        if effect.differing < effect.fewest
        else None
    )
    if value <= 0 or effect.spread == inf:
        return until
    error, chance, normal = effect.spread / sqrt(n), log1p(effect.chance / value), z_quantile(level)
    lasting = 0.0 if fades else chance
    if value > smallest and size.low:
        reach = log(value / size.low)
    else:
        reach = log(size.high / value) - chance if size.high else 0.0
    excess = max(reach / error - normal, 0.0) if error else 0.0

    def half_at(units: float) -> float:
        times = sqrt(n / units)
        return error * times * (normal + excess * times) + lasting / 2 + (chance - lasting) * times

    found = sessions_needed(
        log(value / smallest) + lasting / 2, error, 0.0, n, half_at, MOST_NEEDED
    )
    if found is None or until is None:
        return found or until
    return max(found[0], until[0]), max(found[1], until[1])


def units_until(fewest: int, seen: int, of: int) -> Needed:
    """Between how many units so many will have differed, of which so far some have; the high end is
    infinite of none.

    The square root of a number of rare events varies by a half, whatever the number.
    """
    root, away = sqrt(seen + 3 / 8), NormalDist().inv_cdf(0.95) / 2
    low, high = of * fewest / (root + away) ** 2, of * fewest / (root - away) ** 2 if seen else inf
    return max(low, of * LOOK_RATIO), max(high, of * LOOK_RATIO)


def units_to_bound(most: float, smallest: float, level: float) -> int | None:
    """How many units in none of which something differs bound it below; None where that takes too
    many.

    ``most`` is the effect that is supposed where it differs, as in ``share_at_most``.
    """
    if most < smallest:
        return 1
    found = log(1 - level) / log1p(-smallest / most) if most > smallest else 1.0
    return int(found) + 1 if found < MOST_NEEDED else None


def deals_needed(effect: PointEffect, smallest: float) -> Needed | None:
    """Between how many times the deals will decide an effect that chance leaves open; None where
    they may not."""
    chance, value = effect.chance, effect.size.value
    if not value <= smallest <= value + chance:
        return None
    error = chance / sqrt(effect.units)
    return sessions_needed(
        value, error, smallest, 1, lambda times: 2 * chance / sqrt(times), MOST_NEEDED
    )


def rounded_up(number: float) -> int:
    """The number with two digits."""
    unit: int = 10 ** max(len(str(int(number))) - 2, 0)
    return int(-(-number // unit) * unit)


ACCOUNT: Final = "hombre"
"""The account of payments by which configurations are sorted."""


@frozen
class Specification:
    """A configuration with the signed total change of every account, by measure, against the rule
    set itself.

    ``choices`` are the readings in which it differs from the rule set, by point.
    """

    choices: Mapping[str, str]
    changes: Mapping[str, Mapping[str, Sure]]


Curve = tuple[Specification, ...]


def curve_of(space: Space, found: Sequence[tuple[Configuration, Mapping[str, Switch]]]) -> Curve:
    """The configurations, each with its switch from the rule set on the same deals; the lowest
    change first."""
    told = [
        Specification(
            {
                space.names[p]: space.reading(p, place)
                for p, place in enumerate(configuration)
                if place != space.origin[p]
            },
            {m: over_sessions([switch[m]]).signed for m in MEASURES},
        )
        for configuration, switch in found
    ]
    return tuple(sorted(told, key=lambda s: (change_of(s).value, tuple(s.choices.items()))))


def change_of(specification: Specification) -> Sure:
    """The change that configurations are sorted by."""
    return specification.changes[PAYMENTS].get(ACCOUNT, Sure(0.0))
