"""``python tests/benchmarks/run.py``: Quadrille beside its peers, in one process kept to one core.

Writes docs/benchmarks.md, with its data and pictures beside it.  The peers, OpenSpiel and DDS, and
what draws the pictures come with the extra ``bench``; a row whose peer is missing says so.
``--quick`` does little work and takes seconds: it shows that everything runs, and its figures mean
nothing.
"""

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import bench_command as command
import bench_ours as ours
import bench_peers as peers
import bench_plots as plots
import bench_prototype as prototype
from bench_measure import BenchSample, Rounds, Side, cores, pinned
from bench_report import BenchCost, Need, Row, costs_csv, machine, number, page, rows_json

DOCS = Path(__file__).resolve().parents[2] / "docs"
NO_OPENSPIEL = "OpenSpiel is not installed"
NO_DDS = "endplay is not installed"
PICTURES = {
    "deals": "The cost of a comparison by how many deals are compared; either engine's start "
    "included.",
    "cards": "The cost of an exact answer by how many cards each hand has, deals at random.",
    "rule-sets": "The cost of a comparison by how many rule sets are compared: each is played "
    "once.",
}


@dataclass(frozen=True)
class Size:
    """How much work a round has."""

    rounds: int = 9
    hands: int = 1_500
    session_deals: int = 40_000
    readable_deals: int = 40
    solved: int = 600  # of fewer deals the slowest twentieth is a matter of chance
    compared: tuple[int, ...] = (400, 2_000, 10_000, 50_000, 200_000)
    compared_readably: tuple[int, ...] = (40, 120, 400)
    rule_sets: tuple[int, ...] = (2, 3, 5, 9, 17)
    of_each: int = 4_000
    cards: tuple[int, ...] = (3, 4, 5, 6, 7, 8, 9, 10)
    command_deals: int = 1_000_000
    command_rounds: int = 3


QUICK = Size(
    rounds=1, hands=20, session_deals=160, readable_deals=4, solved=2,
    compared=(40, 80), compared_readably=(4,), rule_sets=(2, 3), of_each=40, cards=(3, 4),
    command_deals=80, command_rounds=1,
)  # fmt: skip


def by_mean(sample: BenchSample) -> float:
    """Seconds of processor a unit."""
    return sample.mean


def by_p95(sample: BenchSample) -> float:
    """Seconds that one unit in twenty exceeds."""
    return sample.p95


def a_second(sample: BenchSample) -> float:
    """Units a second of the processor."""
    return 1 / sample.mean


def by_clock(sample: BenchSample) -> float:
    """Units a second of the clock."""
    return sample.work / sample.clock


@dataclass
class Suite:
    """The sides that can be run here, and the rows that are made of them."""

    size: Size
    sides: dict[str, tuple[int, Side]] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)
    rounds: Rounds = field(default_factory=Rounds)

    def add(self, name: str, make: Callable[[], Side], *, on: int = 1, missing: str = "") -> None:
        """One more side, made if it can be run."""
        if missing:
            self.missing[name] = missing
        else:
            self.sides[name] = (on, make())

    def row(
        self,
        what: str,
        against: str,
        one: str,
        other: str,
        of: Callable[[BenchSample], float],
        unit: str,
        need: Need | None,
    ) -> Row:
        """The ratio of two sides' figures."""
        for name in (one, other):
            if name in self.missing:
                return Row(what, against, need=need, skipped=self.missing[name])
        figures = [self.rounds.median(name, of) for name in (one, other)]
        if unit == "ms":
            figures = [f * 1e3 for f in figures]
        told = f"{number(figures[0])} and {number(figures[1])} {unit}"
        return Row(what, against, told, tuple(self.rounds.ratios(one, other, of)), need)


def sides(suite: Suite, given: Path | None) -> None:
    """Everything that is measured in rounds."""
    size = suite.size
    no_spiel = "" if peers.has_openspiel() else NO_OPENSPIEL
    no_dds = "" if peers.has_dds() else NO_DDS
    no_second = "" if cores() > 1 else "there is one core"
    suite.add("oh_hell", lambda: peers.openspiel(peers.OH_HELL, size.hands), missing=no_spiel)
    suite.add("klop", lambda: peers.openspiel(peers.TAROK, size.hands), missing=no_spiel)
    suite.add("sessions", lambda: ours.sessions(size.session_deals))
    suite.add("sessions, random", lambda: ours.sessions(size.session_deals, bot="random"))
    suite.add(
        "sessions, two", lambda: ours.sessions(8 * size.session_deals, 2), on=2, missing=no_second
    )
    suite.add("sessions, readable", lambda: ours.readable_sessions(size.readable_deals))
    compiled = ours.two_profiles()
    suite.add("compare", lambda: ours.comparison(compiled, size.session_deals, "fast"))
    suite.add(
        "compare, readable", lambda: ours.comparison(compiled, size.readable_deals, "readable")
    )
    modules = prototype.load(given) if given else None
    for name, kind, players, need in QUESTIONS:
        asked = ours.positions(kind, players, size.solved)
        suite.add(name, lambda asked=asked, need=need: ours.solved(asked, need))
        if modules:
            suite.add(f"prototype {name}", lambda a=asked, n=need: prototype.solved(*modules, a, n))
    suite.add("dds exact", lambda: peers.dds(size.solved, None), missing=no_dds)
    suite.add("dds six", lambda: peers.dds(size.solved, 6), missing=no_dds)


