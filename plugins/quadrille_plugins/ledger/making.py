"""Creates a ledger's file: under a temporary name, checked, and only then renamed."""

import os
import secrets
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from quadrille_core.errors import LedgerError, UnreadableError, UsageError
from quadrille_plugins.ledger.schema import APPLICATION_ID, STATEMENTS, VERSION
from quadrille_plugins.ledger.store import Store, connect, refuse_old_sqlite, translated

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
