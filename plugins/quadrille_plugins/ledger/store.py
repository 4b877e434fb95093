"""The ledger's file: made under a temporary name, checked, and only then renamed; opened with
suspicion, written in one transaction a command.

The file keeps a rollback journal and no write-ahead log: when a command has returned, everything it
wrote is in the one file that a user copies.  See decision 036.
"""

import os
import secrets
import sqlite3
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from quadrille_core.errors import LedgerError, Problem, UnreadableError, UsageError
from quadrille_plugins.ledger.schema import (
    APPLICATION_ID,
    STATEMENTS,
    TABLES,
    VERSION,
    WITH_SUMS,
    columns_of,
    statements_of,
)
from quadrille_plugins.shell.files import read_only

WAIT: Final = 1.0
"""Seconds to wait for another process that writes; after that a command is refused."""

_MOST_BYTES: Final = 16 * 1024 * 1024
"""No text of a ledger is so long; a file that says otherwise is not read on."""
_OLDEST: Final = (3, 37, 0)
"""The first SQLite with STRICT tables."""
_READ: Final = tuple(range(WITH_SUMS, VERSION + 1))
"""The versions that this program reads."""
_ROLLBACK: Final = b"\x01\x01"
"""In the file's header (offset 18): it keeps a rollback journal, and no write-ahead log."""


