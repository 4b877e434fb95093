"""Which disputed points matter most: the total effect of switching each, over random configurations
of the others.

All configurations are taken where they are few, else valid ones are drawn, each with sessions of
its own.  What is meant by an effect, a size and a verdict is said in
``docs/decisions/029-ranking-by-total-effects.md``.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from math import fsum
from typing import Final

from quadrille_core.errors import Problem
from quadrille_core.frozen import frozen
from quadrille_plugins.rank.effects import (
    FEWEST_DIFFERING,
    MEASURES,
    Curve,
    Needed,
    PointEffect,
    Sure,
    Switch,
    Values,
    curve_of,
    deals_needed,
    largest_of,
    over_sessions,
    rounded_up,
    share_at_most,
    switch_of_groups,
    units_needed,
    units_to_bound,
    units_until,
    verdict_of,
)
from quadrille_plugins.rank.places import (
    Columns,
    PlaceChange,
    PlaceInterval,
    RankCorrelation,
    place_changes,
    places,
    rank_correlation,
    resamples,
)
from quadrille_plugins.rank.play import GROUPS, SINGLE, Response
from quadrille_plugins.rank.run import FIRST, Evaluate, Line, Progress, RankingPlan, RankingRun
from quadrille_plugins.rank.space import Configuration, Space
from quadrille_plugins.studies.equivalence import NEAR, SMALLER, UNDECIDED
from quadrille_plugins.studies.family import longest, manners_of, together
from quadrille_plugins.studies.paired import FEWEST_DIFFERING as FEWEST_SESSIONS_DIFFERING

FEW: Final = 512
"""Configurations up to which all are taken."""
LEADING: Final = 3
"""Points that are looked at two by two."""
PAIRED: Final = 16
"""Sampled configurations in which they are."""
STRICT: Final = 0.999
"""The level at which they must be."""

Sized = tuple[PointEffect, dict[int, PointEffect]]
"""A point's effect, and that of each alternative."""
Judged = dict[int, Sized]
ByMeasure = dict[str, Judged]

SAME_RULES, REFUSED = "same rules", "refused"


@frozen
class Refused:
    """A reading that does not go with the configurations tried: the first reason, in how many, of
    how many."""

    point: str
    reading: str
    count: int
    of: int
    reason: tuple[Problem, ...]


@frozen
class Verdict:
    """Whether a point's effect is larger than the smallest of interest.

    Where it is undecided, between how many ``configurations`` will decide with a probability of 90
    %, or how many ``deals`` under each; it is ``near`` that smallest where that cannot be said.
    """

    said: str
    configurations: tuple[int, int] | None = None
    deals: tuple[int, int] | None = None

    @property
    def kind(self) -> str:
        """The same, undecided where it is near."""
        return UNDECIDED if self.said == NEAR else self.said


@frozen
class Family:
    """A point's size by all members: who is at either end, and between what their intervals lie;
    None without an end.

    ``by`` says in what the members at the ends differ; ``differing``, in how many units it differed
    with whom it did so most.
    """

    least: str
    most: str
    sizes: tuple[float, float]
    size: Sure
    by: tuple[str, ...]
    differing: int


@frozen
class RankedPoint:
    """A point with its effect in each measure; without effects where it could not be switched.

    Verdicts are those of all members of the family, and the place's interval has the places that
    any of them leaves it; all else is what the first finds.  ``family`` has what all find, where
    they are several. ``readings``: the effect of each alternative.  ``own``: the effect with the
    other points as they are.  ``differed``: whether anything differed in any deal.  ``place``: None
    where its readings are the same rules, or refused.
    """

    point: str
    verdicts: Mapping[str, Verdict]
    family: Mapping[str, Family]
    effects: Mapping[str, PointEffect]
    readings: Mapping[str, Mapping[str, PointEffect]]
    own: Mapping[str, Sure]
    place: PlaceInterval | None
    sample_size: int
    differed: bool

    def seen(self, measure: str) -> bool:
        """Whether anybody's sums differed by that measure."""
        told = self.family.get(measure) or self.effects.get(measure)
        return told is not None and told.differing > 0


