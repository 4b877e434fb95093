"""The drill-down on a finding: how often the rule is triggered, the targeted search, an example.

How often a deal triggers the rule is told of deals as they come; deals made by targeted search
prove that two rule sets differ and show what they differ in, and say nothing of how often: the two
are never added up.
"""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from multiprocessing import get_start_method
from typing import Any, Final

from quadrille_core.frozen import frozen
from quadrille_core.ruleset import Compiled
from quadrille_plugins.deal.session import PlayedDeal
from quadrille_plugins.matters.dependence import Traces
from quadrille_plugins.matters.divergence import Again, Divergences, stage_of, state_before, where
from quadrille_plugins.matters.shrink import Shrunk, shrink
from quadrille_plugins.matters.situations import reach, walk_alone
from quadrille_plugins.matters.study import DIFFERENT, NONE, Finding, Question
from quadrille_plugins.matters.targeted_search import MADE, SESSIONS, SearchResult, targeted_search
from quadrille_plugins.studies.lockstep import Contrast, Couple, paid_apart
from quadrille_plugins.studies.observe import Divergence, Example, example_of, first_difference
from quadrille_plugins.studies.runner.executors import LostError, ProcessPool
from quadrille_plugins.studies.sequences import Bounds, share_bounds
from quadrille_plugins.studies.sessions import SampledDeal, session_of

SELDOM: Final = 30
"""With fewer divergent deals than these, a targeted search follows."""
TRIED: Final = 60
"""Deals that each strategy of seeking may try."""
ENOUGH: Final = 3
"""Divergent deals after which a strategy stops."""
SHRUNK_FROM: Final = 12
"""Divergent deals of which the plainest is shrunk."""
EACH: Final = 0.3
"""Seconds of the processor that the drill-down at an alternative takes about, where none was
timed."""
MOST_HELPERS: Final = 4
"""Processes that look, at most: each takes some 50 MB."""
COMES, FOUND = "as they come", "found"
"""What is looked at of an alternative: the deals as they come, and what its finding gives cause
for."""


@frozen
class TriggerRate:
    """Random deals under the first rule set: how many trigger the rule, and how many of those
    diverge.

    Each is held against its matched start under the second.
    """

    deals: int
    triggered: int
    diverged: int
    share: Bounds
    """How often the rule is triggered, by the average chance of a deal."""
    shown: Example | None = None
    """The first of those that diverge, where none does of the deals held side by side: what players
    hold besides the pool is left out there."""


@frozen
class DrillDown:
    """The drill-down on one finding; None or empty where it did not search."""

    where: Divergences | None = None
    triggered: TriggerRate | None = None
    searched: tuple[SearchResult, ...] = ()
    example: Shrunk | None = None

    @property
    def proof(self) -> Example | None:
        """A divergent deal from the drill-down: a random one, else the largest from the targeted
        search."""
        if self.where is not None:
            return self.where.example.example_deal
        if self.triggered is not None and self.triggered.shown is not None:
            return self.triggered.shown
        return min((t for s in self.searched for t in s.found), key=Example.order, default=None)


