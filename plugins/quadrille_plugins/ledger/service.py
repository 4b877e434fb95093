"""The desk at which a session is kept: every command, each one transaction.

What a command returns is in the file for good when it returns; what it raises has left no trace.  A command goes on
from the standing that the last one certified, once the seal shows that the file is as that one left it.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from quadrille_core import __version__
from quadrille_core.engine.carry import START, Carry
from quadrille_core.engine.possible import Locate
from quadrille_core.engine.result import composed
from quadrille_core.errors import LedgerError, Place, Problem, QuadrilleError, UsageError, did_you_mean
from quadrille_core.ruleset import Compiled
from quadrille_plugins.ledger.coins import TOLD
from quadrille_plugins.ledger.correcting import Change, resettle
from quadrille_plugins.ledger.deriving import derive, favourite_after
from quadrille_plugins.ledger.ending import NO_SOURCE, SPLIT, Ending, ending_of
from quadrille_plugins.ledger.entering import add_record, add_transaction, enter, seat, stored
from quadrille_plugins.ledger.frozen import FrozenRules, freeze, thaw
from quadrille_plugins.ledger.journal import DealRow, Entry, Fact, Journal, unowned, write
from quadrille_plugins.ledger.loading import certified, entry_of, load, load_session
from quadrille_plugins.ledger.making import create
from quadrille_plugins.ledger.names import check_name
from quadrille_plugins.ledger.reckoning import differences, kept, reckoned, situation_of
from quadrille_plugins.ledger.rows import Latest
from quadrille_plugins.ledger.schema import BOX, POOL
from quadrille_plugins.ledger.seal import Seal, check_history
from quadrille_plugins.ledger.standing import (
    NOTHING,
    ZERO,
    DealTally,
    Movement,
    Standing,
    moved_on,
    tally,
    write_standing,
    write_tally,
)
from quadrille_plugins.ledger.store import Store, damaged

_LONGEST_NOTE: Final = 200
_NONE: Final[Collection[int]] = ()


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
    players = [composed(name) for name in players]
    for i, name in enumerate(players):
        check_name(name, players[:i])
    dealer = None if dealer is None else composed(dealer)
    if dealer is not None and dealer not in players:
        raise UsageError(f"the dealer {dealer[:40]!r} is none of the players", help=did_you_mean(dealer, players))
    if coins not in TOLD:
        raise UsageError(f"amounts cannot be shown in {coins[:40]!r}", help=did_you_mean(coins, TOLD, what="ways"))

    def fill(store: Store) -> None:
        store.add(
            "session",
            reference=reference,
            **freeze(compiled),
            coins=coins,
            chairs=len(players),
            first_dealer=len(players) - 1 if dealer is None else players.index(dealer),
        )
        for _, kind, name in unowned(load_session(store)):
            store.add("account", kind=kind, name=name)
        act = add_transaction(store, "start", "")
        frozen = thaw(load_session(store), __version__)
        for chair, name in enumerate(players):
            seat(store, act, chair, name, 1, frozen)
        journal = load(store)
        standing = reckoned(journal, frozen).standing
        _refuse_faults(store, [*standing.faults(), *journal.faults()])
        Seal().put(store, act, write_standing(standing))

    def check(store: Store) -> None:
        seal = Seal()
        seal.check(store)
        journal = certified(store, load(store), seal)
        frozen = thaw(journal.session, __version__)
        _refuse_faults(store, [*journal.faults(), *differences(journal, frozen)])

    create(path, fill, check)


def _refuse_faults(store: Store, faults: Sequence[str]) -> None:
    """Raise LedgerError, so that the transaction is undone, unless all is well."""
    if faults:
        hint = "this is a fault of the program: please report it with the file"
        raise LedgerError(Problem("Q905", "; ".join(faults[:3]), Place(str(store.path)), hint))


@dataclass(slots=True)
class _Draft:
    """A transaction in progress: the journal before it, and the new state so far."""

    journal: Journal
    tallies: Mapping[int, DealTally] = field(default_factory=dict)
    """The tallies of deals that are new or have changed."""
    favourite: str | None = None


class Ledger(AbstractContextManager["Ledger"]):
    """An open ledger.  Close it, or use it as a context."""

    def __init__(self, path: Path, *, write: bool = True) -> None:
        """Open and check the ledger; see ``Store.open`` for what is raised."""
        self._store = Store.open(path, write=write)
        self._rules: FrozenRules | None = None
        self._seal = Seal()
        try:
            with self._store.reading():
                if self._store.certifies:
                    self._seal.check(self._store)
                elif faults := list(load(self._store).faults()):
                    raise damaged(path, "; ".join(faults[:3]))
        except BaseException:
            self.close()
            raise

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._store.close()

    def journal(self, deals: Collection[int] | None = None) -> Journal:
        """The journal as it stands now; raises UnreadableError for rows that make no sense.

        ``deals`` names those whose entries are wanted; of the others the journal then has records and tallies alone.
        """
        with self._store.reading():
            return self._journal(deals)

    def _journal(self, deals: Collection[int] | None) -> Journal:
        if not self._store.certifies:
            journal = load(self._store)
            try:
                return reckoned(journal, self._frozen(journal))
            except QuadrilleError:  # begun by another version: what was recorded can still be shown
                return reckoned(journal, None)
        self._seal.check(self._store)
        numbers = None if deals is None else frozenset(deals)
        journal = load(self._store, None if numbers is None else lambda rows: _records(rows, numbers))
        return certified(self._store, journal, self._seal)

    def _frozen(self, journal: Journal) -> FrozenRules:
        if self._rules is None:
            try:
                self._rules = thaw(journal.session, journal.transactions[0].program)
            except (AttributeError, TypeError, ValueError, KeyError) as e:
                raise damaged(self._store.path, f"its rules make no sense ({type(e).__name__})") from None
        return self._rules

    def verify(self) -> Journal:
        """Check the whole file and derive every deal anew; returns the journal when everything is certified.

        Raises UnreadableError (Q903) for a file that is damaged, LedgerError (Q910) with every deal that comes to
        something else than was recorded, and (Q907) when this version does not know the ledger's rules.
        """
        with self._store.reading():
            self._store.look_over_all()
            journal = self._journal(None)
            faults = list(journal.faults())
            if self._store.certifies:
                faults += check_history(self._store)
            if faults:
                raise damaged(self._store.path, "; ".join(faults[:3]))
            found = differences(journal, self._frozen(journal))
        if found:
            program = journal.transactions[-1].program
            hint = f"the last command was written by quadrille {program}, and this is {__version__}"
            place = Place(str(self._store.path))
            raise LedgerError([Problem("Q910", what, place, hint) for what in found[:20]])
        return journal

    # One command.

    @contextmanager
    def _writing(self, deals: Collection[int] | None = _NONE) -> Iterator[_Draft]:
        """A transaction that ends when its books balance and are certified; refused after the session's end."""
        seal, version = self._seal.copy(), self._store.version
        try:
            with self._store.writing():
                journal = self._journal(deals)
                if journal.ended:
                    place = Place(str(self._store.path))
                    raise LedgerError(Problem("Q906", "the session has ended; nothing is recorded after", place))
                if not self._store.certifies:
                    self._upgrade(journal)
                draft = _Draft(journal, favourite=journal.standing.favourite)
                yield draft
                self._certify(draft)
        except BaseException:
            self._seal, self._store.version = seal, version
            raise

    def _upgrade(self, journal: Journal) -> None:
        """Certify a ledger of version 1, deriving all of it."""
        self._store.upgrade()
        act = journal.transactions[-1].id
        for number, found in journal.tallies.items():
            self._store.add("tally", act=act, deal=number, record=found.record, state=write_tally(found))
        self._seal.put(self._store, act, write_standing(journal.standing))

    def _certify(self, draft: _Draft) -> None:
        """Read back what the command has written, and certify the standing it comes to.

        Raises LedgerError unless the entries read back are what was derived, and balance.
        """
        store, journal, was = self._store, draft.journal, draft.journal.standing
        entries = [entry_of(row) for row in store.tuples("entry", "id > ?", self._seal.rows_read("entry"))]
        players = [row[3] for row in store.tuples("sitting")]
        held = {row[0]: journal.balances.get(row[0], ZERO) for row in store.tuples("account")}
        balances, purses = moved_on(held, was.purses, entries, players)
        tallies = draft.tallies
        deals = max(was.deals, max(tallies, default=0))
        last = tallies.get(deals, was.last)
        standing = Standing(deals, last, balances, purses, draft.favourite)
        _refuse_faults(store, [*standing.faults(), *_misentered(draft, entries)])
        act = store.last("act")
        for number, found in tallies.items():
            store.add("tally", act=act, deal=number, record=found.record, state=write_tally(found))
        self._seal.put(store, act, write_standing(standing))

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
        with self._writing() as draft:
            journal = draft.journal
            if number is not None and number != journal.next_deal:
                hint = "it is recorded already" if 0 < number < journal.next_deal else "look with `session show`"
                raise UsageError(f"the next deal is {journal.next_deal}, not {number}", help=hint)
            number = journal.next_deal
            chair = journal.next_dealer if dealer is None else _chair_of(journal, dealer, number)
            _refuse_when_over(journal)
            frozen, last = self._frozen(journal), journal.standing.last
            carry = self._carry(journal, frozen)
            situation = situation_of(journal, number, chair, carry, draft.favourite, frozen, journal.balances)
            derived = derive(frozen.rules, situation, fact, place)
            record = add_record(
                self._store, add_transaction(self._store, "deal", ""), number, chair, fact, derived, frozen
            )
            draft.tallies = {number: tally(record, last, derived.movements, kept(frozen, derived.carry))}
            draft.favourite = favourite_after(frozen.rules, draft.favourite, stored(fact))
        return number

    def _carry(self, journal: Journal, frozen: FrozenRules) -> Carry:
        """What the next deal starts from; derived from all deals when an older version wrote last."""
        if journal.carry is not None:
            return journal.carry
        carry = reckoned(load(self._store), frozen).carry
        return START if carry is None else carry

    def correct(
        self, number: int, fact: Fact, *, dealer: str | None = None, place: Locate | None = None
    ) -> tuple[Change, ...]:
        """Put another account in place of a deal's: its entries are reversed, and it is recorded anew.

        Later deals are settled anew where the pool or the favourite suit they began with has changed.
        Returns what changed, deal by deal.  Raises as ``record`` does, and UsageError when there is no such deal.
        """
        _check_note(fact)
        kind = "reverse" if fact.kind == "reversed" else "correct"
        with self._writing(deals=None) as draft:
            journal = draft.journal
            row = _row(journal, number)
            if row.fact.kind == fact.kind == "reversed":
                raise UsageError(f"deal {number} is reversed already", help="`session correct` records it again")
            chair = row.dealer if dealer is None else _chair_of(journal, dealer, number)
            frozen = self._frozen(journal)
            if journal.carry is None:  # written last by a version that could not tell
                journal = reckoned(journal, frozen)
            act = add_transaction(self._store, kind, f"deal {number}")
            changed = replace(row, fact=stored(fact), dealer=chair)
            done = resettle(self._store, journal, frozen, act, changed, place)
            draft.journal, draft.tallies, draft.favourite = journal, done.tallies, done.favourite
        return done.changes

    def reverse(self, number: int) -> tuple[Change, ...]:
        """Take a deal back: as ``correct``, with nothing in its place."""
        return self.correct(number, Fact("reversed"))

    # People.

    def substitute(self, old: str, new: str) -> int:
        """Give ``old``'s chair to ``new`` from the next deal on; returns that deal's number.

        A newcomer gets a purse; whoever has sat at the table before goes on with what they left.  Raises
        UsageError when ``old`` does not sit there, or ``new`` does, LedgerError when by its rules the session is over.
        """
        old, new = composed(old), composed(new)
        with self._writing() as draft:
            journal = draft.journal
            _refuse_when_over(journal)
            number = journal.next_deal
            chair = _chair_of(journal, old, number)
            seated = journal.seated(number)
            known = journal.account_of(new)
            if known in seated:
                raise UsageError(f"{new} sits at the table already")
            act = add_transaction(self._store, "substitute", f"{new} for {old}")
            if known is not None:
                self._store.add("sitting", act=act, chair=chair, account=known, from_deal=number)
            else:
                check_name(new, (journal.accounts[a] for a in journal.players()))
                seat(self._store, act, chair, new, number, self._frozen(journal))
        return number

    # The end.

    def ending(self, *, split_pool: bool = False) -> Ending:
        """How the session would be settled now, or was when it ended; nothing is written."""
        return ending_of(self.journal(_NONE), split_pool)

    def end(self, *, split_pool: bool = False) -> Ending:
        """Settle and end the session: after this nothing more is recorded.

        ``split_pool`` shares the pool equally among those seated.  Raises LedgerError when it has ended.
        """
        with self._writing() as draft:
            ending = ending_of(draft.journal, split_pool)
            act = add_transaction(self._store, "end", SPLIT if split_pool else "")
            for account, part in ending.shared.items():
                enter(self._store, act, None, Movement(POOL, account, part, SPLIT, ""), NO_SOURCE)
            for payer, payee, amount in ending.payments:
                self._store.add("payment", act=act, payer=payer, payee=payee, amount=write(amount))
        return ending


