"""``quadrille deal``: a deal played by bots; or many of them exported, means of them taken, a
record replayed, a deal solved."""

from pathlib import Path
from typing import Any

import click

from quadrille_core.kinds import KINDS
from quadrille_plugins.deal.blocks import record_blocks
from quadrille_plugins.deal.options import players_option
from quadrille_plugins.deal.players import begins_anew, make_bot, ready
from quadrille_plugins.deal.record import record_file, to_record
from quadrille_plugins.deal.rows import event_rows
from quadrille_plugins.deal.session import play_session
from quadrille_plugins.dealing.named import bots_of, one_of
from quadrille_plugins.shell.answer import Answer
from quadrille_plugins.shell.citing import cite_block, cite_option
from quadrille_plugins.shell.commands import wanting
from quadrille_plugins.shell.options import (
    A_PATH,
    Repeated,
    compile_all,
    format_option,
    refine_options,
    run_mode,
    seed_option,
)
from quadrille_plugins.studies.options import engine_option, workers_option

MOST_DEALS_BEFORE = 1000
"""How far into a session ``--deal`` may look, since all deals before are played for their pool."""
EXPORTED_DEALS = 400


@click.command("deal")
@click.argument("refs", nargs=-1, metavar="[REF]…")
@seed_option
@click.option(
    "--session",
    type=click.IntRange(0, 2**63 - 1),
    default=0,
    show_default=True,
    help="Which session of the seed.",
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
@click.option(
    "--replay",
    "file",
    metavar="FILE",
    help="Replay this record (`-`: standard input) under its rules or REF.",
)
@click.option(
    "--line",
    type=click.IntRange(1),
    metavar="N",
    help="With --replay: the record in this line of JSON lines.",
)
@cite_option
@click.option(
    "--solve", is_flag=True, help="Solve the deal, or that of --replay, with all cards open."
)
@click.option(
    "--pool",
    metavar="AMOUNT",
    help="With --solve or --replay: what the pool holds, antes and all.  [default: the antes; of a "
    "record, what it says, with the antes of REF for its own]",
)
@click.option(
    "--favourite",
    metavar="SUIT",
    help="With --solve: the favourite suit, where the rules have one.",
)
@click.option(
    "--player",
    metavar="NAME",
    help="With --solve: only this player's bids, by name, seat (eldest, second) or number.",
)
@click.option(
    "--bid", metavar="BID", help="With --solve: only this bid, such as solo; solo+favourite alone."
)
@click.option(
    "--best-play", is_flag=True, help="With --solve: show a best line of play for each bid."
)
@click.option(
    "--means",
    type=A_PATH,
    metavar="TABLE",
    help="Means of a table of deals, which `compare --table` wrote, with intervals.",
)
@click.option(
    "--by",
    multiple=True,
    default=("contract",),
    show_default=True,
    metavar="COLUMN,…",
    help="With --means: columns whose values tell deals apart, such as contract,hombre,matadors; "
    "'' for none.",
)
@click.option(
    "--of",
    "amount",
    default="net_hombre",
    show_default=True,
    metavar="AMOUNT",
    help="With --means: of what, net_hombre, net_ally, net_adversaries, net_seat0, pool_before…",
)
@click.option(
    "--out",
    "folder",
    type=A_PATH,
    metavar="FOLDER",
    help="Write many deals whole to this new folder.",
)
@click.option(
    "--deals",
    type=click.IntRange(1, 10_000_000),
    default=EXPORTED_DEALS,
    show_default=True,
    help="With --out: deals under each rule set, laid out in sessions.",
)
@click.option(
    "--length",
    type=click.IntRange(1, 1000),
    help="With --out: deals of a session.  [default: what the rules say]",
)
@click.option(
    "--form",
    type=click.Choice(["jsonl", "parquet", "both"]),
    default="both",
    show_default=True,
    help="With --out: what to write.",
)
@workers_option
@engine_option
@format_option
@refine_options
def deal_command(
    file: str | None, solve: bool, means: Path | None, folder: Path | None, **given: Any
) -> Any:
    """Play a deal under REF by bots and print it; `--format json` gives a record that --replay
    reads.

    Of another kind of game than one of tricks, game number --session of the seed is played.

    With --replay FILE, a record is played again, under its own rules or REF.  It stops at the first
    event that differs and says which, or says what else has changed; the exit status is then 1.

    With --solve, every bid of every player is solved with all cards open: how it is best declared,
    the tricks that follow, who pays whom; and par, the contract at which the bidding ends when
    everybody sees all cards.

    With --means TABLE, a mean is over all deals of a kind under a rule set; its interval has the
    session as its unit.  Below stand the differences from the first rule set, with the sessions
    paired.  Antes are not in what is won.

    With --out FOLDER, deals under each REF are written whole: hands, auction, calls, cards,
    payments.  JSON lines hold one record a line, which --replay reads; Parquet has a table each for
    rule sets, deals, seats, actions, tricks and transfers.  datapackage.json describes every
    column.  The hands of a session and deal are the same under every REF. The folder appears when
    it is whole; the same command writes the same bytes, by either engine.  Where cards are not
    needed, `quadrille compare --table deals.parquet` lists every deal several times faster.
    """
    del given
    if folder is not None:
        from quadrille_plugins.dealing.exporting_command import export_deals

        return run_mode(export_deals, "--out")
    if means is not None:
        from quadrille_plugins.dealing.means_command import table_of_means

        return run_mode(table_of_means, "--means")
    if solve:
        with wanting("deal"):
            from quadrille_plugins.dealing.solving_command import solve as solve_deal
        if file is None:
            return run_mode(solve_deal, "--solve", without=("line",))
        return run_mode(solve_deal, "--solve", "--replay", without=("seed", "session", "number"))
    if file is not None:
        from quadrille_plugins.dealing.replaying_command import replay_file

        return run_mode(replay_file, "--replay")
    return run_mode(play_one)


def play_one(
    refs: Repeated,
    seed: int,
    session: int,
    number: int,
    players: str,
    readings: Repeated,
    sets: Repeated,
) -> Any:
    """Play one deal and print it."""
    compiled = compile_all([one_of(refs)], readings, sets)[0]
    if (deal := KINDS[compiled.kind].deal) is not None:
        return deal(compiled, seed=seed, game=session)
    names = bots_of(players, compiled)
    ready(names)
    bots = [make_bot(n) for n in names]
    anew = begins_anew(names)
    *_, played = play_session(
        compiled.ruleset, bots, seed=seed, session=session, deals=number + 1, anew=anew
    )
    record = to_record(played.deal, played.settlement)
    return Answer(
        blocks=lambda: [
            *record_blocks(compiled, record, played.deal),
            cite_block("deal", [compiled]),
        ],
        data=lambda: record_file(record),
        rows=lambda: event_rows(played.deal),
    )