class Drilling:
    """Drills down on the findings of one question; random deals are played once for all
    alternatives."""

    def __init__(self, base: Compiled, design: Question, *, sample: int, shrinking: bool) -> None:
        """``sample`` is how many deals as they come are looked at; ``shrinking`` whether an example
        is made plain."""
        self._base, self._design, self._shrinking = base, design, shrinking
        self._sessions = min(-(-sample // design.session_deals), design.sessions)
        self._natural: list[PlayedDeal] | None = None
        self._traces = Traces(base.ruleset)
        self._again = Again(base.ruleset, design.bots, design.seed)
        self._alternatives: Sequence[Compiled] = ()
        self._places: dict[int, int] = {}
        self._pool: ProcessPool | None = None
        self._ahead: dict[tuple[str, int], Future[Any]] = {}

    def begin(self, alternatives: Sequence[Compiled], workers: int) -> None:
        """Have all that can be looked at done by other processes, if any, from now on, first the
        deals as they come."""
        self._alternatives = alternatives
        self._places = {id(alternative): number for number, alternative in enumerate(alternatives)}
        helpers = min(workers, MOST_HELPERS, 2 * len(alternatives))
        # a copy of this process has nothing to load: begin before there are threads
        if helpers and get_start_method() == "fork":
            self._pool = ProcessPool(self, helpers)
            for number in range(len(alternatives)):
                self._begin((COMES, number))

    def ready(self) -> Callable[[Any], Any]:
        """What a helper does its jobs by: returns the result, and the processor seconds it took."""

        def timed(job: Any) -> tuple[Any, float]:
            (kind, number), given = job
            began = time.process_time()
            found = self._look(kind, self._alternatives[number], *given)
            return found, time.process_time() - began

        return timed

    def _begin(self, key: tuple[str, int], *given: Any) -> None:
        if self._pool is not None and key not in self._ahead:
            self._ahead[key] = self._pool.submit((key, given))

    def found(self, finding: Finding) -> None:
        """Have another process look at a finding, before it is asked for."""
        number = self._places.get(id(finding.compiled))
        if number is not None and finding.deals:
            self._begin((FOUND, number), finding.sampled, finding.diverged)

    @property
    def _spent(self) -> list[float]:
        done = (f for f in self._ahead.values() if f.done() and not f.cancelled())
        return [f.result()[1] for f in done if f.exception() is None]

    @property
    def spent(self) -> float:
        """Seconds of the processor that other processes have spent on it."""
        return sum(self._spent)

    @property
    def left(self) -> float:
        """About how many processor seconds the remaining drill-downs take, judged by those done."""
        each = self._spent or [EACH / 2]
        return (2 * len(self._alternatives) - len(self._spent)) * sum(each) / len(each)

    def close(self) -> None:
        """End the other processes, if there are any."""
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.stop()
            self._ahead.clear()

    def at(self, finding: Finding) -> DrillDown:
        """The drill-down at one finding of something that was played."""
        if finding.compiled is None or not finding.deals:
            return DrillDown()
        found, searched = self._done(FOUND, finding.compiled, finding.sampled, finding.diverged)
        triggered, example = self._done(COMES, finding.compiled)
        if example is None and self._shrinking:
            example_deals = [t for s in searched for t in s.found]
            example_deals += [t.example_deal for t in found.first] if found is not None else []
            example = (
                shrink((self._base, finding.compiled), example_deals) if example_deals else None
            )
        if finding.diverged:
            triggered = replace(triggered, shown=None)
        return DrillDown(where=found, triggered=triggered, searched=searched, example=example)

    def _done(self, kind: str, alternative: Compiled, *given: Any) -> Any:
        """What was done by another process, or is done here."""
        begun = self._ahead.get((kind, self._places.get(id(alternative), -1)))
        if begun is not None and self._pool is not None:
            try:
                return self._pool.outcome(begun)[0]
            except LostError:
                self.close()
        return self._look(kind, alternative, *given)

    def _look(self, kind: str, alternative: Compiled, *given: Any) -> Any:
        return self._as_they_come(alternative) if kind == COMES else self._of(alternative, *given)

    def _of(
        self, alternative: Compiled, sampled: Sequence[SampledDeal], diverged: int
    ) -> tuple[Divergences | None, tuple[SearchResult, ...]]:
        """Where sampled deals diverge, and a targeted search when few or none did."""
        couple = Couple(self._base.ruleset, alternative.ruleset)
        keep = SHRUNK_FROM if self._shrinking else 0
        told = where(self._again, alternative.ruleset, sampled, keep=keep) if sampled else None
        searched: tuple[SearchResult, ...] = ()
        if diverged < SELDOM:
            searched = self._seek(couple, tuple(MADE))
        if not diverged and not any(s.diverged for s in searched):
            searched += self._seek(couple, (SESSIONS,))  # purses are a matter of no single deal
        return told, searched

    def _seek(self, couple: Couple, strategies: tuple[str, ...]) -> tuple[SearchResult, ...]:
        return targeted_search(
            couple,
            seed=self._design.seed,
            limit=TRIED,
            enough=ENOUGH,
            strategies=strategies,
            traces=self._traces,
        )

    def _as_they_come(self, alternative: Compiled) -> tuple[TriggerRate, Shrunk | None]:
        """How often these deals trigger the rule, and an example from those that diverge."""
        couple, deals = Couple(self._base.ruleset, alternative.ruleset), self._played()
        unaffected = self._traces.unaffected_by(couple)
        drilled = [
            (one, reach(couple, one)) for number, one in enumerate(deals) if not unaffected(number)
        ]
        triggered = [(played, places) for played, places in drilled if places]
        example_deals = [t for one in triggered if (t := self._parts(couple, *one)) is not None]
        example = (
            shrink((self._base, alternative), example_deals[:SHRUNK_FROM])
            if self._shrinking and example_deals
            else None
        )
        told = TriggerRate(
            deals=len(deals),
            triggered=len(triggered),
            diverged=len(example_deals),
            share=share_bounds(len(triggered), len(deals), self._design.alpha),
            shown=example_deals[0] if example_deals else None,
        )
        return told, example

    def _played(self) -> Sequence[PlayedDeal]:
        if self._natural is None:
            d = self._design
            self._natural = [
                played
                for session in range(self._sessions)
                for played in session_of(
                    self._base.ruleset, d.bots, d.seed, session, d.session_deals
                )
            ]
            for number, played in enumerate(self._natural):
                self._traces.run(number, partial(walk_alone, played=played))
        return self._natural

    def _parts(
        self, couple: Couple, played: PlayedDeal, places: Sequence[Contrast]
    ) -> Example | None:
        """The deal as an example if it diverges; else None."""
        setup, state = played.setup, state_before(played)
        session, number = setup.session or 0, setup.deal or 0
        a, b = (
            self._again(state, session, number),
            self._again.under(couple.second, state, session, number),
        )
        # what is paid or carried differently at the same end needs nobody's help to make a
        # difference
        divergence = paid_apart(places)
        if divergence is None and (stage := stage_of(a, b, (None, None))) is not None:
            divergence = first_difference(a, b) or Divergence(stage, "", "")
        return None if divergence is None else example_of(divergence, a, b, session, number)


def settled(finding: Finding, drill_down: DrillDown) -> Finding:
    """The finding with its verdict; any divergent deal of the drill-down proves a difference."""
    return (
        replace(finding, verdict=DIFFERENT)
        if finding.verdict == NONE and drill_down.proof is not None
        else finding
    )
