"""The desk at which a session is kept: every command, each one transaction.

What a command returns is in the file for good when it returns; what it raises has left no trace.  A
command reads the whole ledger, once the seal shows that the file is as the last one left it.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, TypedDict, Unpack

from quadrille_core import __version__
from quadrille_core.engine.result import Settlement
from quadrille_core.engine.terms import in_points
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
from quadrille_core.frozen import frozen
from quadrille_core.rules import Rules
from quadrille_core.ruleset import Compiled
from quadrille_plugins.ledger import seal
from quadrille_plugins.ledger.answers import Table
from quadrille_plugins.ledger.coins import TOLD
from quadrille_plugins.ledger.deriving import derive
from quadrille_plugins.ledger.ending import NO_SOURCE, SPLIT, Ending, ending_of
from quadrille_plugins.ledger.entering import (
    add_event,
    add_record,
    add_transaction,
    enter,
    reverse,
    seat,
    stored,
)
from quadrille_plugins.ledger.frozen import FrozenRules, as_json, freeze, thaw
from quadrille_plugins.ledger.hand import Former
from quadrille_plugins.ledger.journal import (
    DealRow,
    Fact,
    Journal,
    Round,
    Transaction,
    order_by,
    unowned,
    write,
)
from quadrille_plugins.ledger.loading import load, load_session
from quadrille_plugins.ledger.notes import (
    SentBeforeError,
    changed_since,
    deal_of,
    last_standing,
    noted,
    sent_by,
)
from quadrille_plugins.ledger.reckoning import (
    Change,
    RulesAt,
    course_before,
    deals_from,
    differences,
    kept,
    resettle,
)
from quadrille_plugins.ledger.refusing import (
    check_name,
    check_note,
    one_of,
    refuse_fund,
    refuse_when_empty,
    refuse_when_ended,
    refuse_when_over,
    row_of,
    seated_as,
    turned,
)
from quadrille_plugins.ledger.renaming import renamed, with_names
from quadrille_plugins.ledger.schema import POOL
from quadrille_plugins.ledger.spreadsheet import Row, in_rows, told_together
from quadrille_plugins.ledger.standing import DealTally, Movement, carry_to_plain, write_carry
from quadrille_plugins.ledger.store import Store, create, damaged
from quadrille_plugins.ledger.words import word
from quadrille_plugins.settle.player_names import composed, likeness, player_meant


class Form(TypedDict, total=False):
    """What whoever asks knows of the ledger; where it is said, every command but ``end`` heeds it.

    A command raises SentBeforeError for a key that it has seen, LedgerError (Q912) where another
    command was the last.
    """

    last_act: int | None
    """The last command known to them."""
    key: str
    """That of the form that they send."""


@frozen
class Undone:
    """What ``undo`` took back, in words, and the deals that changed by it."""

    what: str
    changes: tuple[Change, ...] = ()


def start(
    path: Path,
    compiled: Compiled | None,
    reference: str,
    players: Sequence[str],
    *,
    dealer: str | None,
    coins: str | None = None,
    former: Former | None = None,
) -> None:
    """Begin a ledger in a new file; ``players`` are in the order of play, the last deals first by
    default.

    ``coins`` says how amounts are told: in the coins of the ``rules``, or in ``plain`` counters.
    Pool and balances are those of the ``former`` ledger, and so are rules, players, dealer and
    coins where none are given.

    Raises UsageError for players, a file name or rules that will not do, LedgerError when it cannot
    be written.
    """
    rules, columns = _begun_by(compiled, reference, former)
    refuse_fund(rules)
    if former is not None:
        dealer = former.dealer if not players and dealer is None else dealer
        players = players or former.players
    if len(players) != rules.table.players:
        taken = former is not None and players == former.players
        variant = "other-number-sits-there" if taken else "other-number-named"
        raise UsageError.of(variant, players=len(players), players2=rules.table.players)
    players = [composed(name) for name in players]
    for i, name in enumerate(players):
        check_name(name, players[:i])
    dealer = None if dealer is None else composed(dealer)
    if dealer is not None and dealer not in players:
        raise UsageError.of("dealer-no-player", did_you_mean(dealer, players), dealer=dealer)
    coins = coins or (former.coins if former else TOLD[0])
    if coins not in TOLD:
        raise UsageError.of("no-such-coins", did_you_mean(coins, TOLD, what="ways"), coins=coins)

    def fill(store: Store) -> None:
        store.add(
            "session",
            **columns,
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
        if former is not None:
            _take_over(store, act, frozen, former, players)
        _refuse_faults(store, [*load(store).faults()])
        seal.put(store, act)

    def check(store: Store) -> None:
        seal.check(store)
        journal = load(store)
        frozen = thaw(journal.session, __version__)
        _refuse_faults(store, [*journal.faults(), *differences(journal, lambda _: frozen)])

    create(path, fill, check)


def _begun_by(
    compiled: Compiled | None, reference: str, former: Former | None
) -> tuple[Rules, dict[str, str]]:
    """The rules of a session, and the columns that hold them."""
    if compiled is None and former is None:
        raise UsageError.of("start-without-rules")
    if compiled is None:
        assert former is not None  # noqa: S101 - as was just asked
        return former.frozen.rules, dict(former.columns)
    rules = compiled.rules
    if former is not None and former.in_points != in_points(rules):
        raise UsageError.of("points-or-counters")
    return rules, {"reference": reference, **freeze(compiled)}


def _take_over(
    store: Store, act: int, frozen: FrozenRules, former: Former, players: Sequence[str]
) -> None:
    """Write what another ledger leaves as the first entry, whoever does not sit down now too."""
    for at, name in enumerate(others := former.others(players)):
        check_name(name, (*players, *others[:at]))
        store.add("account", kind="player", name=name)
    journal, fact = load(store), former.fact()
    row = DealRow(0, act, 1, (), fact, "", 1)
    begins = course_before(journal, lambda _: frozen, 1).begins(journal, frozen.rules, row)
    derived = derive(frozen.rules, begins, fact)
    record = add_record(store, act, row, derived, frozen)
    state = write_carry(kept(frozen.rules, derived.carry))
    store.add("tally", act=act, deal=1, record=record, state=state)


def _refuse_form(journal: Journal, last_act: int | None = None, key: str = "") -> None:
    """Raise SentBeforeError for a form that was heeded, LedgerError where another command was the
    last."""
    if sent_by(journal, key) is not None:
        raise SentBeforeError.of("form-recorded-already")
    if last_act not in (None, journal.transactions[-1].id):
        raise changed_since("something was recorded")


def _refuse_another(journal: Journal, number: int | None, left_out: int = 0) -> None:
    """Raise UsageError unless the deal of that number is next, after so many more."""
    due = journal.next_deal + left_out
    if number not in (None, due):
        variant = "deal-recorded-already" if 0 < number < due else "another-deal-is-next"
        raise UsageError.of(variant, next_deal=due, number=number)


def _refuse_faults(store: Store, faults: Sequence[str]) -> None:
    """Raise LedgerError, so that the transaction is undone, unless all is well."""
    if faults:
        said = "; ".join(faults[:3])
        raise LedgerError.of("books-do-not-balance", place=store.path, said=said)


@dataclass(slots=True)
class _Draft:
    """A transaction in progress: the journal before it, and the new state so far."""

    journal: Journal
    note: str = ""
    """What the transaction says besides its object."""
    tallies: Mapping[int, DealTally] = field(default_factory=dict)
    """The tallies of deals that are new or have changed, by number."""
    places: list[int] = field(default_factory=list)
    """The place in the file of every deal in the new order; empty where none is new."""
    renamed: Mapping[str, str] = field(default_factory=dict)
    """Who is called otherwise by it."""
    entered: Journal | None = None
    """The journal after it, once it is written."""


class Ledger(AbstractContextManager["Ledger"]):
    """An open ledger.  Close it, or use it as a context."""

    def __init__(self, path: Path) -> None:
        """Open and check the ledger; see ``Store.open`` for what is raised."""
        self._store = Store.open(path)
        self._rules: dict[int, FrozenRules] = {}
        self.changes: tuple[Change, ...] = ()
        """What the last command that recorded a deal changed of others."""
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

    def _frozen(self, journal: Journal, brought: int | None = None) -> FrozenRules:
        """The rules that a command brought; those of the next deal, where none is named."""
        brought = journal.rules if brought is None else brought
        if brought not in self._rules:
            began = journal.transactions[max(brought, 1) - 1].program
            try:
                self._rules[brought] = thaw(journal.rules_at(brought), began)
            except (AttributeError, TypeError, ValueError, KeyError) as e:
                kind = type(e).__name__
                raise damaged(self._store.path, "senseless-rules", kind=kind) from None
        return self._rules[brought]

    def _rules_at(self, journal: Journal) -> RulesAt:
        return lambda brought: self._frozen(journal, brought)

    def rules_in_force(self) -> FrozenRules:
        """The rules of the next deal, with their citations."""
        return self._frozen(self.journal())

    def rules_named(self) -> tuple[str, list[str], list[str]]:
        """The rules of the next deal as a command line names them: reference, readings, rules set
        by hand."""
        journal = self.journal()
        told = journal.rules_at(journal.rules)
        readings, settings = (told["identity"].get(key, {}) for key in ("readings", "settings"))
        return (
            str(told["reference"]),
            [f"{point}={reading}" for point, reading in readings.items()],
            [f"{path}={value}" for path, value in settings.items()],
        )

    def left(self) -> Former:
        """What another ledger may take over of this one."""
        with self._store.reading():
            journal, certified = self._journal(), seal.check(self._store)
        columns = journal.rules_at(journal.rules)
        net = {} if journal.ended else {a: journal.net(a) for a in journal.players()}
        identity = as_json(columns["identity"])
        return Former(
            name=self._store.path.name,
            certified=certified,
            columns={**{key: columns[key] for key in _RULES_COLUMNS}, "identity": identity},
            frozen=self._frozen(journal),
            players=tuple(journal.names_of(journal.seated())),
            dealer=journal.accounts[journal.dealing()[1]],
            net={journal.accounts[a]: amount for a, amount in net.items()},
            pool=journal.balances[POOL],
            carry=carry_to_plain(journal.carry),
            coins=journal.session["coins"],
        )

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
            found = [*differences(journal, self._rules_at(journal))]
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
    def _writing(
        self,
        *,
        number: int | None = None,
        reopening: bool = False,
        **form: Unpack[Form],
    ) -> Iterator[_Draft]:
        """A transaction of one command, of the deal of that number where it must be next."""
        with self._store.writing(), self._command(reopening=reopening) as draft:
            _refuse_form(draft.journal, **form)
            _refuse_another(draft.journal, number)
            draft.note = noted(form.get("key", ""))
            yield draft

    @contextmanager
    def _command(self, last: _Draft | None = None, *, reopening: bool = False) -> Iterator[_Draft]:
        """A command that ends when what it has written is read back, balances and is certified;
        refused after the session's end.  It goes on from the ``last`` of its transaction."""
        store = self._store
        before = seal.check(store)
        journal = (last and last.entered) or self._journal()
        if not reopening:
            refuse_when_ended(journal, store.path)
        draft = _Draft(journal)
        yield draft
        act = store.last("act")
        places = draft.places or [row.place for row in journal.deals.values()]
        numbers = {place: number for number, place in enumerate(places, 1)}
        stood = {
            numbers[row.place]: replace(
                journal.tallies[n], carry=with_names(journal.tallies[n].carry, draft.renamed)
            )
            for n, row in journal.deals.items()
        }
        for number, found in draft.tallies.items():
            place, state = places[number - 1], write_carry(found.carry)
            store.add("tally", act=act, deal=place, record=found.record, state=state)
        entered = draft.entered = load(store)
        faults = [*entered.faults()]
        if entered.tallies != {**stood, **draft.tallies}:
            faults.append("a deal was entered as something else than it comes to")
        _refuse_faults(store, faults)
        seal.put(store, act, before)

    # Deals.

    def record(
        self,
        fact: Fact,
        *,
        dealer: str | None = None,
        players: Sequence[str] = (),
        before: int | None = None,
        number: int | None = None,
        place: PlaceAt = nowhere,
        **form: Unpack[Form],
    ) -> int:
        """Record the next deal, or an entry by hand; returns its number.

        ``dealer`` names who dealt, ``players`` who played in the order of play, where it was not
        who should have; ``before`` is the deal before which it is inserted.  ``number`` is the deal
        that must be next: whoever got no answer may ask again and not record it twice.
        Raises ResultError with every fault of an impossible result, UsageError when another deal is
        next.
        """
        check_note(fact)
        with self._writing(number=number, **form) as draft:
            row = self._next_row(
                draft.journal, dealer, players, before, is_deal=fact.kind != "entry"
            )
            kind = "enter" if fact.kind == "entry" else "insert" if before else "deal"
            self._record(draft, replace(row, fact=fact), kind, place)
        return row.number

    def record_all(self, rows: Sequence[Row], **form: Unpack[Form]) -> list[int]:
        """Record deals one after another, all of them in one transaction or none; returns their
        numbers.

        Raises as ``record`` does, with the faults of all rows, each by its row; those after a
        faulty one are read as if it were not there.
        """

        last: _Draft | None = None
        faulty: list[QuadrilleError] = []

        def one(given: Row) -> int:
            nonlocal last
            with self._command(last) as draft:
                draft.note = "" if last else noted(form.get("key", ""))
                last = draft
                journal = draft.journal
                _refuse_another(journal, given.deal, len(faulty))
                row = self._next_row(journal, given.dealer(journal))
                row = replace(row, fact=given.fact(self._table_of(journal, row)))
                check_note(row.fact)
                self._record(draft, row, "deal")
                return row.number

        with self._store.writing():
            _refuse_form(self._journal(), **form)
            numbers = [*in_rows(rows, one, faulty)]
            if faulty:
                raise type(faulty[0])(told_together(faulty))
            return numbers

    def _record(self, draft: _Draft, row: DealRow, kind: str, place: PlaceAt = nowhere) -> None:
        if row.number == draft.journal.next_deal and row.fact.kind != "entry":
            refuse_when_over(draft.journal)
        sequence = [*draft.journal.deals.values()]
        sequence.insert(row.number - 1, row)
        self._arrange(draft, kind, sequence, row, place)

    def _next_row(
        self,
        journal: Journal,
        dealer: str | None = None,
        players: Sequence[str] = (),
        before: int | None = None,
        *,
        is_deal: bool = True,
    ) -> DealRow:
        """The next deal, or one inserted before another, with who should play it."""
        number, brought = before or journal.next_deal, journal.rules
        if before is not None and before != journal.next_deal:
            row_of(journal, before)
        later = [
            journal.deals[n] for n in range(number, journal.count + 1) if not journal.is_entry(n)
        ]
        if later:
            brought = later[0].rules
        fact, place = Fact("reversed"), journal.count + 1
        row = DealRow(0, 0, number, (), fact, "", place, brought)
        if not is_deal:
            return row
        if later:
            dealt = journal.dealer_after(number - 1)
            row = replace(row, seating=turned(journal, later[0].seating, dealt))
        else:
            refuse_when_empty(journal)
            chair = _chair_named(journal, None if players else dealer)
            due, deals = journal.due(chair), journal.dealing(chair)
            row = replace(row, seating=due, out=() if deals in due else (deals,))
        named = dealer if players or later else None
        return seated_as(journal, row, players, named) if players or named else row

    def _arrange(
        self,
        draft: _Draft,
        kind: str,
        sequence: Sequence[DealRow],
        changed: DealRow | None = None,
        place: PlaceAt = nowhere,
        **event: Any,
    ) -> tuple[Change, ...]:
        """Let the deals follow one another so, one of them as it is to be recorded."""
        journal, store = draft.journal, self._store
        act = add_transaction(store, kind, draft.note)
        rules_at = self._rules_at(journal)
        draft.tallies, changes = resettle(store, journal, rules_at, act, sequence, changed, place)
        places = [row.place for row in sequence]
        if places[: journal.count] != [row.place for row in journal.deals.values()]:
            add_event(store, act, "order", {"order": places, **event})
        draft.places = places
        self.changes = tuple(c for c in changes if c.before)
        return changes

    def move(self, number: int, to: int, **form: Unpack[Form]) -> tuple[Change, ...]:
        """Let a deal stand as the one of another number, those between move up or down; who dealt
        and played stays.

        Raises UsageError where there are no such deals, ResultError where one then cannot have
        been.
        """
        with self._writing(**form) as draft:
            journal = draft.journal
            for one in (number, to):
                row_of(journal, one)
            if number == to:
                raise UsageError.of("stands-there-already", number=number)
            sequence = [*journal.deals.values()]
            row = sequence.pop(number - 1)
            sequence.insert(to - 1, row)
            return self._arrange(draft, "move", sequence, moved=row.place)

    def table(
        self,
        dealer: str | None = None,
        number: int | None = None,
        *,
        players: Sequence[str] = (),
        before: int | None = None,
    ) -> Table:
        """The rules and the start of the next deal, of one to be inserted before another, or of the
        deal of that number as it is recorded."""
        journal = self.journal()
        if number is None:
            refuse_when_ended(journal, self._store.path)
            row = self._next_row(journal, dealer, players, before)
            if row.number == journal.next_deal:
                refuse_when_over(journal)
        else:
            row = self._seated(journal, number, dealer, players)
        return self._table_of(journal, row)

    def _table_of(self, journal: Journal, row: DealRow) -> Table:
        rules = self._frozen(journal, row.rules).rules
        course = course_before(journal, self._rules_at(journal), row.number)
        return Table(rules, course.begins(journal, rules, row))

    def _seated(
        self, journal: Journal, number: int, dealer: str | None, players: Sequence[str]
    ) -> DealRow:
        """A deal as it is recorded, but for who dealt and who played."""
        row = row_of(journal, number)
        if row.fact.kind == "entry" or journal.is_entry(number):
            raise UsageError.of("entry-is-no-deal", number=number)
        return seated_as(journal, row, players, dealer) if players or dealer else row

    def start_by_law(self) -> Table:
        """The rules and the start of the next deal, whoever sits there: what a law is asked of."""
        journal = self.journal()
        refuse_when_ended(journal, self._store.path)
        row = self._next_row(journal, is_deal=False)
        return self._table_of(journal, replace(row, seating=journal.due()))

    def fact(self, number: int, players: Sequence[str] = ()) -> Fact:
        """What is recorded of a deal, with those who played it in place of who did not; raises
        UsageError when there is no such deal."""
        journal = self.journal()
        row = row_of(journal, number)
        if not players:
            return row.fact
        now = self._seated(journal, number, None, players).seats
        gone = [a for a in row.seats if a not in now]
        came = [a for a in now if a not in row.seats]
        names = {journal.accounts[a]: journal.accounts[b] for a, b in zip(gone, came, strict=True)}
        return replace(row.fact, data=renamed(row.fact.data, names))

    def settled(self, number: int) -> Settlement | None:
        """How the engine settles a deal; None where nothing was played, or where this version knows
        no such rules."""
        journal = self.journal()
        row = journal.deals[number]
        if row.fact.kind != "result":
            return None
        try:
            return self._table_of(journal, row).derive(row.fact.data).settlement
        except QuadrilleError:
            return None

    def correct(
        self,
        number: int,
        fact: Fact,
        *,
        dealer: str | None = None,
        players: Sequence[str] = (),
        place: PlaceAt = nowhere,
        was: int | None = None,
        **form: Unpack[Form],
    ) -> tuple[Change, ...]:
        """Put another account in place of a deal's: its entries are reversed, and it is recorded
        anew.

        Later deals are settled anew where the pool or the favourite suit they began with has
        changed. Returns what changed, deal by deal.  ``was`` is the record that is to be replaced.
        Raises as ``record`` does, UsageError when there is no such deal, LedgerError (Q912) when
        another record is in force.
        """
        check_note(fact)
        with self._writing(**form) as draft:
            journal = draft.journal
            row = row_of(journal, number)
            if was not in (None, row.id):
                raise changed_since(f"deal {number} was changed")
            if dealer is not None or players:
                row = self._seated(journal, number, dealer, players)
            elif fact.kind != "reversed" and journal.is_entry(number) != (fact.kind == "entry"):
                raise UsageError.of("entry-is-no-deal", number=number)
            return self._correct(draft, replace(row, fact=fact), place)

    def _correct(self, draft: _Draft, row: DealRow, place: PlaceAt = nowhere) -> tuple[Change, ...]:
        journal, number = draft.journal, row.number
        reversing = row.fact.kind == "reversed"
        if reversing and journal.deals[number].fact.kind == "reversed":
            raise UsageError.of("reversed-already", number=number)
        kind = "reverse" if reversing else "correct"
        row = replace(row, fact=stored(row.fact))
        sequence = [row if r.number == number else r for r in journal.deals.values()]
        draft.note = "; ".join(filter(None, (f"deal {number}", draft.note)))
        return self._arrange(draft, kind, sequence, row, place)

    def reverse(
        self, number: int, *, was: int | None = None, **form: Unpack[Form]
    ) -> tuple[Change, ...]:
        """Take a deal back: as ``correct``, with nothing in its place."""
        return self.correct(number, Fact("reversed"), was=was, **form)

    def deal_sent(self, key: str) -> int | None:
        """The deal that a form with this key recorded or changed, 0 where it was about none; None
        if nothing was."""
        journal = self.journal()
        act = sent_by(journal, key)
        return None if act is None else deal_of(journal, act) or 0

    def undo(self, **form: Unpack[Form]) -> Undone:
        """Take back the last entry that stands, by transfers that run the other way; nothing is
        deleted.

        A deal recorded is taken back, a deal corrected or taken back stands again as before; who
        left sits down again, and so for names, rules and the order of deals.  Undone twice, the
        last two are taken back.  Raises UsageError when there is nothing to take back.
        """
        with self._writing(**form) as draft:
            # another process may not come between the choice and the deed
            journal = draft.journal
            last = last_standing(journal)
            if last is None:
                raise UsageError.of("nothing-to-take-back")
            draft.note = noted(form.get("key", ""), f"undoes command {last.id}")
            if last.kind not in _OF_DEALS:
                return self._undo_event(draft, last)
            number = deal_of(journal, last)
            assert number is not None  # noqa: S101 - such a command records a deal
            earlier = [row for row in journal.records_of(number) if row.act < last.id]
            if not earlier:
                back = replace(journal.deals[number], fact=Fact("reversed"))
                return Undone(word("undone-deal", number=number), self._correct(draft, back))
            was = earlier[-1]
            before = replace(journal.deals[number], fact=was.fact, seating=was.seating, out=was.out)
            return Undone(word("undone-correction", number=number), self._correct(draft, before))

    def _undo_event(self, draft: _Draft, last: Transaction) -> Undone:
        """Take back a command that recorded no deal."""
        journal = draft.journal
        if last.kind == "move":
            before = order_by((e for e in journal.events if e.act < last.id), journal.count)
            sequence = [journal.by_place[place] for place in before]
            return Undone(word("undone-move"), self._arrange(draft, "move", sequence))
        if last.kind == "rename":
            called = journal.called_by(last.id)
            self._rename(draft, {a: former for a, (former, _) in called.items()})
            again = (word("called-again", name=n, former=f) for f, n in called.values())
            return Undone(word("and").join(again))
        if last.kind == "rules":
            brought = [e.act for e in journal.events if e.kind == "rules" and e.act < last.id]
            self._bring(draft, journal.rules_at(max(brought, default=0)))
            return Undone(word("undone-rules"))
        former = journal.rounds[max(a for a in journal.rounds if a < last.id)]
        number = self._sit(draft, last.kind, former)
        sat, sit = ({a for _, a in chairs if a} for chairs in (former, journal.rounds[last.id]))
        back, gone = journal.names_of(sat - sit), journal.names_of(sit - sat)
        if len(back) == len(gone) == 1:
            return Undone(word("sits-again", new=back[0], old=gone[0], number=number))
        return Undone(word("undone-seats", number=number))

    # People.

    def substitute(self, old: str, new: str, **form: Unpack[Form]) -> int:
        """Give ``old``'s chair to ``new`` from the next deal on; returns that deal's number.

        A newcomer gets a purse; whoever has sat at the table before goes on with what they left.
        Raises UsageError when ``old`` does not sit there, or ``new`` does, LedgerError when by its
        rules the session is over.
        """
        with self._seating(form) as draft:
            leaves = one_of(draft.journal, old, draft.journal.seated())
            chair = next(c for c, a in draft.journal.round if a == leaves)
            chairs = _exchanged(draft.journal, {leaves: None})
            return self._sit(draft, "substitute", chairs, composed(new), chair)

    @contextmanager
    def _seating(self, form: Form) -> Iterator[_Draft]:
        with self._writing(**form) as draft:
            refuse_when_over(draft.journal)
            yield draft

    def leave(self, name: str, **form: Unpack[Form]) -> int:
        """Leave a chair empty from the next deal on; as ``substitute``, with nobody in its
        place."""
        with self._seating(form) as draft:
            leaves = one_of(draft.journal, name, draft.journal.seated())
            if len(draft.journal.seated()) == 1:
                raise UsageError.of("nobody-left")
            return self._sit(draft, "seats", _exchanged(draft.journal, {leaves: None}))

    def join(self, name: str, **form: Unpack[Form]) -> int:
        """Give an empty chair to somebody, or a new one just before whoever dealt last, who then
        sits out the next deal; as ``substitute``."""
        with self._seating(form) as draft:
            chairs = draft.journal.round
            empty = next((c for c, a in chairs if a is None), None)
            if empty is None:
                if len(chairs) >= MOST_CHAIRS:
                    raise UsageError.of("no-more-chairs", most=MOST_CHAIRS)
                empty = max(c for c, _ in chairs) + 1
                next_dealer = draft.journal.next_dealer
                at = ([c for c, _ in chairs].index(next_dealer) - 1) % len(chairs)
                chairs = (*chairs[:at], (empty, None), *chairs[at:])
            return self._sit(draft, "seats", chairs, composed(name), empty)

    def exchange(self, one: str, other: str, **form: Unpack[Form]) -> int:
        """Let two players exchange chairs from the next deal on; as ``substitute``."""
        with self._seating(form) as draft:
            journal = draft.journal
            first, second = (one_of(journal, name, journal.seated()) for name in (one, other))
            if first == second:
                raise UsageError.of("sits-already", new=journal.accounts[first])
            chairs = _exchanged(journal, {first: second, second: first})
            return self._sit(draft, "seats", chairs)

    def _sit(
        self, draft: _Draft, kind: str, chairs: Round, new: str | None = None, chair: int = -1
    ) -> int:
        """Seat everybody so, and ``new``, who may never have sat here, on that chair; returns the
        number of the next deal."""
        journal, number = draft.journal, draft.journal.next_deal
        names = journal.names_of(journal.players())
        known = None if new is None else player_meant(new, names)
        account = None if known is None else journal.account_of(known)
        if account is not None and account in journal.seated():
            raise UsageError.of("sits-already", new=new)
        act = add_transaction(self._store, kind, draft.note)
        if new is not None and account is None:
            _check_new_names(journal, {0: new})
            account = seat(self._store, act, chair, new, number, self._frozen(journal))
        elif account is not None:
            self._store.add("sitting", act=act, chair=chair, account=account, from_deal=number)
        told = [(c, account if c == chair else a) for c, a in chairs]
        add_event(self._store, act, "seats", {"seats": told})
        return number

    def name_of(self, typed: str) -> str:
        """The player who is called so, or whose name begins so."""
        journal = self.journal()
        return journal.accounts[one_of(journal, typed, journal.players())]

    def rename(self, *names: tuple[str, str], **form: Unpack[Form]) -> list[str]:
        """Call some otherwise, each by the name after theirs, in every deal and in what they have
        won; returns their former names.

        Who gives up a name in the same command leaves it to another, so that two whose names were
        exchanged get their own.  Raises UsageError where nobody is called so, one is called twice,
        or for a name that somebody else bears or has borne.
        """
        with self._writing(**form) as draft:
            journal, called = draft.journal, dict[int, str]()
            for old, new in names:
                account, name = one_of(journal, old, journal.players()), composed(new)
                if name == journal.accounts[account]:
                    raise UsageError.of("called-so-already", name=name)
                if account in called:
                    raise UsageError.of("called-twice", name=journal.accounts[account])
                called[account] = name
            _check_new_names(journal, called)
            self._rename(draft, called)
            return journal.names_of(called)

    def _rename(self, draft: _Draft, names: Mapping[int, str]) -> None:
        """Give accounts other names, and their deals the words in which they stand."""
        journal = draft.journal
        act = add_transaction(self._store, "rename", draft.note)
        words = {journal.accounts[account]: name for account, name in names.items()}
        called = replace(
            journal,
            accounts={**journal.accounts, **names},
            rows=tuple(
                replace(r, fact=replace(r.fact, data=renamed(r.fact.data, words)))
                for r in journal.rows
            ),
            carries={n: with_names(carry, words) for n, carry in journal.carries.items()},
        )
        outcomes = {}
        for row, rules, begins in deals_from(called, self._rules_at(called)):
            found = derive(rules, begins, row.fact)
            if found.outcome != row.outcome:
                outcomes[str(row.id)] = found.outcome
        data = {"names": [*names.items()], "outcomes": outcomes}
        add_event(self._store, act, "name", data)
        draft.renamed = words

    # Rules.

    def change_rules(
        self,
        compiled: Compiled,
        reference: str,
        **form: Unpack[Form],
    ) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
        """Settle by other rules from the next deal on; returns the leaves before and after, as the
        ledger keeps them.

        Raises UsageError for rules that change nothing, that draw on a fund, or that count points
        where counters are paid.
        """
        refuse_fund(compiled.rules)
        frozen = freeze(compiled)
        columns = {**frozen, "reference": reference, "identity": json.loads(frozen["identity"])}
        with self._writing(**form) as draft:
            journal = draft.journal
            before, after = (
                json.loads(told["rules"]) for told in (journal.rules_at(journal.rules), columns)
            )
            if before == after:
                raise UsageError.of("rules-as-before")
            if before.get("score.kept") != after.get("score.kept"):
                raise UsageError.of("points-or-counters")
            self._bring(draft, columns)
        return before, after

    def _bring(self, draft: _Draft, columns: Mapping[str, Any]) -> None:
        act = add_transaction(self._store, "rules", draft.note)
        add_event(self._store, act, "rules", {key: columns[key] for key in _RULES_COLUMNS})

    # The end.

    def ending(self, *, split_pool: bool = False) -> Ending:
        """How the session would be settled now, or was when it ended; nothing is written."""
        return ending_of(self.journal(), split_pool)

    def end(self, *, split_pool: bool = False, last_act: int | None = None) -> Ending:
        """Settle and end the session: nothing more is recorded, unless it is reopened.

        ``split_pool`` shares the pool equally among those seated; ``last_act`` as in a form. Raises
        LedgerError when it has ended.
        """
        with self._writing(last_act=last_act) as draft:
            ending = ending_of(draft.journal, split_pool)
            act = add_transaction(self._store, "end", SPLIT if split_pool else "")
            for account, part in ending.shared.items():
                enter(self._store, act, None, Movement(POOL, account, part, SPLIT, ""), NO_SOURCE)
            for payer, payee, amount in ending.payments:
                self._store.add("payment", act=act, payer=payer, payee=payee, amount=write(amount))
        return ending

    def reopen(self, **form: Unpack[Form]) -> Ending:
        """Let an ended session go on: a pool shared at the end is paid back, and its payments no
        longer hold; returns them.  Raises UsageError where it has not ended."""
        with self._writing(reopening=True, **form) as draft:
            journal = draft.journal
            if not journal.ended:
                raise UsageError.of("not-ended")
            ended = journal.transactions[-1]
            ending = ending_of(journal, split_pool=False)
            note = noted(form.get("key", ""), f"undoes command {ended.id}")
            act = add_transaction(self._store, "reopen", note)
            shared = [e for e in journal.entries if e.act == ended.id]
            reverse(self._store, act, shared)
        return ending


