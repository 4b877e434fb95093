"""Kill `quadrille session` at random moments, and count what was acknowledged and is lost.

    python tools/ledger_kills.py [--kills 200] [--seed 1]

Each kill is a SIGKILL of a whole program, at a moment drawn over the time that one takes or, half
of them, while it writes.  What a program has printed and ended with status 0 is acknowledged.
After each kill the ledger must open, hold every acknowledged command once, and at most one
besides, which was under way.  In the end the audit derives everything anew.
"""

import argparse
import random
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import _tests  # noqa: F401
import yaml
from quadrille_plugins.ledger.service import Ledger, start
from support.ledger import NAMES, QUANTI, compiled_once, random_result


@dataclass
class KillCounts:
    """What came of the kills."""

    kills: int = 0
    """Programs killed before they had ended."""
    in_mid_write: int = 0
    """Those killed with the journal of a transaction on the disk."""
    acknowledged: int = 0
    under_way: int = 0
    """Commands that were recorded by a program killed before it said so."""
    lost: int = 0
    twice: int = 0
    commands: int = 0


def run(folder: Path, kills: int, seed: int) -> KillCounts:
    """Kill programs that record deals, insert and move them, enter what is paid by hand, and change
    chairs, names and rules; raises QuadrilleError when the ledger does not open."""
    rng, done = random.Random(seed), KillCounts()
    path, given = folder / "t.ledger", folder / "deal.yaml"
    start(path, compiled_once(QUANTI), QUANTI, NAMES, dealer=None, coins="plain")
    takes, counted, journal = 0.0, 1, path.with_name(f"{path.name}-journal")
    while done.kills < kills:
        given.write_text(yaml.safe_dump(random_result(rng)), encoding="utf-8")
        name, *more = _line(rng, str(given), counted)
        command = [sys.executable, "-m", "quadrille_core", "session", name, str(path), *more]
        began = time.monotonic()
        program = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        how = rng.random() if takes else 0.0
        if how < 0.25:  # it may end: there is something to lose, and its time is known
            program.wait()
            takes = time.monotonic() - began
        elif how < 0.5:
            time.sleep(takes * rng.random())
        else:  # in mid-write, or just after
            while program.poll() is None and not journal.exists():
                time.sleep(0.0005)
            time.sleep(rng.choice([0, 0, rng.uniform(0, 0.03)]))
        if program.poll() is None:
            done.in_mid_write += journal.exists()
            program.send_signal(signal.SIGKILL)
            done.kills += 1
        program.wait()
        with Ledger(path) as ledger:
            commands = len(ledger.journal().transactions)
        acknowledged = program.returncode == 0
        new = commands - counted
        done.acknowledged += acknowledged
        done.lost += acknowledged and new < 1
        done.twice += new > 1
        done.under_way += not acknowledged and new == 1
        counted = commands
    with Ledger(path) as ledger:
        done.commands = len(ledger.verify().transactions) - 1
    return done


def _line(rng: random.Random, given: str, counted: int) -> list[str]:
    """What the next program does; a deal until two were recorded."""
    lines = [
        ["deal", given],
        ["deal", given, "--before", "1"],
        ["move", "1", "2"],
        ["enter", "Anne", "each", "1/2", "why"],
        ["people", "--exchange", "Anne", "Beatrice"],
        ["rules", "--set", f"stakes.dealer_adds={counted}"],
    ]
    return rng.choice(lines) if counted > 2 else lines[0]


def main() -> int:
    """Status 1 when anything was lost or stands twice."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        done = run(Path(folder), given.kills, given.seed)
    sys.stdout.write(
        f"{done.kills} kills, {done.in_mid_write} in mid-write: {done.acknowledged} commands "
        f"acknowledged, {done.lost} of them lost, {done.twice} twice; "
        f"{done.under_way} recorded by a program killed before it said so; {done.commands} in the "
        f"ledger, which is sound\n"
    )
    return (
        1 if done.lost or done.twice or done.acknowledged + done.under_way != done.commands else 0
    )


if __name__ == "__main__":
    sys.exit(main())
