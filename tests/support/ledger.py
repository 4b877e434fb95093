"""Results to record, and a process that records them until it is killed.

Run as a program it reads lines of JSON, ``[path, seed, most, stay]``; for each it forks a child
that opens the ledger and writes in it as fast as it can, saying ``try K`` before each command and
``ack K`` once it has returned, and it says ``dead`` when the child is.
"""

import json
import os
import random
import signal
import sqlite3
import sys
import time
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

NAMES = ("Anne", "Beatrice", "Charlotte", "Dorothea")
QUANTI = "quanti-1822@parlett"
SOLO = {
    "contract": "solo",
    "trump": "hearts",
    "hombre": "Anne",
    "tricks": {"Anne": 6, "Dorothea": 4},
}
LOST = SOLO | {"tricks": {"Anne": 5, "Dorothea": 5}}
ALLIES = {"contract": "alliance", "trump": "spades", "hombre": "Charlotte", "ally": "Dorothea"}
ALLIES |= {"tricks": {"Charlotte": 4, "Dorothea": 2, "Anne": 4}}


@cache
def compiled_once(ref: str) -> Any:
    from quadrille_core.ruleset import compile_reference

    return compile_reference(ref)


def result(data: dict[str, Any]) -> Any:
    from quadrille_plugins.ledger.journal import Fact

    return Fact("result", data)


def holdings(path: Path) -> dict[str, Any]:
    """What everybody holds, and the pools; the books must balance."""
    from quadrille_plugins.ledger.schema import BOX
    from quadrille_plugins.ledger.service import Ledger

    with Ledger(path) as ledger:
        journal = ledger.journal()
    assert not list(journal.faults())
    return {journal.accounts[a]: v for a, v in journal.balances.items() if a != BOX}


def rewrite(path: Path, script: str) -> None:
    """Change a ledger behind its back, triggers and all."""
    with closing(sqlite3.connect(path)) as raw:
        triggers = raw.execute(
            "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'"
        ).fetchall()
        for name, _ in triggers:
            raw.execute(f"DROP TRIGGER {name}")
        raw.executescript(script)
        for _, sql in triggers:
            raw.execute(sql)
        raw.commit()
        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def resealed(path: Path, script: str) -> None:
    """The same by somebody who knows how to seal: the last standing certifies the rows as they then
    are."""
    from quadrille_plugins.ledger import seal
    from quadrille_plugins.ledger.store import Store

    with closing(sqlite3.connect(path)) as raw:
        (act,) = raw.execute("SELECT max(act) FROM standing").fetchone()
    rewrite(path, script + "; DELETE FROM standing")  # noqa: S608
    store = Store.open(path)
    try:
        with store.writing():
            seal.put(store, act)
    finally:
        store.close()


def random_result(rng: random.Random) -> dict[str, Any]:
    """A result that can have been, under any rules with alliance and solo."""
    hombre, ally, *others = rng.sample(NAMES, 4)
    alone = rng.random() < 0.5
    cuts = sorted(rng.randint(0, 10) for _ in range(3))
    made = [b - a for a, b in zip([0, *cuts], [*cuts, 10], strict=True)]
    tricks = dict(zip([hombre, ally, *others], made, strict=True))
    side = made[0] if alone else made[0] + made[1]
    premiers = side == 10 or (side >= 6 and rng.random() < 0.4)
    data = {
        "contract": "solo" if alone else "alliance",
        "trump": rng.choice(["hearts", "diamonds", "clubs", "spades"]),
        "hombre": hombre,
        "tricks": {n: t for n, t in tricks.items() if t},
        "matadors": rng.choice([0, 0, 1, 2, 3]),
        "premiers": premiers,
        # whoever leads on after premiers undertakes the vole
        "vole": "undertaken" if premiers and side > 6 else "none",
    }
    return data if alone else data | {"ally": ally}


KINDS = ("deal", "deal", "deal", "void", "correct", "correct", "reverse", "insert", "move", "enter")
KINDS += ("loan", "substitute", "exchange", "join", "leave", "rename", "dealer", "rules", "undo")
"""What may be done at a table; what cannot be done as it stands is a deal."""
ADDED = range(4)
"""What the dealer adds, by the rules between which a table changes."""


@cache
def compiled_with(ref: str, added: int) -> Any:
    from quadrille_core.ruleset import compile_reference

    return compile_reference(ref, settings={"stakes.dealer_adds": added})


def called(journal: Any, data: dict[str, Any], number: int | None = None) -> dict[str, Any]:
    """A result of the usual players as one of those who play the next deal, or who played one."""
    seats = sorted(journal.deals[number].seating if number else journal.due())
    names = {n: journal.accounts[a] for n, (_, a) in zip(NAMES, seats, strict=True)}
    words = {k: names.get(v, v) if k in ("hombre", "ally") else v for k, v in data.items()}
    return words | {"tricks": {names[n]: t for n, t in data["tricks"].items()}}


