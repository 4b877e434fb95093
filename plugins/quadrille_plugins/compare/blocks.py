"""One block of a comparison: some sessions under every rule set, by either engine, boiled down to exact sums."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from quadrille_core.rules import RuleSet
from quadrille_plugins.lab import fast
from quadrille_plugins.lab.deal_table import DealTable, PlayingBlocks
from quadrille_plugins.lab.gathered import Gathered
from quadrille_plugins.lab.observe import Telling, observe, retell
from quadrille_plugins.lab.runner.executors import PROCESSES, THREADS, one_at_a_time
from quadrille_plugins.lab.runner.plain import ASIDE
from quadrille_plugins.lab.runner.tasks import Sessions

FAST = "fast"


@dataclass(slots=True)
class Compared:
    """What a block comes to: the sums, and for each pair the deals that shift most, weightiest first.

    ``told`` are those that the kernel has played, ``telling`` those of the readable engine, with their records.
    """

    gathered: Gathered
    told: list[list[fast.Told]]
    telling: list[list[Telling]]
    rows: list[str] = field(default_factory=list, metadata={ASIDE: True})
    """What is told of each deal, where that was asked for."""

    @classmethod
    def empty(cls, rule_sets: int) -> "Compared":
        """Before the first session."""
        others = range(rule_sets - 1)
        return cls(Gathered.empty(rule_sets), [[] for _ in others], [[] for _ in others])

    def merge(self, other: "Compared", examples: int) -> None:
        """Take in other sessions, and keep so many deals of each pair."""
        self.gathered.merge(other.gathered)
        for i, (told, telling) in enumerate(zip(other.told, other.telling, strict=True)):
            self.told[i] = sorted([*self.told[i], *told])[:examples]
            self.telling[i] = sorted([*self.telling[i], *telling], key=Telling.order)[:examples]


@dataclass(frozen=True, slots=True)
class Comparing:
    """Plays blocks of a comparison."""

    rulesets: tuple[RuleSet, ...]
    bots: tuple[str, ...]
    seed: int
    engine: str
    decompose: bool
    examples: int
    told: DealTable | None = None
    """The table in which every deal is to be told."""

    task: ClassVar[type] = Sessions
    result: ClassVar[Any] = Compared

    @property
    def usual(self) -> str:
        """The kernel leaves Python alone, the readable engine does not."""
        return THREADS if self.engine == FAST else PROCESSES

    def ready(self) -> Callable[[Sessions], Compared]:
        """As ``Work`` says."""
        return _Playing(self).play if self.engine == FAST else self._readable

    def observed(self, found: Compared, session: int, deals: int) -> list[str]:
        """Add one session of the readable engine, and return what is told of its deals."""
        tell = None if self.told is None else self.told.of_readable
        one = observe(self.rulesets, self.bots, self.seed, session, deals, tell, decompose=self.decompose)
        found.gathered.add(one)
        for i, telling in enumerate(one.telling):
            found.telling[i] = sorted([*found.telling[i], *telling], key=Telling.order)[: self.examples]
        return one.rows

    def _readable(self, task: Sessions) -> Compared:
        found = Compared.empty(len(self.rulesets))
        for session, deals in enumerate(task.lengths, task.first):
            found.rows += self.observed(found, session, deals)
        return found

    def retold(self, found: Compared, tables: fast.Tables) -> list[list[Telling]]:
        """The deals that shift most, those that the kernel has played told by the readable engine."""
        _, scale = tables
        everything = []
        for i, deals in enumerate(found.told):
            pair = (self.rulesets[0], self.rulesets[i + 1])
            again = [
                retell(pair, [fast.standing(s, scale) for s in t.standings], self.bots, self.seed, t.session, t.deal)
                for t in deals
            ]
            everything.append(sorted([*found.telling[i], *again], key=Telling.order)[: self.examples])
        return everything


class _Playing:
    """One thread's way to play blocks by the kernel; sessions that it cannot tell are played by the readable engine."""

    def __init__(self, work: Comparing) -> None:
        self._work = work
        self._arrays, self._scale = fast.tabulate(work.rulesets)
        self._room: fast.Room | None = None

    def play(self, task: Sessions) -> Compared:
        """As ``Work`` says."""
        work = self._work
        found, adding = Compared.empty(len(self._arrays)), fast.Adding(self._arrays, self._scale)
        telling = None if work.told is None else PlayingBlocks(work.told, self._scale, play=self._play)
        for first, lengths, room in self._parts(task):
            if telling is None:
                block = self._play(self._arrays, work.seed, first, lengths, room, work.examples)[0]
            else:
                block = telling(self._arrays, work.seed, first, lengths, room, work.examples)
            with one_at_a_time:
                left = {n: work.observed(found, n, task.lengths[n - task.first]) for n in block.left}
            adding.add(block)
            for i, told in enumerate(block.telling):
                found.told[i] = sorted([*found.told[i], *told])[: work.examples]
            if telling is not None:
                found.rows += telling.rows_of(block, left)
        found.gathered.merge(adding.gathered())
        return found

    def _play(
        self, arrays: Sequence[fast.Arrays], seed: int, first: int, lengths: Any, room: fast.Room, examples: int
    ) -> tuple[fast.Block, fast.Played]:
        return fast.play_side_by_side(arrays, seed, first, lengths, room, examples, decompose=self._work.decompose)

    def _parts(self, task: Sessions) -> Iterator[tuple[int, Any, fast.Room]]:
        """The sessions in as many as the kernel plays at once."""
        if self._room is None or self._room.size[1] < max(task.lengths):
            longest = max(task.lengths)
            self._room = fast.Room(self._arrays, max(1, fast.BLOCK_DEALS // longest), longest)
        yield from fast.parts(task.first, task.lengths, self._room)
