"""The difference of two rule sets as a sum over groups of rules: Shapley values of the effect.

The estimand, for each group and column of ``studies.accounts``: the Shapley value of the game in
which a coalition of groups is worth the mean of what a session pays under its rules, less the same
under the first rule set, the players and the seed family given.  For ``PAID`` a coalition is worth
the share of deals in which payments differ from those under the first.

Every session is played under the coalitions of a scheme of its own (``shapley``), always on the
same cards; what the scheme makes of it is one draw, of the session and of the orders at once.  So
an interval over sessions covers both.  Where groups are so many that there would be too many rule
sets, some sessions in a row share a scheme, and are one draw together: a *unit*.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import combinations
from math import ceil
from typing import Any, ClassVar, Final

from quadrille_core.frozen import frozen
from quadrille_core.rules import RuleSet
from quadrille_core.ruleset import Compiled
from quadrille_core.stream import Purpose, Stream
from quadrille_plugins.compare.grouping import Group
from quadrille_plugins.compare.shapley import (
    Blocks,
    Pair,
    Scheme,
    all_coalitions,
    both_ways,
    interactions,
    of_orders,
    order_of,
    values,
)
from quadrille_plugins.kernel import counting
from quadrille_plugins.studies import fast
from quadrille_plugins.studies.accounts import IF_MOVED, partitions, places
from quadrille_plugins.studies.design import FAST, Design
from quadrille_plugins.studies.effects import TOTAL, DifferenceSums, Effects
from quadrille_plugins.studies.intervals import Accumulator
from quadrille_plugins.studies.paired import (
    FEW_DIFFERING,
    FEWEST_DIFFERING,
    PICKED_ROLES,
    Effect,
    effect_of,
)
from quadrille_plugins.studies.runner.executors import PROCESSES, THREADS, one_at_a_time
from quadrille_plugins.studies.runner.tasks import Sessions
from quadrille_plugins.studies.sessions import Engine, Held, Played, beside, readable

PAID: Final = "payments differ"
"""The column of deals in which payments differ from those of the first rule set."""
MOST_RULE_SETS: Final = 1024
"""So many are made, about, before sessions share a scheme."""
FEWEST_UNITS: Final = 60
APART: Final = "apart "
"""Before the place of a block: what it carries as one more than its groups."""
PAID_AT: Final = 5
"""Where ``counting.count_pair`` counts the deals in which payments differ."""

MOST_ASKED: Final = 2
"""Groups of which a family is asked, at most."""

_tabulating = threading.Lock()


@frozen
class Drawing:
    """How schemes are drawn: of which groups, and for how many sessions each."""

    seed: int
    groups: int
    exact: bool
    """Whether every coalition is played on every session."""
    cluster: int
    """Sessions that share a scheme."""
    blocks: Blocks = ()
    picked: tuple[int, ...] = ()
    """The groups that alone are valued, by some of the same coalitions; all where none is named."""

    @classmethod
    def of(
        cls, seed: int, groups: int, sessions: int, *, exact: bool, blocks: Blocks = ()
    ) -> "Drawing":
        """The smallest units that do not want too many rule sets."""
        units = max(FEWEST_UNITS, MOST_RULE_SETS // (3 * groups))
        few = exact or 1 << groups <= MOST_RULE_SETS
        return cls(seed, groups, exact, 1 if few else ceil(sessions / units), blocks)

    def scheme(self, unit: int) -> Scheme:
        """The scheme of a unit."""
        stream = Stream(self.seed, unit, 1, Purpose.READING)
        if self.picked:
            return both_ways(order_of(self.groups, stream), self.picked)
        if self.exact:
            return _every(self.groups, self.blocks)
        return of_orders(self.groups, stream, self.blocks)

    def coalitions(self, sessions: int) -> list[int]:
        """All that so many sessions are played under."""
        units = range(1 if self.exact and not self.picked else ceil(sessions / self.cluster))
        return sorted({c for unit in units for c in self.scheme(unit).coalitions})

    @property
    def estimands(self) -> list[str]:
        """What is summed up: see ``Attributed``."""
        if self.picked:
            return [TOTAL, *map(str, self.picked)]
        players = range(self.groups + len(self.blocks))
        apart = (f"{APART}{n}" for n in players[self.groups :])
        pairs = combinations(range(self.groups), 2)
        return [TOTAL, *map(str, players), *apart, *map(of_pair, pairs)]


_every = cache(all_coalitions)


@dataclass(slots=True)
class Attributed(Accumulator):
    """Sums over units, which are what in ``effects`` is a session.

    The estimands of ``effects`` are the total, the value of each group and block by its place,
    what each block carries as one more than its groups do (``APART``), and the interaction of each
    two groups (``of_pair``).
    """

    sessions: int = 0
    effects: Effects = field(default_factory=Effects)


def of_pair(pair: Pair) -> str:
    """The estimand of two groups' interaction."""
    return ",".join(map(str, pair))


