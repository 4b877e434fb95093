"""Which disputed points matter most: every point switched through its readings on the same deals, over backgrounds.

All combinations are taken where they are few, else valid ones are drawn; the same formulas serve both.  What is meant
by an effect is said in ``docs/decisions/025-ranking-points.md``.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from typing import Final

from quadrille_core.study.agreement import Moved, moved, tau_b
from quadrille_core.study.rank_effects import (
    MEASURES,
    Effect,
    Line,
    Measure,
    Number,
    Sure,
    Values,
    effect_of,
    line_size,
    measures_of,
    square_size,
    sure,
    values_of,
)
from quadrille_core.study.rank_play import Outcome, Response
from quadrille_core.study.rank_space import Combination, Space

FEW: Final = 512
"""Combinations up to which all are taken."""
LEADING: Final = 4
"""Points that are looked at two by two."""

SAME_RULES, REFUSED, NEVER, MATTERS, UNDECIDED = "same rules", "refused", "never differed", "matters", "not shown"

Evaluate = Callable[[Sequence[Combination]], Iterable[Outcome]]
Progress = Callable[[int, int, float], None]
"""Called with combinations done, combinations in all as far as is known, and seconds since the start."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How points are ranked: all combinations, or so many drawn."""

    seed: int
    backgrounds: int
    exact: bool
    measure: str
    sessions: tuple[int, ...]
    """How many sessions each player has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """A reading that does not go with the backgrounds tried: the first reason, in how many, of how many."""

    point: str
    reading: str
    count: int
    of: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """A point with its effect in each measure; without effects where it could not be switched or never differed."""

    point: str
    verdicts: Mapping[str, str]
    effects: Mapping[str, Effect]
    backgrounds: int
    """Those in which it could be switched."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Together:
    """What two points do together beyond what each does alone, in each measure."""

    points: tuple[str, str]
    sizes: Mapping[str, Sure]
    backgrounds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """The points as one player ranks them: by measure, the sizes; and how that agrees with the first player's order.

    Only switches that both can be told of are in ``tau`` and ``moved``; ``left_out`` says how many are not.
    """

    sizes: Mapping[str, Mapping[str, Sure]]
    tau: Mapping[str, float | None]
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
    refused: tuple[Refused, ...]
    backgrounds: int
    valid: int | None
    """How many combinations are valid, where all were tried."""
    drawn: int
    """Draws made until there were so many valid ones, where they were drawn."""
    played: int
    rule_sets: int
    """Combinations played, and how many rule sets they are."""
    interrupted: bool


@dataclass(slots=True)
class _Course:
    """A ranking under way: what every combination came to."""

    space: Space
    plan: Plan
    evaluate: Evaluate
    progress: Progress | None
    known: dict[Combination, Outcome] = field(default_factory=dict)
    total: int = 0
    started: float = field(default_factory=time.monotonic)

    def learn(self, wanted: Iterable[Combination]) -> None:
        """Play what is not known yet."""
        new = list(dict.fromkeys(c for c in wanted if c not in self.known))
        for combination, outcome in zip(new, self.evaluate(new), strict=True):
            self.known[combination] = outcome
            if self.progress is not None:
                done = len(self.known)
                self.progress(done, max(self.total, done), time.monotonic() - self.started)

    def around(self, combination: Combination) -> Iterator[Combination]:
        """A combination and all that it becomes by one switch."""
        yield combination
        for point in range(len(self.space.points)):
            yield from self.space.switched(combination, point)

    def line(self, combination: Combination, point: int, player: int) -> dict[int, Response]:
        """The responses to a point's valid readings, by place."""
        found = {}
        for place, one in enumerate(self.space.switched(combination, point)):
            response = self.response(one, player)
            if response is not None:
                found[place] = response
        return found

    def response(self, combination: Combination, player: int) -> Response | None:
        """What a combination came to; None where it is refused, or cannot be told of this player."""
        outcome = self.known.get(combination)
        return outcome.responses[player] if outcome is not None and not outcome.refusal else None


def rank(space: Space, plan: Plan, evaluate: Evaluate, progress: Progress | None = None) -> Ranking:
    """Rank the points of a space.

    Interrupted by the user, it reports the backgrounds that were finished and says so; it raises KeyboardInterrupt
    only when not one was.
    """
    course = _Course(space, plan, evaluate, progress)
    switches = sum(space.sizes) - len(space.sizes)
    course.total = space.many if plan.exact else (plan.backgrounds + 1) * (1 + switches)
    finished: list[Combination] = []
    leading: list[int] = []
    drawn, interrupted = 0, False
    try:
        course.learn(course.around(space.origin))
        for background, refused in _backgrounds(space, plan):
            course.learn(course.around(background))
            drawn += 1 + refused
            if not course.known[background].refusal:
                finished.append(background)
        leading = _leading(course, finished)
        if not plan.exact:
            course.total = len(course.known)  # what is left is little, and not known beforehand
            course.learn(_squares(space, finished, leading))
    except KeyboardInterrupt:
        if not finished:
            raise
        interrupted, leading = True, []
    return _ranking(course, finished, leading, drawn=drawn, interrupted=interrupted)


