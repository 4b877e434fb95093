"""Reads the journal from the file: refuses impossible rows."""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from quadrille_plugins.ledger.coins import TOLD
from quadrille_plugins.ledger.journal import (
    DealRow,
    Entry,
    Event,
    Fact,
    Journal,
    Round,
    Seating,
    Sitting,
    Transaction,
    order_by,
    parse,
    printable,
    unowned,
)
from quadrille_plugins.ledger.renaming import renamed, with_names
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
    transactions = tuple(map(_act, store.tuples("act")))
    sittings = tuple(Sitting(*row[1:]) for row in store.tuples("sitting"))
    events = tuple(_event(row) for row in store.tuples("event"))
    known = unowned(session)
    if list(accounts.items())[: len(known)] != [(number, name) for number, _, name in known]:
        raise ValueError("the accounts of box and pools")
    names = _names(accounts, events)
    if any(
        name_fault(name) for called in names.values() for name in [*called.values()][len(known) :]
    ):
        raise ValueError("a name")
    files = store.tuples("deal")
    numbers = _numbers(events, max((row[2] for row in files), default=0))
    seats = partial(_seats, int(session["chairs"]), sittings)
    words = {int(r): w for e in events if e.kind == "name" for r, w in e.data["outcomes"].items()}
    rows = tuple(
        _deal(row, numbers, seats, names, printable(words.get(row[0], row[6]))) for row in files
    )
    kept = {row[2]: row for row in store.tuples("tally")}
    journal = Journal(
        session=session,
        accounts=names[max(names)],
        transactions=transactions,
        sittings=sittings,
        rows=rows,
        entries=tuple(map(_entry, store.tuples("entry"))),
        payments=tuple(
            (r["payer"], r["payee"], parse(r["amount"]))
            for r in store.rows("payment")
            if r["act"] == transactions[-1].id
        ),
        carries={
            numbers[deal]: with_names(read_carry(state), _renamed_since(names, act))
            for deal, (_, act, _, _, state) in kept.items()
        },
        events=events,
        rounds=_rounds(session, sittings, events),
        names=names,
    )
    if sorted((row.place, row.id) for row in journal.deals.values()) != sorted(
        (deal, record) for _, _, deal, record, _ in kept.values()
    ):
        raise ValueError("tallies")
    brought = {e.act for e in events if e.kind == "rules"} | {0}
    if any(row.rules not in brought for row in rows):
        raise ValueError("rules")
    sat = {a for row in rows for _, a in (*row.seating, *row.out)}
    for chairs in journal.rounds.values():
        if len(dict(chairs)) != len(chairs) or any(type(chair) is not int for chair, _ in chairs):
            raise ValueError("chairs")
        sat |= {a for _, a in chairs if a is not None}
    if not sat <= {*journal.players()}:
        raise ValueError("somebody who is no player")
    if not journal.coins.coins:
        raise ValueError("coins")
    journal.due()
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


def _event(row: tuple[Any, ...]) -> Event:
    _, act, kind, text = row
    data = json.loads(text)
    if kind == "rules":
        _check_session({"coins": TOLD[0], **data})
    return Event(act, kind, data)


def _names(accounts: Mapping[int, str], events: Sequence[Event]) -> dict[int, Mapping[int, str]]:
    """What every account is called, by the command from which on it is."""
    found: dict[int, Mapping[int, str]] = {0: accounts}
    for event in events:
        if event.kind == "name":
            told = event.data  # the version before had one name in an event
            called = dict(told.get("names") or [(told["account"], told["name"])])
            if not called.keys() <= accounts.keys():
                raise ValueError("an account")
            found[event.act] = {**found[max(found)], **called}
    return found


def _renamed_since(names: Mapping[int, Mapping[int, str]], act: int) -> dict[str, str]:
    """What those who bore another name when a command was given are called by now."""
    then, now = names[max(a for a in names if a <= act)], names[max(names)]
    return {name: now[account] for account, name in then.items() if now[account] != name}


def _numbers(events: Sequence[Event], places: int) -> dict[int, int]:
    """The number of every deal, by its place in the file."""
    order = order_by(events, places)
    if sorted(order) != list(range(1, places + 1)):
        raise ValueError("an order")
    return {place: number for number, place in enumerate(order, 1)}


def _rounds(
    session: Mapping[str, Any], sittings: Sequence[Sitting], events: Sequence[Event]
) -> dict[int, Round]:
    """Who sits where, by the command from which on they do."""
    told = {e.act: tuple((c, a) for c, a in e.data["seats"]) for e in events if e.kind == "seats"}
    sits: dict[int, int] = {}
    found: dict[int, Round] = {}
    for sitting in sittings:
        sits[sitting.chair] = sitting.account
        if sitting.act not in told and len(sits) >= session["chairs"]:
            found[sitting.act] = tuple(sorted(sits.items()))
    return dict(sorted((found | told).items()))


def _seats(chairs: int, sittings: Sequence[Sitting], place: int, dealer: int) -> Seating:
    """Who played a deal that does not say so: whoever sat there by its number, as the versions
    before events counted."""
    sits = {s.chair: s.account for s in sittings if s.from_deal <= place}
    if not dealer < chairs:
        raise ValueError("a dealer")
    order = ((dealer + 1 + seat) % chairs for seat in range(chairs))
    return tuple((chair, sits[chair]) for chair in order)


def _deal(
    row: tuple[Any, ...],
    numbers: Mapping[int, int],
    seats: Callable[[int, int], Seating],
    names: Mapping[int, Mapping[int, str]],
    outcome: str,
) -> DealRow:
    record, act, place, kind, dealer, given, _ = row
    data = json.loads(given)
    if not isinstance(data["result"], dict):
        raise ValueError("a result")
    result = renamed(data["result"], _renamed_since(names, act))
    told = data.get("seats")
    seating = seats(place, dealer) if told is None else tuple((c, a) for c, a in told)
    fact = Fact(kind, result, printable(data["note"]))
    rules, out = int(data.get("rules", 0)), tuple((c, a) for c, a in data.get("dealt", ()))
    return DealRow(record, act, numbers[place], seating, fact, outcome, place, rules, out)


def _entry(row: tuple[Any, ...]) -> Entry:
    number, act, deal, payer, payee, amount, reason, rule, source, reverses = row
    movement = Movement(payer, payee, parse(amount), printable(reason), printable(rule))
    return Entry(number, act, deal, movement, printable(source), reverses)
