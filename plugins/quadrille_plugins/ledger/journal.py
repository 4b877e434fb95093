"""The journal as read from the file: who sits where, what was recorded of each deal, who holds
what.

Chairs count from 0 in the order of play, as the players were named at the start.  Amounts are
counters.  Deals and entries by hand are numbered as they stand in the session; a deal inserted or
moved keeps the number under which it was recorded, its *place in the file*, whatever its number.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, Final, Literal

from quadrille_core import vocabulary
from quadrille_core.engine.carry import START, Carry
from quadrille_core.frozen import frozen
from quadrille_core.vocabulary import plain_amount
from quadrille_plugins.ledger.coins import BOTH, PLAIN, Denomination, denomination
from quadrille_plugins.ledger.schema import ACCOUNTS, ACCOUNTS_IN_POINTS, BOX, POOL, VOLE_POOL
from quadrille_plugins.ledger.standing import (
    NOTHING,
    PURSES,
    REFILL,
    TAKEN_OVER,
    ZERO,
    DealTally,
    Movement,
    tally,
)
from quadrille_plugins.shell.values import grouped

Kind = Literal["result", "passed", "void", "reversed", "entry"]
Seating = tuple[tuple[int, int], ...]
"""Chairs and who sits on them, by account, in the order of play."""
Round = tuple[tuple[int, int | None], ...]
"""Every chair round the table, and who sits on it; None where it is empty."""
UNPLAYED: Final = ("incidents",)
"""The keys of a result that a deal without a game may have."""


@frozen
class Fact:
    """What a table says of one deal.

    ``data`` is the result as it was given, but for rules, readings, players and pool; of a deal
    that all passed, or a misdeal, nothing but ``incidents``, and of one taken back nothing.  An
    entry by hand has ``transfers``, each with from, to, amount, reason, rule and source.
    """

    kind: Kind
    data: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""
    """Why a deal is void; what an entry by hand is for."""


@frozen
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


@frozen
class DealRow:
    """One record of one deal; the latest of a number is in force."""

    id: int
    act: int
    number: int
    seating: Seating
    """Who played, the eldest hand first and the dealer last; nobody in an entry by hand."""
    fact: Fact
    outcome: str
    place: int = 0
    """Its place in the file."""
    rules: int = 0
    """The command that brought the rules it is settled by; 0 for those of the start."""
    out: Seating = ()
    """Who dealt it and sat out; nobody where the dealer played."""

    @property
    def dealer(self) -> tuple[int, int]:
        """Chair and account of who dealt it; not of an entry by hand."""
        return (*self.seating, *self.out)[-1]

    @property
    def seats(self) -> tuple[int, ...]:
        """The accounts of who played, the eldest hand first and the dealer last."""
        return tuple(account for _, account in self.seating)


@frozen
class Sitting:
    """Who sits on a chair from which deal on, and the command that said so."""

    act: int
    chair: int
    account: int
    from_deal: int


@frozen
class Event:
    """What a command changed besides deals.

    ``kind`` and ``data``: ``seats`` every chair and who sits on it, ``name`` accounts and their
    new names, ``order`` the places of all deals in the order in which they stand, ``rules`` the
    columns of a session that hold its rules.
    """

    act: int
    kind: str
    data: Any


@frozen
class Transaction:
    """One transaction: the command, when (UTC, ISO 8601), the program version, and its object."""

    id: int
    kind: str
    at: str
    program: str
    note: str


@frozen
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
    """The whole contents of a ledger, and what follows from them."""

    session: Mapping[str, Any]
    accounts: Mapping[int, str]
    """Every account by number, and what it is called by now."""
    transactions: tuple[Transaction, ...]
    sittings: tuple[Sitting, ...]
    rows: tuple[DealRow, ...]
    entries: tuple[Entry, ...]
    payments: tuple[tuple[int, int, Fraction], ...]
    """The payments by which the session was settled in the end: from, to, amount."""
    carries: Mapping[int, Carry] = field(default_factory=dict)
    """What each deal left to the next, by number; the pool apart, which follows from the
    entries."""
    events: tuple[Event, ...] = ()
    rounds: Mapping[int, Round] = field(default_factory=dict)
    """Who sits where, by the command from which on they do."""
    names: Mapping[int, Mapping[int, str]] = field(default_factory=dict)
    """What every account is called, by the command from which on it is."""

    @property
    def last(self) -> DealTally:
        """What the last deal came to."""
        return self.tally_before(self.next_deal)

    @property
    def carry(self) -> Carry:
        """The state that the next deal starts from."""
        return self.last.carry

    @cached_property
    def in_points(self) -> bool:
        """Whether points are written down, and nothing is paid."""
        return unowned(self.session) != ACCOUNTS

    # People and chairs.

    @property
    def ended(self) -> bool:
        """Whether the session has been ended; nothing but its reopening is recorded after."""
        return self.transactions[-1].kind == "end"

    def players(self) -> tuple[int, ...]:
        """The accounts of all who have sat at the table, in the order in which they sat down."""
        return self._players

    @cached_property
    def _players(self) -> tuple[int, ...]:
        return tuple(self.accounts)[len(unowned(self.session)) :]

    def names_of(self, accounts: Iterable[int]) -> list[str]:
        """What these accounts are called."""
        return [self.accounts[a] for a in accounts]

    def by_name(self, amounts: Mapping[int, Fraction]) -> dict[str, int | str]:
        """Exact amounts as plain values, by the names of their accounts."""
        return {self.accounts[a]: plain_amount(amount) for a, amount in amounts.items()}

    def account_of(self, name: str) -> int | None:
        """The account of a player; None for an unknown name."""
        return next((a for a in self.players() if self.accounts[a] == name), None)

    @property
    def round(self) -> Round:
        """Every chair, and who sits on it now."""
        return self.rounds[max(self.rounds)]

    @property
    def wanted(self) -> int:
        """How many the rules want at the next deal."""
        return int(self.rule("table.players"))

    def seated(self) -> tuple[int, ...]:
        """Who sits at the table now, by chair; whoever sits out a deal sits there too."""
        return tuple(account for _, account in self.round if account is not None)

    def around(self, dealer: int) -> Seating:
        """Who sits at the table, from the one after the dealer's chair to that chair; where it is
        empty, to the next that is not."""
        chairs = [chair for chair, _ in self.round]
        at = chairs.index(self._taken(dealer)) + 1
        turned = (*self.round[at:], *self.round[:at])
        return tuple((chair, account) for chair, account in turned if account is not None)

    def _taken(self, chair: int) -> int:
        """This chair, or the next after it on which somebody sits."""
        at = [one for one, _ in self.round].index(chair)
        turned = (*self.round[at:], *self.round[:at])
        return next((one for one, account in turned if account is not None), chair)

    def due(self, dealer: int | None = None) -> Seating:
        """Who plays the next deal, the dealer last; fewer than are wanted where chairs are empty.

        Of more than are wanted those sit out who come just before the dealer: whoever dealt last,
        and so each in turn.  Where who dealt last sat out, so does the dealer, and the one before
        plays last.  ``dealer`` is the chair, where it is not that which should deal.
        """
        sitting, last = self.around(self._deals(dealer)), self._dealt(self.count)
        if last is not None and last.out and len(sitting) > self.wanted:
            return sitting[: self.wanted]
        return (*sitting[: self.wanted - 1], *sitting[self.wanted - 1 :][-1:])

    def dealing(self, dealer: int | None = None) -> tuple[int, int]:
        """Chair and account of who deals the next deal."""
        return self.around(self._deals(dealer))[-1]

    def _deals(self, dealer: int | None) -> int:
        return self.next_dealer if dealer is None else dealer

    def named_at(self, act: int) -> Mapping[int, str]:
        """What every account was called when a command had been given."""
        return self.names[max(a for a in self.names if a <= act)]

    def called_by(self, act: int) -> dict[int, tuple[str, str]]:
        """Whom a command gave another name: the former and the new one, by account."""
        before, now = self.named_at(act - 1), self.named_at(act)
        return {a: (before[a], name) for a, name in now.items() if name != before[a]}

    # Deals.

    @cached_property
    def _records(self) -> Mapping[int, list[DealRow]]:
        return dict(sorted(grouped((row.number, row) for row in self.rows).items()))

    @cached_property
    def deals(self) -> Mapping[int, DealRow]:
        """The record in force of every deal, by number."""
        return {number: rows[-1] for number, rows in self._records.items()}

    @cached_property
    def by_place(self) -> Mapping[int, DealRow]:
        """The record in force of every deal, by its place in the file."""
        return {row.place: row for row in self.deals.values()}

    def records_of(self, number: int) -> tuple[DealRow, ...]:
        """Every record of a deal, the one in force last."""
        return tuple(self._records[number])

    @property
    def count(self) -> int:
        """How many deals have been recorded."""
        return len(self.deals)

    @property
    def next_deal(self) -> int:
        """The number of the deal that comes next."""
        return self.count + 1

    @property
    def next_dealer(self) -> int:
        """The chair that deals next: the deal passes on, but after a misdeal the same deals again.

        Of several deals taken back at the end, the first is dealt again.
        """
        return self._taken(self.dealer_after(self.count))

    def dealer_after(self, number: int) -> int:
        """The chair that deals after the deal of that number, whether or not somebody sits there
        by now."""
        last = self._dealt(number)
        if last is None:
            return int(self.session["first_dealer"])
        chairs = [chair for chair, _ in self.round]
        passed = last.fact.kind not in ("void", "reversed")
        return chairs[(chairs.index(last.dealer[0]) + passed) % len(chairs)]

    def _dealt(self, number: int) -> DealRow | None:
        """The last deal up to that number, of several taken back the first; None for none."""
        dealt = [self.deals[n] for n in range(1, number + 1) if not self.is_entry(n)]
        again = None
        while dealt and dealt[-1].fact.kind == "reversed":
            again = dealt.pop()
        return again or (dealt[-1] if dealt else None)

    def is_entry(self, number: int) -> bool:
        """Whether this is an entry by hand, which stands among the deals and is none."""
        return self.records_of(number)[0].fact.kind == "entry"

    @cached_property
    def _entries_of(self) -> Mapping[int | None, list[Entry]]:
        return grouped((entry.deal, entry) for entry in self.entries if entry.reverses is None)

    def entries_of(self, row: DealRow) -> tuple[Entry, ...]:
        """The entries that recorded a deal so, their reversals left out."""
        return tuple(self._entries_of.get(row.id, ()))

    def movements_of(self, number: int) -> tuple[Movement, ...]:
        """The movements of a deal, as it is in force."""
        return tuple(e.movement for e in self.entries_of(self.deals[number]))

    def dealer_of(self, row: DealRow) -> str:
        """Who dealt a deal, by one record of it; empty for an entry by hand."""
        return self.accounts[row.dealer[1]] if row.seating else ""

    def note_of(self, number: int) -> str:
        """Which later transactions changed a deal, in words; empty for none."""
        rows = self.records_of(number)
        if len(rows) == 1:
            return "inserted" if self.transactions[rows[0].act - 1].kind == "insert" else ""
        last, before = rows[-1], rows[-2]
        if last.fact.kind == "reversed":
            return "reversed"
        said = (last.fact, last.seating, last.out) != (before.fact, before.seating, before.out)
        kind = self.transactions[last.act - 1].kind
        return "corrected" if kind == "correct" and said else "settled anew"

    # Counters.

    @cached_property
    def balances(self) -> Mapping[int, Fraction]:
        """The balance of every account; the box's is negative by what it has given out."""
        return self._summed(self.entries)

    @cached_property
    def purses(self) -> Mapping[int, Fraction]:
        """What each player was given from the box."""
        return self._summed(e for e in self.entries if e.movement.rule in PURSES)

    @property
    def purses_at_first(self) -> dict[int, Fraction]:
        """What each account was given when its player sat down."""
        given = (e for e in self._entries_of.get(None, ()) if e.movement.payer == BOX)
        return self._summed(given)

    def _summed(self, entries: Iterable[Entry]) -> dict[int, Fraction]:
        held = dict.fromkeys(self.accounts, ZERO)
        for m in (entry.movement for entry in entries):
            held[m.payer] -= m.amount
            held[m.payee] += m.amount
        return held

    def net(self, account: int) -> Fraction:
        """What a player has won, or lost, over the session."""
        return self.balances[account] - self.purses[account]

    @cached_property
    def gained(self) -> Mapping[int, Fraction]:
        """What each player has won, or lost, here: the net without what another ledger left; of
        those who have sat here, or have an entry by hand."""
        left = self._summed(e for e in self.entries if e.movement.rule == TAKEN_OVER)
        found = {a: self.net(a) - left[a] for a in self.players()}
        sat = {s.account for s in self.sittings}
        return {a: amount for a, amount in found.items() if amount or a in sat}

    @cached_property
    def tallies(self) -> Mapping[int, DealTally]:
        """What each deal came to, by number."""
        found, before = {}, NOTHING
        for number, row in self.deals.items():
            carry = self.carries.get(number, START)
            before = tally(row.id, before, self.movements_of(number), carry)
            found[number] = before
        return found

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
        return PoolState(tally.pool, tuple(reversed(history)), self._beasts(tally))

    def pool_state(self) -> PoolState:
        """The current pool: as the last deal left it, unless it was shared at the end."""
        left = self.balances[POOL]
        if self.deals and self.last.pool == left:
            return self.pool_state_after(self.count)
        return PoolState(left, (), 0)

    @property
    def times(self) -> int:
        """How many times the next deal counts."""
        counts = self.rule("multiplier.after_losses") == "counted"
        return self.carry.losses + 1 if counts else 1

    def _beasts(self, tally: DealTally) -> int:
        """How many beasts stand, in the pool or apart, where the rules count them."""
        waits = self.rule("loss.beasts") == "wait"
        counted = waits or self.rule("loss.beast_size") not in (None, "of_pool")
        return tally.carry.beasts if counted else tally.beasts

    def cannot_pay(self) -> tuple[int, ...]:
        """Who could not pay in the last deal, where the rules end the session for it."""
        if self.rule("table.purse_empty") != "session_ends" or not self.deals:
            return ()
        return tuple(a for a in self.seated() if self.balances[a] < 0)

    def rule(self, path: str) -> Any:
        """The plain value of a rule as the next deal is settled by; None for a rule it has not."""
        return self.leaves.get(path)

    @cached_property
    def leaves(self) -> Mapping[str, Any]:
        """Every rule by which the next deal is settled, with its plain value."""
        leaves: Mapping[str, Any] = json.loads(self.rules_at(self.rules)["rules"])
        return leaves

    @cached_property
    def rules(self) -> int:
        """The command that brought the rules of the next deal; 0 for those of the start."""
        return max((e.act for e in self.events if e.kind == "rules"), default=0)

    def rules_at(self, brought: int) -> Mapping[str, Any]:
        """The columns of a session that hold its rules, by the command that brought them."""
        if not brought:
            return self.session
        data = next(e.data for e in self.events if e.act == brought and e.kind == "rules")
        return {**self.session, **data}

    @cached_property
    def coins(self) -> Denomination:
        """The coins in which amounts of this session are shown."""
        if self.session["coins"] == "plain":
            return PLAIN
        return denomination(
            vocabulary.to_typed(
                vocabulary.leaf_at("table.coins"),
                json.loads(self.session["rules"]).get("table.coins") or [],
            ),
            beside=self.session["coins"] == BOTH,
        )

    # Whether all is well.

    def faults(self) -> Iterator[str]:
        """What is wrong with the journal, in words, by every entry; nothing when it balances."""
        held, given = -self.balances[BOX], sum(self.purses[a] for a in self.players())
        if held != given:
            yield f"players and pools hold {held} counters, and {given} were given out"
        if (pool := self.balances[POOL]) < 0:
            yield f"the pool holds {pool} counters"
        if between := self.balances[VOLE_POOL]:
            yield f"the vole pool holds {between} counters between two deals"
        if list(self.deals) != list(range(1, len(self.deals) + 1)):
            yield "the deals are not numbered one by one"
        reversed_ = {e.reverses for e in self.entries if e.reverses is not None}
        current = {row.id for row in self.deals.values()}
        for row in self.rows:
            undone = {e.id in reversed_ for e in self.entries_of(row)}
            if undone and undone != {row.id not in current}:
                yield f"deal {row.number} is counted twice or not at all"
        in_force = {None, *current}
        undoing = (
            e
            for e in self.entries
            if e.reverses is not None or e.id in reversed_ or e.deal not in in_force
        )
        if any(self._summed(undoing).values()):
            yield "entries and their reversals do not come to nothing"
        yield from self._faults_beside_deals(reversed_)

    def _faults_beside_deals(self, reversed_: Set[int]) -> Iterator[str]:
        """What is wrong with entries that belong to no deal, or have to do with the box."""
        ends = self.transactions[-1].id if self.ended else None
        for entry in self.entries:
            boxed = BOX in (entry.movement.payee, entry.movement.payer)
            if (
                boxed
                and entry.movement.rule != REFILL
                and (entry.deal or entry.movement.payer != BOX)
            ):
                yield f"entry {entry.id} has to do with the box"
            if entry.deal is None and entry.reverses is None:
                if entry.movement.payer not in (BOX, POOL):
                    yield f"entry {entry.id} belongs to no deal"
                kind = self.transactions[entry.act - 1].kind
                if entry.movement.payer == POOL and kind != "end":
                    yield f"entry {entry.id} shares the pool before the end"
                if kind == "end" and (entry.id in reversed_) == (entry.act == ends):
                    yield f"entry {entry.id} shares a pool that is taken up again, or not"


def unowned(session: Mapping[str, Any]) -> tuple[tuple[int, str, str], ...]:
    """The accounts of a session without an owner: number, kind, name."""
    points = json.loads(session["rules"]).get("score.kept") == "points"
    return ACCOUNTS_IN_POINTS if points else ACCOUNTS


def order_by(events: Iterable[Event], places: int) -> list[int]:
    """The places of all deals in their order: as the last of these events put them, and deals
    recorded since at the end."""
    orders = [event.data["order"] for event in events if event.kind == "order"]
    order = orders[-1] if orders else []
    return [*order, *sorted({*range(1, places + 1)} - {*order})]


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
