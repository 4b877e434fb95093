"""Effects of switching points, from what combinations came to: means over backgrounds, interactions and intervals.

A *background* is a combination; a *line* of a point is a background with the point's every valid reading in turn.  All
is defined in ``docs/decisions/025-ranking-points.md``.  Values are vectors; each comes with as many replicates as there
are groups of sessions, each with one group left out, from which the jackknife tells how sure a number is.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import sqrt
from typing import Final

from quadrille_core.study.intervals import FEWEST_SESSIONS, t_quantile
from quadrille_core.study.observe import ROLES
from quadrille_core.study.rank_play import Part, Response

LEVEL: Final = 0.95
PAYMENTS, CONTRACTS, SEATS = MEASURES = ("payments", "contracts", "seats")
POOL: Final = "pool"

Number = Fraction | float
Vector = tuple[Number, ...]
Values = tuple[Vector, ...]
"""A vector exactly, and then with each group of sessions left out."""


@dataclass(frozen=True, slots=True)
class Sure:
    """A number with the ends of its interval, None where none can be told honestly."""

    value: Fraction | float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Measure:
    """What is measured: the parts of its vector, and how a difference of two vectors is boiled down to a size.

    ``half``: half the sum of the parts' sizes, what moves from one part to another; else the sum.
    """

    name: str
    parts: tuple[str, ...]
    half: bool

    def size(self, vector: Vector) -> Number:
        """How large a difference is."""
        total: Number = 0  # of fractions a fraction, of floats a float: to mix them is slow
        for v in vector:
            total = total - v if v < 0 else total + v
        return total / 2 if self.half else total


def measures_of(responses: Sequence[Response]) -> dict[str, Measure]:
    """The three measures; contracts are all that somebody played anywhere."""
    contracts = sorted({name for r in responses for p in r.parts for name, _ in p.contracts})
    return {
        PAYMENTS: Measure(PAYMENTS, (*ROLES, POOL), half=True),
        CONTRACTS: Measure(CONTRACTS, tuple(contracts), half=True),
        SEATS: Measure(SEATS, ("spread",), half=False),
    }


def values_of(response: Response, measure: Measure) -> Values:
    """A response's vector, and the same with each group of sessions left out."""
    exact = measure.name
    pick = {PAYMENTS: _paid, CONTRACTS: _contracts, SEATS: _seats}[exact]
    sums = [pick(part, measure) for part in response.parts]
    deals = [part.deals for part in response.parts]
    whole, scale = [sum(column) for column in zip(*sums, strict=True)], 1 if exact == CONTRACTS else response.scale
    of = sum(deals)
    found: list[Vector] = [tuple(Fraction(w, scale * of) for w in whole)]
    if len(sums) > 1:
        for one, many in zip(sums, deals, strict=True):
            found.append(tuple((w - o) / (scale * (of - many)) for w, o in zip(whole, one, strict=True)))
    return tuple((max(v) - min(v),) for v in found) if exact == SEATS else tuple(found)


def _paid(part: Part, measure: Measure) -> list[int]:
    del measure
    return [*part.roles, -sum(part.roles)]


def _contracts(part: Part, measure: Measure) -> list[int]:
    played = dict(part.contracts)
    return [played.get(name, 0) for name in measure.parts]


def _seats(part: Part, measure: Measure) -> list[int]:
    del measure
    return list(part.seats)


# --- numbers with replicates -------------------------------------------------------------------------


def minus(a: Values, b: Values) -> Values:
    """The difference of two values, replicate by replicate."""
    return tuple(tuple(x - y for x, y in zip(v, w, strict=True)) for v, w in zip(a, b, strict=True))


def plus(a: Values, b: Values) -> Values:
    """The sum of two values, replicate by replicate."""
    return tuple(tuple(x + y for x, y in zip(v, w, strict=True)) for v, w in zip(a, b, strict=True))


