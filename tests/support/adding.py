"""A study that adds up numbers, and fails where it is told to."""

import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, ClassVar

from quadrille_plugins.studies.runner.executors import PROCESSES
from quadrille_plugins.studies.runner.tasks import Sessions, in_blocks

from quadrille_core.cards import Suit


@dataclass(frozen=True, slots=True)
class NumberSums:
    total: int
    half: Fraction
    suit: Suit | None = None


@dataclass(frozen=True, slots=True)
class NumberAdder:
    """Adds up the numbers of sessions; ``mischief`` is done at some of them."""

    mischief: tuple[tuple[int, str], ...] = ()
    once: str = ""
    """A folder in which a file says that the mischief was done."""

    usual: ClassVar[str] = PROCESSES
    task: ClassVar[Any] = Sessions
    result: ClassVar[Any] = NumberSums

    def ready(self) -> Callable[[Sessions], NumberSums]:
        return self._play

    def _play(self, task: Sessions) -> NumberSums:
        for session, what in self.mischief:
            if task.first <= session < task.first + task.units:
                self._do(session, what)
        numbers = range(task.first, task.first + task.units)
        return NumberSums(sum(numbers), Fraction(sum(numbers), 2))

    def _do(self, session: int, what: str) -> None:
        done = Path(self.once, f"{session}-{what}") if self.once else None
        if done is not None and done.exists():
            return
        if done is not None:
            done.touch()
        if what == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        elif what == "sleep":
            time.sleep(60)
        elif what == "fail":
            raise ZeroDivisionError(session)


TASKS = list(in_blocks([1] * 30, 3))
