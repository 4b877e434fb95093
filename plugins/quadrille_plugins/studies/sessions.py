"""Sessions played by either engine, and what studies count of their records.

An *engine* here is one rule set as an engine plays it: ``Readable``, or ``fast.Arrays`` for the
kernel.  Both give the same records of the deals (``engine.deal_record``), and all that is counted
of records is counted once, by ``kernel.counting``.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import starmap
from operator import mul
from types import SimpleNamespace
from typing import Any, Protocol

from quadrille_core.cards import Suit
from quadrille_core.engine.actions import not_none
from quadrille_core.engine.amounts import antes, basic_stake
from quadrille_core.engine.deal import DealSetup
from quadrille_core.engine.deal_record import (
    ENDINGS,
    STANDS,
    TAPED,
    VOLES,
    DealRecord,
    Names,
    SessionSums,
    codes,
)
from quadrille_core.engine.past import Past
from quadrille_core.engine.table import Deal
from quadrille_core.rules import Rules, RuleSet
from quadrille_plugins.deal.players import begins_anew, make_bot
from quadrille_plugins.deal.session import PlayedDeal, play_session
from quadrille_plugins.kernel import counting
from quadrille_plugins.studies.accounts import places, seats
from quadrille_plugins.studies.accumulators import (
    STAGES,
    STARTS,
    Accumulators,
    Key,
    PairSums,
    RuleSetSums,
    told_of,
)
from quadrille_plugins.studies.direct import (
    EVERY,
    SessionState,
    past_of_records,
    play_from,
    seated,
    state_under,
)
from quadrille_plugins.studies.distribution import Spread
from quadrille_plugins.studies.effects import (
    DIRECT,
    DIRECT_REVERSE,
    LOST,
    TOTAL,
    DifferenceSums,
    Effects,
)
from quadrille_plugins.studies.intervals import Counted
from quadrille_plugins.studies.runner.executors import one_at_a_time
from quadrille_plugins.studies.runner.tasks import Sessions


@dataclass(slots=True)
class Held:
    """Sessions played under one rule set, as lists or as the kernel's arrays.

    ``records`` and ``tapes`` are by session; ``lost`` of a replay (``counting.LOST``).  ``inexact``
    marks the sessions that were not told exactly.
    """

    records: Any
    tapes: Any
    sums: Any
    inexact: list[bool]
    lost: Any = ()
    anew: bool = False
    """Whether every deal began as a session does."""
    _sums: list[SessionSums] | None = None

    def deals(self, n: int) -> tuple[list[DealRecord], Sequence[Any]]:
        """The records of a session, and its tape."""
        if isinstance(self.records, list):
            return self.records[n], self.tapes[n]
        found = objects(DealRecord, self.records[n, : self.many(n)])
        end = found[-1].transfers_at + found[-1].transfers * TAPED
        return found, self.tapes[n, :end].tolist()

    def many(self, n: int) -> int:
        """How many deals a session has."""
        sums = self.sums[n]
        return sums.deals if isinstance(sums, SessionSums) else int(sums["deals"])

    def record(self, n: int, deal: int) -> DealRecord:
        """The record of one deal."""
        one = self.records[n][deal]
        found: DealRecord = (
            one if isinstance(one, DealRecord) else objects(DealRecord, self.records[n, [deal]])[0]
        )
        return found

    def past(self, rules: Rules, n: int, deal: int) -> Past:
        """The deals before one of a session, for rules that ask for facts of it."""
        asked = rules.own.session_facts() and not self.anew
        return past_of_records(rules, self.deals(n)[0][:deal] if asked else ())

    def session_sums(self) -> list[SessionSums]:
        """The sums by session."""
        if self._sums is None:
            is_list = isinstance(self.sums, list)
            self._sums = self.sums if is_list else objects(SessionSums, self.sums)
        return self._sums


def objects(kind: Callable[..., Any], rows: Any) -> list[Any]:
    """Rows of an array as the objects whose layout they have."""
    columns = (rows[name].tolist() for name in rows.dtype.names)
    return list(starmap(kind, zip(*columns, strict=True)))


def plain(rows: Any) -> Any:
    """Numbers, or an array of them, as Python has them."""
    return rows.tolist() if hasattr(rows, "tolist") else rows


Way = tuple[int, int]
"""The place of a rule set whose deals are replayed, and of the one under which they are."""


class Engine(Protocol):
    """One rule set as an engine plays it."""

    @property
    def ruleset(self) -> RuleSet:
        """The rule set."""

    @property
    def scale(self) -> int:
        """Into how many parts a counter is divided in its records."""

    @property
    def rules(self) -> Any:
        """What ``counting`` asks of the rules."""

    def play(self, seed: int, first: int, lengths: Sequence[int], room: Any, place: int) -> Held:
        """Sessions ``first`` … of these lengths; they stand at a place in the workspace."""

    def replay(
        self, given: Any, held: Held, seed: int, first: int, every: int, room: Any, way: Way
    ) -> Held:
        """The sessions that ``given`` played, replayed deal by deal (``studies.direct``); of them
        those whose number ``every`` divides, and nothing is left of the others."""

    def count(self, function: str, *given: Any) -> None:
        """Call a function of ``counting``."""

    def zeros(self, rows: int, columns: int) -> Any:
        """What it counts in."""

    def marks(self, skip: Sequence[bool]) -> Any:
        """Sessions marked, as it reads them."""


class Readable:
    """One rule set as the readable engine plays it."""

    scale = 1

    def __init__(
        self, ruleset: RuleSet, bots: Sequence[str], names: Names, *, anew: bool | None = None
    ) -> None:
        """``names`` are common to all rule sets that are compared; the bots decide whether deals
        begin ``anew``, unless it is given."""
        rules, players = ruleset.rules, ruleset.rules.table.players
        self.ruleset, self._bots, self._names = ruleset, bots, names
        self._anew = anew
        self.rules = SimpleNamespace(
            table=rules.table,
            antes=antes(rules.stakes, players),
            basic_stake=basic_stake(rules.stakes, players),
            **{name: holds(rules) for name, holds in STANDS.items()},
        )

    def play(self, seed: int, first: int, lengths: Sequence[int], room: Any, place: int) -> Held:
        """See ``Engine``."""
        del room, place
        fresh = begins_anew(self._bots) if self._anew is None else self._anew
        held = Held([], [], [], [False] * len(lengths), anew=fresh)
        for session, deals in enumerate(lengths, first):
            tape: list[Any] = []
            played = session_of(self.ruleset, self._bots, seed, session, deals, anew=fresh)
            self._hold(held, [record_of(one, self._names, tape) for one in played], tape)
        return held

    def replay(
        self, given: Any, held: Held, seed: int, first: int, every: int, room: Any, way: Way
    ) -> Held:
        """See ``Engine``."""
        del room, way
        again = Held([], [], [], held.inexact, self.zeros(len(held.records), counting.LOST))
        for n, records in enumerate(held.records):
            tape: list[Any] = []
            found = []
            for number, before in enumerate(records if (first + n) % every == 0 else ()):
                past = held.past(self.ruleset.rules, n, number)
                where = {"seed": seed, "session": first + n, "deal": number}
                state = state_under(self, given, before, again.lost[n], past, **where)
                played = play_from(self.ruleset, state, self._bots, **where)
                record = record_of(played, self._names, tape)
                record.first_trumps = before.first_trumps
                record.lying, record.waiting = before.lying, before.waiting
                found.append(record)
            self._hold(again, found, tape)
        return again

    def _hold(self, held: Held, records: list[DealRecord], tape: list[Any]) -> None:
        sums = SessionSums(endings=[0] * (3 * len(self.ruleset.rules.bids.rows)))
        for record in records:
            counting.count(self.rules, record, sums)
        for rows, one in ((held.records, records), (held.tapes, tape), (held.sums, sums)):
            rows.append(one)

    def count(self, function: str, *given: Any) -> None:
        """See ``Engine``."""
        getattr(counting, function)(*given)

    def zeros(self, rows: int, columns: int) -> Any:
        """See ``Engine``."""
        return [[0] * columns for _ in range(rows)]

    def marks(self, skip: Sequence[bool]) -> Any:
        """See ``Engine``."""
        return skip


def record_of(played: PlayedDeal, names: Names, tape: list[Any]) -> DealRecord:
    """The record of a deal, in counters, with its events and payments written to the end of the
    tape."""
    deal, setup, settled = played.deal, played.setup, played.settlement
    record = DealRecord(
        pool=setup.pool,
        times=setup.multiplier,
        beasts=setup.beasts,
        favourite=_or_none(setup.favourite),
        first_trumps=_or_none(played.first_trumps),
        lying=played.lying,
        waiting=played.waiting,
        events_at=len(tape),
        events=len(deal.events),
    )
    tape += codes(deal.events, names)
    record.transfers_at = len(tape)
    if settled is None or deal.contract is None:
        return record
    record.transfers = len(settled.transfers)
    for paid in settled.transfers:
        tape += [paid.source, paid.target, paid.amount, paid.rule]
        for account, sign in ((paid.target, 1), (paid.source, -1)):
            if account < 0:
                record.moved[-1 - account] += sign * paid.amount
    record.outcome, record.vole = ENDINGS.index(settled.outcome), VOLES.index(settled.vole)
    record.bid = deal.rules.bids.names().index(deal.contract.bid)
    record.trump, record.hombre, record.ally = map(_or_none, (deal.trump, deal.hombre, deal.ally))
    result = not_none(deal.result())
    record.matadors, record.premiers = result.matadors, int(result.premiers)
    record.tricks[: len(deal.won)] = deal.won
    record.net[: len(settled.net)] = settled.net
    return record


def _or_none(number: int | None) -> int:
    return -1 if number is None else int(number)


def readable(rulesets: Sequence[RuleSet], bots: Sequence[str]) -> list[Readable]:
    """These rule sets for the readable engine, to be compared."""
    names = Names()
    return [Readable(ruleset, bots, names) for ruleset in rulesets]


def session_of(
    ruleset: RuleSet,
    bots: Sequence[str],
    seed: int,
    session: int,
    deals: int,
    *,
    anew: bool | None = None,
    play: Callable[[DealSetup], Deal] | None = None,
) -> Iterator[PlayedDeal]:
    """The deals of a session that these bots play, by the readable engine; ``anew`` and ``play`` as
    ``play_session`` has them."""
    made = [make_bot(name) for name in bots]
    fresh = begins_anew(bots) if anew is None else anew
    return play_session(
        ruleset, made, seed=seed, session=session, deals=deals, anew=fresh, play=play
    )


# --- sessions under several rule sets


@dataclass(frozen=True, slots=True, order=True)
class SampledDeal:
    """A divergent deal that may become an example, the first to be taken first.

    ``states`` are the session state under either rule set before it.
    """

    last: bool
    """Whether it comes after all others."""
    key: Fraction
    """What decides between others: the sum of both pools, or a number drawn."""
    session: int
    deal: int
    states: tuple[SessionState, SessionState] = field(compare=False)


@dataclass(slots=True)
class Played:
    """Sessions ``first`` … of ``lengths``, by rule set; ``skip`` marks those that are left out."""

    first: int
    lengths: Sequence[int]
    skip: list[bool]
    held: list[Held] = field(default_factory=list)
    replays: dict[Way, Held] = field(default_factory=dict)

    def leave(self, marked: Sequence[bool]) -> None:
        """Leave out more sessions."""
        self.skip = [a or b for a, b in zip(self.skip, marked, strict=True)]

    def kept(self, by_session: Sequence[Any]) -> list[Any]:
        """What there is of the sessions that are not left out."""
        return [one for one, skipped in zip(by_session, self.skip, strict=True) if not skipped]

    def sums(self, place: int) -> list[SessionSums]:
        """The sums of one rule set's sessions."""
        return self.kept(self.held[place].session_sums())


