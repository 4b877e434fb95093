"""Work shared out among processes, in order, so that what is made of it does not depend on how many there are.

Ctrl-C is heard by the process that waits for the others.  They never hear it themselves, and whoever stops listening
ends them at once: a session of a bot that solves hands may take minutes, and nobody who has had enough waits for it.
"""

import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from typing import Any, Final, TypeVar

R = TypeVar("R")

AHEAD: Final = 4
"""Jobs under way for each worker: so many that none waits for another's result to be fetched."""


def _begin(receive: Callable[..., None] | None, given: Sequence[Any]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if receive is not None:
        receive(*given)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Ctrl-C is heard once the block is done, so that what is added up in it is added up whole."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    heard: list[tuple[int, Any]] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: heard.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if heard and callable(before):
        before(*heard[0])


def in_order(
    work: Callable[..., R],
    jobs: Iterable[tuple[Any, ...]],
    workers: int,
    receive: Callable[..., None] | None = None,
    given: Sequence[Any] = (),
) -> Iterator[R]:
    """What ``work`` makes of each job, in the order of the jobs, of which a few more than workers are under way.

    Every process begins with ``receive(*given)``: what all jobs share is sent once.
    """
    pool = ProcessPoolExecutor(workers, initializer=_begin, initargs=(receive, tuple(given)))
    waiting: deque[Future[R]] = deque()
    try:
        for job in jobs:
            # a process that starts deaf to Ctrl-C has no moment in which it could hear it
            with undisturbed():
                waiting.append(pool.submit(work, *job))
            if len(waiting) >= AHEAD * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BaseException:
        _end(pool)
        raise
    pool.shutdown()


def _end(pool: ProcessPoolExecutor) -> None:
    """End every process, whatever it is at; from Python 3.14 on there is a public way to."""
    processes, results = list((pool._processes or {}).values()), pool._result_queue
    manager = vars(pool)["_executor_manager_thread"]  # shutdown forgets it
    pool.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        process.terminate()
    for process in processes:
        process.join()
    writer: Any = vars(results)["_writer"]
    writer.close()  # or the thread that reads results waits for the rest of one that was cut off
    if manager is not None:
        manager.join()  # or it closes its pipe while the interpreter, about to exit, writes to it
