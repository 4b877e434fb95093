"""The journal as read from the file: who sits where, what was recorded of each deal, who holds
what.

Chairs count from 0 in the order of play, as the players were named at the start.  Amounts are
counters.
"""

import json
from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, Final, Literal

from quadrille_core import vocabulary
from quadrille_core.engine.carry import Carry
from quadrille_plugins.ledger.coins import PLAIN, Denomination, denomination
from quadrille_plugins.ledger.rows import Latest, Parsed
from quadrille_plugins.ledger.schema import ACCOUNTS, ACCOUNTS_IN_POINTS, BOX, POOL
from quadrille_plugins.ledger.standing import (
    NOTHING,
    REFILL,
    ZERO,
    DealTally,
    Movement,
    Standing,
    moved_on,
    read_gains,
)

SENSELESS: Final = (
    ValueError,
    KeyError,
    TypeError,
    IndexError,
    RecursionError,
    AttributeError,
    ZeroDivisionError,
)
"""What is raised of rows that no ledger has."""

Kind = Literal["result", "passed", "void", "reversed"]


@dataclass(frozen=True, slots=True)
class Fact:
    """What a table says of one deal.

    ``data`` is the result as it was given, but for rules, readings, players and pool; empty for a
    deal that all passed, a misdeal, or one taken back.
    """

    kind: Kind
    data: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""
    """Why a deal is void."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A movement as an entry of the ledger."""

    id: int
    act: int
    deal: int | None
    """The row of the deal that it belongs to; None for a purse, or for the pool shared at the
    end."""
    movement: Movement
    source: str
    reverses: int | None


@dataclass(frozen=True, slots=True)
class DealRow:
    """One record of one deal; the latest of a number is in force."""

    id: int
    act: int
    number: int
    dealer: int
    """The chair that dealt."""
    fact: Fact
    outcome: str


@dataclass(frozen=True, slots=True)
class Sitting:
    """Who sits on a chair from which deal on."""

    chair: int
    account: int
    from_deal: int


@dataclass(frozen=True, slots=True)
class Transaction:
    """One transaction: the command, when (UTC, ISO 8601), the program version, and its object."""

    id: int
    kind: str
    at: str
    program: str
    note: str


@dataclass(frozen=True, slots=True)
class PoolState:
    """The pool after a deal, and where its counters came from."""

    amount: Fraction
    history: tuple[Fraction, ...]
    """What it held after each deal since it was last taken, the last being ``amount``; empty once
    it was shared."""
    beasts: int
    """How many beasts stand, in it or apart, where the rules count them; else how many were put in
    since then."""