@frozen
class Together:
    """What two points do together beyond what each does alone, in each measure."""

    points: tuple[str, str]
    effects: Mapping[str, PointEffect]


@frozen
class PlayerRanking:
    """The points as one player ranks them: the sizes by measure, and the rank correlation with the
    first player.

    Only switches that both can be told of are in ``correlations`` and ``place_changes``;
    ``left_out`` says how many are not.  A member of the family has ``places`` and ``verdicts`` as
    well.
    """

    sizes: Mapping[str, Mapping[str, Sure]]
    places: Mapping[str, PlaceInterval]
    verdicts: Mapping[str, Mapping[str, Verdict]]
    correlations: Mapping[str, RankCorrelation]
    moved: Mapping[str, tuple[PlaceChange, ...]]
    left_out: int


@frozen
class Ranking:
    """Everything that was found."""

    space: Space
    plan: RankingPlan
    points: tuple[RankedPoint, ...]
    pairs: tuple[Together, ...]
    orders: tuple[PlayerRanking, ...]
    """One for each player, the first's first."""
    curve: Curve
    refused: tuple[Refused, ...]
    sample_size: int
    valid: int | None
    """How many configurations are valid, where all were tried."""
    drawn: int
    """Draws made until there were enough valid ones, where they were drawn."""
    played: int
    rule_sets: int
    """Configurations played, and how many rule sets they are."""
    interrupted: bool


# --- the design -----------------------------------------------------------------------------------


def rank(
    space: Space,
    plan: RankingPlan,
    evaluate: Evaluate,
    progress: Progress | None = None,
    expect: Callable[[float], object] | None = None,
) -> Ranking:
    """Rank the points of a space; ``expect`` is told how many seconds it should take, where points
    may be left out.

    Interrupted by the user, it reports the configurations that were finished and says so; it raises
    KeyboardInterrupt only when not one was.
    """
    run = RankingRun(space, plan, evaluate, progress, expect)
    switches = sum(space.sizes) - len(space.sizes)
    run.total = space.many if plan.exact else (plan.sample_size + 1) * (2 + switches)
    drawn, interrupted = 0, False
    pairs: tuple[Together, ...] = ()
    try:
        if plan.exact:
            _take_all(run)
            drawn = len(run.sampled)
            pairs = _together(run)
        else:
            drawn, pairs = _sample(run)
    except KeyboardInterrupt:
        if not run.sampled:
            raise
        interrupted = True
    return _ranking(run, pairs, drawn=drawn, interrupted=interrupted)


def _take_all(run: RankingRun) -> None:
    space, every = run.space, range(len(run.space.points))
    run.learn([(space.origin, 0)])
    run.groups = _groups(run, 0)
    for _ in run.go_round(
        ((configuration, 0) for configuration in space.every(run.plan.seed)), every
    ):
        pass


def _groups(run: RankingRun, block: int) -> int:
    told = run.response((run.space.origin, block), 0)
    if told is None:
        return 0
    return len(told.groups) if run.plan.exact else min(len(told.groups), GROUPS)


def _sample(run: RankingRun) -> tuple[int, tuple[Together, ...]]:
    """Sample configurations, each with its own block; block 0 is the rule set's own
    configuration."""
    space, plan = run.space, run.plan
    active = list(range(len(space.points)))

    def switches() -> int:
        return sum(space.sizes[p] - 1 for p in active)

    run.expected = plan.cost(0) * (2 + switches()) + plan.work_left(0, FIRST, switches())
    run.learn(run.around(space.origin, 0, active))
    run.groups = _groups(run, 0)
    run.look_at_own()
    run.forget(0)
    source, drawn, block = space.drawn(plan.seed), 0, 0
    pairs: tuple[Together, ...] = ()
    for look in _looks(plan.sample_size):
        stage = []
        while block < look:
            configuration, refused = next(source)
            block, drawn = block + 1, drawn + 1 + refused
            stage.append((configuration, block))
        for own in run.go_round(stage, active):
            if own > PAIRED:
                run.forget(own)
        if not pairs:
            run.total = run.done  # what is left is not known beforehand
            pairs = _together(run)
            for _, own in stage:
                run.forget(own)
        active = [
            p for p in active if any(_goes_on(run, p, member) for member in range(plan.members))
        ]
        run.total = run.done + (plan.sample_size - look) * (2 + switches())
        run.expected = run.work + plan.work_left(look, 2 * look, switches())
    return drawn, pairs


