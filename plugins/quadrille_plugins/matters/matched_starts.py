"""Matched starts under two rule sets: how many diverge, where first, and who gains by it.

A deal *begins alike* when pool, times and beasts are the same under both, and the favourite suit
where that of the first deal stays; the first of a session always counts as one, for nothing but the
rules can have set its pool.  It *parts* first

* at the ``stakes``, when other players put other amounts into the pool, or the session's first pool
  is another;
* in the ``auction``, in the ``play``, or at the ``settlement``, where
  ``studies.observe.first_difference`` says;
* in ``carrying``, when all that goes alike, and yet the next deal begins otherwise or is played
  under one alone.

Deals after that do not begin alike for no new reason; they count in the whole sessions alone, where
every gain is told (``studies.effects``).  Which deals begin alike depends on both rule sets, so
that what is paid in them says how often something differs, never who gains by it.
``kernel.matched_starts`` is the twin.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import zip_longest
from typing import Final

from quadrille_core.rules import RuleSet
from quadrille_plugins.deal.session import PlayedDeal
from quadrille_plugins.studies.accumulators import RuleSetSums
from quadrille_plugins.studies.direct import SessionState, possible
from quadrille_plugins.studies.effects import Effects
from quadrille_plugins.studies.intervals import Accumulator, Amount, Moments, added, shares_of_deals
from quadrille_plugins.studies.observe import (
    KEEP,
    Narrate,
    SessionSums,
    count,
    divergences_of,
    effects_between,
    first_difference,
    payment_difference,
    replays_of,
    session_of,
)
from quadrille_plugins.studies.runner.plain import ASIDE
from quadrille_plugins.studies.runner.tasks import Sessions

STAGES: Final = ("stakes", "auction", "play", "settlement", "carrying")
DIVERGED, PAID = "parted", "paid"
"""All divergent deals, and those of them in which some player gets or pays another amount."""


def sampling_key(session: int, deal: int) -> int:
    """A pseudo-random key by which deals are sampled, the same in both engines."""
    x = (session * 0x9E3779B1 + deal * 0x85EBCA6B + 0x27D4EB2F) & 0xFFFFFFFF
    x = ((x ^ (x >> 15)) * 0x2C1B3C6D) & 0xFFFFFFFF
    x = ((x ^ (x >> 12)) * 0x297A2D39) & 0xFFFFFFFF
    return x ^ (x >> 15)


@dataclass(frozen=True, slots=True, order=True)
class SampledDeal:
    """A randomly sampled matched start that diverges, with the session state under either rule
    set."""

    key: int
    session: int
    deal: int
    states: tuple[SessionState, SessionState] = field(compare=False)


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
    rows: Iterable[str] = field(default=(), metadata={ASIDE: True})
    """The rows of each deal, on request; of these sessions alone, not of those merged."""

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


def play_matched(
    rulesets: Sequence[RuleSet],
    bots: Sequence[str],
    seed: int,
    session: int,
    deals: int,
    narrate: Narrate | None = None,
    *,
    decompose: bool = False,
) -> MatchedRuns:
    """Play one session under each rule set on the same cards, and hold it side by side with the
    first's.

    ``narrate`` adds rows for each deal; ``decompose`` replays every deal under the other rule set
    for the direct effects.
    """
    tables = [session_of(ruleset, bots, seed, session, deals) for ruleset in rulesets]
    runs, sums = (
        MatchedRuns([RuleSetSums() for _ in rulesets], [], [], 1, deals),
        [SessionSums() for _ in rulesets],
    )
    for table, total, played in zip(runs.tables, sums, tables, strict=True):
        for one in played:
            count(total, one)
        table.add(total)
    moved = [total.moved for total in sums]
    replays = replays_of(rulesets, tables[0], bots, seed, session) if decompose else None
    effects = effects_between(rulesets, tables, moved, bots, seed, session, deals, replays)
    for played, effect in zip(tables[1:], effects, strict=True):
        matched, sampled = _hold(session, tables[0], played)
        matched.effects = effect
        runs.pairs.append(matched)
        runs.sampled.append(sampled)
    if narrate is not None:
        runs.rows = [
            row
            for played in zip_longest(*tables)
            for row in narrate(played, divergences_of(played))
        ]
    return runs


def stage_of(
    a: PlayedDeal, b: PlayedDeal, after: tuple[PlayedDeal | None, PlayedDeal | None]
) -> str | None:
    """The stage at which two plays of one deal first diverge, given the next deals ``after`` them;
    else None."""
    if not is_matched(a, b) or _antes(a) != _antes(b):
        return "stakes"
    divergence = first_difference(a, b)
    if divergence is not None:
        return divergence.stage
    one, other = after
    if (one is None) != (other is None):
        return "carrying"
    return (
        "carrying" if one is not None and other is not None and not is_matched(one, other) else None
    )


def is_matched(a: PlayedDeal, b: PlayedDeal) -> bool:
    """Whether two deals begin with the same pool, times, beasts and, where earlier deals decide it,
    favourite suit."""
    one, other = state_before(a), state_before(b)
    if any(p.deal.rules.favourite.source != "first_trumps" for p in (a, b)):
        one, other = (replace(s, favourite=None) for s in (one, other))
    return one == other


def state_before(played: PlayedDeal) -> SessionState:
    """The session state before a deal."""
    s = played.setup
    return SessionState(
        pool=s.pool, multiplier=s.multiplier, beasts=s.beasts, favourite=s.favourite
    )


def _antes(played: PlayedDeal) -> tuple[Fraction, ...]:
    return tuple(played.antes[chair] for chair in played.chair_of_seat)


def _hold(
    session: int, mine: Sequence[PlayedDeal], theirs: Sequence[PlayedDeal]
) -> tuple[MatchedSums, list[SampledDeal]]:
    stages: Counter[str] = Counter()
    sampled: list[SampledDeal] = []
    trials, paid, weight = 0, 0, Fraction(0)
    after = list(zip_longest(mine[1:], theirs[1:]))
    for number, (a, b) in enumerate(zip(mine, theirs, strict=False)):
        if number and not is_matched(a, b):
            continue
        trials += 1
        stage = stage_of(a, b, after[number] if number < len(after) else (None, None))
        if stage is None:
            continue
        stages[stage] += 1
        difference = payment_difference(a, b)
        paid += difference != 0
        weight += difference
        sampled.append(
            SampledDeal(
                sampling_key(session, number), session, number, (state_before(a), state_before(b))
            )
        )
    matched = MatchedSums.of({s: [stages[s]] for s in STAGES}, [trials], [paid], [weight])
    return matched, sorted(sampled)[:KEEP]
