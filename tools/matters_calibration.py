"""How often ``matters`` is wrong: planted differences and planted no-ops, asked of again and again
with other seeds.

``python tools/matters_calibration.py [RUNS [SEED]]`` prints, for each plant, the verdicts, how
often the bounds missed the truth, and what both say of the long run, with exact binomial intervals
(Clopper and Pearson).  The truth about a plant is what a run of its own, far longer than any of
these, has found; it is looked for with other deals.
"""

import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from typing import Any, Final

from quadrille_plugins.matters.alternatives import Alternative
from quadrille_plugins.matters.drill_down import Drilling, settled
from quadrille_plugins.matters.matched_play import MatchedPlayer
from quadrille_plugins.matters.study import DIFFERENT, NONE, Finding, Question, design_of, matters
from quadrille_plugins.studies.equivalence import SMALLEST
from scipy.stats import beta

from quadrille_core.ruleset import Compiled, compile_reference

LONG_SEED: Final = 987_654_321
"""The long runs' seed, used by nothing else."""
DRILL_DOWN: Final = 20
"""Answers of no difference, of each plant, that are looked at closer as the command does; that
takes the longest."""
PAYEES: Final = ("seat 0", "seat 3", "hombre", "adversaries")
WITHIN: Final = Fraction(10)
"""How closely payments are to be known, in counters a seat and session, unless there is a verdict
on them."""


@dataclass(frozen=True)
class Plant:
    """A difference, or none, planted between two rule sets, and how many deals the long run
    plays."""

    title: str
    base: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    readings: Mapping[str, str] = field(default_factory=dict)
    long: int = 400_000
    verdict: str = DIFFERENT
    deals: int = 60_000

    def pair(self) -> tuple[Compiled, Compiled]:
        """Both rule sets."""
        return compile_reference(self.base), compile_reference(
            self.base, settings=self.settings, readings=self.readings
        )


FAVOURITE: Final = "quanti-1822+favourite:suit=hearts,doubles=game"
PLANTS: Final = (
    Plant(
        "a no-op: what a bid pays that nobody can make",
        "quanti-1822",
        {"payments.premium.mediateur": 3},
        long=0,
        verdict=NONE,
        deals=40_000,
    ),
    Plant("frequent: premiers pay three", "quanti-1822", {"payments.premiers": 3}, deals=20_000),
    Plant(
        "rare: what an announced vole is paid besides the pool",
        "quanti-1822",
        readings={"announced_vole_premium": "pool_only"},
        deals=40_000,
    ),
    Plant(
        "mean-zero: diamonds favourite instead of hearts",
        FAVOURITE,
        {"favourite.suit": "diamonds"},
        deals=20_000,
    ),
)


@dataclass(frozen=True, slots=True)
class Truth:
    """What the long run found: how often a matched start diverges, and what each gains in a
    session."""

    share: float
    gains: Mapping[str, float]
    deals: int
    diverged: int


def ask(
    plant: Plant, seed: int, *, deals: int, within: Fraction, precision: float = 1e-4
) -> tuple[Finding, Question]:
    """The command's answer before a closer look, by the fast engine in one thread."""
    base, other = plant.pair()
    smallest = min(
        within, SMALLEST
    )  # what is to be known more closely than a verdict goes on without one
    design = design_of(
        [base, other],
        deals=deals,
        seed=seed,
        bots=("steady",),
        precision=precision,
        smallest=smallest,
        within=within,
    )
    plays = _table(plant, seed)
    found = matters(
        base, [Alternative(point="", reading="", compiled=other)], design, plays, engine="fast"
    )
    return found.findings[0], design


def _table(plant: Plant, seed: int) -> MatchedPlayer:
    arrays, scale = _tabulated(
        plant.base, *(tuple(sorted(x.items())) for x in (plant.settings, plant.readings))
    )
    rulesets = [c.ruleset for c in plant.pair()]
    return MatchedPlayer(
        rulesets, ("steady",) * rulesets[0].rules.table.players, seed, (arrays, scale)
    )