def _backgrounds(space: Space, plan: Plan) -> Iterator[tuple[Combination, int]]:
    if plan.exact:
        yield from ((c, 0) for c in space.every(plan.seed))
        return
    source = space.drawn(plan.seed)
    for _ in range(plan.backgrounds):
        yield next(source)


# --- what it comes to --------------------------------------------------------------------------------


@dataclass(slots=True)
class _Reading:
    """One player's responses read in one measure, each boiled down once."""

    course: _Course
    player: int
    measure: Measure
    values: dict[int, Values] = field(default_factory=dict)

    def of(self, response: Response) -> Values:
        """A response's values; equal responses are one object."""
        key = id(response)
        if key not in self.values:
            self.values[key] = values_of(response, self.measure)
        return self.values[key]

    def line(self, combination: Combination, point: int) -> Line:
        """The values of a point's valid readings."""
        return {p: self.of(r) for p, r in self.course.line(combination, point, self.player).items()}

    def lines(self, backgrounds: Sequence[Combination], point: int) -> list[Line]:
        """The lines of a point in which it can be switched."""
        found = [self.line(b, point) for b in backgrounds]
        return [line for line in found if len(line) > 1]


def _readings(course: _Course, player: int) -> dict[str, _Reading]:
    told = [r for o in course.known.values() if not o.refusal and (r := o.responses[player]) is not None]
    return {name: _Reading(course, player, measure) for name, measure in measures_of(told).items()}


def _differs(course: _Course, backgrounds: Sequence[Combination], point: int, player: int) -> bool:
    lines = (course.line(b, point, player).values() for b in backgrounds)
    return any(len({r.trace for r in line}) > 1 for line in lines)


def _same_rules(course: _Course, backgrounds: Sequence[Combination], point: int) -> bool:
    """Whether all readings of a point are one rule set, wherever it was switched."""
    for background in backgrounds:
        outcomes = [course.known[c] for c in course.space.switched(background, point)]
        if len({o.digest for o in outcomes if not o.refusal}) > 1:
            return False
    return True


def _effects(
    course: _Course, finished: Sequence[Combination], player: int
) -> tuple[dict[str, dict[int, Effect]], list[int]]:
    """Every point's effect in each measure, and in how many backgrounds it was switched."""
    readings, space, plan = _readings(course, player), course.space, course.plan
    found: dict[str, dict[int, Effect]] = {m: {} for m in MEASURES}
    many = [sum(len(course.line(b, p, player)) > 1 for b in finished) for p in range(len(space.points))]
    open_points = [p for p, n in enumerate(many) if n]
    for name, reading in readings.items():
        rivals = sum(space.sizes[p] - 1 for p in open_points)
        for point in open_points:
            found[name][point] = effect_of(
                reading.lines(finished, point),
                reading.line(space.origin, point),
                space.origin[point],
                [r.id for r in space.points[point].point.readings],
                reading.measure,
                sampled=not plan.exact or len(finished) < len(_valid(course)),
                claims=rivals * len(reading.measure.parts),
                sessions=plan.sessions[player],
            )
    return found, many


def _valid(course: _Course) -> list[Combination]:
    """The valid combinations that were played."""
    return [c for c, o in course.known.items() if not o.refusal]


def _leading(course: _Course, finished: Sequence[Combination]) -> list[int]:
    """The points that matter most, in the measure asked for, of those that differ at all."""
    found, _ = _effects(course, finished, 0)
    sizes = {p: e.size.value for p, e in found[course.plan.measure].items() if e.size.value}
    return sorted(sizes, key=lambda p: (-sizes[p], p))[:LEADING]


def _squares(space: Space, backgrounds: Sequence[Combination], leading: Sequence[int]) -> Iterator[Combination]:
    """Every background with two of the leading points switched."""
    for background in backgrounds:
        for a, b in combinations(sorted(leading), 2):
            for one in space.switched(background, a):
                yield from space.switched(one, b)


def _together(course: _Course, finished: Sequence[Combination], leading: Sequence[int]) -> tuple[Together, ...]:
    readings, space, sampled = _readings(course, 0), course.space, not course.plan.exact
    found = []
    for a, b in combinations(sorted(leading), 2):
        sizes: dict[str, Sure] = {}
        many = 0
        for name, reading in readings.items():
            each = []
            for background in finished:
                squares = _squares_at(course, reading, background, a, b)
                if squares:
                    each.append(square_size(squares, reading.measure))
            many = len(each)
            if each:
                middle = [sum((e[n][0] for e in each), 0 * each[0][n][0]) / many for n in range(len(each[0]))]
                spread = [e[0][0] for e in each]
                sizes[name] = sure(middle, spread, sampled=sampled, sessions=course.plan.sessions[0])
        if sizes:
            found.append(Together(points=(space.names[a], space.names[b]), sizes=sizes, backgrounds=many))
    return tuple(sorted(found, key=lambda t: (-t.sizes[course.plan.measure].value, t.points)))


