"""How often an answer of ``compare`` errs that plays until it is decided: simulated, from common
readings to rare.

``python tools/stopping_compare.py [--runs 2000] [--sessions 25000] [--family] [--forecasts] [CELL…]`` prints a table.

A long run by the kernel gives each cell a population of independent sessions, as each player of the
family plays them on the same cards.  Every run draws its sessions from it with replacement, look by
look (``studies.looks``), and stops by the product's own intervals (``studies.paired.all_effects``);
the truth is the population's mean, known exactly. Told are: in how many runs all roles were
decided, or depend on the player; the deals played; in how many runs *some* interval of the answer
missed; in how many some verdict was wrong; and the mean error of the estimates at the stop (their
bias) beside the truth.  ``--at-threshold`` holds a role against its own true size, where a verdict
errs most easily.

``--forecasts``: of the rows that are undecided at a cap, how many get a range of deals, and how
often it holds the need: the median number of deals at which the same study, played on, is decided
(200 continuations of each, by the normal approximation, with the true mean and deviation).  Every
run asks for a smallest effect of its own, drawn evenly on a logarithmic scale from 2.5 to 40: a few
rows that happen to lie at one threshold would else speak for all.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt
from typing import Any, Final

import numpy as np
from coverage_compare import LENGTH, LONG_SEED, exact
from quadrille_plugins.deal.players import family
from quadrille_plugins.studies import fast
from quadrille_plugins.studies.accounts import columns, places
from quadrille_plugins.studies.design import FAST, READABLE
from quadrille_plugins.studies.effects import TOTAL, DifferenceSums, Effects
from quadrille_plugins.studies.equivalence import (
    DECIDED,
    LARGER,
    LOOK_RATIO,
    NEAR,
    SMALLER,
    SMALLEST,
    UNDECIDED,
)
from quadrille_plugins.studies.family import DEPENDS, answer_of_all
from quadrille_plugins.studies.intervals import z_quantile
from quadrille_plugins.studies.looks import (
    LOOKS_COUNT_AS,
    MOST_SESSIONS,
    able_to_move,
    identical_columns,
    looks,
)
from quadrille_plugins.studies.paired import FEWEST_DIFFERING, PICKED_ROLES, Effect, all_effects
from quadrille_plugins.studies.sessions import play

from quadrille_core.ruleset import compile_reference

BLOCK: Final = 128
CONTINUATIONS: Final = 200


@dataclass(frozen=True)
class Cell:
    """Two rule sets."""

    first: str = "quanti-1822"
    second: str = "quanti-1822"
    readings: Mapping[str, str] = field(default_factory=dict)


CELLS: Final[Mapping[str, Cell]] = {
    "mediateur-1752": Cell(second="mediateur-1752"),
    "parlett and wikipedia": Cell("quanti-1822@parlett", "quanti-1822@wikipedia"),
    "beast_series=doubling": Cell(readings={"beast_series": "doubling"}),
    "unit=fixed": Cell(readings={"unit": "fixed"}),
    "codille_indivisible=exact": Cell(readings={"codille_indivisible": "exact"}),
    "queen_when=four_kings": Cell(readings={"queen_when": "four_kings"}),
    "undertaken_vole_lost=units_too": Cell(readings={"undertaken_vole_lost": "units_too"}),
    "announced_vole_premium=pool_only": Cell(readings={"announced_vole_premium": "pool_only"}),
}


@dataclass(frozen=True)
class Population:
    """Differences and reaches of independent sessions: float64 (members, sessions, columns), in
    counters."""

    names: tuple[str, ...]
    identical: frozenset[str]
    moving: int
    """Columns that may differ."""
    differences: Any
    reaches: Any

    @property
    def means(self) -> Any:
        """The truth: (members, columns)."""
        return self.differences.mean(axis=1)


def population(cell: Cell, members: Sequence[str], sessions: int) -> Population:
    """The long run by every member."""
    pair = [compile_reference(cell.first), compile_reference(cell.second, readings=cell.readings)]
    rules = [c.ruleset.rules for c in pair]
    players = rules[0].table.players
    where = places(players)
    differences, reaches = [], []
    for member in members:
        arrays, scale = fast.tabulate([c.ruleset for c in pair], [member])
        workspace, found, far = fast.Workspace(BLOCK, LENGTH), [], []
        for first in range(0, sessions, BLOCK):
            lengths = [LENGTH] * min(BLOCK, sessions - first)
            played = play(arrays, LONG_SEED, first, lengths, workspace)
            a, b = (held.sums["moved"][:, where] for held in played.held)
            found.append((b - a) / scale)
            far.append(np.abs(np.stack([a, b, b - a])).max(axis=0) / scale)
        differences.append(np.concatenate(found))
        reaches.append(np.concatenate(far))
    identical = identical_columns(*rules)
    moving = len(set(able_to_move(rules)) - identical)
    return Population(columns(players), identical, moving, np.array(differences), np.array(reaches))


class Run:
    """One study drawn from a population, for each member."""

    def __init__(self, found: Population, rng: Any) -> None:
        self.found, self.rng, self.drawn = found, rng, np.zeros(0, np.int64)
        members, _, wide = found.differences.shape
        self.at = np.zeros(members, np.int64)
        self.powers = np.zeros((members, 4, wide))
        self.differing = np.zeros((members, wide), np.int64)
        self.reach = np.zeros((members, wide))

    def draw(self, upto: int, members: Sequence[int]) -> None:
        """Sessions up to that number by these members, the same for all; whoever had stopped
        catches up."""
        more = self.rng.integers(0, self.found.differences.shape[1], max(0, upto - len(self.drawn)))
        self.drawn = np.concatenate([self.drawn, more])
        for m in members:
            drawn = self.drawn[self.at[m] : upto]
            d = self.found.differences[m, drawn]
            self.powers[m] += [(d**p).sum(axis=0) for p in (1, 2, 3, 4)]
            self.differing[m] += (d != 0).sum(axis=0)
            np.maximum(self.reach[m], self.found.reaches[m, drawn].max(axis=0), out=self.reach[m])
            self.at[m] = upto

    def effects(
        self, m: int, smallest: Fraction, comparisons: int | None, *, forecast: bool
    ) -> Mapping[str, Effect]:
        """The product's effects of one member's sessions."""
        n, change = int(self.at[m]), {}
        for c, name in enumerate(self.found.names):
            total, squares, cubes, fourths = (Fraction(float(x)) for x in self.powers[m, :, c])
            by_deals = total * LENGTH
            change[name] = DifferenceSums(
                total, squares, cubes, fourths, by_deals, int(self.differing[m, c])
            )
        reach = {
            name: Fraction(float(far))
            for name, far in zip(self.found.names, self.reach[m], strict=True)
        }
        sums = Effects(n, n * LENGTH, n * LENGTH**2, {TOTAL: change}, reach=reach)
        return all_effects(
            sums,
            LENGTH,
            smallest=smallest,
            identical=self.found.identical,
            comparisons=comparisons,
            forecast=forecast,
        )[TOTAL]


@dataclass
class Tally:
    """What the runs of a cell came to."""

    runs: int = 0
    decided: int = 0
    depends: int = 0
    missed: int = 0
    wrong: int = 0
    stops: list[int] = field(default_factory=list)
    errors: list[dict[str, float]] = field(default_factory=list)


def simulate(
    found: Population, runs: int, seed: int, *, most: int, smallest: Fraction = SMALLEST
) -> Tally:
    """Draw so many studies, each played until its roles are decided by all members, or up to
    ``most`` sessions."""
    told, rng = Tally(), np.random.default_rng(seed)
    members = range(len(found.differences))
    comparisons = LOOKS_COUNT_AS * found.moving * len(members)
    for _ in range(runs):
        run, going = Run(found, rng), list(members)
        effects: dict[int, Mapping[str, Effect]] = {}
        for upto in looks(most):
            run.draw(upto, going)
            effects |= {m: run.effects(m, smallest, comparisons, forecast=False) for m in going}
            going = still_going(effects)
            if not going:
                break
        told.runs += 1
        told.decided += not going
        told.stops.append(int(run.at.sum()))
        answers = {n: answer_of_all([effects[m][n] for m in members]) for n in PICKED_ROLES}
        told.depends += DEPENDS in answers.values()
        told.missed += any(_misses(effects[m], found.means[m], found.names) for m in members)
        told.wrong += any(_wrong(effects[m], found.means[m], found.names) for m in members)
        told.errors.append({n: float(effects[0][n].mean) - _mean(found, n) for n in PICKED_ROLES})
    return told


def still_going(effects: Mapping[int, Mapping[str, Effect]]) -> list[int]:
    """The members that play on: as ``compare.study`` decides."""
    going = set()
    for name in PICKED_ROLES:
        if answer_of_all([e[name] for e in effects.values()]) != DEPENDS:
            going |= {m for m, e in effects.items() if e[name].answer not in DECIDED}
    return sorted(going)


def _mean(found: Population, name: str) -> float:
    return float(found.means[0][found.names.index(name)])


def _misses(effects: Mapping[str, Effect], means: Any, names: Sequence[str]) -> bool:
    """Whether some interval of an answer does not hold the truth; rounding of sums is no miss."""
    return any(
        e.low is not None and e.high is not None and not e.low - 1e-6 <= mean <= e.high + 1e-6
        for e, mean in (
            (effects[n], float(m)) for n, m in zip(names, means, strict=True) if n in effects
        )
    )


def _wrong(effects: Mapping[str, Effect], means: Any, names: Sequence[str]) -> bool:
    for n, m in zip(names, means, strict=True):
        e = effects[n]
        if e.answer == LARGER and (abs(m) <= e.interest or (m > 0) != (e.mean > 0)):
            return True
        if e.answer == SMALLER and abs(m) >= e.interest:
            return True
    return False


# --- forecasts


@dataclass
class Forecasts:
    """Of the rows undecided at a cap: how many there were, how many had a range, how many ranges
    hold the need."""

    undecided: int = 0
    given: int = 0
    held: int = 0


def forecasts(found: Population, runs: int, seed: int, *, most: int, together: bool) -> Forecasts:
    """Draw so many studies of ``most`` sessions, and hold the ranges of their undecided rows
    against the need."""
    told, rng = Forecasts(), np.random.default_rng(seed)
    comparisons = LOOKS_COUNT_AS * found.moving if together else None
    alpha = 0.05 / (comparisons or 1)
    for _ in range(runs):
        run = Run(found, rng)
        run.draw(most, [0])
        smallest = Fraction(round(2.5 * 16 ** rng.random(), 3))
        for name, e in run.effects(0, smallest, comparisons, forecast=True).items():
            if (
                e.answer not in (UNDECIDED, NEAR)
                or e.differing < FEWEST_DIFFERING
                or e.low is None
                or e.high is None
            ):
                continue
            told.undecided += 1
            if e.needed is None:
                continue
            told.given += 1
            c = found.names.index(name)
            d = found.differences[0, :, c]
            need = LENGTH * median_stop(e, most, float(d.mean()), float(d.std()), alpha, rng)
            low, high = e.needed
            told.held += low / LOOK_RATIO**0.5 <= need <= high * LOOK_RATIO**0.5
    return told


def median_stop(
    e: Effect, sessions: int, mean: float, deviation: float, alpha: float, rng: Any
) -> float:
    """The median of the sessions at which the study, played on, is decided."""
    normal = z_quantile(1 - alpha)
    low, high = e.low or 0.0, e.high or 0.0
    excess = (high - low) / 2 / (e.deviation / sqrt(sessions)) - normal
    sums, now = np.full(CONTINUATIONS, float(e.mean) * sessions), float(sessions)
    stopped = np.full(CONTINUATIONS, np.inf)
    while now < 1e9 and np.isinf(stopped).sum() > CONTINUATIONS // 2 - 1:
        more = now * (LOOK_RATIO - 1)
        sums += rng.normal(mean * more, deviation * sqrt(more), CONTINUATIONS)
        now += more
        half = deviation / sqrt(now) * (normal + excess * sqrt(sessions / now))
        decided = np.abs(np.abs(sums / now) - e.interest) > half
        stopped[np.isinf(stopped) & decided] = now
    return float(np.median(stopped))


# --- tables


def rows(cell: str, found: Population, runs: int, seed: int) -> Iterator[str]:
    """A row for each cap."""
    for engine in (FAST, READABLE) if len(found.differences) == 1 else (FAST,):
        t = simulate(found, runs, seed, most=MOST_SESSIONS[engine])
        stops = [f"{LENGTH * int(x):,}" for x in np.quantile(t.stops, (0.05, 0.5, 0.95))]
        bias = []
        for n in PICKED_ROLES:
            error, truth = float(np.mean([e[n] for e in t.errors])), _mean(found, n)
            bias.append(f"{error:+.1f} of {truth:+.1f}")
        yield (
            f"| {cell} | {engine} | {100 * t.decided / t.runs:.1f} % | "
            f"{100 * t.depends / t.runs:.1f} % | {' / '.join(stops)} | {exact(t.missed, t.runs)} "
            f"| {exact(t.wrong, t.runs)} | {'; '.join(bias)} |"
        )


def at_threshold(cell: str, found: Population, runs: int, seed: int) -> Iterator[str]:
    """A row for each role, held against its own true size."""
    for n in PICKED_ROLES:
        size = Fraction(
            abs(_mean(found, n)) / 4
        )  # of a seat; a role is held against four times that
        if size:
            t = simulate(found, runs, seed, most=6400, smallest=size)
            yield (
                f"| {cell}, {n} at the threshold | {exact(t.missed, t.runs)} | "
                f"{exact(t.wrong, t.runs)} |"
            )


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "cells", nargs="*", default=[], metavar="CELL", help=f"of: {', '.join(CELLS)}"
    )
    parser.add_argument("--sessions", type=int, default=25_000)
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--family", action="store_true")
    parser.add_argument("--at-threshold", action="store_true")
    parser.add_argument("--forecasts", action="store_true")
    wanted = parser.parse_args()
    members = family() if wanted.family else ("steady",)
    for number, name in enumerate(wanted.cells or CELLS):
        found = population(CELLS[name], members, wanted.sessions)
        seed = wanted.seed + number
        if wanted.forecasts:
            for most, together in ((100, True), (566, True), (2263, True), (500, False)):
                f = forecasts(found, wanted.runs, seed, most=most, together=together)
                kind = "together" if together else "each"
                held = exact(f.held, f.given) if f.given else "–"
                share = f"{100 * f.given / f.undecided:.0f} %" if f.undecided else "–"
                print(  # noqa: T201
                    f"| {name} | {most * LENGTH:,} | {kind} | {f.undecided} | {share} | {held} |",
                    flush=True,
                )
            continue
        for row in (at_threshold if wanted.at_threshold else rows)(name, found, wanted.runs, seed):
            print(row, flush=True)  # noqa: T201


if __name__ == "__main__":
    sys.exit(main())