Worth = dict[int, list[Any]]


class Sums:
    """Units on their way to sums: rows by unit."""

    def __init__(self, drawing: "Drawing", names: Sequence[str], scale: int) -> None:
        self._drawing, self._names, self._scale = drawing, names, scale
        self._deals: list[int] = []
        self._rows: dict[str, list[list[Any]]] = {}
        self._parts = 1

    def add(self, scheme: Scheme, worth: Worth, deals: int) -> None:
        """A unit with this number of deals."""
        self._parts = scheme.parts
        self._deals.append(deals)
        found, nothing = values(scheme, worth), [0] * len(self._names)
        whole = zip(worth[0], worth[scheme.whole], strict=True)
        rows = {TOTAL: [scheme.parts * (b - a) for a, b in whole]}
        rows |= {str(n): row for n, row in enumerate(found)}
        for n, block in enumerate(self._drawing.blocks, self._drawing.groups):
            apart = zip(*(found[m] for m in block), strict=True)
            rows[f"{APART}{n}"] = [a - sum(b) for a, b in zip(found[n], apart, strict=True)]
        rows |= {of_pair(pair): row for pair, row in interactions(scheme, worth).items()}
        for key in self._drawing.estimands:
            self._rows.setdefault(key, []).append(rows.get(key, nothing))

    def done(self, sessions: int) -> Attributed:
        """The sums."""
        deals = self._deals
        effects = Effects(len(deals), sum(deals), sum(d * d for d in deals))
        for key, rows in self._rows.items():
            effects.changes[key] = {
                name: DifferenceSums.of(column, deals, self._scale * self._parts)
                for name, column in zip(self._names, zip(*rows, strict=True), strict=True)
            }
        return Attributed(sessions, effects)


@frozen
class Attributing:
    """Plays blocks of an attribution."""

    rulesets: tuple[RuleSet, ...]
    """That of each of ``coalitions``."""
    coalitions: tuple[int, ...]
    drawing: Drawing
    bots: tuple[str, ...]
    seed: int
    engine: str
    _tables: list[fast.Tables] = field(default_factory=list, compare=False, repr=False)
    """The rule sets as the kernel has them, made once for all threads."""

    task: ClassVar[type] = Sessions
    result: ClassVar[Any] = Attributed

    @property
    def usual(self) -> str:
        """The kernel leaves Python alone, the readable engine does not."""
        return THREADS if self.engine == FAST else PROCESSES

    def fits(self, task: Sessions, found: Attributed) -> bool:
        """Whether a block that was read is of these sessions and groups, as far as its form
        tells."""
        return (
            found.sessions == task.units
            and found.effects.sessions == ceil(task.units / self.drawing.cluster)
            and found.effects.deals == sum(task.lengths)
            and set(found.effects.changes) == {*self.drawing.estimands}
        )

    def tables(self) -> fast.Tables:
        """The rule sets as the kernel has them."""
        with _tabulating:
            if not self._tables:
                self._tables.append(fast.tabulate(self.rulesets, self.bots))
            return self._tables[0]

    def by(
        self, bots: tuple[str, ...], drawing: Drawing, coalitions: Sequence[int]
    ) -> "Attributing":
        """The same for other players who are compiled as these are, of these coalitions alone;
        raises InexactError."""
        at = [self.coalitions.index(c) for c in coalitions]
        arrays, scale = self.tables()
        tables = fast.for_player(([arrays[n] for n in at], scale), bots)
        rulesets = tuple(self.rulesets[n] for n in at)
        return Attributing(
            rulesets, tuple(coalitions), drawing, bots, self.seed, self.engine, [tables]
        )

    def ready(self) -> Callable[[Sessions], Attributed]:
        """As ``Work`` says."""
        return _Player(self).play


