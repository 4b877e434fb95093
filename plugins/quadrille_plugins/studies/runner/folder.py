"""The study folder: the plan of a study, its finished blocks, and finally its results.

``study.json`` says what the study is, ``blocks/NNNNNN.json`` hold what blocks came to, each with
its SHA-256 and written whole.  Nothing in a folder is run: it may come from a stranger, who can
make up numbers, and no more.
"""

import json
import os
import re
import stat
from collections.abc import Iterable
from contextlib import AbstractContextManager
from hashlib import sha256
from operator import methodcaller
from pathlib import Path
from typing import IO, Any, Final, Protocol
from weakref import WeakSet

from quadrille_core.errors import UnwrittenError, UsageError
from quadrille_plugins.shell.values import Json
from quadrille_plugins.shell.writing import BLOCKS, READING, STUDY, claim_study, write_whole
from quadrille_plugins.studies.manifest import differences, manifest_text, shown
from quadrille_plugins.studies.runner.plain import DamagedError, from_plain, to_plain

FORM: Final = 1
"""The form of study folders that this version writes and reads."""
LOCK = "lock"
RESULTS: Final = ("results.json", "manifest.json")
"""What a study writes into its folder in the end."""
LARGEST: Final = 1 << 28
"""Bytes of a file that are read, at most."""
HEAD: Final = b'{"sha256":"%s","block":'
TAIL: Final = b"}\n"
_HEAD: Final = re.compile(rb'\{"sha256":"([0-9a-f]{64})","block":')


class FolderError(UsageError):
    """A study folder that belongs to another study, is in use, or cannot be read or written."""

    code = "Q805"


class UnkeptError(FolderError):
    """A file of a study folder that cannot be written, as on a full disk."""


class Written(Protocol):
    """What is known of a work's blocks as they are written."""

    @property
    def task(self) -> Any:
        """The type of a task."""

    @property
    def result(self) -> Any:
        """The type of a result."""


def block_text(
    study: str,
    number: int,
    work: Written,
    task: Any,
    result: Any,
    rows: Iterable[Any] | None = None,
) -> tuple[bytes, bytes | None]:
    """A block as it is written, but for its SHA-256, and the rows of its deals as JSON lines, if
    there are any.

    It holds the study's digest, its number, its task, the SHA-256 of the rows, and what it came to.
    """
    lines = (
        None
        if rows is None
        else "".join(
            json.dumps(row, default=methodcaller("tolist")) + "\n" for row in rows
        ).encode()
    )
    plain = {
        "study": study,
        "number": number,
        "task": to_plain(work.task, task),
        "rows": None if lines is None else sha256(lines).hexdigest(),
        "result": to_plain(work.result, result),
    }
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":")).encode(), lines


