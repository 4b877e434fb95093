"""Mutated inputs for everything that the product reads: what ends in a traceback, takes long or
takes much memory.

``python tools/fuzz.py`` runs 11,200 inputs over fourteen formats, by seed, so that every one can be
run again alone: ``python tools/fuzz.py --format record --only 17``.  Each format's inputs are run
by a process of its own, with a limit on its memory.  ``tests/core/test_fuzz.py`` runs a few of
each.
"""

import argparse
import contextlib
import io
import json
import os
import random
import re
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from fuzz_mutants import VALUES, WORDS, bent, mutated, reshaped

SECONDS, MEGABYTES = 2.0, 500
"""Processor time and memory that no input may take."""
STUDIED, HONEST = " combinations of the readings of ", 5 * SECONDS
"""What `discriminate` says when it has done its work, and the time that takes over all points of a
rule set: evidence that does not name its points asks for it.
"""
ALLOWED = (0, 1, 2, 3, 130)
REFERENCES = (
    "quanti-1822",
    "mediateur-1752@parlett",
    "quintille",
    "quadrille-laws",
    "quadrille-modern",
)

# --- what is read -----------------------------------------------------------------------------

Case = Callable[[random.Random, Path], tuple[int, str]]
"""Runs one mutated input; returns the exit status and all that was printed."""


def command(*line: str) -> tuple[int, str]:
    """The exit status of a command and what it printed."""
    from quadrille_plugins.shell.main import run

    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        status = run(line)
    return status, out.getvalue()


def called(work: Callable[[], object]) -> tuple[int, str]:
    """The same of a function of the library: an error meant for users is 1."""
    from quadrille_core.errors import QuadrilleError

    try:
        work()
    except QuadrilleError as e:
        return 1, str(e)
    return 0, ""


@dataclass(frozen=True)
class OfFile:
    """A case whose input is one file: one of the seeds, changed."""

    seeds: Sequence[bytes]
    suffix: str
    run: Callable[[str, random.Random], tuple[int, str]]

    def __call__(self, chance: random.Random, folder: Path) -> tuple[int, str]:
        """The same of a seed that is changed at random."""
        return self.of(mutated(self.seeds, chance), chance, folder)

    def of(self, data: bytes, chance: random.Random, folder: Path) -> tuple[int, str]:
        """The exit status with this in the file, and what was printed."""
        path = folder / f"input{self.suffix}"
        path.write_bytes(data)
        return self.run(str(path), chance)


def texts(*folders: str, suffix: str = ".yaml", without: Sequence[str] = ()) -> list[bytes]:
    from quadrille_core import resources

    root = resources.variants()
    return [
        p.read_bytes()
        for f in folders
        for p in sorted((root / f).glob(f"*{suffix}"))
        if p.name not in without
    ]


def records(*references: str) -> list[bytes]:
    """Records of deals, one of each rule set."""
    return [
        command("deal", r, "--seed", str(n), "--format", "json")[1].encode()
        for n, r in enumerate(references)
    ]


def profile() -> Case:
    seeds = texts(".", without=["bibliography.yaml"])
    lines = (
        ["check"],
        ["show"],
        ["apparatus"],
        ["diff", "quanti-1822"],
        ["check", "--format", "json"],
    )
    return OfFile(seeds, ".yaml", lambda path, chance: command(*chance.choice(lines), path))


def small_profile() -> Case:
    from fuzz_seeds import PROFILES

    lines = (["check"], ["show", "--format", "csv"], ["explain"], ["deal"], ["diff", "quanti-1822"])

    def run(path: str, chance: random.Random) -> tuple[int, str]:
        line = chance.choice(lines)
        return command(*line, path, *(["stakes.ante"] if line == ["explain"] else []))

    return OfFile([p.encode() for p in PROFILES], ".yaml", run)


def bibliography() -> Case:
    from quadrille_core.profile.document import load_bibliography

    seeds = [p for p in texts(".") if b"kind: bibliography" in p]
    return OfFile(seeds, ".yaml", lambda path, _: called(lambda: load_bibliography(path)))


def record() -> Case:
    seeds = records(*REFERENCES, *REFERENCES)
    lines = ([], ["--format", "json"], ["--format", "csv"], ["--rules", "quanti-1822"])
    return OfFile(
        seeds,
        ".json",
        lambda path, chance: command("deal", "--replay", path, *chance.choice(lines)),
    )


def patience() -> Case:
    seeds = records("royal-quadrille", "captive-queens", "contradance")
    return OfFile(seeds, ".json", lambda path, _: command("deal", "--replay", path))


def result() -> Case:
    from fuzz_seeds import RESULTS

    lines = ([], ["--format", "json"], ["--format", "csv"])
    seeds = [text.encode() for text in RESULTS]
    return OfFile(
        seeds, ".yaml", lambda path, chance: command("settle", path, *chance.choice(lines))
    )


