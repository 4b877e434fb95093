"""Which disputed points matter most: the total effect of switching each, over random configurations of the others.

All configurations are taken where they are few, else valid ones are drawn, each with sessions of its own.  What is
meant by an effect, a size and a verdict is said in ``docs/decisions/029-ranking-by-total-effects.md``.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import fsum
from typing import Final

from quadrille_plugins.lab.agreement import Moved, moved
from quadrille_plugins.lab.equivalence import SMALLER, UNDECIDED
from quadrille_plugins.rank.course import FIRST, Course, Evaluate, Line, Plan, Progress
from quadrille_plugins.rank.curve import Curve, curve_of
from quadrille_plugins.rank.effects import (
    FEWEST_DIFFERING,
    LEVEL,
    MEASURES,
    Effect,
    Sure,
    Switch,
    Values,
    deals_needed,
    largest_of,
    over_sessions,
    rounded_up,
    share_at_most,
    switch_of_groups,
    units_needed,
    units_to_bound,
    verdict_of,
)
from quadrille_plugins.rank.places import Agreement, Columns, Place, agreement, places, resamples
from quadrille_plugins.rank.play import GROUPS, SINGLE, Response
from quadrille_plugins.rank.space import Combination, Space

FEW: Final = 512
"""Combinations up to which all are taken."""
LEADING: Final = 3
"""Points that are looked at two by two."""
PAIRED: Final = 16
"""Sampled configurations in which they are."""
STRICT: Final = 0.999
"""The level at which they must be."""

SAME_RULES, REFUSED = "same rules", "refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """A reading that does not go with the configurations tried: the first reason, in how many, of how many."""

    point: str
    reading: str
    count: int
    of: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Whether a point's effect is larger than the smallest of interest.

    Where it is undecided, about how many ``configurations`` would decide, or how many ``deals`` under each.
    """

    said: str
    configurations: int | None = None
    deals: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """A point with its effect in each measure; without effects where it could not be switched.

    ``readings``: the effect of each alternative.  ``own``: the effect with the other points as they are.  ``differed``:
    whether anything differed in any deal.  ``place``: None where its readings are the same rules, or refused.
    """

    point: str
    verdicts: Mapping[str, Verdict]
    effects: Mapping[str, Effect]
    readings: Mapping[str, Mapping[str, Effect]]
    own: Mapping[str, Sure]
    place: Place | None
    backgrounds: int
    differed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Together:
    """What two points do together beyond what each does alone, in each measure."""

    points: tuple[str, str]
    effects: Mapping[str, Effect]


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """The points as one player ranks them: by measure, the sizes; and how that agrees with the first player's order.

    Only switches that both can be told of are in ``agreements`` and ``moved``; ``left_out`` says how many are not.
    """

    sizes: Mapping[str, Mapping[str, Sure]]
    agreements: Mapping[str, Agreement]
    moved: Mapping[str, tuple[Moved, ...]]
    left_out: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """Everything that was found."""

    space: Space
    plan: Plan
    points: tuple[Ranked, ...]
    pairs: tuple[Together, ...]
    orders: tuple[Order, ...]
    """One for each player, the first's first."""
    curve: Curve
    refused: tuple[Refused, ...]
    backgrounds: int
    valid: int | None
    """How many combinations are valid, where all were tried."""
    drawn: int
    """Draws made until there were enough valid ones, where they were drawn."""
    played: int
    rule_sets: int
    """Combinations played, and how many rule sets they are."""
    interrupted: bool


# --- the design ---------------------------------------------------------------------------------------


def rank(
    space: Space,
    plan: Plan,
    evaluate: Evaluate,
    progress: Progress | None = None,
    expect: Callable[[float], object] | None = None,
) -> Ranking:
    """Rank the points of a space; ``expect`` is told how many seconds it should take, where points may be left out.

    Interrupted by the user, it reports the configurations that were finished and says so; it raises KeyboardInterrupt
    only when not one was.
    """
    course = Course(space, plan, evaluate, progress, expect)
    switches = sum(space.sizes) - len(space.sizes)
    course.total = space.many if plan.exact else (plan.backgrounds + 1) * (2 + switches)
    drawn, interrupted = 0, False
    pairs: tuple[Together, ...] = ()
    try:
        if plan.exact:
            _take_all(course)
            drawn = len(course.sampled)
            pairs = _together(course)
        else:
            drawn, pairs = _sample(course)
    except KeyboardInterrupt:
        if not course.sampled:
            raise
        interrupted = True
    return _ranking(course, pairs, drawn=drawn, interrupted=interrupted)


