"""Writing the files that a user names: whole or not at all, and never in place of what must stay.

A command claims each file that an option names before its work (``claim``), so that
what must not be replaced is refused while nothing is lost: a file that the command reads, a ledger,
a second option's file, a directory, a pipe without reader.  Files are written by ``write_whole``,
``write_in`` and ``open_new``.
"""

import errno
import os
import re
import secrets
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Final

from quadrille_core.errors import Place, Problem, QuadrilleError, UnwrittenError, UsageError
from quadrille_plugins.shell.files import (
    Files,
    current,
    inode_of,
    note_unwritten,
    read_only,
    read_too,
)

_SQLITE: Final = b"SQLite format 3\0"
_COMPANIONS: Final = ("-wal", "-shm", "-journal")
"""What SQLite appends to a ledger's name for the files beside it."""
_READ_ONLY: Final = (errno.EACCES, errno.EPERM, errno.EROFS)
STUDY, BLOCKS = "study.json", "blocks"
"""What tells a study folder, and the folder of its blocks in it."""
_OF_A_STUDY: Final = re.compile(rb'\s*\{\s*"kind"\s*:\s*"study"')

READING: Final = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_BINARY", 0)
)
"""How a file is opened that may be a link or a pipe: without following the one or waiting for the
other."""


def claim(path: Path, option: str) -> None:
    """Look at a file that an option is to write, before the work; raises UsageError when it cannot
    or must not be."""
    files = current.get() or Files()
    status, real = _look(path), os.path.realpath(path)
    inode = inode_of(status) if status is not None else None
    other = files.claimed.get(real) or (files.inodes.get(inode) if inode is not None else None)
    if other is not None and other != option:
        raise UsageError.of("two-options-write", other=other, option=option, path=path)
    if inode in files.read and status is not None and stat.S_ISREG(status.st_mode):
        raise read_too(str(path), option)
    if status is None or (not _irregular(status) and _own_stream(status) is None):
        _probe(path, real, exists=status is not None)
    elif _own_stream(status) is None:
        handle = _opened(path, status)
        if current.get() is None:
            os.close(handle)
        else:
            files.handles[inode_of(status)] = handle
    files.claimed[real] = option
    if inode is not None:
        files.inodes[inode] = option


def check_folder(folder: Path | None) -> None:
    """Make a folder that is to be written to, if one is named; what takes hours to find is not lost
    for want of it.

    Raises UsageError when nothing can be written there, or a study keeps its files there.
    """
    if folder is None:
        return
    real = os.path.realpath(folder)
    _refuse_study(folder, real)
    files = current.get()
    if files is not None:
        files.folders.add(real)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle, temporary = _beside(str(folder), 0o600)
        os.close(handle)
        os.unlink(temporary)
    except (OSError, ValueError) as e:
        raise UsageError.of("cannot-write-in-folder", folder=folder, e=_reason(e)) from None


def claim_study(folder: Path) -> None:
    """Keep what options write out of a folder that is to be a study's; raises UsageError."""
    files, real = current.get(), os.path.realpath(folder)
    if files is None:
        return
    kept = (real, os.path.join(real, BLOCKS))
    for path, option in files.claimed.items():
        if os.path.dirname(path) in kept:
            raise UsageError(_in_study(path, real, option))
    for path in files.folders:
        if path in kept:
            raise UsageError(_in_study(path, real))


def write_whole(
    path: Path, content: str | bytes, *, study: bool = False, changes: bool = False
) -> None:
    """Write a file so that it is never seen half-written; raises UnwrittenError.

    ``study``: as a study writes into its own folder, see ``NewFile``.  ``changes``: the command was
    asked to change this file, and may have read it.
    """
    new = open_new(path, study=study, changes=changes)
    try:
        new.stream.write(content.encode("utf-8") if isinstance(content, str) else content)
    except BaseException as e:
        new.drop()
        if not isinstance(e, OSError):
            raise
        raise _unwritten(path, e) from None
    new.commit()