def mean(values: Sequence[Values], weights: Sequence[Fraction] | None = None) -> Values:
    """The weighted mean of some values, replicate by replicate; exact for the first."""
    weights = weights or [Fraction(1)] * len(values)
    total = sum(weights, Fraction(0))
    exact = [w / total for w in weights]
    rough = [float(w) for w in exact]
    return tuple(
        tuple(
            _sum(w * v for w, v in zip(rough if n else exact, column, strict=True))
            for column in zip(*replicate, strict=True)
        )
        for n, replicate in enumerate(zip(*values, strict=True))
    )


def applied(values: Values, what: Callable[[Vector], Number]) -> Values:
    """A number of each vector."""
    return tuple((what(v),) for v in values)


def squared(vector: Vector) -> Number:
    """The sum of the squares."""
    return _sum(v * v for v in vector)


def _sum(numbers: Iterable[Number]) -> Number:
    total: Number = 0
    for number in numbers:
        total = total + number
    return total


def sure(
    found: Sequence[Number], spread: Sequence[Number], *, sampled: bool, level: float = LEVEL, sessions: int
) -> Sure:
    """A number with its interval from its replicates and, where backgrounds are a sample, from its values in each.

    ``found`` is the number and its replicates, ``spread`` its value in each background.  The variance over sessions is
    the jackknife's, that over backgrounds the sample's; they are added, which is rather too much than too little.
    There is no interval with fewer sessions, or backgrounds of a sample, than six.
    """
    value, replicates = found[0], [float(f) for f in found[1:]]
    groups, many = len(replicates), len(spread)
    if sessions < FEWEST_SESSIONS or groups < FEWEST_SESSIONS or (sampled and many < FEWEST_SESSIONS):
        return Sure(value)
    middle = sum(replicates) / groups
    variance, freedom = (groups - 1) / groups * sum((r - middle) ** 2 for r in replicates), groups - 1
    if sampled:
        each = [float(s) for s in spread]
        middle = sum(each) / many
        variance += sum((e - middle) ** 2 for e in each) / (many - 1) / many
        freedom = min(freedom, many - 1)
    half = t_quantile(freedom, level) * sqrt(variance)
    return Sure(value, float(value) - half, float(value) + half)


# --- effects of one point ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Effect:
    """What a point comes to in one measure.

    ``size``: the mean size of a switch between two readings; its interval reaches down to nought unless the effect is
    ``shown``, for chance makes every size greater.  ``interaction``: the share of the mean square of a
    switch that depends on the background, in these deals; None where it cannot be told.  ``beyond_chance``: the same
    less what chance among sessions adds; None where nothing is left.  ``main``: for each reading not in use, what it
    changes against the one in use, part by part.  ``shown``: whether some part's mean over the backgrounds tried
    excludes nought at the corrected level.  ``here``: the size of a switch when all other points stand as the rule
    set has them.
    """

    size: Sure
    interaction: Sure | None
    beyond_chance: float | None
    main: Mapping[str, Mapping[str, Sure]]
    shown: bool
    here: Fraction | None


Line = Mapping[int, Values]
"""The values of each valid reading of a point, by its place."""


def line_size(line: Line, measure: Measure) -> Values:
    """The mean size of a switch between any two readings of a line."""
    switches = [minus(line[b], line[a]) for a, b in combinations(sorted(line), 2)]
    return mean([applied(s, measure.size) for s in switches])


def effect_of(
    lines: Sequence[Line], here: Line, own: int, names: Sequence[str], measure: Measure, *, sampled: bool, claims: int,
    sessions: int,
) -> Effect:  # fmt: skip
    """The effect of a point from its lines, those of two readings or more; ``own`` is the place of the one in use.

    ``claims`` is the number of intervals among which a false one is to be as rare as one alone.
    """
    sizes = [line_size(line, measure) for line in lines]
    whole = mean(sizes)
    size = sure([v[0] for v in whole], [s[0][0] for s in sizes], sampled=sampled, sessions=sessions)
    main: dict[str, dict[str, Sure]] = {}
    shown = False
    for place, name in enumerate(names):
        switched = [minus(line[place], line[own]) for line in lines if own in line and place in line]
        if place == own or not switched:
            continue
        middle = mean(switched)
        main[name] = {}
        for n, part in enumerate(measure.parts):
            found, spread = [v[n] for v in middle], [s[0][n] for s in switched]
            main[name][part] = sure(found, spread, sampled=sampled, sessions=sessions)
            # to matter in these backgrounds is to matter, whatever others there are
            strict = sure(found, spread, sampled=False, sessions=sessions, level=1 - (1 - LEVEL) / max(claims, 1))
            shown |= strict.low is not None and strict.high is not None and (strict.low > 0 or strict.high < 0)
    if size.low is not None:
        # the jackknife tells how a size varies, not that it would be nought but for chance
        size = Sure(size.value, max(0.0, size.low) if shown else 0.0, size.high)
    at_home = Fraction(line_size(here, measure)[0][0]) if len(here) > 1 else None
    depends, beyond = _interaction(lines, sampled=sampled, sessions=sessions)
    return Effect(size, depends, beyond, main, shown, at_home)


