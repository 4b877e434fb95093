"""How many deals ``matters`` needs to show an effect of a given size, planned from a pilot."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

from quadrille_plugins.matters.alternatives import Alternative
from quadrille_plugins.matters.matched_play import MatchedPlayer
from quadrille_plugins.matters.study import AlternativeRun, Progress, Question, looks
from quadrille_plugins.studies.effects import TOTAL
from quadrille_plugins.studies.equivalence import POWER
from quadrille_plugins.studies.paired import FEWEST_DIFFERING
from quadrille_plugins.studies.sequences import PayeeSums


@dataclass(frozen=True, slots=True)
class Needed:
    """Deals until the interval of one column is ± the size (``within``), and until an effect of it
    is shown.

    ``shown``: until the interval excludes zero with probability ``equivalence.POWER``.  Both are
    None where the pilot has too few sessions, or too few that differ (``paired.FEWEST_DIFFERING``),
    to know how much sessions vary.
    """

    within: int | None
    shown: int | None
    differing: int
    """Sessions of the pilot that differ."""


@dataclass(frozen=True, slots=True)
class PowerPlan:
    """What one alternative needs, by column of ``studies.accounts``."""

    alternative: Alternative
    needed: dict[str, Needed]


def plans(
    alternatives: Sequence[Alternative],
    design: Question,
    plays: MatchedPlayer,
    size: float,
    *,
    progress: Progress | None = None,
) -> list[PowerPlan]:
    """Play the whole design as a pilot, and plan by what its sessions' total effects vary."""
    pairs, deals = [AlternativeRun(alternative) for alternative in alternatives], 0
    for upto in looks(design.sessions):
        done = pairs[0].matched.sessions
        for some in plays.runs(
            done, upto - done, design.session_deals, range(1, len(pairs) + 1), 0
        ):
            for pair, matched, table in zip(pairs, some.pairs, some.tables[1:], strict=True):
                pair.merge(table, matched, ())
            deals += some.deals
            if progress is not None:
                progress(deals, design.deals, 0.0)
        for pair in pairs:
            pair.look()
    return [PowerPlan(p.alternative, _needed_of(p, size, design)) for p in pairs]


def _needed_of(pair: AlternativeRun, size: float, design: Question) -> dict[str, Needed]:
    """By column; every seat needs as many deals as the one that varies most, for which seat that is
    is chance."""
    moving = {column: one for estimand, column, one in pair.moving() if estimand == TOTAL}
    seats = [one for column, one in moving.items() if column.startswith("seat ")]
    widest = max(seats, key=lambda one: one.spread, default=None)
    return {
        column: _needed(
            one, widest if widest is not None and column.startswith("seat ") else one, size, design
        )
        for column, one in moving.items()
    }


def _needed(one: PayeeSums, widest: PayeeSums, size: float, design: Question) -> Needed:
    if min(one.sessions, one.differing) < FEWEST_DIFFERING:
        return Needed(None, None, one.differing)
    spare = NormalDist().inv_cdf(POWER)
    within, shown = (
        widest.sessions_for(size, design.payment_alpha, s) * design.session_deals
        for s in (0.0, spare)
    )
    return Needed(within, shown, one.differing)