def write_in(folder: Path, name: str, content: str | bytes) -> None:
    """Write a file into a folder that an option names; raises UnwrittenError, also where another
    option writes it."""
    path, files = folder / name, current.get()
    option = files.claimed.get(os.path.realpath(path)) if files is not None else None
    if option is not None:
        raise UnwrittenError(_refused(path, "option-writes-it", option=option))
    write_whole(path, content)


def open_new(path: Path, *, study: bool = False, changes: bool = False) -> "NewFile":
    """A file to be filled by its ``stream``; raises UnwrittenError."""
    try:
        return NewFile(path, study=study, changes=changes)
    except UsageError as e:
        raise UnwrittenError(e.problems) from None
    except (OSError, ValueError) as e:
        raise _unwritten(path, e) from None


class NewFile:
    """A file under a random name beside its place; it gets its own name, synced, when it is
    committed.

    What is no regular file (a device, a pipe, the program's own standard output) is written to as
    it is, and gets nothing before the whole is there.  The mode of a file that is replaced is kept,
    and its owner where that is allowed; a link stays, and the file that it points to is replaced.

    With ``study`` it is a file of a study in its own folder, in which no link is followed and
    nothing else is written to: a folder may come from a stranger.
    """

    def __init__(self, path: Path, *, study: bool = False, changes: bool = False) -> None:
        self.path = path
        self._study = study
        self._temporary: str | None = None
        self._handle: int | None = None
        status, files = _look_own(path) if study else _look(path), current.get()
        is_read = files is not None and status is not None and inode_of(status) in files.read
        if is_read and not changes and status is not None and not _irregular(status):
            raise UsageError(_refused(path, "command-reads-it"))
        self._real = os.fspath(path) if study else os.path.realpath(path)
        if (
            status is not None
            and not study
            and (_irregular(status) or _own_stream(status) is not None)
        ):
            self._handle = _taken(path, status)
            self.stream: IO[bytes] = tempfile.SpooledTemporaryFile(max_size=1 << 20)  # noqa: SIM115
            return
        handle, self._temporary = _beside(
            os.path.dirname(self._real), 0o666 if status is None else 0o600
        )
        self.stream = os.fdopen(handle, "wb")
        if status is not None:
            try:
                _like(handle, status)
            except BaseException:
                self.drop()
                raise

    def commit(self) -> None:
        """Put the whole in its place, on the disk; raises UnwrittenError, and then nothing is left
        of it."""
        try:
            if self._handle is not None:
                self._hand_over(self._handle)
            elif self._temporary is not None:
                self.stream.flush()
                _sync(self.stream.fileno())
                self.stream.close()
                now = _look_own(self.path) if self._study else _look(self.path)
                if now is not None and _irregular(now):
                    raise UsageError(_refused(self.path, "place-taken", kind=_kind(now)))
                os.replace(self._temporary, self._real)
                self._temporary = None
                _sync_folder(os.path.dirname(self._real))
        except UsageError as e:
            raise UnwrittenError(e.problems) from None
        except OSError as e:
            raise _unwritten(self.path, e) from None
        finally:
            self.drop()

    def drop(self) -> None:
        """Leave nothing of it; does nothing once it is committed."""
        with suppress(OSError):
            self.stream.close()  # writes what it still holds, on a full disk in vain
        if self._handle is not None:
            handle, self._handle = self._handle, None
            os.close(handle)
        if self._temporary is not None:
            temporary, self._temporary = self._temporary, None
            with suppress(OSError):
                os.unlink(temporary)

    def _hand_over(self, handle: int) -> None:
        self.stream.seek(0)
        while piece := self.stream.read(1 << 16):
            while piece:
                piece = piece[os.write(handle, piece) :]


# --- what lies in its place -----------------------------------------------------------------------