@dataclass(slots=True)
class PlayedBlock:
    """Some sessions played under every rule set: their sums, and what needs another look.

    ``left`` are the sessions that were not told exactly; ``sampled`` has for each pair candidates
    for examples.
    """

    first: int
    sessions: int
    deals: int
    tables: list[RuleSetSums]
    told: list[dict[Key, Counted]]
    """What is counted of the sessions, by rule set."""
    left: list[int]
    pairs: list[Any] = field(default_factory=list)
    """For each rule set but the first, how its deals go beside the first's: ``PairSums``, or what
    ``hold`` adds."""
    sampled: list[list[SampledDeal]] = field(default_factory=list)
    effects: list[Effects] = field(default_factory=list)

    @property
    def accumulated(self) -> Accumulators:
        """The sums of a comparison."""
        return Accumulators(self.tables, self.pairs, self.sessions, self.effects)


Hold = Callable[[Sequence[Engine], Played, int, int, PlayedBlock], None]
"""Adds to a block how the rule set of a place goes beside the first, with so many candidates."""


def play(
    engines: Sequence[Engine], seed: int, first: int, lengths: Sequence[int], room: Any
) -> Played:
    """Play sessions ``first`` … under every rule set."""
    played = Played(first, lengths, [False] * len(lengths))
    for place, engine in enumerate(engines):
        play_one(engine, seed, played, room, place)
    return played


