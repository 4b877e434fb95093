"""Effects averaged over readings by the user's weights, and their range over all weights.

The *effect* of a combination of readings is what a column of ``studies.accounts`` gains in a
session under its rules, less what it gains on the same cards under the rules in use; that of the
readings in use is zero.  The *average* is the sum of these effects, each times the product of its
readings' weights.  It is linear in each point's weights, so that over all weights it lies between
the smallest and the largest effect of a combination, and reaches both.

The average's interval is made of the average itself, session by session: all combinations are
played on the same deals, and what they have in common does not widen it.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import Any, ClassVar

from quadrille_core.frozen import frozen
from quadrille_core.ruleset import Compiled
from quadrille_plugins.matters.matched_play import PlayingMatched
from quadrille_plugins.matters.study import Mean, Question, is_known, looks, mean_of
from quadrille_plugins.matters.weights import Combination, WeighedPoint
from quadrille_plugins.studies import fast
from quadrille_plugins.studies.accounts import columns, places
from quadrille_plugins.studies.accounts import seats as seats_of
from quadrille_plugins.studies.design import FAST
from quadrille_plugins.studies.effects import TOTAL, Effects, reaches
from quadrille_plugins.studies.intervals import Accumulator, Amount
from quadrille_plugins.studies.runner.run import Runner
from quadrille_plugins.studies.runner.tasks import Sessions, block_size, in_blocks
from quadrille_plugins.studies.sequences import PayeeSums
from quadrille_plugins.studies.sessions import Engine, Played, by_parts, play_one, readable


@dataclass(slots=True)
class AverageSums(Accumulator):
    """Sessions on the same deals under the rules in use and others: what each changes, last the
    average where there are weights."""

    sessions: int = 0
    deals: int = 0
    effects: list[Effects] = field(default_factory=list)


@dataclass(frozen=True)
class PlayingAverages(PlayingMatched):
    """Plays blocks of sessions under every combination; the first rule set is the one in use."""

    weights: tuple[int, ...] = ()
    """By rule set, in one unit; empty where no average is wanted."""

    result: ClassVar[Any] = AverageSums

    def fits(self, task: Sessions, found: Any) -> bool:
        """See ``PlayingMatched``."""
        many = len(self.rulesets) - 1 + bool(self.weights)
        return (found.sessions, found.deals, len(found.effects)) == (
            task.units,
            sum(task.lengths),
            many,
        )

    def ready(self) -> Callable[[Sessions], Any]:
        """As ``Work`` says."""
        room: fast.Workspace | None = None

        def play(task: Sessions) -> AverageSums:
            nonlocal room
            work, found = self.at(task.table), AverageSums()
            if self.engine == FAST:
                room = fast.workspace(max(task.lengths), room)

            def add(
                engines: Sequence[Engine], first: int, lengths: Sequence[int], space: Any
            ) -> Sequence[int]:
                played, moved = moved_by(engines, work.seed, first, lengths, space)
                found.merge(_sums(engines[0], played, moved, self.weights))
                return [n for n, left in enumerate(played.skip, first) if left]

            slow = readable(work.rulesets, work.bots)
            by_parts(task, self.engines(task.table), slow, room, add)
            return found

        return play


def moved_by(
    engines: Sequence[Engine], seed: int, first: int, lengths: Sequence[int], room: Any
) -> tuple[Played, Sequence[Sequence[Sequence[Amount]]]]:
    """The sessions, and by rule set what each moves; all stand at one place in the workspace."""
    played, moved = Played(first, lengths, [False] * len(lengths)), list[Any]()
    for engine in engines:
        one = Played(first, lengths, played.skip)
        play_one(engine, seed, one, room, 0)
        moved.append([sums.moved for sums in one.held[0].session_sums()])
        played.skip = one.skip
    return played, moved


def _sums(
    engine: Engine,
    played: Played,
    moved: Sequence[Sequence[Sequence[Amount]]],
    weights: Sequence[int],
) -> AverageSums:
    """What the sessions that are told exactly come to."""
    players = engine.ruleset.rules.table.players
    at, lengths = places(players), played.kept(played.lengths)
    base, *others = ([[row[p] for p in at] for row in played.kept(rows)] for rows in moved)
    effects = [Effects.of(players, lengths, base, other, scale=engine.scale) for other in others]
    if weights:
        whole = sum(weights)
        mean = [
            [
                sum(w * a for w, a in zip(weights, some, strict=True))
                for some in zip(*rows, strict=True)
            ]
            for rows in zip(base, *others, strict=True)
        ]
        times = [[whole * a for a in row] for row in base]
        effects.append(Effects.of(players, lengths, times, mean, scale=engine.scale * whole))
    return AverageSums(len(lengths), sum(lengths), effects)


# --- playing and looking ------------------------------------------------------------------------


@dataclass(slots=True)
class AverageRun:
    """The sessions of one table of players, and what every rule set changes by the last look."""

    weights: Sequence[int] = ()
    sums: AverageSums = field(default_factory=AverageSums)
    payments: list[dict[str, PayeeSums]] = field(default_factory=list)

    def look(self) -> None:
        """Look at all sessions so far.

        What no combination's difference exceeds bounds that of their average, by its weights.
        """
        self.payments = self.payments or [{} for _ in self.sums.effects]
        reach_of = [reaches(effects.reach) for effects in self.sums.effects]
        if self.weights:
            whole, (_, *others) = sum(self.weights), self.weights
            of_others = list(zip(others, reach_of, strict=False))
            for column in reach_of[-1]:
                far = sum((w * reach[column] for w, reach in of_others), Fraction(0))
                reach_of[-1][column] = far / whole
        for effects, known, reach in zip(self.sums.effects, self.payments, reach_of, strict=True):
            for column, change in effects.changes[TOTAL].items():
                known.setdefault(column, PayeeSums()).look(
                    self.sums.sessions,
                    change.total,
                    change.squares,
                    change.differing,
                    reach[column],
                )

    def is_certain(self, design: Question) -> bool:
        """Whether every effect on a role or account, and with ``seats`` on a seat, is known."""
        let_be = () if design.seats else seats_of(design.players)
        return all(
            is_known(one, column, design)
            for known in self.payments
            for column, one in known.items()
            if column not in let_be
        )


def play_averages(
    work: PlayingAverages,
    design: Question,
    runner: Runner,
    progress: Callable[[int, int, float], object],
) -> tuple[list[AverageRun], bool]:
    """Play until every table's effects are known or the limit is reached; and whether the user
    interrupted it, where they are those of the last look."""
    runs, done, deals, began = (
        [AverageRun(work.weights) for _ in design.tables],
        0,
        0,
        time.monotonic(),
    )
    places_of_others, live = tuple(range(1, len(work.rulesets))), [*range(len(runs))]
    try:
        for upto in looks(design.sessions):
            size = block_size(
                upto - done, design.session_deals, len(work.rulesets), slow=work.engine != FAST
            )
            lengths = [design.session_deals] * (upto - done)
            tasks = [
                task
                for table in live
                for task in in_blocks(
                    lengths, size, first=done, others=places_of_others, table=table
                )
            ]
            fresh = [AverageSums() for _ in runs]
            for found, task in zip(runner.run(work, tasks), tasks, strict=False):
                fresh[task.table].merge(found)
                deals += found.deals
                progress(deals, design.deals * len(runs), time.monotonic() - began)
            for table in live:
                runs[table].sums.merge(fresh[table])
                runs[table].look()
            live, done = [t for t in live if not runs[t].is_certain(design)], upto
            if not live:
                break
    except KeyboardInterrupt:
        if not done:
            raise
        return runs, True
    return runs, False


def in_one_unit(weights: Sequence[Fraction]) -> tuple[int, ...]:
    """Weights as whole numbers."""
    unit = lcm(*(w.denominator for w in weights))
    return tuple(int(w * unit) for w in weights)


# --- what was found -----------------------------------------------------------------------------


@frozen
class Span:
    """Over all weights: the smallest and the largest effect as measured, and what bounds both."""

    least: float
    most: float
    low: float
    high: float


@frozen
class Averages:
    """The whole answer."""

    base: Compiled
    design: Question
    engine: str
    points: Sequence[WeighedPoint]
    combinations: Sequence[Combination]
    runs: Sequence[AverageRun]
    interrupted: bool

    @property
    def has_average(self) -> bool:
        """Whether weights are given."""
        return self.combinations[0].weight is not None

    @property
    def columns(self) -> list[str]:
        """The columns in which a session was seen to move something."""
        seen = [e.reach for run in self.runs for e in run.sums.effects]
        return [c for c in columns(self.design.players) if any(reach[c] for reach in seen)]

    def effects(self, table: int, column: str) -> list[Mean | None]:
        """The effect of every combination by that table's players; None is the zero of rules that
        are those in use."""
        known = iter(self.runs[table].payments)
        return [
            None if one.same else mean_of(next(known)[column], column, self.design)
            for one in self.combinations
        ]

    def average(self, table: int, column: str) -> Mean:
        """The effect averaged by the weights."""
        return mean_of(self.runs[table].payments[-1][column], column, self.design)

    def span(self, column: str, tables: Sequence[int]) -> Span:
        """The range over all weights, by these tables together."""
        ends = [
            (0.0, 0.0, 0.0) if e is None else (float(e.mean), e.low, e.high)
            for table in tables
            for e in self.effects(table, column)
        ]
        means, lows, highs = zip(*ends, strict=True)
        return Span(least=min(means), most=max(means), low=min(lows), high=max(highs))
