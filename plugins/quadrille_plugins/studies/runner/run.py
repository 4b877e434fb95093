"""The runner: blocks in order, from the study folder or from workers, surviving dead workers."""

import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import nullcontext
from dataclasses import dataclass, field
from hashlib import sha256
from types import TracebackType
from typing import Any, Final, Protocol

from quadrille_core.errors import UsageError
from quadrille_core.frozen import frozen
from quadrille_plugins.shell.files import note_unwritten
from quadrille_plugins.shell.stopping import Done
from quadrille_plugins.studies.runner.executors import (
    AHEAD,
    DASK,
    THREADS,
    LostError,
    Placement,
    Playable,
    Pool,
    ProcessPool,
    ThreadPool,
)
from quadrille_plugins.studies.runner.folder import StudyFolder, UnkeptError, Written, block_text
from quadrille_plugins.studies.runner.plain import check
from quadrille_plugins.studies.runner.stopping import Stopping

BLOCK: Final = "--block={block}"
"""What stands for a block's number in the command that plays it alone."""
DEATHS: Final = 3
"""Workers that a block may end, while it is the only one under way, before it is given up."""


class Work(Written, Playable, Protocol):
    """What the blocks of a study have in common; it can be pickled, and is sent to every worker
    once."""

    @property
    def usual(self) -> str:
        """The executor that suits it on one machine."""


def pool_of(where: Placement, work: Playable, usual: str) -> Pool:
    """Workers for that work; ``usual`` is the kind of executor that suits it on one machine."""
    if (where.kind or usual) == DASK:
        from quadrille_plugins.studies.runner.cluster import ClusterPool

        return ClusterPool(work, where.workers, where.address)
    if not where.is_here(usual):
        return ProcessPool(work, where.workers)
    return ThreadPool(work, where.workers) if usual == THREADS else Pool(work)


class BlockError(UsageError):
    """A block that fails."""

    code = "Q804"


@frozen
class Alone:
    """Play only this block of a study."""

    number: int
    told: Callable[[str], None]
    """Called with the result, in a line."""


@dataclass(slots=True)
class Under:
    """A block in progress, or read from the study folder."""

    number: int
    task: Any
    future: "Future[Any] | None"
    known: Any = None
    read: bool = False
    """Whether it was read from the study folder."""


