"""The ledger's file: made whole or not at all, opened with suspicion, written in one transaction a command."""

import os
import sqlite3
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from quadrille_core.errors import LedgerError, Place, Problem, UnreadableError, UsageError
from quadrille_core.ledger.schema import APPLICATION_ID, STATEMENTS, TABLES, VERSION

WAIT: Final = 1.0
"""Seconds to wait for another process that writes; after that a command is refused."""

_MOST_BYTES: Final = 16 * 1024 * 1024
"""No text of a ledger is so long; a file that says otherwise is not read on."""
_OLDEST: Final = (3, 37, 0)
"""The first SQLite with STRICT tables."""
_DAMAGED: Final = "keep this file as it is; put back a copy of it together with its -wal file, if it had one"


def damaged(path: Path, what: str) -> UnreadableError:
    """The error for a file that is a ledger and yet cannot be one."""
    return UnreadableError(Problem("Q903", f"the ledger is damaged: {what}", Place(str(path)), _DAMAGED))


@contextmanager
def _translated(path: Path) -> Iterator[None]:
    """Turn what SQLite raises into what a user can read."""
    try:
        yield
    except sqlite3.Error as e:
        raise _in_words(path, e) from None


def _in_words(path: Path, e: sqlite3.Error) -> LedgerError | UnreadableError:
    place, code = Place(str(path)), getattr(e, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL):
        message = "another process is writing in the ledger; nothing was recorded"
        return LedgerError(Problem("Q904", message, place, "run the command again when the other is done"))
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_AUTH):
        message = "the ledger cannot be written; nothing was recorded"
        return LedgerError(Problem("Q908", message, place, "the file and its folder must be writable"))
    if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
        return LedgerError(Problem("Q908", f"the disk refuses: {e}; nothing was recorded", place))
    if code == sqlite3.SQLITE_CONSTRAINT:
        return LedgerError(Problem("Q905", f"the ledger refuses: {e}; nothing was recorded", place))
    return damaged(path, str(e))


def _refuse_what_is_no_ledger(path: Path) -> None:
    """Look at the file's kind and header before SQLite may touch it: another program's file is left alone."""
    place = Place(str(path))
    try:
        status = os.stat(path)
        if stat.S_ISREG(status.st_mode):
            with path.open("rb") as file:
                head = file.read(100)
    except FileNotFoundError:
        hint = "begin one with `quadrille session start`"
        raise UnreadableError(Problem("Q101", "there is no such ledger", place, hint)) from None
    except (OSError, ValueError) as e:
        message = f"the ledger cannot be read: {getattr(e, 'strerror', None) or e}"
        raise UnreadableError(Problem("Q101", message, place)) from None
    if stat.S_ISDIR(status.st_mode):
        raise UnreadableError(Problem("Q101", "this is a directory, not a ledger", place, "name a file in it"))
    if not stat.S_ISREG(status.st_mode):
        raise UnreadableError(Problem("Q101", "this is a device or a pipe, not a ledger", place))
    if not head.startswith(b"SQLite format 3\0") or int.from_bytes(head[68:72], "big") != APPLICATION_ID:
        hint = "name the file that `quadrille session start` made"
        raise UnreadableError(Problem("Q901", "this is no ledger", place, hint))
    if (version := int.from_bytes(head[60:64], "big")) > VERSION:
        message = f"the ledger is of version {version}, and this program reads up to version {VERSION}"
        raise UnreadableError(Problem("Q902", message, place, "use a newer quadrille"))


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    uri = f"{path.absolute().as_uri()}?{mode}"
    connection = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=WAIT)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MOST_BYTES)
    return connection


def _prepare(connection: sqlite3.Connection) -> None:
    for pragma in ("trusted_schema = OFF", "cell_size_check = ON", "foreign_keys = ON", "synchronous = FULL"):
        connection.execute(f"PRAGMA {pragma}")


def create(path: Path, fill: Callable[["Store"], None]) -> None:
    """Make a ledger: built under a temporary name and given its own only when it is whole.

    Raises UsageError when there is a file of that name, or what is left of one; LedgerError when the
    place cannot be written.
    """
    _refuse_old_sqlite(path)
    for name in (path, *(path.with_name(path.name + s) for s in ("-wal", "-shm", "-journal"))):
        if os.path.lexists(name):
            what = "exists already" if name == path else f"is left of another ledger called {path.name}"
            raise UsageError(f"{name} {what}", help="choose another name; a ledger is never overwritten")
    if not path.name or not path.parent.is_dir():
        raise UsageError(f"there is no folder {path.parent}", help="make it first, or choose another place")
    temporary = path.with_name(f".{path.name}.{os.getpid()}.unfinished")
    try:
        temporary.unlink(missing_ok=True)  # of a killed process that had our number
        with _translated(path):
            connection = _connect(temporary, "mode=rwc")
            try:
                _prepare(connection)
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                connection.execute(f"PRAGMA user_version = {VERSION}")
                connection.execute("BEGIN IMMEDIATE")
                for statement in STATEMENTS.values():
                    connection.execute(statement)
                fill(Store(path, connection))
                connection.execute("COMMIT")
            finally:
                connection.close()
        _name_it(temporary, path)
    except OSError as e:
        raise LedgerError(Problem("Q908", f"the ledger cannot be made: {e.strerror or e}", Place(str(path)))) from None
    finally:
        for suffix in ("", "-wal", "-shm"):
            temporary.with_name(temporary.name + suffix).unlink(missing_ok=True)


