"""Kill `quadrille session` at random moments, and count what was acknowledged and is lost.

    python tools/ledger_kills.py [--kills 200] [--seed 1]

Each kill is a SIGKILL of a whole program, at a moment drawn over the time that one takes or, half
of them, while it writes.  What a program has printed and ended with status 0 is acknowledged.
After each kill the ledger must open, hold every acknowledged command once (all deals of a CSV, or
none), and at most one besides, which was under way; a ledger that follows another is sound, or not
there.  In the end the audit derives everything anew.
"""

import argparse
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import _tests  # noqa: F401
import yaml
from quadrille_plugins.ledger.service import Ledger, start
from support.ledger import NAMES, QUANTI, called, compiled_once, random_result


@dataclass
class KillCounts:
    """What came of the kills."""

    kills: int = 0
    """Programs killed before they had ended."""
    in_mid_write: int = 0
    """Those killed with the journal of a transaction on the disk."""
    acknowledged: int = 0
    refused: int = 0
    under_way: int = 0
    """Commands that were recorded by a program killed before it said so."""
    lost: int = 0
    twice: int = 0
    """What stands there twice, or in part."""
    commands: Counter[str] = field(default_factory=Counter)
    """Programs that were begun, by what they were to do."""


def run(folder: Path, kills: int, seed: int) -> KillCounts:
    """Kill programs that do whatever may be done at a table; raises QuadrilleError when a ledger
    does not open."""
    rng, done = random.Random(seed), KillCounts()
    path = folder / "t.ledger"
    start(path, compiled_once(QUANTI), QUANTI, NAMES, dealer=None, coins="plain")
    takes, before = 0.0, _journal(path)
    while done.kills < kills:
        name, target, *more, adds = _line(rng, before, path)
        command = [sys.executable, "-m", "quadrille_core", "session", name, str(target), *more]
        journal = target.with_name(f"{target.name}-journal")
        began = time.monotonic()
        program = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        how = rng.random() if takes else 0.0
        if how < 0.25:  # it may end: there is something to lose, and its time is known
            program.wait()
            takes = time.monotonic() - began
        elif how < 0.5:
            time.sleep(takes * rng.random())
        else:  # in mid-write, or just after
            while program.poll() is None and not (journal.exists() or _in_the_making(folder)):
                time.sleep(0.0005)
            time.sleep(rng.choice([0, 0, rng.uniform(0, 0.03)]))
        if program.poll() is None:
            done.in_mid_write += journal.exists() or _in_the_making(folder)
            program.send_signal(signal.SIGKILL)
            done.kills += 1
        program.wait()
        for left in folder.glob(".quadrille-*"):
            left.unlink()
        after = _journal(path)
        new = len(after.transactions) - len(before.transactions)
        if target != path:  # another ledger that follows: it is sound, or not there
            new = int(target.exists() and bool(_journal(target)))
        acknowledged = program.returncode == 0
        done.commands[name] += 1
        done.acknowledged += acknowledged
        done.refused += program.returncode > 0
        done.lost += acknowledged and new < adds
        done.twice += new > adds or (not acknowledged and 0 < new < adds)
        done.under_way += not acknowledged and new == adds
        before = after
    with Ledger(path) as ledger:
        ledger.verify()
    return done


def _journal(path: Path) -> Any:
    with Ledger(path) as ledger:
        return ledger.journal()


def _in_the_making(folder: Path) -> bool:
    return any(folder.glob(".quadrille-*"))


def _line(rng: random.Random, journal: Any, path: Path) -> tuple[Any, ...]:
    """What the next program does, to which ledger, and how many commands are in it after that."""
    sits, number = [journal.accounts[a] for a in journal.seated()], len(journal.transactions)
    if journal.ended:
        return "reopen", path, 1
    if len(sits) < journal.wanted:
        return "people", path, "--join", f"P{number}", 1
    deals = [n for n in journal.deals if not journal.is_entry(n)]
    given, told = path.with_name("deal.yaml"), random_result(rng)
    given.write_text(yaml.safe_dump(called(journal, told)), encoding="utf-8")
    one, other = rng.sample(sits, 2)
    lines: list[tuple[Any, ...]] = [("deal", path, str(given), 1)] * 3
    if len(journal.deals) > 1 and deals:
        which, where = rng.choice(deals), f"{path.with_name('next')}-{number}.ledger"
        again, sheet = path.with_name("again.yaml"), path.with_name("deals.csv")
        again.write_text(yaml.safe_dump(called(journal, told, which)), encoding="utf-8")
        rows = "".join(f"solo,hearts,{name},6\n" for name in (one, other, one))
        sheet.write_text(f"contract,trump,hombre,tricks\n{rows}", encoding="utf-8")
        lines = [
            lines[0],
            ("deal", path, str(given), "--before", str(which), 1),
            *([("deal", path, str(sheet), 3)] if len(sits) == journal.wanted else []),
            ("move", path, *map(str, rng.sample(list(journal.deals), 2)), 1),
            ("enter", path, one, "each", "1/2", "why", 1),
            ("enter", path, one, other, "7", "why", "--loan", 1),
            ("correct", path, str(which), str(again), 1),
            ("reverse", path, str(which), 1),
            ("undo", path, 1),
            ("people", path, "--exchange", one, other, 1),
            ("people", path, "--rename", one, f"R{number}", 1),
            ("people", path, "--rename", one, other, "--rename", other, one, 1),
            ("people", path, "--leave", one, 1),
            *([("people", path, "--join", f"P{number}", 1)] if len(sits) < 6 else []),
            ("substitute", path, one, f"S{number}", 1),
            ("rules", path, "--set", f"stakes.dealer_adds={number % 7}", 1),
            ("end", path, 1),
            ("start", Path(where), "--from", str(path), "--players", ",".join(sits[:4]), 1),
        ]
    return rng.choice(lines)


def main() -> int:
    """Status 1 when anything was lost or stands twice."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        done = run(Path(folder), given.kills, given.seed)
    told = ", ".join(f"{name} {n}" for name, n in sorted(done.commands.items()))
    sys.stdout.write(
        f"{done.kills} kills, {done.in_mid_write} in mid-write: {done.acknowledged} commands "
        f"acknowledged, {done.lost} of them lost, {done.twice} twice or in part; "
        f"{done.under_way} recorded by a program killed before it said so, {done.refused} refused; "
        f"the ledger is sound. Begun: {told}\n"
    )
    return 1 if done.lost or done.twice else 0


if __name__ == "__main__":
    sys.exit(main())
