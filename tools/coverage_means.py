"""How often the intervals of ``quadrille means`` hold, by simulation.

A long run is the population: its sessions are drawn with replacement, and its own means are the
truth.
"""

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np
from quadrille_plugins.shell.main import run
from quadrille_plugins.studies.deal_means import DealMean, Told, means_of, sums_of
from scipy.stats import beta

PAIR: Final = ("quanti-1822@parlett", "quanti-1822@wikipedia")
SEED: Final = 777_000
SIZES: Final = (35, 50, 100, 500)
BY: Final = ("contract", "hombre", "matadors")

Cell = tuple[Any, ...]
"""The kind, the rule set, and what it is held against."""


def long_run(folder: Path, sessions: int) -> Path:
    """A table of that many sessions under both rule sets."""
    path = folder / "deals.parquet"
    line = (
        "compare",
        *PAIR,
        "--sessions",
        str(sessions),
        "--engine",
        "fast",
        "--players",
        "steady",
    )
    if run([*line, "--seed", str(SEED), "--format", "csv", "--table", str(path)]) != 0:
        raise SystemExit("the run failed")
    return path


def cell_of(found: DealMean) -> Cell:
    """What the mean is of."""
    return (*found.kind, found.rule_set, found.against or "")


def drawn(told: Told, sessions: Sequence[int]) -> Told:
    """The sums of these sessions, each draw of a session being one of its own."""
    return {
        name: {
            kind: kept
            for kind, sums in kinds.items()
            if (
                kept := {(n, s): sums[SEED, s] for n, s in enumerate(sessions) if (SEED, s) in sums}
            )
        }
        for name, kinds in told.items()
    }


def coverage(
    told: Told, whole: int, sessions: int, runs: int, rng: Any
) -> Iterator[tuple[Cell, int, int]]:
    """By cell in how many runs there was an interval, and in how many it held."""
    truth: Mapping[Cell, float] = {cell_of(m): float(m.estimate.mean) for m in means_of(told)}
    given: Counter[Cell] = Counter()
    held: Counter[Cell] = Counter()
    for _ in range(runs):
        for one in means_of(drawn(told, rng.integers(whole, size=sessions).tolist())):
            if one.estimate.low is None or one.estimate.high is None:
                continue
            cell = cell_of(one)
            given[cell] += 1
            held[cell] += one.estimate.low <= truth[cell] <= one.estimate.high
    return ((cell, given[cell], held[cell]) for cell in truth if given[cell])


def exact(held: int, of: int) -> str:
    """A share with Clopper and Pearson's interval."""
    low = beta.ppf(0.025, held, of - held + 1) if held else 0.0
    high = beta.ppf(0.975, held + 1, of - held) if held < of else 1.0
    return f"{100 * held / of:.1f} % ({100 * low:.1f}–{100 * high:.1f})"


def main() -> None:
    """Print the coverage as a table; a cell of which fewer than half of the runs had an interval is
    left out."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--sessions", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=5)
    wanted = parser.parse_args()
    with TemporaryDirectory() as folder:
        path = long_run(Path(folder), wanted.sessions)
        print("| by | sessions | mean of | rule set | against | coverage (95 %) | given |")  # noqa: T201
        print("|---" * 7 + "|")  # noqa: T201
        for by in BY:
            told = sums_of(path, "net_hombre", [by])
            for size in SIZES:
                rng = np.random.default_rng([wanted.seed, size])
                for cell, given, held in coverage(told, wanted.sessions, size, wanted.runs, rng):
                    if given >= wanted.runs // 2:
                        share = f"{exact(held, given)} | {100 * given / wanted.runs:.0f} %"
                        names = " | ".join(str(part) for part in cell)
                        print(f"| {by} | {size} | {names} | {share} |", flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