class _Player:
    """Plays blocks in one thread; what the kernel cannot tell goes to the readable engine."""

    def __init__(self, work: Attributing) -> None:
        self._work = work
        self._readable = readable(work.rulesets, work.bots)
        self._engines: Sequence[Engine] = self._readable
        self._scale = 1
        if work.engine == FAST:
            self._engines, self._scale = work.tables()
        self._at = {coalition: place for place, coalition in enumerate(work.coalitions)}
        self._room: fast.Workspace | None = None
        players = work.rulesets[0].rules.table.players
        self._names = partitions(players)["roles"]
        self._places = places(players)[players:]

    def play(self, task: Sessions) -> Attributed:
        """As ``Work`` says; a block begins with a unit."""
        work, size = self._work, self._work.drawing.cluster
        if work.engine == FAST:
            self._room = fast.workspace(max(task.lengths), self._room)
        sums = Sums(work.drawing, (*self._names, PAID), self._scale)
        for start in range(0, task.units, size):
            first, lengths = task.first + start, task.lengths[start : start + size]
            scheme = work.drawing.scheme(first // size)
            worth = self._worth(scheme.coalitions, first, lengths)
            sums.add(scheme, worth, sum(lengths))
        return sums.done(task.units)

    def _worth(self, coalitions: Sequence[int], first: int, lengths: Sequence[int]) -> Worth:
        """What each coalition pays in these sessions, in parts of a counter, and in how many deals
        otherwise."""
        found = self._by(self._engines, coalitions, first, lengths, self._room, 1)
        if found is not None:
            return found
        with one_at_a_time:
            found = self._by(self._readable, coalitions, first, lengths, None, self._scale)
        return found or {}

    def _by(
        self,
        engines: Sequence[Engine],
        coalitions: Sequence[int],
        first: int,
        lengths: Sequence[int],
        room: Any,
        times: int,
    ) -> Worth | None:
        """The same by these engines, ``times`` what they tell; None where they do not tell it
        exactly."""
        seed, found = self._work.seed, Worth()
        skip = [False] * len(lengths)
        own = engines[self._at[0]]
        played = Played(first, lengths, skip, [own.play(seed, first, lengths, room, 0)])
        for coalition in coalitions:
            engine, held = engines[self._at[coalition]], played.held[0]
            differ = 0
            if coalition:
                held = engine.play(seed, first, lengths, room, 1)
                rows, _ = beside("count_pair", (own, engine), played, counting.COUNTS, held, skip)
                differ = sum(row[PAID_AT] for row in rows)
            if any(held.inexact):
                return None
            moved = _moved(held, self._places)
            found[coalition] = [*(times * amount for amount in moved), self._scale * differ]
        return found


def _moved(held: Held, at: Sequence[int]) -> list[Any]:
    """What sessions moved together, by column."""
    sums = held.session_sums()
    return [sum(one.moved[place] for one in sums) for place in at]


# --- what was found -------------------------------------------------------------------------------


@frozen
class Interaction:
    """What two groups, by their places, carry beyond what each adds alone."""

    groups: Pair
    effects: Mapping[str, Effect]


@frozen
class Block:
    """Groups by their places as one: what it carries, and how much that is more than they do."""

    name: str
    groups: tuple[int, ...]
    value: Mapping[str, Effect]
    more: Mapping[str, Effect]


@frozen
class ByPlayer:
    """What one player of a family shows of the total and of the heaviest groups, in their order."""

    player: str
    sessions: int
    total: Mapping[str, Effect]
    values: tuple[Mapping[str, Effect], ...]


@frozen
class Attribution:
    """Everything an attribution found; effects are in counters a session, or a share of deals."""

    compiled: Sequence[Compiled]
    design: Design
    engine: str
    drawing: Drawing
    rule_sets: int
    """Coalitions that were played."""
    groups: Sequence[Group]
    split: Sequence[str]
    """Groups that were taken apart, since each carried over half."""
    total: Mapping[str, Effect]
    values: Sequence[Mapping[str, Effect]]
    """Of each group, by column."""
    blocks: Sequence[Block]
    pairs: Sequence[Interaction]
    """The largest first, by ``leading``."""
    leading: str
    """The role with the largest total effect."""
    interrupted: bool = False
    heaviest: tuple[int, ...] = ()
    """The groups, by their places, of which every player of a family is asked."""
    family: tuple[ByPlayer, ...] = ()
    """Each who was asked, the usual one first; empty where one player was."""


def by_player(found: Attributed, design: Design, player: str, heaviest: Sequence[int]) -> ByPlayer:
    """What a player of the design's family shows; the intervals of a column hold together over all
    players, of the total and of these groups."""
    effects, many = found.effects, (1 + len(design.others)) * (1 + len(heaviest))

    def of(key: str) -> dict[str, Effect]:
        return {
            role: effect(effects.changes[key][role], effects, design.length, many, FEWEST_DIFFERING)
            for role in PICKED_ROLES
        }

    return ByPlayer(player, found.sessions, of(TOTAL), tuple(of(str(n)) for n in heaviest))


def summed(found: Attributed, design: Design, names: Sequence[str], **known: Any) -> Attribution:
    """What sums come to; the intervals of a column hold together: over the groups and the total,
    over the blocks' values, over what these are more, over all pairs.

    ``names`` are those of the blocks.
    """
    groups, blocks, effects = known["groups"], known["drawing"].blocks, found.effects
    # blocks that were read back have their columns in another order
    columns = (*partitions(design.players)["roles"], PAID)
    moved = [c for c in columns if c not in IF_MOVED or _moves(effects, c)]

    def of(key: str, comparisons: int, fewest: int = FEWEST_DIFFERING) -> dict[str, Effect]:
        lengths = {column: 1 if column == PAID else design.length for column in moved}
        return {
            column: effect(effects.changes[key][column], effects, length, comparisons, fewest)
            for column, length in lengths.items()
        }

    many = len(groups)
    total = of(TOTAL, many + 1)
    leading = max(PICKED_ROLES, key=lambda role: abs(total[role].mean))
    every = list(combinations(range(many), 2))
    pairs = [Interaction(pair, of(of_pair(pair), len(every), FEW_DIFFERING)) for pair in every]
    return Attribution(
        design=design,
        total=total,
        values=[of(str(n), many + 1) for n in range(many)],
        blocks=[
            Block(name, block, of(str(n), len(blocks)), of(f"{APART}{n}", len(blocks)))
            for n, (name, block) in enumerate(zip(names, blocks, strict=True), many)
        ],
        pairs=sorted(pairs, key=lambda p: (-abs(p.effects[leading].mean), p.groups)),
        leading=leading,
        **known,
    )


def effect(
    change: DifferenceSums, effects: Effects, length: int, comparisons: int, fewest: int
) -> Effect:
    """A mean with its interval, one of so many that hold together; without one where fewer than
    ``fewest`` units differ."""
    found = effect_of(change, effects, length, comparisons=comparisons, forecast=False)
    return found if found.differing >= fewest else replace(found, low=None, high=None)


def _moves(effects: Effects, column: str) -> bool:
    return any(changes[column].differing for changes in effects.changes.values())


def by_size(found: Attribution) -> list[int]:
    """The places of the groups, the one first that carries most on the leading role."""
    values = found.values
    return sorted(range(len(values)), key=lambda n: (-abs(values[n][found.leading].mean), n))


def heaviest(found: Attribution) -> tuple[int, ...]:
    """The fewest groups that carry half of what all do on the leading role, each taken positive;
    at most ``MOST_ASKED``, for each has its price by every player."""
    sizes = [abs(value[found.leading].mean) for value in found.values]
    order, told = by_size(found), 1
    while told < min(MOST_ASKED, len(order)) and 2 * sum(sizes[n] for n in order[:told]) < sum(
        sizes
    ):
        told += 1
    return tuple(order[:told])


@frozen
class Holds:
    """Whether what a group carries on the leading role holds for every player of a family."""

    adds: tuple[str, ...]
    """The players who show that it adds to what the role wins."""
    takes: tuple[str, ...]
    """Those who show that it takes from that."""
    size: bool | None
    """Whether it is from half to twice what it is by the usual player: shown for all, refuted by
    one, or neither."""


def holds(found: Attribution, place: int) -> Holds:
    """The same of one of the heaviest groups, by its place among these."""
    effects = {one.player: one.values[place][found.leading] for one in found.family}
    usual = float(next(iter(effects.values())).mean)
    least, most = sorted((usual / 2, 2 * usual))
    shown = {
        who: (e.low, e.high)
        for who, e in effects.items()
        if e.low is not None and e.high is not None
    }
    outside = any(high < least or low > most for low, high in shown.values())
    within = all(least <= low and high <= most for low, high in shown.values())
    return Holds(
        tuple(who for who, (low, _) in shown.items() if low > 0),
        tuple(who for who, (_, high) in shown.items() if high < 0),
        False if outside else True if within and len(shown) == len(effects) else None,
    )


def over_half(found: Attribution) -> list[int]:
    """The groups that carry over half of what all carry on the leading role, each taken
    positive."""
    sizes = [abs(value[found.leading].mean) for value in found.values]
    return [n for n, size in enumerate(sizes) if 2 * size > sum(sizes)]