def deal() -> Case:
    from fuzz_seeds import DEAL
    from quadrille_plugins.dealing import solving_command as solve

    def keep(*_: object) -> bool:
        return True

    vars(solve)["ready"] = keep  # nothing is solved here: the bid asked for is none
    seeds = [*records(*REFERENCES[:2]), DEAL.encode()]
    return OfFile(
        seeds,
        ".json",
        lambda path, _: command("deal", "--solve", "--replay", path, "--bid", "nosuch"),
    )


def entry() -> Case:
    """A result that is recorded in a ledger, whose rules are those of the second seed."""
    from fuzz_seeds import RESULTS

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "t.ledger")
        command(
            "session",
            "start",
            str(path),
            "--rules",
            "mediateur-1752",
            *(f"--player={name}" for name in "ABCD"),
        )
        began = path.read_bytes()

    def run(path: str, _: random.Random) -> tuple[int, str]:
        table = Path(path).with_suffix(".ledger")
        for old in table.parent.glob(f"{table.name}*"):
            old.unlink()
        table.write_bytes(began)
        return command("session", "deal", str(table), path)

    told = [
        re.sub("^(rules|readings|pool|multiplier):.*\n", "", RESULTS[n], flags=re.MULTILINE)
        for n in (1, 4)
    ]
    return OfFile([text.encode() for text in told], ".yaml", run)


def evidence() -> Case:
    root = Path(__file__).parents[1] / "tests" / "data" / "evidence"
    slow = [
        "quanti-table.yaml",
        "codille-cheaper.yaml",
        "vole-not-cancelled.yaml",
    ]  # seconds of honest counting
    seeds = [
        *texts("evidence", without=slow),
        *(p.read_bytes() for p in sorted(root.glob("*.yaml"))),
    ]
    return OfFile(seeds, ".yaml", lambda path, _: command("discriminate", path, "--next", "0"))


def incident() -> Case:
    from fuzz_seeds import INCIDENTS

    seeds = [text.encode() for text in INCIDENTS]
    ruling = ("session", "ruling", "quadrille-laws")
    lines = ([], ["--text", "literal"], ["--format", "json"])
    return OfFile(
        seeds, ".yaml", lambda path, chance: command(*ruling, path, *chance.choice(lines))
    )


def manifest() -> Case:
    from quadrille_plugins.studies import command as rerun

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "m.json")
        study = (
            "compare",
            "quanti-1822",
            "mediateur-1752",
            "--deals",
            "8",
            "--set",
            "table.session_deals=8",
        )
        command(*study, "--workers", "1", "--engine", "readable", "--manifest", str(path))
        seeds = [path.read_bytes()]

    def nothing(*_: object) -> None:
        return None

    vars(rerun)["_again"] = nothing  # a manifest may order a study of hours
    return OfFile(seeds, ".json", lambda path, _: command("rerun", path))


def ledger() -> Case:
    from fuzz_seeds import RESULTS

    with tempfile.TemporaryDirectory() as folder:
        path, dealt = Path(folder, "t.ledger"), Path(folder, "r.yaml")
        players = [f"--player={name}" for name in "ABCD"]
        command("session", "start", str(path), "--rules", "quanti-1822@parlett", *players)
        dealt.write_text("".join(RESULTS[0].splitlines(keepends=True)[3:]))
        for _ in range(3):
            command("session", "deal", str(path), str(dealt))
            command("session", "deal", str(path), "--void", "a card faced")
        with contextlib.closing(sqlite3.connect(path)) as base:
            base.execute("pragma wal_checkpoint(truncate)")
            base.execute("pragma journal_mode=delete")
        seed = path.read_bytes()
    lines = (
        ["show"],
        ["export"],
        ["export", "--format", "json"],
        ["deal"],
        ["end", "--dry-run"],
        ["reverse"],
    )

    def case(chance: random.Random, folder: Path) -> tuple[int, str]:
        path = folder / "input.ledger"
        for old in folder.glob("input.ledger*"):
            old.unlink()
        path.write_bytes(seed if chance.random() < 0.7 else bent(seed, chance, [seed]))
        with (
            contextlib.suppress(sqlite3.Error, UnicodeError, OverflowError),
            contextlib.closing(sqlite3.connect(path)) as base,
        ):
            base.isolation_level = None
            base.execute("begin")
            _spoil(base, chance)
            base.execute("commit")
        verb, *rest = chance.choice(lines)
        more = {"deal": ["--void", "x"], "reverse": ["1"]}.get(verb, [])
        return command("session", verb, str(path), *more, *rest)

    return case


