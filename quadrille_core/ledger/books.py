"""The books as read from the file: who sits where, what was recorded of each deal, who holds what.

Chairs count from 0 in the order of play, as the players were named at the start.  Amounts are counters.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, Final, Literal

from quadrille_core import vocabulary
from quadrille_core.engine.carry import Carry
from quadrille_core.engine.result import name_fault
from quadrille_core.ledger.coins import PLAIN, TOLD, Denomination, denomination
from quadrille_core.ledger.schema import ACCOUNTS, ACCOUNTS_IN_POINTS, BOX, POOL, VOLE_POOL
from quadrille_core.ledger.store import Store, damaged

ZERO: Final = Fraction(0)
Kind = Literal["result", "passed", "void", "reversed"]

REFILL: Final = "table.purse_empty"
"""The rule by which the box gives out another purse."""
PURSES: Final = ("table.purse", REFILL)
"""Rules by which the box gives out counters, and takes them back when a deal is reversed; no other touches it."""
TAKEN_BY: Final = ("payments.pool_to", "loss.codille_pool")
"""Rules by which the pool is taken."""
_FORMERLY: Final = "jettons"
"""What ledgers said for coins of their own before the rules had any; they are told by their rules."""
BEASTS: Final = ("loss.remise_adds", "loss.codille_adds", "loss.beast_size")
"""Rules by which a beast is put into the pool."""


@dataclass(frozen=True, slots=True)
class Fact:
    """What a table says of one deal.

    ``data`` is the result as it was given, but for rules, readings, players and pool; empty for a deal
    that all passed, a misdeal, or one taken back.
    """

    kind: Kind
    data: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""
    """Why a deal is void."""


@dataclass(frozen=True, slots=True)
class Movement:
    """Counters that go from one account to another, why, and by which rule."""

    payer: int
    payee: int
    amount: Fraction
    reason: str
    rule: str


@dataclass(frozen=True, slots=True)
class Entry:
    """A movement as it stands in the ledger."""

    id: int
    act: int
    deal: int | None
    """The row of the deal that it belongs to; None for a purse, or for the pool shared at the end."""
    movement: Movement
    source: str
    reverses: int | None


@dataclass(frozen=True, slots=True)
class DealRow:
    """One account of one deal; the latest of a number is the one that holds."""

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
class Act:
    """One command that wrote: what, when (UTC, ISO 8601), by which version of the program, and about what."""

    id: int
    kind: str
    at: str
    program: str
    note: str


@dataclass(frozen=True, slots=True)
class PoolState:
    """The pool after a deal, and how it came to hold what it holds."""

    amount: Fraction
    history: tuple[Fraction, ...]
    """What it held after each deal since it was last taken, the last being ``amount``; empty once it was shared."""
    beasts: int
    """How many beasts stand, in it or apart, where the rules count them; else how many were put in since then."""


@dataclass(frozen=True)
class Book:
    """Everything a ledger holds, at one moment."""

    session: Mapping[str, Any]
    accounts: Mapping[int, str]
    acts: tuple[Act, ...]
    sittings: tuple[Sitting, ...]
    rows: tuple[DealRow, ...]
    entries: tuple[Entry, ...]
    payments: tuple[tuple[int, int, Fraction], ...]
    """The payments by which the session was settled in the end: from, to, amount."""
    carries: tuple[Carry, ...] = ()
    """What each deal began with, and last what the next begins with; empty where this version cannot tell."""

    @property
    def carry(self) -> Carry | None:
        """What the next deal begins with; None where this version cannot tell."""
        return self.carries[-1] if self.carries else None

    @cached_property
    def in_points(self) -> bool:
        """Whether points are written down, and nothing is paid."""
        return nobodys(self.session) != ACCOUNTS

    # People and chairs.

    @property
    def chairs(self) -> int:
        """How many play."""
        return int(self.session["chairs"])

    @property
    def ended(self) -> bool:
        """Whether the session has been ended."""
        return any(a.kind == "end" for a in self.acts)

    def players(self) -> tuple[int, ...]:
        """The accounts of all who have sat at the table, in the order in which they sat down."""
        return tuple(a for a in self.accounts if a > len(nobodys(self.session)))

    def account_of(self, name: str) -> int | None:
        """The account of a player; None for a name that nobody bears."""
        return next((a for a in self.players() if self.accounts[a] == name), None)

    def seated(self, deal: int) -> tuple[int, ...]:
        """Who sat on each chair in the deal of that number."""
        found: dict[int, int] = {}
        for sitting in self.sittings:
            if sitting.from_deal <= deal:
                found[sitting.chair] = sitting.account
        return tuple(found[chair] for chair in range(self.chairs))

    def seats(self, deal: int, dealer: int) -> tuple[int, ...]:
        """The accounts by seat, the eldest hand first and the dealer last."""
        chairs = self.seated(deal)
        return tuple(chairs[(dealer + 1 + seat) % self.chairs] for seat in range(self.chairs))

    # Deals.

    @cached_property
    def deals(self) -> Mapping[int, DealRow]:
        """The account that holds of every deal, by number."""
        return {row.number: row for row in sorted(self.rows, key=lambda r: (r.number, r.id))}

    @property
    def next_deal(self) -> int:
        """The number of the deal that comes next."""
        return len(self.deals) + 1

    @property
    def next_dealer(self) -> int:
        """The chair that deals next: the deal passes on, but after a misdeal the same deals again."""
        if not self.deals:
            return int(self.session["first_dealer"])
        last = self.deals[len(self.deals)]
        return last.dealer if last.fact.kind in ("void", "reversed") else (last.dealer + 1) % self.chairs

    @cached_property
    def _entries_of(self) -> Mapping[int, tuple[Entry, ...]]:
        found: dict[int, list[Entry]] = {}
        for entry in self.entries:
            if entry.deal is not None:
                found.setdefault(entry.deal, []).append(entry)
        return {row: tuple(entries) for row, entries in found.items()}

    def entries_of(self, row: DealRow) -> tuple[Entry, ...]:
        """The entries that recorded a deal so, their reversals left out."""
        return tuple(e for e in self._entries_of.get(row.id, ()) if e.reverses is None)

    def movements_of(self, number: int) -> tuple[Movement, ...]:
        """What moved by a deal, as it now holds."""
        return tuple(e.movement for e in self.entries_of(self.deals[number]))

    def note_of(self, number: int) -> str:
        """Which later acts touched a deal, in words; empty when it stands as it was first recorded."""
        rows = [r for r in self.rows if r.number == number]
        if len(rows) == 1:
            return ""
        kind = self.acts[rows[-1].act - 1].kind
        if rows[-1].fact.kind == "reversed":
            return "reversed"
        return "corrected" if kind == "correct" and rows[-1].fact != rows[-2].fact else "settled anew"

    # Counters.

    @cached_property
    def balances(self) -> Mapping[int, Fraction]:
        """What every account holds; the box holds less than nothing by what it has given out."""
        return self._sums(None)

    @cached_property
    def purses(self) -> Mapping[int, Fraction]:
        """What each player was given from the box."""
        given = dict.fromkeys(self.players(), ZERO)
        for entry in self.entries:
            m = entry.movement
            if m.rule not in PURSES:
                continue
            if m.payer == BOX and m.payee in given:
                given[m.payee] += m.amount
            if m.payee == BOX and m.payer in given:
                given[m.payer] -= m.amount
        return given

    def net(self, account: int) -> Fraction:
        """What a player has won, or lost, over the session."""
        return self.balances[account] - self.purses[account]

    def held_before(self, number: int) -> Mapping[int, Fraction]:
        """What every account held when a deal began, before its antes."""
        return self._sums(number)

    def pool_before(self, number: int) -> Fraction:
        """The pool when a deal began, before its antes."""
        return self._sums(number)[POOL]

    def _sums(self, before: int | None) -> dict[int, Fraction]:
        sums = dict.fromkeys(self.accounts, ZERO)
        numbers = {row.id: row.number for row in self.rows} if before is not None else {}
        for entry in self.entries:
            if before is None or entry.deal is None or numbers[entry.deal] < before:
                sums[entry.movement.payer] -= entry.movement.amount
                sums[entry.movement.payee] += entry.movement.amount
        return sums

    def pool_states(self) -> Iterator[PoolState]:
        """The pool after each deal, in order."""
        amount, history, beasts = ZERO, (), 0  # type: Fraction, tuple[Fraction, ...], int
        for number in self.deals:
            movements = self.movements_of(number)
            if any(m.payer == POOL and m.rule in TAKEN_BY for m in movements):
                history, beasts = (), 0
            beasts += any(m.payee == POOL and m.rule in BEASTS for m in movements)
            amount += sum((m.amount * ((m.payee == POOL) - (m.payer == POOL)) for m in movements), ZERO)
            if movements:
                history = (*history, amount) if amount else ()
            stand = self.beasts_after(number)
            yield PoolState(amount, history, beasts if stand is None else stand)

    def pool_state(self) -> PoolState:
        """The pool as it now stands: as the last deal left it, unless it was shared at the end."""
        states = list(self.pool_states())
        left = self.balances[POOL]
        return states[-1] if states and states[-1].amount == left else PoolState(left, (), 0)

    @property
    def times(self) -> int:
        """How many times the next deal counts."""
        counts = self.carry is not None and self.rule("multiplier.after_losses") == "counted"
        return self.carry.losses + 1 if counts and self.carry is not None else 1

    @property
    def beasts(self) -> int | None:
        """How many beasts stand, in the pool or apart, where the rules count them."""
        return self.beasts_after(len(self.deals))

    def beasts_after(self, number: int) -> int | None:
        """How many beasts stood after a deal, in the pool or apart, where the rules count them."""
        counts = self.rule("loss.beasts") == "wait" or self.rule("loss.beast_size") not in (None, "of_pool")
        return self.carries[number].beasts if counts and self.carries else None

    def cannot_pay(self) -> tuple[int, ...]:
        """Who could not pay in the last deal, where the rules end the session for it."""
        if self.rule("table.purse_empty") != "session_ends" or not self.deals:
            return ()
        return tuple(a for a in self.seated(len(self.deals)) if self.balances[a] < 0)

    def rule(self, path: str) -> Any:
        """The plain value of a rule as the session began with it; None for a rule it has not."""
        return json.loads(self.session["rules"]).get(path)

    @cached_property
    def coins(self) -> Denomination:
        """The coins in which this session is told."""
        if self.session["coins"] == "plain":
            return PLAIN
        return denomination(vocabulary.to_typed(vocabulary.leaf_at("table.coins"), self.rule("table.coins") or []))

    # Whether all is well.

    def faults(self) -> Iterator[str]:
        """What is wrong with the books, in words; nothing when they balance."""
        balances, ended = self.balances, self.ended
        given = sum(self.purses.values(), ZERO)
        held = sum((balances[a] for a in self.accounts if a != BOX), ZERO)
        if held != given:
            yield f"players and pools hold {held} counters, and {given} were given out"
        if balances[VOLE_POOL]:
            yield f"the vole pool holds {balances[VOLE_POOL]} counters between two deals"
        if balances[POOL] < 0:
            yield f"the pool holds {balances[POOL]} counters"
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
            if boxed and entry.movement.rule != REFILL and (entry.deal or entry.movement.payer != BOX):
                yield f"entry {entry.id} has to do with the box"
            if entry.deal is None and entry.movement.payer not in (BOX, POOL):
                yield f"entry {entry.id} belongs to no deal"
            if entry.deal is None and entry.movement.payer == POOL and not ended:
                yield f"entry {entry.id} shares the pool before the end"


def load(store: Store) -> Book:
    """Read the books inside a transaction; raises UnreadableError (Q903) for rows that no ledger has."""
    try:
        return _load(store)
    except (ValueError, KeyError, TypeError, IndexError, RecursionError, AttributeError) as e:
        raise damaged(store.path, f"its rows make no sense ({type(e).__name__})") from None


def nobodys(session: Mapping[str, Any]) -> tuple[tuple[int, str, str], ...]:
    """The accounts of a session that are nobody's: number, kind, name."""
    points = json.loads(session["rules"]).get("score.kept") == "points"
    return ACCOUNTS_IN_POINTS if points else ACCOUNTS


