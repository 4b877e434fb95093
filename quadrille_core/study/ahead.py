"""Work of which it is known that it will be wanted, done by another process in the meantime."""

import multiprocessing
import pickle
import sys
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any, Generic, TypeVar

from quadrille_core.study.runner import life

T = TypeVar("T")


class Ahead(Generic[T]):
    """The results of ``work`` for the numbers from 0 on, in order; what the other process cannot tell is done here.

    ``work`` must come to the same wherever it is done.  There is another process where one can be begun as a copy of
    this one, so that nothing has to be loaded for it.
    """

    def __init__(self, work: Callable[[int], T], many: int) -> None:
        """Begin with so many numbers."""
        self._work, self._many = work, many
        self._told: list[T] = []
        self._from: Connection | None = None
        if many and sys.platform == "linux":
            context: Any = multiprocessing.get_context("fork")
            self._from, into = context.Pipe(duplex=False)
            self._process = context.Process(target=_tell, args=(work, many, into), daemon=True)
            self._process.start()
            into.close()

    def __call__(self, number: int) -> T:
        """The result for that number, waited for if need be."""
        while self._from is not None and len(self._told) <= number < self._many:
            try:
                self._told.append(self._from.recv())
            except (EOFError, OSError, pickle.UnpicklingError):
                self.close()
            except KeyboardInterrupt:
                self.close()  # half of a result may have been read
                raise
        return self._told[number] if number < len(self._told) else self._work(number)

    def close(self) -> None:
        """End the other process."""
        if self._from is not None:
            self._from.close()
            self._from = None
            self._process.terminate()
            self._process.join()


def _tell(work: Callable[[int], T], many: int, into: Connection) -> None:
    life.begin()
    try:
        for number in range(many):
            into.send(work(number))
    except Exception:  # the first process comes to the same, and says so
        into.close()
