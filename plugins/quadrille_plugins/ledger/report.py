"""A ledger told to people, as JSON data, and as rows for CSV.  Nothing printed depends on the clock."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache, partial
from typing import Any, Final

from quadrille_core.report.blocks import Block, Table, Text
from quadrille_core.report.values import identity_text
from quadrille_core.rules import Identity
from quadrille_core.vocabulary import plain_amount, to_plain
from quadrille_plugins.ledger.api import Book, Change
from quadrille_plugins.ledger.books import DealRow, Entry, PoolState
from quadrille_plugins.ledger.coins import PLAIN, Denomination
from quadrille_plugins.ledger.schema import BOX, POOL

ANTE: Final = "stakes.ante"
Rows = tuple[Sequence[str], Sequence[Sequence[object]]]


def rules_text(book: Book) -> str:
    """The name of the rules in one line."""
    kept = book.session["identity"]
    return identity_text(
        Identity(
            profile=kept["profile"],
            witness=kept.get("witness"),
            readings=tuple(kept.get("readings", {}).items()),
            settings=tuple(kept.get("settings", {}).items()),
            added=tuple(kept.get("added", ())),
            digest=kept["digest"],
        )
    )


def rules_data(book: Book) -> dict[str, Any]:
    """What names the rules, as every output gives it."""
    return {k: v for k, v in book.session["identity"].items() if k != "uses"}


def column_of(book: Book) -> str:
    """What a column of amounts is called."""
    if book.in_points:
        return "points"
    coins = book.coins.coins
    return coins[0].many if len(coins) == 1 else "coins"


# --- the session as it stands --------------------------------------------------------------------


def standing_blocks(book: Book, deal: int | None = None) -> list[Block]:
    """What everybody holds, what the pool holds and why, who deals next; with what a deal gave each."""
    coins = book.coins
    seated = () if book.ended else book.seated(book.next_deal)
    moved = book.tallies[deal].net if deal is not None else {}
    rows = []
    for account in book.players():
        held = book.balances[account]
        rows.append(
            (
                book.accounts[account] + ("" if account in seated or book.ended else " (left)"),
                *((coins.text(moved.get(account, Fraction(0)), sign=True),) if deal is not None else ()),
                coins.text(held) + (" (owes)" if held < 0 and not book.in_points else ""),
                coins.text(book.net(account), sign=True),
            )
        )
    middle = ("this deal",) if deal is not None else ()
    columns = ("player", *middle, "score" if book.in_points else "holds", "won or lost")
    return [
        Table("", columns, tuple(rows), frozenset(columns[1:])),
        Text("\n".join([*([] if book.in_points else [_pool_text(book)]), _next_text(book)])),
    ]


def _pool_text(book: Book) -> str:
    pool, coins = book.pool_state(), book.coins
    if not pool.amount:
        return "The pool is empty."
    if not pool.history:
        return f"The pool holds {coins.text(pool.amount)}, which would not divide when it was shared."
    deals = len(pool.history)
    text = f"The pool holds {coins.text(pool.amount)}; "
    text += f"{'one deal has' if deals == 1 else f'{deals} deals have'} left it standing"
    if deals > 1:
        text += f" ({' → '.join(coins.text(a) for a in pool.history)})"
    if not (apart := _apart(book)) or book.carry is None:
        wait = "wait" if pool.beasts > 1 else "waits"
        return f"{text}, and {_beasts(pool.beasts)} {wait} in it."
    told = ", ".join(coins.text(a) for a in apart)
    return (
        f"{text}. In play {coins.text(pool.amount - sum(apart))}, with {_beasts(book.carry.standing)}; "
        f"put apart until the pool is taken {told}, {_beasts(len(apart))}."
    )


def _beasts(count: int) -> str:
    return {0: "no beast", 1: "one beast"}.get(count, f"{count} beasts")


def _apart(book: Book) -> tuple[Fraction, ...]:
    """Beasts that are on the table and not yet in play."""
    return () if book.carry is None or book.ended else book.carry.waiting


def _next_text(book: Book) -> str:
    if book.ended:
        return "The session has ended."
    if poor := book.cannot_pay():
        names = " and ".join(book.accounts[a] for a in poor)
        return f"{names} could not pay: by these rules the session is over, and `session end` settles it."
    eldest, *_, dealer = book.seats(book.next_deal, book.next_dealer)
    return f"Next: deal {book.next_deal}, dealt by {book.accounts[dealer]}; {book.accounts[eldest]} is eldest." + (
        "" if book.times == 1 else f" It counts {'double' if book.times == 2 else f'{book.times} times'}."
    )


def state_data(book: Book) -> dict[str, Any]:
    """The session as it stands: rules, standing, pool, who deals next."""
    pool = book.pool_state()
    seats = book.seats(book.next_deal, book.next_dealer)
    seated = seats if not book.ended else ()
    return {
        "rules": rules_data(book),
        "coins": book.session["coins"],
        "denominations": [to_plain(coin) for coin in book.coins.coins],
        "deals": book.standing.deals,
        "standing": [
            {
                "player": book.accounts[a],
                "seated": a in seated,
                "purse": plain_amount(book.purses[a]),
                "holds": plain_amount(book.balances[a]),
                "net": plain_amount(book.net(a)),
            }
            for a in book.players()
        ],
        "pool": _pool_data(pool) | ({"apart": [plain_amount(a) for a in apart]} if (apart := _apart(book)) else {}),
        "next": None
        if book.ended
        else {
            "deal": book.next_deal,
            "dealer": book.accounts[seats[-1]],
            "eldest": book.accounts[seats[0]],
            **({} if book.times == 1 else {"multiplier": book.times}),
        },
        "ended": book.ended,
    }


def _pool_data(pool: PoolState) -> dict[str, Any]:
    return {
        "amount": plain_amount(pool.amount),
        "history": [plain_amount(a) for a in pool.history],
        "beasts": pool.beasts,
    }


def standing_rows(book: Book) -> Rows:
    """What everybody holds."""
    state = state_data(book)["standing"]
    columns = ("player", "seated", "purse", "holds", "net")
    return columns, [[s[c] for c in columns] for s in state]


# --- one deal ------------------------------------------------------------------------------------


def deal_blocks(book: Book, number: int) -> list[Block]:
    """Who pays whom for a deal, all that one owes another in one line, and how everybody stands."""
    coins, row = book.coins, book.deals[number]
    entries = book.entries_of(row)
    antes = [e.movement for e in entries if e.movement.rule == ANTE]
    pairs: dict[tuple[str, str], list[tuple[Fraction, str]]] = {}
    for m in (e.movement for e in entries if e.movement.rule != ANTE):
        pairs.setdefault((book.accounts[m.payer], book.accounts[m.payee]), []).append((m.amount, m.reason))
    if len(antes) == book.chairs:
        rows = [("each", "pool", coins.text(antes[0].amount), "ante")]
    else:
        rows = [(book.accounts[m.payer], "pool", coins.text(m.amount), "ante") for m in antes]
    for (payer, payee), items in pairs.items():
        total = sum((a for a, _ in items), Fraction(0))
        why = items[0][1] if len(items) == 1 else ", ".join(f"{reason} {coins.text(a)}" for a, reason in items)
        rows.append((payer, payee, coins.text(total), why))
    column = column_of(book)
    payments = Table("", ("from", "to", column, "for"), tuple(rows), frozenset({column}))
    return [_deal_head(book, row), *([payments] if rows else [Text("Nothing is paid.")])]


def _deal_head(book: Book, row: DealRow) -> Text:
    dealer = book.accounts[book.seats(row.number, row.dealer)[-1]]
    note = book.note_of(row.number)
    return Text(f"Deal {row.number}, dealt by {dealer}: {row.outcome}" + (f" ({note})" if note else ""), strong=True)


def itemised_blocks(book: Book, number: int) -> list[Block]:
    """Every payment of a deal with its rule and source, and how the deal stood before it was corrected."""
    coins, row = book.coins, book.deals[number]
    column = column_of(book)
    rows = tuple(
        (
            book.accounts[e.movement.payer],
            book.accounts[e.movement.payee],
            coins.text(e.movement.amount),
            e.movement.reason,
            f"{e.movement.rule}\n{e.source}",
        )
        for e in book.entries_of(row)
    )
    table = Table("", ("from", "to", column, "for", "rule and source"), rows, frozenset({column}))
    blocks: list[Block] = [_deal_head(book, row), table if rows else Text("Nothing is paid.")]
    if before := book.records_of(number)[:-1]:
        told = [f"  {r.outcome}, pool {coins.text(_pool_moved(book, r), sign=True)}" for r in before]
        blocks.append(Text("\n".join(["Recorded before, and reversed entry by entry:", *told])))
    return blocks


def _pool_moved(book: Book, row: DealRow) -> Fraction:
    return _net(book.entries_of(row)).get(POOL, Fraction(0))


def deal_data(book: Book, number: int) -> dict[str, Any]:
    """A deal: who dealt, its outcome, every transfer, what each has by it, and its earlier accounts."""
    row = book.deals[number]
    players = book.players()
    return {
        "deal": number,
        "kind": row.fact.kind,
        "dealer": book.accounts[book.seats(number, row.dealer)[-1]],
        "outcome": row.outcome,
        "note": book.note_of(number),
        "result": dict(row.fact.data),
        "transfers": [_transfer(book, e) for e in book.entries_of(row)],
        "change": {book.accounts[a]: plain_amount(v) for a, v in _net(book.entries_of(row)).items() if a in players},
        "pool": _pool_data(book.pool_state_after(number)),
        "before": [
            {"kind": r.fact.kind, "outcome": r.outcome, "result": dict(r.fact.data)}
            for r in book.records_of(number)[:-1]
        ],
    }


def _transfer(book: Book, entry: Entry) -> dict[str, Any]:
    m = entry.movement
    return {
        "from": book.accounts[m.payer],
        "to": book.accounts[m.payee],
        "amount": plain_amount(m.amount),
        "reason": m.reason,
        "rule": m.rule,
        "source": entry.source,
    }


def deal_rows(book: Book, number: int) -> Rows:
    """Every transfer of a deal."""
    columns = ("from", "to", "amount", "reason", "rule", "source")
    transfers = [_transfer(book, e) for e in book.entries_of(book.deals[number])]
    return columns, [[t[c] for c in columns] for t in transfers]


def _net(entries: Iterable[Entry]) -> dict[int, Fraction]:
    net: dict[int, Fraction] = {}
    for entry in entries:
        m = entry.movement
        if BOX in (m.payer, m.payee):
            continue  # another purse is neither won nor lost
        net[m.payer] = net.get(m.payer, Fraction(0)) - m.amount
        net[m.payee] = net.get(m.payee, Fraction(0)) + m.amount
    return net


# --- all deals -----------------------------------------------------------------------------------


def session_blocks(book: Book) -> list[Block]:
    """The session: its rules, every deal in one line, how everybody stands, and the last payments."""
    left, each = cache(partial(_text, book.coins)), _net_text(book)
    rows: list[Any] = []
    for number, net, pool in book.gains():
        dealer, outcome = book.line_of(number)
        note = book.note_of(number)
        outcome += f" ({note})" if note else ""
        rows.append((str(number), dealer, outcome, each(net), left(pool)))
    columns = ("", "dealt by", "result", "each, antes in", "pool")
    deals = Table("", columns, tuple(rows), frozenset({"", "pool"}))
    blocks: list[Block] = [Text(rules_text(book))]
    blocks += [deals if rows else Text("No deal has been recorded."), *standing_blocks(book)]
    return blocks


def _text(coins: Denomination, amount: int | str | Fraction, *, sign: bool = False) -> str:
    return coins.text(Fraction(amount) if isinstance(amount, str) else amount, sign=sign)


def _net_text(book: Book) -> Callable[[Mapping[int, int | str | Fraction]], str]:
    """How what each gains is told in a line, in which several kinds of coins have no room."""
    text = cache(partial(_text, book.coins if len(book.coins.coins) == 1 else PLAIN, sign=True))
    names = {a: book.accounts[a] for a in book.players()}  # the accounts before are nobody's
    return lambda net: ", ".join([f"{names[a]} {text(net[a])}" for a in sorted(net) if a in names])


def session_rows(book: Book) -> Rows:
    """Every deal, what each player has by it, and the pool after it."""
    players = book.players()
    rows: list[Any] = []
    for number, net, pool in book.gains():
        rows.append([number, *book.line_of(number), book.note_of(number), *(net.get(a, 0) for a in players), pool])
    return ("deal", "dealer", "outcome", "note", *(book.accounts[a] for a in players), "pool"), rows


# --- corrections -------------------------------------------------------------------------------


def change_blocks(book: Book, changes: Sequence[Change]) -> list[Block]:
    """What a correction has changed, deal by deal."""
    coins = book.coins
    rows = tuple(
        (
            str(c.number),
            c.before,
            c.after if c.after != c.before else "the same",
            _net_text(book)(c.difference) or "–",
            f"{coins.text(c.pool_before)} → {coins.text(c.pool_after)}",
        )
        for c in changes
    )
    first, *later = changes
    done = "reversed" if book.deals[first.number].fact.kind == "reversed" else "corrected"
    text = f"Deal {first.number} is {done} by entries that run the other way; none is deleted."
    if later:
        numbers = ", ".join(str(c.number) for c in later)
        text += f"\nSettled anew, for another pool or favourite suit: deal{'s' * (len(later) > 1)} {numbers}."
    columns = ("", "it stood", "it stands", "each, compared with before", "pool after")
    return [Text(text, strong=True), Table("", columns, rows, frozenset({""}))]


def change_data(book: Book, changes: Sequence[Change]) -> list[dict[str, Any]]:
    """What a correction has changed, as data."""
    return [
        {
            "deal": c.number,
            "before": c.before,
            "after": c.after,
            "difference": {book.accounts[a]: plain_amount(v) for a, v in c.difference.items()},
            "pool": {"before": plain_amount(c.pool_before), "after": plain_amount(c.pool_after)},
        }
        for c in changes
    ]


def change_rows(book: Book, changes: Sequence[Change]) -> Rows:
    """What a correction has changed, a deal in a row."""
    players = book.players()
    rows = [
        [
            c.number,
            c.before,
            c.after,
            *(plain_amount(c.difference.get(a, Fraction(0))) for a in players),
            plain_amount(c.pool_before),
            plain_amount(c.pool_after),
        ]
        for c in changes
    ]
    return ("deal", "before", "after", *(book.accounts[a] for a in players), "pool_before", "pool_after"), rows


# --- verified ----------------------------------------------------------------------------------


def verified_data(book: Book) -> dict[str, Any]:
    """What was checked, where all of it was as certified."""
    return {
        "rules": rules_data(book),
        "deals": book.standing.deals,
        "records": len(book.rows),
        "entries": len(book.entries),
        "commands": len(book.acts),
    }


def verified_rows(book: Book) -> Rows:
    """The same as one row."""
    data = {k: v for k, v in verified_data(book).items() if k != "rules"}
    return tuple(data), [list(data.values())]


def verified_blocks(book: Book) -> list[Block]:
    """The same in words."""
    data = verified_data(book)
    return [
        Text("The ledger is sound.", strong=True),
        Text(
            f"Derived anew, {_counted(data['deals'], 'deal')} came to what was recorded, in "
            f"{_counted(data['entries'], 'entry', 'entries')} of {_counted(data['commands'], 'command')}."
        ),
    ]


def _counted(count: int, one: str, many: str = "") -> str:
    return f"{count} {one if count == 1 else many or one + 's'}"


# --- everything ----------------------------------------------------------------------------------


def export_data(book: Book) -> dict[str, Any]:
    """The whole ledger: every command, sitting, account of a deal, entry and last payment, in order."""
    numbers = {row.id: row.number for row in book.rows}
    return {
        **state_data(book),
        "reference": book.session["reference"],
        "first_dealer": book.accounts[book.seated(1)[book.session["first_dealer"]]],
        "acts": [{"act": a.id, "command": a.kind, "at": a.at, "program": a.program, "note": a.note} for a in book.acts],
        "sittings": [
            {"chair": s.chair, "player": book.accounts[s.account], "from_deal": s.from_deal} for s in book.sittings
        ],
        "deal_records": [
            {
                "record": r.id,
                "act": r.act,
                "deal": r.number,
                "kind": r.fact.kind,
                "dealer": book.accounts[book.seats(r.number, r.dealer)[-1]],
                "outcome": r.outcome,
                "result": dict(r.fact.data),
                "holds": book.deals[r.number].id == r.id,
            }
            for r in book.rows
        ],
        "entries": [
            {
                "entry": e.id,
                "act": e.act,
                "deal": None if e.deal is None else numbers[e.deal],
                "record": e.deal,
                **_transfer(book, e),
                "reverses": e.reverses,
            }
            for e in book.entries
        ],
        "payments": [
            {"from": book.accounts[a], "to": book.accounts[b], "amount": plain_amount(v)} for a, b, v in book.payments
        ],
    }


def export_rows(book: Book) -> Rows:
    """Every entry, then the payments that settled the session; only entries move counters."""
    columns = ("entry", "act", "deal", "record", "from", "to", "amount", "reason", "rule", "source", "reverses")
    data = export_data(book)
    rows = [["" if e[c] is None else e[c] for c in columns] for e in data["entries"]]
    end = book.acts[-1].id
    rows += [
        ["", end, "", "", p["from"], p["to"], p["amount"], "payment that settles the session", "", "", ""]
        for p in data["payments"]
    ]
    return columns, rows