class StudyFolder(AbstractContextManager["StudyFolder"]):
    """The folder in which a study keeps its blocks, locked while open.

    ``plan`` says what the study is, ``extent`` how much of it is wanted: the same study may be
    enlarged.
    """

    def __init__(self, path: Path, plan: Json, extent: Json, *, resume: bool) -> None:
        """Make the folder, or take it up; raises FolderError where it is in use, or another
        study's."""
        self.path, self.plan = path, json.loads(json.dumps(plan, allow_nan=False))
        self.study = sha256(json.dumps(self.plan, sort_keys=True).encode()).hexdigest()
        self.damaged: list[int] = []
        """The numbers of blocks that were there and could not be used."""
        self.found = 0
        """How many blocks there were when the folder was taken up."""
        self.read_back = 0
        """How many blocks were there and were used."""
        self.last: int | None = None
        """The number of the block that was handed out last, where it was read back."""
        claim_study(path)
        try:
            _look_around(path)
            (path / BLOCKS).mkdir(parents=True, exist_ok=True)
            self._lock = _locked(path / LOCK)
        except OSError as e:
            raise FolderError.of(
                "study-folder-not-writable", path=path, text=e.strerror or e
            ) from None
        try:
            self._take_up(extent, resume=resume)
        except BaseException:
            self.close()
            raise

    def _take_up(self, extent: Json, *, resume: bool) -> None:
        place = self.path / STUDY
        known = self._known(place)
        if known is not None:
            if not resume:
                raise FolderError.of("folder-holds-study", path=self.path)
            for where, then, now in differences(known.get("plan"), self.plan):
                raise FolderError.of(
                    "folder-holds-another-study",
                    path=self.path,
                    text=where.removeprefix("."),
                    then=shown(then),
                    now=shown(now),
                )
            self.found = sum(p.suffix == ".json" for p in (self.path / BLOCKS).iterdir())
        size = known.get("block_size") if known is not None else None
        self._size = (
            size if isinstance(size, int) and not isinstance(size, bool) and size > 0 else None
        )
        self._extent = dict(extent)
        self._say()

    def _say(self) -> None:
        told = {
            "kind": "study",
            "form": FORM,
            "plan": self.plan,
            "extent": self._extent,
            "block_size": self._size,
        }
        self.keep(STUDY, manifest_text(told))

    def size(self, wanted: int) -> int:
        """The block size: that of the original study, so that an enlarged one has the same
        blocks."""
        if self._size is None:
            self._size = wanted
            self._say()
        return self._size

    def _known(self, place: Path) -> Json | None:
        text = _bytes(place)
        if text is None:
            return None
        try:
            known = json.loads(text)
            if not isinstance(known, dict) or known.get("kind") != "study":
                raise ValueError
        except (ValueError, RecursionError):
            raise FolderError.of("no-study-file", where=place) from None
        if known.get("form") != FORM:
            raise FolderError.of(
                "study-of-another-form", where=place, text=shown(known.get("form")), form=FORM
            )
        return known

    # --- blocks

    def _place(self, number: int, suffix: str = "json") -> Path:
        return self.path / BLOCKS / f"{number:06d}.{suffix}"

    def read(self, number: int, work: Written, task: Any) -> Any | None:
        """The result of a block; None when missing, damaged, of other sessions, or without the rows
        needed."""
        text = _bytes(self._place(number))
        if text is None:
            return None
        head = _HEAD.match(text)
        body = text[head.end() : -len(TAIL)] if head else b""
        try:
            if not head or not text.endswith(TAIL) or sha256(body).hexdigest().encode() != head[1]:
                raise DamagedError("its SHA-256 is another")
            plain = json.loads(body)
            if plain["study"] != self.study or plain["number"] != number:
                raise DamagedError("it is another study's")
            # a study that was enlarged may have a larger block here, and one that lists deals may
            # not have done so
            table, rows = _table(work), plain["rows"]
            if plain["task"] != to_plain(work.task, task) or (table and rows is None):
                return None
            found = from_plain(work.result, plain["result"])
            if table:
                found.rows = self._rows(number, rows)
        except (ValueError, TypeError, KeyError, RecursionError, OSError):
            self.damaged.append(number)
            return None
        if not _fits(work, task, found):
            self.damaged.append(number)
            return None
        self.read_back += 1
        return found

    def _rows(self, number: int, digest: str) -> list[Any]:
        lines = _bytes(self._place(number, "rows"))
        if lines is None or sha256(lines).hexdigest() != digest:
            raise DamagedError("the SHA-256 of its rows is another")
        return [json.loads(line) for line in lines.splitlines()]

    def doubted(self, error: Exception) -> FolderError:
        """What is said where blocks that were read back cannot be added up: the block, where it is
        known."""
        why = f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"[:200]
        if self.last is not None:
            place, which = self._place(self.last), f"block {self.last} of {self.path}"
        else:
            place, which = (
                self.path / BLOCKS,
                f"one of the {self.read_back} blocks read from {self.path}",
            )
        return FolderError.of("block-of-another-study", which=which, why=why, where=place)

    def write(self, number: int, work: Written, task: Any, result: Any) -> None:
        """Keep what a block came to."""
        listed = _table(work) is not None
        if listed:
            result.rows = list(result.rows)
        body, lines = block_text(
            self.study, number, work, task, result, result.rows if listed else None
        )
        if lines is not None:
            self._write(self._place(number, "rows"), lines)
        self._write(self._place(number), HEAD % sha256(body).hexdigest().encode() + body + TAIL)

    # --- files

    def keep(self, name: str, text: str) -> None:
        """Write a file of the folder whole."""
        self._write(self.path / name, text.encode())

    def _write(self, place: Path, content: bytes) -> None:
        try:
            write_whole(place, content, study=True)
        except UnwrittenError as e:
            raise UnkeptError.of("block-not-kept", file=place, why=e.problems[0]) from None

    def close(self) -> None:
        """Let another process use the folder."""
        self._lock.close()

    def __exit__(self, *_: object) -> None:
        self.close()


