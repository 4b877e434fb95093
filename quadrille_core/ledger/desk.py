"""The desk at which a session is kept: every command, each one transaction.

What a command returns is in the file for good when it returns; what it raises has left no trace.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import Final

from quadrille_core import __version__
from quadrille_core.engine.carry import START, Carry, remembers
from quadrille_core.engine.possible import Locate
from quadrille_core.engine.result import name_fault
from quadrille_core.engine.shares import share
from quadrille_core.errors import LedgerError, Place, Problem, QuadrilleError, ResultError, UsageError, did_you_mean
from quadrille_core.ledger.books import ZERO, Book, DealRow, Fact, Movement, load, load_session, nobodys, write
from quadrille_core.ledger.clearing import clear
from quadrille_core.ledger.coins import TOLD
from quadrille_core.ledger.deriving import NOT_STORED, Derived, Situation, derive, session_favourite
from quadrille_core.ledger.frozen import FrozenRules, freeze, thaw
from quadrille_core.ledger.schema import BOX, POOL
from quadrille_core.ledger.store import Store, create, damaged
from quadrille_core.ruleset import Compiled

SPLIT: Final = "the pool shared at the end"
NO_SOURCE: Final = "no source speaks of it"
_LONGEST_NOTE: Final = 200


@dataclass(frozen=True, slots=True)
class Change:
    """What a correction did to one deal: how it stood, how it stands, and the pool after it."""

    number: int
    before: str
    after: str
    difference: Mapping[int, Fraction]
    """By how much more, or less, each player now has by this deal; whoever has the same is left out."""
    pool_before: Fraction
    pool_after: Fraction
    """The pool when the deal was over: as it stood, and as it stands."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a session is settled.

    ``net`` is by account, the pool standing for what is left in it; ``payments`` are (from, to, amount).
    """

    net: Mapping[int, Fraction]
    shared: Mapping[int, Fraction]
    """Who got how much of the pool, where it was shared."""
    pool: Fraction
    """What is left standing."""
    payments: tuple[tuple[int, int, Fraction], ...]
    fewest: bool
    split: bool = False
    """Whether the pool was to be shared, though it may have been too small for it."""


def check_name(name: str, others: Iterable[str] = ()) -> None:
    """Raise UsageError for a name that no player may bear at this table."""
    fault = name_fault(name)
    if fault is None and (name.lower() == "box" or name[0] in "=+-@"):
        fault = f"no player can be called {name!r}: " + (
            "the ledger calls the box of counters so" if name.lower() == "box" else "spreadsheets read it as a formula"
        )
    if fault:
        raise UsageError(Problem("Q207", fault))
    for other in others:
        if other.casefold() == name.casefold():
            raise UsageError(f"there are two called {name}", help="give every player a name of their own")


def start(
    path: Path, compiled: Compiled, reference: str, players: Sequence[str], *, dealer: str | None, coins: str = "rules"
) -> None:
    """Begin a ledger in a new file; ``players`` are in the order of play, the last deals first by default.

    ``coins`` says how amounts are told: in the coins of the ``rules``, or in ``plain`` counters.

    Raises UsageError for players or a file name that will not do, LedgerError when it cannot be written.
    """
    rules = compiled.ruleset.rules
    if len(players) != rules.table.players:
        hint = "name each with --player, in the order of play, which runs anticlockwise"
        raise UsageError(f"{len(players)} players are named, and these rules seat {rules.table.players}", help=hint)
    for i, name in enumerate(players):
        check_name(name, players[:i])
    if dealer is not None and dealer not in players:
        raise UsageError(f"the dealer {dealer[:40]!r} is none of the players", help=did_you_mean(dealer, players))
    if coins not in TOLD:
        raise UsageError(f"amounts are not told in {coins[:40]!r}", help=did_you_mean(coins, TOLD, what="ways"))

    def fill(store: Store) -> None:
        store.add(
            "session",
            reference=reference,
            **freeze(compiled),
            coins=coins,
            chairs=len(players),
            first_dealer=len(players) - 1 if dealer is None else players.index(dealer),
        )
        for _, kind, name in nobodys(load_session(store)):
            store.add("account", kind=kind, name=name)
        act = _act(store, "start", "")
        frozen = thaw(load_session(store), __version__)
        for chair, name in enumerate(players):
            _seat(store, act, chair, name, 1, frozen)
        _verify(store)

    create(path, fill)


def _act(store: Store, kind: str, note: str) -> int:
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return store.add("act", kind=kind, at=now, program=__version__, note=note)


def _seat(store: Store, act: int, chair: int, name: str, from_deal: int, frozen: FrozenRules) -> None:
    """Give a new player an account, a purse and a chair."""
    account = store.add("account", kind="player", name=name)
    store.add("sitting", act=act, chair=chair, account=account, from_deal=from_deal)
    purse = Fraction(frozen.rules.table.purse)
    if purse:
        movement = Movement(BOX, account, purse, "purse", "table.purse")
        _enter(store, act, None, movement, frozen.source_of("table.purse"))


def _enter(
    store: Store, act: int, deal: int | None, movement: Movement, source: str, reverses: int | None = None
) -> None:
    store.add(
        "entry",
        act=act,
        deal=deal,
        payer=movement.payer,
        payee=movement.payee,
        amount=write(movement.amount),
        reason=movement.reason,
        rule=movement.rule,
        source=source,
        reverses=reverses,
    )


def _verify(store: Store) -> Book:
    """Read back what the transaction has written; raises LedgerError, so that it is undone, unless it balances."""
    book = load(store)
    faults = list(book.faults())
    if faults:
        hint = "this is a fault of the program: please report it with the file"
        raise LedgerError(Problem("Q905", "; ".join(faults[:3]), Place(str(store.path)), hint))
    return book


class Ledger:
    """An open ledger.  Close it, or use it as a context."""

    def __init__(self, path: Path, *, write: bool = True) -> None:
        """Open and check the ledger; see ``Store.open`` for what is raised."""
        self._store = Store.open(path, write=write)
        self._rules: FrozenRules | None = None
        try:
            faults = list(self.book().faults())
            if faults:
                raise damaged(path, "; ".join(faults[:3]))
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> "Ledger":
        """The ledger itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._store.close()

    def book(self) -> Book:
        """The books as they stand now; raises UnreadableError for rows that make no sense."""
        with self._store.reading():
            book = load(self._store)
        try:
            return replace(book, carries=tuple(_carries(book, self._frozen(book))))
        except QuadrilleError:  # begun by another version: what was recorded can still be shown
            return book

    def _frozen(self, book: Book) -> FrozenRules:
        if self._rules is None:
            try:
                self._rules = thaw(book.session, book.acts[0].program)
            except (AttributeError, TypeError, ValueError, KeyError) as e:
                raise damaged(self._store.path, f"its rules make no sense ({type(e).__name__})") from None
        return self._rules

    @contextmanager
    def _writing(self) -> Iterator[Book]:
        """The books inside a transaction that ends when its books balance; refused after the session's end."""
        with self._store.writing():
            book = load(self._store)
            if book.ended:
                place = Place(str(self._store.path))
                raise LedgerError(Problem("Q906", "the session has ended; nothing is recorded after", place))
            yield book
            _verify(self._store)

    # Deals.

    def record(
        self, fact: Fact, *, dealer: str | None = None, number: int | None = None, place: Locate | None = None
    ) -> int:
        """Record the next deal; returns its number.

        ``dealer`` names who dealt, where it was not who should have.  ``number`` is the deal it is meant for:
        whoever got no answer may ask again and not record it twice.  Raises ResultError with every fault of
        an impossible result, UsageError when another deal is next.
        """
        _check_note(fact)
        with self._writing() as book:
            if number is not None and number != book.next_deal:
                hint = "it is recorded already" if 0 < number < book.next_deal else "look with `session show`"
                raise UsageError(f"the next deal is {book.next_deal}, not {number}", help=hint)
            number = book.next_deal
            chair = book.next_dealer if dealer is None else _chair_of(book, dealer, number)
            _refuse_when_over(book)
            facts = [row.fact for row in book.deals.values()]
            frozen = self._frozen(book)
            situation = _situation(book, number, chair, _carries(book, frozen)[-1], facts, frozen, book.balances)
            derived = derive(frozen.rules, situation, fact, place)
            self._append(_act(self._store, "deal", ""), number, chair, fact, derived, frozen)
        return number

    def correct(
        self, number: int, fact: Fact, *, dealer: str | None = None, place: Locate | None = None
    ) -> tuple[Change, ...]:
        """Put another account in place of a deal's: its entries are reversed, and it is recorded anew.

        Later deals are settled anew where the pool or the favourite suit they began with has changed.
        Returns what changed, deal by deal.  Raises as ``record`` does, and UsageError when there is no such deal.
        """
        _check_note(fact)
        kind = "reverse" if fact.kind == "reversed" else "correct"
        with self._writing() as book:
            row = _row(book, number)
            if row.fact.kind == fact.kind == "reversed":
                raise UsageError(f"deal {number} is reversed already", help="`session correct` records it again")
            chair = row.dealer if dealer is None else _chair_of(book, dealer, number)
            act = _act(self._store, kind, f"deal {number}")
            self._resettle(book, act, replace(row, fact=_stored(fact), dealer=chair), place)
            new = load(self._store)
            return tuple(_changes(book, new, number))

    def reverse(self, number: int) -> tuple[Change, ...]:
        """Take a deal back: as ``correct``, with nothing in its place."""
        return self.correct(number, Fact("reversed"))

    def _resettle(self, book: Book, act: int, changed: DealRow, place: Locate | None) -> None:
        frozen = self._frozen(book)
        deals = {**book.deals, changed.number: changed}
        carries = _carries(book, frozen)
        carry = carries[changed.number - 1]
        old_facts = [row.fact for row in book.deals.values()]
        facts = [row.fact for row in deals.values()]
        held = dict(book.held_before(changed.number))
        for number in range(changed.number, len(deals) + 1):
            row = deals[number]
            before = book.held_before(number)
            now = _situation(book, number, row.dealer, carry, facts[: number - 1], frozen, held)
            was = _situation(book, number, row.dealer, carries[number - 1], old_facts[: number - 1], frozen, before)
            if row is not changed and now == was:
                carry = carries[number]
                _move(held, book.movements_of(number))
                continue
            try:
                derived = derive(frozen.rules, now, row.fact, place if row is changed else None)
            except ResultError as e:
                if row is changed:
                    raise
                raise ResultError([replace(p, message=f"deal {number}: {p.message}") for p in e.problems]) from None
            _move(held, derived.movements)
            old = book.deals[number]
            if row is not changed and (derived.movements, derived.outcome) == (book.movements_of(number), old.outcome):
                carry = derived.carry
                continue
            for entry in book.entries_of(old):
                m = entry.movement
                back = Movement(m.payee, m.payer, m.amount, f"reversal: {m.reason}", m.rule)
                _enter(self._store, act, old.id, back, entry.source, entry.id)
            self._append(act, number, row.dealer, row.fact, derived, frozen)
            carry = derived.carry

    def _append(self, act: int, number: int, chair: int, fact: Fact, derived: Derived, frozen: FrozenRules) -> None:
        kept = _stored(fact)
        row = self._store.add(
            "deal",
            act=act,
            number=number,
            kind=kept.kind,
            dealer=chair,
            input=json.dumps({"result": kept.data, "note": kept.note}, ensure_ascii=False, sort_keys=True),
            outcome=derived.outcome,
        )
        for movement in derived.movements:
            _enter(self._store, act, row, movement, frozen.source_of(movement.rule))

    # People.

    def substitute(self, old: str, new: str) -> int:
        """Give ``old``'s chair to ``new`` from the next deal on; returns that deal's number.

        A newcomer gets a purse; whoever has sat at the table before goes on with what they left.  Raises
        UsageError when ``old`` does not sit there, or ``new`` does, LedgerError when by its rules the session is over.
        """
        with self._writing() as book:
            _refuse_when_over(book)
            number = book.next_deal
            chair = _chair_of(book, old, number)
            seated = book.seated(number)
            known = book.account_of(new)
            if known in seated:
                raise UsageError(f"{new} sits at the table already")
            act = _act(self._store, "substitute", f"{new} for {old}")
            if known is not None:
                self._store.add("sitting", act=act, chair=chair, account=known, from_deal=number)
            else:
                check_name(new, (book.accounts[a] for a in book.players()))
                _seat(self._store, act, chair, new, number, self._frozen(book))
        return number

    # The end.

    def ending(self, *, split_pool: bool = False) -> Ending:
        """How the session would be settled now, or was when it ended; nothing is written."""
        return _ending(self.book(), split_pool)

    def end(self, *, split_pool: bool = False) -> Ending:
        """Settle and end the session: after this nothing more is recorded.

        ``split_pool`` shares the pool equally among those seated.  Raises LedgerError when it has ended.
        """
        with self._writing() as book:
            ending = _ending(book, split_pool)
            act = _act(self._store, "end", SPLIT if split_pool else "")
            for account, part in ending.shared.items():
                _enter(self._store, act, None, Movement(POOL, account, part, SPLIT, ""), NO_SOURCE)
            for payer, payee, amount in ending.payments:
                self._store.add("payment", act=act, payer=payer, payee=payee, amount=write(amount))
        return ending


