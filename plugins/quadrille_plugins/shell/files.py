"""What one command reads and writes: remembered until its end, so that nothing that it reads is
overwritten.

A command runs within ``command()``.  Whoever reads a file notes it (``resources.note_read``);
whoever is to write one claims it.  What could not be written after the work is noted too, and told
at the end.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field

from quadrille_core.errors import Problem, QuadrilleError, UsageError
from quadrille_core.resources import reader

Inode = tuple[int, int]


@dataclass(slots=True)
class Files:
    """What one command reads and writes.  ``unwritten`` are the files that failed after the
    work."""

    unwritten: list[Problem] = field(default_factory=list)
    claimed: dict[str, str] = field(default_factory=dict)
    """The option that writes each file, by its real path."""
    inodes: dict[Inode, str] = field(default_factory=dict)
    """The same, of files that were there when they were claimed."""
    handles: dict[Inode, int] = field(default_factory=dict)
    """Open handles of claimed devices and pipes: a pipe that is closed and opened again has lost
    its reader."""
    read: set[Inode] = field(default_factory=set)
    folders: set[str] = field(default_factory=set)
    """The real paths of folders that options name to be written into."""

    def note_read(self, path: str | os.PathLike[str]) -> None:
        """Remember that the command reads this file; raises UsageError where an option is to write
        it."""
        with suppress(OSError, ValueError):
            status = os.stat(path)
            option = self.inodes.get(inode := inode_of(status))
            if option is not None and stat.S_ISREG(status.st_mode):
                raise read_too(os.fspath(path), option)
            self.read.add(inode)


current: ContextVar[Files | None] = ContextVar("files", default=None)
"""The files of the command that runs; None outside a command."""


@contextmanager
def command() -> Iterator[Files]:
    """The memory of one command: what it reads and writes is remembered until its end."""
    files = Files()
    token, noting = current.set(files), reader.set(files.note_read)
    try:
        yield files
    finally:
        current.reset(token)
        reader.reset(noting)
        for handle in files.handles.values():
            os.close(handle)


def note_unwritten(error: QuadrilleError) -> None:
    """Note a failure for the end of the command; outside a command the error is raised."""
    files = current.get()
    if files is None:
        raise error
    files.unwritten += [p for p in error.problems if p not in files.unwritten]


def inode_of(status: os.stat_result) -> Inode:
    """What tells a file from every other, whatever it is called."""
    return status.st_dev, status.st_ino


def read_only(path: str | os.PathLike[str]) -> bool:
    """Whether nobody may write there by its mode, which holds for root too, though the system lets
    root; raises OSError."""
    if not os.stat(path).st_mode & 0o222:
        return True
    return not os.access(path, os.W_OK, effective_ids=os.access in os.supports_effective_ids)


def read_too(path: str, option: str) -> UsageError:
    """The error of an option that would replace what the command reads."""
    return UsageError.of("would-replace-what-is-read", place=path, option=option)
