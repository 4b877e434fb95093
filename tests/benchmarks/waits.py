"""How long a user waits: commands of one checkout, or of two by turns, in seconds of the processor
and of the clock.

    python tests/benchmarks/waits.py PROGRAM [--rounds 5] [--with 'show quanti-1822' …]
    python tests/benchmarks/waits.py BEFORE NOW [--rounds 5] [--with 'compare quanti-1822
    mediateur-1752' …]

The programs are ``quadrille`` programs, such as ``/old/.venv/bin/quadrille``.  Each is run once
unmeasured, so that what it compiles is there.  Of one program the look-ups are measured, each
beside the seconds that it may take: as it is, after a byte of its profile was changed, and with an
empty cache.  On a machine that others use as well compare the processor's seconds and their ratios.
"""

import argparse
import os
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import median

COMMANDS = (
    "compare quanti-1822 mediateur-1752",
    "matters quanti-1822 remise_pays",
    "rank quanti-1822",
)
PROFILE = "quanti-1822"
RESULT = """rules: PROFILE@parlett
players: [Anne, Beatrice, Charlotte, Dorothea]
pool: 12
contract: solo
trump: hearts
hombre: Anne
tricks: {Anne: 6, Beatrice: 2, Dorothea: 2}
matadors: 3
premiers: true
"""
LOOKUPS = {
    "--help": 0.2,
    "settle RESULT": 0.4,
    "show PROFILE": 0.6,
    "check PROFILE.yaml": 0.6,
    "explain ponto": 0.6,
    "explain codille": 0.6,
    "explain PROFILE codille": 0.6,
    "matters PROFILE codille": 0.6,
    "rulebook PROFILE --against mediateur-1752": 0.6,
    "list": 0.6,
    "apparatus --collate": 0.6,
    "discriminate codille-cheaper": 3.0,
}
"""Each look-up with the seconds of the processor that it may take; PROFILE and RESULT stand for
files."""
LOOKUP_HEAD = (
    "command",
    "may take",
    "processor s (least–greatest)",
    "a byte changed",
    "cache empty",
)
HEAD = ("command", "program", "processor s", "clock s", "ratio of processor s (least–greatest)")


@dataclass(frozen=True, slots=True)
class WaitRun:
    """One run: seconds of the processor, with those of the processes it started, and of the
    clock."""

    processor: float
    clock: float


def run(program: str, command: str, **how: Mapping[str, str] | Path) -> WaitRun:
    """Run a command; raises CalledProcessError where it fails or answers nothing: status 2 may
    list what words mean."""
    began, before = time.monotonic(), os.times()
    done = subprocess.run([program, *shlex.split(command)], check=False, capture_output=True, **how)  # type: ignore[call-overload]
    if done.returncode not in (0, 2) or not done.stdout:
        raise subprocess.CalledProcessError(done.returncode, done.args, done.stdout, done.stderr)
    after = os.times()
    spent = (
        after.children_user + after.children_system - before.children_user - before.children_system
    )
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
        (
            command,
            name,
            f"{median(r.processor for r in some):.2f}",
            f"{median(r.clock for r in some):.2f}",
            ratio,
        )
        for name, some, ratio in sides
    ]


def lookup(program: str, command: str, many: int) -> tuple[str, ...]:
    """A row of one look-up: medians of its runs as it is, with a changed profile, and with an empty
    cache."""
    cells: list[str] = []
    for changed, empty in ((False, False), (True, False), (False, True)):
        spent = []
        with tempfile.TemporaryDirectory() as folder:
            how: dict[str, Mapping[str, str] | Path] = {"cwd": Path(folder)}
            for number in range(many + (not empty)):
                if empty:
                    how["env"] = {
                        **os.environ,
                        "XDG_CACHE_HOME": str(Path(folder, f"cache-{number}")),
                    }
                typed = _laid_out(
                    Path(folder), program, command, b"#\n" * (number + 1) if changed else b""
                )
                spent.append(run(program, typed, **how).processor)
        kept = spent if empty else spent[1:]
        cells.append(
            f"{median(kept):.2f}" + ("" if cells else f" ({min(kept):.2f}–{max(kept):.2f})")
        )
    return (command, f"{LOOKUPS[command]:.1f}" if command in LOOKUPS else "", *cells)


@cache
def _shipped(program: str) -> bytes:
    """The shipped profile of a program, as its file is."""
    ask = "from quadrille_core import resources; print(resources.variants())"
    python = str(Path(program).with_name("python"))
    folder = subprocess.run(
        [python, "-c", ask], check=True, capture_output=True, text=True
    ).stdout.strip()
    return Path(folder, f"{PROFILE}.yaml").read_bytes()


def _laid_out(folder: Path, program: str, command: str, more: bytes) -> str:
    """The command as it is typed in a folder that holds what it reads; ``more`` changes the
    profile."""
    (folder / f"{PROFILE}.yaml").write_bytes(_shipped(program) + more)
    name = f"./{PROFILE}.yaml" if more else PROFILE
    (folder / "result.yaml").write_text(RESULT.replace("PROFILE", name), "utf-8")
    typed = command.replace("PROFILE.yaml", f"./{PROFILE}.yaml").replace("RESULT", "result.yaml")
    return typed.replace("PROFILE", name)


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description="How long a user waits, now, or before and now.")
    parser.add_argument(
        "programs", nargs="+", help="a quadrille program; or that of an older and a newer checkout"
    )
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument(
        "--with",
        dest="commands",
        action="append",
        metavar="COMMAND",
        help="instead of the usual ones",
    )
    asked = parser.parse_args()
    if (
        asked.rounds < 1
        or len(set(asked.programs)) != len(asked.programs)
        or len(asked.programs) > 2
    ):
        parser.error("one program, or two that differ, and at least one round")
    head = HEAD if len(asked.programs) == 2 else LOOKUP_HEAD
    sys.stdout.write(f"| {' | '.join(head)} |\n|{'---|' * len(head)}\n")
    for command in asked.commands or (COMMANDS if len(asked.programs) == 2 else LOOKUPS):
        if len(asked.programs) == 2:
            told = rows(command, rounds(tuple(asked.programs), command, asked.rounds))
        else:
            told = [lookup(asked.programs[0], command, asked.rounds)]
        for row in told:
            sys.stdout.write(f"| {' | '.join(row)} |\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
