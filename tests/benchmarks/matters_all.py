"""The longest wait of all: ``matters --all`` of two checkouts, run alternately: time, and memory over all processes.

    python tests/benchmarks/matters_all.py BEFORE [NOW] [--rounds 1] [--with 'matters quanti-1822 --all']

BEFORE and NOW are ``quadrille`` programs, such as ``/old/.venv/bin/quadrille``; a round runs one and then the other.
Memory is the proportional set size (PSS) over the program and all processes that it started, sampled from
``/proc/*/smaps_rollup``, so Linux only: memory that processes share is counted once.  Each program compiles what it
needs first, unless ``--warm`` says that it has.  One program alone is measured by itself.
"""

import argparse
import os
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Final

EVERY: Final = 0.1
"""Seconds between two samples of memory."""
COMMAND: Final = "matters quanti-1822 --all"
HEAD: Final = ("program", "clock s", "processor s", "most PSS, MB", "processes then", "MB of each", "forecast")
PROC: Final = Path("/proc")


@dataclass(frozen=True, slots=True)
class Run:
    """One run: seconds of the clock and the processor, the most PSS in MB, that of each process then, forecasts."""

    clock: float
    processor: float
    most: float
    of_each: tuple[float, ...]
    forecasts: tuple[str, ...]


def tree(root: int) -> Iterator[int]:
    """A process and those that it and its children started."""
    waiting = [root]
    while waiting:
        pid = waiting.pop()
        yield pid
        for told in (PROC / str(pid) / "task").glob("*/children"):
            try:
                waiting += map(int, told.read_text().split())
            except OSError:
                continue


def pss(pid: int) -> float | None:
    """The proportional set size of one process in MB; None where it is gone."""
    try:
        told = (PROC / str(pid) / "smaps_rollup").read_text()
    except OSError:
        return None
    return next((int(line.split()[1]) / 1000 for line in told.splitlines() if line.startswith("Pss:")), None)


def run(program: str, command: str) -> Run:
    """Run a command; raises CalledProcessError where it fails with a status other than 0 and 1."""
    began, before = time.monotonic(), os.times()
    most: tuple[float, ...] = ()
    with tempfile.TemporaryFile("w+") as said:
        process = subprocess.Popen([program, *shlex.split(command)], stdout=subprocess.DEVNULL, stderr=said)
        while process.poll() is None:
            now = tuple(sorted((found for p in tree(process.pid) if (found := pss(p)) is not None), reverse=True))
            most = max(most, now, key=sum)
            time.sleep(EVERY)
        clock, after = time.monotonic() - began, os.times()
        said.seek(0)
        lines = said.read().splitlines()
    if process.returncode not in (0, 1):
        raise subprocess.CalledProcessError(process.returncode, command, stderr="\n".join(lines))
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return Run(clock, spent, sum(most), most, tuple(line for line in lines if " min" in line or "minute" in line))


def row(name: str, runs: list[Run]) -> tuple[str, ...]:
    """The medians of some runs; processes and forecasts are the last run's."""
    last = runs[-1]
    return (
        name,
        f"{median(r.clock for r in runs):.1f}",
        f"{median(r.processor for r in runs):.1f}",
        f"{median(r.most for r in runs):.0f}",
        str(len(last.of_each)),
        " + ".join(f"{one:.0f}" for one in last.of_each),
        "; ".join(last.forecasts) or "none",
    )


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description="How long matters --all takes, and how much memory.")
    parser.add_argument("programs", nargs="+", metavar="PROGRAM", help="one or two quadrille programs")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--with", dest="command", default=COMMAND, metavar="COMMAND")
    parser.add_argument("--warm", action="store_true", help="compiled code is there: run nothing unmeasured")
    asked = parser.parse_args()
    if asked.rounds < 1:
        parser.error("at least one round")
    if not asked.warm:
        for program in asked.programs:
            subprocess.run([program, "warmup"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    found: dict[str, list[Run]] = {program: [] for program in asked.programs}
    for _ in range(asked.rounds):
        for program in asked.programs:
            found[program].append(run(program, asked.command))
    sys.stdout.write(f"`quadrille {asked.command}`\n\n| {' | '.join(HEAD)} |\n|{'---|' * len(HEAD)}\n")
    for program, runs in found.items():
        sys.stdout.write(f"| {' | '.join(row(program, runs))} |\n")


if __name__ == "__main__":
    main()