def _name_it(temporary: Path, path: Path) -> None:
    """Give the finished file its name, but never another file's; the name is on disk when this returns."""
    with temporary.open("rb") as file:
        os.fsync(file.fileno())
    try:
        os.link(temporary, path)
    except FileExistsError:
        raise UsageError(f"{path} exists already", help="another process made it just now") from None
    except OSError:  # a file system without links
        if os.path.lexists(path):
            raise UsageError(f"{path} exists already", help="choose another name") from None
        temporary.replace(path)
    with suppress(OSError):  # not every system opens folders
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _refuse_old_sqlite(path: Path) -> None:
    if sqlite3.sqlite_version_info < _OLDEST:
        message = f"a ledger needs SQLite 3.37 or newer, and this Python has {sqlite3.sqlite_version}"
        raise LedgerError(Problem("Q908", message, Place(str(path)), "use a newer Python"))


class Store:
    """An open ledger file: rows in, rows out."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection

    @classmethod
    def open(cls, path: Path, *, write: bool) -> "Store":
        """Open a ledger and look it over.

        Raises UnreadableError for what is not there, no ledger, too new or damaged; LedgerError for one
        that another process holds or, with ``write``, that cannot be written.
        """
        _refuse_what_is_no_ledger(path)
        _refuse_old_sqlite(path)
        try:
            with _translated(path):
                store = cls(path, _open_connection(path, write))
                try:
                    store._look_over()
                except BaseException:
                    store.close()
                    raise
                return store
        except (AttributeError, TypeError, ValueError) as e:  # names that are no text, or none in UTF-8
            raise damaged(path, f"its tables make no sense ({type(e).__name__})") from None

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def _look_over(self) -> None:
        """Whether the file is sound and has the tables and triggers of a ledger, and nothing else."""
        verdict = self._connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
        if verdict != "ok":
            raise damaged(self.path, " ".join(str(verdict).split())[:200])
        found = {
            name: sql
            for name, sql in self._connection.execute("SELECT name, sql FROM sqlite_schema")
            if not name.startswith("sqlite_autoindex_")
        }
        if (known := set(found)) != set(STATEMENTS):
            odd = ", ".join(sorted(known ^ set(STATEMENTS))[:4])
            raise damaged(self.path, f"its tables are not those of a ledger ({odd[:100]!r})")
        for name, sql in STATEMENTS.items():
            if found[name] != sql:
                raise damaged(self.path, f"{name} is not as a ledger has it")
        if self._connection.execute("PRAGMA foreign_key_check").fetchone():
            raise damaged(self.path, "a row points to one that is not there")
        for table in TABLES:
            count, last = self._connection.execute(f"SELECT count(*), coalesce(max(id), 0) FROM {table}").fetchone()  # noqa: S608 - the names are ours
            if count != last:
                raise damaged(self.path, f"rows of {table} are missing")

    # Rows.

    def rows(self, table: str) -> list[dict[str, Any]]:
        """Every row of a table, in order."""
        cursor = self._connection.execute(f"SELECT * FROM {table} ORDER BY id")  # noqa: S608 - the names are ours
        names = [d[0] for d in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in cursor]

    def add(self, table: str, **values: Any) -> int:
        """Append a row; returns its number."""
        number = int(self._connection.execute(f"SELECT coalesce(max(id), 0) + 1 FROM {table}").fetchone()[0])  # noqa: S608 - the names are ours
        columns = ", ".join(["id", *values])
        marks = ", ".join("?" * (len(values) + 1))
        self._connection.execute(f"INSERT INTO {table} ({columns}) VALUES ({marks})", (number, *values.values()))  # noqa: S608 - the names are ours
        return number

    # Transactions.

    @contextmanager
    def reading(self) -> Iterator[None]:
        """One view of the ledger, whatever another process writes meanwhile."""
        with self._transaction("BEGIN", "ROLLBACK"):
            yield

    @contextmanager
    def writing(self) -> Iterator[None]:
        """One transaction: all of it is in the file when this returns, or nothing of it ever.

        Raises LedgerError when another process is writing and does not end within a second.
        """
        with self._transaction("BEGIN IMMEDIATE", "COMMIT"):
            yield

    @contextmanager
    def _transaction(self, begin: str, end: str) -> Iterator[None]:
        with _translated(self.path):
            self._connection.execute(begin)
            try:
                yield
                self._connection.execute(end)
            except BaseException:
                if self._connection.in_transaction:
                    with suppress(sqlite3.Error):
                        self._connection.execute("ROLLBACK")
                raise


def _open_connection(path: Path, write: bool) -> sqlite3.Connection:
    connection = _connect(path, "mode=rw")
    try:
        _prepare(connection)
        if connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal" and write:
            connection.execute("PRAGMA journal_mode = WAL")
        return connection
    except BaseException as e:
        connection.close()
        if not isinstance(e, sqlite3.OperationalError):
            raise
        wal = path.with_name(path.name + "-wal")
        if write or (wal.exists() and wal.stat().st_size):
            raise
    # In a folder that may not be written WAL cannot be used; with nothing waiting in it, it need not be.
    connection = _connect(path, "immutable=1")
    _prepare(connection)
    return connection