def _take_all(course: Course) -> None:
    space, every = course.space, range(len(course.space.points))
    course.learn([(space.origin, 0)])
    course.groups = _groups(course, 0)
    for combination in space.every(course.plan.seed):
        course.learn(course.around(combination, 0, every))
        if not course.known[combination, 0].refusal:
            course.finish(combination, 0, every)


def _groups(course: Course, block: int) -> int:
    told = course.response((course.space.origin, block), 0)
    if told is None:
        return 0
    return len(told.groups) if course.plan.exact else min(len(told.groups), GROUPS)


def _sample(course: Course) -> tuple[int, tuple[Together, ...]]:
    """Draw configurations, each with a block of its own; block 0 is the rule set's own configuration."""
    space, plan = course.space, course.plan
    active = list(range(len(space.points)))

    def switches() -> int:
        return sum(space.sizes[p] - 1 for p in active)

    course.expected = plan.cost(0) * (2 + switches()) + plan.work_left(0, FIRST, switches())
    course.learn(course.around(space.origin, 0, active))
    course.groups = _groups(course, 0)
    course.look_at_own()
    course.forget(0)
    source, drawn, block = space.drawn(plan.seed), 0, 0
    pairs: tuple[Together, ...] = ()
    for look in _looks(plan.backgrounds):
        stage = []
        while block < look:
            combination, refused = next(source)
            block, drawn = block + 1, drawn + 1 + refused
            stage.append((combination, block))
        for combination, own in stage:
            course.learn(course.around(combination, own, active))
            course.finish(combination, own, active)
            if own > PAIRED:
                course.forget(own)
        if not pairs:
            course.total = course.done  # what is left is not known beforehand
            pairs = _together(course)
            for _, own in stage:
                course.forget(own)
        found = {p: _effect(course, p, 0, plan.measure, STRICT) for p in active}
        smallest = plan.smallest[plan.measure]
        active = [p for p, e in found.items() if e is not None and verdict_of(e[0].size, smallest) != SMALLER]
        course.total = course.done + (plan.backgrounds - look) * (2 + switches())
        course.expected = course.work + plan.work_left(look, 2 * look, switches())
    return drawn, pairs


def _looks(most: int) -> Iterator[int]:
    look = FIRST
    while look < most:
        yield look
        look *= 2
    yield most


# --- what it comes to ---------------------------------------------------------------------------------


def _judged(
    course: Course, lines: Sequence[Line | None], measure: str, level: float
) -> tuple[Effect, dict[int, Effect]] | None:
    """A point's effect and that of each alternative, from its lines; None where it was never switched.

    There is a line for every configuration, so that points are resampled together.
    """
    judge = course.judge(measure)
    alternatives = sorted({place for line in lines for place in line or ()})
    each = 1 - (1 - level) / max(len(alternatives), 1)
    found = {a: judge([line[a][measure] if line and a in line else None for line in lines], each) for a in alternatives}
    return (largest_of(list(found.values())), found) if found else None


def _effect(
    course: Course, point: int, player: int, measure: str, level: float = LEVEL
) -> tuple[Effect, dict[int, Effect]] | None:
    """The same from all that was played; where nothing differed, with the bound that follows from that."""
    lines = course.lines[player][point]
    found = _judged(course, lines, measure, level)
    if found is None or all(e.differing for e in found[1].values()):
        return found
    switched = sum(line is not None for line in lines)
    groups = course.groups * (1 if course.plan.exact else switched)
    most = _most_where_differing(course, player, measure)
    bound = Sure(0.0, None, share_at_most(0, groups, level) * most if most is not None else None)
    units = course.groups if course.plan.exact else switched
    each = {a: e if e.differing else replace(e, size=bound, units=units) for a, e in found[1].items()}
    return largest_of(list(each.values())), each


def _most_where_differing(course: Course, player: int, measure: str) -> float | None:
    """The largest mean effect that any point has in those groups of sessions in which it differs."""
    most = 0.0
    for lines in course.lines[player]:
        where = [s[measure].where for line in lines if line for s in line.values()]
        many = sum(n for _, n in where)
        if many >= FEWEST_DIFFERING:
            most = max(most, fsum(size for size, _ in where) / many)
    return most or None