def _goes_on(run: RankingRun, point: int, member: int) -> bool:
    """Whether a point is not shown to be smaller by this member, at a level so strict that it is
    looked at no more."""
    measure = run.plan.measure
    found = _effect(run, point, member, measure, 1 - (1 - STRICT) / run.plan.members)
    return found is not None and verdict_of(found[0].size, run.plan.smallest[measure]) != SMALLER


def _looks(most: int) -> Iterator[int]:
    look = FIRST
    while look < most:
        yield look
        look *= 2
    yield most


# --- what it comes to -----------------------------------------------------------------------------


def _judged(
    run: RankingRun, lines: Sequence[Line | None], measure: str, level: float
) -> Sized | None:
    """A point's effect and that of each alternative, from its lines; None where it was never
    switched.

    There is a line for every configuration, so that points are resampled together.
    """
    judge = run.judge(measure)
    alternatives = sorted({place for line in lines for place in line or ()})
    each = 1 - (1 - level) / max(len(alternatives), 1)
    found = {
        a: judge([line[a][measure] if line and a in line else None for line in lines], each)
        for a in alternatives
    }
    return (largest_of(list(found.values())), found) if found else None


def _effect(
    run: RankingRun, point: int, player: int, measure: str, level: float | None = None
) -> Sized | None:
    """The same from all that was played; where nothing differed, with the bound that follows from
    that."""
    level = run.plan.level if level is None else level
    lines = run.lines[player][point]
    found = _judged(run, lines, measure, level)
    if found is None or all(e.differing for e in found[1].values()):
        return found
    switched = sum(line is not None for line in lines)
    groups = run.groups * (1 if run.plan.exact else switched)
    most = _most_where_differing(run, player, measure)
    bound = Sure(0.0, None, share_at_most(0, groups, level) * most if most is not None else None)
    units = run.groups if run.plan.exact else switched
    each = {
        a: e if e.differing else replace(e, size=bound, units=units) for a, e in found[1].items()
    }
    return largest_of(list(each.values())), each


def _most_where_differing(run: RankingRun, player: int, measure: str) -> float | None:
    """The largest mean effect that any point has in those groups of sessions in which it
    differs."""
    most = 0.0
    for lines in run.lines[player]:
        where = [s[measure].where for line in lines if line for s in line.values()]
        many = sum(n for _, n in where)
        if many >= FEWEST_DIFFERING:
            most = max(most, fsum(size for size, _ in where) / many)
    return most or None


def _together(run: RankingRun) -> tuple[Together, ...]:
    """The leading points two by two, in configurations whose outcomes are still known."""
    space, measure = run.space, run.plan.measure
    found = {
        p: e for p in range(len(space.points)) if (e := _effect(run, p, 0, measure)) is not None
    }
    sizes = {p: e[0].size.value for p, e in found.items() if e[0].size.value > 0}
    leading = sorted(sorted(sizes, key=lambda p: (-sizes[p], p))[:LEADING])
    known = [(c, b) for c, b in run.sampled if (c, b) in run.known]
    run.learn(
        (corner, block)
        for configuration, block in known
        for a, b in combinations(leading, 2)
        for one in space.switched(configuration, a)
        for corner in space.switched(one, b)
    )
    told = []
    for a, b in combinations(leading, 2):
        squares = [s for c, block in known for s in [_squares(run, c, block, a, b)] if s]
        kinds = sorted({kind for s in squares for kind in s})
        if kinds:
            effects = {
                m: largest_of([run.judge(m)([s[k][m] for s in squares if k in s]) for k in kinds])
                for m in MEASURES
            }
            told.append(Together(points=(space.names[a], space.names[b]), effects=effects))
    return tuple(sorted(told, key=lambda t: (-t.effects[measure].size.value, t.points)))


