"""A folder written whole: it gets its name when everything in it is on the disk, and is never seen
half-written."""

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from quadrille_core.errors import Place, Problem, UnwrittenError, UsageError


def check_new_folder(folder: Path) -> None:
    """Raise UsageError unless a folder of that name could be made: nothing may be there, and its
    parent must be."""
    place = Place(str(folder))
    if not str(folder) or folder.name in ("", ".", ".."):
        raise UsageError(
            Problem.text(
                "Q803", "this names no new folder", place, "name a folder that is not there yet"
            )
        )
    if os.path.lexists(folder):
        raise UsageError(
            Problem.text(
                "Q803", "this is there already", place, "name a folder that is not there yet"
            )
        )
    if not folder.absolute().parent.is_dir():
        raise UsageError(
            Problem.text("Q803", f"there is no folder {folder.parent}", place, "make it first")
        )
    if not os.access(folder.absolute().parent, os.W_OK):
        raise UsageError(Problem.text("Q803", f"cannot write in the folder {folder.parent}", place))


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
        message = f"cannot write this folder: {e.strerror or e}"
        raise UnwrittenError(Problem.text("Q803", message, Place(str(folder)))) from None


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