def _table(work: Any) -> Any:
    """The table that the rows of a work's blocks are for; None where it has none."""
    return getattr(work, "told", None)


def _fits(work: Any, task: Any, found: Any) -> bool:
    """Whether what was read is of these sessions and has such a table's rows, judged by its
    shape."""
    table = _table(work)
    fits = not hasattr(work, "fits") or work.fits(task, found)
    return fits and (table is None or table.holds(found.rows, task.first, task.units))


def _look_around(path: Path) -> None:
    """Raise FolderError for a folder with foreign files in places that a study writes to."""
    names, blocks = (STUDY, LOCK, *RESULTS), path / BLOCKS
    there = {
        name: status for name in (*names, BLOCKS) if (status := _status(path / name)) is not None
    }
    for name, status in there.items():
        if name != BLOCKS:
            _check_regular(path / name, status)
        elif not stat.S_ISDIR(status.st_mode):
            raise FolderError.of("blocks-not-a-folder", blocks=blocks)
    inside = []
    if BLOCKS in there:
        with os.scandir(blocks) as entries:
            for entry in entries:
                inside.append(entry.name)
                _check_regular(blocks / entry.name, entry.stat(follow_symlinks=False))
    if STUDY in there:
        return
    # a study that was killed before it wrote anything leaves an empty lock and an empty folder
    foreign = [n for n in there if n in RESULTS or (n == LOCK and there[n].st_size)] + inside[:1]
    if foreign:
        what = "blocks" if inside else foreign[0]
        raise FolderError.of("blocks-without-study", path=path, what=what, study=STUDY)


def _status(place: Path) -> os.stat_result | None:
    try:
        return os.lstat(place)
    except FileNotFoundError:
        return None


def _check_regular(place: Path, status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise FolderError.of("no-regular-file", where=place)


def _bytes(place: Path) -> bytes | None:
    """The bytes of a file in the folder, or None; raises FolderError for anything but a regular
    file.

    Of a file that is too large, too little is read to be of use.
    """
    try:
        handle = os.open(place, READING)
    except FileNotFoundError:
        return None
    except OSError as e:
        raise FolderError.of("study-unreadable", where=place, text=e.strerror or e) from None
    with os.fdopen(handle, "rb") as file:
        _check_regular(place, os.fstat(handle))
        try:
            return file.read(LARGEST)
        except OSError as e:
            raise FolderError.of("study-unreadable", where=place, text=e.strerror or e) from None


_locks: "WeakSet[IO[bytes]]" = WeakSet()


def _let_go() -> None:
    """In a process that was forked: the lock is the parent's, and must not outlive it."""
    for file in list(_locks):
        file.close()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_let_go)


def _locked(place: Path) -> IO[bytes]:
    """The lock file, locked until it is closed or the process ends; raises FolderError where
    another process has it."""
    more = ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY")
    flags = os.O_RDWR | os.O_CREAT | sum(getattr(os, name, 0) for name in more)
    file = os.fdopen(os.open(place, flags, 0o666), "rb")
    try:
        _check_regular(place, os.fstat(file.fileno()))
        _lock(file)
    except OSError:
        file.close()
        raise FolderError.of("study-in-use", parent=place.parent) from None
    _locks.add(file)
    return file


def _lock(file: IO[bytes]) -> None:
    try:
        import fcntl
    except ImportError:  # Windows
        import msvcrt

        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
    else:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
