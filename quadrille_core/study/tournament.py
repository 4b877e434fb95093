"""Bots ranked under one rule set: every two of them play each session twice, changing chairs in between.

At the first table of a pair the two bots sit alternately, at the second each chair has the other bot; so each
plays every hand of every deal once, against the other, and neither the cards nor the seat favours one of them.
The pool carries over within a session, each table having its own, unless a bot plays that loses most games: then it
is reset before each deal, at every table alike.  The session is the unit of work and of
sampling; tables depend on nothing but the design, so that results do not depend on how many work at them.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from math import ceil
from typing import Final

from quadrille_core.bots import begins_anew, make_bot
from quadrille_core.engine.session import play_session
from quadrille_core.errors import UsageError
from quadrille_core.rules import RuleSet
from quadrille_core.ruleset import Compiled
from quadrille_core.study.compare import Progress
from quadrille_core.study.intervals import Estimate, Tally, difference, ratio
from quadrille_core.study.workers import in_order

TABLES: Final = 2
"""Tables of each pair."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """Who is ranked, on how much; with the rule set's digest it determines every number."""

    seed: int
    lengths: tuple[int, ...]
    """Deals of each session."""
    bots: tuple[str, ...]

    @property
    def deals(self) -> int:
        """Deals in all, each of which is played at both tables of every pair."""
        return sum(self.lengths)

    @property
    def anew(self) -> bool:
        """Whether every deal begins as a session does; at all tables, so that all pairs are comparable."""
        return begins_anew(self.bots)

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Every two bots."""
        return tuple(combinations(self.bots, 2))


@dataclass(frozen=True, slots=True)
class Met:
    """One session of one pair, both tables together."""

    session: int
    pair: tuple[str, str]
    tallies: tuple[Tally, Tally]
    """What either bot won, antes taken off, and in how many players' deals."""
    bids: tuple[tuple[tuple[str, str, str], int], ...]
    """How often each bot was Hombre in each contract, and how that ended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """One bot against all the others: its mean for each player's deal."""

    bot: str
    mean: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class Duel:
    """Two bots against each other: the first's mean less the second's."""

    first: str
    second: str
    difference: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """How often a bot was Hombre in a contract, over all its tables, and how that ended."""

    bot: str
    contract: str
    outcome: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Tournament:
    """Everything a tournament found, the best bot first."""

    compiled: Compiled
    pairing: Pairing
    ranking: tuple[Ranked, ...]
    duels: tuple[Duel, ...]
    played: tuple[Played, ...]
    interrupted: bool = False


