"""``quadrille deal``: a deal played by bots, and its record."""

import click

from quadrille_core.errors import UsageError
from quadrille_core.kinds import KINDS
from quadrille_plugins.deal.blocks import record_blocks
from quadrille_plugins.deal.options import parse_players, players_option
from quadrille_plugins.deal.players import begins_anew, make_bot, ready
from quadrille_plugins.deal.record import record_file, to_record
from quadrille_plugins.deal.rows import event_rows
from quadrille_plugins.deal.session import play_session
from quadrille_plugins.output.citing import cite_block
from quadrille_plugins.output.commands import compile_all, emit, format_option, refine_options, seed_option

MOST_DEALS_BEFORE = 1000
"""How far into a session ``deal --deal`` may look, since all deals before are played for their pool."""


@click.command("deal")
@click.argument("ref")
@seed_option
@click.option(
    "--session", type=click.IntRange(0, 2**63 - 1), default=0, show_default=True, help="Which session of the seed."
)
@click.option(
    "--deal",
    "number",
    type=click.IntRange(0, MOST_DEALS_BEFORE),
    default=0,
    show_default=True,
    help="Which deal of the session, from 0; those before it are played for the pool they leave.",
)
@players_option
@format_option
@refine_options
def deal_command(
    ref: str,
    seed: int,
    session: int,
    number: int,
    players: str,
    fmt: str,
    readings: tuple[str, ...],
    sets: tuple[str, ...],
) -> None:
    """Play a deal by bots and print it; `--format json` gives a record that `replay` reads.

    Of another kind of game than one of tricks, game number --session of the seed is played.
    """
    compiled = compile_all([ref], readings, sets)[0]
    if (deal := KINDS[compiled.kind].deal) is not None:
        deal(compiled, seed=seed, game=session, fmt=fmt)
        return
    names = parse_players(players)
    seats = compiled.ruleset.rules.table.players
    if len(names) not in (1, seats):
        raise UsageError(f"{len(names)} bots for {seats} players", help=f"name one bot, or {seats} separated by commas")
    ready(names)
    bots = [make_bot(n) for n in (names * seats if len(names) == 1 else names)]
    anew = begins_anew(names)
    *_, played = play_session(compiled.ruleset, bots, seed=seed, session=session, deals=number + 1, anew=anew)
    record = to_record(played.deal, played.settlement)
    emit(
        fmt,
        blocks=lambda: [*record_blocks(compiled, record, played.deal), cite_block("deal", [compiled])],
        data=lambda: record_file(record),
        rows=lambda: event_rows(played.deal),
    )