def _ending(book: Book, split_pool: bool) -> Ending:
    pool = book.balances[POOL]
    seated = book.seated(book.next_deal)
    shared: dict[int, Fraction] = {}
    if book.ended:
        split_pool = any(act.kind == "end" and act.note == SPLIT for act in book.acts)
        shared = {e.movement.payee: e.movement.amount for e in book.entries if e.movement.reason == SPLIT}
    elif split_pool and pool:
        eldest_first = book.seats(book.next_deal, book.next_dealer)
        parts = share(lambda: book.rule("stakes.odd_counters") or "exact", range(len(seated)), pool)
        shared = {account: parts.of(seat) for seat, account in enumerate(eldest_first) if parts.of(seat)}
        pool = parts.left
    net = {a: book.net(a) + (ZERO if book.ended else shared.get(a, ZERO)) for a in book.players()}
    if pool:
        # what lies in the pool is owed to whoever sits down to play for it
        net[POOL] = pool
    if book.in_points:  # points are nobody's debt
        return Ending(net, shared, pool, (), True, split_pool)
    accounts = list(net)
    cleared = clear([net[a] for a in accounts])
    payments = tuple((accounts[payer], accounts[payee], amount) for payer, payee, amount in cleared.payments)
    return Ending(net, shared, pool, book.payments if book.ended else payments, cleared.fewest, split_pool)