def _squares(
    run: RankingRun, configuration: Configuration, block: int, a: int, b: int
) -> dict[tuple[int, int], dict[str, Switch]]:
    """For each two alternatives what both change beyond what each changes alone."""
    origin = run.space.origin

    def corner(one: int, other: int) -> Response | None:
        changed = list(configuration)
        changed[a], changed[b] = one, other
        return run.response((tuple(changed), block), 0)

    found: dict[tuple[int, int], dict[str, Switch]] = {}
    for one in range(run.space.sizes[a]):
        for other in range(run.space.sizes[b]):
            corners = [
                corner(*c)
                for c in (
                    (origin[a], origin[b]),
                    (one, origin[b]),
                    (origin[a], other),
                    (one, other),
                )
            ]
            told = [c for c in corners if c is not None]
            if one == origin[a] or other == origin[b] or len(told) < 4:
                continue
            found[one, other] = {
                m: _square([run.of(c, m, fine=run.plan.exact) for c in told], run.bound(m))
                for m in MEASURES
            }
    return found


def _square(corners: Sequence[Values], bound: float) -> Switch:
    names = sorted({n for values in corners for g in values for n in g})
    signs = (1, -1, -1, 1)
    return switch_of_groups(
        tuple(
            {
                n: sum(sign * g.get(n, 0.0) for sign, g in zip(signs, groups, strict=True))
                for n in names
            }
            for groups in zip(*corners, strict=True)
        ),
        bound,
    )


def _ranking(
    run: RankingRun, pairs: tuple[Together, ...], *, drawn: int, interrupted: bool
) -> Ranking:
    space, plan, names = run.space, run.plan, run.space.names
    found = [_found_by(run, player) for player in range(len(plan.limits))]
    members, judged = found[: plan.members], found[0]
    by_member = [_places(run, one[plan.measure]) for one in members]
    stood = {
        name: _place_by_all([one[name] for one in by_member if name in one])
        for name in by_member[0]
    }
    verdicts = [
        {
            m: {n: _verdict(run, one[m].get(p), p, member, m) for p, n in enumerate(names)}
            for m in MEASURES
        }
        for member, one in enumerate(members)
    ]
    points = [
        RankedPoint(
            point=name,
            verdicts={m: of_family([one[m][name] for one in verdicts]) for m in MEASURES},
            family={
                m: sizes_by(
                    dict(zip(plan.family, (one[m][point][0] for one in members), strict=True))
                )
                for m in MEASURES
                if plan.members > 1 and all(point in one[m] for one in members)
            },
            effects={m: judged[m][point][0] for m in MEASURES if point in judged[m]},
            readings={
                m: {space.reading(point, a): e for a, e in judged[m][point][1].items()}
                for m in MEASURES
                if point in judged[m]
            },
            own=_own(run, point),
            place=stood.get(name),
            sample_size=sum(bool(line) for line in run.lines[0][point]),
            differed=run.differs[point],
        )
        for point, name in enumerate(space.names)
    ]
    points.sort(key=lambda r: (*_standing(r, plan.measure, len(names)), space.names.index(r.point)))
    return Ranking(
        space=space,
        plan=plan,
        points=tuple(points),
        pairs=pairs,
        orders=tuple(_orders(run, found, by_member, verdicts)),
        curve=curve_of(
            space, [(c, run.curve[c, b]) for c, b in run.sampled if (c, b) in run.curve]
        ),
        refused=_refused(run),
        sample_size=len(run.sampled),
        valid=len(run.sampled) if plan.exact and not interrupted else None,
        drawn=drawn,
        played=run.played,
        rule_sets=len(run.digests),
        interrupted=interrupted,
    )


def _units(run: RankingRun) -> int:
    return run.groups if run.plan.exact else len(run.sampled)


def _columns(judged: Judged, names: Sequence[str]) -> dict[str, Columns]:
    return {names[p]: [e.column for e in each.values()] for p, (_, each) in judged.items()}


