"""``quadrille compare --bots``: bots ranked under a rule set."""

import click

from quadrille_core.errors import UsageError
from quadrille_core.kinds import KINDS, TRICKS
from quadrille_plugins.compare.tournament import hold, pair_up
from quadrille_plugins.compare.tournament_report import (
    tournament_blocks,
    tournament_csv,
    tournament_json,
)
from quadrille_plugins.deal.options import parse_players
from quadrille_plugins.deal.players import ready as ready_players
from quadrille_plugins.output.commands import compile_all
from quadrille_plugins.studies.free_losses import warn_of_free_losses, with_free_losses
from quadrille_plugins.studies.options import finish, say_deals
from quadrille_plugins.studies.progress import StudyProgress
from quadrille_plugins.studies.running import ending, runner_for
from quadrille_plugins.studies.study_pictures import tournament_pictures

DEFAULT_DEALS = 240


def rank_bots(
    refs: tuple[str, ...],
    bots: str,
    deals: int | None,
    length: int | None,
    seed: int,
    workers: int | None,
    fmt: str,
    readings: tuple[str, ...],
    sets: tuple[str, ...],
) -> int:
    """Rank bots under a rule set."""
    if len(refs) != 1:
        raise UsageError.of("bots-ranked-under-one-rule")
    (compiled,) = compile_all(refs, readings, sets)
    if compiled.kind != TRICKS:
        raise UsageError.of("played-alone-nobody-to-rank", article=KINDS[compiled.kind].article)
    pairing = pair_up(
        compiled, bots=parse_players(bots), deals=deals or DEFAULT_DEALS, length=length, seed=seed
    )
    say_deals(pairing.deals, deals)
    warnings = warn_of_free_losses(compiled)
    ready_players(pairing.bots)
    runner = runner_for([compiled], workers, {"deals": pairing.deals})
    with StudyProgress(pairing.deals) as progress:
        found = hold(compiled, pairing, progress=progress.update, runner=runner)
    if found.interrupted:
        click.echo(
            f"interrupted: reporting the {found.pairing.deals} deals that every pair finished",
            err=True,
        )
    results = with_free_losses(tournament_json(found), warnings)
    finish(
        [compiled],
        results,
        fmt=fmt,
        blocks=lambda details: tournament_blocks(found, details=details),
        rows=lambda: tournament_csv(found),
        pictures=lambda: tournament_pictures(tournament_json(found)),
        title="A tournament of bots",
        resolved={"deals": pairing.deals},
        bots=pairing.bots,
        interrupted=found.interrupted,
    )
    return ending(runner, interrupted=found.interrupted)
