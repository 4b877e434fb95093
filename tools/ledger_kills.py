"""Kill `quadrille session deal` at random moments, and count what was acknowledged and is lost.

    python tools/ledger_kills.py [--kills 200] [--seed 1]

Each kill is a SIGKILL of a whole program, at a moment drawn over the time that one takes or, half
of them, while it writes.  What a program has printed and ended with status 0 is acknowledged.
After each kill the ledger must open, hold every acknowledged deal once, and at most one besides,
which was under way.  In the end the audit derives everything anew.
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
    """Deals that were recorded by a program killed before it said so."""
    lost: int = 0
    twice: int = 0
    deals: int = 0


def run(folder: Path, kills: int, seed: int) -> KillCounts:
    """Kill programs that record deals; raises QuadrilleError when the ledger does not open."""
    rng, done = random.Random(seed), KillCounts()
    path, given = folder / "t.ledger", folder / "deal.yaml"
    start(path, compiled_once(QUANTI), QUANTI, NAMES, dealer=None, coins="plain")
    command = [sys.executable, "-m", "quadrille_core", "session", "deal", str(path), str(given)]
    takes, counted, journal = 0.0, 0, path.with_name(f"{path.name}-journal")
    while done.kills < kills:
        given.write_text(yaml.safe_dump(random_result(rng)), encoding="utf-8")
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
            deals = ledger.journal().count
        acknowledged = program.returncode == 0
        new = deals - counted
        done.acknowledged += acknowledged
        done.lost += acknowledged and new < 1
        done.twice += new > 1
        done.under_way += not acknowledged and new == 1
        counted = deals
    with Ledger(path) as ledger:
        done.deals = ledger.verify().count
    return done


def main() -> int:
    """Status 1 when anything was lost or stands twice."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        done = run(Path(folder), given.kills, given.seed)
    sys.stdout.write(
        f"{done.kills} kills, {done.in_mid_write} in mid-write: {done.acknowledged} deals "
        f"acknowledged, {done.lost} of them lost, {done.twice} twice; "
        f"{done.under_way} recorded by a program killed before it said so; {done.deals} in the "
        f"ledger, which is sound\n"
    )
    return 1 if done.lost or done.twice or done.acknowledged + done.under_way != done.deals else 0


if __name__ == "__main__":
    sys.exit(main())
