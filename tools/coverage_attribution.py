"""How often the intervals of ``compare --attribute`` miss.

``python tools/coverage_attribution.py [--population 4000] [--runs 1000] [--seed 5]`` prints, for
each pair of rule sets, number of sessions and way of drawing, how often the intervals of the groups
hold the truth, how often all of a column do at once, and the same of interactions.  ``--family``
prints how often those of all players of a family do at once, who are asked of the heaviest groups in
an order and backwards.

The groups of a pair are joined to five, and a population of sessions is played under every
coalition of these, so that the true values are known exactly.  Every run draws sessions from it
with replacement, draws the orders of each as the product does, and makes the product's intervals
(``attribution.effect``).  Where sessions share their orders, so many in a row do.
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any, Final

import numpy as np
from coverage_compare import exact
from quadrille_plugins.compare.attribution import MOST_ASKED, effect
from quadrille_plugins.compare.grouping import Group, Mixer, coherent, natural
from quadrille_plugins.compare.shapley import Scheme, all_coalitions, both_ways, of_order
from quadrille_plugins.deal.players import family
from quadrille_plugins.studies import fast
from quadrille_plugins.studies.accounts import partitions, places
from quadrille_plugins.studies.effects import DifferenceSums, Effects
from quadrille_plugins.studies.paired import FEW_DIFFERING, FEWEST_DIFFERING, PICKED_ROLES

from quadrille_core.ruleset import compile_reference

PAIRS: Final = (
    ("quanti-1822", "mediateur-1752"),
    ("mediateur-1752@parlett", "mediateur-1752@wikipedia"),
    ("quanti-1822", "academie"),
)
GROUPS: Final = 5
WAYS: Final = (
    ("orders", 100, 1),
    ("orders", 400, 1),
    ("orders", 1600, 1),
    ("all", 400, 1),
    ("all", 1600, 1),
    ("orders", 1600, 20),
)
"""How it is drawn, sessions, and how many of them share their orders."""
FAMILY: Final = 1600, 10 * (MOST_ASKED + 1)
"""Sessions of each player of the family, and how many of a column's intervals hold together."""
LENGTH: Final = 40
BLOCK: Final = 128
COLUMNS: Final = PICKED_ROLES


@dataclass(frozen=True, slots=True)
class Population:
    """What sessions pay under every coalition: int64 (coalitions, sessions, columns), in parts of a
    counter."""

    worth: Any
    scale: int


def joined(groups: list[Group], many: int) -> list[Group]:
    """The groups dealt out to so many."""
    return [
        Group(str(n), tuple(leaf for g in groups[n::many] for leaf in g.leaves))
        for n in range(min(many, len(groups)))
    ]


def population(first: str, second: str, many: int, bot: str = "steady") -> Population:
    """Sessions of one player under every coalition."""
    mixer = Mixer(compile_reference(first), compile_reference(second))
    groups = joined(coherent(mixer, natural(mixer.first, mixer.second)), GROUPS)
    rulesets = [
        mixer.rules(groups, frozenset(n for n in range(GROUPS) if c >> n & 1))
        for c in range(1 << GROUPS)
    ]
    arrays, scale = fast.tabulate(rulesets, [bot])
    players = rulesets[0].rules.table.players
    names = partitions(players)["roles"]
    at = [places(players)[players:][names.index(role)] for role in COLUMNS]
    room, found = fast.Workspace(BLOCK, LENGTH), []
    for start in range(0, many, BLOCK):
        lengths = [LENGTH] * min(BLOCK, many - start)
        held = []
        for one in arrays:
            sums = one.play(777, start, lengths, room, 0).sums
            held.append(np.array(sums["moved"][:, at]))
        found.append(np.stack(held))
    return Population(np.concatenate(found, axis=1), scale)


def table_of(found: Population, schemes: list[Scheme]) -> Any:
    """What every scheme makes of every session: float64 (schemes, groups and then pairs, sessions,
    columns)."""
    pairs = {pair: n for n, pair in enumerate(combinations(range(GROUPS), 2), GROUPS)}
    steps = np.zeros((len(schemes), GROUPS + len(pairs), 1 << GROUPS))
    for n, scheme in enumerate(schemes):
        for step in scheme.steps:
            share = step.weight / scheme.parts
            steps[n, step.player, step.before | step.joins] += share
            steps[n, step.player, step.before] -= share
        for square in scheme.squares:
            for corner, sign in zip(square.corners, (1, -1, -1, 1), strict=True):
                steps[n, pairs[square.pair], corner] += sign * square.weight / scheme.parts
    return np.einsum("sgc,cxk->sgxk", steps, found.worth.astype(float) / found.scale)


def change_of(amounts: Any, deals: int) -> DifferenceSums:
    """The sums of units."""
    powers = [Fraction(float((amounts**p).sum())) for p in (1, 2, 3, 4)]
    return DifferenceSums(*powers, powers[0] * deals, int((amounts != 0).sum()))


@dataclass(slots=True)
class Held:
    """Of intervals how many there were, and hold; of runs in how many all do."""

    given: int = 0
    held: int = 0
    runs: int = 0
    all_held: int = 0
    width: float = 0.0

    def add(self, ends: list[tuple[float | None, float | None, float]]) -> None:
        """The intervals of a run, each with the truth."""
        some = [(a, b, t) for a, b, t in ends if a is not None and b is not None]
        good = [a <= t <= b for a, b, t in some]
        self.given, self.held = self.given + len(some), self.held + sum(good)
        self.runs, self.all_held = self.runs + 1, self.all_held + all(good)
        self.width += sum(b - a for a, b, _ in some)