def _together(course: Course) -> tuple[Together, ...]:
    """The leading points two by two, in configurations whose outcomes are still known."""
    space, measure = course.space, course.plan.measure
    found = {p: e for p in range(len(space.points)) if (e := _effect(course, p, 0, measure)) is not None}
    sizes = {p: e[0].size.value for p, e in found.items() if e[0].size.value > 0}
    leading = sorted(sorted(sizes, key=lambda p: (-sizes[p], p))[:LEADING])
    known = [(c, b) for c, b in course.sampled if (c, b) in course.known]
    course.learn(
        (corner, block)
        for combination, block in known
        for a, b in combinations(leading, 2)
        for one in space.switched(combination, a)
        for corner in space.switched(one, b)
    )
    told = []
    for a, b in combinations(leading, 2):
        squares = [s for c, block in known for s in [_squares(course, c, block, a, b)] if s]
        kinds = sorted({kind for s in squares for kind in s})
        if kinds:
            effects = {
                m: largest_of([course.judge(m)([s[k][m] for s in squares if k in s]) for k in kinds]) for m in MEASURES
            }
            told.append(Together(points=(space.names[a], space.names[b]), effects=effects))
    return tuple(sorted(told, key=lambda t: (-t.effects[measure].size.value, t.points)))


def _squares(
    course: Course, combination: Combination, block: int, a: int, b: int
) -> dict[tuple[int, int], dict[str, Switch]]:
    """For each two alternatives what both change beyond what each changes alone."""
    origin = course.space.origin

    def corner(one: int, other: int) -> Response | None:
        changed = list(combination)
        changed[a], changed[b] = one, other
        return course.response((tuple(changed), block), 0)

    found: dict[tuple[int, int], dict[str, Switch]] = {}
    for one in range(course.space.sizes[a]):
        for other in range(course.space.sizes[b]):
            corners = [corner(*c) for c in ((origin[a], origin[b]), (one, origin[b]), (origin[a], other), (one, other))]
            told = [c for c in corners if c is not None]
            if one == origin[a] or other == origin[b] or len(told) < 4:
                continue
            found[one, other] = {
                m: _square([course.of(c, m, fine=course.plan.exact) for c in told], course.bound(m)) for m in MEASURES
            }
    return found


def _square(corners: Sequence[Values], bound: float) -> Switch:
    names = sorted({n for values in corners for g in values for n in g})
    signs = (1, -1, -1, 1)
    return switch_of_groups(
        tuple(
            {n: sum(sign * g.get(n, 0.0) for sign, g in zip(signs, groups, strict=True)) for n in names}
            for groups in zip(*corners, strict=True)
        ),
        bound,
    )


def _ranking(course: Course, pairs: tuple[Together, ...], *, drawn: int, interrupted: bool) -> Ranking:
    space, plan, names = course.space, course.plan, course.space.names
    judged = {
        m: {p: e for p in range(len(space.points)) if (e := _effect(course, p, 0, m)) is not None} for m in MEASURES
    }
    stood = _places(course, judged[plan.measure])
    points = [
        Ranked(
            point=name,
            verdicts={m: _verdict(course, judged[m].get(point), point, m) for m in MEASURES},
            effects={m: judged[m][point][0] for m in MEASURES if point in judged[m]},
            readings={
                m: {space.reading(point, a): e for a, e in judged[m][point][1].items()}
                for m in MEASURES
                if point in judged[m]
            },
            own=_own(course, point),
            place=stood.get(name),
            backgrounds=sum(bool(line) for line in course.lines[0][point]),
            differed=course.differs[point],
        )
        for point, name in enumerate(space.names)
    ]
    points.sort(key=lambda r: (*_standing(r, plan.measure, len(names)), space.names.index(r.point)))
    return Ranking(
        space=space,
        plan=plan,
        points=tuple(points),
        pairs=pairs,
        orders=tuple(_orders(course)),
        curve=curve_of(space, [(c, course.curve[c, b]) for c, b in course.sampled if (c, b) in course.curve]),
        refused=_refused(course),
        backgrounds=len(course.sampled),
        valid=len(course.sampled) if plan.exact and not interrupted else None,
        drawn=drawn,
        played=course.played,
        rule_sets=len(course.digests),
        interrupted=interrupted,
    )


def _units(course: Course) -> int:
    return course.groups if course.plan.exact else len(course.sampled)


def _columns(judged: Mapping[int, tuple[Effect, dict[int, Effect]]], names: Sequence[str]) -> dict[str, Columns]:
    return {names[p]: [e.column for e in each.values()] for p, (_, each) in judged.items()}


def _places(course: Course, judged: Mapping[int, tuple[Effect, dict[int, Effect]]]) -> dict[str, Place]:
    """The places of all points but those whose readings are the same rules; what never differed has only a bound."""
    names = course.space.names
    told = {p: e for p, e in judged.items() if not course.alike[p]}
    weights = resamples(course.plan.seed, _units(course))
    return places({names[p]: e for p, (e, _) in told.items()}, _columns(told, names), weights)


