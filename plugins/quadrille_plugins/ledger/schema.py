"""The tables of a ledger, and the triggers that let them only grow.

Every movement of counters is an ``entry`` from one account to another; a mistake is mended by
entries that run the other way, never by changing one.  Amounts are exact fractions in text,
``n/d``: SQLite has no other number that would hold a third.  The triggers guard the file against
every program that opens it, not only against this one.
"""

from collections.abc import Mapping
from typing import Final

APPLICATION_ID: Final = 0x51445256
"""``QDRV`` in the file's header, by which a ledger is known (offset 68)."""
VERSION: Final = 4
"""In the file's header (offset 60)."""
WITHOUT_EVENTS: Final = 3
"""The version that knew deals, corrections and substitutes alone: it has no table ``event``."""
WITH_SUMS: Final = 2
"""The version whose standings and tallies hold sums too, which are certified and not read; else as
the next."""

BOX: Final = 1
"""The account of the box from which purses are given out."""
POOL: Final = 2
VOLE_POOL: Final = 3
SCORE: Final = 4
"""Where points are written; elsewhere the first player's account has this number."""
ACCOUNTS: Final = ((BOX, "box", "box"), (POOL, "pool", "pool"), (VOLE_POOL, "pool", "vole pool"))
"""The accounts without an owner: number, kind, name."""
ACCOUNTS_IN_POINTS: Final = (*ACCOUNTS, (SCORE, "pool", "score"))
"""The same where points are written."""

_AMOUNT: Final = (
    "TEXT NOT NULL CHECK (amount GLOB '[1-9]*/[1-9]*' AND amount NOT GLOB "
    "'*[^0-9/]*' AND amount NOT GLOB '*/*/*')"
)

_COMMANDS: Final = ("start", "deal", "correct", "reverse", "substitute", "end")
_SINCE_EVENTS: Final = ("enter", "insert", "move", "seats", "rename", "rules", "reopen")
_KINDS: Final = ("result", "passed", "void", "reversed")


def _one_of(words: tuple[str, ...]) -> str:
    return "TEXT NOT NULL CHECK (kind IN (" + ", ".join(f"'{word}'" for word in words) + "))"


_TABLES: Final = {
    "session": """
        id INTEGER PRIMARY KEY CHECK (id = 1),
        reference TEXT NOT NULL,
        identity TEXT NOT NULL,
        rules TEXT NOT NULL,
        sources TEXT NOT NULL,
        coins TEXT NOT NULL,
        chairs INTEGER NOT NULL CHECK (chairs > 1),
        first_dealer INTEGER NOT NULL CHECK (first_dealer BETWEEN 0 AND chairs - 1)""",
    "account": """
        id INTEGER PRIMARY KEY,
        kind TEXT NOT NULL CHECK (kind IN ('box', 'pool', 'player')),
        name TEXT NOT NULL UNIQUE""",
    "act": f"""
        id INTEGER PRIMARY KEY,
        kind {_one_of(_COMMANDS + _SINCE_EVENTS)},
        at TEXT NOT NULL,
        program TEXT NOT NULL,
        note TEXT NOT NULL""",
    "sitting": """
        id INTEGER PRIMARY KEY,
        act INTEGER NOT NULL REFERENCES act,
        chair INTEGER NOT NULL CHECK (chair >= 0),
        account INTEGER NOT NULL REFERENCES account,
        from_deal INTEGER NOT NULL CHECK (from_deal > 0)""",
    "event": f"""
        id INTEGER PRIMARY KEY,
        act INTEGER NOT NULL REFERENCES act,
        kind {_one_of(("seats", "name", "order", "rules"))},
        data TEXT NOT NULL,
        UNIQUE (act, kind)""",
    "deal": f"""
        id INTEGER PRIMARY KEY,
        act INTEGER NOT NULL REFERENCES act,
        number INTEGER NOT NULL CHECK (number > 0),
        kind {_one_of((*_KINDS, "entry"))},
        dealer INTEGER NOT NULL CHECK (dealer >= 0),
        input TEXT NOT NULL,
        outcome TEXT NOT NULL,
        UNIQUE (act, number)""",
    "entry": f"""
        id INTEGER PRIMARY KEY,
        act INTEGER NOT NULL REFERENCES act,
        deal INTEGER REFERENCES deal,
        payer INTEGER NOT NULL REFERENCES account,
        payee INTEGER NOT NULL REFERENCES account CHECK (payer <> payee),
        amount {_AMOUNT},
        reason TEXT NOT NULL,
        rule TEXT NOT NULL,
        source TEXT NOT NULL,
        reverses INTEGER UNIQUE REFERENCES entry CHECK (reverses < id)""",
    "payment": f"""
        id INTEGER PRIMARY KEY,
        act INTEGER NOT NULL REFERENCES act,
        payer INTEGER NOT NULL REFERENCES account,
        payee INTEGER NOT NULL REFERENCES account CHECK (payer <> payee),
        amount {_AMOUNT}""",
    "tally": """
        id INTEGER PRIMARY KEY,
        act INTEGER NOT NULL REFERENCES act,
        deal INTEGER NOT NULL CHECK (deal > 0),
        record INTEGER NOT NULL REFERENCES deal,
        state TEXT NOT NULL,
        UNIQUE (act, deal)""",
    "standing": """
        id INTEGER PRIMARY KEY,
        act INTEGER NOT NULL UNIQUE REFERENCES act,
        state TEXT NOT NULL,
        content TEXT NOT NULL,
        hash TEXT NOT NULL UNIQUE""",
}


