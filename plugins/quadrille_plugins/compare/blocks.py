"""One block of a comparison: some sessions under every rule set, by either engine, reduced to exact
sums."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from quadrille_core.frozen import frozen
from quadrille_core.rules import RuleSet
from quadrille_plugins.studies import fast
from quadrille_plugins.studies.accounts import columns, seats
from quadrille_plugins.studies.accumulators import STARTS, Accumulators
from quadrille_plugins.studies.deal_table import DealTable, Rows
from quadrille_plugins.studies.design import FAST
from quadrille_plugins.studies.direct import EVERY, possible
from quadrille_plugins.studies.effects import SPREAD
from quadrille_plugins.studies.observe import Example, replay_example
from quadrille_plugins.studies.runner.executors import PROCESSES, THREADS
from quadrille_plugins.studies.runner.plain import ASIDE
from quadrille_plugins.studies.runner.tasks import Sessions
from quadrille_plugins.studies.sessions import (
    Engine,
    SampledDeal,
    by_parts,
    readable,
    seat_effects,
    side_by_side,
)


@dataclass(slots=True)
class Compared:
    """What a block comes to: the sums, and for each pair the plainest divergent deals."""

    accumulated: Accumulators
    sampled: list[list[SampledDeal]]
    rows: list[Rows] = field(default_factory=list, metadata={ASIDE: True})
    """The rows of each session, on request."""

    @classmethod
    def empty(cls, rule_sets: int) -> "Compared":
        """Before the first session."""
        return cls(Accumulators.empty(rule_sets), [[] for _ in range(rule_sets - 1)])

    def merge(self, other: "Compared", examples: int) -> None:
        """Take in other sessions, and keep so many deals of each pair."""
        self.accumulated.merge(other.accumulated)
        self.sampled = [
            sorted([*mine, *more])[:examples]
            for mine, more in zip(self.sampled, other.sampled, strict=True)
        ]


@frozen
class Comparing:
    """Plays blocks of a comparison."""

    rulesets: tuple[RuleSet, ...]
    bots: tuple[str, ...]
    seed: int
    engine: str
    decompose: bool
    examples: int
    told: DealTable | None = None
    """The table of deals to write, if any: of the first table of players."""
    others: tuple[tuple[str, ...], ...] = ()
    """The bots of the other tables of a family."""

    task: ClassVar[type] = Sessions
    result: ClassVar[Any] = Compared

    def at(self, table: int) -> "Comparing":
        """The same for one table of players; examples and deals are told of the first alone."""
        return (
            self if not table else replace(self, bots=self.others[table - 1], examples=0, told=None)
        )

    @property
    def usual(self) -> str:
        """The kernel leaves Python alone, the readable engine does not."""
        return THREADS if self.engine == FAST else PROCESSES

    def fits(self, task: Sessions, found: Compared) -> bool:
        """Whether a block that was read is of these sessions and rule sets, as far as its form
        tells."""
        sums, others = found.accumulated, len(self.rulesets) - 1
        players = self.rulesets[0].rules.table.players
        spread = SPREAD if others else seats(players)
        wide = len(columns(players))
        sampled = len(range(-task.first % EVERY, task.units, EVERY))
        lists: tuple[Sequence[object], ...] = (sums.pairs, found.sampled)
        return (
            sums.sessions == task.units
            and len(sums.tables) == others + 1
            and all(len(table.moved) == wide for table in sums.tables)
            and all(len(one) == others for one in lists)
            and len(sums.effects) == max(others, 1)
            and all(one.can_spread(task.lengths, spread) for one in sums.effects)
            and all(
                {n: m.sessions for n, m in p.starts.items()} == dict.fromkeys(STARTS, sampled)
                for p in sums.pairs
            )
            and all(
                task.holds(d.session, d.deal) and possible(d.states)
                for sampled in found.sampled
                for d in sampled
            )
        )

    def ready(self) -> Callable[[Sessions], Compared]:
        """As ``Work`` says."""
        players: dict[int, _Player] = {}

        def play(task: Sessions) -> Compared:
            if task.table not in players:
                players[task.table] = _Player(self.at(task.table))
            return players[task.table].play(task)

        return play

    def retold(self, found: Compared) -> list[list[Example]]:
        """The plainest divergent deals as examples, replayed by the readable engine."""
        return [
            [
                replay_example(
                    (self.rulesets[0], other), d.states, self.bots, self.seed, d.session, d.deal
                )
                for d in sampled
            ]
            for other, sampled in zip(self.rulesets[1:], found.sampled, strict=True)
        ]


class _Player:
    """Plays blocks in one thread; what the kernel cannot tell goes to the readable engine."""

    def __init__(self, work: Comparing) -> None:
        self._work = work
        self._readable = readable(work.rulesets, work.bots)
        self._engines: Sequence[Engine] = self._readable
        if work.engine == FAST:
            self._engines, _ = fast.tabulate(work.rulesets, work.bots)
        self._room: fast.Workspace | None = None

    def play(self, task: Sessions) -> Compared:
        """As ``Work`` says."""
        work, found, rows = self._work, Compared.empty(len(self._readable)), dict[int, Rows]()
        if work.engine == FAST:
            self._room = fast.workspace(max(task.lengths), self._room)

        def add(
            engines: Sequence[Engine], first: int, lengths: Sequence[int], room: Any
        ) -> Sequence[int]:
            block, played = side_by_side(
                engines, work.seed, first, lengths, room, work.examples, decompose=work.decompose
            )
            if len(engines) == 1:
                block.effects = [seat_effects(engines[0], played)]
            if work.told is not None:
                rows.update(work.told.rows_of(engines, played))
            found.merge(Compared(block.accumulated, block.sampled), work.examples)
            return block.left

        by_parts(task, self._engines, self._readable, self._room, add)
        found.rows = [rows[n] for n in sorted(rows)]
        return found
