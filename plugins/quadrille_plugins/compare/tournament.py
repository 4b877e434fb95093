"""Bots ranked under one rule set: every two of them play each session twice, changing chairs in
between.

At the first table of a pair the two bots sit alternately, at the second each chair has the other
bot; so each plays every hand of every deal once, against the other, and neither the cards nor the
seat favours one of them. The pool carries over within a session, each table having its own, unless
a bot plays that loses most games: then it is reset before each deal, at every table alike.  The
session is the unit of work and of sampling; tables depend on nothing but the design, so that
results do not depend on how many work at them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import combinations
from math import ceil
from typing import Any, ClassVar, Final

from quadrille_core.engine.deal_record import ENDINGS, HIGH, Names
from quadrille_core.errors import Option, UsageError
from quadrille_core.frozen import frozen
from quadrille_core.rules import RuleSet
from quadrille_core.ruleset import Compiled
from quadrille_plugins.compare.variance import (
    UNITS,
    Products,
    Row,
    VarianceShares,
    rows_of,
    shares_of,
)
from quadrille_plugins.deal.players import begins_anew, make_bot
from quadrille_plugins.studies import fast
from quadrille_plugins.studies.design import FAST, READABLE, Design, Progress, laid_out
from quadrille_plugins.studies.intervals import Amount, Estimate, Tally, difference, product, ratio
from quadrille_plugins.studies.runner.executors import PROCESSES, THREADS
from quadrille_plugins.studies.runner.run import Runner
from quadrille_plugins.studies.runner.tasks import Sessions, block_size, in_blocks
from quadrille_plugins.studies.sessions import Engine, Readable, by_parts, plain, play

TABLES: Final = 2
"""Tables of each pair."""


@frozen
class Met:
    """One session of one pair at both tables."""

    session: int
    pair: tuple[str, str]
    tallies: tuple[Tally, Tally]
    """What either bot won, antes taken off, and in how many players' deals."""
    products: tuple[Products, Products]
    """What both won, hand by hand and chair by chair (``variance.UNITS``)."""
    bids: tuple[tuple[tuple[str, str, str], int], ...]
    """How often each bot was Hombre in each contract, and how that ended."""

    def rows(self, chairs: int) -> dict[str, Row]:
        """What it adds to the shares of the variance, by unit."""
        totals = [tally.total for tally in self.tallies]
        return rows_of(self.tallies[0].count, chairs, totals, self.products)


@frozen
class RankedBot:
    """One bot's result against all others: its mean in each player's deal."""

    bot: str
    mean: Estimate


@frozen
class Duel:
    """Two bots against each other: the first's mean less the second's."""

    first: str
    second: str
    difference: Estimate
    variance: Mapping[str, VarianceShares]
    """By ``variance.UNITS``, where anything varies."""


@frozen
class ContractCount:
    """How often a bot was Hombre in a contract, over all its tables, with the outcomes."""

    bot: str
    contract: str
    outcome: str
    count: int


@frozen
class Tournament:
    """Everything a tournament found, the best bot first."""

    compiled: Compiled
    pairing: Design
    ranking: tuple[RankedBot, ...]
    duels: tuple[Duel, ...]
    variance: Mapping[str, VarianceShares]
    """The same as of a duel, over all pairs."""
    played: tuple[ContractCount, ...]
    interrupted: bool = False


def pair_up(
    compiled: Compiled, *, bots: Sequence[str], deals: int, length: int | None, seed: int
) -> Design:
    """Lay the deals out in sessions of a length, the rules' own unless another is given; raises
    UsageError."""
    table = compiled.rules.table
    if len(bots) < 2 or len(set(bots)) != len(bots):
        raise UsageError.of("one-bot-to-rank")
    if length is not None and length % table.session_multiple:
        raise UsageError.of(
            "sessions-of-other-length",
            length=length,
            session_multiple=table.session_multiple,
            option=Option(
                "length", str(ceil(length / table.session_multiple) * table.session_multiple)
            ),
        )
    lengths = laid_out(deals, length or table.session_deals, table.session_multiple)
    return Design(seed=seed, lengths=lengths, bots=tuple(bots))


def bot_in(chair: int, table: int) -> int:
    """Which of a pair sits there: they do alternately, and at the second table each chair has the
    other one."""
    return (chair + table) % 2


def seated(pair: tuple[str, str], table: int, chairs: int) -> tuple[str, ...]:
    """The bot in each chair."""
    return tuple(pair[bot_in(chair, table)] for chair in range(chairs))


