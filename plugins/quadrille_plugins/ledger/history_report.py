"""Every command that a ledger has seen, in order: what it did, and which later one took it back."""

from collections.abc import Iterator
from typing import Any

from quadrille_plugins.ledger.journal import Journal, Transaction
from quadrille_plugins.ledger.notes import taken_back_by
from quadrille_plugins.ledger.report import Rows, in_columns, rules_text
from quadrille_plugins.ledger.words import word
from quadrille_plugins.shell.blocks import Block, Table

_COLUMNS = ("act", "command", "what", "taken_back_by")


def history_data(journal: Journal) -> list[dict[str, Any]]:
    """The commands: number, what it was called, when, what it did, which later one took it back
    (None for one that stands)."""
    back = taken_back_by(journal)
    return [
        {
            "act": act.id,
            "command": act.kind,
            "at": act.at,
            "what": "; ".join(_what(journal, act)),
            "taken_back_by": back.get(act.id),
        }
        for act in journal.transactions
    ]


def history_blocks(journal: Journal) -> list[Block]:
    """The same as a table, without a last column in which nothing stands."""
    heads = ("", "step", "what", "taken back by")
    _, rows = history_rows(journal)
    kept = len(heads) - (not any(row[-1] for row in rows))
    cells = tuple(tuple(map(str, row[:kept])) for row in rows)
    return [Table("", heads[:kept], cells, frozenset({"", "taken back by"}))]


def history_rows(journal: Journal) -> Rows:
    """The same as rows."""
    return in_columns(_COLUMNS, history_data(journal))


def _what(journal: Journal, act: Transaction) -> Iterator[str]:
    """What a command did, deals by the numbers and players by the names they have now."""
    for row in journal.rows:
        if row.act == act.id:
            what = "entry" if journal.is_entry(row.number) else "deal"
            yield f"{what} {row.number}: {row.outcome}"
    for event in (e for e in journal.events if e.act == act.id):
        if event.kind == "name":
            called = journal.called_by(act.id).values()
            yield from (word("called", former=was, name=name) for was, name in called)
        elif event.kind == "seats":
            sits = dict(journal.rounds[act.id])
            names = ("(empty)" if a is None else journal.accounts[a] for a in sits.values())
            yield f"round the table: {', '.join(names)}"
        elif event.kind == "rules":
            yield rules_text(journal, act.id)
        elif act.kind == "move":
            moved = event.data.get("moved")
            now = next((r.number for r in journal.rows if r.place == moved), None)
            yield "the former order" if now is None else f"the deal that is now deal {now} moved"
    seated = [s.account for s in journal.sittings if s.act == act.id]
    if seated and all(e.act != act.id for e in journal.events):
        yield f"sat down: {', '.join(journal.names_of(seated))}"
    if act.kind == "end":
        yield act.note or "settled"
