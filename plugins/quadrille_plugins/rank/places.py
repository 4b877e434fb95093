"""Places of points ordered by size, with bootstrap intervals over the units of the sizes."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import sqrt
from operator import mul
from typing import Final

from quadrille_core.frozen import frozen
from quadrille_core.stream import Purpose, Stream
from quadrille_plugins.rank.effects import PointEffect

RESAMPLES: Final = 400
SURE: Final = 0.995
"""The share of resamples in which one point must be the larger to stand before the other: a place
has many others."""
FEWEST_ORDERED: Final = 4
"""Points with sizes above their noise from which two orders are compared."""


@frozen
class PlaceInterval:
    """A point's place, counted from 1, and its 95 % interval."""

    place: int
    low: int
    high: int


@frozen
class RankCorrelation:
    """Kendall's tau-b between two orders with its 95 % interval, over the points that both show
    above their noise.

    ``tau`` is None where these are fewer than four, or all of one size.
    """

    tau: float | None
    low: float | None
    high: float | None
    points: tuple[str, ...]


Weights = Sequence[Sequence[int]]
"""For each resample how often every unit was drawn."""


def resamples(seed: int, units: int) -> list[list[int]]:
    """`RESAMPLES` bootstrap samples: N units drawn with replacement."""
    found = []
    stream = Stream(seed, 2, units, Purpose.READING)
    for _ in range(RESAMPLES):
        drawn = [0] * units
        for _ in range(units):
            drawn[stream.below(units)] += 1
        found.append(drawn)
    return found


Columns = Sequence[Sequence[float | None]]
"""The sizes of a point's readings, each unit by unit; None holds the place of a unit in which the
reading has none."""


def resampled(columns: Columns, weights: Weights) -> list[float]:
    """A point's size in each bootstrap sample: the mean of its largest reading over the units that
    have one."""
    found = [0.0] * len(weights)
    for column in columns:
        values = [0.0 if v is None else v for v in column]
        there = [v is not None for v in column]
        for n, drawn in enumerate(weights):
            many = sum(map(mul, drawn, there))
            if many:
                found[n] = max(found[n], sum(map(mul, drawn, values)) / many)
    return found


def places(
    points: Mapping[str, PointEffect], columns: Mapping[str, Columns], weights: Weights
) -> dict[str, PlaceInterval]:
    """Every point's place, the largest first; those whose size is 0 share the place behind all
    others.

    A point stands surely before another when its interval lies above the other's, or when it is
    larger in nearly all resamples and differed in enough units for these to say anything.  One that
    never differed takes part with its bound: it stands surely behind what is larger than that.  The
    interval of a place leaves open all that is not sure (after Klein, Wright and Wieczorek 2020).
    """
    sizes = {name: resampled(columns[name], weights) for name in points}
    values = {name: e.size.value for name, e in points.items()}

    @cache
    def before(a: str, b: str) -> bool:
        one, other = points[a], points[b]
        if one.size.low is None:
            return False
        if other.size.high is not None and one.size.low > other.size.high:
            return True
        if values[a] <= values[b] or not (one.enough and other.enough):
            return False
        return sum(x > y for x, y in zip(sizes[a], sizes[b], strict=True)) >= SURE * len(weights)

    found = {}
    for name in points:
        ahead = sum(before(other, name) for other in points if other != name)
        behind = sum(before(name, other) for other in points if other != name)
        place = 1 + sum(value > values[name] for value in values.values())
        found[name] = PlaceInterval(place, min(1 + ahead, place), max(len(points) - behind, place))
    return found


def rank_correlation(
    one: Mapping[str, PointEffect],
    other: Mapping[str, PointEffect],
    columns: tuple[Mapping[str, Columns], Mapping[str, Columns]],
    weights: tuple[Weights, Weights],
) -> RankCorrelation:
    """How far two orders agree, over the points whose sizes both show to be above what chance
    makes."""
    names = tuple(n for n in one if n in other and one[n].above_noise and other[n].above_noise)
    if len(names) < FEWEST_ORDERED:
        return RankCorrelation(None, None, None, names)
    tau = tau_b([one[n].size.value for n in names], [other[n].size.value for n in names])
    first, second = (
        [resampled(c[n], w) for n in names] for c, w in zip(columns, weights, strict=True)
    )
    drawn = (
        tau_b(a, b)
        for a, b in zip(zip(*first, strict=True), zip(*second, strict=True), strict=True)
    )
    found = sorted(t for t in drawn if t is not None)
    if tau is None or not found:
        return RankCorrelation(tau, None, None, names)
    tail = len(found) // 40
    return RankCorrelation(tau, found[tail], found[-1 - tail], names)


def tau_b(a: Sequence[Fraction | float], b: Sequence[Fraction | float]) -> float | None:
    """Kendall's tau-b of two lists of values: 1 for the same order, −1 for the opposite; ties count
    for neither.

    None where one of them orders nothing (Kendall 1945).
    """
    concordant = discordant = only_a = only_b = 0
    for (x, v), (y, w) in combinations(zip(a, b, strict=True), 2):
        one, other = (x > y) - (x < y), (v > w) - (v < w)
        concordant += one * other > 0
        discordant += one * other < 0
        only_a += one == 0 and other != 0
        only_b += other == 0 and one != 0
    ordered = concordant + discordant
    of = (ordered + only_a) * (ordered + only_b)
    return (concordant - discordant) / sqrt(of) if of else None


@frozen
class PlaceChange:
    """Something whose place differs between two orders, both counted from 1; None without
    weight."""

    name: str
    first: int | None
    second: int | None


def order_of(values: Mapping[str, Fraction | float]) -> dict[str, int | None]:
    """The place of each, the largest first; equals share the foremost of their places, and what is
    0 has none."""
    return {
        name: 1 + sum(other > value for other in values.values()) if value else None
        for name, value in values.items()
    }


def place_changes(
    a: Mapping[str, Fraction | float], b: Mapping[str, Fraction | float]
) -> tuple[PlaceChange, ...]:
    """What changes places between two orders, the largest change first; things without a place come
    last."""
    first, second = order_of(a), order_of(b)
    found = [
        PlaceChange(name, first[name], second[name])
        for name in a
        if name in b and first[name] != second[name]
    ]
    behind = len(a) + 1

    def way(m: PlaceChange) -> int:
        return abs((m.first or behind) - (m.second or behind))

    return tuple(sorted(found, key=lambda m: (-way(m), m.first or behind, m.name)))