QUESTIONS = (
    ("alliance, random deals", "random", 2, None),
    ("solo, deals worth bidding", "worth bidding", 1, None),
    ("alliance, six tricks, deals worth bidding", "worth bidding", 2, 6),
)
"""What the solver is asked in the rounds."""


def sections(suite: Suite, with_prototype: bool) -> dict[str, list[Row]]:
    """The rows, from what the rounds have measured."""
    row, fast = suite.row, "deals a second"
    hell, klop = "OpenSpiel oh_hell, 4 × 10 tricks, in C++", "OpenSpiel tarok klop, in C++"
    deals = [
        row(
            "sessions by random, one core",
            hell,
            "sessions, random",
            "oh_hell",
            a_second,
            fast,
            None,
        ),
        row("sessions by random, one core", klop, "sessions, random", "klop", a_second, fast, None),
        row(
            "sessions by steady, one core", klop, "sessions", "klop", a_second, fast, Need(least=60)
        ),
    ]
    two = "one core, by the clock"
    engines = [
        row(
            "sessions, two cores",
            two,
            "sessions, two",
            "sessions",
            by_clock,
            fast,
            Need(least=1.85),
        ),
        row(
            "sessions, two threads",
            "one, by the processor",
            "sessions, two",
            "sessions",
            a_second,
            fast,
            None,
        ),
        row(
            "sessions, fast engine",
            "readable engine",
            "sessions",
            "sessions, readable",
            a_second,
            fast,
            None,
        ),
        row(
            "compare, two rule sets, fast",
            "readable",
            "compare",
            "compare, readable",
            a_second,
            fast,
            None,
        ),
    ]
    alliance, solo, six = (q[0] for q in QUESTIONS)
    solver = [
        row(
            f"{alliance}, mean",
            "DDS exact, mean",
            alliance,
            "dds exact",
            by_mean,
            "ms",
            Need(most=1.0),
        ),
        row(
            f"{alliance}, p95",
            "DDS exact, p95",
            alliance,
            "dds exact",
            by_p95,
            "ms",
            Need(most=1.2),
        ),
        row(f"{solo}, mean", "DDS exact, mean", solo, "dds exact", by_mean, "ms", Need(most=0.9)),
        row(
            f"{six}, mean", "DDS at least six, mean", six, "dds six", by_mean, "ms", Need(most=0.35)
        ),
    ]
    if with_prototype:
        for name, *_ in QUESTIONS:
            solver.append(
                row(
                    f"{name}, mean", "the prototype", name, f"prototype {name}", by_mean, "ms", None
                )
            )
    return {
        "Deals and sessions": deals,
        "Engines and cores": engines,
        "The solver, ten cards a hand": solver,
    }


def _second(side: Side) -> BenchSample:
    """A side's second time."""
    side(0)
    return side(1)


def curves(size: Size, say: Callable[[str], None]) -> list[BenchCost]:
    """Cost against work."""
    out = []
    compiled = ours.two_profiles()
    for engine, works in (("fast", size.compared), ("readable", size.compared_readably)):
        for deals in works:
            found = statistics.median(
                ours.comparison(compiled, deals, engine)(t).seconds for t in range(3)
            )
            out.append(BenchCost("deals", f"{engine} engine", deals, found))
    say("cost by deals")
    for cards in size.cards:
        for players, line in ((2, "alliance"), (1, "solo")):
            asked = ours.positions("random", players, size.solved, cards)
            out.append(
                BenchCost(
                    "cards", f"Quadrille, {line}", cards, _second(ours.solved(asked, None)).mean
                )
            )
        if peers.has_dds():
            out.append(
                BenchCost(
                    "cards",
                    "DDS, one suit",
                    cards,
                    _second(peers.dds(size.solved, None, cards)).mean,
                )
            )
    say("cost by cards")
    many = ours.readings(max(size.rule_sets))
    for number_of in size.rule_sets:
        if number_of <= len(many):
            side = ours.comparison(many[:number_of], size.of_each, "fast")
            found = statistics.median(side(t).mean for t in range(3))
            out.append(BenchCost("rule-sets", "fast engine", number_of, found))
    say("cost by rule sets")
    return out


