"""How often the intervals miss that a tournament gives for shares of the variance.

``python tools/coverage_tournament.py [--sessions 8000] [--runs 1000] [--seed 5]`` plays a
population of sessions of every pair by the kernel.  Every run draws so many of them with
replacement, the same for all pairs, and makes the product's own intervals
(``compare.variance``); the truth is the population's.  In the cells called *even* the two of a pair
change places in half of the sessions, by lot, so that nothing goes with who plays.
"""

import argparse
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from quadrille_plugins.compare.tournament import Meeting
from quadrille_plugins.compare.variance import PARTS, UNITS, Row, shares_of
from quadrille_plugins.studies.design import FAST
from quadrille_plugins.studies.runner.tasks import Sessions
from scipy.stats import beta

from quadrille_core.ruleset import compile_reference

LENGTH: Final = 40
LONG_SEED: Final = 777_000
BLOCK: Final = 128
SIZES: Final = (6, 10, 50, 500)
BOLD: Final = ("steady", "steady:boldness=+3")
CELLS: Final = (
    ("quanti-1822", BOLD, False),
    ("quanti-1822", BOLD, True),
    ("quanti-1822", ("steady", "random"), False),
    ("quanti-1822", (*BOLD, "steady:boldness=-3"), False),
    ("quanti-1822", (*BOLD, "steady:boldness=-3"), True),
    ("mediateur-1752", BOLD, False),
    ("quadrille-modern", BOLD, False),
)
"""The rule set, the bots, and whether who plays is drawn at random."""


def population(reference: str, bots: tuple[str, ...], many: int) -> dict[str, Any]:
    """By unit the sums of independent sessions: float64 (pairs, sessions, 6), as ``variance``'s
    rows."""
    ruleset = compile_reference(reference).ruleset
    work, chairs = Meeting(ruleset, bots, LONG_SEED, FAST), ruleset.rules.table.players
    play = work.ready()
    rows: dict[str, list[list[Row]]] = {unit: [[] for _ in work.pairs] for unit in UNITS}
    for first in range(0, many, BLOCK):
        lengths = (LENGTH,) * min(BLOCK, many - first)
        for met in play(Sessions(first, lengths)):
            for unit, row in met.rows(chairs).items():
                rows[unit][work.pairs.index(met.pair)].append(row)
    return {unit: np.array(of_pairs) for unit, of_pairs in rows.items()}


def even(found: Any) -> Any:
    """Each session once as it is and once with the two of every pair in each other's place."""
    turned = found[:, :, [0, 2, 1, 4, 3, 5]]
    return np.concatenate([found, turned], axis=1)


def truth_of(found: Any) -> tuple[float, float, float]:
    """The shares of the whole population, by the definition."""
    n, x, y, xx, yy, xy = found.sum(axis=1).T
    mine, theirs = x / n, y / n
    player = ((mine - theirs) ** 2 / 4).sum()
    cards = (xy / n - mine * theirs).sum()
    rest = ((xx + yy - 2 * xy) / n - (mine - theirs) ** 2).sum() / 2
    total = player + cards + rest
    return player / total, cards / total, rest / total


def tried(
    found: Any, truth: Sequence[float], sessions: int, runs: int, rng: Any
) -> list[tuple[int, float]]:
    """Of each part how many of the runs' intervals hold the truth, and their mean width."""
    held, width = [0] * len(PARTS), [0.0] * len(PARTS)
    for _ in range(runs):
        drawn = rng.integers(found.shape[1], size=sessions)
        shares = shares_of(found[:, drawn].tolist())
        for place, part in enumerate(PARTS):
            one = getattr(shares, part)
            # what is the same to the last digit of a float is held
            held[place] += one.low - 1e-9 <= truth[place] <= one.high + 1e-9
            width[place] += (one.high - one.low) / runs
    return list(zip(held, width, strict=True))


def exact(held: int, of: int) -> str:
    """A share with Clopper and Pearson's interval."""
    low = beta.ppf(0.025, held, of - held + 1) if held else 0.0
    high = beta.ppf(0.975, held + 1, of - held) if held < of else 1.0
    return f"{100 * held / of:.1f} % ({100 * low:.1f}–{100 * high:.1f})"


def main() -> None:
    """Print the coverage as a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--sessions", type=int, default=8000)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=5)
    wanted = parser.parse_args()
    heads = ("rules, bots", "in a", "true shares", "sessions", *PARTS, "mean widths")
    print(f"| {' | '.join(heads)} |\n{'|---' * len(heads)}|")  # noqa: T201
    for number, (reference, bots, lot) in enumerate(CELLS):
        units = population(reference, bots, wanted.sessions)
        for place, (unit, found) in enumerate(units.items()):
            rng = np.random.default_rng([wanted.seed, number, place])
            drawn_from = even(found) if lot else found
            truth = truth_of(drawn_from)
            shown = ", ".join(f"{round(100 * share, 5):.2g} %" for share in truth)
            title = f"{reference}, {', '.join(bots)}{', even' if lot else ''}"
            for sessions in SIZES:
                told = tried(drawn_from, truth, sessions, wanted.runs, rng)
                cells = " | ".join(exact(held, wanted.runs) for held, _ in told)
                widths = ", ".join(f"{100 * width:.2g} %" for _, width in told)
                print(  # noqa: T201
                    f"| {title} | {unit} | {shown} | {sessions} | {cells} | {widths} |", flush=True
                )


if __name__ == "__main__":
    main()
