"""Reads the journal from the file: refuses impossible rows."""

import json
from collections.abc import Mapping
from typing import Any

from quadrille_plugins.ledger.coins import TOLD
from quadrille_plugins.ledger.journal import (
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
from quadrille_plugins.ledger.standing import Movement, read_carry
from quadrille_plugins.ledger.store import Store, damaged
from quadrille_plugins.settle.player_names import name_fault


def load(store: Store) -> Journal:
    """Read the journal inside a transaction; raises UnreadableError (Q903) for rows that no ledger
    has."""
    try:
        return _load(store)
    except (
        ValueError,
        KeyError,
        TypeError,
        IndexError,
        RecursionError,
        AttributeError,
        ZeroDivisionError,
    ) as e:
        raise damaged(store.path, "senseless-rows", kind=type(e).__name__) from None


def load_session(store: Store) -> dict[str, Any]:
    """What the ledger says of the session as a whole: its rules and their identity, coins,
    chairs."""
    (session,) = store.rows("session")
    return {**session, "identity": json.loads(session["identity"])}


def _load(store: Store) -> Journal:
    accounts = {row["id"]: row["name"] for row in store.rows("account")}
    session = load_session(store)
    _check_session(session)
    known = unowned(session)
    if list(accounts.items())[: len(known)] != [(number, name) for number, _, name in known]:
        raise ValueError("the accounts of box and pools")
    for name in list(accounts.values())[len(known) :]:
        if name_fault(name):
            raise ValueError("a name")
    rows = tuple(map(_deal, store.tuples("deal")))
    if any(row.dealer >= int(session["chairs"]) for row in rows):
        raise ValueError("a dealer")
    kept = {deal: (record, state) for _, _, deal, record, state in store.tuples("tally")}
    journal = Journal(
        session=session,
        accounts=accounts,
        transactions=tuple(map(_act, store.tuples("act"))),
        sittings=tuple(Sitting(*row[1:]) for row in store.tuples("sitting")),
        rows=rows,
        entries=tuple(map(_entry, store.tuples("entry"))),
        payments=tuple((r["payer"], r["payee"], parse(r["amount"])) for r in store.rows("payment")),
        carries={deal: read_carry(state) for deal, (_, state) in sorted(kept.items())},
    )
    if [(n, row.id) for n, row in journal.deals.items()] != sorted(
        (deal, record) for deal, (record, _) in kept.items()
    ):
        raise ValueError("tallies")
    if not journal.coins.coins:
        raise ValueError("coins")
    journal.seated(1)
    journal.tallies  # noqa: B018 - it is derived while what makes no sense can be refused
    journal.balances  # noqa: B018 - likewise
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
    return DealRow(record, act, number, dealer, fact, printable(outcome))


def _entry(row: tuple[Any, ...]) -> Entry:
    number, act, deal, payer, payee, amount, reason, rule, source, reverses = row
    movement = Movement(payer, payee, parse(amount), printable(reason), printable(rule))
    return Entry(number, act, deal, movement, printable(source), reverses)