def _triggers() -> Mapping[str, str]:
    made = {}
    for table in _TABLES:
        for what in ("UPDATE", "DELETE"):
            made[f"{table}_no_{what.lower()}"] = (
                f"BEFORE {what} ON {table} BEGIN SELECT RAISE(ABORT, 'a ledger only grows'); END"
            )
        # INSERT OR REPLACE would delete a row without asking the trigger above: rows come in order,
        # each once.
        made[f"{table}_in_order"] = (
            f"BEFORE INSERT ON {table} WHEN NEW.id IS NOT (SELECT coalesce(max(id), 0) + 1 FROM "  # noqa: S608 - ours
            f"{table}) "
            "BEGIN SELECT RAISE(ABORT, 'a ledger only grows, row by row'); END"
        )
    made["account_once"] = (
        "BEFORE INSERT ON account WHEN EXISTS (SELECT 1 FROM account WHERE name = NEW.name) "
        "BEGIN SELECT RAISE(ABORT, 'an account stands in the ledger once'); END"
    )
    made["deal_once"] = (
        "BEFORE INSERT ON deal WHEN EXISTS (SELECT 1 FROM deal WHERE act = NEW.act AND number = "
        "NEW.number) BEGIN SELECT RAISE(ABORT, 'one act records a deal once'); END"
    )
    made["tally_once"] = (
        "BEFORE INSERT ON tally WHEN EXISTS (SELECT 1 FROM tally WHERE act = NEW.act AND deal = "
        "NEW.deal) BEGIN SELECT RAISE(ABORT, 'one act tallies a deal once'); END"
    )
    made["standing_once"] = (
        "BEFORE INSERT ON standing WHEN EXISTS (SELECT 1 FROM standing WHERE act = NEW.act OR "
        "hash = NEW.hash) BEGIN SELECT RAISE(ABORT, 'one act leaves one standing'); END"
    )
    made["entry_reversed_once"] = (
        "BEFORE INSERT ON entry WHEN EXISTS (SELECT 1 FROM entry WHERE reverses = NEW.reverses) "
        "BEGIN SELECT RAISE(ABORT, 'an entry is reversed once'); END"
    )
    made["entry_reversed_exactly"] = (
        "BEFORE INSERT ON entry WHEN NEW.reverses IS NOT NULL AND NOT EXISTS (SELECT 1 FROM "
        "entry o WHERE o.id = NEW.reverses AND o.reverses IS NULL AND o.payer = NEW.payee AND "
        "o.payee = NEW.payer AND o.amount = NEW.amount AND o.deal IS NEW.deal) "
        "BEGIN SELECT RAISE(ABORT, 'a reversal is the exact opposite of its entry'); END"
    )
    made["event_once"] = (
        "BEFORE INSERT ON event WHEN EXISTS (SELECT 1 FROM event WHERE act = NEW.act AND kind = "
        "NEW.kind) BEGIN SELECT RAISE(ABORT, 'one act changes a thing once'); END"
    )
    made["act_before_the_end"] = (
        "BEFORE INSERT ON act WHEN (NEW.kind = 'reopen') IS NOT "
        "((SELECT kind FROM act ORDER BY id DESC LIMIT 1) IS 'end') "
        "BEGIN SELECT RAISE(ABORT, 'the session has ended, or goes on'); END"
    )
    return made


STATEMENTS: Final[Mapping[str, str]] = {
    **{name: f"CREATE TABLE {name} ({body}\n) STRICT" for name, body in _TABLES.items()},
    **{name: f"CREATE TRIGGER {name} {body}" for name, body in _triggers().items()},
}
"""Every table and trigger by name, as the file itself keeps it."""

FORMER: Final[Mapping[str, str]] = {
    **{name: sql for name, sql in STATEMENTS.items() if not name.startswith("event")},
    "act": STATEMENTS["act"].replace(_one_of(_COMMANDS + _SINCE_EVENTS), _one_of(_COMMANDS)),
    "deal": STATEMENTS["deal"].replace(_one_of((*_KINDS, "entry")), _one_of(_KINDS)),
    "act_before_the_end": (
        "CREATE TRIGGER act_before_the_end "
        "BEFORE INSERT ON act WHEN EXISTS (SELECT 1 FROM act WHERE kind = 'end') "
        "BEGIN SELECT RAISE(ABORT, 'the session has ended'); END"
    ),
}
"""The same in the versions before events."""


def statements_of(version: int) -> Mapping[str, str]:
    """Every table and trigger of a ledger of that version."""
    return STATEMENTS if version == VERSION else FORMER


TABLES: Final = tuple(_TABLES)
SEALED: Final = tuple(table for table in _TABLES if table != "standing")
"""The tables whose every row a standing certifies."""


def columns_of(table: str) -> tuple[str, ...]:
    """The names of a table's columns, in the order in which it has them."""
    lines = (line.split() for line in _TABLES[table].splitlines())
    return tuple(words[0] for words in lines if words and words[0] != "UNIQUE")
