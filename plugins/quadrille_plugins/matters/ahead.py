"""Runs jobs ahead of time in other processes; what they cannot do is done here."""

import multiprocessing
import pickle
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Hashable, Sequence
from multiprocessing.connection import Connection
from typing import Any, Generic, TypeVar

from quadrille_plugins.studies.runner import life

T = TypeVar("T")


class Ahead(Generic[T]):
    """The results of ``work`` for jobs, each a key and its arguments, in any order.

    ``work`` must come to the same wherever it is done.  There are other processes where they can be
    begun as copies of this one, so that nothing has to be loaded for them: begin before there are
    threads and before much is in memory.
    """

    def __init__(self, work: Callable[..., T], workers: int) -> None:
        """Start N processes that wait for jobs."""
        self._work = work
        self._jobs: deque[tuple[Hashable, tuple[Any, ...]]] = deque()
        self._wanted: set[Hashable] = set()
        self._done: dict[Hashable, T] = {}
        self._spent: list[float] = []
        self._changed = threading.Condition()
        self._processes: list[Any] = []
        self._pipes: list[Connection] = []
        self._alive = 0
        if sys.platform != "linux":
            return
        context: Any = multiprocessing.get_context("fork")
        for _ in range(workers):
            mine, its = context.Pipe()
            self._pipes.append(mine)
            process = context.Process(
                target=_serve, args=(work, its, tuple(self._pipes)), daemon=True
            )
            process.start()
            its.close()
            self._processes.append(process)
        self._alive = len(self._pipes)
        for pipe in self._pipes:
            threading.Thread(target=self._attend, args=(pipe,), daemon=True).start()

    @property
    def helped(self) -> bool:
        """Whether there is another process."""
        return self._alive > 0

    def begin(self, key: Hashable, *given: Any, urgent: bool = False) -> bool:
        """Have a job done by another process, unless that was said before; ``urgent``: before those
        that wait.

        Whether it will be: not where it was said before, or there is no process.
        """
        with self._changed:
            if key in self._wanted or not self._alive:
                return False
            self._wanted.add(key)
            (self._jobs.appendleft if urgent else self._jobs.append)((key, given))
            self._changed.notify_all()
            return True

    def __call__(self, key: Hashable, *given: Any) -> T:
        """The result of a job, waited for if another process is to do it."""
        with self._changed:
            while key in self._wanted and key not in self._done and self._alive:
                self._changed.wait()
            if key in self._done:
                return self._done[key]
        return self._work(key, *given)

    @property
    def spent(self) -> float:
        """Seconds of the processor that the jobs took that are done."""
        with self._changed:
            return sum(self._spent)

    def left(self, more: int = 0) -> float:
        """About how many processor seconds the remaining jobs and ``more`` besides will take.

        Judged by those that are done; none where none is.
        """
        with self._changed:
            if not self._spent:
                return 0.0
            return (
                (more + len(self._wanted) - len(self._done)) * sum(self._spent) / len(self._spent)
            )

    def close(self) -> None:
        """End the other processes."""
        with self._changed:
            self._jobs.clear()
            self._alive = 0
            self._changed.notify_all()
        for process in self._processes:
            process.terminate()
        for process in self._processes:
            process.join()
        self._processes.clear()

    def _attend(self, pipe: Connection) -> None:
        """Give one process its jobs, one after another, until it or the work ends."""
        while True:
            with self._changed:
                while self._alive and not self._jobs:
                    self._changed.wait()
                if not self._alive:
                    break
                job = self._jobs.popleft()
            try:
                pipe.send(job)
                found, seconds = pipe.recv()
            except (EOFError, OSError, pickle.PickleError):
                # the job that it was at is done here, as are the others once there is no process
                with self._changed:
                    self._wanted.discard(job[0])
                    self._alive = max(0, self._alive - 1)
                    self._changed.notify_all()
                break
            with self._changed:
                self._done[job[0]] = found
                self._spent.append(seconds)
                self._changed.notify_all()
        pipe.close()


def _serve(work: Callable[..., Any], jobs: Connection, not_mine: Sequence[Connection]) -> None:
    life.begin()
    for pipe in not_mine:  # or this process would not see that the first one is gone
        pipe.close()
    try:
        while True:
            key, given = jobs.recv()
            began = time.process_time()
            jobs.send((work(key, *given), time.process_time() - began))
    except EOFError:
        pass
    except Exception:  # the first process comes to the same, and says so
        jobs.close()
