"""A ranking in progress: its tasks, and every configuration reduced to switches.

Memory is that of the switches: what the configurations came to is forgotten block by block.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from math import inf
from typing import Final

from quadrille_core.frozen import frozen
from quadrille_plugins.rank.effects import (
    LEVEL,
    MEASURES,
    NOTHING,
    PointEffect,
    Switch,
    Values,
    bound_of,
    over_configurations,
    over_sessions,
    switch_of,
    values_of,
)
from quadrille_plugins.rank.play import Outcome, Response, Task, coarse
from quadrille_plugins.rank.space import Configuration, Space

Evaluate = Callable[[Iterable[Task]], Iterable[Outcome]]
Progress = Callable[[int, int, float], None]
"""Called with configurations done, configurations in all as far as is known, and seconds since the
start."""


@frozen
class RankingPlan:
    """How points are ranked: over all configurations, or over a sample of at most N."""

    seed: int
    sample_size: int
    exact: bool
    measure: str
    deals: int
    """Deals under each configuration."""
    smallest: Mapping[str, float]
    """The smallest effect of interest in each measure."""
    limits: tuple[int | None, ...] = (None,)
    """For each player how many blocks of sessions are played at most."""
    costs: tuple[float, ...] = (1.0,)
    """For each player about how long a block takes, beside the first player's."""
    family: tuple[str, ...] = ("",)
    """Who the first of the players are: those asked, whose verdicts hold together."""

    @property
    def members(self) -> int:
        """How many of the players are asked."""
        return len(self.family)

    @property
    def level(self) -> float:
        """The level of each member's intervals: the error is divided among the members."""
        return 1 - (1 - LEVEL) / self.members

    def cost(self, block: int) -> float:
        """About how long a configuration takes on a block; 1 is one that the first player alone
        plays."""
        first, *others = zip(self.limits, self.costs, strict=True)
        told = [first] if self.alone(block) else [first, *others]
        return sum(cost for limit, cost in told if limit is None or block < limit)

    def alone(self, block: int) -> bool:
        """Whether the first player alone is asked for a block: that of the rule set's own
        configuration."""
        return not self.exact and block == 0

    def work_left(self, block: int, look: int, switches: int) -> float:
        """The cost of the sampled configurations after ``block``, the next look being after
        ``look``.

        Until then each is switched ``switches`` times, after the first look about ``LEFT`` of that.
        """
        later = LEFT * switches if look <= FIRST else switches
        return sum(
            (2 + (switches if b <= look else later)) * self.cost(b)
            for b in range(block + 1, self.sample_size + 1)
        )


FIRST: Final = 32
"""Sampled configurations before points may be left out that are shown to be smaller; then at every
doubling."""
LEFT: Final = 0.3
"""The share of switches expected to go on after the first look: of 65 in the ranking in
``docs/studies``, 19 did."""
FEWEST_REPORTS: Final = 4
"""Configurations from which it is told how long the rest takes."""

Line = dict[int, dict[str, Switch]]
"""For each alternative of a point that is valid its switch in each measure."""