@dataclass(frozen=True)
class Journal:
    """The whole contents of a ledger, or all but the entries of most deals."""

    session: Mapping[str, Any]
    accounts: Mapping[int, str]
    transactions: Sequence[Transaction]
    sittings: tuple[Sitting, ...]
    rows: Sequence[DealRow]
    entries: Sequence[Entry]
    """The entries that were read: all, or those of the records in ``read`` and those that belong to
    no deal."""
    payments: tuple[tuple[int, int, Fraction], ...]
    """The payments by which the session was settled in the end: from, to, amount."""
    standing: Standing = Standing(0, NOTHING, {}, {}, None)
    """How the session stands, as the ledger certifies it or as it was derived."""
    tallies: Mapping[int, DealTally] = field(default_factory=dict)
    """What each deal came to, by number."""
    read: Collection[int] | None = None
    """The records whose entries were read; None when all were."""

    @property
    def carry(self) -> Carry:
        """The state that the next deal starts from."""
        return self.standing.last.carry

    @cached_property
    def in_points(self) -> bool:
        """Whether points are written down, and nothing is paid."""
        return unowned(self.session) != ACCOUNTS

    # People and chairs.

    @property
    def chairs(self) -> int:
        """How many play."""
        return int(self.session["chairs"])

    @property
    def ended(self) -> bool:
        """Whether the session has been ended; nothing is recorded after its end."""
        return self.transactions[-1].kind == "end"

    def players(self) -> tuple[int, ...]:
        """The accounts of all who have sat at the table, in the order in which they sat down."""
        return self._players

    @cached_property
    def _players(self) -> tuple[int, ...]:
        return tuple(self.accounts)[len(unowned(self.session)) :]

    def account_of(self, name: str) -> int | None:
        """The account of a player; None for an unknown name."""
        return next((a for a in self.players() if self.accounts[a] == name), None)

    def seated(self, deal: int) -> tuple[int, ...]:
        """Who sat on each chair in the deal of that number."""
        firsts, tables = self._seatings
        return tables[bisect_right(firsts, deal) - 1]

    @cached_property
    def _seatings(self) -> tuple[list[int], list[tuple[int, ...]]]:
        """The deals from which on somebody else sits somewhere, and who then sits on each chair."""
        found: dict[int, int] = {}
        tables: dict[int, tuple[int, ...]] = {}
        for sitting in self.sittings:
            found[sitting.chair] = sitting.account
            if len(found) == self.chairs:
                tables[sitting.from_deal] = tuple(found[chair] for chair in range(self.chairs))
        return list(tables), list(tables.values())

    def seats(self, deal: int, dealer: int) -> tuple[int, ...]:
        """The accounts by seat, the eldest hand first and the dealer last."""
        chairs = self.seated(deal)
        return tuple(chairs[(dealer + 1 + seat) % self.chairs] for seat in range(self.chairs))

    # Deals.

    @cached_property
    def deals(self) -> Mapping[int, DealRow]:
        """The record in force of every deal, by number."""
        if isinstance(self.rows, Parsed):
            return Latest(self.rows, key=NUMBER)
        return {row.number: row for row in sorted(self.rows, key=lambda r: (r.number, r.id))}

    @cached_property
    def _records(self) -> Mapping[int, list[int]]:
        found: dict[int, list[int]] = {}
        numbers = (
            self.rows.column(NUMBER)
            if isinstance(self.rows, Parsed)
            else [r.number for r in self.rows]
        )
        for position, number in enumerate(numbers):
            found.setdefault(number, []).append(position)
        return found

    def records_of(self, number: int) -> tuple[DealRow, ...]:
        """Every record of a deal, the one in force last."""
        return tuple(self.rows[position] for position in self._records[number])

    @property
    def next_deal(self) -> int:
        """The number of the deal that comes next."""
        return self.standing.deals + 1

    @property
    def next_dealer(self) -> int:
        """The chair that deals next: the deal passes on, but after a misdeal the same deals again.

        Of several deals taken back at the end, the first is dealt again.
        """
        again = self.standing.deals
        while again and self.deals[again].fact.kind == "reversed":
            again -= 1
        if again < self.standing.deals:
            return self.deals[again + 1].dealer
        if not again:
            return int(self.session["first_dealer"])
        last = self.deals[again]
        return last.dealer if last.fact.kind == "void" else (last.dealer + 1) % self.chairs

    @cached_property
    def _entries_of(self) -> Mapping[int, list[int]]:
        found: dict[int, list[int]] = {}
        entries = self.entries
        records = (
            entries.column(_RECORD) if isinstance(entries, Parsed) else [e.deal for e in entries]
        )
        for position, record in enumerate(records):
            if record is not None:
                found.setdefault(record, []).append(position)
        return found

    def entries_of(self, row: DealRow) -> tuple[Entry, ...]:
        """The entries that recorded a deal so, their reversals left out.

        Raises LookupError when the journal was read without them.
        """
        if self.read is not None and row.id not in self.read:
            raise LookupError(f"the entries of record {row.id} were not read")
        entries = (self.entries[position] for position in self._entries_of.get(row.id, ()))
        return tuple(e for e in entries if e.reverses is None)

    def movements_of(self, number: int) -> tuple[Movement, ...]:
        """The movements of a deal, as it is in force."""
        return tuple(e.movement for e in self.entries_of(self.deals[number]))

    def line_of(self, number: int) -> tuple[str, str]:
        """The dealer and outcome of a deal as in force, without reading the rest of its record."""
        if not isinstance(self.deals, Latest):
            row = self.deals[number]
            return self.accounts[self.seated(number)[row.dealer]], row.outcome
        raw = self.deals.row(number)
        return self.accounts[self.seated(number)[raw[DEALER]]], printable(raw[OUTCOME])

    def note_of(self, number: int) -> str:
        """Which later transactions changed a deal, in words; empty for none."""
        if len(self._records[number]) == 1:
            return ""
        rows = self.records_of(number)
        kind = self.transactions[rows[-1].act - 1].kind
        if rows[-1].fact.kind == "reversed":
            return "reversed"
        return (
            "corrected" if kind == "correct" and rows[-1].fact != rows[-2].fact else "settled anew"
        )

    # Counters.

    @property
    def balances(self) -> Mapping[int, Fraction]:
        """The balance of every account; the box's is negative by what it has given out."""
        return self.standing.balances

    @property
    def purses(self) -> Mapping[int, Fraction]:
        """What each player was given from the box."""
        return self.standing.purses

    def net(self, account: int) -> Fraction:
        """What a player has won, or lost, over the session."""
        return self.balances[account] - self.purses[account]

    def gains(self) -> Iterator[tuple[int, Mapping[int, int | str], int | str]]:
        """Each deal with what every account gained by it, and the pool after it, as JSON gives
        amounts.

        Of its tally no more is read.
        """
        tallies = self.tallies
        if isinstance(tallies, Latest):
            try:
                many = read_gains([tallies.row(number)[4] for number in tallies])
                if not all(map(self.accounts.keys().__ge__, (net.keys() for net, _ in many))):
                    raise ValueError("an account")
            except SENSELESS:  # one of them, which says so when it is read alone
                many = list(map(_gain, tallies.values()))
        else:
            many = list(map(_gain, tallies.values()))
        yield from ((number, *gain) for number, gain in zip(tallies, many, strict=True))

    def tally_before(self, number: int) -> DealTally:
        """What the deal before the one of that number came to."""
        return self.tallies[number - 1] if number > 1 else NOTHING

    def pool_state_after(self, number: int) -> PoolState:
        """The pool after a deal, and its history since it was last taken."""
        tally, history = self.tallies[number], []  # type: DealTally, list[Fraction]
        earlier = number
        while len(history) < tally.stood:
            one = self.tallies[earlier]
            if one.moved:
                history.append(one.pool)
            earlier -= 1
        stand = self._beasts(tally)
        return PoolState(
            tally.pool, tuple(reversed(history)), tally.beasts if stand is None else stand
        )

    def pool_state(self) -> PoolState:
        """The current pool: as the last deal left it, unless it was shared at the end."""
        last, left = self.standing.last, self.balances[POOL]
        if self.standing.deals and last.pool == left:
            return self.pool_state_after(self.standing.deals)
        return PoolState(left, (), 0)

    @property
    def times(self) -> int:
        """How many times the next deal counts."""
        counts = self.carry is not None and self.rule("multiplier.after_losses") == "counted"
        return self.carry.losses + 1 if counts and self.carry is not None else 1

    @property
    def beasts(self) -> int | None:
        """How many beasts stand, in the pool or apart, where the rules count them."""
        return self._beasts(self.standing.last)

    def _beasts(self, tally: DealTally) -> int | None:
        return tally.carry.beasts if self._counts_beasts and tally.carry is not None else None

    @cached_property
    def _counts_beasts(self) -> bool:
        return self.rule("loss.beasts") == "wait" or self.rule("loss.beast_size") not in (
            None,
            "of_pool",
        )

    def cannot_pay(self) -> tuple[int, ...]:
        """Who could not pay in the last deal, where the rules end the session for it."""
        if self.rule("table.purse_empty") != "session_ends" or not self.standing.deals:
            return ()
        return tuple(a for a in self.seated(self.standing.deals) if self.balances[a] < 0)

    def rule(self, path: str) -> Any:
        """The plain value of a rule as the session began with it; None for a rule it has not."""
        return self._rules.get(path)

    @cached_property
    def _rules(self) -> Mapping[str, Any]:
        rules: Mapping[str, Any] = json.loads(self.session["rules"])
        return rules

    @cached_property
    def coins(self) -> Denomination:
        """The coins in which amounts of this session are shown."""
        if self.session["coins"] == "plain":
            return PLAIN
        return denomination(
            vocabulary.to_typed(vocabulary.leaf_at("table.coins"), self.rule("table.coins") or [])
        )

    # Whether all is well.

    def faults(self) -> Iterator[str]:
        """What is wrong with the journal, in words, by every entry anew; nothing when it
        balances."""
        ended, nothing = self.ended, dict.fromkeys(self.accounts, ZERO)
        balances, purses = moved_on(nothing, {}, self.entries, self.players())
        yield from Standing(0, NOTHING, balances, purses, None).faults()
        if list(self.deals) != list(range(1, len(self.deals) + 1)):
            yield "the deals are not numbered one by one"
        reversed_ = {e.reverses for e in self.entries if e.reverses is not None}
        current = {row.id for row in self.deals.values()}
        for row in self.rows:
            undone = {e.id in reversed_ for e in self.entries_of(row)}
            if undone and undone != {row.id not in current}:
                yield f"deal {row.number} is counted twice or not at all"
        for entry in self.entries:
            boxed = BOX in (entry.movement.payee, entry.movement.payer)
            if (
                boxed
                and entry.movement.rule != REFILL
                and (entry.deal or entry.movement.payer != BOX)
            ):
                yield f"entry {entry.id} has to do with the box"
            if entry.deal is None and entry.movement.payer not in (BOX, POOL):
                yield f"entry {entry.id} belongs to no deal"
            if entry.deal is None and entry.movement.payer == POOL and not ended:
                yield f"entry {entry.id} shares the pool before the end"


NUMBER: Final = 2
"""The column of a deal's number."""
DEALER: Final = 4
OUTCOME: Final = 6
_RECORD: Final = 2
"""The column of the record that an entry belongs to."""


def unowned(session: Mapping[str, Any]) -> tuple[tuple[int, str, str], ...]:
    """The accounts of a session without an owner: number, kind, name."""
    points = json.loads(session["rules"]).get("score.kept") == "points"
    return ACCOUNTS_IN_POINTS if points else ACCOUNTS


def printable(value: str) -> str:
    """Reject non-printable text."""
    if not value.isprintable():
        raise ValueError("a text that cannot be printed")
    return value


def parse(text: str) -> Fraction:
    """An amount as the ledger writes it, ``n/d``."""
    above, _, below = text.partition("/")
    return Fraction(int(above), int(below))


def write(amount: Fraction) -> str:
    """An amount as the ledger writes it."""
    return f"{amount.numerator}/{amount.denominator}"


def _gain(tally: DealTally) -> tuple[dict[int, int | str], int | str]:
    plain = vocabulary.plain_amount
    return {account: plain(amount) for account, amount in tally.net.items()}, plain(tally.pool)