def do(ledger: Any, kind: str, seed: Any, ref: str = QUANTI) -> str:
    """Do one such thing, drawn by its seed and by what the ledger holds; returns which."""
    from quadrille_plugins.ledger.hand import by_hand
    from quadrille_plugins.ledger.journal import Fact
    from quadrille_plugins.ledger.notes import last_standing

    journal, rng = ledger.journal(), random.Random(str(seed))
    full = len(journal.seated()) >= journal.wanted
    fresh = f"P{len(journal.transactions)}"
    sits = [journal.accounts[a] for a in journal.seated()]
    deals = [n for n in journal.deals if not journal.is_entry(n)]
    lines = [n for n, row in journal.deals.items() if row.fact.kind != "reversed"]
    one, other = rng.sample(sits, 2)
    told = random_result(rng)
    if kind in ("correct", "insert", "reverse") and deals and lines:
        number = rng.choice(lines if kind == "reverse" else deals)
        if kind == "reverse":
            ledger.reverse(number)
        elif kind == "correct":
            ledger.correct(number, result(called(journal, told, number)))
        else:
            ledger.record(result(called(journal, told, number)), before=number)
    elif kind == "move" and len(journal.deals) > 1:
        ledger.move(*rng.sample(list(journal.deals), 2))
    elif kind in ("enter", "loan"):
        amount = rng.choice(["1", "7", "3/2"])
        ends = (one, other) if kind == "loan" else (one, rng.choice([other, "pool", "each"]))
        ledger.record(by_hand(journal, *ends, amount, "why", loan=kind == "loan"))
    elif kind == "substitute":
        ledger.substitute(one, fresh)
    elif kind == "rename":
        ledger.rename(*[((one, fresh),), ((one, other), (other, one))][rng.random() < 0.5])
    elif kind == "exchange":
        ledger.exchange(one, other)
    elif kind == "dealer" and full and len(sits) > journal.wanted:
        told = result(called(journal, told))
        sat = [journal.accounts[a] for _, a in journal.due()]
        out = rng.choice([name for name in sits if name not in sat])
        ledger.record(told, players=sat, dealer=out)
    elif kind == "join" and (len(sits) < 6 or not full):
        ledger.join(fresh)
    elif kind == "leave" and len(sits) > 3:
        ledger.leave(one)
    elif kind == "rules":
        now = journal.rule("stakes.dealer_adds")
        ledger.change_rules(compiled_with(ref, rng.choice([n for n in ADDED if n != now])), ref)
    elif kind == "undo" and last_standing(journal):
        ledger.undo()
    elif not full:
        kind = "join"
        ledger.join(fresh)
    else:
        kind = "void" if kind == "void" else "deal"
        ledger.record(Fact("void", note="why") if kind == "void" else result(called(journal, told)))
    return kind


def command(ledger: Any, seed: int, number: int) -> str:
    """What a writer with this seed does as its command of that number."""
    kind = random.Random(f"{seed}/{number}").choice([k for k in KINDS if k != "undo"])
    return do(ledger, kind, f"{seed}/{number}")


def write(path: str, seed: int, most: int) -> None:
    from quadrille_plugins.ledger.service import Ledger

    from quadrille_core.errors import QuadrilleError

    with Ledger(Path(path)) as ledger:
        ledger._frozen(ledger.journal())
        say(f"pid {os.getpid()}")
        for number in range(most):
            say(f"try {number}")
            for left in reversed(range(1000)):
                try:
                    command(ledger, seed, number)
                    break
                except QuadrilleError:  # another writer holds it, or has changed it
                    if not left:
                        raise
                    time.sleep(0.001)
            say(f"ack {number}")


def begin(path: str) -> None:
    from quadrille_plugins.ledger.service import start

    rules = compiled_once(QUANTI)
    say(f"pid {os.getpid()}")
    say("try 0")
    start(Path(path), rules, QUANTI, NAMES, dealer=None, coins="plain")
    say("ack 0")


def say(line: str) -> None:
    os.write(1, f"{line}\n".encode())


def main() -> None:
    # Whatever takes time is done before the first child.
    import quadrille_plugins.ledger

    assert quadrille_plugins.ledger
    compiled_once(QUANTI)
    for added in ADDED:
        compiled_with(QUANTI, added)
    for line in sys.stdin:
        path, seed, most, stay = json.loads(line)
        child = os.fork()
        if child == 0:
            write(path, seed, most) if most else begin(path)
            if stay:  # whoever means to kill it finds it there
                signal.pause()
            os._exit(0)
        os.waitpid(child, 0)
        say("dead")


if __name__ == "__main__":
    main()