def play_one(engine: Engine, seed: int, played: Played, room: Any, place: int) -> None:
    """Play under one more rule set, at that place in the workspace."""
    held = engine.play(seed, played.first, played.lengths, room, place)
    played.held.append(held)
    played.leave(held.inexact)


def replay(
    engines: Sequence[Engine], played: Played, seed: int, room: Any, way: Way, every: int = 1
) -> Held:
    """Replay the deals of one rule set under another; do so before anything is added up."""
    given, under = way
    held = played.held[given]
    found = engines[under].replay(engines[given], held, seed, played.first, every, room, way)
    played.replays[way] = found
    played.leave(found.inexact)
    return found


def add_up(engines: Sequence[Engine], played: Played) -> PlayedBlock:
    """The sums of each rule set."""
    left = [n for n, skipped in enumerate(played.skip, played.first) if skipped]
    block = PlayedBlock(
        played.first, len(played.skip) - len(left), sum(played.kept(played.lengths)), [], [], left
    )
    for place, engine in enumerate(engines):
        add_table(engine, played.sums(place), block)
    return block


def add_table(engine: Engine, sums: Sequence[SessionSums], block: PlayedBlock) -> None:
    """Add the sums of one rule set to the block."""
    told = told_of(engine.ruleset, sums)
    block.told.append(told)
    block.tables.append(RuleSetSums.of(engine.ruleset, sums, told, engine.scale))


