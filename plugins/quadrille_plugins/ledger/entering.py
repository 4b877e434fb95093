"""What commands write into the ledger: transactions, chairs, records of deals, entries."""

import json
from collections.abc import Iterable
from dataclasses import asdict, replace
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any

from quadrille_core import __version__
from quadrille_core.engine.past import OF_SESSION
from quadrille_plugins.ledger.deriving import NOT_STORED, Derived
from quadrille_plugins.ledger.frozen import FrozenRules
from quadrille_plugins.ledger.journal import DealRow, Entry, Fact, write
from quadrille_plugins.ledger.schema import BOX
from quadrille_plugins.ledger.standing import Movement
from quadrille_plugins.ledger.store import Store
from quadrille_plugins.settle.player_names import composed_data
from quadrille_plugins.shell.values import if_any


def add_transaction(store: Store, kind: str, note: str) -> int:
    """Record the transaction: command, time and program version; returns its number."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return store.add("act", kind=kind, at=now, program=__version__, note=note)


def seat(store: Store, act: int, chair: int, name: str, from_deal: int, frozen: FrozenRules) -> int:
    """Give a new player an account, a purse and a chair; returns the account."""
    account = store.add("account", kind="player", name=name)
    store.add("sitting", act=act, chair=chair, account=account, from_deal=from_deal)
    purse = Fraction(frozen.rules.table.purse)
    if purse:
        movement = Movement(BOX, account, purse, "purse", "table.purse")
        enter(store, act, None, movement, frozen.source_of("table.purse"))
    return account


def enter(
    store: Store,
    act: int,
    record: int | None,
    movement: Movement,
    source: str,
    reverses: int | None = None,
) -> None:
    """Write one entry."""
    store.add(
        "entry",
        act=act,
        deal=record,
        **{**asdict(movement), "amount": write(movement.amount)},
        source=source,
        reverses=reverses,
    )


def reverse(store: Store, act: int, entries: Iterable[Entry]) -> None:
    """Write the opposite of every entry."""
    for entry in entries:
        m = entry.movement
        back = Movement(m.payee, m.payer, m.amount, f"reversal: {m.reason}", m.rule)
        enter(store, act, entry.deal, back, entry.source, entry.id)


def add_record(store: Store, act: int, row: DealRow, derived: Derived, frozen: FrozenRules) -> int:
    """Write a record of a deal and its entries; returns the record's number."""
    kept = stored(row.fact)
    told = {
        "result": kept.data,
        "note": kept.note,
        "seats": row.seating,
        **if_any(rules=row.rules, dealt=row.out),
    }
    record = store.add(
        "deal",
        act=act,
        number=row.place,
        kind=kept.kind,
        dealer=row.dealer[0] if row.seating else 0,
        input=json.dumps(told, ensure_ascii=False, sort_keys=True),
        outcome=derived.outcome,
    )
    for at, movement in enumerate(derived.movements):
        source = derived.sources[at] if derived.sources else frozen.source_of(movement.rule)
        enter(store, act, record, movement, source)
    return record


def add_event(store: Store, act: int, kind: str, data: Any) -> None:
    """Record what a command changed besides deals; see ``journal.Event``."""
    store.add("event", act=act, kind=kind, data=json.dumps(data, ensure_ascii=False))


def stored(fact: Fact) -> Fact:
    """What the ledger keeps of a fact: nothing that it knows itself, and every text in one
    spelling."""
    data: dict[str, Any] = composed_data(fact.data)
    if told := data.get("facts"):
        data["facts"] = {k: v for k, v in told.items() if k not in OF_SESSION} or None
    return replace(
        fact, data={k: v for k, v in data.items() if k not in NOT_STORED and v is not None}
    )
