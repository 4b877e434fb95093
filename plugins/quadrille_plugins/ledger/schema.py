"""The tables of a ledger, and the triggers that let them only grow, from the file beside this one.

Every movement of counters is an ``entry`` from one account to another; a mistake is mended by
entries that run the other way, never by changing one.  Amounts are exact fractions in text,
``n/d``: SQLite has no other number that would hold a third.  The triggers guard the file against
every program that opens it, not only against this one.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

APPLICATION_ID: Final = 0x51445256
"""``QDRV`` in the file's header, by which a ledger is known (offset 68)."""
VERSION: Final = 5
"""In the file's header (offset 60).  The fourth has the same tables: in it one is renamed at a
time, and whoever deals plays."""
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

_NOW, _, _BEFORE = (
    Path(__file__).with_name("schema.sql").read_text("utf-8").partition("-- Otherwise")
)


def _by_name(text: str) -> dict[str, str]:
    found = re.findall(r"(CREATE \w+ (\w+) .*?);\n", text, re.DOTALL)
    return {name: statement for statement, name in found}


STATEMENTS: Final[Mapping[str, str]] = _by_name(_NOW)
"""Every table and trigger by name, as the file itself keeps it."""
FORMER: Final[Mapping[str, str]] = {
    name: sql for name, sql in STATEMENTS.items() if not name.startswith("event")
} | _by_name(_BEFORE)
"""The same in the versions before events."""


def statements_of(version: int) -> Mapping[str, str]:
    """Every table and trigger of a ledger of that version."""
    return STATEMENTS if version > WITHOUT_EVENTS else FORMER


TABLES: Final = tuple(n for n, sql in STATEMENTS.items() if sql.startswith("CREATE TABLE"))
SEALED: Final = tuple(table for table in TABLES if table != "standing")
"""The tables whose every row a standing certifies."""


def columns_of(table: str) -> tuple[str, ...]:
    """The names of a table's columns, in the order in which it has them."""
    lines = (line.split() for line in STATEMENTS[table].splitlines()[1:-1])
    return tuple(words[0] for words in lines if words[0] != "UNIQUE")
