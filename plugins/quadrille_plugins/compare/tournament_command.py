"""``quadrille compare --bots``: bots ranked under a rule set."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from quadrille_core.errors import UsageError
from quadrille_core.kinds import KINDS, TRICKS
from quadrille_plugins.compare.tournament import Tournament, hold, pair_up
from quadrille_plugins.compare.tournament_report import (
    answer,
    tournament_blocks,
    tournament_csv,
    tournament_json,
)
from quadrille_plugins.deal.options import parse_players
from quadrille_plugins.deal.players import ready as ready_players
from quadrille_plugins.output.commands import compile_all
from quadrille_plugins.studies.design import Design
from quadrille_plugins.studies.free_losses import warnings_for
from quadrille_plugins.studies.progress import StudyProgress
from quadrille_plugins.studies.runner.run import Runner
from quadrille_plugins.studies.study import Rendering, Study
from quadrille_plugins.studies.study_pictures import tournament_pictures

DEFAULT_DEALS = 240


def rank_bots(
    refs: tuple[str, ...],
    bots: str,
    deals: int | None,
    length: int | None,
    seed: int,
    readings: tuple[str, ...],
    sets: tuple[str, ...],
) -> "TournamentStudy":
    """Plan to rank bots under a rule set."""
    if len(refs) != 1:
        raise UsageError.of("bots-under-several-rule-sets")
    (compiled,) = compile_all(refs, readings, sets)
    if compiled.kind != TRICKS:
        raise UsageError.of("nobody-to-rank", article=KINDS[compiled.kind].article)
    pairing = pair_up(
        compiled, bots=parse_players(bots), deals=deals or DEFAULT_DEALS, length=length, seed=seed
    )
    return TournamentStudy(
        compiled=[compiled],
        title="A tournament of bots",
        resolved={"deals": pairing.deals},
        bots=pairing.bots,
        deals=pairing.deals,
        asked=deals,
        warnings=warnings_for(compiled),
        pairing=pairing,
    )


@dataclass(kw_only=True)
class TournamentStudy(Study[Tournament]):
    """A tournament of bots."""

    pairing: Design

    def play(self, runner: Runner) -> Tournament:
        """See ``Study``."""
        ready_players(self.pairing.bots)
        with StudyProgress(self.pairing.deals) as progress:
            return hold(self.compiled[0], self.pairing, progress=progress.update, runner=runner)

    def finish(self, found: Tournament) -> dict[str, Any]:
        """See ``Study``."""
        return tournament_json(found)

    def render(self, found: Tournament, record: Mapping[str, Any]) -> Rendering:
        """See ``Study``."""
        deals = found.pairing.deals
        return Rendering(
            blocks=lambda details: tournament_blocks(found, details=details),
            rows=lambda: tournament_csv(found),
            answers=lambda: [answer(found)],
            pictures=lambda: tournament_pictures(record),
            reached=f"the {deals} deals that every pair finished" if found.interrupted else "",
        )
