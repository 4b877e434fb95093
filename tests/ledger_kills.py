"""Kill `quadrille session deal` at random moments, and count what was acknowledged and is lost.

    python tests/ledger_kills.py [--kills 200] [--seed 1]

Each kill is a SIGKILL of a whole program, at a moment drawn over the time that one takes.  What a program has printed
and ended with status 0 is acknowledged.  After each kill the ledger must open, hold every acknowledged deal once, and
at most one besides, which was under way.  In the end the audit derives everything anew.
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

import yaml
from ledger_support import NAMES, QUANTI, compiled_once, random_result

from quadrille_core.ledger import Ledger, start


@dataclass
class Tally:
    """What came of the kills."""

    kills: int = 0
    """Programs killed before they had ended."""
    acknowledged: int = 0
    under_way: int = 0
    """Deals that were recorded by a program killed before it said so."""
    lost: int = 0
    twice: int = 0
    deals: int = 0


def run(folder: Path, kills: int, seed: int) -> Tally:
    """Kill programs that record deals; raises QuadrilleError when the ledger does not open."""
    rng, done = random.Random(seed), Tally()
    path, given = folder / "t.ledger", folder / "deal.yaml"
    start(path, compiled_once(QUANTI), QUANTI, NAMES, dealer=None, coins="plain")
    command = [sys.executable, "-m", "quadrille_core", "session", "deal", str(path), str(given)]
    takes, counted = 1.0, 0
    while done.kills < kills:
        given.write_text(yaml.safe_dump(random_result(rng)), encoding="utf-8")
        began = time.monotonic()
        program = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            # Mostly near the end, where it writes.
            program.wait(takes * (rng.random() if rng.random() < 0.3 else rng.uniform(0.6, 1.1)))
            takes = 0.7 * takes + 0.3 * (time.monotonic() - began)
        except subprocess.TimeoutExpired:
            program.send_signal(signal.SIGKILL)
            program.wait()
            done.kills += 1
        acknowledged = program.returncode == 0
        with Ledger(path, write=False) as ledger:
            deals = ledger.book([]).standing.deals
        new = deals - counted
        done.acknowledged += acknowledged
        done.lost += acknowledged and new < 1
        done.twice += new > 1
        done.under_way += not acknowledged and new == 1
        counted = deals
    with Ledger(path, write=False) as ledger:
        done.deals = ledger.verify().standing.deals
    return done


def main() -> int:
    """Status 1 when anything was lost or stands twice."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        done = run(Path(folder), given.kills, given.seed)
    sys.stdout.write(
        f"{done.kills} kills: {done.acknowledged} deals acknowledged, {done.lost} of them lost, {done.twice} twice; "
        f"{done.under_way} recorded by a program killed before it said so; {done.deals} in the ledger, which is sound\n"
    )
    return 1 if done.lost or done.twice or done.acknowledged + done.under_way != done.deals else 0


if __name__ == "__main__":
    sys.exit(main())