def _interaction(lines: Sequence[Line], *, sampled: bool, sessions: int) -> tuple[Sure | None, float | None]:
    """The share of the mean square of a switch that varies over backgrounds: in these deals, and beyond chance.

    In a sample the variance is divided by one less than the backgrounds.  Chance adds to every square the variance of
    what is squared, which the jackknife tells and which is taken off for the second number.
    """
    pairs: dict[tuple[int, int], list[tuple[Fraction, Values]]] = {}
    for line in lines:
        every = list(combinations(sorted(line), 2))
        for a, b in every:
            pairs.setdefault((a, b), []).append((Fraction(1, len(every)), minus(line[b], line[a])))
    if sampled and any(len(found) < 2 for found in pairs.values()):
        return None, None
    replicates = len(lines[0][next(iter(lines[0]))])
    of: list[Number] = [0] * replicates
    varies: list[Number] = [0] * replicates
    chance_of = chance_varies = 0.0
    for found in pairs.values():
        weights, switches = [w for w, _ in found], [v for _, v in found]
        middle, more = mean(switches, weights), Fraction(len(found), len(found) - 1) if sampled else Fraction(1)
        for weight, switch in zip(weights, switches, strict=True):
            off = minus(switch, middle)
            for n in range(replicates):
                w, m = (float(weight), float(more)) if n else (weight, more)
                of[n] = of[n] + w * squared(switch[n])
                varies[n] = varies[n] + w * m * squared(off[n])
            chance_of += float(weight) * _chance(switch)
            chance_varies += float(weight * more) * _chance(off)
    if not of[0]:
        return None, None
    left = float(of[0]) - chance_of
    enough = sessions >= FEWEST_SESSIONS and left > 0
    beyond = min(max((float(varies[0]) - chance_varies) / left, 0.0), 1.0) if enough else None
    if not all(of):  # nothing differs but in one group of sessions
        return Sure(min(max(varies[0] / of[0], 0), 1)), beyond
    shares: list[Number] = [min(max(v / o, 0), 1) for v, o in zip(varies, of, strict=True)]
    # over backgrounds the share has no simple variance: an interval would promise what it does not hold
    found_sure = Sure(shares[0]) if sampled else _within(sure(shares, [], sampled=False, sessions=sessions))
    return found_sure, beyond


def _chance(values: Values) -> float:
    """The sum of the parts' variances over sessions, by the jackknife."""
    groups = len(values) - 1
    if groups < FEWEST_SESSIONS:
        return 0.0
    total = 0.0
    for column in zip(*values[1:], strict=True):
        rough = [float(v) for v in column]
        middle = sum(rough) / groups
        total += sum((r - middle) ** 2 for r in rough)
    return (groups - 1) / groups * total


def _within(share: Sure) -> Sure:
    """A share's interval kept between nought and one."""
    if share.low is None or share.high is None:
        return share
    return Sure(share.value, max(0.0, share.low), min(1.0, share.high))


# --- two points together -----------------------------------------------------------------------------


def square_size(squares: Sequence[tuple[Values, Values, Values, Values]], measure: Measure) -> Values:
    """The mean size of what two switches do together beyond what each does alone.

    A square is a background, it with one point switched, with the other, and with both.
    """
    return mean([applied(minus(plus(y, both), plus(a, b)), measure.size) for y, a, b, both in squares])