@dataclass(slots=True)
class Runner:
    """Plays the blocks of one study; to be used in a ``with`` statement."""

    where: Placement = field(default_factory=Placement)
    folder: StudyFolder | None = None
    again: str = ""
    """The command that plays one block alone, with ``BLOCK`` where its number belongs."""
    alone: Alone | None = None
    stopping: Stopping = field(default_factory=Stopping)
    _number: int = 0
    """Of the next block."""
    _pool: Pool | None = None
    _work: Work | None = None
    _deaths: Counter[int] = field(default_factory=Counter)
    _deferring: Any = None
    full: bool = False
    """Whether a block could not be kept: the study then stops as an interrupted one does."""
    failed: bool = False
    """Whether it was the playing of a block, or a stop, that ended the study, and not what was made
    of the blocks."""

    def __enter__(self) -> "Runner":
        self._deferring = self.stopping.deferring()
        self._deferring.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end()
        self._deferring.__exit__(kind, error, trace)

    @property
    def done(self) -> int:
        """How many units were finished."""
        return self.stopping.done

    def size(self, wanted: int) -> int:
        """The block size: as requested, or that of the study in the folder."""
        return wanted if self.folder is None else self.folder.size(wanted)

    def run(self, work: Work, tasks: Iterable[Any], *, independent: bool = False) -> Iterator[Any]:
        """What each block comes to, in the order of the tasks, of which a few more than workers are
        under way.

        ``independent`` says that the tasks depend on no result.  Raises Stopped where the study is
        to stop, and BlockError for a block that keeps killing workers.
        """
        if self._work is not work:
            self._end()
            for kind in (work.task, work.result):
                check(kind)  # before hours are spent on what could not be kept
            self._work = work
        coming = self._numbered(tasks)
        waiting: deque[Under] = deque()
        try:
            while True:
                while len(waiting) < self._most() and (new := next(coming, None)) is not None:
                    if not self._skips(*new, work, independent=independent):
                        waiting.append(self._begun(work, *new))
                if not waiting:
                    return
                if not self._at_hand(waiting[0]):
                    self.stopping.check()
                result = self._result(work, waiting)
                one = waiting.popleft()
                self.stopping.done += one.task.units
                if self.folder is not None:
                    self.folder.last = one.number if one.read else None
                yield result
                if self.folder is not None:
                    self.folder.last = None
        except BaseException as e:
            self.failed = not isinstance(
                e, GeneratorExit
            )  # with which whoever adds the blocks up leaves off
            self._end()
            raise

    def add_up(
        self,
        work: Work,
        tasks: Callable[[], Iterable[Any]],
        take: Callable[[Any], int],
        total: int,
        progress: Callable[[int, int, float], None] | None = None,
    ) -> bool:
        """Play the blocks of a study whose tasks depend on no result, and ``take`` in what each
        comes to, in order.

        ``take`` returns how much is done by then, of ``total``.  Returns whether the user
        interrupted it; raises KeyboardInterrupt where nothing was done.
        """
        started, done = time.monotonic(), 0
        with self:
            try:
                for block in self.run(work, tasks(), independent=True):
                    done = take(block)
                    if progress is not None:
                        progress(done, total, time.monotonic() - started)
            except KeyboardInterrupt:
                if not done:
                    raise
                return True
        return False

    # --- blocks

    def _numbered(self, tasks: Iterable[Any]) -> Iterator[tuple[int, Any]]:
        """Each task with its number, up to where the study is to stop."""
        begun, limit = self.stopping.done, self.stopping.limit
        for task in tasks:
            whole = limit is None or begun + task.units <= limit
            some = task if whole or limit is None else task.cut(limit - begun)
            begun += some.units
            if some.units:
                number, self._number = self._number, self._number + 1
                yield number, some
            if not whole:
                # it is never played, and has the study stop before it: without it, it would be
                # taken for finished
                yield self._number, task
                return

    def _most(self) -> int:
        return AHEAD * self.where.workers if self._pool is None else self._pool.most

    def _begun(self, work: Work, number: int, task: Any) -> Under:
        """A block: from the study folder if there, else from a worker."""
        known = self.folder.read(number, work, task) if self.folder is not None else None
        if known is not None:
            return Under(number, task, None, known, read=True)
        return Under(number, task, self._workers(work).submit(task))

    def _workers(self, work: Work) -> Pool:
        if self._pool is None:
            self._pool = pool_of(self.where, work, work.usual)
        return self._pool

    def _result(self, work: Work, waiting: "deque[Under]") -> Any:
        """What the first of the blocks came to, played again where its worker died."""
        first = waiting[0]
        if first.future is not None:
            try:
                self._wait(work, first)
            except LostError as e:
                self._mend(work, waiting, e)
            for other in waiting:  # so that what is finished is kept, whatever comes
                if not self.full and other.future is not None and _came_to_something(other.future):
                    self._wait(work, other)
        return first.known

    def _at_hand(self, one: Under) -> bool:
        """Whether a block was played and kept though the study is to stop: then it counts as
        well."""
        return one.known is not None and not (one.read or self.full) and self.stopping.limit is None

    def _wait(self, work: Work, one: Under) -> None:
        """Wait for a block and keep it."""
        if one.future is None:
            return
        with nullcontext() if _came_to_something(one.future) else self.stopping.waiting():
            one.known = self._workers(work).outcome(one.future)
        one.future = None
        if self.folder is not None:
            try:
                self.folder.write(one.number, work, one.task, one.known)
            except UnkeptError as e:
                note_unwritten(e)
                self.full = True
                self.stopping.ask()

    def _mend(self, work: Work, waiting: "deque[Under]", why: LostError) -> None:
        """Play all blocks again that were lost, with new workers: one by one, so that one that ends
        them is known."""
        lost = [u for u in waiting if u.future is not None and not _came_to_something(u.future)]
        if why.certain:
            raise self._given_up(lost[0], why)
        self._workers(work).renew()
        for one in lost:
            while one.future is not None:
                one.future = self._workers(work).submit(one.task)
                try:
                    self._wait(work, one)
                except LostError as e:
                    self._deaths[one.number] += 1
                    if self._deaths[one.number] >= DEATHS:
                        raise self._given_up(one, e) from None
                    self._workers(work).renew()

    def _given_up(self, one: Under, why: LostError) -> BlockError:
        alone = self.again.replace(BLOCK, f"--block={one.number}")
        data = {"block": one.number, "task": one.task, "deaths": DEATHS}
        variant = "block-ended-its-workers" if alone else "block-ended-its-worker"
        return BlockError.of(variant, **data, why=str(why) or "the worker died", alone=alone)

    def _skips(self, number: int, task: Any, work: Work, *, independent: bool) -> bool:
        """Whether a block is left out where one is to be played alone; that one is played, and ends
        the study."""
        alone = self.alone
        if alone is None or number > alone.number:
            return False
        if number < alone.number:
            return independent
        began = time.monotonic()
        result = work.ready()(task)
        seconds = time.monotonic() - began
        text, _ = block_text(
            self.folder.study if self.folder is not None else "", number, work, task, result
        )
        alone.told(
            f"block {number} ({task}): played in {seconds:.1f} s, SHA-256 "
            f"{sha256(text).hexdigest()}"
        )
        if self.folder is not None:
            self.folder.write(number, work, task, result)
        raise Done

    def _end(self) -> None:
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.stop()


def _came_to_something(future: "Future[Any]") -> bool:
    """Whether a block is finished, neither failed nor lost."""
    return future.done() and not future.cancelled() and future.exception() is None