def _standing(ranked: Ranked, measure: str, points: int) -> tuple[int, bool]:
    """Where a point is listed: by its place, of one size what differed first, and last what could not be switched."""
    if ranked.place is None:
        return points + 1, not ranked.effects
    return ranked.place.place, not ranked.effects[measure].differing


def _own(course: Course, point: int) -> dict[str, Sure]:
    """The effect with the other points as the rule set has them, over sessions."""
    switches = course.own[point].values() if course.own else ()
    return {m: largest_of([over_sessions([s[m]]) for s in switches]).size for m in MEASURES} if switches else {}


def _verdict(course: Course, found: tuple[Effect, dict[int, Effect]] | None, point: int, measure: str) -> Verdict:
    if found is None:
        return Verdict(said=REFUSED)
    if course.alike[point]:
        return Verdict(said=SAME_RULES)
    effect, smallest = found[0], course.plan.smallest[measure]
    said = verdict_of(effect.size, smallest)
    if said != UNDECIDED:
        return Verdict(said=said)
    if not effect.differing:
        return _to_bound(course, _most_where_differing(course, 0, measure), smallest)
    units = units_needed(effect, smallest)
    if units is not None and not course.plan.exact:
        return Verdict(said=said, configurations=units)
    times = units / effect.units if units is not None else deals_needed(effect, smallest)
    return Verdict(said=said, deals=rounded_up(times * course.plan.deals) if times is not None else None)


def _to_bound(course: Course, most: float | None, smallest: float) -> Verdict:
    """What would decide a point that never differed: groups of sessions, of further configurations or deals."""
    groups = units_to_bound(most, smallest) if most is not None else None
    if groups is None or not course.groups:
        return Verdict(said=UNDECIDED)
    if not course.plan.exact:
        return Verdict(said=UNDECIDED, configurations=-(-groups // course.groups))
    # of all configurations there are no more groups than that, however many deals are played
    deals = -(-groups * course.plan.deals // course.groups) if groups <= SINGLE else None
    return Verdict(said=UNDECIDED, deals=deals)


def _refused(course: Course) -> tuple[Refused, ...]:
    """Readings that some configuration does not take."""
    return tuple(
        Refused(
            point=course.space.names[point],
            reading=course.space.reading(point, place),
            count=len(whys),
            of=sum(line is not None for line in course.lines[0][point]),
            reason=whys[0],
        )
        for (point, place), whys in sorted(course.refusals.items())
    )


def _orders(course: Course) -> Iterator[Order]:
    names, plan = course.space.names, course.plan
    weights = resamples(plan.seed, _units(course)) if len(plan.limits) > 1 else []
    for player in range(len(plan.limits)):
        sizes: dict[str, dict[str, Sure]] = {m: {} for m in MEASURES}
        found: dict[str, Agreement] = {}
        places_of: dict[str, tuple[Moved, ...]] = {}
        for m in MEASURES:
            own = {p: e for p in range(len(names)) if (e := _effect(course, p, player, m)) is not None}
            sizes[m] = {names[p]: e.size for p, (e, _) in own.items()}
            if not player:
                continue
            mine, theirs = _in_common(course, player, m)
            one, other = ({names[p]: e for p, (e, _) in each.items()} for each in (mine, theirs))
            columns = (_columns(mine, names), _columns(theirs, names))
            found[m] = agreement(one, other, columns, (weights, weights))
            told = found[m].points
            places_of[m] = moved({n: one[n].size.value for n in told}, {n: other[n].size.value for n in told})
        yield Order(sizes=sizes, agreements=found, moved=places_of, left_out=course.left_out[player])


Judged = dict[int, tuple[Effect, dict[int, Effect]]]


def _in_common(course: Course, player: int, measure: str) -> tuple[Judged, Judged]:
    """The points' effects for the first player and another, over the switches that both can be told of."""
    found: tuple[Judged, Judged] = {}, {}
    for point in range(len(course.space.names)):
        both = [(a or {}, b or {}) for a, b in zip(course.lines[0][point], course.lines[player][point], strict=True)]
        mine = [{place: s for place, s in a.items() if place in b} for a, b in both]
        theirs = [{place: s for place, s in b.items() if place in a} for a, b in both]
        for judged, common in zip(found, (mine, theirs), strict=True):
            effect = _judged(course, common, measure, LEVEL)
            if effect is not None:
                judged[point] = effect
    return found
