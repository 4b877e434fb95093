"""Where blocks are played: in threads, in processes, or on a Dask cluster; each behind one small
face."""

import os
import signal
import sys
import threading
from collections.abc import Callable
from concurrent.futures import (
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
)
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import connection, parent_process
from typing import Any, Final, Protocol

from quadrille_core.errors import UsageError
from quadrille_core.frozen import frozen
from quadrille_plugins.shell.stopping import THREAD

THREADS, PROCESSES, DASK = EXECUTORS = ("threads", "processes", "dask")
AHEAD: Final = 4
"""Blocks under way for each worker, at most: so many that none waits until a result is fetched."""
PR_SET_PDEATHSIG: Final = 1
PATIENCE: Final = 1.0
"""Seconds that a process is given to end before it is killed."""

one_at_a_time: Final = threading.Lock()
"""Held by a thread that plays on the readable engine: it is made for one thread in a process."""

Play = Callable[[Any], Any]
"""What plays one block, given its task."""


class Playable(Protocol):
    """Work that can be sent to a worker."""

    def ready(self) -> Play:
        """What plays its blocks, made ready once in every thread or process that does."""


class LostError(Exception):
    """A worker died with blocks to play; ``certain`` if one block alone has killed several."""

    def __init__(self, why: str, *, certain: bool = False) -> None:
        super().__init__(why)
        self.certain = certain


class _Later(Future[Any]):
    """A block that is played when its result is requested."""

    def __init__(self, play: Callable[[], Any]) -> None:
        super().__init__()
        self._play = play

    def result(self, timeout: float | None = None) -> Any:
        """What it came to."""
        if not self.done():
            self.set_result(self._play())
        return super().result(timeout)


class Pool:
    """What plays blocks of one work; itself without workers: each block is played by this thread
    when its result is requested."""

    most = 1
    """Blocks under way, at most."""

    def __init__(self, work: Playable) -> None:
        self._work = work
        self._play: Play | None = None

    def submit(self, task: Any) -> "Future[Any]":
        """Begin a block."""

        def play() -> Any:
            if self._play is None:
                self._play = self._work.ready()
            return self._play(task)

        return _Later(play)

    def outcome(self, future: "Future[Any]") -> Any:
        """What a block came to, waited for; raises LostError where its worker ended."""
        return future.result()

    def renew(self) -> None:
        """Go on with new workers after a LostError; what was under way is lost."""
        self.stop()

    def stop(self) -> None:
        """Terminate the workers."""


class ThreadPool(Pool):
    """Threads of this process, for work that leaves Python alone."""

    def __init__(self, work: Playable, workers: int) -> None:
        self.most, self._work, self._own = AHEAD * workers, work, threading.local()
        self._pool: Executor = ThreadPoolExecutor(workers, thread_name_prefix=THREAD)

    def _run(self, task: Any) -> Any:
        if not hasattr(self._own, "play"):
            self._own.play = self._work.ready()
        return self._own.play(task)

    def submit(self, task: Any) -> "Future[Any]":
        """As ``Pool`` says."""
        return self._pool.submit(self._run, task)

    def stop(self) -> None:
        """As ``Pool`` says; threads cannot be ended: those at a block finish it, and are not waited
        for."""
        self._pool.shutdown(wait=False, cancel_futures=True)


# --- worker processes: deaf to signals meant for the study, and never left behind by it


def _begin() -> None:
    """To be called first in a worker process: only the parent answers signals, and the worker ends
    when it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # by which the parent ends it
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    _die_with_parent()


def _die_with_parent() -> None:
    """Have the kernel end this process when its parent ends; where it cannot, a thread watches the
    parent."""
    parent = parent_process()
    if sys.platform == "linux" and _tell_kernel():
        # a parent that has ended before it was told leaves the process to another one
        if parent is not None and os.getppid() != parent.pid:
            os._exit(1)
        return
    watch_parent()


def _tell_kernel() -> bool:
    import ctypes

    try:
        return bool(ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0) == 0)
    except (OSError, AttributeError):
        return False


def watch_parent() -> threading.Thread | None:
    """A thread that ends this process when its parent has ended; None where it has no parent to
    watch."""
    parent = parent_process()
    if parent is None:
        return None

    def watch() -> None:
        connection.wait([parent.sentinel])
        os._exit(1)

    thread = threading.Thread(target=watch, name="parent", daemon=True)
    thread.start()
    return thread


_play: Play | None = None
"""In a worker process: what plays blocks."""


def _receive(work: Playable) -> None:
    global _play  # noqa: PLW0603 - set once, when the process starts
    _begin()
    _play = work.ready()


def _run(task: Any) -> Any:
    if _play is None:
        raise RuntimeError("a worker was asked before it was told what to play")
    return _play(task)


class ProcessPool(Pool):
    """Processes of this machine; one that dies is replaced."""

    def __init__(self, work: Playable, workers: int) -> None:
        self._workers, self.most, self._work = workers, AHEAD * workers, work
        self._pool: ProcessPoolExecutor | None = None

    def submit(self, task: Any) -> "Future[Any]":
        """As ``Pool`` says."""
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                self._workers, initializer=_receive, initargs=(self._work,)
            )
        try:
            return self._pool.submit(_run, task)
        except BrokenProcessPool as e:  # while nobody was waiting
            lost: Future[Any] = Future()
            lost.set_exception(e)
            return lost

    def outcome(self, future: "Future[Any]") -> Any:
        """As ``Pool`` says."""
        try:
            return future.result()
        except (BrokenProcessPool, CancelledError) as e:
            raise LostError(str(e)) from e

    def processes(self) -> list[int]:
        """The numbers of the processes."""
        return list((self._pool._processes or {}) if self._pool is not None else ())

    def stop(self) -> None:
        """As ``Pool`` says; from Python 3.14 on there is a public way to."""
        pool, self._pool = self._pool, None
        if pool is None:
            return
        processes, results = list((pool._processes or {}).values()), pool._result_queue
        manager = vars(pool)["_executor_manager_thread"]  # shutdown forgets it
        pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.terminate()
        for process in processes:
            process.join(PATIENCE)
            if process.exitcode is None:
                process.kill()
                process.join()
        writer: Any = vars(results)["_writer"]
        # or the thread that reads results waits for the rest of one that was cut off
        writer.close()
        if manager is not None:
            # or it closes its pipe while the interpreter, about to exit, writes to it
            manager.join()


@frozen
class Placement:
    """On which executor a study is played, and with how many workers.

    ``kind`` is None where the study's own choice holds; ``address`` is that of a Dask scheduler.
    """

    workers: int = 1
    kind: str | None = None
    address: str | None = None

    def is_here(self, usual: str) -> bool:
        """Whether this process plays; ``usual`` is the executor that suits it on one machine."""
        kind = self.kind or usual
        return kind == THREADS or (kind == PROCESSES and self.workers == 1 and not self.kind)


def parse_executor(text: str, workers: int) -> Placement:
    """``threads``, ``processes`` or ``dask[:ADDRESS]``; raises UsageError for anything else."""
    kind, colon, address = text.partition(":")
    if kind not in EXECUTORS or (colon and (kind != DASK or not address)):
        raise UsageError.of("no-executor", text=text, executors=", ".join(EXECUTORS), dask=DASK)
    return Placement(workers, kind, address or None)
