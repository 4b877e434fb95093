"""A study stops between two of its units, so that what it reports can be repeated.

The first signal stops it at once where it waits for a block, else before the next is asked for; a
second one wherever the program is (``quadrille_plugins.shell.stopping``).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from quadrille_plugins.shell.signals import answered_by
from quadrille_plugins.shell.stopping import Stopped, heard


class Stopping:
    """Whether a study is to stop: because it was asked to, or because it repeats one that stopped
    there.

    ``limit`` is how many units the study repeats of one that was interrupted; None where it repeats
    none.
    """

    def __init__(self, limit: int | None = None) -> None:
        self.limit = limit
        self.done = 0
        """Units that were handed out."""
        self._asked = False
        self._waiting = False

    @property
    def left(self) -> int | None:
        """How many units may still be asked for; None where there is no limit."""
        return None if self.limit is None else self.limit - self.done

    def ask(self) -> None:
        """Have the study stop before its next unit."""
        self._asked = True

    def check(self) -> None:
        """To be called before another unit is begun or waited for: raises Stopped where the study
        is to stop."""
        if self._asked or (self.limit is not None and self.done >= self.limit):
            raise Stopped

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """While this lasts, a signal is answered at once."""
        self.check()
        self._waiting = True
        try:
            self.check()  # one that came in between
            yield
        finally:
            self._waiting = False

    @contextmanager
    def unit(self) -> Iterator[None]:
        """One unit of a study that is no block: begun unless the study is to stop, and counted when
        it is done."""
        with self.waiting():
            yield
        self.done += 1

    @contextmanager
    def deferring(self) -> Iterator[None]:
        """While this lasts, the first signal is answered where the study can stop."""

        def answer(number: int, frame: FrameType | None) -> None:
            again, self._asked = self._asked, True
            if heard(number, frame, stops=again or self._waiting):
                self._asked = again  # it comes once more

        with answered_by(answer):
            yield
