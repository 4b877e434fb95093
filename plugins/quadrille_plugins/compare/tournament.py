"""Bots ranked under one rule set: every two of them play each session twice, changing chairs in
between.

At the first table of a pair the two bots sit alternately, at the second each chair has the other
bot; so each plays every hand of every deal once, against the other, and neither the cards nor the
seat favours one of them. The pool carries over within a session, each table having its own, unless
a bot plays that loses most games: then it is reset before each deal, at every table alike.  The
session is the unit of work and of sampling; tables depend on nothing but the design, so that
results do not depend on how many work at them.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import combinations
from math import ceil
from typing import Any, ClassVar, Final

from quadrille_core.engine.carry import chairs_of
from quadrille_core.engine.deal_record import ENDINGS, Names
from quadrille_core.errors import Option, UsageError
from quadrille_core.frozen import frozen
from quadrille_core.rules import RuleSet
from quadrille_core.ruleset import Compiled
from quadrille_plugins.deal.players import make_bot
from quadrille_plugins.studies.design import Design, Progress, laid_out
from quadrille_plugins.studies.intervals import Estimate, Tally, difference, ratio
from quadrille_plugins.studies.runner.executors import PROCESSES
from quadrille_plugins.studies.runner.run import Runner
from quadrille_plugins.studies.runner.tasks import Sessions, block_size, in_blocks
from quadrille_plugins.studies.sessions import Readable

TABLES: Final = 2
"""Tables of each pair."""


def pairs_of(pairing: Design) -> tuple[tuple[str, str], ...]:
    """Every two of the bots that are ranked; each deal of the design is played at both tables of
    every pair."""
    return tuple(combinations(pairing.bots, 2))


@frozen
class Met:
    """One session of one pair at both tables."""

    session: int
    pair: tuple[str, str]
    tallies: tuple[Tally, Tally]
    """What either bot won, antes taken off, and in how many players' deals."""
    bids: tuple[tuple[tuple[str, str, str], int], ...]
    """How often each bot was Hombre in each contract, and how that ended."""


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
    played: tuple[ContractCount, ...]
    interrupted: bool = False


def pair_up(
    compiled: Compiled, *, bots: Sequence[str], deals: int, length: int | None, seed: int
) -> Design:
    """Lay the deals out in sessions of a length, the rules' own unless another is given; raises
    UsageError."""
    table = compiled.ruleset.rules.table
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


def seated(pair: tuple[str, str], table: int, chairs: int) -> tuple[str, ...]:
    """The bot in each chair: alternately, and at the second table each chair has the other bot."""
    return tuple(pair[(chair + table) % 2] for chair in range(chairs))


def meet(
    ruleset: RuleSet, both: tuple[str, str], seed: int, session: int, deals: int, anew: bool = False
) -> Met:
    """Play one session of a pair at both tables; with ``anew`` every deal begins as the session
    does."""
    total = dict.fromkeys(both, Fraction(0))
    count = dict.fromkeys(both, 0)
    bids: dict[tuple[str, str, str], int] = {}
    for table in range(TABLES):
        names = seated(both, table, ruleset.rules.table.players)
        engine = Readable(ruleset, names, Names(), anew=anew)
        records, _ = engine.play(seed, session, [deals], None, 0).deals(0)
        for number, record in enumerate(records):
            at_seat = [names[chair] for chair in chairs_of(number, len(names))]
            for seat, name in enumerate(at_seat):
                total[name] += record.net[seat] - engine.rules.antes[seat]
                count[name] += 1
            if record.bid >= 0:
                bid = ruleset.rules.bids.names()[record.bid]
                key = at_seat[record.hombre], bid, ENDINGS[record.outcome]
                bids[key] = bids.get(key, 0) + 1
    first, second = (Tally(total[name], count[name]) for name in both)
    return Met(session, both, (first, second), tuple(sorted(bids.items())))


@frozen
class Meeting:
    """Plays sessions of every pair."""

    ruleset: RuleSet
    pairs: tuple[tuple[str, str], ...]
    seed: int
    anew: bool

    usual: ClassVar[str] = PROCESSES
    task: ClassVar[Any] = Sessions
    result: ClassVar[Any] = list[Met]

    @property
    def rulesets(self) -> tuple[RuleSet, ...]:
        """The rule set alone."""
        return (self.ruleset,)

    def fits(self, task: Sessions, found: list[Met]) -> bool:
        """Whether a block read from disk is of these sessions and pairs, judged by its shape."""
        return [(met.session, met.pair) for met in found] == [
            (session, both)
            for session in range(task.first, task.first + task.units)
            for both in self.pairs
        ]

    def ready(self) -> Callable[[Sessions], list[Met]]:
        """As ``Work`` says."""
        return self._play

    def _play(self, task: Sessions) -> list[Met]:
        return [
            meet(self.ruleset, both, self.seed, session, deals, self.anew)
            for session, deals in enumerate(task.lengths, task.first)
            for both in self.pairs
        ]


def hold(
    compiled: Compiled,
    pairing: Design,
    *,
    progress: Progress | None = None,
    runner: Runner | None = None,
) -> Tournament:
    """Hold the tournament; ``runner`` plays the blocks, else this process does.

    Interrupted by the user, it reports the sessions that every pair has finished and says so; it
    raises KeyboardInterrupt only when there is not one.
    """
    for name in pairing.bots:
        make_bot(name)  # what a bot lacks to play is said before any worker starts
    met: list[Met] = []
    work = Meeting(compiled.ruleset, pairs_of(pairing), pairing.seed, pairing.anew)
    # two bots play each deal twice
    size = block_size(
        len(pairing.lengths), max(pairing.lengths), TABLES * len(pairs_of(pairing)), slow=True
    )
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
        pair: ([], []) for pair in pairs_of(pairing)
    }
    bids: dict[tuple[str, str, str], int] = {}
    for one in met:
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
    for (first, second), (mine, theirs) in sides.items():
        if place[first] > place[second]:
            first, second, mine, theirs = second, first, theirs, mine  # noqa: PLW2901 - the better is named first
        found = difference(mine, theirs)
        if found is not None:
            duels.append(Duel(first=first, second=second, difference=found))
    return Tournament(
        compiled=compiled,
        pairing=pairing,
        ranking=tuple(ranking),
        duels=tuple(sorted(duels, key=lambda d: (place[d.first], place[d.second]))),
        played=tuple(
            ContractCount(bot=b, contract=c, outcome=o, count=n)
            for (b, c, o), n in sorted(bids.items(), key=lambda item: (place[item[0][0]], item[0]))
        ),
        interrupted=interrupted,
    )
