"""Reads the journal from the file: refuses impossible rows, parses deals on demand."""

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, TypeVar

from quadrille_core.engine.result import name_fault
from quadrille_plugins.ledger.coins import TOLD
from quadrille_plugins.ledger.journal import (
    DEALER,
    NUMBER,
    SENSELESS,
    DealRow,
    Entry,
    Fact,
    Journal,
    Sitting,
    Transaction,
    parse,
    printable,
    unowned,
)
from quadrille_plugins.ledger.rows import Latest, Parsed
from quadrille_plugins.ledger.seal import Seal
from quadrille_plugins.ledger.standing import DealTally, Movement, read_standing, read_tally
from quadrille_plugins.ledger.store import Store, damaged
from quadrille_plugins.settle.alone import ALONE_WORDS, FORMER_WORDS

T = TypeVar("T")


def load(
    store: Store, entries_of: Callable[[Latest[DealRow]], Collection[int]] | None = None
) -> Journal:
    """Read the journal inside a transaction; raises UnreadableError (Q903) for rows that no ledger
    has.

    ``entries_of`` names the records whose entries are read besides those of no deal; all are by
    default.  The standing and the tallies are left empty: see ``certified`` and ``reckoned``.
    """
    with _making_sense(store):
        return _load(store, entries_of)


def certified(store: Store, journal: Journal, seal: Seal) -> Journal:
    """The journal with the standing and the tallies that the ledger certifies, their sums
    checked."""
    with _making_sense(store):
        standing = read_standing(seal.state or "")
        sense = set(standing.balances) == set(journal.accounts) and set(standing.purses) == set(
            journal.players()
        )
        if not sense or standing.deals != len(journal.deals):
            raise ValueError("a standing")

        known = frozenset(journal.accounts)

        def parse(row: tuple[Any, ...]) -> DealTally:
            tally = read_tally(row[3], row[4])
            if not (known.issuperset(tally.net) and known.issuperset(tally.given)):
                raise ValueError("a tally")
            return tally

        tallies = Latest(Parsed(store.kept("tally"), _guarded(store, parse)), key=2)
        if len(tallies) != standing.deals or (tallies and max(tallies) != standing.deals):
            raise ValueError("tallies")
    if faults := standing.faults():
        raise damaged(store.path, "; ".join(faults))
    return replace(journal, standing=standing, tallies=tallies)


@contextmanager
def _making_sense(store: Store) -> Iterator[None]:
    try:
        yield
    except SENSELESS as e:
        raise damaged(store.path, f"its rows make no sense ({type(e).__name__})") from None


def _guarded(store: Store, parse: Callable[[tuple[Any, ...]], T]) -> Callable[[tuple[Any, ...]], T]:
    def guarded(row: tuple[Any, ...]) -> T:
        with _making_sense(store):
            return parse(row)

    return guarded


def load_session(store: Store) -> dict[str, Any]:
    """What the ledger says of the session as a whole: its rules and their identity, coins,
    chairs."""
    (session,) = store.rows("session")
    return {**session, "identity": json.loads(session["identity"])}


def _load(store: Store, entries_of: Callable[[Latest[DealRow]], Collection[int]] | None) -> Journal:
    accounts = {row["id"]: row["name"] for row in store.rows("account")}
    session = load_session(store)
    known = unowned(session)
    if list(accounts.items())[: len(known)] != [(number, name) for number, _, name in known]:
        raise ValueError("the accounts of box and pools")
    for name in list(accounts.values())[len(known) :]:
        if name_fault(name):
            raise ValueError("a name")
    chairs = int(session["chairs"])
    records = store.kept("deal")
    if any(not 0 <= dealer < chairs for dealer in {row[DEALER] for row in records}):
        raise ValueError("a dealer")
    rows = Parsed(records, _guarded(store, _deal))
    read = entries_of(Latest(rows, key=NUMBER)) if entries_of is not None else None
    if read is None:
        entries = store.kept("entry")
    else:
        marks = ", ".join("?" * len(read))
        entries = store.tuples("entry", f"deal IS NULL OR deal IN ({marks})", *read)
    journal = Journal(
        session=session,
        accounts=accounts,
        transactions=Parsed(store.kept("act"), _guarded(store, _act)),
        sittings=tuple(
            Sitting(r["chair"], r["account"], r["from_deal"]) for r in store.rows("sitting")
        ),
        rows=rows,
        entries=Parsed(entries, _guarded(store, entry_of)),
        payments=tuple((r["payer"], r["payee"], parse(r["amount"])) for r in store.rows("payment")),
        read=read,
    )
    _check_session(journal.session)
    if not journal.coins.coins:
        raise ValueError("coins")
    journal.seated(1)
    return journal


def _check_session(session: Mapping[str, Any]) -> None:
    """Raise ValueError unless what names the rules and coins is of the kind that ``start``
    writes."""
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
        printable(text)
    if session["coins"] not in TOLD:
        raise ValueError("coins")
    for key in ("rules", "sources"):
        if not isinstance(json.loads(session[key]), dict):
            raise ValueError(key)


def _act(row: tuple[Any, ...]) -> Transaction:
    number, kind, at, program, note = row
    return Transaction(number, kind, printable(at), printable(program), printable(note))


def _deal(row: tuple[Any, ...]) -> DealRow:
    record, act, number, kind, dealer, given, outcome = row
    data = json.loads(given)
    if not isinstance(data["result"], dict):
        raise ValueError("a result")
    fact = Fact(kind, data["result"], printable(data["note"]))
    return DealRow(
        record, act, number, dealer, fact, printable(outcome).replace(FORMER_WORDS, ALONE_WORDS)
    )


def entry_of(row: tuple[Any, ...]) -> Entry:
    """An entry out of a row of its table; raises ValueError for what no ledger has."""
    number, act, deal, payer, payee, amount, reason, rule, source, reverses = row
    movement = Movement(payer, payee, parse(amount), printable(reason), printable(rule))
    return Entry(number, act, deal, movement, printable(source), reverses)
