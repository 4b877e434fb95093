"""``quadrille compare REF --seats``: whether a seat earns more."""

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from quadrille_core.errors import UsageError
from quadrille_core.kinds import KINDS, TRICKS
from quadrille_plugins.compare.command import ComparisonStudy, refuse_when_fixed
from quadrille_plugins.compare.seats import Seats, compare_seats
from quadrille_plugins.compare.seats_report import (
    answer,
    seats_blocks,
    seats_csv,
    seats_json,
    seats_pictures,
)
from quadrille_plugins.deal.players import ready as ready_players
from quadrille_plugins.shell.options import Repeated, compile_all
from quadrille_plugins.shell.values import Json
from quadrille_plugins.studies.design import plan
from quadrille_plugins.studies.family import tables_asked
from quadrille_plugins.studies.options import one_extent
from quadrille_plugins.studies.progress import StudyProgress
from quadrille_plugins.studies.runner.run import Runner
from quadrille_plugins.studies.study import Rendering


def fairness_of_seats(
    refs: Repeated,
    seats: bool,
    deals: int | None,
    sessions: int | None,
    at_most: int | None,
    seed: int,
    players: str,
    engine: str,
    smallest: Fraction,
    readings: Repeated,
    sets: Repeated,
) -> "SeatsStudy":
    """Plan to ask whether a seat earns more under the one rule set; ``seats`` is what a manifest
    names the mode by."""
    del seats
    compiled = compile_all(refs, readings, sets)
    if compiled[0].kind != TRICKS:
        raise UsageError.of("nobody-to-rank", article=KINDS[compiled[0].kind].article)
    one_extent(deals, sessions)
    fixed = deals is not None or sessions is not None
    if fixed:
        refuse_when_fixed(at_most, seats=False)
    settings: dict[str, Any] = {
        "compiled": compiled,
        "title": "What each seat earns",
        "laid": partial(plan, compiled, seed=seed, smallest=smallest),
        "members": tables_asked(players),
        "fixed": fixed,
        "sessions": sessions,
        "at_most": at_most,
        "until": "seats",
        "examples": 0,
        "table": None,
        "save": None,
        "players": players,
        "engine": engine,
        "asked": deals,
    }
    return SeatsStudy(**settings)


@dataclass(kw_only=True)
class SeatsStudy(ComparisonStudy):
    """The seats under one rule set; how much is played depends on the engine where it is not
    fixed."""

    def _played(self, runner: Runner) -> Any:
        design = self.design
        ready_players(design.bots)
        with StudyProgress(design.deals, at_most=not self.fixed) as progress:
            return compare_seats(
                self.compiled,
                design,
                engine=self.chosen,
                tables=self.tables,
                progress=progress.update,
                runner=runner,
            )

    def finish(self, found: Any) -> Json:
        """See ``Study``."""
        return seats_json(found)

    def render(self, found: Any, record: Json) -> Rendering:
        """See ``Study``."""
        seats: Seats = found
        return Rendering(
            blocks=lambda details: seats_blocks(seats, details=details),
            rows=lambda: seats_csv(seats),
            answers=lambda: [answer(seats)],
            pictures=lambda: seats_pictures(record),
            reached=f"the {seats.design.deals} deals that were finished"
            if seats.interrupted
            else "",
            last=self._last(found),
        )
