"""A folder written whole: it gets its name when everything in it is on the disk, and is never seen
half-written."""

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from quadrille_core.errors import Place, UnwrittenError, UsageError
from quadrille_plugins.shell.files import read_only


def check_new_folder(folder: Path) -> None:
    """Raise UsageError unless a folder of that name could be made: nothing may be there, and its
    parent must be."""
    place = Place(str(folder))
    if not str(folder) or folder.name in ("", ".", ".."):
        raise UsageError.of("no-name-of-a-folder", place=place)
    if os.path.lexists(folder):
        raise UsageError.of("folder-exists", place=place)
    if not folder.absolute().parent.is_dir():
        raise UsageError.of("no-parent-folder", place=place, parent=folder.parent)
    if read_only(folder.absolute().parent):
        raise UsageError.of("parent-not-writable", place=place, parent=folder.parent)


@contextmanager
def new_folder(folder: Path) -> Iterator[Path]:
    """The place to write into; when the block ends well, its content is at ``folder``, otherwise
    nothing is.

    Raises UsageError as ``check_new_folder`` does, UnwrittenError where writing fails.  A killed
    process leaves at most a folder beside it whose name begins with ``.quadrille-``.
    """
    check_new_folder(folder)
    temporary = folder.absolute().parent / f".quadrille-{secrets.token_hex(12)}.tmp"
    try:
        temporary.mkdir()
        try:
            yield temporary
            for path in sorted(temporary.rglob("*")):
                _sync(path)
            check_new_folder(folder)
            temporary.rename(folder)
            _sync(folder.absolute().parent)
        finally:
            if temporary.exists():
                shutil.rmtree(temporary, ignore_errors=True)
    except OSError as e:
        raise UnwrittenError.of("cannot-write-folder", place=folder, text=e.strerror or e) from None


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