def _places(run: RankingRun, judged: Judged) -> dict[str, PlaceInterval]:
    """The places of all points but those whose readings are the same rules; what never differed has
    only a bound."""
    names = run.space.names
    told = {p: e for p, e in judged.items() if not run.one_rule_set[p]}
    weights = resamples(run.plan.seed, _units(run))
    return places({names[p]: e for p, (e, _) in told.items()}, _columns(told, names), weights)


def _standing(ranked: RankedPoint, measure: str, points: int) -> tuple[int, bool]:
    """Where a point is listed: by its place, of one size what differed first, and last what could
    not be switched."""
    if ranked.place is None:
        return points + 1, not ranked.effects
    return ranked.place.place, not ranked.seen(measure)


def _found_by(run: RankingRun, player: int) -> ByMeasure:
    """Every point's effect by this player, in each measure."""
    points = range(len(run.space.points))
    return {
        m: {p: e for p in points if (e := _effect(run, p, player, m)) is not None} for m in MEASURES
    }


def _place_by_all(found: Sequence[PlaceInterval]) -> PlaceInterval:
    """The first member's place, and all that any member's interval leaves open."""
    return PlaceInterval(found[0].place, min(p.low for p in found), max(p.high for p in found))


def sizes_by(found: Mapping[str, PointEffect]) -> Family:
    """A point's size by all members; ``found`` is by member, the usual one first."""
    least, most = (pick(found, key=lambda m: found[m].size.value) for pick in (min, max))
    highs = [e.size.high for e in found.values() if e.size.high is not None]
    size = Sure(
        next(iter(found.values())).size.value,
        min(e.size.low or 0.0 for e in found.values()),
        max(highs) if len(highs) == len(found) else None,
    )
    return Family(
        least=least,
        most=most,
        sizes=(found[least].size.value, found[most].size.value),
        size=size,
        by=manners_of(least, most),
        differing=max(e.differing for e in found.values()),
    )


def of_family(found: Sequence[Verdict]) -> Verdict:
    """The verdict of all members; undecided, it takes what whoever takes longest does."""
    said = found[0].said
    if said in (SAME_RULES, REFUSED):
        return found[0]
    answer = together(v.said for v in found)
    if answer != UNDECIDED:
        return Verdict(said=answer)
    open_ones = [v for v in found if v.said in (UNDECIDED, NEAR)]
    if not all(v.configurations or v.deals for v in open_ones):
        return Verdict(said=answer)
    return Verdict(
        said=answer,
        configurations=longest([v.configurations for v in open_ones if v.configurations]),
        deals=longest([v.deals for v in open_ones if v.deals]),
    )


def _own(run: RankingRun, point: int) -> dict[str, Sure]:
    """The effect with the other points as the rule set has them, over sessions."""
    switches = run.own[point].values() if run.own else ()
    return (
        {m: largest_of([over_sessions([s[m]]) for s in switches]).size for m in MEASURES}
        if switches
        else {}
    )


def _verdict(
    run: RankingRun,
    found: Sized | None,
    point: int,
    player: int,
    measure: str,
) -> Verdict:
    if found is None:
        return Verdict(said=REFUSED)
    if run.one_rule_set[point]:
        return Verdict(said=SAME_RULES)
    effect, smallest = found[0], run.plan.smallest[measure]
    said = verdict_of(effect.size, smallest)
    if said != UNDECIDED:
        return Verdict(said=said)
    if not effect.differing:
        return _to_bound(run, _most_where_differing(run, player, measure), smallest)
    units = units_needed(effect, smallest, run.plan.level, fades=run.plan.exact)
    if units is not None and not run.plan.exact:
        return Verdict(said=said, configurations=_rounded(units))
    times = (
        (units[0] / effect.units, units[1] / effect.units)
        if units is not None
        else deals_needed(effect, smallest)
    )
    if times is None:
        return Verdict(said=NEAR if effect.enough else said)
    return Verdict(
        said=said, deals=_rounded((times[0] * run.plan.deals, times[1] * run.plan.deals))
    )