def pair_up(compiled: Compiled, *, bots: Sequence[str], deals: int, length: int | None, seed: int) -> Pairing:
    """Lay the deals out in sessions of a length, the rules' own unless another is given; raises UsageError."""
    table = compiled.ruleset.rules.table
    if len(bots) < 2 or len(set(bots)) != len(bots):
        raise UsageError("a tournament wants two different bots or more", help="such as --bots steady,random")
    if length is not None and length % table.session_multiple:
        raise UsageError(
            f"sessions of {length} deals: these rules want a multiple of {table.session_multiple}",
            help=f"--length {ceil(length / table.session_multiple) * table.session_multiple}",
        )
    each = length or table.session_deals
    lengths = [each] * (deals // each)
    if deals % each:
        lengths.append(ceil(deals % each / table.session_multiple) * table.session_multiple)
    return Pairing(seed=seed, lengths=tuple(lengths), bots=tuple(bots))


def seated(pair: tuple[str, str], table: int, chairs: int) -> tuple[str, ...]:
    """The bot in each chair: alternately, and at the second table each chair has the other bot."""
    return tuple(pair[(chair + table) % 2] for chair in range(chairs))


def meet(ruleset: RuleSet, both: tuple[str, str], seed: int, session: int, deals: int, anew: bool = False) -> Met:
    """Play one session of a pair at both tables; with ``anew`` every deal begins as the session does."""
    total = dict.fromkeys(both, Fraction(0))
    count = dict.fromkeys(both, 0)
    bids: dict[tuple[str, str, str], int] = {}
    for table in range(TABLES):
        names = seated(both, table, ruleset.rules.table.players)
        for played in play_session(
            ruleset,
            [make_bot(name) for name in names],
            seed=seed,
            session=session,
            deals=deals,
            anew=anew,
        ):
            net = played.net_of_chair
            for chair, name in enumerate(names):
                total[name] += net[chair] - played.antes[chair]
                count[name] += 1
            deal = played.deal
            if deal.contract is not None and deal.hombre is not None and played.settlement is not None:
                key = (names[played.chair_of_seat[deal.hombre]], deal.contract.bid, played.settlement.outcome)
                bids[key] = bids.get(key, 0) + 1
    first, second = (Tally(total[name], count[name]) for name in both)
    return Met(session, both, (first, second), tuple(sorted(bids.items())))


_shared: RuleSet | None = None
"""In a worker process: the rule set, sent once, so that what is cached for it is found again."""


def _receive(ruleset: RuleSet) -> None:
    global _shared  # noqa: PLW0603 - set once, when the process starts
    _shared = ruleset


def _work(both: tuple[str, str], seed: int, session: int, deals: int, anew: bool) -> Met:
    if _shared is None:
        raise AssertionError("a worker was started without its rule set")
    return meet(_shared, both, seed, session, deals, anew)


def _meetings(ruleset: RuleSet, pairing: Pairing, workers: int) -> Iterator[Met]:
    """Every session of every pair, session by session."""
    jobs = (
        (both, pairing.seed, n, deals, pairing.anew)
        for n, deals in enumerate(pairing.lengths)
        for both in pairing.pairs
    )
    workers = min(workers, len(pairing.lengths) * len(pairing.pairs))
    if workers <= 1:
        return (meet(ruleset, *job) for job in jobs)
    return in_order(_work, jobs, workers, _receive, (ruleset,))


def hold(compiled: Compiled, pairing: Pairing, *, workers: int = 1, progress: Progress | None = None) -> Tournament:
    """Hold the tournament.

    Interrupted by the user, it reports the sessions that every pair has finished and says so; it raises
    KeyboardInterrupt only when there is not one.
    """
    for name in pairing.bots:
        make_bot(name)  # what a bot lacks to play is said before any worker starts
    met: list[Met] = []
    pairs, played, started = len(pairing.pairs), 0, time.monotonic()
    interrupted = False
    try:
        for one in _meetings(compiled.ruleset, pairing, workers):
            met.append(one)
            if progress is not None:
                played += pairing.lengths[one.session]
                progress(max(1, played // pairs), pairing.deals, time.monotonic() - started)
    except KeyboardInterrupt:
        sessions = len(met) // pairs
        if not sessions:
            raise
        interrupted = True
        met = met[: sessions * pairs]
        pairing = replace(pairing, lengths=pairing.lengths[:sessions])
    return _summed(compiled, pairing, met, interrupted=interrupted)


def _summed(compiled: Compiled, pairing: Pairing, met: Sequence[Met], *, interrupted: bool) -> Tournament:
    nothing = Tally(Fraction(0), 0)
    sums = {name: [nothing] * len(pairing.lengths) for name in pairing.bots}
    sides: dict[tuple[str, str], tuple[list[Tally], list[Tally]]] = {pair: ([], []) for pair in pairing.pairs}
    bids: dict[tuple[str, str, str], int] = {}
    for one in met:
        for name, tally, side in zip(one.pair, one.tallies, sides[one.pair], strict=True):
            before = sums[name][one.session]
            sums[name][one.session] = Tally(before.total + tally.total, before.count + tally.count)
            side.append(tally)
        for key, count in one.bids:
            bids[key] = bids.get(key, 0) + count
    ranking = sorted(
        (Ranked(bot=name, mean=ratio(tallies)) for name, tallies in sums.items()), key=lambda r: -r.mean.mean
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
            Played(bot=b, contract=c, outcome=o, count=n)
            for (b, c, o), n in sorted(bids.items(), key=lambda item: (place[item[0][0]], item[0]))
        ),
        interrupted=interrupted,
    )