_OF_DEALS: Final = ("deal", "insert", "enter", "correct", "reverse")
"""Commands that record a deal."""
_RULES_COLUMNS: Final = ("reference", "identity", "rules", "sources")
MOST_CHAIRS: Final = 12


def _exchanged(journal: Journal, who: Mapping[int, int | None]) -> Round:
    """Every chair, others in place of some."""
    return tuple((c, a if a is None else who.get(a, a)) for c, a in journal.round)


def _check_new_names(journal: Journal, called: Mapping[int, str]) -> None:
    """Raise UsageError for a name that nobody may bear, or that another bears, or has borne;
    whoever bears it now may leave it to another in the same command."""
    given_up = {likeness(journal.accounts[a]) for a in called if a in journal.accounts}
    now = {a: called.get(a, journal.accounts[a]) for a in journal.players()}
    for account, name in called.items():
        others = [a for a in now if a != account]
        check_name(name, map(now.__getitem__, others))
        for one in () if likeness(name) in given_up else others:
            if any(likeness(names[one]) == likeness(name) for names in journal.names.values()):
                raise UsageError.of("name-borne", name=name, player=journal.accounts[one])


def _chair_named(journal: Journal, dealer: str | None) -> int | None:
    """The chair of who dealt the next deal, where it is not who should have."""
    if dealer is None:
        return None
    account = one_of(journal, dealer, journal.seated())
    return next(chair for chair, one in journal.round if one == account)
