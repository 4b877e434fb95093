"""Measuring: one core, processor time, rounds in which every side takes its turn, and ratios within
a round.

What else the machine does changes the speed of a whole round, so that a ratio of two sides in one
round means more than either figure.  A ratio is told by the median of its rounds and by the least
and the greatest.
"""

import os
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass(frozen=True)
class BenchSample:
    """What one side did in one round: units of work, seconds of processor and of clock, and seconds
    of each unit."""

    work: float
    seconds: float
    clock: float
    each: tuple[float, ...] = ()

    @property
    def mean(self) -> float:
        """Seconds of processor a unit."""
        return self.seconds / self.work

    @property
    def p95(self) -> float:
        """Seconds that one unit in twenty exceeds."""
        ordered = sorted(self.each)
        return ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]


Side = Callable[[int], BenchSample]
"""Does a fixed piece of work; told the number of the round."""


def whole(work: float, job: Callable[[], object]) -> BenchSample:
    """Measure a job that does so many units of work; processor time is that of all its threads."""
    clock, seconds = time.perf_counter(), time.process_time()
    job()
    return BenchSample(work, time.process_time() - seconds, time.perf_counter() - clock)


def one_by_one(
    jobs: Sequence[Callable[[], object]], before: Callable[[], object] = lambda: None
) -> BenchSample:
    """Measure each of several jobs, a unit of work each; what is done before each is not
    measured."""
    each, began = [], time.perf_counter()
    for job in jobs:
        before()
        start = time.process_time()
        job()
        each.append(time.process_time() - start)
    return BenchSample(len(jobs), sum(each), time.perf_counter() - began, tuple(each))


@contextmanager
def pinned(cores: int) -> Iterator[None]:
    """Keep this thread, and those it starts, to so many cores; does nothing where the system has no
    such call."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(before)[-cores:])
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def cores() -> int:
    """The cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass
class Rounds:
    """The samples of every side, round by round."""

    samples: dict[str, list[BenchSample]] = field(default_factory=dict)

    def run(
        self, sides: dict[str, tuple[int, Side]], number: int, say: Callable[[str], None]
    ) -> None:
        """Run every side once a round, after a first time that does not count; a side has cores and
        what it does."""
        for turn in range(number + 1):
            for name, (on, side) in sides.items():
                with pinned(on):
                    sample = side(turn)
                if turn:
                    self.samples.setdefault(name, []).append(sample)
            say(f"round {turn} of {number}" if turn else "warmed up")

    def ratios(self, one: str, other: str, of: Callable[[BenchSample], float]) -> list[float]:
        """Round by round, one side's figure over the other's."""
        return [of(a) / of(b) for a, b in zip(self.samples[one], self.samples[other], strict=True)]

    def median(self, name: str, of: Callable[[BenchSample], float]) -> float:
        """The median of a side's figure."""
        return statistics.median(of(s) for s in self.samples[name])
