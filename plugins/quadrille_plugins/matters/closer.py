"""A closer look at what was found, deal by deal: how often the situation is reached, what was sought, an example.

How often a deal reaches the situation is told of deals as they come; deals made on purpose prove that two rule sets
differ and show what they differ in, and say nothing of how often: the two are never added up.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from quadrille_core.engine.session import PlayedDeal
from quadrille_core.ruleset import Compiled
from quadrille_plugins.lab.lockstep import Couple, Place, paid_apart
from quadrille_plugins.lab.observe import Parting, Telling, part, session_of, telling_of
from quadrille_plugins.lab.sequences import Bounds, share_bounds
from quadrille_plugins.matters.ahead import Ahead
from quadrille_plugins.matters.alike import Drawn, stage_of, standing_of
from quadrille_plugins.matters.dependence import Traces
from quadrille_plugins.matters.parting import Again, Where, where
from quadrille_plugins.matters.seek import MADE, SESSIONS, Sought, seek
from quadrille_plugins.matters.shrink import Shrunk, shrink
from quadrille_plugins.matters.situations import reach, walk_alone
from quadrille_plugins.matters.study import DIFFERENT, NONE, Design, Finding

SELDOM: Final = 30
"""With fewer deals that part than these, the situation is also sought on purpose."""
TRIED: Final = 60
"""Deals that each strategy of seeking may try."""
ENOUGH: Final = 3
"""Deals that part after which a strategy stops."""
SHRUNK_FROM: Final = 12
"""Deals that part of which the plainest is shrunk."""
EACH: Final = 0.3
"""Seconds of the processor that a closer look at a rival takes about, where none was timed."""
MOST_HELPERS: Final = 4
"""Processes that look, at most: each takes some 50 MB."""
COMES, FOUND = "as they come", "found"
"""What is looked at of a rival: the deals as they come, and what its finding gives cause for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reached:
    """Deals as they come under the first rule set, how many reach the situation, and how many of those part.

    Each is held against the same deal begun alike under the second.
    """

    deals: int
    reached: int
    parted: int
    share: Bounds
    """How often the situation is reached, by the average chance of a deal."""
    shown: Telling | None = None
    """The first of those that part, where none does of the deals held side by side: what players hold besides the
    pool is left out there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Closer:
    """A closer look at one finding; what was not looked for is None or empty."""

    where: Where | None = None
    reached: Reached | None = None
    sought: tuple[Sought, ...] = ()
    example: Shrunk | None = None

    @property
    def proof(self) -> Telling | None:
        """A deal looked at closer that parts: one as they come, else the weightiest made on purpose."""
        if self.where is not None:
            return self.where.example.telling
        if self.reached is not None and self.reached.shown is not None:
            return self.reached.shown
        return min((t for s in self.sought for t in s.found), key=Telling.order, default=None)


class Looking:
    """Looks closer at findings of one question; the deals as they come are played once for all rivals."""

    def __init__(self, base: Compiled, design: Design, *, sample: int, shrinking: bool) -> None:
        """``sample`` is how many deals as they come are looked at; ``shrinking`` whether an example is made plain."""
        self._base, self._design, self._shrinking = base, design, shrinking
        self._sessions = min(-(-sample // design.session_deals), design.sessions)
        self._natural: list[PlayedDeal] | None = None
        self._traces = Traces(base.ruleset)
        self._again = Again(base.ruleset, design.bots, design.seed)
        self._rivals: Sequence[Compiled] = ()
        self._places: dict[int, int] = {}
        self._ahead: Ahead[Any] | None = None
        self._found = 0

    def begin(self, rivals: Sequence[Compiled], workers: int) -> None:
        """Have all that can be looked at done by other processes, if any, from now on, first the deals as they come."""
        self._rivals = rivals
        self._places = {id(rival): number for number, rival in enumerate(rivals)}
        self._ahead = Ahead(self._job, min(workers, MOST_HELPERS, 2 * len(rivals)))
        for number in range(len(rivals)):
            self._ahead.begin((COMES, number))

    def found(self, finding: Finding) -> None:
        """Have another process look at a finding, before it is asked for."""
        number = self._places.get(id(finding.compiled))
        if self._ahead is not None and number is not None and finding.deals:
            self._found += self._ahead.begin((FOUND, number), finding.drawn, finding.parted, urgent=True)

    @property
    def spent(self) -> float:
        """Seconds of the processor that other processes have spent on it."""
        return 0.0 if self._ahead is None else self._ahead.spent

    @property
    def left(self) -> float:
        """About how many seconds of the processor it still takes to look at every rival, judged by those looked at."""
        if self._ahead is None:
            return 0.0
        # what is found of a rival is looked at as soon as its answer is certain
        return self._ahead.left(len(self._rivals) - self._found) if self._ahead.helped else EACH * len(self._rivals)

    def close(self) -> None:
        """End the other processes, if there are any."""
        if self._ahead is not None:
            self._ahead.close()

    def at(self, finding: Finding) -> Closer:
        """A closer look at one finding of something that was played."""
        if finding.compiled is None or not finding.deals:
            return Closer()
        found, sought = self._done(FOUND, finding.compiled, finding.drawn, finding.parted)
        reached, example = self._done(COMES, finding.compiled)
        if example is None and self._shrinking:
            tellings = [t for s in sought for t in s.found]
            tellings += [t.telling for t in found.first] if found is not None else []
            example = shrink((self._base, finding.compiled), tellings) if tellings else None
        if finding.parted:
            reached = replace(reached, shown=None)
        return Closer(where=found, reached=reached, sought=sought, example=example)

    def _done(self, kind: str, rival: Compiled, *given: Any) -> Any:
        """What was done by another process, or is done here."""
        number = self._places.get(id(rival))
        if self._ahead is not None and number is not None:
            return self._ahead((kind, number), *given)
        return self._look(kind, rival, *given)

    def _job(self, key: tuple[str, int], *given: Any) -> Any:
        return self._look(key[0], self._rivals[key[1]], *given)

    def _look(self, kind: str, rival: Compiled, *given: Any) -> Any:
        return self._as_they_come(rival) if kind == COMES else self._of(rival, *given)

    def _of(self, rival: Compiled, drawn: Sequence[Drawn], parted: int) -> tuple[Where | None, tuple[Sought, ...]]:
        """Where the deals drawn diverge, and what is found on purpose where few or none did."""
        couple = Couple(self._base.ruleset, rival.ruleset)
        keep = SHRUNK_FROM if self._shrinking else 0
        told = where(self._again, rival.ruleset, drawn, keep=keep) if drawn else None
        sought: tuple[Sought, ...] = ()
        if parted < SELDOM:
            sought = self._seek(couple, tuple(MADE))
        if not parted and not any(s.parted for s in sought):
            sought += self._seek(couple, (SESSIONS,))  # purses are a matter of no single deal
        return told, sought

    def _seek(self, couple: Couple, strategies: tuple[str, ...]) -> tuple[Sought, ...]:
        return seek(
            couple, seed=self._design.seed, limit=TRIED, enough=ENOUGH, strategies=strategies, traces=self._traces
        )

    def _as_they_come(self, rival: Compiled) -> tuple[Reached, Shrunk | None]:
        """How often these deals reach the situation, and an example made of those that part, if any does."""
        couple, deals = Couple(self._base.ruleset, rival.ruleset), self._played()
        unaffected = self._traces.unaffected_by(couple)
        looked = [(one, reach(couple, one)) for number, one in enumerate(deals) if not unaffected(number)]
        reached = [(played, places) for played, places in looked if places]
        tellings = [t for one in reached if (t := self._parts(couple, *one)) is not None]
        example = shrink((self._base, rival), tellings[:SHRUNK_FROM]) if self._shrinking and tellings else None
        told = Reached(
            deals=len(deals),
            reached=len(reached),
            parted=len(tellings),
            share=share_bounds(len(reached), len(deals), self._design.alpha),
            shown=tellings[0] if tellings else None,
        )
        return told, example

    def _played(self) -> Sequence[PlayedDeal]:
        if self._natural is None:
            d = self._design
            self._natural = [
                played
                for session in range(self._sessions)
                for played in session_of(self._base.ruleset, d.bots, d.seed, session, d.session_deals)
            ]
            for number, played in enumerate(self._natural):
                self._traces.run(number, partial(walk_alone, played=played))
        return self._natural

    def _parts(self, couple: Couple, played: PlayedDeal, places: Sequence[Place]) -> Telling | None:
        """The deal told, if it parts; else None."""
        setup, standing = played.setup, standing_of(played)
        session, number = setup.session or 0, setup.deal or 0
        a, b = self._again(standing, session, number), self._again.under(couple.second, standing, session, number)
        # what is paid or carried differently at the same end needs nobody's help to make a difference
        parting = paid_apart(places)
        if parting is None and (stage := stage_of(a, b, (None, None))) is not None:
            parting = part(a, b) or Parting(stage, "", "")
        return None if parting is None else telling_of(parting, a, b, session, number)


def settled(finding: Finding, closer: Closer) -> Finding:
    """The finding with its verdict: any deal looked at closer that parts is as good a proof as any."""
    return replace(finding, verdict=DIFFERENT) if finding.verdict == NONE and closer.proof is not None else finding
