"""Plays sessions of matched starts block by block, by either engine."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, ClassVar

from quadrille_core.frozen import frozen
from quadrille_core.rules import RuleSet
from quadrille_plugins.matters.matched_starts import MatchedRuns, play_matched
from quadrille_plugins.studies import fast
from quadrille_plugins.studies.deal_table import DealTable
from quadrille_plugins.studies.design import FAST, READABLE
from quadrille_plugins.studies.observe import Narrate
from quadrille_plugins.studies.runner.executors import PROCESSES, THREADS
from quadrille_plugins.studies.runner.run import Runner
from quadrille_plugins.studies.runner.tasks import Sessions, block_size, in_blocks


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
        if self.engine != FAST:
            return lambda task: self.at(task.table)._readable(task)
        from quadrille_plugins.matters.fast_matched import FastPlayingMatched

        return FastPlayingMatched(self).play

    def narrate(self, others: Sequence[int]) -> Narrate | None:
        """How rows of the table are told of deals under the first rule set and these others."""
        return None if self.told is None else partial(self.told.of_readable, numbers=(0, *others))

    def play_matched(self, others: Sequence[int], session: int, deals: int) -> MatchedRuns:
        """One session by the readable engine."""
        chosen = [self.rulesets[i] for i in (0, *others)]
        return play_matched(
            chosen,
            self.bots,
            self.seed,
            session,
            deals,
            self.narrate(others),
            decompose=self.decompose,
        )

    def together(self, parts: Sequence[MatchedRuns], rows: list[Any]) -> MatchedRuns:
        """The sums of parts of a block, at least one, with its rows; of the deals drawn those with
        the lowest lots."""
        found, *others = parts
        for one in others:
            found.merge(one)
        found.sampled = [sorted(sampled)[: self.sampled] for sampled in found.sampled]
        found.rows = rows
        return found

    def _readable(self, task: Sessions) -> MatchedRuns:
        parts = [
            self.play_matched(task.others, n, deals)
            for n, deals in enumerate(task.lengths, task.first)
        ]
        return self.together(parts, [row for one in parts for row in one.rows])


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
