"""``quadrille tournament``: bots ranked under a rule set."""

import click

from quadrille_core.errors import Command, Phrase, UsageError
from quadrille_core.kinds import KINDS, TRICKS
from quadrille_plugins.deal.options import in_one_spelling, parse_players
from quadrille_plugins.deal.players import ready as ready_players
from quadrille_plugins.output.commands import compile_all, format_option, refine_options, seed_option
from quadrille_plugins.studies.free_losses import warn_of_free_losses, with_free_losses
from quadrille_plugins.studies.options import finish, say_deals, study_options, workers_option
from quadrille_plugins.studies.progress import StudyProgress
from quadrille_plugins.studies.running import ending, runner_for, running_options
from quadrille_plugins.studies.study_pictures import tournament_pictures
from quadrille_plugins.tournament.report import tournament_blocks, tournament_csv, tournament_json
from quadrille_plugins.tournament.study import hold, pair_up

DEFAULT_DEALS = 240


@click.command("tournament")
@click.argument("ref")
@click.option(
    "--bots",
    default="steady,random",
    show_default=True,
    metavar="BOT,BOT[,BOT…]",
    callback=in_one_spelling,
    help="The bots to rank; BOT:PARAMETER=VALUE says how one plays.",
)
@click.option(
    "--deals",
    type=click.IntRange(1, 10_000_000),
    default=DEFAULT_DEALS,
    show_default=True,
    help="Deals, each played twice by every two bots; laid out in sessions.",
)
@click.option("--length", type=click.IntRange(1, 1000), help="Deals of a session.  [default: what the rules say]")
@seed_option
@workers_option
@running_options
@study_options()
@format_option
@refine_options
def tournament_command(
    ref: str,
    bots: str,
    deals: int,
    length: int | None,
    seed: int,
    workers: int | None,
    fmt: str,
    readings: tuple[str, ...],
    sets: tuple[str, ...],
) -> int:
    """Rank bots under a rule set: every two play the same deals twice, changing chairs in between.

    So each bot plays every hand once against the other, and neither cards nor seats favour one of them.  An interval
    wants six sessions; shorter sessions (--length) give more of them for as many deals.
    """
    (compiled,) = compile_all([ref], readings, sets)
    if compiled.kind != TRICKS:
        raise UsageError(
            f"{KINDS[compiled.kind].article} is played alone: there is nobody to rank",
            help=Phrase("command-has-its-odds", {"command": Command("compare")}),
        )
    pairing = pair_up(compiled, bots=parse_players(bots), deals=deals, length=length, seed=seed)
    say_deals(pairing.deals, deals)
    warnings = warn_of_free_losses(compiled)
    ready_players(pairing.bots)
    runner = runner_for([compiled], workers, {"deals": pairing.deals})
    with StudyProgress(pairing.deals) as progress:
        found = hold(compiled, pairing, progress=progress.update, runner=runner)
    if found.interrupted:
        click.echo(f"interrupted: reporting the {found.pairing.deals} deals that every pair finished", err=True)
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