def _spoil(base: sqlite3.Connection, chance: random.Random) -> None:
    """Change a cell of some table: JSON as a tree, the rest to anything."""
    triggers = base.execute(
        "select name, sql from sqlite_master where type='trigger' order by rowid"
    ).fetchall()
    for name, _ in triggers:
        base.execute(f'drop trigger "{name}"')
    tables = [t for (t,) in base.execute("select name from sqlite_master where type='table'")]
    for _ in range(chance.choice((1, 1, 2, 4))):
        table = chance.choice(tables)
        columns = [row[1] for row in base.execute(f'pragma table_info("{table}")')]
        rows = base.execute(f'select rowid, * from "{table}"').fetchall()  # noqa: S608
        if not rows:
            continue
        row, at_column = chance.choice(rows), chance.randrange(len(columns))
        value = row[at_column + 1]
        try:
            tree = json.loads(value)
            new: Any = (
                json.dumps(reshaped(tree, chance, [tree]))
                if isinstance(tree, (dict, list))
                else chance.choice(WORDS)
            )
        except (TypeError, ValueError):
            new = chance.choice((*WORDS, None, 0, -1, 2**62, 1.5, b"\xff"))
        change = f'update "{table}" set "{columns[at_column]}" = ? where rowid = ?'  # noqa: S608
        with contextlib.suppress(sqlite3.Error):  # the tables are strict
            base.execute(change, (new, row[0]))
    for _, sql in triggers:
        base.execute(sql)


def options() -> Case:
    """``--set``, ``--reading``, references and other words of the command line."""
    from quadrille_core.ruleset import compile_reference

    origins = compile_reference("quanti-1822").origins
    paths, values = sorted(origins), [json.dumps(o.value, default=str) for o in origins.values()]
    points = [
        p
        for _, p in zip(
            range(30),
            re.findall(r"^  - id: ([\w.-]+)", texts(".")[0].decode(), re.MULTILINE),
            strict=False,
        )
    ]

    def word(chance: random.Random) -> str:
        if chance.random() < 0.4:
            return chance.choice(values)
        if chance.random() < 0.3:
            return json.dumps(chance.choice(VALUES), default=str)
        return chance.choice(WORDS).replace("\x00", "\x01")

    def case(chance: random.Random, _: Path) -> tuple[int, str]:
        path = chance.choice(paths)
        if chance.random() < 0.2:
            path = (
                bent(path.encode(), chance, [b"stakes"])
                .decode("utf-8", "surrogateescape")
                .replace("\x00", "")
            )
        value = word(chance)
        refinement = [f"--set={path}={value}"]
        match chance.randrange(6):
            case 0:
                refinement.append(
                    f"--reading={chance.choice((*points, word(chance)))}={word(chance)}"
                )
            case 1:
                refinement.append(f"--set={chance.choice(paths)}={word(chance)}")
            case 2:
                refinement = [f"--set={chance.choice('0123')}:{path}={value}"]
        reference = chance.choice(REFERENCES)
        if chance.random() < 0.15:
            reference += chance.choice(("@", "+", "/", "")) + word(chance)
        lines = (
            ["show", reference],
            ["explain", reference, path],
            ["diff", reference, "quanti-1822"],
            ["play", reference, f"--hand={value}", "--trump=hearts"],
            ["deal", reference],
            ["show", reference, "--format=json"],
        )
        return command(*chance.choice(lines), *refinement)

    return case


FORMATS: dict[str, Callable[[], Case]] = {
    "profile": profile,
    "small_profile": small_profile,
    "bibliography": bibliography,
    "record": record,
    "patience": patience,
    "result": result,
    "deal": deal,
    "entry": entry,
    "evidence": evidence,
    "incident": incident,
    "manifest": manifest,
    "ledger": ledger,
    "options": options,
}


TREES = (
    "small_profile",
    "bibliography",
    "record",
    "patience",
    "result",
    "entry",
    "deal",
    "evidence",
    "incident",
)
"""Formats of one small file of plain data, of which every value can be replaced in turn;
``manifest`` is large."""


# --- running ----------------------------------------------------------------------------------


class TooLongError(BaseException):
    """An input that is stopped."""


def _stop(*_: object) -> None:
    raise TooLongError


def faults_of(name: str, status: int, said: str, path: str) -> list[str]:
    """What is wrong with how an input was answered."""
    from quadrille_core.harmless import safe

    found = []
    if status not in ALLOWED:
        found.append(f"status {status}: {said[-600:]}")
    if safe(said) != said:
        found.append(f"a terminal would obey {said[:300]!r}")
    heads = [line for line in said.splitlines() if re.search(r"(^|: )Q\d{3} ", line)]
    if name in ("record", "patience") and any(not h.startswith(path) for h in heads):
        found.append(
            f"does not name the file: {next(h for h in heads if not h.startswith(path))[:300]}"
        )
    return found