def meet(
    engines: Sequence[Engine],
    both: tuple[str, str],
    seed: int,
    first: int,
    lengths: Sequence[int],
    room: Any,
) -> tuple[list[Met], list[int]]:
    """Play sessions of a pair at both tables, each by its engine; with them the sessions that were
    not told exactly."""
    played, rules = play(engines, seed, first, lengths, room), engines[0].ruleset.rules
    bids, chairs, many = rules.bids.names(), range(rules.table.players), len(lengths)
    keys = [(bot, bid, ending) for bot in both for bid in bids for ending in ENDINGS[:3]]
    won, hands, endings = (engines[0].zeros(many, width) for width in (2, 2, len(keys)))
    whose = engines[0].zeros(TABLES, len(chairs))
    for table, (engine, held) in enumerate(zip(engines, played.held, strict=True)):
        for chair in chairs:
            whose[table][chair] = bot_in(chair, table)
        marks = engine.marks(played.skip)
        counts = len(bids), whose[table], won, hands, endings
        engine.count("count_won", engine.rules, held.records, held.sums, marks, *counts)
    by_hand, by_chair = (engines[0].zeros(many, n) for n in (6, TABLES * len(chairs)))
    (one, other), marks = played.held, engines[0].marks(played.skip)
    engines[0].count(
        "count_hands", engines[0].rules, one.records, other.records, one.sums, marks,
        whose[0], by_hand, by_chair,
    )  # fmt: skip
    met, scale = [], engines[0].scale
    told_of = map(plain, (won, hands, endings, by_hand, by_chair))
    for n, totals, counts, ended, products, in_chairs in played.kept(
        list(zip(range(first, first + many), *told_of, strict=True))
    ):
        mine, theirs = (
            Tally(Fraction(total) / scale, count)
            for total, count in zip(totals, counts, strict=True)
        )
        told = [(key, count) for key, count in zip(keys, ended, strict=True) if count]
        in_deals = [low + HIGH * high for low, high in zip(*[iter(products)] * 2, strict=True)]
        a, b = in_chairs[::2], in_chairs[1::2]
        in_session = product(a, a), product(b, b), product(a, b)
        shared = _of_parts(in_deals, scale), _of_parts(in_session, scale)
        met.append(Met(n, both, (mine, theirs), shared, tuple(sorted(told))))
    return met, [n for n, skipped in enumerate(played.skip, first) if skipped]


def _of_parts(products: Sequence[Amount], scale: int) -> Products:
    xx, yy, xy = (Fraction(one) / scale**2 for one in products)
    return xx, yy, xy


