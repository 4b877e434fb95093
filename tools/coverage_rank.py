"""How often the intervals of ``rank`` miss that hold together over the family of players.

    python tools/coverage_rank.py [--runs 2000] [--population 400] [--deals 1000] [POINT…]

A ranking of sampled configurations of ``quanti-1822``, all points open, is played by every member
of the family on the same deals: a population of switches of each point.  Every run draws
configurations from it with replacement, the same for all members, and makes the intervals of a
point's size as ``rank`` does (``rank.effects``), at the level that is divided among members and
alternatives.  The true mean lies between the mean of the sizes free of chance and that of the sizes
that chance makes larger.  So there are two counts of runs in which some interval misses, and of
those in which some member's verdict is wrong: surely, whatever the truth between the two means, and
perhaps, for some truth between them.
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from math import fsum
from typing import Any, Final

import numpy as np
from coverage_compare import exact
from quadrille_plugins.deal.players import family
from quadrille_plugins.rank.effects import (
    PAYMENTS,
    SMALLEST,
    Switch,
    bound_of,
    size_over_configurations,
)
from quadrille_plugins.rank.play import Crew, Lineup
from quadrille_plugins.rank.run import RankingPlan, RankingRun
from quadrille_plugins.rank.space import space_of
from quadrille_plugins.studies.design import FAST, plan
from quadrille_plugins.studies.runner.executors import Placement
from quadrille_plugins.studies.runner.run import Runner

REF: Final = "quanti-1822"
POINTS: Final = ("beast_series", "unit", "codille_indivisible", "queen_when", "failed_vole_keeps")
"""From common to rare."""
DRAWN: Final = (32, 64, 128, 512)
"""Configurations of a run."""
SEED: Final = 31
TINY: Final = 1e-9

Population = Mapping[int, tuple[Any, Any, Any]]
"""By alternative what each configuration's switch is: free of chance, its size, whether it
differs."""


def populations(
    points: Sequence[str], many: int, deals: int
) -> tuple[RankingPlan, list[list[Population]]]:
    """Switches of these points by every member, in as many configurations."""
    space, members = space_of(REF, {}, {}, None), family()
    designs = [
        plan([space.base], deals=deals, sessions=None, seed=SEED, bots=(bot,) * 4)
        for bot in members
    ]
    lineups = tuple(Lineup(bot, one, FAST) for bot, one in zip(members, designs, strict=True))
    asked = RankingPlan(
        seed=SEED,
        sample_size=many,
        exact=False,
        measure=PAYMENTS,
        deals=designs[0].deals,
        smallest=SMALLEST,
        limits=(None,) * len(members),
        costs=(1.0,) * len(members),
        family=members,
    )
    at = [space.names.index(name) for name in points]
    with Crew(space, lineups, Runner(Placement(2))) as crew:
        run, source = RankingRun(space, asked, crew, None), space.drawn(SEED)
        stage = [(next(source)[0], block) for block in range(1, many + 1)]
        for block in run.go_round(stage, at):
            run.forget(block)
            if block % 50 == 0:
                sys.stderr.write(f"{block} of {many} configurations\n")
    return asked, [[_of_lines(lines[point]) for lines in run.lines] for point in at]


def _of_lines(lines: Sequence[Any]) -> Population:
    """By alternative the switches of the configurations in which it is valid."""
    found: dict[int, list[Switch]] = {}
    for line in lines:
        for place, switch in (line or {}).items():
            found.setdefault(place, []).append(switch[PAYMENTS])
    return {
        place: (
            np.array([fsum(s.fair) for s in switches]),
            np.array([s.size for s in switches]),
            np.array([s.differs for s in switches]),
        )
        for place, switches in found.items()
    }


def missed(members: Sequence[Population], level: float, drawn: int, runs: int) -> list[int]:
    """In how many of so many runs of these configurations some interval misses, surely and perhaps,
    and some verdict of a member is wrong, surely and perhaps."""
    rng, smallest = np.random.default_rng(drawn), SMALLEST[PAYMENTS]
    bound = bound_of(PAYMENTS, smallest)
    found = np.zeros((runs, 4), bool)
    each = 1 - (1 - level) / max(len(members[0]), 1)
    for n in range(runs):
        at = rng.random(drawn)
        for fair, sizes, differs in (one for member in members for one in member.values()):
            here = (at * len(fair)).astype(int)
            size = size_over_configurations(
                fair[here].tolist(), sizes[here].tolist(), int(differs[here].sum()), each, bound
            )
            least, most = max(fair.mean(), 0.0), sizes.mean()
            low = 0.0 if size.low is None else size.low
            high = bound if size.high is None else min(size.high, bound)
            larger, smaller = low > smallest, high < smallest
            found[n] |= (
                low > most + TINY or high < least - TINY,
                low > least + TINY or high < most - TINY,
                (larger and most < smallest) or (smaller and least > smallest),
                (larger and least < smallest) or (smaller and most > smallest),
            )
    counts: list[int] = found.sum(axis=0).tolist()
    return counts


def main() -> None:
    """Print a row for each point and number of configurations."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("points", nargs="*", metavar="POINT")
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--population", type=int, default=400)
    parser.add_argument("--deals", type=int, default=1000)
    wanted = parser.parse_args()
    points, tell = wanted.points or POINTS, partial(print, flush=True)
    asked, found = populations(points, wanted.population, wanted.deals)
    for name, members in zip(points, found, strict=True):
        for drawn in DRAWN:
            counts = missed(members, asked.level, drawn, wanted.runs)
            cells = " | ".join(exact(n, wanted.runs) for n in counts)
            tell(f"| `{name}` | {drawn} | {cells} |")


if __name__ == "__main__":
    main()