def _look(path: Path) -> os.stat_result | None:
    """What is there, None when nothing is; raises UsageError for what no command may write."""
    _refuse_ledger(path)
    _refuse_study(path, os.path.dirname(os.path.realpath(path)))
    try:
        status = os.stat(path)
    except FileNotFoundError:
        parent = Path(os.path.realpath(path)).parent
        if not parent.is_dir():
            raise UsageError.of("cannot-write-no-folder", path=path, parent=path.parent) from None
        return None
    except (OSError, ValueError) as e:
        raise UsageError(_refused(path, "unwritable", reason=_reason(e))) from None
    if stat.S_ISDIR(status.st_mode):
        raise UsageError(_refused(path, "directory-to-write"))
    if stat.S_ISSOCK(status.st_mode) or stat.S_ISBLK(status.st_mode):
        raise UsageError(_refused(path, "no-file-to-write", kind=_kind(status)))
    return status


def _look_own(path: Path) -> os.stat_result | None:
    """The same of a file in a study folder; raises UsageError for what is neither a file nor in a
    real folder."""
    try:
        if not stat.S_ISDIR(os.lstat(path.parent).st_mode) and path.parent.name == BLOCKS:
            raise UsageError(_refused(path, "blocks-no-folder", blocks=BLOCKS))
        status = os.lstat(path)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as e:
        raise UsageError(_unwritten(path, e).problems) from None
    if _irregular(status):
        raise UsageError(_refused(path, "no-file-in-study", kind=_kind(status)))
    return status


def _refuse_study(path: Path, folder: str) -> None:
    """Raise UsageError where this folder is a study's, or that of its blocks."""
    for study in (
        folder,
        *((os.path.dirname(folder),) if os.path.basename(folder) == BLOCKS else ()),
    ):
        if is_study(study):
            raise UsageError(_in_study(os.fspath(path), study))


def is_study(folder: str) -> bool:
    """Whether a study keeps its files in this folder."""
    with suppress(OSError, ValueError):
        handle = os.open(os.path.join(folder, STUDY), READING)
        with os.fdopen(handle, "rb") as file:
            return (
                stat.S_ISREG(os.fstat(handle).st_mode)
                and _OF_A_STUDY.match(file.read(1024)) is not None
            )
    return False


def _refuse_ledger(path: Path) -> None:
    """Raise UsageError for a ledger, or what belongs to one: a session cannot be made good
    again."""
    for suffix in ("", *_COMPANIONS):
        name = os.fspath(path)
        if suffix and not name.endswith(suffix):
            continue
        name = name.removesuffix(suffix)
        with suppress(OSError, ValueError):
            if stat.S_ISREG(os.stat(name).st_mode):  # a pipe would be waited for
                with open(name, "rb") as file:
                    if file.read(len(_SQLITE)) == _SQLITE:
                        variant = "part-of-a-ledger" if suffix else "ledger-or-database"
                        raise UsageError(_refused(path, variant, ledger=name))


def _own_stream(status: os.stat_result) -> int | None:
    """The number of the standard output or error that goes to this file; None for another file.

    A file that the shell has opened for the output is not replaced: what is printed would be lost
    with it.
    """
    for number in (1, 2):
        with suppress(OSError):
            if os.path.samestat(os.fstat(number), status):
                return number
    return None


def _taken(path: Path, status: os.stat_result) -> int:
    """A handle to write to what is no regular file: that of the claim, or a new one."""
    own = _own_stream(status)
    if own is not None:
        return os.dup(own)
    files = current.get()
    held = files.handles.pop(inode_of(status), None) if files is not None else None
    return held if held is not None else _opened(path, status)


def _opened(path: Path, status: os.stat_result) -> int:
    """A handle to write to a device or pipe that waits for nobody; raises UsageError."""
    flags = os.O_WRONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
    try:
        handle = os.open(path, flags)
    except OSError as e:
        if e.errno == errno.ENXIO and stat.S_ISFIFO(status.st_mode):
            raise UsageError(_refused(path, "pipe-without-reader")) from None
        to = {"kind": _kind(status), "reason": _reason(e)}
        raise UsageError(_refused(path, "cannot-write-to", **to)) from None
    if not os.path.samestat(os.fstat(handle), status):
        os.close(handle)
        raise UsageError(_refused(path, "place-taken", kind="another file"))
    os.set_blocking(handle, True)
    return handle


