"""Plays sessions of matched starts block by block, by either engine."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from quadrille_core.frozen import frozen
from quadrille_core.rules import RuleSet
from quadrille_plugins.matters.matched_starts import MatchedRuns, hold
from quadrille_plugins.studies import fast
from quadrille_plugins.studies.deal_table import DealTable, Rows
from quadrille_plugins.studies.design import FAST, READABLE
from quadrille_plugins.studies.runner.executors import PROCESSES, THREADS, one_at_a_time
from quadrille_plugins.studies.runner.run import Runner
from quadrille_plugins.studies.runner.tasks import Sessions, block_size, in_blocks
from quadrille_plugins.studies.sessions import (
    Engine,
    Played,
    PlayedBlock,
    add_table,
    add_up,
    by_parts,
    paired,
    play_one,
    readable,
    side_by_side,
)


@dataclass(frozen=True)
class PlayingMatched:
    """Plays blocks of sessions of a first rule set and of others, by either engine."""

    rulesets: tuple[RuleSet, ...]
    bots: tuple[str, ...]
    seed: int
    told: DealTable | None
    decompose: bool
    sampled: int
    engine: str = READABLE
    tabulated: dict[int, fast.Tables] = field(default_factory=dict, compare=False, repr=False)
    """The rule sets made ready for the kernel, by table of players, in this process alone."""
    others: tuple[tuple[str, ...], ...] = ()
    """The bots of the other tables of a family."""

    task: ClassVar[Any] = Sessions
    result: ClassVar[Any] = MatchedRuns

    @property
    def usual(self) -> str:
        """The kernel leaves Python alone, the readable engine does not."""
        return THREADS if self.engine == FAST else PROCESSES

    def __getstate__(self) -> dict[str, Any]:
        """As it is sent to other processes, which make the rule sets ready themselves."""
        return {**vars(self), "tabulated": {}}

    def at(self, table: int) -> "PlayingMatched":
        """The same for one table of players; of deals the first alone is told."""
        return (
            self if not table else replace(self, bots=self.others[table - 1], told=None, sampled=0)
        )

    def fits(self, task: Sessions, found: MatchedRuns) -> bool:
        """Whether a block read from disk is of these sessions and rule sets, judged by its
        shape."""
        return found.of(task)

    def ready(self) -> Callable[[Sessions], MatchedRuns]:
        """As ``Work`` says."""
        return _Player(self).play

    def engines(self, table: int) -> Sequence[Engine]:
        """The rule sets for this engine at a table of players."""
        work = self.at(table)
        if self.engine != FAST:
            return readable(work.rulesets, work.bots)
        with one_at_a_time:
            if table not in self.tabulated:
                self.tabulated[table] = fast.tabulate(work.rulesets, work.bots)
            return self.tabulated[table][0]


class _Player:
    """Plays blocks in one thread; what the kernel cannot tell goes to the readable engine."""

    def __init__(self, work: PlayingMatched) -> None:
        self._all = work
        self._room: fast.Workspace | None = None

    def play(self, task: Sessions) -> MatchedRuns:
        """As ``Work`` says."""
        work, chosen = self._all.at(task.table), [0, *task.others]
        engines, slow = self._all.engines(task.table), readable(work.rulesets, work.bots)
        if work.engine == FAST:
            self._room = fast.workspace(max(task.lengths), self._room)
        found, rows = list[MatchedRuns](), dict[int, Rows]()

        def add(
            every: Sequence[Engine], first: int, lengths: Sequence[int], room: Any
        ) -> Sequence[int]:
            some = [every[i] for i in chosen]
            if work.told is None:
                skip = [False] * len(lengths)
                block = one_by_one(work, some, Played(first, lengths, skip), room)
            else:
                block, played = side_by_side(
                    some, work.seed, first, lengths, room, work.sampled,
                    decompose=work.decompose, leave=leave_large, hold=hold,
                )  # fmt: skip
                rows.update(work.told.rows_of(some, played, chosen))
            found.append(_runs(block))
            return block.left

        by_parts(task, engines, slow, self._room, add)
        whole, *others = found
        for other in others:
            whole.merge(other)
        whole.sampled = [sorted(sampled)[: work.sampled] for sampled in whole.sampled]
        whole.rows = [rows[n] for n in sorted(rows)]
        return whole


def _runs(block: PlayedBlock) -> MatchedRuns:
    for pair, effects in zip(block.pairs, block.effects, strict=True):
        pair.effects = effects
    return MatchedRuns(block.tables, block.pairs, block.sampled, block.sessions, block.deals)


def one_by_one(
    work: PlayingMatched, engines: Sequence[Engine], mine: Played, room: Any
) -> PlayedBlock:
    """Sessions under the first rule set and one alternative at a time: the workspace holds the
    deals of two rule sets."""
    play_one(engines[0], work.seed, mine, room, 0)
    leave_large(mine)
    block = add_up(engines[:1], mine)
    for engine in engines[1:]:
        pair = Played(mine.first, mine.lengths, mine.skip, mine.held[:1])
        play_one(engine, work.seed, pair, room, 1)
        leave_large(pair)
        both = (engines[0], engine)
        block.effects += paired(both, pair, work.seed, room, decompose=work.decompose)
        add_table(engine, pair.sums(1), block)
        hold(both, pair, 1, work.sampled, block)
        mine.skip = pair.skip
    if len(block.left) != sum(mine.skip):
        # some alternatives were held against sessions that a later one cannot tell
        return one_by_one(work, engines, Played(mine.first, mine.lengths, mine.skip), room)
    return block


def leave_large(played: Played) -> None:
    """Leave out sessions whose squares may not be exact.

    What some deals of a session move together is below the root of four seats' deals times their
    squares, and its own square must stay within 64 bits.
    """
    bound = (1 << 29) // (4 * max(played.lengths))
    for held in played.held:
        if not isinstance(held.sums, list):
            played.leave((held.sums["high"].max(axis=1) >= bound).tolist())


@frozen
class MatchedPlayer:
    """Plays sessions of a first rule set and of others; by the kernel where their ``tables`` are
    given."""

    rulesets: Sequence[RuleSet]
    bots: Sequence[str]
    seed: int
    tables: fast.Tables | None = None
    told: DealTable | None = None
    """The table of deals to write, if any: of the first table of players."""
    decompose: bool = False
    """Whether deals are replayed for the direct effects."""
    runner: Runner = field(default_factory=Runner)
    others: tuple[tuple[str, ...], ...] = ()
    """The bots of the other tables of a family."""
    _works: dict[int, PlayingMatched] = field(default_factory=dict, compare=False, repr=False)

    @property
    def usual(self) -> str:
        """The executor that suits it on one machine."""
        return self._work(0).usual

    def _work(self, sampled: int) -> PlayingMatched:
        if sampled not in self._works:
            who = tuple(self.rulesets), tuple(self.bots), self.seed
            engine = READABLE if self.tables is None else FAST
            tabulated = {} if self.tables is None else {0: self.tables}
            self._works[sampled] = PlayingMatched(
                *who, self.told, self.decompose, sampled, engine, tabulated, self.others
            )
        return self._works[sampled]

    def runs(
        self, first: int, sessions: int, deals: int, others: Sequence[int], sampled: int
    ) -> Iterator[MatchedRuns]:
        """The same as ``at_tables`` at the first table alone."""
        yield from (
            found for _, found in self.at_tables(first, sessions, deals, {0: others}, sampled)
        )

    def at_tables(
        self,
        first: int,
        sessions: int,
        deals: int,
        others: Mapping[int, Sequence[int]],
        sampled: int,
    ) -> Iterator[tuple[int, MatchedRuns]]:
        """Sessions ``first`` … of ``deals`` deals each at some tables of players, block by block
        and in order.

        ``others`` are, by table, places in the rule sets: who plays besides the first.  Of the
        deals that diverge at the first table, at least the ``sampled`` with the lowest lots are
        kept, a few of a session at most.
        """
        slow, listed, work = self.tables is None, self.told is not None, self._work(sampled)

        def tasks(table: int, places: Sequence[int]) -> Iterator[Sessions]:
            size = block_size(sessions, deals, 1 + len(places), slow=slow, listed=listed)
            return in_blocks([deals] * sessions, size, first=first, others=places, table=table)

        coming = [task for table, places in others.items() for task in tasks(table, places)]
        # what is played is asked first, so that it ends by itself, and its workers go on with what
        # comes next
        for found, task in zip(self.runner.run(work, coming), coming, strict=False):
            yield task.table, found