@frozen
class Meeting:
    """Plays sessions of every pair."""

    ruleset: RuleSet
    bots: tuple[str, ...]
    seed: int
    engine: str = READABLE

    task: ClassVar[Any] = Sessions
    result: ClassVar[Any] = list[Met]

    @property
    def usual(self) -> str:
        """The kernel leaves Python alone, the readable engine does not."""
        return THREADS if self.engine == FAST else PROCESSES

    @property
    def rulesets(self) -> tuple[RuleSet, ...]:
        """The rule set alone."""
        return (self.ruleset,)

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Every two of the bots."""
        return list(combinations(self.bots, 2))

    def fits(self, task: Sessions, found: list[Met]) -> bool:
        """Whether a block read from disk is of these sessions and pairs, judged by its shape."""
        return [(met.session, met.pair) for met in found] == [
            (session, both)
            for session in range(task.first, task.first + task.units)
            for both in self.pairs
        ]

    def ready(self) -> Callable[[Sessions], list[Met]]:
        """As ``Work`` says."""
        return _Hall(self).play


class _Hall:
    """Plays blocks in one thread; what the kernel cannot tell goes to the readable engine."""

    def __init__(self, work: Meeting) -> None:
        self._work = work
        chairs, anew = work.ruleset.rules.table.players, begins_anew(work.bots)
        tables = [seated(both, table, chairs) for both in work.pairs for table in range(TABLES)]
        self._readable = [Readable(work.ruleset, bots, Names(), anew=anew) for bots in tables]
        self._engines: Sequence[Engine] = self._readable
        if work.engine == FAST:
            known = fast.tabulate([work.ruleset], work.bots)
            self._engines = [fast.for_player(known, bots, work.bots)[0][0] for bots in tables]
        self._room: fast.Workspace | None = None

    def play(self, task: Sessions) -> list[Met]:
        """As ``Work`` says."""
        found: list[Met] = []
        if self._work.engine == FAST:
            self._room = fast.workspace(max(task.lengths), self._room)
        for n, both in enumerate(self._work.pairs):

            def add(
                engines: Sequence[Engine],
                first: int,
                lengths: Sequence[int],
                room: Any,
                both: tuple[str, str] = both,
            ) -> list[int]:
                met, left = meet(engines, both, self._work.seed, first, lengths, room)
                found.extend(met)
                return left

            at = slice(TABLES * n, TABLES * (n + 1))
            by_parts(task, self._engines[at], self._readable[at], self._room, add)
        return sorted(found, key=lambda met: (met.session, self._work.pairs.index(met.pair)))


def hold(
    compiled: Compiled,
    pairing: Design,
    *,
    engine: str = READABLE,
    progress: Progress | None = None,
    runner: Runner | None = None,
) -> Tournament:
    """Hold the tournament by that engine; ``runner`` plays the blocks, else this process does.

    Interrupted by the user, it reports the sessions that every pair has finished and says so; it
    raises KeyboardInterrupt only when there is not one.
    """
    for name in pairing.bots:
        make_bot(name)  # what a bot lacks to play is said before any worker starts
    met: list[Met] = []
    work = Meeting(compiled.ruleset, pairing.bots, pairing.seed, engine)
    # two bots play each deal twice
    tables, slow = TABLES * len(work.pairs), engine == READABLE
    size = block_size(len(pairing.lengths), max(pairing.lengths), tables, slow=slow)
    running = runner or Runner()

    def take(block: list[Met]) -> int:
        met.extend(block)
        return sum(pairing.lengths[: met[-1].session + 1])

    tasks = partial(in_blocks, pairing.lengths, running.size(size))
    interrupted = running.add_up(work, tasks, take, pairing.deals, progress)
    pairing = replace(pairing, lengths=pairing.lengths[: met[-1].session + 1])
    return _summed(compiled, pairing, met, interrupted=interrupted)


def _summed(
    compiled: Compiled, pairing: Design, met: Sequence[Met], *, interrupted: bool
) -> Tournament:
    nothing = Tally(Fraction(0), 0)
    sums = {name: [nothing] * len(pairing.lengths) for name in pairing.bots}
    sides: dict[tuple[str, str], tuple[list[Tally], list[Tally]]] = {
        pair: ([], []) for pair in combinations(pairing.bots, 2)
    }
    bids: dict[tuple[str, str, str], int] = {}
    chairs, longest = compiled.rules.table.players, max(pairing.lengths)
    rows = {unit: {pair: list[Row]() for pair in sides} for unit in UNITS}
    for one in met:
        for unit, row in one.rows(chairs).items():
            if unit == "deal" or pairing.lengths[one.session] == longest:
                rows[unit][one.pair].append(row)
        for name, tally, side in zip(one.pair, one.tallies, sides[one.pair], strict=True):
            before = sums[name][one.session]
            sums[name][one.session] = Tally(before.total + tally.total, before.count + tally.count)
            side.append(tally)
        for key, count in one.bids:
            bids[key] = bids.get(key, 0) + count
    ranking = sorted(
        (RankedBot(bot=name, mean=ratio(tallies)) for name, tallies in sums.items()),
        key=lambda r: -r.mean.mean,
    )
    place = {r.bot: n for n, r in enumerate(ranking)}
    duels = []
    for pair, (mine, theirs) in sides.items():
        first, second = pair
        if place[first] > place[second]:
            first, second, mine, theirs = second, first, theirs, mine  # noqa: PLW2901 - the better is named first
        found = difference(mine, theirs)
        if found is not None:
            variance = _variance({unit: [by_pair[pair]] for unit, by_pair in rows.items()})
            duels.append(Duel(first=first, second=second, difference=found, variance=variance))
    return Tournament(
        compiled=compiled,
        pairing=pairing,
        ranking=tuple(ranking),
        duels=tuple(sorted(duels, key=lambda d: (place[d.first], place[d.second]))),
        variance=_variance({unit: list(by_pair.values()) for unit, by_pair in rows.items()}),
        played=tuple(
            ContractCount(bot=b, contract=c, outcome=o, count=n)
            for (b, c, o), n in sorted(bids.items(), key=lambda item: (place[item[0][0]], item[0]))
        ),
        interrupted=interrupted,
    )


def _variance(pairs: Mapping[str, Sequence[Sequence[Row]]]) -> dict[str, VarianceShares]:
    told = {unit: shares_of(rows) for unit, rows in pairs.items()}
    return {unit: found for unit, found in told.items() if found is not None}