def answered(
    name: str, work: Callable[[], tuple[int, str]], folder: str
) -> tuple[int, float, list[str]]:
    """The exit status of an input, its processor time, and what is wrong with how it was
    answered."""
    before = signal.signal(signal.SIGPROF, _stop)
    began = time.process_time()
    signal.setitimer(signal.ITIMER_PROF, 5 * SECONDS)
    try:
        status, said = work()
        found = faults_of(name, status, said, folder)
    except TooLongError:
        status, said, found = -2, "", []
    except Exception as e:
        import traceback

        status, said, found = -1, "", ["".join(traceback.format_exception(e))[-1500:]]
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    seconds = time.process_time() - began
    if seconds > (HONEST if STUDIED in said else SECONDS):
        found.append(f"took {seconds:.1f} s")
    return status, seconds, found


def work(name: str, first: int, many: int, seed: int) -> None:
    """Run inputs of one format, and write for each a line of JSON."""
    os.environ["QUADRILLE_DEBUG"] = "1"
    case = FORMATS[name]()
    pages = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    most = pages + MEGABYTES * 2**20
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    with tempfile.TemporaryDirectory() as folder:
        for number in range(first, first + many):
            sys.__stdout__.write(f"{number}\n")  # type: ignore[union-attr]
            sys.__stdout__.flush()  # type: ignore[union-attr]
            chance = random.Random(f"{seed}/{name}/{number}")
            status, seconds, found = answered(name, partial(case, chance, Path(folder)), folder)
            peak = _peak()
            if peak > MEGABYTES:
                found.append(f"took {peak} MB")
            line = {
                "number": number,
                "status": status,
                "seconds": round(seconds, 3),
                "peak": peak,
                "faults": found,
            }
            sys.__stdout__.write(json.dumps(line) + "\n")  # type: ignore[union-attr]
            sys.__stdout__.flush()  # type: ignore[union-attr]


def _peak() -> int:
    """The most memory this program had, in MB; ``ru_maxrss`` has also what the one had that began
    it."""
    told = Path("/proc/self/status").read_text()
    return int(told.split("VmHWM:")[1].split()[0]) // 1024


def runs(name: str, many: int, seed: int, first: int = 0) -> list[dict[str, Any]]:
    """Run inputs of one format in another process; one that kills it is a fault, and the rest goes
    on."""
    found: list[dict[str, Any]] = []
    end = first + many
    while first < end:
        line = [sys.executable, __file__, "--work", name, str(first), str(end - first), str(seed)]
        try:
            done = subprocess.run(
                line, capture_output=True, text=True, check=False, timeout=60 + 12 * many
            )
            said, errors, code = done.stdout, done.stderr, done.returncode
        except subprocess.TimeoutExpired as e:
            said, errors, code = (e.stdout or b"").decode(), "", -9
        lines = said.splitlines()
        found += [json.loads(one) for one in lines if one.startswith("{")]
        begun = [int(one) for one in lines if one.isdigit()]
        if not begun:
            raise RuntimeError(f"{name} cannot begin: {errors[-2000:]}")
        first = begun[-1] + 1
        if not found or found[-1]["number"] != begun[-1]:
            found.append(
                {
                    "number": begun[-1],
                    "status": code,
                    "seconds": 0,
                    "peak": 0,
                    "faults": [f"died: {errors[-500:]}"],
                }
            )
    return found


def say(text: str) -> None:
    """Write a line."""
    sys.stdout.write(text + "\n")


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--inputs", type=int, default=800, help="inputs of each format")
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--format", choices=FORMATS, action="append")
    asked.add_argument("--only", type=int, help="one input alone, by its number")
    asked.add_argument("--work", nargs=4, help=argparse.SUPPRESS)
    given = asked.parse_args()
    if given.work:
        name, *numbers = given.work
        work(name, *map(int, numbers))
        return 0
    bad = total = 0
    for name in given.format or FORMATS:
        found = runs(
            name, 1 if given.only is not None else given.inputs, given.seed, given.only or 0
        )
        faulty = [one for one in found if one["faults"]]
        slowest, peak = max(one["seconds"] for one in found), max(one["peak"] for one in found)
        total, bad = total + len(found), bad + len(faulty)
        statuses = {
            s: sum(one["status"] == s for one in found)
            for s in sorted({one["status"] for one in found})
        }
        say(
            f"{name:14} {len(found):6} inputs, {len(faulty):3} faulty; {statuses}; {slowest:.2f} "
            f"s, {peak} MB at most"
        )
        seen = set()
        for one in faulty:
            last = one["faults"][0].strip().splitlines()[-1][:120]
            if last not in seen:
                seen.add(last)
                say(f"  {name} --only {one['number']}: " + "\n    ".join(one["faults"])[-1200:])
        sys.stdout.flush()
    say(f"{total} inputs over {len(given.format or FORMATS)} formats, {bad} faulty")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))
    sys.exit(main())