def damaged(path: Path, variant: str, **data: object) -> UnreadableError:
    """The error for a file that is a ledger and yet cannot be one."""
    why = Problem("Q903", variant, data)
    return UnreadableError.of("ledger-damaged", place=path, why=why)


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn what SQLite raises into what a user can read."""
    try:
        yield
    except sqlite3.Error as e:
        raise _in_words(path, e) from None


def _in_words(path: Path, e: sqlite3.Error) -> LedgerError | UnreadableError:
    code = getattr(e, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
    if code in _BUSY:
        return LedgerError.of("another-process-writes", place=path)
    if code in _UNWRITABLE:
        return LedgerError.of("ledger-not-writable", place=path, e=e)
    if code == sqlite3.SQLITE_CONSTRAINT:
        return LedgerError.of("constraint-broken", place=path, e=e)
    return damaged(path, "own-words", words=e)


_BUSY: Final = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL)
_UNWRITABLE: Final = (
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_AUTH,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
)


def _refuse_what_is_no_ledger(path: Path) -> None:
    """Look at the file's kind and header before SQLite may touch it: another program's file is left
    alone."""
    try:
        status = os.stat(path)
        if stat.S_ISREG(status.st_mode):
            with path.open("rb") as file:
                head = file.read(100)
    except FileNotFoundError:
        raise UnreadableError.of("no-such-ledger", place=path) from None
    except (OSError, ValueError) as e:
        raise UnreadableError.of(
            "unreadable-ledger", place=path, text=getattr(e, "strerror", None) or e
        ) from None
    if not stat.S_ISREG(status.st_mode):
        raise UnreadableError.of("no-regular-ledger-file", place=path)
    if (
        not head.startswith(b"SQLite format 3\0")
        or int.from_bytes(head[68:72], "big") != APPLICATION_ID
    ):
        raise UnreadableError.of("no-ledger", place=path)
    if (version := int.from_bytes(head[60:64], "big")) not in _READ:
        raise UnreadableError.of(
            "ledger-of-another-version", place=path, version=version, known=_READ
        )
    if head[18:20] != _ROLLBACK:
        raise damaged(path, "write-ahead-log")


_PRAGMAS: Final = (
    "trusted_schema = OFF",
    "cell_size_check = ON",
    "foreign_keys = ON",
    "synchronous = EXTRA",
    # nothing reaches the file before the commit, and readers wait for no more than that
    "cache_spill = OFF",
)


def connect(path: Path) -> sqlite3.Connection:
    """A connection without implicit transactions to a file that is there, which distrusts its
    schema and syncs every write, even the removal of the rollback journal."""
    uri = f"{path.absolute().as_uri()}?mode=rw"
    connection = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=WAIT)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MOST_BYTES)
    try:
        for pragma in _PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")
    except BaseException:
        connection.close()
        raise
    return connection


def refuse_old_sqlite(path: Path) -> None:
    """Raise LedgerError where Python was built with an SQLite that has no STRICT tables."""
    if sqlite3.sqlite_version_info < _OLDEST:
        raise LedgerError.of(
            "sqlite-too-old",
            place=path,
            sqlite_version=sqlite3.sqlite_version,
        )


class Store:
    """An open ledger file: rows in, rows out."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection

    @classmethod
    def open(cls, path: Path) -> "Store":
        """Open a ledger and look it over.

        Raises UnreadableError for what is not there, no ledger, too new or damaged; LedgerError for
        one that another process holds or, with ``write``, that cannot be written.
        """
        _refuse_what_is_no_ledger(path)
        refuse_old_sqlite(path)
        try:
            with translated(path):
                store = cls(path, connect(path))
                try:
                    with store.reading():  # who records meanwhile must not make it seem damaged
                        store._look_over()
                except BaseException:
                    store.close()
                    raise
                return store
        except (
            AttributeError,
            TypeError,
            ValueError,
        ) as e:  # names that are no text, or none in UTF-8
            raise damaged(path, "senseless-tables", kind=type(e).__name__) from None

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def _look_over(self) -> None:
        """Whether the file has the tables and triggers of a ledger, and nothing else, and its pages
        are sound."""
        self._check_pages("quick_check")
        found = {
            name: sql
            for name, sql in self._connection.execute("SELECT name, sql FROM sqlite_schema")
            if not name.startswith("sqlite_autoindex_")
        }
        known = statements_of(self._version())
        if set(found) != set(known):
            odd = ", ".join(sorted(set(found) ^ set(known))[:4])
            raise damaged(self.path, "other-tables", odd=odd)
        for name, sql in known.items():
            if found[name] != sql:
                raise damaged(self.path, "other-statement", name=name)
        for table in TABLES:
            if self.count(table) != self.last(table):
                raise damaged(self.path, "rows-missing", table=table)

    def _version(self) -> int:
        return int(self._connection.execute("PRAGMA user_version").fetchone()[0])

    def _has(self, table: str) -> bool:
        return table in statements_of(self._version())

    def _bring_up_to_date(self) -> None:
        """Give a ledger of a former version the tables and triggers of this one, inside a
        transaction: no row is touched, and a check that only grows wider is written in its place
        (https://sqlite.org/lang_altertable.html, "making other kinds of table schema changes")."""
        known = statements_of(self._version())
        for name, sql in STATEMENTS.items():
            former = known.get(name)
            if former is None or (former != sql and sql.startswith("CREATE TRIGGER")):
                if former is not None:
                    self._connection.execute(f"DROP TRIGGER {name}")
                self._connection.execute(sql)
        cookie = int(self._connection.execute("PRAGMA schema_version").fetchone()[0])
        self._connection.execute("PRAGMA writable_schema = ON")
        try:
            for name, sql in STATEMENTS.items():
                if sql.startswith("CREATE TABLE") and known.get(name, sql) != sql:
                    self._connection.execute(
                        "UPDATE sqlite_schema SET sql = ? WHERE type = 'table' AND name = ?",
                        (sql, name),
                    )
            self._connection.execute(f"PRAGMA schema_version = {cookie + 1}")
        finally:
            self._connection.execute("PRAGMA writable_schema = OFF")

    def _check_pages(self, how: str) -> None:
        verdict = self._connection.execute(f"PRAGMA {how}(1)").fetchone()[0]
        if verdict != "ok":
            raise damaged(self.path, "own-words", words=" ".join(str(verdict).split())[:200])

    def look_over_all(self) -> None:
        """Check every page, index and reference of the file; raises UnreadableError (Q903)."""
        with translated(self.path):
            self._check_pages("integrity_check")
            if self._connection.execute("PRAGMA foreign_key_check").fetchone():
                raise damaged(self.path, "row-points-nowhere")

    # Rows.

    def rows(self, table: str) -> list[dict[str, Any]]:
        """Every row of a table, in order."""
        columns = columns_of(table)
        return [dict(zip(columns, row, strict=True)) for row in self.tuples(table)]

    def tuples(self, table: str) -> list[tuple[Any, ...]]:
        """The raw rows of a table, in order; none of a table that the ledger's version has not."""
        if not self._has(table):
            return []
        query = f"SELECT {', '.join(columns_of(table))} FROM {table} ORDER BY id"  # noqa: S608 - ours
        return self._connection.execute(query).fetchall()

    def count(self, table: str) -> int:
        """How many rows a table has."""
        return self._found("count(*)", table)

    def last(self, table: str) -> int:
        """The number of a table's last row; 0 when it has none."""
        return self._found("coalesce(max(id), 0)", table)

    def _found(self, what: str, table: str) -> int:
        if not self._has(table):
            return 0
        return int(self._connection.execute(f"SELECT {what} FROM {table}").fetchone()[0])  # noqa: S608 - ours

    def add(self, table: str, **values: Any) -> int:
        """Append a row; returns its number."""
        number = self.last(table) + 1
        columns = ", ".join(["id", *values])
        marks = ", ".join("?" * (len(values) + 1))
        self._connection.execute(
            f"INSERT INTO {table} ({columns}) VALUES ({marks})",  # noqa: S608 - the names are ours
            (number, *values.values()),
        )
        return number

    # Transactions.

    @contextmanager
    def reading(self) -> Iterator[None]:
        """A consistent snapshot of the ledger, isolated from concurrent writers."""
        with self._transaction("BEGIN", "ROLLBACK"):
            yield

    @contextmanager
    def writing(self) -> Iterator[None]:
        """One transaction: all of it is in the file when this returns, or nothing of it ever.

        Raises LedgerError for a file that is read-only, and when another process is writing and
        does not end within a second.
        """
        if read_only(self.path):
            raise LedgerError.of("ledger-not-writable", place=self.path, e="it is read-only")
        with self._transaction("BEGIN IMMEDIATE", "COMMIT"):
            if self._version() != VERSION:
                self._bring_up_to_date()
                self._connection.execute(f"PRAGMA user_version = {VERSION}")
            yield

    @contextmanager
    def _transaction(self, begin: str, end: str) -> Iterator[None]:
        with translated(self.path):
            self._connection.execute(begin)
            try:
                yield
                self._connection.execute(end)
            except BaseException:
                if self._connection.in_transaction:
                    with suppress(sqlite3.Error):
                        self._connection.execute("ROLLBACK")
                raise