def _rounded(ends: Needed) -> tuple[int, int]:
    return rounded_up(ends[0]), rounded_up(ends[1])


def _to_bound(run: RankingRun, most: float | None, smallest: float) -> Verdict:
    """What would decide a point that never differed: groups of sessions, of further configurations
    or deals."""
    groups = units_to_bound(most, smallest, run.plan.level) if most is not None else None
    if groups is None or not run.groups:
        return Verdict(said=UNDECIDED)
    # at the earliest when it has not differed in so many, at the latest when an interval says how
    # often it does
    if not run.plan.exact:
        many = -(-groups // run.groups)
        later = units_until(FEWEST_DIFFERING, 0, len(run.sampled))[0]
        return Verdict(said=UNDECIDED, configurations=(many, max(many, rounded_up(later))))
    # of all configurations there are no more groups than that, however many deals are played
    if groups > SINGLE:
        return Verdict(said=UNDECIDED)
    deals = -(-groups * run.plan.deals // run.groups)
    later = units_until(FEWEST_SESSIONS_DIFFERING, 0, run.groups)[0] * run.plan.deals / run.groups
    return Verdict(said=UNDECIDED, deals=(deals, max(deals, rounded_up(later))))


def _refused(run: RankingRun) -> tuple[Refused, ...]:
    """Readings that some configuration does not take."""
    return tuple(
        Refused(
            point=run.space.names[point],
            reading=run.space.reading(point, place),
            count=len(refused),
            of=sum(line is not None for line in run.lines[0][point]),
            reason=run.space.refusal(refused[0]),
        )
        for (point, place), refused in sorted(run.refusals.items())
    )


def _orders(
    run: RankingRun,
    found_by: Sequence[ByMeasure],
    places_by: Sequence[Mapping[str, PlaceInterval]],
    verdicts: Sequence[Mapping[str, Mapping[str, Verdict]]],
) -> Iterator[PlayerRanking]:
    """Every player's order; places and verdicts are the members'."""
    names, plan = run.space.names, run.plan
    weights = resamples(plan.seed, _units(run)) if len(plan.limits) > 1 else []
    for player in range(len(plan.limits)):
        sizes: dict[str, dict[str, Sure]] = {m: {} for m in MEASURES}
        found: dict[str, RankCorrelation] = {}
        places_of: dict[str, tuple[PlaceChange, ...]] = {}
        for m in MEASURES:
            sizes[m] = {names[p]: e.size for p, (e, _) in found_by[player][m].items()}
            if not player:
                continue
            # members have all switches in common
            mine, theirs = (
                (found_by[0][m], found_by[player][m])
                if player < plan.members
                else _in_common(run, player, m)
            )
            one, other = ({names[p]: e for p, (e, _) in each.items()} for each in (mine, theirs))
            columns = (_columns(mine, names), _columns(theirs, names))
            found[m] = rank_correlation(one, other, columns, (weights, weights))
            told = found[m].points
            places_of[m] = place_changes(
                {n: one[n].size.value for n in told}, {n: other[n].size.value for n in told}
            )
        member = player < plan.members
        yield PlayerRanking(
            sizes=sizes,
            places=places_by[player] if member else {},
            verdicts=verdicts[player] if member else {},
            correlations=found,
            moved=places_of,
            left_out=run.left_out[player],
        )


def _in_common(run: RankingRun, player: int, measure: str) -> tuple[Judged, Judged]:
    """The points' effects for the first player and another, over the switches that both have."""
    found: tuple[Judged, Judged] = {}, {}
    for point in range(len(run.space.names)):
        both = [
            (a or {}, b or {})
            for a, b in zip(run.lines[0][point], run.lines[player][point], strict=True)
        ]
        mine = [{place: s for place, s in a.items() if place in b} for a, b in both]
        theirs = [{place: s for place, s in b.items() if place in a} for a, b in both]
        for judged, common in zip(found, (mine, theirs), strict=True):
            effect = _judged(run, common, measure, run.plan.level)
            if effect is not None:
                judged[point] = effect
    return found