def load_session(store: Store) -> dict[str, Any]:
    """What the ledger says of the session as a whole: its rules and their identity, coins, chairs."""
    (session,) = store.rows("session")
    return {**session, "identity": json.loads(session["identity"])}


def _load(store: Store) -> Book:
    accounts = {row["id"]: row["name"] for row in store.rows("account")}
    session = load_session(store)
    known = nobodys(session)
    if list(accounts.items())[: len(known)] != [(number, name) for number, _, name in known]:
        raise ValueError("the accounts of box and pools")
    for name in list(accounts.values())[len(known) :]:
        if name_fault(name):
            raise ValueError("a name")
    book = Book(
        session=session,
        accounts=accounts,
        acts=tuple(
            Act(r["id"], r["kind"], _text(r["at"]), _text(r["program"]), _text(r["note"])) for r in store.rows("act")
        ),
        sittings=tuple(Sitting(r["chair"], r["account"], r["from_deal"]) for r in store.rows("sitting")),
        rows=tuple(_deal(r) for r in store.rows("deal")),
        entries=tuple(_entry(r) for r in store.rows("entry")),
        payments=tuple((r["payer"], r["payee"], parse(r["amount"])) for r in store.rows("payment")),
    )
    _check_session(book.session)
    if not book.coins.coins:
        raise ValueError("coins")
    book.seated(1)
    if any(not 0 <= row.dealer < book.chairs for row in book.rows):
        raise ValueError("a dealer")
    return book


