"""The desk at which a session is kept: every command, each one transaction.

What a command returns is in the file for good when it returns; what it raises has left no trace.  A
command reads the whole ledger, once the seal shows that the file is as the last one left it.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from quadrille_core import __version__
from quadrille_core.engine.result import Settlement
from quadrille_core.errors import (
    LedgerError,
    Place,
    PlaceAt,
    Problem,
    QuadrilleError,
    UsageError,
    did_you_mean,
    nowhere,
)
from quadrille_core.ruleset import Compiled
from quadrille_plugins.ledger import seal
from quadrille_plugins.ledger.answers import Table
from quadrille_plugins.ledger.coins import TOLD
from quadrille_plugins.ledger.correcting import Change, resettle
from quadrille_plugins.ledger.deriving import derive
from quadrille_plugins.ledger.ending import NO_SOURCE, SPLIT, Ending, ending_of
from quadrille_plugins.ledger.entering import add_record, add_transaction, enter, seat, stored
from quadrille_plugins.ledger.frozen import FrozenRules, freeze, thaw
from quadrille_plugins.ledger.journal import Fact, Journal, unowned, write
from quadrille_plugins.ledger.loading import load, load_session
from quadrille_plugins.ledger.making import create
from quadrille_plugins.ledger.notes import (
    changed_since,
    deal_of,
    last_standing,
    noted,
    refuse_repetition,
    refuse_stale,
    sat_down,
    sent_by,
)
from quadrille_plugins.ledger.reckoning import course_before, differences, kept
from quadrille_plugins.ledger.refusing import (
    chair_of,
    check_name,
    check_note,
    refuse_fund,
    refuse_when_ended,
    refuse_when_over,
    row_of,
)
from quadrille_plugins.ledger.schema import POOL
from quadrille_plugins.ledger.spreadsheet import Row, in_row
from quadrille_plugins.ledger.standing import DealTally, Movement, tally, write_carry
from quadrille_plugins.ledger.store import Store, damaged
from quadrille_plugins.settle.player_names import composed


@dataclass(frozen=True, slots=True)
class Undone:
    """What ``undo`` took back, in words, and the deals that changed by it."""

    what: str
    changes: tuple[Change, ...]


def start(
    path: Path,
    compiled: Compiled,
    reference: str,
    players: Sequence[str],
    *,
    dealer: str | None,
    coins: str = "rules",
) -> None:
    """Begin a ledger in a new file; ``players`` are in the order of play, the last deals first by
    default.

    ``coins`` says how amounts are told: in the coins of the ``rules``, or in ``plain`` counters.

    Raises UsageError for players, a file name or rules that will not do, LedgerError when it cannot
    be written.
    """
    rules = compiled.ruleset.rules
    refuse_fund(rules)
    if len(players) != rules.table.players:
        raise UsageError.of(
            "other-number-named", players=len(players), players2=rules.table.players
        )
    players = [composed(name) for name in players]
    for i, name in enumerate(players):
        check_name(name, players[:i])
    dealer = None if dealer is None else composed(dealer)
    if dealer is not None and dealer not in players:
        raise UsageError.of("dealer-no-player", did_you_mean(dealer, players), dealer=dealer)
    if coins not in TOLD:
        raise UsageError.of("no-such-coins", did_you_mean(coins, TOLD, what="ways"), coins=coins)

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
        _refuse_faults(store, [*load(store).faults()])
        seal.put(store, act)

    def check(store: Store) -> None:
        seal.check(store)
        journal = load(store)
        rules = thaw(journal.session, __version__).rules
        _refuse_faults(store, [*journal.faults(), *differences(journal, rules)])

    create(path, fill, check)


def _refuse_faults(store: Store, faults: Sequence[str]) -> None:
    """Raise LedgerError, so that the transaction is undone, unless all is well."""
    if faults:
        said = "; ".join(faults[:3])
        raise LedgerError.of("books-do-not-balance", place=store.path, said=said)


@dataclass(slots=True)
class _Draft:
    """A transaction in progress: the journal before it, and the new state so far."""

    journal: Journal
    tallies: Mapping[int, DealTally] = field(default_factory=dict)
    """The tallies of deals that are new or have changed."""
    entered: Journal | None = None
    """The journal after it, once it is written."""


class Ledger(AbstractContextManager["Ledger"]):
    """An open ledger.  Close it, or use it as a context."""

    def __init__(self, path: Path) -> None:
        """Open and check the ledger; see ``Store.open`` for what is raised."""
        self._store = Store.open(path)
        self._rules: FrozenRules | None = None
        try:
            with self._store.reading():
                seal.check(self._store)
        except BaseException:
            self.close()
            raise

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._store.close()

    def journal(self) -> Journal:
        """The journal as it stands now; raises UnreadableError for rows that make no sense."""
        with self._store.reading():
            return self._journal()

    def _journal(self) -> Journal:
        seal.check(self._store)
        journal = load(self._store)
        if faults := [*journal.faults()]:
            raise damaged(self._store.path, "own-words", words="; ".join(faults[:3]))
        return journal

    def _frozen(self, journal: Journal) -> FrozenRules:
        if self._rules is None:
            try:
                self._rules = thaw(journal.session, journal.transactions[0].program)
            except (AttributeError, TypeError, ValueError, KeyError) as e:
                kind = type(e).__name__
                raise damaged(self._store.path, "senseless-rules", kind=kind) from None
        return self._rules

    def verify(self) -> Journal:
        """Check the whole file and derive every deal anew; returns the journal when everything is
        certified.

        Raises UnreadableError (Q903) for a file that is damaged, LedgerError (Q910) with every deal
        that comes to something else than was recorded, and (Q907) when this version does not know
        the ledger's rules.
        """
        with self._store.reading():
            self._store.look_over_all()
            journal = self._journal()
            if faults := [*seal.check_history(self._store)]:
                raise damaged(self._store.path, "own-words", words="; ".join(faults[:3]))
            found = [*differences(journal, self._frozen(journal).rules)]
        if found:
            by = {"program": journal.transactions[-1].program, "version": __version__}
            place = Place(str(self._store.path))
            raise LedgerError(
                Problem("Q910", "other-than-recorded", {"what": what, **by}, place)
                for what in found[:20]
            )
        return journal

    # One command.

    @contextmanager
    def _writing(self) -> Iterator[_Draft]:
        """A transaction of one command."""
        with self._store.writing(), self._command() as draft:
            yield draft

    @contextmanager
    def _command(self, last: _Draft | None = None) -> Iterator[_Draft]:
        """A command that ends when what it has written is read back, balances and is certified;
        refused after the session's end.  It goes on from the ``last`` of its transaction."""
        store = self._store
        before = seal.check(store)
        journal = (last and last.entered) or self._journal()
        refuse_when_ended(journal, store.path)
        draft = _Draft(journal)
        yield draft
        act = store.last("act")
        for number, found in draft.tallies.items():
            state = write_carry(found.carry)
            store.add("tally", act=act, deal=number, record=found.record, state=state)
        entered = draft.entered = load(store)
        faults = [*entered.faults()]
        if entered.tallies != {**journal.tallies, **draft.tallies}:
            faults.append("a deal was entered as something else than it comes to")
        _refuse_faults(store, faults)
        seal.put(store, act, before)

    # Deals.

    def record(
        self,
        fact: Fact,
        *,
        dealer: str | None = None,
        number: int | None = None,
        place: PlaceAt = nowhere,
        last_act: int | None = None,
        key: str = "",
    ) -> int:
        """Record the next deal; returns its number.

        ``dealer`` names who dealt, where it was not who should have.  ``number`` is the deal it is
        meant for: whoever got no answer may ask again and not record it twice.  ``last_act`` is the
        last command known to whoever asks, ``key`` that of their form.  Raises ResultError with
        every fault of an impossible result, UsageError when another deal is next, SentBeforeError
        when the form was recorded, LedgerError (Q912) where another command was the last.
        """
        check_note(fact)
        with self._writing() as draft:
            return self._record(draft, fact, dealer, number, place, last_act, key)

    def record_all(self, rows: Sequence[Row]) -> list[int]:
        """Record deals one after another, all of them in one transaction or none; returns their
        numbers.

        Raises as ``record`` does, each fault by its row.
        """

        last: _Draft | None = None

        def one(row: Row) -> int:
            nonlocal last
            with self._command(last) as draft:
                last = draft
                journal = draft.journal
                number = journal.next_deal
                due = self._table_of(journal, number)
                dealer = row.dealer(due)
                fact = row.fact(self._table_of(journal, number, dealer))
                check_note(fact)
                return self._record(draft, fact, dealer, row.deal, nowhere, None, "")

        with self._store.writing():
            return [in_row(row, partial(one, row)) for row in rows]

    def _record(
        self,
        draft: _Draft,
        fact: Fact,
        dealer: str | None,
        number: int | None,
        place: PlaceAt,
        last_act: int | None,
        key: str,
    ) -> int:
        journal = draft.journal
        refuse_repetition(journal, key)
        if number is not None and number != journal.next_deal:
            is_old = 0 < number < journal.next_deal
            variant = "deal-recorded-already" if is_old else "another-deal-is-next"
            raise UsageError.of(variant, next_deal=journal.next_deal, number=number)
        refuse_stale(journal, last_act)
        number = journal.next_deal
        frozen = self._frozen(journal)
        start = self._table_of(journal, number, dealer).start
        chair = journal.next_dealer if dealer is None else chair_of(journal, dealer, number)
        derived = derive(frozen.rules, start, fact, place)
        act = add_transaction(self._store, "deal", noted(key))
        record = add_record(self._store, act, number, chair, fact, derived, frozen)
        carry = kept(frozen.rules, derived.carry)
        draft.tallies = {number: tally(record, journal.last, derived.movements, carry)}
        return number

    def table(self, dealer: str | None = None, number: int | None = None) -> Table:
        """The rules and the start of the next deal, or of the deal of that number as it is
        recorded."""
        journal = self.journal()
        if number is None:
            refuse_when_ended(journal, self._store.path)
        else:
            row_of(journal, number)
        return self._table_of(journal, number or journal.next_deal, dealer)

    def _table_of(self, journal: Journal, number: int, dealer: str | None = None) -> Table:
        if number == journal.next_deal:
            refuse_when_over(journal)
        due = journal.deals[number].dealer if number in journal.deals else journal.next_dealer
        chair = due if dealer is None else chair_of(journal, dealer, number)
        rules = self._frozen(journal).rules
        course = course_before(journal, rules, number)
        return Table(rules, course.begins(journal, rules, number, chair))

    def fact(self, number: int) -> Fact:
        """What is recorded of a deal; raises UsageError when there is no such deal."""
        return row_of(self.journal(), number).fact

    def settled(self, number: int) -> Settlement | None:
        """How the engine settles a deal; None where nothing was played, or where this version knows
        no such rules."""
        journal = self.journal()
        fact = journal.deals[number].fact
        if fact.kind != "result":
            return None
        try:
            return self._table_of(journal, number).derive(fact.data).settlement
        except QuadrilleError:
            return None

    def correct(
        self,
        number: int,
        fact: Fact,
        *,
        dealer: str | None = None,
        place: PlaceAt = nowhere,
        was: int | None = None,
        key: str = "",
    ) -> tuple[Change, ...]:
        """Put another account in place of a deal's: its entries are reversed, and it is recorded
        anew.

        Later deals are settled anew where the pool or the favourite suit they began with has
        changed. Returns what changed, deal by deal.  ``was`` is the record that is to be replaced,
        ``key`` that of the form that says so.  Raises as ``record`` does, UsageError when there is
        no such deal, LedgerError (Q912) when another record is in force.
        """
        check_note(fact)
        with self._writing() as draft:
            refuse_repetition(draft.journal, key)
            if was not in (None, row_of(draft.journal, number).id):
                raise changed_since(f"deal {number} was changed")
            return self._correct(draft, number, fact, dealer=dealer, place=place, note=noted(key))

    def _correct(
        self,
        draft: _Draft,
        number: int,
        fact: Fact,
        *,
        dealer: str | None = None,
        place: PlaceAt = nowhere,
        note: str = "",
    ) -> tuple[Change, ...]:
        kind = "reverse" if fact.kind == "reversed" else "correct"
        journal = draft.journal
        row = row_of(journal, number)
        if row.fact.kind == fact.kind == "reversed":
            raise UsageError.of("reversed-already", number=number)
        chair = row.dealer if dealer is None else chair_of(journal, dealer, number)
        frozen = self._frozen(journal)
        act = add_transaction(self._store, kind, f"deal {number}" + (f"; {note}" if note else ""))
        changed = replace(row, fact=stored(fact), dealer=chair)
        draft.tallies, changes = resettle(self._store, journal, frozen, act, changed, place)
        return changes

    def reverse(self, number: int, *, was: int | None = None, key: str = "") -> tuple[Change, ...]:
        """Take a deal back: as ``correct``, with nothing in its place."""
        return self.correct(number, Fact("reversed"), was=was, key=key)

    def deal_sent(self, key: str) -> int | None:
        """The deal that a form with this key recorded or changed, 0 where it was about none; None
        if nothing was."""
        journal = self.journal()
        act = sent_by(journal, key)
        return None if act is None else deal_of(journal, act) or 0

    def undo(self, *, last_act: int | None = None, key: str = "") -> Undone:
        """Take back the last entry that stands, by transfers that run the other way; nothing is
        deleted.

        A deal recorded is taken back, a deal corrected or taken back stands again as before, and
        who left sits down again.  Undone twice, the last two are taken back.  ``last_act`` is the
        last command known to whoever asks, ``key`` that of their form.  Raises UsageError when
        there is nothing to take back, LedgerError (Q912) where another command was the last.
        """
        with self._writing() as draft:
            # another process may not come between the choice and the deed
            journal = draft.journal
            refuse_repetition(journal, key)
            refuse_stale(journal, last_act)
            last = last_standing(journal)
            if last is None:
                raise UsageError.of("nothing-to-take-back")
            note = noted(key, f"undoes command {last.id}")
            number = deal_of(journal, last)
            if number is None:
                new, old = sat_down(journal, last)
                number = self._substitute(draft, new, old, note)
                return Undone(f"{old} sits for {new} again, from deal {number} on", ())
            earlier = [row for row in journal.records_of(number) if row.act < last.id]
            if not earlier:
                changes = self._correct(draft, number, Fact("reversed"), note=note)
                return Undone(f"Deal {number} is taken back", changes)
            before = earlier[-1]
            dealer = journal.dealer_of(before)
            changes = self._correct(draft, number, before.fact, dealer=dealer, note=note)
            return Undone(
                f"Deal {number} stands again as it did before it was corrected or taken back",
                changes,
            )

    # People.

    def substitute(self, old: str, new: str, *, last_act: int | None = None, key: str = "") -> int:
        """Give ``old``'s chair to ``new`` from the next deal on; returns that deal's number.

        A newcomer gets a purse; whoever has sat at the table before goes on with what they left.
        ``last_act`` and ``key`` as for ``record``.  Raises UsageError when ``old`` does not sit
        there, or ``new`` does, LedgerError when by its rules the session is over or (Q912) another
        command was the last.
        """
        with self._writing() as draft:
            refuse_repetition(draft.journal, key)
            refuse_stale(draft.journal, last_act)
            return self._substitute(draft, composed(old), composed(new), noted(key))

    def _substitute(self, draft: _Draft, old: str, new: str, note: str = "") -> int:
        journal = draft.journal
        refuse_when_over(journal)
        number = journal.next_deal
        chair = chair_of(journal, old, number)
        seated = journal.seated(number)
        old = journal.accounts[seated[chair]]
        known = journal.account_of(new)
        if known in seated:
            raise UsageError.of("sits-already", new=new)
        act = add_transaction(
            self._store, "substitute", f"{new} for {old}" + (f"; {note}" if note else "")
        )
        if known is not None:
            self._store.add("sitting", act=act, chair=chair, account=known, from_deal=number)
        else:
            check_name(new, (journal.accounts[a] for a in journal.players()))
            seat(self._store, act, chair, new, number, self._frozen(journal))
        return number

    # The end.

    def ending(self, *, split_pool: bool = False) -> Ending:
        """How the session would be settled now, or was when it ended; nothing is written."""
        return ending_of(self.journal(), split_pool)

    def end(self, *, split_pool: bool = False, last_act: int | None = None) -> Ending:
        """Settle and end the session: after this nothing more is recorded.

        ``split_pool`` shares the pool equally among those seated; ``last_act`` is the last command
        known to whoever asks.  Raises LedgerError when it has ended, and (Q912) where another
        command was the last.
        """
        with self._writing() as draft:
            refuse_stale(draft.journal, last_act)
            ending = ending_of(draft.journal, split_pool)
            act = add_transaction(self._store, "end", SPLIT if split_pool else "")
            for account, part in ending.shared.items():
                enter(self._store, act, None, Movement(POOL, account, part, SPLIT, ""), NO_SOURCE)
            for payer, payee, amount in ending.payments:
                self._store.add("payment", act=act, payer=payer, payee=payee, amount=write(amount))
        return ending