def whole_command(size: Size, python: str, say: Callable[[str], None]) -> list[Row]:
    """The command that compares a million deals, by two threads on two cores; once before, to have
    it warm."""
    on = min(2, cores())
    found = []
    with tempfile.TemporaryDirectory() as folder:
        command.measure([ours.PROFILE, ours.RIVAL], 80, on, Path(folder), python)
        for turn in range(size.command_rounds):
            found.append(
                command.measure(
                    [ours.PROFILE, ours.RIVAL], size.command_deals, on, Path(folder), python
                )
            )
            say(f"whole command, {turn + 1} of {size.command_rounds}: {found[-1].clock:.1f} s")
    middle = statistics.median
    told = (
        f"{middle(c.clock for c in found):.2f} s of clock, "
        f"{middle(c.seconds for c in found):.2f} s of processor, "
        f"{middle(c.start for c in found):.2f} s before the first deal"
    )
    what = f"compare {ours.PROFILE} {ours.RIVAL}, {size.command_deals:,} deals, {on} threads"
    return [
        Row(
            what,
            "share of the cores' time not in the kernel",
            told,
            tuple(c.other for c in found),
            Need(most=0.2),
        ),
        Row(
            what,
            "share of the processor's work not in the kernel",
            told,
            tuple(c.other_work for c in found),
        ),
    ]


def parse(arguments: list[str] | None) -> argparse.Namespace:
    """What is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--quick", action="store_true", help="little work: shows that everything runs"
    )
    parser.add_argument("--rounds", type=int, help="rounds to measure")
    parser.add_argument(
        "--prototype", type=Path, metavar="DIR", help="also measure the prototype in this folder"
    )
    parser.add_argument(
        "--out", type=Path, default=DOCS, help="the folder to write to  [default: docs]"
    )
    parser.add_argument("--no-command", action="store_true", help="leave out the whole command")
    parser.add_argument(
        "--command-python", default=sys.executable, metavar="PATH",
        help="the interpreter of an environment with the extra fast and no more, for the whole "
             "command",
    )  # fmt: skip
    return parser.parse_args(arguments)


def given(wanted: argparse.Namespace) -> list[str]:
    """The options that change what is measured, as they are given."""
    quick, folder = (
        ["--quick"] if wanted.quick else [],
        ["--prototype DIR"] if wanted.prototype else [],
    )
    alone = ["--command-python PATH"] if wanted.command_python != sys.executable else []
    return [*quick, *folder, *alone]


def main(arguments: list[str] | None = None) -> int:
    """Measure and write; 0 whatever the figures are, for no test is timed."""
    wanted = parse(arguments)
    size = QUICK if wanted.quick else Size()
    if wanted.rounds:
        size = Size(**{**size.__dict__, "rounds": wanted.rounds})
    began = time.monotonic()

    def say(text: str) -> None:
        print(f"{time.monotonic() - began:6.1f} s  {text}", file=sys.stderr, flush=True)  # noqa: T201

    about: dict[str, Any] = machine()
    suite = Suite(size)
    with pinned(2):
        sides(suite, wanted.prototype)
        say("ready")
        suite.rounds.run(suite.sides, size.rounds, say)
        found = sections(suite, wanted.prototype is not None)
        with pinned(1):
            costs = curves(size, say)
        if not wanted.no_command:
            found["The whole command"] = whole_command(size, wanted.command_python, say)
    about |= {
        "command": " ".join(["python tests/benchmarks/run.py", *given(wanted)]),
        "date": datetime.now(UTC).date().isoformat(),
        "rounds": size.rounds,
        "quick": wanted.quick,
    }
    beside = wanted.out / "benchmarks"
    beside.mkdir(parents=True, exist_ok=True)
    drawn = plots.draw(costs, beside) if plots.can_draw() else []
    if not drawn:
        say("no pictures: matplotlib is not installed")
    (beside / "costs.csv").write_text(costs_csv(costs))
    data = {**about, "sections": {title: rows_json(rows) for title, rows in found.items()}}
    (beside / "ratios.json").write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n")
    text = page(about, found, {name: PICTURES[name] for name in drawn})
    (wanted.out / "benchmarks.md").write_text(text)
    print(text)  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