def _records(rows: Latest[DealRow], numbers: Collection[int]) -> list[int]:
    """Every record of these deals, those too that hold no more."""
    return [row[0] for row in rows.all_rows() if row[2] in numbers]


def _misentered(draft: _Draft, entries: Sequence[Entry]) -> Iterator[str]:
    """Where the entries of a command are not what was derived, in words."""
    journal = draft.journal
    by_record: dict[int, list[Entry]] = {}
    for entry in entries:
        if entry.reverses is None and entry.deal is not None:
            by_record.setdefault(entry.deal, []).append(entry)
        if entry.deal is None and entry.movement.payer not in (BOX, POOL):
            yield f"entry {entry.id} belongs to no deal"
    reversed_ = {entry.reverses for entry in entries}
    for number, found in draft.tallies.items():
        before = journal.tallies.get(number)
        if before is not None and before.record == found.record:
            continue
        entered = tally(0, NOTHING, (e.movement for e in by_record.pop(found.record, ())), None)
        if (entered.net, entered.given) != (found.net, found.given):
            yield f"deal {number} was entered as something else than it comes to"
        if before is not None and any(e.id not in reversed_ for e in journal.entries_of(journal.deals[number])):
            yield f"deal {number} is counted twice or not at all"
    if by_record:
        yield "entries belong to a deal that was not recorded"


def _check_note(fact: Fact) -> None:
    if len(fact.note) > _LONGEST_NOTE or not fact.note.isprintable():
        raise UsageError(f"a reason is one line of at most {_LONGEST_NOTE} characters")


def _chair_of(journal: Journal, name: str, number: int) -> int:
    """The chair a player sits on in a deal; raises UsageError when they sit on none."""
    names = [journal.accounts[a] for a in journal.seated(number)]
    if composed(name) not in names:
        raise UsageError(f"{name[:40]!r} does not sit at the table", help=did_you_mean(name, names, what="players"))
    return names.index(composed(name))


def _row(journal: Journal, number: int) -> DealRow:
    if number not in journal.deals:
        count = journal.standing.deals
        known = f"deals are numbered 1 to {count}" if count else "no deal has been recorded"
        raise UsageError(f"there is no deal {number}", help=known)
    return journal.deals[number]


def _refuse_when_over(journal: Journal) -> None:
    if poor := journal.cannot_pay():
        names = " and ".join(journal.accounts[a] for a in poor)
        message = f"{names} could not pay in deal {journal.standing.deals}, and by these rules that ends the session"
        hint = "end it with `session end`; a mistake is mended with `session correct`"
        raise LedgerError(Problem("Q909", message, None, hint))