# --- a new file ---------------------------------------------------------------------------------


_SIDE_FILES: Final = ("-wal", "-shm", "-journal")


def create(path: Path, fill: Callable[[Store], None], check: Callable[[Store], None]) -> None:
    """Make a ledger: built under a temporary name, closed, opened again, checked, synced, and then
    named.

    ``fill`` writes its first rows; ``check`` raises unless the ledger as read back from the file is
    sound.  Raises UsageError when there is a file of that name, or what is left of one; LedgerError
    when the place cannot be written.  Whatever is raised, there is no file under the name.
    """
    refuse_old_sqlite(path)
    if not path.name or not path.parent.is_dir():
        raise UsageError.of("no-folder-for-ledger", parent=path.parent)
    for name in (path, *(path.with_name(path.name + s) for s in _SIDE_FILES)):
        if os.path.lexists(name):
            variant = "ledger-exists" if name == path else "left-of-another-ledger"
            raise UsageError.of(variant, name=name, ledger=path.name)
    temporary = path.with_name(f".quadrille-{secrets.token_hex(8)}.unfinished")
    try:
        os.close(
            os.open(
                temporary, os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), 0o666
            )
        )
        _build(path, temporary, fill)
        _sync(temporary)
        _read_back(path, temporary, check)
        name_it(temporary, path)
    except OSError as e:
        raise LedgerError.of("ledger-not-made", place=path, text=e.strerror or e) from None
    finally:
        for suffix in ("", *_SIDE_FILES):
            with suppress(OSError):
                temporary.with_name(temporary.name + suffix).unlink(missing_ok=True)


def _build(path: Path, temporary: Path, fill: Callable[[Store], None]) -> None:
    with translated(path):
        connection = connect(temporary)
        try:
            if connection.execute("PRAGMA journal_mode = DELETE").fetchone()[0] != "delete":
                raise LedgerError.of("no-journal-here", place=path)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {VERSION}")
            connection.execute("BEGIN IMMEDIATE")
            for statement in STATEMENTS.values():
                connection.execute(statement)
            fill(Store(path, connection))
            connection.execute("COMMIT")
        finally:
            connection.close()


def _read_back(path: Path, temporary: Path, check: Callable[[Store], None]) -> None:
    """Check the closed file through a new connection, before it gets its final name."""
    try:
        store = Store.open(temporary)
        try:
            store.look_over_all()
            check(store)
        finally:
            store.close()
    except UnreadableError as e:
        what = "; ".join(p.message for p in e.problems)
        raise LedgerError.of("not-read-back", place=path, what=what) from None


def _sync(file: Path) -> None:
    with file.open("rb+") as opened:
        os.fsync(opened.fileno())


def name_it(temporary: Path, path: Path) -> None:
    """Give the finished file its name, but never another file's; the name is on disk when this
    returns."""
    try:
        if not _linked(temporary, path):
            _moved(temporary, path)
    except FileExistsError:
        raise UsageError.of("ledger-made-meanwhile", path=path) from None
    with suppress(OSError):  # not every system opens folders
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _linked(temporary: Path, path: Path) -> bool:
    """Give the file a second name; False where the system or the file system has no hard links."""
    try:
        os.link(temporary, path)
    except FileExistsError:
        raise
    except (AttributeError, OSError):
        return False
    return True


def _moved(temporary: Path, path: Path) -> None:
    """Rename the file to a name that is free; raises FileExistsError when it is not."""
    if sys.platform == "win32":  # there a rename never replaces
        temporary.rename(path)
        return
    # The name is claimed by an empty file of our own, which alone the rename then replaces.
    os.close(
        os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), 0o666)
    )
    claimed = path.stat()
    try:
        temporary.replace(path)
    except OSError:
        with suppress(OSError):
            now = path.stat()
            if (now.st_dev, now.st_ino, now.st_size) == (claimed.st_dev, claimed.st_ino, 0):
                path.unlink()
        raise
