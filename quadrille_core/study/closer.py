"""A closer look at what was found, deal by deal: how often the situation is reached, what was sought, an example.

How often a deal reaches the situation is told of deals as they come; deals made on purpose prove that two rule sets
differ and show what they differ in, and say nothing of how often: the two are never added up.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from quadrille_core.bots import begins_anew, make_bot
from quadrille_core.engine.record import to_record
from quadrille_core.engine.session import PlayedDeal, play_session
from quadrille_core.ruleset import Compiled
from quadrille_core.study.ahead import Ahead
from quadrille_core.study.alike import stage_of, standing_of
from quadrille_core.study.lockstep import Couple, Place
from quadrille_core.study.matters import DIFFERENT, NONE, Design, Finding
from quadrille_core.study.observe import Parting, Telling, moved_otherwise, part, play_again
from quadrille_core.study.parting import Where, where
from quadrille_core.study.seek import MADE, SESSIONS, Sought, seek
from quadrille_core.study.sequences import Bounds, share_bounds
from quadrille_core.study.shrink import Shrunk, shrink
from quadrille_core.study.situations import reach

SELDOM: Final = 30
"""With fewer deals that part than these, the situation is also sought on purpose."""
TRIED: Final = 60
"""Deals that each strategy of seeking may try."""
ENOUGH: Final = 3
"""Deals that part after which a strategy stops."""
SHRUNK_FROM: Final = 12
"""Deals that part of which the plainest is shrunk."""


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
        self._ahead: Ahead[tuple[Reached, Shrunk | None]] | None = None
        self._places: dict[int, int] = {}

    def begin(self, rivals: Sequence[Compiled]) -> None:
        """Look at the deals as they come, held against these rivals, in another process from now on."""
        self._places = {id(rival): number for number, rival in enumerate(rivals)}
        self._ahead = Ahead(lambda number: self._as_they_come(rivals[number]), len(rivals))

    def close(self) -> None:
        """End the other process, if there is one."""
        if self._ahead is not None:
            self._ahead.close()

    def at(self, finding: Finding) -> Closer:
        """A closer look at one finding of something that was played."""
        if finding.compiled is None or not finding.deals:
            return Closer()
        pair = (self._base, finding.compiled)
        couple = Couple(pair[0].ruleset, pair[1].ruleset)
        told = where(couple.sets, finding.drawn, self._design.bots, self._design.seed) if finding.drawn else None
        sought: tuple[Sought, ...] = ()
        if finding.parted < SELDOM:
            sought = self._seek(couple, tuple(MADE))
        if not finding.parted and not any(s.parted for s in sought):
            sought += self._seek(couple, (SESSIONS,))  # purses are a matter of no single deal
        number = self._places.get(id(finding.compiled))
        ahead = self._ahead if number is not None else None
        reached, example = self._as_they_come(finding.compiled) if ahead is None else ahead(number or 0)
        if example is None and self._shrinking:
            tellings = [t for s in sought for t in s.found]
            tellings += [t.telling for t in told.all[:SHRUNK_FROM]] if told is not None else []
            example = shrink(pair, tellings) if tellings else None
        if finding.parted:
            reached = replace(reached, shown=None)
        return Closer(where=told, reached=reached, sought=sought, example=example)

    def _seek(self, couple: Couple, strategies: tuple[str, ...]) -> tuple[Sought, ...]:
        return seek(couple, seed=self._design.seed, limit=TRIED, enough=ENOUGH, strategies=strategies)

    def _as_they_come(self, rival: Compiled) -> tuple[Reached, Shrunk | None]:
        """How often these deals reach the situation, and an example made of those that part, if any does."""
        couple, deals = Couple(self._base.ruleset, rival.ruleset), self._played()
        looked = [(played, reach(couple, played).places) for played in deals]
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
                for played in play_session(
                    self._base.ruleset,
                    [make_bot(name) for name in d.bots],
                    seed=d.seed,
                    session=session,
                    deals=d.session_deals,
                    anew=begins_anew(d.bots),
                )
            ]
        return self._natural

    def _parts(self, couple: Couple, played: PlayedDeal, places: Sequence[Place]) -> Telling | None:
        """The deal told, if it parts; else None."""
        setup, standing = played.setup, standing_of(played)
        session, number = setup.session or 0, setup.deal or 0
        a, b = play_again(
            couple.sets,
            (standing, standing),
            self._design.bots,
            self._design.seed,
            session,
            number,
        )
        # what is paid or carried otherwise at the same end needs nobody's help to make a difference
        paid = next((p for p in places if p.kind == "payments"), None)
        if paid is not None:
            parting = Parting(paid.where, *("; ".join(only) or "nothing" for only in paid.only))
        elif (stage := stage_of(a, b, (None, None))) is not None:
            parting = part(a, b) or Parting(stage, "", "")
        else:
            return None
        records = to_record(a.deal, a.settlement), to_record(b.deal, b.settlement)
        return Telling(session, number, moved_otherwise(a, b), parting, records)


def settled(finding: Finding, closer: Closer) -> Finding:
    """The finding with its verdict: any deal looked at closer that parts is as good a proof as any."""
    return replace(finding, verdict=DIFFERENT) if finding.verdict == NONE and closer.proof is not None else finding
