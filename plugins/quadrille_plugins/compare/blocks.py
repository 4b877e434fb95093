"""One block of a comparison: some sessions under every rule set, by either engine, reduced to exact
sums."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar

from quadrille_core.frozen import frozen
from quadrille_core.rules import RuleSet
from quadrille_plugins.studies import fast
from quadrille_plugins.studies.accounts import columns
from quadrille_plugins.studies.accumulators import STARTS, Accumulators
from quadrille_plugins.studies.deal_table import DealTable, PlayingBlocks
from quadrille_plugins.studies.design import FAST
from quadrille_plugins.studies.direct import EVERY, SessionState, possible
from quadrille_plugins.studies.observe import Example, observe, replay_example
from quadrille_plugins.studies.runner.executors import PROCESSES, THREADS, one_at_a_time
from quadrille_plugins.studies.runner.plain import ASIDE
from quadrille_plugins.studies.runner.tasks import Sessions


@dataclass(frozen=True, slots=True, order=True)
class Shifting:
    """A candidate example, the plainest first, by ``Example.ease``.

    ``states`` are what it began with, under either rule set.
    """

    same: bool
    """Whether payments are the same."""
    size: Fraction
    """The sum of both pools before the deal."""
    session: int
    deal: int
    states: tuple[SessionState, SessionState] = field(compare=False)


@dataclass(slots=True)
class Compared:
    """What a block comes to: the sums, and for each pair the plainest divergent deals.

    ``told`` are those that the kernel has played, ``example_deals`` those of the readable engine,
    with their records.
    """

    accumulated: Accumulators
    told: list[list[Shifting]]
    example_deals: list[list[Example]]
    rows: list[str] = field(default_factory=list, metadata={ASIDE: True})
    """The rows of each deal, on request."""

    @classmethod
    def empty(cls, rule_sets: int) -> "Compared":
        """Before the first session."""
        others = range(rule_sets - 1)
        return cls(Accumulators.empty(rule_sets), [[] for _ in others], [[] for _ in others])

    def merge(self, other: "Compared", examples: int) -> None:
        """Take in other sessions, and keep so many deals of each pair."""
        self.accumulated.merge(other.accumulated)
        for i, (told, example_deals) in enumerate(
            zip(other.told, other.example_deals, strict=True)
        ):
            self.told[i] = sorted([*self.told[i], *told])[:examples]
            self.example_deals[i] = sorted(
                [*self.example_deals[i], *example_deals], key=Example.ease
            )[:examples]


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
        wide = len(columns(self.rulesets[0].rules.table.players))
        sampled = len(range(-task.first % EVERY, task.units, EVERY))
        lists: tuple[Sequence[object], ...] = (
            sums.pairs,
            sums.effects,
            found.told,
            found.example_deals,
        )
        return (
            sums.sessions == task.units
            and len(sums.tables) == others + 1
            and all(len(table.moved) == wide for table in sums.tables)
            and all(len(one) == others for one in lists)
            and all(
                {n: m.sessions for n, m in p.starts.items()} == dict.fromkeys(STARTS, sampled)
                for p in sums.pairs
            )
            and all(
                task.holds(d.session, d.deal) and possible(d.states)
                for told in found.told
                for d in told
            )
            and all(
                task.holds(d.session, d.deal)
                for example_deals in found.example_deals
                for d in example_deals
            )
        )

    def ready(self) -> Callable[[Sessions], Compared]:
        """As ``Work`` says."""
        if self.engine != FAST:
            return lambda task: self.at(task.table)._readable(task)
        tables: dict[int, _Playing] = {}

        def play(task: Sessions) -> Compared:
            if task.table not in tables:
                tables[task.table] = _Playing(self.at(task.table))
            return tables[task.table].play(task)

        return play

    def observed(self, found: Compared, session: int, deals: int) -> list[str]:
        """Add one session of the readable engine, and return what is told of its deals."""
        narrate = None if self.told is None else self.told.of_readable
        one = observe(
            self.rulesets, self.bots, self.seed, session, deals, narrate, decompose=self.decompose
        )
        found.accumulated.add(one)
        for i, example_deals in enumerate(one.example_deals):
            found.example_deals[i] = sorted(
                [*found.example_deals[i], *example_deals], key=Example.ease
            )[: self.examples]
        return one.rows

    def _readable(self, task: Sessions) -> Compared:
        found = Compared.empty(len(self.rulesets))
        for session, deals in enumerate(task.lengths, task.first):
            found.rows += self.observed(found, session, deals)
        return found

    def retold(self, found: Compared) -> list[list[Example]]:
        """The plainest divergent deals as examples; deals played by the kernel are replayed by the
        readable engine."""
        everything = []
        for i, deals in enumerate(found.told):
            pair = (self.rulesets[0], self.rulesets[i + 1])
            again = [
                replay_example(pair, d.states, self.bots, self.seed, d.session, d.deal)
                for d in deals
            ]
            everything.append(
                sorted([*found.example_deals[i], *again], key=Example.ease)[: self.examples]
            )
        return everything


class _Playing:
    """Plays blocks by the kernel in one thread; sessions that it cannot represent go to the
    readable engine."""

    def __init__(self, work: Comparing) -> None:
        self._work = work
        self._arrays, self._scale = fast.tabulate(work.rulesets, work.bots)
        self._room: fast.Workspace | None = None

    def play(self, task: Sessions) -> Compared:
        """As ``Work`` says."""
        work = self._work
        found = Compared.empty(len(self._arrays))
        sums: fast.PlayedBlock | None = None
        play = partial(fast.play_side_by_side, decompose=work.decompose)
        example_deals = (
            None if work.told is None else PlayingBlocks(work.told, self._scale, play=play)
        )
        for first, lengths, workspace in self._parts(task):
            if example_deals is None:
                block = play(self._arrays, work.seed, first, lengths, workspace, work.examples)[0]
            else:
                block = example_deals(
                    self._arrays, work.seed, first, lengths, workspace, work.examples
                )
            with one_at_a_time:
                left = {
                    n: work.observed(found, n, task.lengths[n - task.first]) for n in block.left
                }
            sums = block if sums is None else sums.merged(block)
            if example_deals is not None:
                found.rows += example_deals.rows_of(block, left)
        if sums is not None:
            found.accumulated.merge(fast.accumulated(sums))
            found.told = [
                sorted(map(self._shifting, told))[: work.examples] for told in sums.example_deals
            ]
        return found

    def _shifting(self, told: fast.FastShift) -> Shifting:
        one, other = (fast.state(s, self._scale) for s in told.states)
        from quadrille_plugins.kernel.accumulate import SAME_PAID

        same = told.weight >= SAME_PAID
        size = Fraction(told.weight - same * SAME_PAID, self._scale)
        return Shifting(same, size, told.session, told.deal, (one, other))

    def _parts(self, task: Sessions) -> Iterator[tuple[int, Any, fast.Workspace]]:
        """The sessions in as many as the kernel plays at once."""
        if self._room is None or self._room.size[1] < max(task.lengths):
            longest = max(task.lengths)
            self._room = fast.Workspace(self._arrays, max(1, fast.BLOCK_DEALS // longest), longest)
        yield from fast.parts(task.first, task.lengths, self._room)
