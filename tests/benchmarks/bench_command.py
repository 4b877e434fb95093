"""The whole command ``compare`` in a process of its own: its seconds, and how much of them the
kernel takes.

Run as a program it is that process: every compiled function that Python calls is timed, and what it
found goes to the file named first.
"""

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Command:
    """One run: seconds of clock and of processor, and of them within compiled functions, added up
    over threads."""

    deals: int
    cores: int
    clock: float
    seconds: float
    kernel_clock: float
    kernel_seconds: float
    start: float
    """Seconds of clock until the first compiled session."""

    @property
    def other(self) -> float:
        """The share of all cores' time that is not the kernel's: waiting, starting and reporting
        among it."""
        return 1 - self.kernel_clock / (self.cores * self.clock)

    @property
    def other_work(self) -> float:
        """The share of the processor's work that is not the kernel's."""
        return 1 - self.kernel_seconds / self.seconds


def measure(
    references: list[str], deals: int, cores: int, folder: Path, python: str = sys.executable
) -> Command:
    """Run the command on this many deals with as many threads as cores; what is compiled and
    imported should be warm.

    ``python`` is an interpreter that has Quadrille: Numba loads what else it finds installed, SciPy
    for one.
    """
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    told = folder / "timings.json"
    line = [
        "compare",
        *references,
        "--deals",
        str(deals),
        "--engine",
        "fast",
        "--workers",
        str(cores),
        "--players",
        "steady",
    ]
    before, began = os.times(), time.perf_counter()
    subprocess.run(
        [python, __file__, str(told), repr(time.time()), *line, "--format", "json"],
        check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment,
    )  # fmt: skip
    clock, after = time.perf_counter() - began, os.times()
    seconds = (
        after.children_user + after.children_system - before.children_user - before.children_system
    )
    found = json.loads(told.read_text())
    return Command(deals, cores, clock, seconds, found["clock"], found["seconds"], found["start"])


class _Timings:
    """Seconds within compiled functions, of all threads."""

    def __init__(self) -> None:
        self.clock = self.seconds = 0.0
        self.first: float | None = None
        self._lock = threading.Lock()

    def timed(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, its time added up."""

        def run(*arguments: Any) -> Any:
            clock, seconds = time.perf_counter(), time.thread_time()
            try:
                return function(*arguments)
            finally:
                seconds, clock = time.thread_time() - seconds, time.perf_counter() - clock
                with self._lock:
                    self.clock += clock
                    self.seconds += seconds

        run.player = getattr(function, "player", None)  # type: ignore[attr-defined]
        return run

    def first_called(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, its first call noted."""

        def run(*arguments: Any) -> Any:
            self.first = self.first or time.time()
            return function(*arguments)

        run.player = getattr(function, "player", None)  # type: ignore[attr-defined]
        return run


def main() -> None:
    """Run the command, its compiled functions timed."""
    told, began, *line = sys.argv[1:]
    from quadrille_plugins.kernel import session
    from quadrille_plugins.kernel.compiled import CompiledFunction
    from quadrille_plugins.kernel.ready import ready
    from quadrille_plugins.players import kernel_steady as steady
    from quadrille_plugins.players import (
        kernel_steady_hands as steady_hands,
    )  # what comparisons call
    from quadrille_plugins.players import kernel_steady_values as steady_values
    from quadrille_plugins.shell.main import main as quadrille
    from quadrille_plugins.studies.engines import played_by

    ready(*played_by(["steady"]))  # before they are timed, as the command does
    timings = _Timings()
    for module in (session, steady, steady_hands, steady_values):
        for name, found in list(vars(module).items()):
            if isinstance(found, CompiledFunction) and found.is_way_in:
                setattr(module, name, timings.timed(found))
    steady.play_sessions = timings.first_called(steady.play_sessions)
    try:
        quadrille(line)  # which leaves the interpreter
    finally:
        start = (timings.first or time.time()) - float(began)
        Path(told).write_text(
            json.dumps({"clock": timings.clock, "seconds": timings.seconds, "start": start})
        )


if __name__ == "__main__":
    main()