def paired(
    engines: Sequence[Engine], played: Played, seed: int, room: Any, *, decompose: bool = False
) -> list[Effects]:
    """For each rule set but the first, the sums of what it changes; ``decompose`` replays for the
    direct effects."""
    for i in range(1, len(engines)) if decompose else ():
        replay(engines, played, seed, room, (0, i))
        replay(engines, played, seed, room, (i, 0))
    return [_effects(engines, played, i, decompose=decompose) for i in range(1, len(engines))]


def _effects(engines: Sequence[Engine], played: Played, i: int, *, decompose: bool) -> Effects:
    players = engines[0].ruleset.rules.table.players
    at, lengths = places(players), played.kept(played.lengths)
    directions = {DIRECT: (0, i), DIRECT_REVERSE: (i, 0)} if decompose else {}
    held = [played.held[0], played.held[i], *(played.replays[d] for d in directions.values())]
    moves = [[[s.moved[p] for p in at] for s in played.kept(one.session_sums())] for one in held]
    a, b, again, back = [*moves, None, None][:4]
    found = Effects.of(players, lengths, a or [], b or [], again, back, engines[0].scale)
    for direction, way in directions.items():
        replayed = played.replays[way]
        found.replayed[direction] = sum(s.deals for s in played.kept(replayed.session_sums()))
        lost = played.kept(plain(replayed.lost))
        for place, kind in enumerate(LOST):
            found.lost[direction, kind] = sum(row[place] for row in lost)
    return found


def seat_effects(engine: Engine, played: Played) -> Effects:
    """The sums of what each seat gets more than the mean of all, of the sessions of a block."""
    players = engine.ruleset.rules.table.players
    lengths, names = played.kept(played.lengths), seats(players)
    moved = [sums.moved[:players] for sums in played.sums(0)]
    # in parts of a counter that divide among all players
    rows = [[players * one - sum(row) for one in row] for row in moved]
    scale = engine.scale * players
    found = Effects(len(lengths), sum(lengths), sum(map(mul, lengths, lengths)))
    found.changes[TOTAL] = {
        name: DifferenceSums.of([row[seat] for row in rows], lengths, scale)
        for seat, name in enumerate(names)
    }
    for length in sorted(set(lengths)):
        some = [row for row, n in zip(rows, lengths, strict=True) if n == length]
        found.spreads[length] = {
            name: Spread.of([row[seat] for row in some], scale) for seat, name in enumerate(names)
        }
    return found


def side_by_side(
    engines: Sequence[Engine],
    seed: int,
    first: int,
    lengths: Sequence[int],
    room: Any,
    examples: int,
    *,
    decompose: bool = False,
    leave: Callable[[Played], None] = lambda played: None,
    hold: Hold | None = None,
) -> tuple[PlayedBlock, Played]:
    """A block of whole sessions, and the sessions themselves, which stand in the workspace.

    ``leave`` has sessions left out; ``hold`` adds how another rule set goes beside the first, else
    as compared, for which some sessions are replayed.
    """
    played = play(engines, seed, first, lengths, room)
    leave(played)
    for i in range(1, len(engines)) if hold is None and not decompose else ():
        replay(engines, played, seed, room, (0, i), EVERY)
    effects = paired(engines, played, seed, room, decompose=decompose)
    block = add_up(engines, played)
    block.effects = effects
    for i in range(1, len(engines)):
        (hold or _compared)(engines, played, i, examples, block)
    return block, played


