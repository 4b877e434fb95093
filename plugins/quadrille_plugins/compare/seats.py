"""Whether a seat earns more than another under one rule set.

Estimand: what whoever sits there gets in the deals of a session, antes taken off, less what a seat
gets on average, in counters a session.  The differences of the seats sum to zero.  The session is
the unit; the intervals, looks and verdicts are those of a comparison of two rule sets.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from quadrille_core.frozen import frozen
from quadrille_core.ruleset import Compiled
from quadrille_plugins.compare.blocks import Comparing
from quadrille_plugins.compare.study import Play
from quadrille_plugins.studies import fast
from quadrille_plugins.studies.accounts import seats
from quadrille_plugins.studies.design import FAST, READABLE, Design, Progress
from quadrille_plugins.studies.distribution import (
    QUARTILES,
    Distribution,
    at_one_look,
    distribution,
)
from quadrille_plugins.studies.effects import TOTAL, Effects
from quadrille_plugins.studies.equivalence import LARGER, NEAR, SMALLER, UNDECIDED
from quadrille_plugins.studies.family import DEPENDS, FamilyEffect, family_effect, in_the_way
from quadrille_plugins.studies.looks import LOOKS_COUNT_AS
from quadrille_plugins.studies.paired import Effect, effect_of
from quadrille_plugins.studies.runner.run import Runner

Verdict = Literal["more", "less", "equivalent", "undecided", "near", "depends"]
MORE: Final = "more"
LESS: Final = "less"
EQUIVALENT: Final = "equivalent"


@frozen
class Seats:
    """What was found of the seats: by seat the effect, and its distribution over sessions."""

    compiled: Compiled
    design: Design
    engine: str
    effects: Mapping[str, Effect]
    over_sessions: Mapping[str, Distribution]
    interrupted: bool = False
    decided: bool = True
    family: tuple["Seats", ...] = ()
    """Every member of the family that was asked, this one first; empty where one player was."""

    @property
    def asked(self) -> tuple["Seats", ...]:
        """What each player who was asked finds."""
        return self.family or (self,)

    @property
    def verdicts(self) -> dict[str, FamilyEffect]:
        """The effect on each seat by all who were asked."""
        return {
            seat: family_effect({one.design.bots[0]: one.effects[seat] for one in self.asked})
            for seat in self.effects
        }


def verdict(e: FamilyEffect) -> Verdict:
    """Whether a seat earns more, less, or as much as the mean, but for the smallest effect of
    interest."""
    if e.answer == LARGER:
        return MORE if e.means[0] > 0 else LESS
    if e.answer == SMALLER:
        return EQUIVALENT
    if e.answer == DEPENDS:
        return DEPENDS
    return NEAR if e.answer == NEAR else UNDECIDED


@dataclass(slots=True)
class _PlaySeats(Play):
    """Sessions under one rule set, at every table of a family."""

    def undecided(self) -> list[int]:
        """See ``Play``."""
        found = [
            _effects(one.accumulated.effects[0], self.design, forecast=False) for one in self.found
        ]
        going = {
            table
            for seat in seats(self.design.players)
            for table in in_the_way({n: effects[seat] for n, effects in enumerate(found)})
        }
        return sorted(going)


def _effects(sums: Effects, design: Design, *, forecast: bool = True) -> dict[str, Effect]:
    return {
        seat: effect_of(
            change,
            sums,
            design.length,
            smallest=design.smallest,
            comparisons=_comparisons(design),
            forecast=forecast,
        )
        for seat, change in sums.changes[TOTAL].items()
    }


def _comparisons(design: Design) -> int:
    if not design.holds_together:
        return 1
    looks_count = 1 if design.until is None else LOOKS_COUNT_AS
    return design.players * (1 + len(design.others)) * looks_count


def compare_seats(
    compiled: Sequence[Compiled],
    design: Design,
    *,
    engine: str,
    tables: fast.Tables | None,
    progress: Progress | None,
    runner: Runner | None,
) -> Seats:
    """Play the design under the one rule set, and sum up; as ``compare.study.compare`` otherwise.

    Raises KeyboardInterrupt only where not one session was finished.
    """
    rulesets = tuple(c.ruleset for c in compiled)
    kind = FAST if tables else READABLE
    work = Comparing(
        rulesets, design.bots, design.seed, kind, decompose=False, examples=0, others=design.others
    )
    play = _PlaySeats(compiled, design, work, runner or Runner(), None, progress)
    interrupted = play.all()
    decided = design.until is None or not play.undecided()
    by = at_one_look(_comparisons(design) * (len(QUARTILES) if design.holds_together else 1))
    found = []
    for table, sums in enumerate(one.accumulated for one in play.found):
        if not sums.sessions:
            continue
        own = play.design_at(table)
        spreads = sums.effects[0].spreads.get(own.length, {})
        found.append(
            Seats(
                compiled=compiled[0],
                design=own,
                engine=engine,
                effects=_effects(sums.effects[0], own),
                over_sessions={seat: distribution(one, by) for seat, one in spreads.items()},
                interrupted=interrupted,
                decided=decided,
            )
        )
    return replace(found[0], family=tuple(found) if design.others else ())