def _check_session(session: Mapping[str, Any]) -> None:
    """Raise ValueError unless what names the rules and coins is of the kind that ``start`` writes."""
    identity = session["identity"]
    texts = [
        session["reference"],
        identity["profile"],
        identity["digest"],
        identity.get("witness") or "",
        *identity.get("added", []),
    ]
    for key in ("readings", "settings"):
        chosen = identity.get(key, {})
        texts += [*chosen.keys(), *chosen.values()]
    for text in texts:
        _text(text)
    if session["coins"] not in (*TOLD, _FORMERLY):
        raise ValueError("coins")
    for key in ("rules", "sources"):
        if not isinstance(json.loads(session[key]), dict):
            raise ValueError(key)


def _deal(row: Mapping[str, Any]) -> DealRow:
    data = json.loads(row["input"])
    if not isinstance(data["result"], dict):
        raise ValueError("a result")
    fact = Fact(row["kind"], data["result"], _text(data["note"]))
    return DealRow(row["id"], row["act"], row["number"], row["dealer"], fact, _text(row["outcome"]))


def _entry(row: Mapping[str, Any]) -> Entry:
    movement = Movement(row["payer"], row["payee"], parse(row["amount"]), _text(row["reason"]), _text(row["rule"]))
    return Entry(row["id"], row["act"], row["deal"], movement, _text(row["source"]), row["reverses"])


def _text(value: str) -> str:
    """A text that may be shown: whoever made the file, it moves no cursor."""
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
