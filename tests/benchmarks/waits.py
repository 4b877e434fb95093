"""How long a user waits: commands of two checkouts, turn and turn about, in seconds of the processor and of the clock.

    python tests/benchmarks/waits.py BEFORE NOW [--rounds 5] [--with 'compare quanti-1822 mediateur-1752' …]

BEFORE and NOW are ``quadrille`` programs, such as ``/old/.venv/bin/quadrille``.  Each is run once unmeasured, so that
what it compiles is there.  On a machine that others use as well compare the processor's seconds and their ratios.
"""

import argparse
import os
import shlex
import subprocess
import sys
import time
from dataclasses import dataclass
from statistics import median

COMMANDS = (
    "compare quanti-1822 mediateur-1752",
    "matters quanti-1822 remise_pays",
    "rank quanti-1822",
)
HEAD = ("command", "program", "processor s", "clock s", "ratio of processor s (least–greatest)")


@dataclass(frozen=True, slots=True)
class WaitRun:
    """One run: seconds of the processor, with those of the processes it started, and of the clock."""

    processor: float
    clock: float


def run(program: str, command: str) -> WaitRun:
    """Run a command; raises CalledProcessError where it fails."""
    began, before = time.monotonic(), os.times()
    subprocess.run([program, *shlex.split(command)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return WaitRun(spent, time.monotonic() - began)


def rounds(programs: tuple[str, str], command: str, many: int) -> list[tuple[WaitRun, WaitRun]]:
    """Both programs in every round, each going first in every other one."""
    for program in programs:
        run(program, command)
    found = []
    for number in range(many):
        order = programs if number % 2 == 0 else programs[::-1]
        runs = {program: run(program, command) for program in order}
        found.append((runs[programs[0]], runs[programs[1]]))
    return found


def rows(command: str, found: list[tuple[WaitRun, WaitRun]]) -> list[tuple[str, ...]]:
    """The medians of both sides, and the ratio of the second to the first within a round."""
    ratios = [now.processor / before.processor for before, now in found]
    told = f"{median(ratios):.2f} ({min(ratios):.2f}–{max(ratios):.2f})"
    sides = (("before", [b for b, _ in found], ""), ("now", [n for _, n in found], told))
    return [
        (command, name, f"{median(r.processor for r in some):.2f}", f"{median(r.clock for r in some):.2f}", ratio)
        for name, some, ratio in sides
    ]


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description="How long a user waits, before and now.")
    parser.add_argument("before", help="the quadrille program of the older checkout")
    parser.add_argument("now", help="the quadrille program of the newer one")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument(
        "--with", dest="commands", action="append", metavar="COMMAND", help="instead of the usual three"
    )
    asked = parser.parse_args()
    if asked.rounds < 1 or asked.before == asked.now:
        parser.error("two programs and at least one round")
    sys.stdout.write(f"| {' | '.join(HEAD)} |\n|{'---|' * len(HEAD)}\n")
    for command in asked.commands or COMMANDS:
        for row in rows(command, rounds((asked.before, asked.now), command, asked.rounds)):
            sys.stdout.write(f"| {' | '.join(row)} |\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
