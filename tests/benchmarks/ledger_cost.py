"""What the next deal of a long session costs, and `session show`, beside another tree.

    python tests/benchmarks/ledger_cost.py [--deals 10000] [--before FOLDER]

For every shipped rule set of the trick games, and those with games that count several times, beasts that wait, purses
refilled and the session's first favourite, a ledger of so many deals is made; then `session deal` and `session show`
are run on it and on a ledger of one deal.  What is told is processor time (user and system) of the whole program
beyond that on the ledger of one deal, the least of three runs.  ``--before`` names a folder with another tree of
Quadrille and its `.venv`, whose program does the same with a ledger of version 1.
"""

import argparse
import os
import random
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
NAMES = ("Anne", "Beatrice", "Charlotte", "Dorothea", "Emma")
SETS: dict[str, tuple[str, dict[str, Any]]] = {
    "quanti-1822@parlett": ("quanti-1822@parlett", {}),
    "quanti-1822@wikipedia": ("quanti-1822@wikipedia", {}),
    "mediateur-1752": ("mediateur-1752", {}),
    "quadrille-laws": ("quadrille-laws", {}),
    "quadrille-modern": ("quadrille-modern", {}),
    "quintille": ("quintille", {}),
    "… counted several times": ("quadrille-laws", {"multiplier.after_losses": "counted"}),
    "… beasts that wait": ("quanti-1822@parlett", {"loss.beasts": "wait"}),
    "… purses refilled": ("quanti-1822@parlett", {"table.purse_empty": "refill"}),
    "… first trumps": ("mediateur-1752", {"favourite.source": "first_trumps", "favourite.suit": None}),
}


MOST = 10**4
"""Counters that may lie on the table after a deal that is made up."""


def a_result(rng: random.Random, contracts: Sequence[str], names: Sequence[str], tricks: int) -> dict[str, Any]:
    """A result, which some rules may refuse."""
    hombre, ally, *others = rng.sample(names, len(names))
    contract = rng.choice(contracts)
    alone = contract != "alliance"
    cuts = sorted(rng.randint(0, tricks) for _ in names[1:])
    made = [b - a for a, b in zip([0, *cuts], [*cuts, tricks], strict=True)]
    data: dict[str, Any] = {
        "contract": contract,
        "trump": rng.choice(["hearts", "diamonds", "clubs", "spades"]),
        "hombre": hombre,
        "tricks": {n: t for n, t in zip([hombre, ally, *others], made, strict=True) if t},
        "matadors": rng.choice([0, 0, 1, 2, 3]),
    }
    return data if alone else data | {"ally": ally}


def make(path: Path, ref: str, settings: dict[str, Any], deals: int) -> None:
    """Make a ledger of so many deals in one transaction, of what every version of the program has."""
    from quadrille_plugins.ledger import deriving, entering
    from quadrille_plugins.ledger.journal import Fact
    from quadrille_plugins.ledger.reckoning import reckoned, situation_of
    from quadrille_plugins.ledger.service import Ledger, start
    from quadrille_plugins.ledger.standing import write_standing, write_tally

    from quadrille_core.engine.carry import START
    from quadrille_core.errors import QuadrilleError
    from quadrille_core.ruleset import compile_reference

    compiled = compile_reference(ref, settings=settings)
    rules, rng = compiled.ruleset.rules, random.Random(1)
    names, tricks = NAMES[: rules.table.players], 40 // rules.table.players
    contracts = [n for n in rules.bids.names() if n in ("alliance", "solo")]
    start(path, compiled, ref, names, dealer=None, coins="plain")
    with Ledger(path) as ledger, ledger._store.writing():
        store, journal = ledger._store, ledger._journal(None)
        frozen = ledger._frozen(journal)
        carry, held, chair, favourite = START, dict(journal.balances), journal.next_dealer, None
        act, recorded, tried = 1, 0, 0
        while recorded < deals:
            tried += 1
            if tried > 50 * (recorded + 10):
                raise SystemExit(f"{ref}: no result fits these rules")
            fact = Fact("result", a_result(rng, contracts, names, tricks))
            situation = situation_of(journal, recorded + 1, chair, carry, favourite, frozen, held)
            if favourite is None and rules.favourite.source.startswith("drawn"):
                fact.data["favourite"] = "hearts"
            try:
                derived = deriving.derive(rules, situation, fact)
            except QuadrilleError:
                continue
            if derived.carry.held > MOST:
                continue  # games lost in a row double what waits without end; at a table someone wins
            recorded += 1
            act = entering.add_transaction(store, "deal", "")
            entering.add_record(store, act, recorded, chair, fact, derived, frozen)
            for m in derived.movements:
                held[m.payer] -= m.amount
                held[m.payee] += m.amount
            carry, chair = derived.carry, (chair + 1) % len(names)
            favourite = deriving.favourite_after(rules, favourite, fact)
        journal = reckoned(_loaded(store), frozen)
        for number, found in journal.tallies.items():
            store.add("tally", act=act, deal=number, record=found.record, state=write_tally(found))
        ledger._seal.put(store, act, write_standing(journal.standing))


def _loaded(store: Any) -> Any:
    from quadrille_plugins.ledger.loading import load

    return load(store)


def former(path: Path) -> None:
    """The ledger as version 1 has it."""
    with closing(sqlite3.connect(path)) as raw:
        raw.executescript("DROP TABLE tally; DROP TABLE standing; PRAGMA user_version = 1; PRAGMA journal_mode = WAL")


def cost(program: Path, ledger: Path, *args: str) -> float:
    """Processor seconds of a program and its children, the least of three runs, each on a copy of the ledger."""
    found = []
    for _ in range(3):
        copy = ledger.with_suffix(".copy")
        shutil.copy(ledger, copy)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([program, "session", args[0], copy, *args[1:]], stdout=subprocess.DEVNULL, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        found.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        for name in ledger.parent.glob(f"{copy.name}*"):
            name.unlink()
    return min(found)


def write(line: str) -> None:
    """Say a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--deals", type=int, default=10_000)
    parser.add_argument("--before", type=Path)
    parser.add_argument("--only", action="append", help="a rule set of the table, by its name there")
    given = parser.parse_args()
    trees = {"now": Path(sys.executable).parent / "quadrille"}
    if given.before:
        trees["before"] = given.before / ".venv/bin/quadrille"
    write(f"{given.deals} deals; processor seconds beyond a ledger of one deal")
    write(f"{'rules':<26}" + "".join(f"{f'{what}, {tree}':>16}" for tree in trees for what in ("deal", "show")))
    for name in given.only or SETS:
        ref, settings = SETS[name]
        with tempfile.TemporaryDirectory() as folder:
            long, short = Path(folder, "long"), Path(folder, "short")
            make(long, ref, settings, given.deals)
            make(short, ref, settings, 1)
            cells = []
            for tree, program in trees.items():
                if tree == "before":
                    former(long)
                    former(short)
                for args in (("deal", "--void", "a card faced"), ("show",)):
                    cells.append(cost(program, long, *args) - cost(program, short, *args))
        write(f"{name:<26}" + "".join(f"{cell:>14.2f} s" for cell in cells))


if __name__ == "__main__":
    os.environ.setdefault("COLUMNS", "100")
    main()
