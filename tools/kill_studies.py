"""A study killed again and again and resumed, beside one undisturbed: the same bytes.

``python tools/kill_studies.py [--deals 2000000] [--kills 20] [--executor threads …] [--seed 1]``

Each kill is a SIGKILL at a random moment: of the study itself with threads; else of it or of one of
its workers, by a random draw.  A study that was killed is resumed.  Exit status 1 where anything
differs.  Linux alone: it asks ``/proc`` who the workers are.
``tests/studies/test_kill_studies.py`` runs a short version.
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
STUDY = ("compare", "quanti-1822", "mediateur-1752", "--workers", "2", "--format", "json")
MOST_WAIT = 300.0
"""Seconds within which a study must have finished another block."""


def children(process: int) -> Iterator[int]:
    """The processes that a process has begun, theirs too."""
    try:
        direct = [
            int(w) for w in Path(f"/proc/{process}/task/{process}/children").read_text().split()
        ]
        for task in Path(
            f"/proc/{process}/task"
        ).iterdir():  # a pool may be begun by another thread
            if task.name != str(process):
                direct += [int(w) for w in (task / "children").read_text().split()]
    except OSError:
        return
    for child in direct:
        yield child
        yield from children(child)


def workers(process: int) -> list[int]:
    """Those of them that play."""
    found = []
    for child in children(process):
        try:
            words = Path(f"/proc/{child}/cmdline").read_bytes()
        except OSError:
            continue
        if b"resource_tracker" not in words:
            found.append(child)
    return found


def done(kept: Path) -> int:
    """How many blocks are finished."""
    return len(list(kept.glob("blocks/*.json")))


def undisturbed(line: list[str], kept: Path) -> bytes:
    """What the study prints, when nobody kills it."""
    return subprocess.run(
        [sys.executable, "-m", "quadrille_core", *line, "--study", str(kept)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    ).stdout


def disturbed(
    line: list[str], kept: Path, kills: int, draw: random.Random, *, alone: bool
) -> tuple[bytes, int, int]:
    """What it prints in the end when it is killed so often, and how many studies and workers were
    killed."""
    studies = players = 0
    while True:
        # into files: a study that is over would wait for whoever reads its pipe, and be waited for
        with kept.with_suffix(".out").open("wb") as out, kept.with_suffix(".err").open("wb") as err:
            running = subprocess.Popen(
                [sys.executable, "-m", "quadrille_core", *line, "--study", str(kept), "--resume"],
                cwd=ROOT, stdout=out, stderr=err,
            )  # fmt: skip
        while studies + players < kills:
            before, until = done(kept), time.monotonic() + MOST_WAIT
            while running.poll() is None and done(kept) == before and time.monotonic() < until:
                time.sleep(0.01)
            time.sleep(draw.random())
            if running.poll() is not None:
                break
            there = [] if alone else workers(running.pid)
            if there and draw.random() < 0.75:
                os.kill(draw.choice(there), signal.SIGKILL)
                players += 1
                continue
            running.send_signal(signal.SIGKILL)
            studies += 1
            break
        if running.wait() == 0:
            return kept.with_suffix(".out").read_bytes(), studies, players
        if running.returncode != -signal.SIGKILL:
            said = kept.with_suffix(".err").read_text(errors="replace")
            raise SystemExit(f"status {running.returncode}: {said[-2000:]}")


def main() -> int:
    """Kill, and say what came of it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--deals", type=int, default=2_000_000)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--executor", nargs="*", default=["threads", "processes", "dask"])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--engine", default="fast")
    given = parser.parse_args()
    differing = 0
    with tempfile.TemporaryDirectory() as place:
        line = [*STUDY, "--deals", str(given.deals), "--engine", given.engine]
        whole = Path(place) / "whole"
        wanted = undisturbed(line, whole)
        for executor in given.executor:
            kept, began = Path(place) / executor, time.monotonic()
            found, studies, players = disturbed(
                [*line, "--executor", executor], kept, given.kills, random.Random(given.seed),
                alone=executor == "threads",
            )  # fmt: skip
            blocks = (f"blocks/{p.name}" for p in whole.glob("blocks/*"))
            names = ("manifest.json", "results.json", "study.json", *blocks)
            same = found == wanted and all(
                (kept / n).read_bytes() == (whole / n).read_bytes() for n in names
            )
            differing += not same
            told = (
                f"{executor}: killed {studies} times, and {players} of its workers; {done(kept)} "
                f"blocks in {time.monotonic() - began:.0f} s: "
                f"{'the same bytes' if same else 'OTHER BYTES'}"
            )
            sys.stdout.write(told + "\n")
            sys.stdout.flush()
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
