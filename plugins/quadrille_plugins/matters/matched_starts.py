"""Matched starts under two rule sets: how many diverge, where first, and who gains by it.

A deal *begins alike* when pool, times and beasts are the same under both, and the favourite suit
where that of the first deal stays; the first of a session always counts as one, for nothing but the
rules can have set its pool.  It *parts* first

* at the ``stakes``, when other players put other amounts into the pool, or the session's first pool
  is another;
* in the ``auction``, in the ``play``, or at the ``settlement``, where
  ``kernel.counting.first_difference`` says;
* in ``carrying``, when all that goes alike, and yet the next deal begins otherwise or is played
  under one alone.

Deals after that do not begin alike for no new reason; they count in the whole sessions alone, where
every gain is told (``studies.effects``).  Which deals begin alike depends on both rule sets, so
that what is paid in them says how often something differs, never who gains by it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from quadrille_plugins.kernel import counting
from quadrille_plugins.studies.accumulators import RuleSetSums
from quadrille_plugins.studies.direct import possible
from quadrille_plugins.studies.effects import Effects
from quadrille_plugins.studies.intervals import Accumulator, Amount, Moments, added, shares_of_deals
from quadrille_plugins.studies.runner.plain import ASIDE
from quadrille_plugins.studies.runner.tasks import Sessions
from quadrille_plugins.studies.sessions import (
    Engine,
    Played,
    PlayedBlock,
    SampledDeal,
    beside,
    sampled_of,
)

STAGES: Final = ("stakes", "auction", "play", "settlement", "carrying")
DIVERGED, PAID = "parted", "paid"
"""All divergent deals, and those of them in which some player gets or pays another amount."""


@dataclass(slots=True)
class MatchedSums(Accumulator):
    """The sums of one pair: matched starts by stage of divergence, and payment differences of
    divergent ones."""

    shares: dict[str, Moments] = field(
        default_factory=lambda: {s: Moments() for s in (*STAGES, DIVERGED, PAID)}
    )
    weight: Moments = field(default_factory=Moments)
    effects: Effects = field(default_factory=Effects)
    """What the second rule set changes in whole sessions."""

    @classmethod
    def of(
        cls,
        stages: Mapping[str, Sequence[int]],
        trials: Sequence[int],
        paid: Sequence[int],
        weight: Sequence[Amount],
        scale: int = 1,
    ) -> "MatchedSums":
        """The sums of sessions: divergent deals by stage, and what they differ by, in counters
        times ``scale``."""
        diverged = [sum(some) for some in zip(*stages.values(), strict=True)]
        counts = {**stages, DIVERGED: diverged, PAID: paid}
        return cls(shares_of_deals(counts, trials), Moments.of(weight, diverged, scale))

    @property
    def trials(self) -> int:
        """The number of matched starts."""
        return self.shares[DIVERGED].count

    @property
    def diverged(self) -> int:
        """How many of them diverge."""
        return int(self.shares[DIVERGED].total)

    @property
    def paid(self) -> int:
        """In how many of these payments differ."""
        return int(self.shares[PAID].total)

    @property
    def sessions(self) -> int:
        """How many sessions were paired."""
        return self.shares[DIVERGED].sessions


@dataclass(slots=True)
class MatchedRuns:
    """Paired sessions: the sums of each rule set, and how each diverges from the first."""

    tables: list[RuleSetSums]
    pairs: list[MatchedSums]
    sampled: list[list[SampledDeal]]
    """The deals with the lowest lots, KEEP of a session at most."""
    sessions: int = 0
    deals: int = 0
    rows: Iterable[Any] = field(default=(), metadata={ASIDE: True})
    """The rows of each session, on request; of these sessions alone, not of those merged."""

    def of(self, task: Sessions) -> bool:
        """Whether they are of these sessions and rule sets, judged by their shape."""
        others = len(task.others)
        return (
            (self.sessions, self.deals) == (task.units, sum(task.lengths))
            and (len(self.tables), len(self.pairs), len(self.sampled))
            == (others + 1, others, others)
            and len({len(table.moved) for table in self.tables}) == 1
            and all(
                task.holds(d.session, d.deal) and possible(d.states)
                for sampled in self.sampled
                for d in sampled
            )
            and all(pair.effects.can_spread(task.lengths) for pair in self.pairs)
        )

    def merge(self, other: "MatchedRuns") -> None:
        """Other sessions of the same rule sets."""
        added(self.tables, other.tables)
        added(self.pairs, other.pairs)
        self.sampled = [
            [*mine, *more] for mine, more in zip(self.sampled, other.sampled, strict=True)
        ]
        self.sessions += other.sessions
        self.deals += other.deals


def hold(
    engines: Sequence[Engine], played: Played, i: int, sampled: int, block: PlayedBlock
) -> None:
    """Add to the block the matched starts of the rule set of that place and the first."""
    both = engines[0], engines[i]
    rows, kept = beside(
        "count_matched", both, played, counting.MATCHED, played.held[i], played.skip
    )
    columns = [[row[column] for row in rows] for column in range(counting.MATCHED)]
    _, auction, play, settlement, stakes, carrying, trials, paid, weight = columns
    stages = dict(zip(STAGES, (stakes, auction, play, settlement, carrying), strict=True))
    block.pairs.append(MatchedSums.of(stages, trials, paid, weight, engines[0].scale))
    block.sampled.append(sampled_of(kept, played, both, i, sampled))
