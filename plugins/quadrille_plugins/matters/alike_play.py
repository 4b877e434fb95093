"""Who plays the sessions of which ``study.alike`` tells: either engine, block by block."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar, Protocol

from quadrille_core.rules import RuleSet
from quadrille_plugins.lab.deal_table import DealTable
from quadrille_plugins.lab.observe import Tell
from quadrille_plugins.lab.runner.executors import PROCESSES
from quadrille_plugins.lab.runner.run import Runner, Work
from quadrille_plugins.lab.runner.tasks import Sessions, block_size, in_blocks
from quadrille_plugins.lab.runner.where import Where
from quadrille_plugins.matters.alike import Watched, watch


class Plays(Protocol):
    """Plays sessions of a first rule set and of others; both engines do."""

    @property
    def usual(self) -> str:
        """The executor that suits it on one machine."""

    def watched(self, first: int, sessions: int, deals: int, others: Sequence[int], drawn: int) -> Iterator[Watched]:
        """Sessions ``first`` … of ``deals`` deals each, block by block and in order.

        ``others`` are places in the rule sets: who plays besides the first.  Of the deals that diverge, at least the
        ``drawn`` with the lowest lots are kept, a few of a session at most.
        """


def tell_of(told: DealTable | None, others: Sequence[int]) -> Tell | None:
    """How rows of that table are told of deals under the first rule set and these others."""
    return None if told is None else partial(told.of_readable, numbers=(0, *others))


@dataclass(frozen=True, slots=True)
class Watching:
    """Plays blocks of sessions by the readable engine."""

    rulesets: tuple[RuleSet, ...]
    bots: tuple[str, ...]
    seed: int
    told: DealTable | None
    decompose: bool
    drawn: int

    usual: ClassVar[str] = PROCESSES
    task: ClassVar[Any] = Sessions
    result: ClassVar[Any] = Watched

    def fits(self, task: Sessions, found: Watched) -> bool:
        """Whether a block that was read is of these sessions and rule sets, as far as its form tells."""
        return found.of(task)

    def ready(self) -> Callable[[Sessions], Watched]:
        """As ``Work`` says."""
        return self._play

    def _play(self, task: Sessions) -> Watched:
        chosen, tell = [self.rulesets[i] for i in (0, *task.others)], tell_of(self.told, task.others)
        found: Watched | None = None
        rows: list[Any] = []
        for session, deals in enumerate(task.lengths, task.first):
            one = watch(chosen, self.bots, self.seed, session, deals, tell, decompose=self.decompose)
            rows += one.rows
            if found is None:
                found = one
            else:
                found.merge(one)
        if found is None:
            raise ValueError("a block has a session at least")
        found.drawn = [sorted(drawn)[: self.drawn] for drawn in found.drawn]
        found.rows = rows
        return found


@dataclass(frozen=True, slots=True)
class ReadableTable:
    """The readable engine; ``runner`` plays the blocks, else as many workers of this machine do."""

    rulesets: Sequence[RuleSet]
    bots: Sequence[str]
    seed: int
    workers: int
    told: DealTable | None = None
    """The table in which every deal is to be told."""
    decompose: bool = False
    """Whether deals are replayed for the direct effects."""
    runner: Runner | None = None
    _works: dict[int, Watching] = field(default_factory=dict, compare=False, repr=False)

    usual: ClassVar[str] = Watching.usual

    def watched(self, first: int, sessions: int, deals: int, others: Sequence[int], drawn: int) -> Iterator[Watched]:
        """As ``Plays`` says."""
        if drawn not in self._works:
            rulesets, bots = tuple(self.rulesets), tuple(self.bots)
            self._works[drawn] = Watching(rulesets, bots, self.seed, self.told, self.decompose, drawn)
        size = block_size(sessions, deals, 1 + len(others), slow=True)
        tasks = in_blocks([deals] * sessions, size, first=first, others=others)
        return in_order(self._works[drawn], tasks, self.runner, self.workers)


def in_order(work: Work, tasks: Iterator[Sessions], runner: Runner | None, workers: int) -> Iterator[Watched]:
    """The blocks of ``tasks`` in order, by the runner or by as many workers of this machine."""
    if runner is not None:
        yield from runner.run(work, tasks)
        return
    with Runner(Where(workers)) as own:
        yield from own.run(work, tasks)