def _probe(path: Path, real: str, *, exists: bool) -> None:
    """Raise UsageError unless the file could be replaced, or made."""
    folder = os.path.dirname(real)
    if exists and read_only(real):
        raise UsageError(_refused(path, "unwritable", reason="it is read-only"))
    try:
        if read_only(folder):
            raise OSError(errno.EACCES, os.strerror(errno.EACCES))
        handle, temporary = _beside(folder, 0o600)
        os.close(handle)
        os.unlink(temporary)
    except (OSError, ValueError) as e:
        if exists and isinstance(e, OSError) and e.errno in _READ_ONLY:
            raise UsageError(_refused(path, "folder-read-only")) from None
        raise UsageError(_refused(path, "unwritable", reason=_reason(e))) from None


# --- a file beside another ------------------------------------------------------------------------


def _beside(folder: str, mode: int) -> tuple[int, str]:
    """A new file in the folder under a name that nobody guesses, opened for writing; raises
    OSError."""
    path = os.path.join(folder, f".quadrille-{secrets.token_hex(12)}.tmp")
    flags = (
        os.O_WRONLY
        | os.O_CREAT
        | os.O_EXCL
        | getattr(os, "O_NOFOLLOW", 0)
        | getattr(os, "O_BINARY", 0)
    )
    return os.open(path, flags, mode), path


def _like(handle: int, status: os.stat_result) -> None:
    """Give a new file the owner, where that is allowed, and the mode of the one that it
    replaces."""
    if hasattr(os, "fchown"):
        made = os.fstat(handle)
        if (made.st_uid, made.st_gid) != (status.st_uid, status.st_gid):
            with suppress(OSError):
                os.fchown(handle, status.st_uid, status.st_gid)
    if hasattr(os, "fchmod"):
        os.fchmod(handle, stat.S_IMODE(status.st_mode) & 0o777)


def _sync(handle: int) -> None:
    try:
        os.fsync(handle)
    except OSError as e:
        if e.errno not in (
            errno.EINVAL,
            errno.ENOSYS,
            errno.ENOTSUP,
        ):  # a file system that knows no syncing
            raise


def _sync_folder(folder: str) -> None:
    with suppress(OSError):  # not every system opens folders
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


# --- words ----------------------------------------------------------------------------------------


def _irregular(status: os.stat_result) -> bool:
    return not stat.S_ISREG(status.st_mode)


def _kind(status: os.stat_result) -> str:
    for test, name in (
        (stat.S_ISFIFO, "a pipe"),
        (stat.S_ISSOCK, "a socket"),
        (stat.S_ISBLK, "a disk's device"),
        (stat.S_ISDIR, "a directory"),
        (stat.S_ISLNK, "a link"),
    ):
        if test(status.st_mode):
            return name
    return "a device"


def _reason(e: Exception) -> str:
    return getattr(e, "strerror", None) or str(e)


def _refused(path: Path, variant: str, **data: object) -> Problem:
    return Problem("Q803", variant, data, Place(str(path)))


def _in_study(path: str, folder: str, option: str = "") -> Problem:
    return Problem(
        "Q803",
        "writes-into-a-study",
        {"option": option + " " if option else "", "folder": folder},
        Place(path),
    )


def _unwritten(path: Path, e: Exception) -> UnwrittenError:
    return UnwrittenError(_refused(path, "cannot-write-file", text=_reason(e)))


@contextmanager
def noting_unwritten() -> Iterator[None]:
    """Whatever cannot be written within is noted for the end of the command, which goes on.

    Outside a command the error is raised.
    """
    try:
        yield
    except QuadrilleError as e:
        note_unwritten(e)