@cache
def _tabulated(
    base: str, settings: tuple[tuple[str, Any], ...], readings: tuple[tuple[str, str], ...]
) -> Any:
    from quadrille_plugins.studies import fast

    return fast.tabulate(
        [c.ruleset for c in Plant("", base, dict(settings), dict(readings)).pair()], ["steady"]
    )


def truth(plant: Plant) -> Truth:
    """The long run; a plant that cannot make a difference needs none."""
    if not plant.long:
        return Truth(0.0, dict.fromkeys(PAYEES, 0.0), 0, 0)
    found, _ = ask(plant, LONG_SEED, deals=plant.long, within=Fraction(1, 10**9), precision=1e-12)
    gains = {g.column: float(g.total.mean) for g in found.gains}
    return Truth(found.diverged / found.trials, gains, found.deals, found.diverged)


@dataclass
class Account:
    """What many runs came to."""

    runs: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    wrong: int = 0
    """Verdicts other than the plant's, before and after seeking."""
    wrong_after: int = 0
    drill_down: int = 0
    """Answers that were looked at closer."""
    missed_share: int = 0
    intervals: int = 0
    missed_gains: int = 0
    deals: int = 0


def account(
    plant: Plant,
    runs: int,
    seed: int,
    known: Truth,
    *,
    within: Fraction = WITHIN,
    searching: int = 0,
) -> Account:
    """Ask so many times, with seeds from ``seed`` on; at most ``searching`` of the answers are
    looked at closer."""
    total = Account()
    for run in range(runs):
        found, design = ask(plant, seed + run, deals=plant.deals, within=within)
        total.runs += 1
        total.deals += found.deals
        total.verdicts[found.verdict] += 1
        total.wrong += found.verdict != plant.verdict
        if found.verdict == NONE and searching > 0:
            searching -= 1
            total.drill_down += 1
            drilling = Drilling(plant.pair()[0], design, sample=0, shrinking=False)
            found = settled(found, drilling.at(found))
        total.wrong_after += found.verdict != plant.verdict
        if found.share is not None:
            total.missed_share += not found.share.low <= known.share <= found.share.high
        for gain in found.gains:
            if gain.column in PAYEES:
                total.intervals += 1
                bounds = gain.total.bounds
                total.missed_gains += not bounds.low <= known.gains[gain.column] <= bounds.high
    return total


def exact(count: int, of: int) -> str:
    """A share with its exact 95 % interval."""
    if not of:
        return "none"
    low = beta.ppf(0.025, count, of - count + 1) if count else 0.0
    high = beta.ppf(0.975, count + 1, of - count) if count < of else 1.0
    return f"{count} of {of} ({100 * low:.1f}–{100 * high:.1f} %)"


def main() -> None:
    """Print the account of every plant."""
    given = [int(a) for a in sys.argv[1:3]]
    runs, seed = (*given, *(200, 1)[len(given) :])
    for plant in PLANTS:
        known = truth(plant)
        told = account(plant, runs, seed, known, searching=DRILL_DOWN)
        rate = (
            f"{known.share:.3g} ({known.diverged} of {known.deals} deals)" if known.deals else "0"
        )
        print(  # noqa: T201
            f"{plant.title}: diverges at {rate}\n"
            f"  verdicts {dict(told.verdicts)}, {told.deals // told.runs} deals a run\n"
            f"  wrong by deals as they come alone: {exact(told.wrong, told.runs)}\n"
            f"  wrong once {told.drill_down} of these are looked at closer: "
            f"{exact(told.wrong_after, told.runs)}\n  bounds of the share that miss: "
            f"{exact(told.missed_share, told.runs)}\n  intervals of payments that miss: "
            f"{exact(told.missed_gains, told.intervals)}",
            flush=True,
        )


if __name__ == "__main__":
    main()