@dataclass(slots=True)
class RankingRun:
    """A ranking in progress: the outcome of every task, until it is reduced to switches."""

    space: Space
    plan: RankingPlan
    evaluate: Evaluate
    progress: Progress | None
    expect: Callable[[float], object] | None = None
    """Is told how many seconds the ranking is expected to take, where points may be left out."""
    known: dict[Task, Outcome] = field(default_factory=dict)
    lines: list[list[list[Line | None]]] = field(default_factory=list)
    """For each player, point and configuration; None where the point was not switched any more."""
    own: list[Line] = field(default_factory=list)
    """For each point the switches of the first player at the origin."""
    sampled: list[tuple[Configuration, int]] = field(default_factory=list)
    """The configurations that were finished, with their blocks."""
    curve: dict[Task, dict[str, Switch]] = field(default_factory=dict)
    refusals: dict[tuple[int, int], list[Configuration]] = field(default_factory=dict)
    one_rule_set: list[bool] = field(default_factory=list)
    """For each point whether all its readings were one rule set wherever it was switched."""
    left_out: list[int] = field(default_factory=list)
    differs: list[bool] = field(default_factory=list)
    digests: set[str] = field(default_factory=set)
    groups: int = 0
    """How many groups the first player's sessions are in."""
    played: int = 0
    done: int = 0
    total: int = 0
    started: float = field(default_factory=time.monotonic)
    work: float = 0.0
    """The cost of the configurations played, and of all that are expected."""
    expected: float = 0.0
    _first: tuple[float, float] | None = None
    values: dict[tuple[int, str, bool], Values] = field(default_factory=dict)

    def __post_init__(self) -> None:
        points, players = len(self.space.points), len(self.plan.limits)
        self.lines = [[[] for _ in range(points)] for _ in range(players)]
        self.one_rule_set, self.differs, self.left_out = (
            [True] * points,
            [False] * points,
            [0] * players,
        )

    def learn(self, wanted: Iterable[Task]) -> None:
        """Play what is not known yet."""
        for _ in self.learning(wanted):
            pass

    def go_round(
        self, stage: Iterable[tuple[Configuration, int]], points: Iterable[int]
    ) -> Iterator[int]:
        """Play these configurations and all about them and reduce each, as soon as it is known;
        yields its block.

        Those behind it are being played meanwhile.
        """
        switched = list(points)
        wanted = [(one, block, list(self.around(one, block, switched))) for one, block in stage]
        learning = self.learning(task for _, _, tasks in wanted for task in tasks)
        for configuration, block, tasks in wanted:
            for task in tasks:
                while task not in self.known:
                    next(learning)
            # those drawn are valid
            if not (self.plan.exact and self.known[configuration, block].refused):
                self.finish(configuration, block, switched)
                yield block
        for _ in learning:
            pass

    def learning(self, wanted: Iterable[Task]) -> Iterator[None]:
        """Play what is not known yet, task by task."""
        new = list(dict.fromkeys(t for t in wanted if t not in self.known))
        for task, outcome in zip(new, self.evaluate(new), strict=True):
            self.known[task] = outcome
            self.done += 1
            if not outcome.refused:
                self.played += 1
                self.digests.add(outcome.digest)
            seconds = time.monotonic() - self.started
            self.work += self.plan.cost(task[1])
            self._forecast(seconds)
            if self.progress is not None:
                self.progress(self.done, max(self.total, self.done), seconds)
            yield

    def _forecast(self, seconds: float) -> None:
        """Tell how long all takes, by the work done since the first report: before it code was
        loaded."""
        self._first = self._first or (self.work, seconds)
        work, began = self._first
        if self.expect is not None and self.done >= FEWEST_REPORTS and self.work > work:
            left = max(self.expected - self.work, 0.0)
            self.expect(seconds + left * (seconds - began) / (self.work - work))

    def around(
        self, configuration: Configuration, block: int, points: Iterable[int]
    ) -> Iterator[Task]:
        """A configuration, the rule set's own, and all that the first becomes by one switch, on the
        same deals."""
        yield self.space.origin, block
        yield configuration, block
        for point in points:
            for one in self.space.switched(configuration, point):
                yield one, block

    def response(self, task: Task, player: int) -> Response | None:
        """The outcome of a task; None when it is refused, or this player cannot play it."""
        outcome = self.known.get(task)
        return outcome.responses[player] if outcome is not None and not outcome.refused else None

    def of(self, response: Response, measure: str, *, fine: bool) -> Values:
        """A response's values, computed once; equal responses are one object while cached.

        Session by session (``fine``) where sessions are the units, else in fewer groups.
        """
        key = (id(response), measure, fine)
        if key not in self.values:
            told = response if fine else coarse(response)
            self.values |= {(id(response), m, fine): values_of(told, m) for m in MEASURES}
        return self.values[key]

    def bound(self, measure: str) -> float:
        """What a switch counts for at most, where configurations are averaged."""
        return bound_of(measure, self.plan.smallest[measure])

    def judge(self, measure: str) -> Callable[..., PointEffect]:
        """What makes an effect of switches: over all configurations, or over sampled ones."""
        return partial(
            over_sessions if self.plan.exact else over_configurations, bound=self.bound(measure)
        )

    def switch(
        self, before: Response, after: Response, *, fine: bool, bounded: bool
    ) -> dict[str, Switch]:
        """The switch between two responses in each measure."""
        if before.trace == after.trace:
            return dict.fromkeys(MEASURES, NOTHING)
        return {
            m: switch_of(
                self.of(before, m, fine=fine),
                self.of(after, m, fine=fine),
                self.bound(m) if bounded else inf,
            )
            for m in MEASURES
        }

    def line(
        self,
        configuration: Configuration,
        block: int,
        point: int,
        player: int,
        *,
        alone: bool = False,
    ) -> Line:
        """A point's switches from the reading in use to every other, where both are valid.

        Of sampled configurations only what a mean over them needs is kept.  Of one looked at
        ``alone`` the whole is, and no bound applies.
        """
        tasks = [(one, block) for one in self.space.switched(configuration, point)]
        before = self.response(tasks[self.space.origin[point]], player)
        found, whole = {}, alone or self.plan.exact
        for place, task in enumerate(tasks):
            after = self.response(task, player)
            if before is not None and after is not None and place != self.space.origin[point]:
                found[place] = self.switch(before, after, fine=whole, bounded=not alone)
        return (
            found
            if whole
            else {
                place: {measure: switch.brief() for measure, switch in line.items()}
                for place, line in found.items()
            }
        )

    def look_at_own(self) -> None:
        """Keep the switches of the rule set's own configuration, whose outcomes are known."""
        points = range(len(self.space.points))
        self.own = [self.line(self.space.origin, 0, point, 0, alone=True) for point in points]

    def finish(self, configuration: Configuration, block: int, points: Iterable[int]) -> None:
        """Reduce a configuration's outcomes to switches, once all are known."""
        wanted = set(points)
        self.sampled.append((configuration, block))
        if self.plan.exact and configuration == self.space.origin:
            self.look_at_own()
        own, here = (
            self.response((self.space.origin, block), 0),
            self.response((configuration, block), 0),
        )
        if own is not None and here is not None:
            self.curve[configuration, block] = self.switch(own, here, fine=True, bounded=False)
        for point in range(len(self.space.points)):
            for player, lines in enumerate(self.lines):
                lines[point].append(
                    self.line(configuration, block, point, player) if point in wanted else None
                )
            if point not in wanted:
                continue
            switched = self.space.switched(configuration, point)
            outcomes = [self.known[one, block] for one in switched]
            self.one_rule_set[point] &= len({o.digest for o in outcomes if not o.refused}) < 2
            for player in range(self.plan.members):
                told = (self.response((one, block), player) for one in switched)
                self.differs[point] |= len({r.trace for r in told if r is not None}) > 1
            for place, outcome in enumerate(outcomes):
                if outcome.refused:
                    self.refusals.setdefault((point, place), []).append(switched[place])
                elif place != configuration[point]:
                    for player, limit in enumerate(self.plan.limits):
                        lost = outcome.responses[player] is None
                        self.left_out[player] += lost and (limit is None or block < limit)

    def forget(self, block: int) -> None:
        """Drop what a block's configurations came to."""
        for task in [t for t in self.known if t[1] == block]:
            del self.known[task]
        self.values.clear()