def tried(table: Any, truth: Any, units: int, cluster: int, runs: int, rng: Any) -> list[Held]:
    """Values each by itself, those of a column together, interactions of a column together."""
    schemes, rows, many, columns = table.shape
    alone, together, paired = Held(), Held(), Held()
    ways = (
        (alone, range(GROUPS), 1, FEWEST_DIFFERING),
        (together, range(GROUPS), GROUPS + 1, FEWEST_DIFFERING),
        (paired, range(GROUPS, rows), rows - GROUPS, FEW_DIFFERING),
    )
    deals = LENGTH * cluster
    frame = Effects(units, units * deals, units * deals**2)
    true = truth[0].mean(axis=1)
    for _ in range(runs):
        which = rng.integers(many, size=(units, cluster))
        scheme = rng.integers(schemes, size=units)
        drawn = table[scheme[:, None], :, which].sum(axis=1)
        for k in range(columns):
            changes = [change_of(drawn[:, row, k], deals) for row in range(rows)]
            for held, some, comparisons, fewest in ways:
                found = [effect(changes[row], frame, LENGTH, comparisons, fewest) for row in some]
                held.add(
                    [(e.low, e.high, true[row, k]) for row, e in zip(some, found, strict=True)]
                )
    return [alone, together, paired]


def lines(first: str, second: str, wanted: Any, number: int) -> Iterator[str]:
    """A line for each way of drawing."""
    found = population(first, second, wanted.population)
    truth = table_of(found, [all_coalitions(GROUPS)])
    orders = [of_order(o, begin) for o in permutations(range(GROUPS)) for begin in (0, 1)]
    table = table_of(found, orders)
    rng = np.random.default_rng([wanted.seed, number])
    for way, many, cluster in WAYS:
        drawn = truth if way == "all" else table
        alone, together, paired = tried(drawn, truth, many // cluster, cluster, wanted.runs, rng)
        head = f"| {first} → {second} | {way}{f', {cluster} share' * (cluster > 1)} | {many} | "
        yield (
            head + f"{100 * alone.held / alone.given:.1f} % | {alone.width / alone.given:.1f} | "
            f"{exact(together.all_held, together.runs)} | {exact(paired.all_held, paired.runs)} |"
        )


def of_family(first: str, second: str, wanted: Any, number: int) -> str:
    """A line: what all players of a family show, by each role, of the heaviest groups and of the
    total; every run takes the same sessions and orders for all of them, as the product does."""
    many, shared = FAMILY
    orders = [both_ways(order, range(GROUPS)) for order in permutations(range(GROUPS))]
    by_player = []
    for bot in family():
        found = population(first, second, wanted.population, bot)
        value = table_of(found, [all_coalitions(GROUPS)])[0, :GROUPS]
        if not by_player:
            worth = np.abs(value.mean(axis=1)).max(axis=1)
            heaviest = [int(g) for g in np.argsort(-worth)[:MOST_ASKED]]
        total = (found.worth[-1] - found.worth[0]).astype(float) / found.scale
        rows = table_of(found, orders)[:, heaviest]
        true = np.stack([*value[heaviest].mean(axis=1), total.mean(axis=0)])
        by_player.append((rows, total, true))
    rng = np.random.default_rng([wanted.seed, number, many])
    held, frame = Held(), Effects(many, many * LENGTH, many * LENGTH**2)
    for _ in range(wanted.runs):
        which = rng.integers(wanted.population, size=many)
        scheme = rng.integers(len(orders), size=many)
        for k in range(len(COLUMNS)):
            ends = []
            for rows, total, true in by_player:
                drawn = [rows[scheme, n, which, k] for n in range(MOST_ASKED)]
                for amounts, truth in zip([*drawn, total[which, k]], true[:, k], strict=True):
                    e = effect(change_of(amounts, LENGTH), frame, LENGTH, shared, FEWEST_DIFFERING)
                    ends.append((e.low, e.high, truth))
            held.add(ends)
    missed = 1 - held.held / held.given
    return (
        f"| {first} → {second} | {many} | {100 * missed:.2f} % | {held.width / held.given:.1f} | "
        f"{exact(held.all_held, held.runs)} |"
    )


def main() -> None:
    """Print the coverage as a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--population", type=int, default=4000)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--family", action="store_true", help="of all players of a family")
    wanted = parser.parse_args()
    if wanted.family:
        heads = (
            "rule sets",
            "sessions",
            "a value missed",
            "mean width",
            "all of a role hold (95 %)",
        )
        print(f"| {' | '.join(heads)} |\n{'|---' * len(heads)}|")  # noqa: T201
        for number, (first, second) in enumerate(PAIRS):
            print(of_family(first, second, wanted, number), flush=True)  # noqa: T201
        return
    heads = (
        "rule sets", "drawn", "sessions", "each by itself (95 %)", "mean width",
        "a column together (95 %)", "interactions together (95 %)",
    )  # fmt: skip
    print(f"| {' | '.join(heads)} |\n{'|---' * len(heads)}|")  # noqa: T201
    for number, (first, second) in enumerate(PAIRS):
        for line in lines(first, second, wanted, number):
            print(line, flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