def _squares_at(
    course: _Course, reading: _Reading, background: Combination, a: int, b: int
) -> list[tuple[Values, Values, Values, Values]]:
    """The valid squares of a background and two points."""
    found = []
    for one in course.space.switched(background, a):
        for both in course.space.switched(one, b):
            other = (*background[:b], both[b], *background[b + 1 :])
            if background in (one, other):
                continue
            corners = [course.response(c, 0) for c in (background, one, other, both)]
            told = [reading.of(c) for c in corners if c is not None]
            if len(told) == 4:
                found.append((told[0], told[1], told[2], told[3]))
    return found


def _ranking(
    course: _Course, finished: Sequence[Combination], leading: Sequence[int], *, drawn: int, interrupted: bool
) -> Ranking:
    space, plan = course.space, course.plan
    every = [_effects(course, finished, player) for player in range(len(plan.sessions))]
    effects, many = every[0]
    points = []
    for point, name in enumerate(space.names):
        of = {m: effects[m][point] for m in MEASURES if point in effects[m]}
        points.append(
            Ranked(
                point=name,
                verdicts={m: _verdict(course, finished, point, of.get(m)) for m in MEASURES},
                effects=of,
                backgrounds=many[point],
            )
        )
    points.sort(key=lambda r: (-r.effects[plan.measure].size.value if r.effects else 1, space.names.index(r.point)))
    return Ranking(
        space=space,
        plan=plan,
        points=tuple(points),
        pairs=_together(course, finished, leading),
        orders=tuple(_orders(course, finished, every)),
        refused=_refused(course, finished),
        backgrounds=len(finished),
        valid=len(finished) if plan.exact and not interrupted else None,
        drawn=drawn,
        played=len(_valid(course)),
        rule_sets=len({course.known[c].digest for c in _valid(course)}),
        interrupted=interrupted,
    )


def _verdict(course: _Course, finished: Sequence[Combination], point: int, effect: Effect | None) -> str:
    if effect is None:
        return REFUSED
    if _same_rules(course, finished, point):
        return SAME_RULES
    if not _differs(course, finished, point, 0):
        return NEVER
    return MATTERS if effect.shown else UNDECIDED


def _refused(course: _Course, finished: Sequence[Combination]) -> tuple[Refused, ...]:
    """Readings that some background does not take."""
    found: dict[tuple[int, int], list[str]] = {}
    for background in finished:
        for point in range(len(course.space.points)):
            for place, one in enumerate(course.space.switched(background, point)):
                if why := course.known[one].refusal:
                    found.setdefault((point, place), []).append(why)
    return tuple(
        Refused(
            point=course.space.names[point],
            reading=course.space.reading(point, place),
            count=len(whys),
            of=len(finished),
            reason=whys[0],
        )
        for (point, place), whys in sorted(found.items())
    )


def _orders(
    course: _Course, finished: Sequence[Combination], every: Sequence[tuple[dict[str, dict[int, Effect]], list[int]]]
) -> Iterator[Order]:
    names = course.space.names
    for player, (effects, _) in enumerate(every):
        sizes = {m: {names[p]: e.size for p, e in effects[m].items()} for m in MEASURES}
        tau: dict[str, float | None] = {}
        places: dict[str, tuple[Moved, ...]] = {}
        for m in MEASURES:
            mine, theirs = _in_common(course, finished, player, m)
            tau[m], places[m] = tau_b(list(mine.values()), list(theirs.values())), moved(mine, theirs)
        left_out = sum(
            1
            for b in finished
            for p in range(len(names))
            for c in course.space.switched(b, p)
            if c != b and not course.known[c].refusal and course.response(c, player) is None
        )
        yield Order(sizes=sizes, tau=tau, moved=places, left_out=left_out)


def _in_common(
    course: _Course, finished: Sequence[Combination], player: int, measure: str
) -> tuple[dict[str, Number], dict[str, Number]]:
    """The points' sizes for the first player and another, over the switches that both can be told of."""
    both = [_readings(course, one)[measure] for one in (0, player)]
    found: tuple[dict[str, Number], dict[str, Number]] = {}, {}
    for point, name in enumerate(course.space.names):
        lines = [[reading.line(b, point) for b in finished] for reading in both]
        common = [sorted(a.keys() & b.keys()) for a, b in zip(*lines, strict=True)]
        for sizes, mine, reading in zip(found, lines, both, strict=True):
            each = [
                line_size({place: line[place][:1] for place in told}, reading.measure)[0][0]
                for line, told in zip(mine, common, strict=True)
                if len(told) > 1
            ]
            if each:
                sizes[name] = sum(each, Fraction(0)) / len(each)
    return found