def beside(
    function: str,
    engines: Sequence[Engine],
    played: Played,
    columns: int,
    other: Held,
    skip: Sequence[bool],
) -> tuple[list[list[int]], list[list[Any]]]:
    """What a function of ``counting`` counts of the first rule set's deals beside others, by
    session, and the deals that it keeps; ``engines`` are both."""
    one, many = played.held[0], len(skip)
    counts, kept = engines[0].zeros(many, columns), engines[0].zeros(many, counting.KEPT)
    engines[0].count(
        function, *(e.rules for e in engines), one.records, other.records, one.tapes, other.tapes,
        one.sums, other.sums, engines[0].marks(skip), played.first, counts, kept,
    )  # fmt: skip
    rows = zip(plain(counts), skip, strict=True)
    return [row for row, skipped in rows if not skipped], plain(kept)


def _compared(
    engines: Sequence[Engine], played: Played, i: int, examples: int, block: PlayedBlock
) -> None:
    """Add to the block how the rule set of that place goes beside the first, as a comparison wants
    it."""
    both, other, skip = (engines[0], engines[i]), played.held[i], played.skip
    rows, kept = beside("count_pair", both, played, counting.COUNTS, other, skip)
    pair = PairSums()
    same, auction, play, settlement, carried, paid = _columns(rows, counting.COUNTS)
    pair.add(same, dict(zip(STAGES, (auction, play, settlement), strict=True)), carried, paid)
    pair.add_products(block.told[0], block.told[i], engines[0].scale)
    again = played.replays[0, i]
    unsampled = [s or n % EVERY != 0 for n, s in enumerate(skip, played.first)]
    rows, _ = beside("count_replayed", both, played, counting.STARTS, again, unsampled)
    same, auction, play, settlement, stakes, paid, left_out = _columns(rows, counting.STARTS)
    starts = (stakes, auction, play, settlement)
    pair.add_starts(same, dict(zip(STARTS[:4], starts, strict=True)), paid, left_out)
    block.pairs.append(pair)
    parts_of_key = engines[0].scale
    block.sampled.append(sampled_of(kept, played, both, i, examples, parts_of_key=parts_of_key))


def _columns(rows: Sequence[Sequence[int]], many: int) -> list[list[int]]:
    return [[row[column] for row in rows] for column in range(many)]


def sampled_of(
    kept: Sequence[Sequence[Any]],
    played: Played,
    both: tuple[Engine, Engine],
    i: int,
    examples: int,
    *,
    parts_of_key: int = 1,
) -> list[SampledDeal]:
    """The first of the deals that were kept of a block (``counting.keep``), by keys in so many
    parts; ``both`` engines are the first and that of the place."""
    last, key, number = 0, counting.LAST, counting.NUMBER
    found = sorted(
        (row[last + p], row[key + p], n, row[number + p])
        for n, row in enumerate(kept)
        for p in range(counting.KEEP)
        if row[number + p] >= 0
    )
    return [
        SampledDeal(
            bool(last),
            Fraction(key) / parts_of_key,
            played.first + n,
            deal,
            (_state(both[0], played.held[0], n, deal), _state(both[1], played.held[i], n, deal)),
        )
        for last, key, n, deal in found[:examples]
    ]


def _state(engine: Engine, held: Held, n: int, deal: int) -> SessionState:
    rules = engine.ruleset.rules
    pool, times, beasts, favourite = held.record(n, deal).state
    suit = None if favourite < 0 else Suit(favourite)
    return SessionState(
        pool=Fraction(pool) / engine.scale,
        multiplier=times,
        beasts=beasts,
        favourite=suit,
        before=held.past(rules, n, deal).before(seated(rules, deal)),
    )


def parts(
    first: int, lengths: Sequence[int], room: Any
) -> Iterator[tuple[int, Sequence[int], Any]]:
    """Sessions ``first`` and following in batches that fit the workspace, without one each by
    itself: first session, lengths, workspace."""
    size = 1 if room is None else room.size[0]
    for start in range(0, len(lengths), size):
        yield first + start, lengths[start : start + size], room


Add = Callable[[Sequence[Engine], int, Sequence[int], Any], Sequence[int]]
"""Plays some sessions and adds them up; returns those that were not told exactly."""


def by_parts(
    task: Sessions, engines: Sequence[Engine], slow: Sequence[Engine], room: Any, add: Add
) -> None:
    """Add the sessions of a block, in parts that fit the workspace; those that the kernel cannot
    tell exactly by the readable engine, ``slow``."""
    for first, lengths, space in parts(task.first, task.lengths, room):
        for n in add(engines, first, lengths, space):
            with one_at_a_time:
                add(slow, n, [lengths[n - first]], None)
