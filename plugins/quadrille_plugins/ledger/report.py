"""A ledger as tables, JSON and CSV rows; nothing printed depends on the clock."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import PurePath
from textwrap import fill
from typing import Any, Final

from quadrille_core.engine.result import Settlement
from quadrille_core.rules import Identity
from quadrille_core.vocabulary import MismatchError, parse_amount, plain_amount, to_plain
from quadrille_plugins.ledger.coins import PLAIN, Denomination
from quadrille_plugins.ledger.deriving import Derived
from quadrille_plugins.ledger.journal import DealRow, Entry, Event, Fact, Journal
from quadrille_plugins.ledger.reckoning import Change
from quadrille_plugins.ledger.schema import POOL
from quadrille_plugins.ledger.standing import NOTHING, ZERO, Movement, tally
from quadrille_plugins.ledger.words import account, word
from quadrille_plugins.settle.blocks import left_standing
from quadrille_plugins.settle.payments import (
    Groups,
    Payment,
    cited_payments,
    payment_table,
    table_groups,
)
from quadrille_plugins.shell.blocks import PLAIN_WIDTH, Block, Table, Text
from quadrille_plugins.shell.cells import csv_text
from quadrille_plugins.shell.values import grouped, identity_text, if_any, plainly, rule_value

ANTE: Final = "stakes.ante"
_TRANSFER: Final = ("from", "to", "amount", "reason", "rule", "source")
Rows = tuple[Sequence[str], Sequence[Sequence[object]]]


def worded(keys: Iterable[str], rows: Iterable[Sequence[str]], left: int = 1) -> Table:
    """A table under the words of these keys; all but the first so many columns are of amounts."""
    heads = tuple(map(word, keys))
    return Table("", heads, tuple(map(tuple, rows)), frozenset(heads[left:]))


def in_columns(columns: Sequence[str], records: Iterable[Mapping[str, object]]) -> Rows:
    """Records as rows: what each has under these names, and nothing where it is None."""
    return columns, [["" if r[c] is None else r[c] for c in columns] for r in records]


def rules_text(journal: Journal, brought: int | None = None) -> str:
    """The name of the rules in one line, of a file without its folder: of the next deal, or those
    that a command brought."""
    kept = rules_data(journal, brought)
    readings, settings = (tuple(kept.get(k, {}).items()) for k in ("readings", "settings"))
    return identity_text(
        Identity(
            profile=PurePath(kept["profile"]).name,
            witness=kept.get("witness"),
            readings=readings,
            settings=settings,
            added=tuple(kept.get("added", ())),
            digest=kept["digest"],
        )
    )


def rules_data(journal: Journal, brought: int | None = None) -> dict[str, Any]:
    """What names the rules, as every output gives it."""
    kept = journal.rules_at(journal.rules if brought is None else brought)["identity"]
    return {k: v for k, v in kept.items() if k != "uses"}


def rules_changed(
    before: Mapping[str, Any], after: Mapping[str, Any]
) -> dict[str, tuple[Any, Any]]:
    """The rules that differ, each with its value before and after; None where there is no such
    rule."""
    paths = dict.fromkeys((*before, *after))
    pairs = ((path, (before.get(path), after.get(path))) for path in paths)
    return {path: values for path, values in pairs if values[0] != values[1]}


def rules_by_deal(journal: Journal) -> list[tuple[int, int]]:
    """From which deal on the rules are which, by the command that brought them: the next deal's
    too; one pair alone where they were never changed."""
    found: list[tuple[int, int]] = []
    rows = [(n, row.rules) for n, row in journal.deals.items() if not journal.is_entry(n)]
    for number, brought in (*rows, (journal.next_deal, journal.rules)):
        digest = journal.rules_at(brought)["identity"]["digest"]
        if not found or journal.rules_at(found[-1][1])["identity"]["digest"] != digest:
            found.append((number if found else 1, brought))
    return found


def rules_changes_data(journal: Journal) -> list[dict[str, Any]]:
    """Where the rules changed from one deal to the next, and how."""
    runs = rules_by_deal(journal)
    leaves = [json.loads(journal.rules_at(brought)["rules"]) for _, brought in runs]
    return [
        {
            "from_deal": number,
            "rules": rules_data(journal, brought),
            "changed": {path: list(pair) for path, pair in rules_changed(was, now).items()},
        }
        for (number, brought), was, now in zip(runs[1:], leaves, leaves[1:], strict=False)
    ]


def changed_rules_table(changed: Mapping[str, tuple[Any, Any]]) -> Table:
    """The rules that differ, before and now."""
    rows = ((path, *map(rule_value, pair)) for path, pair in changed.items())
    return worded(("rule", "before", "now"), rows, 3)


def rules_blocks(journal: Journal) -> list[Block]:
    """The rules by name; where they were changed, from which deal on, and what of them."""
    runs = rules_by_deal(journal)
    if len(runs) == 1:
        return [Text(rules_text(journal, runs[0][1]))]
    lines = [word("from-deal-by", n=n, rules=rules_text(journal, brought)) for n, brought in runs]
    rows = (
        (str(told["from_deal"]), path, *map(rule_value, pair))
        for told in rules_changes_data(journal)
        for path, pair in told["changed"].items()
    )
    heads = tuple(map(word, ("from-deal", "rule", "before", "now")))
    return [Text("\n".join(lines)), Table("", heads, tuple(rows), frozenset(heads[:1]))]


def column_of(journal: Journal) -> str:
    """What a column of amounts is called."""
    if journal.in_points:
        return word("points")
    coins = journal.coins.coins
    return coins[0].many if len(coins) == 1 else word("coins")


# --- the session as it stands --------------------------------------------------------------------


def standing_blocks(journal: Journal, deal: int | None = None) -> list[Block]:
    """Every balance, the pool and its origin, the next dealer; with what a deal gave each
    player."""
    coins, rows = journal.coins, []
    here = journal.players() if journal.ended else journal.seated()
    sat = {one.account for one in journal.sittings}
    for a in journal.players():
        held, name = journal.balances[a], journal.accounts[a]
        owes = held < 0 and not journal.in_points
        stays = a in here or a not in sat
        row = [name if stays else word("left", name=name)]
        if deal is not None:
            row.append(coins.text(journal.tallies[deal].net.get(a, ZERO), sign=True))
        row.append(word("owes", amount=coins.text(held)) if owes else coins.text(held))
        rows.append([*row, coins.text(journal.net(a), sign=True)])
    middle = ("this-deal",) if deal is not None else ()
    holds = "score" if journal.in_points else "holds"
    told = _next_text(journal)
    if not journal.in_points:
        told = f"{_pool_text(journal)}\n{told}"
    return [worded(("player", *middle, holds, "won-or-lost"), rows), Text(told)]


def _pool_text(journal: Journal) -> str:
    pool, coins = journal.pool_state(), journal.coins
    if not pool.amount:
        return word("pool-empty")
    if not pool.history:
        return word("pool-rest", amount=coins.text(pool.amount))
    history = " → ".join(coins.text(a) for a in pool.history)
    stood = "pool-stood-lines" if any(map(journal.is_entry, journal.deals)) else "pool-stood"
    text = word(stood, len(pool.history), amount=coins.text(pool.amount), history=history)
    if not (apart := _apart(journal)):
        return text + word("in-it", pool.beasts, beasts=word("beasts", pool.beasts))
    return text + word(
        "apart",
        amount=coins.text(pool.amount - sum(apart)),
        standing=word("beasts", journal.carry.standing),
        amounts=", ".join(coins.text(a) for a in apart),
        beasts=word("beasts", len(apart)),
    )


def _apart(journal: Journal) -> tuple[Fraction, ...]:
    """Beasts that are on the table and not yet in play."""
    return () if journal.ended else journal.carry.waiting


def _next_text(journal: Journal) -> str:
    if journal.ended:
        return word("ended")
    if poor := journal.cannot_pay():
        return word("cannot-pay", names=word("and").join(journal.names_of(poor)))
    if (sit := len(journal.seated())) < journal.wanted:
        return word("too-few", number=journal.next_deal, wanted=journal.wanted, sit=sit)
    told = _next_data(journal)
    text = word("next", **told)
    if out := told.get("sits_out"):
        text += word("sits-out", len(out), names=word("and").join(out))
    return text + word("counts", journal.times)


def state_data(journal: Journal) -> dict[str, Any]:
    """The current session as JSON: rules, balances, pool, next dealer."""
    pool = journal.pool_state()
    seated = journal.seated() if not journal.ended else ()
    return {
        "rules": rules_data(journal),
        "coins": journal.session["coins"],
        "denominations": [to_plain(coin) for coin in journal.coins.coins],
        "deals": journal.count,
        "standing": [
            {
                "player": journal.accounts[a],
                "seated": a in seated,
                "purse": plain_amount(journal.purses[a]),
                "holds": plain_amount(journal.balances[a]),
                "net": plain_amount(journal.net(a)),
            }
            for a in journal.players()
        ],
        "pool": plainly(pool) | if_any(apart=[plain_amount(a) for a in _apart(journal)]),
        "next": None if journal.ended else _next_data(journal),
        "ended": journal.ended,
        **if_any(rules_changes=rules_changes_data(journal)),
    }


def _next_data(journal: Journal) -> dict[str, Any]:
    """What comes next; nobody deals as long as chairs are empty."""
    seats = journal.names_of(account for _, account in journal.due())
    full = len(seats) == journal.wanted
    out = [name for name in journal.names_of(journal.seated()) if name not in seats]
    return {
        "deal": journal.next_deal,
        "dealer": journal.accounts[journal.dealing()[1]] if full else None,
        "eldest": seats[0] if full else None,
        **if_any(sits_out=out),
        **({} if full else {"wanted": journal.wanted}),
        **({} if journal.times == 1 else {"multiplier": journal.times}),
    }


def standing_rows(journal: Journal) -> Rows:
    """Every balance as rows."""
    return in_columns(
        ("player", "seated", "purse", "holds", "net"), state_data(journal)["standing"]
    )


# --- one deal ------------------------------------------------------------------------------------


def deal_blocks(journal: Journal, number: int, settlement: Settlement | None = None) -> list[Block]:
    """Who pays whom for a deal, one line for each debtor and creditor, and what of the pool
    stays."""
    row = journal.deals[number]
    movements = journal.movements_of(number)
    return [
        _deal_head(journal, row),
        *_paid_blocks(journal, movements, _seated(journal, row), settlement),
    ]


def derived_blocks(
    journal: Journal, names: Sequence[str], fact: Fact, derived: Derived
) -> list[Block]:
    """The same of a deal that is not recorded yet; ``names`` are by seat."""
    groups = _groups(names, fact)
    return [
        Text(derived.outcome, strong=True),
        *_paid_blocks(journal, derived.movements, groups, derived.settlement),
    ]


def net_block(journal: Journal, movements: Iterable[Movement], *, entry: bool = False) -> Table:
    """What each player has by these movements, antes in, and the pool; of an entry by hand or a
    deal."""
    net = tally(0, NOTHING, movements).net
    coins = journal.coins
    rows = [
        (account(journal.accounts[a]), coins.text(net[a], sign=True))
        for a in (*journal.players(), POOL)
        if net.get(a)
    ]
    return worded(("player", "this-entry" if entry else "this-deal"), rows)


def _paid_blocks(
    journal: Journal,
    movements: Sequence[Movement],
    groups: Groups,
    settlement: Settlement | None,
) -> list[Block]:
    paid = [_payment(journal, m, "ante") for m in movements if m.rule == ANTE]
    paid += _summed(journal, [m for m in movements if m.rule != ANTE])
    table = payment_table(paid, column_of(journal), groups=groups, text=journal.coins.text)
    return [table if paid else Text(word("nothing-paid")), *_left_blocks(journal, settlement)]


def _payment(journal: Journal, movement: Movement, reason: str, rule: str = "") -> Payment:
    payer, payee = (journal.accounts[a] for a in (movement.payer, movement.payee))
    return Payment(payer, payee, movement.amount, reason, rule)


def _summed(journal: Journal, movements: Iterable[Movement]) -> Iterator[Payment]:
    """What each pays each in all, and of what that is the sum."""
    pairs = grouped(((m.payer, m.payee), m) for m in movements)
    for (payer, payee), items in pairs.items():
        total = sum((m.amount for m in items), ZERO)
        each = ", ".join(f"{m.reason} {journal.coins.text(m.amount)}" for m in items)
        why = items[0].reason if len(items) == 1 else each
        yield Payment(journal.accounts[payer], journal.accounts[payee], total, why)


def _seated(journal: Journal, row: DealRow) -> Groups:
    return _groups(journal.names_of(row.seats or journal.seated()), row.fact)


def _groups(names: Sequence[str], fact: Fact) -> Groups:
    side = [fact.data.get(key) for key in ("hombre", "ally")]
    return table_groups(names, [name for name in names if name in side])


def _left_blocks(journal: Journal, settlement: Settlement | None) -> list[Text]:
    left = () if settlement is None else left_standing(settlement, journal.coins.text)
    return [Text(f"{what} ({rule}).") for what, rule in left]


def order_blocks(row: DealRow) -> list[Text]:
    """All that a law orders in an entry, as it was said then."""
    orders = row.fact.data.get("orders")
    return [Text("\n".join(orders))] if orders else []


def _deal_head(journal: Journal, row: DealRow) -> Text:
    dealer, note = journal.dealer_of(row), journal.note_of(row.number)
    what = word("deal-head" if dealer else "entry-head", number=row.number, dealer=dealer)
    return Text(word("headed", what=what, outcome=_noted(row.outcome, note)), strong=True)


def _noted(outcome: str, note: str) -> str:
    return word("noted", outcome=outcome, note=note) if note else outcome


def itemised_blocks(
    journal: Journal, number: int, settlement: Settlement | None = None
) -> list[Block]:
    """Every payment of a deal with its rule and source, and the deal before any correction."""
    row = journal.deals[number]
    entries = journal.entries_of(row)
    sources = {e.movement.rule: e.source for e in entries}
    paid = [_payment(journal, e.movement, e.movement.reason, e.movement.rule) for e in entries]
    tables = cited_payments(
        paid,
        column_of(journal),
        sources.__getitem__,
        groups=_seated(journal, row),
        text=journal.coins.text,
    )
    blocks: list[Block] = [
        _deal_head(journal, row),
        *(tables if paid else [Text(word("nothing-paid"))]),
        *order_blocks(row),
    ]
    blocks += _left_blocks(journal, settlement)
    if before := journal.records_of(number)[:-1]:
        lines = [word("recorded-before")]
        for r in before:
            moved = journal.coins.text(_net(journal, r).get(POOL, ZERO), sign=True)
            line = "; ".join((r.outcome, *_otherwise(r, row), word("pool-moved", amount=moved)))
            lines.append(fill(line, PLAIN_WIDTH, initial_indent="  ", subsequent_indent="    "))
        blocks.append(Text("\n".join(lines)))
    return blocks


def _otherwise(row: DealRow, than: DealRow) -> Iterator[str]:
    """What one record of a deal says that another does not, such as ``tricks Ann 7, Cat 3``."""
    for key, value in row.fact.data.items():
        if value == than.fact.data.get(key) or key in ("transfers", "carry", "orders"):
            continue
        if isinstance(value, Mapping):
            told = {n: ", ".join(v) if isinstance(v, list) else v for n, v in value.items()}
            yield f"{key} {', '.join(f'{name} {n}' for name, n in told.items())}"
        else:
            yield f"{key} {rule_value(value)}"


def _net(journal: Journal, row: DealRow) -> Mapping[int, Fraction]:
    """What each account gained by one account of a deal."""
    return tally(row.id, NOTHING, (entry.movement for entry in journal.entries_of(row))).net


def deal_data(journal: Journal, number: int) -> dict[str, Any]:
    """A deal: who dealt, its outcome, every transfer, what each has by it, and its earlier
    accounts."""
    row = journal.deals[number]
    players = journal.players()
    return {
        "deal": number,
        "kind": row.fact.kind,
        "dealer": journal.dealer_of(row),
        "outcome": row.outcome,
        "note": journal.note_of(number),
        "result": dict(row.fact.data),
        "transfers": [_transfer(journal, e) for e in journal.entries_of(row)],
        "change": journal.by_name({a: v for a, v in _net(journal, row).items() if a in players}),
        "pool": plainly(journal.pool_state_after(number)),
        "before": [
            {"kind": r.fact.kind, "outcome": r.outcome, "result": dict(r.fact.data)}
            for r in journal.records_of(number)[:-1]
        ],
    }


def payments_data(
    journal: Journal, payments: Iterable[tuple[int, int, Fraction]]
) -> list[dict[str, Any]]:
    """Payments that settle the session, as data."""
    return [
        {"from": journal.accounts[a], "to": journal.accounts[b], "amount": plain_amount(v)}
        for a, b, v in payments
    ]


def _transfer(journal: Journal, entry: Entry) -> dict[str, Any]:
    m = entry.movement
    return {
        "from": journal.accounts[m.payer],
        "to": journal.accounts[m.payee],
        **plainly(m, "amount", "reason", "rule"),
        "source": entry.source,
    }


def deal_rows(journal: Journal, number: int) -> Rows:
    """Every transfer of a deal."""
    transfers = (_transfer(journal, e) for e in journal.entries_of(journal.deals[number]))
    return in_columns(_TRANSFER, transfers)


# --- all deals -----------------------------------------------------------------------------------


def session_blocks(journal: Journal) -> list[Block]:
    """The session: its rules, every deal in one line, all balances, and the final payments."""
    coins, each = _in_a_line(journal), _net_text(journal)
    rows = []
    for number, row in journal.deals.items():
        came_to, outcome = journal.tallies[number], _noted(row.outcome, journal.note_of(number))
        gained, pool = each(came_to.net), coins.text(came_to.pool)
        rows.append((str(number), journal.dealer_of(row), outcome, gained, pool))
    heads = (word("dealt-by"), word("result"), word("antes-in", each=_each(journal)), word("pool"))
    deals = Table("", ("", *heads), tuple(rows), frozenset({"", heads[-1]}))
    shown = deals if rows else Text(word("no-deal"))
    return [*rules_blocks(journal), shown, *standing_blocks(journal)]


def _in_a_line(journal: Journal) -> Denomination:
    """How the amounts of a whole deal are told in a line, in which several kinds of coins have no
    room."""
    return journal.coins if len(journal.coins.coins) == 1 else PLAIN


def _each(journal: Journal) -> str:
    """The heading of what each gains in a line; it names counters where all else is told in
    coins."""
    return word("each" if _in_a_line(journal) is journal.coins else "counters-each")


def _net_text(journal: Journal) -> Callable[[Mapping[int, Fraction]], str]:
    """How what each gains is told in a line."""
    coins, players = _in_a_line(journal), journal.players()
    return lambda net: ", ".join(
        f"{journal.accounts[a]} {coins.text(net[a], sign=True)}"
        for a in sorted(net)
        if a in players
    )


def session_rows(journal: Journal) -> Rows:
    """Every deal, what each player has by it, and the pool after it."""
    players = journal.players()
    rows = []
    for number, row in journal.deals.items():
        came_to = journal.tallies[number]
        gains = [plain_amount(came_to.net.get(a, ZERO)) for a in players]
        about = [number, journal.dealer_of(row), row.outcome, journal.note_of(number)]
        rows.append([*about, *gains, plain_amount(came_to.pool)])
    return ("deal", "dealer", "outcome", "note", *journal.names_of(journal.players()), "pool"), rows


# --- corrections -------------------------------------------------------------------------------


def change_blocks(journal: Journal, changes: Sequence[Change], done: str) -> list[Block]:
    """What a correction has changed, deal by deal; ``done`` says what was done else."""
    if not changes:
        return [Text(done, strong=True), Text(word("none-settled-otherwise"))]
    coins, each = _in_a_line(journal), _net_text(journal)
    rows = []
    for c in changes:
        now = c.after
        if now == c.before:
            said = _otherwise(*journal.records_of(c.number)[:-3:-1])
            now = "; ".join((word("the-same"), *said))
        pool = word("pool-changed", before=coins.text(c.pool_before), now=coins.text(c.pool_after))
        gained = each(c.difference) or word("nothing")
        rows.append((str(c.number), c.before or word("not-recorded"), now, gained, pool))
    later, first = [c.number for c in changes if c.before], changes[0].number
    if not done:
        back = journal.deals[first].fact.kind == "reversed"
        done, later = word("deal-reversed" if back else "deal-corrected", number=first), later[1:]
    if later:
        done += word("settled-anew", len(later), numbers=", ".join(map(str, later)))
    heads = word("it-stood"), word("it-stands"), word("compared", each=_each(journal))
    columns = ("", *heads, word("pool-after"))
    return [Text(done, strong=True), Table("", columns, tuple(rows), frozenset({""}))]


def change_data(journal: Journal, changes: Sequence[Change]) -> list[dict[str, Any]]:
    """What a correction has changed, as data."""
    return [
        {
            "deal": c.number,
            "before": c.before,
            "after": c.after,
            "difference": journal.by_name(c.difference),
            "pool": {"before": plain_amount(c.pool_before), "after": plain_amount(c.pool_after)},
        }
        for c in changes
    ]


def change_rows(journal: Journal, changes: Sequence[Change]) -> Rows:
    """What a correction has changed, a deal in a row."""
    rows = []
    for c in changes:
        gains = (plain_amount(c.difference.get(a, ZERO)) for a in journal.players())
        pools = plain_amount(c.pool_before), plain_amount(c.pool_after)
        rows.append([c.number, c.before, c.after, *gains, *pools])
    return (
        "deal",
        "before",
        "after",
        *journal.names_of(journal.players()),
        "pool_before",
        "pool_after",
    ), rows


# --- verified ----------------------------------------------------------------------------------


def verified_data(journal: Journal) -> dict[str, Any]:
    """What was checked, where all of it was as certified."""
    return {
        "rules": rules_data(journal),
        "deals": journal.count,
        "records": len(journal.rows),
        "entries": len(journal.entries),
        "commands": len(journal.transactions),
    }


def verified_rows(journal: Journal) -> Rows:
    """The same as one row."""
    counts = verified_data(journal)
    return in_columns([*counts][1:], [counts])


def verified_blocks(journal: Journal) -> list[Block]:
    """The same in words."""
    _, *counts = verified_data(journal).items()
    said = ", ".join(f"{name} {count}" for name, count in counts)
    return [Text(word("sound"), strong=True), Text(word("verified", counts=said))]


# --- everything ----------------------------------------------------------------------------------


def export_data(journal: Journal) -> dict[str, Any]:
    """The whole ledger: every command, sitting, account of a deal, entry and last payment, in
    order."""
    numbers = {row.id: row.number for row in journal.rows}
    return {
        **state_data(journal),
        "reference": journal.session["reference"],
        "first_dealer": _first_dealer(journal),
        "acts": [
            {"act": a.id, "command": a.kind, **plainly(a, "at", "program", "note")}
            for a in journal.transactions
        ],
        "events": [
            {"act": e.act, "kind": e.kind, **_event_data(journal, e)} for e in journal.events
        ],
        "sittings": [
            {"chair": s.chair, "player": journal.accounts[s.account], "from_deal": s.from_deal}
            for s in journal.sittings
        ],
        "deal_records": [
            {
                "record": r.id,
                "act": r.act,
                "deal": r.number,
                "kind": r.fact.kind,
                "dealer": journal.dealer_of(r),
                "outcome": r.outcome,
                "result": dict(r.fact.data),
                "holds": journal.deals[r.number].id == r.id,
            }
            for r in journal.rows
        ],
        "entries": [
            {
                "entry": e.id,
                "act": e.act,
                "deal": None if e.deal is None else numbers[e.deal],
                "record": e.deal,
                **_transfer(journal, e),
                "reverses": e.reverses,
            }
            for e in journal.entries
        ],
        "payments": payments_data(journal, journal.payments),
    }


def _first_dealer(journal: Journal) -> str:
    account = dict(journal.rounds[min(journal.rounds)])[journal.session["first_dealer"]]
    return "" if account is None else journal.accounts[account]


def _event_data(journal: Journal, event: Event) -> dict[str, Any]:
    """What a command changed besides deals, with players by name."""
    if event.kind == "seats":
        return {"seats": [a and journal.accounts[a] for _, a in event.data["seats"]]}
    if event.kind == "name":
        return {"names": dict(journal.called_by(event.act).values())}
    if event.kind == "rules":
        return {"rules": rules_data(journal, event.act)}
    return {"order": event.data["order"]}


def export_rows(journal: Journal) -> Rows:
    """Every entry, then the payments that settled the session; only entries move counters."""
    data = export_data(journal)
    columns = ("entry", "act", "deal", "record", *_TRANSFER, "reverses")
    last = {"act": journal.transactions[-1].id, "reason": word("settling")}
    paid = ({**dict.fromkeys(columns), **last, **one} for one in data["payments"])
    return in_columns(columns, [*data["entries"], *paid])


def sheet_text(journal: Journal) -> str:
    """Every deal as CSV for a spreadsheet, fractions as decimals of at most six places."""
    columns, rows = session_rows(journal)
    return csv_text(columns, [[_decimal(cell) for cell in row] for row in rows])


def _decimal(cell: object) -> object:
    if not isinstance(cell, str) or "/" not in cell:
        return cell
    try:
        amount = parse_amount(cell)
    except MismatchError:
        return cell
    return f"{float(amount):.6f}".rstrip("0").rstrip(".")