def _check_note(fact: Fact) -> None:
    if len(fact.note) > _LONGEST_NOTE or not fact.note.isprintable():
        raise UsageError(f"a reason is one line of at most {_LONGEST_NOTE} characters")


def _stored(fact: Fact) -> Fact:
    return replace(fact, data={k: v for k, v in fact.data.items() if k not in NOT_STORED and v is not None})


def _chair_of(book: Book, name: str, number: int) -> int:
    """The chair a player sits on in a deal; raises UsageError when they sit on none."""
    names = [book.accounts[a] for a in book.seated(number)]
    if name not in names:
        raise UsageError(f"{name[:40]!r} does not sit at the table", help=did_you_mean(name, names, what="players"))
    return names.index(name)


def _row(book: Book, number: int) -> DealRow:
    if number not in book.deals:
        known = f"deals are numbered 1 to {len(book.deals)}" if book.deals else "no deal has been recorded"
        raise UsageError(f"there is no deal {number}", help=known)
    return book.deals[number]


def _situation(
    book: Book,
    number: int,
    dealer: int,
    carry: Carry,
    facts: Sequence[Fact],
    frozen: FrozenRules,
    held: Mapping[int, Fraction],
) -> Situation:
    accounts = book.seats(number, dealer)
    refilled = frozen.rules.table.purse_empty == "refill"
    return Situation(
        accounts,
        tuple(book.accounts[a] for a in accounts),
        carry,
        session_favourite(frozen.rules, facts),
        str(book.session["reference"]),
        book.session["identity"].get("readings", {}),
        tuple(held[a] for a in accounts) if refilled else (),
    )


def _carries(book: Book, frozen: FrozenRules) -> list[Carry]:
    """What each deal began with, and at the end what the next begins with.

    The pool is that of the entries; the rest follows from what was recorded, as it did then.
    """
    carries = [START]
    facts: list[Fact] = []
    for number, row in book.deals.items():
        carry = carries[-1]
        held = carry.held + _flow(book.movements_of(number))
        if remembers(frozen.rules):
            situation = _situation(book, number, row.dealer, carry, facts, frozen, book.held_before(number))
            carry = derive(frozen.rules, situation, row.fact).carry
        facts.append(row.fact)
        carries.append(replace(carry, pool=held - sum(carry.waiting, ZERO)))
    return carries


def _refuse_when_over(book: Book) -> None:
    if poor := book.cannot_pay():
        names = " and ".join(book.accounts[a] for a in poor)
        message = f"{names} could not pay in deal {len(book.deals)}, and by these rules that ends the session"
        hint = "end it with `session end`; a mistake is mended with `session correct`"
        raise LedgerError(Problem("Q909", message, None, hint))


def _move(held: dict[int, Fraction], movements: Iterable[Movement]) -> None:
    for m in movements:
        held[m.payer] -= m.amount
        held[m.payee] += m.amount


def _flow(movements: Iterable[Movement]) -> Fraction:
    """What the pool has gained by these movements."""
    return sum((m.amount * ((m.payee == POOL) - (m.payer == POOL)) for m in movements), ZERO)


def _net(movements: Iterable[Movement]) -> dict[int, Fraction]:
    """What each has won or lost by movements; a purse from the box is neither."""
    net: dict[int, Fraction] = {}
    for m in movements:
        if BOX in (m.payer, m.payee):
            continue
        net[m.payer] = net.get(m.payer, ZERO) - m.amount
        net[m.payee] = net.get(m.payee, ZERO) + m.amount
    return net


def _changes(old: Book, new: Book, first: int) -> Iterator[Change]:
    pools = [(a.amount, b.amount) for a, b in zip(old.pool_states(), new.pool_states(), strict=True)]
    for number in range(first, len(new.deals) + 1):
        if old.deals[number].id == new.deals[number].id:
            continue
        before, after = _net(old.movements_of(number)), _net(new.movements_of(number))
        difference = {a: after.get(a, ZERO) - before.get(a, ZERO) for a in new.players()}
        yield Change(
            number,
            old.deals[number].outcome,
            new.deals[number].outcome,
            {a: d for a, d in difference.items() if d},
            *pools[number - 1],
        )
