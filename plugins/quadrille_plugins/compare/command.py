"""``quadrille compare``: the main job."""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import ceil
from pathlib import Path
from typing import Any

import click

from quadrille_core import resources
from quadrille_core.errors import Command, Option, UsageError
from quadrille_core.features import wanting
from quadrille_core.kinds import KINDS
from quadrille_core.terminal import filled
from quadrille_plugins.compare.power_report import power_blocks, power_csv, power_json
from quadrille_plugins.compare.report import comparison_blocks, comparison_csv, comparison_json
from quadrille_plugins.compare.study import Comparison, compare
from quadrille_plugins.deal.options import FAMILY, in_one_spelling
from quadrille_plugins.deal.players import ready as ready_players
from quadrille_plugins.output.citing import cite_block
from quadrille_plugins.output.commands import (
    check_comparable,
    compile_all,
    emit,
    format_option,
    refine_options,
    run_mode,
    seed_option,
)
from quadrille_plugins.output.files import check_folder
from quadrille_plugins.studies import fast
from quadrille_plugins.studies.answers import by_readable
from quadrille_plugins.studies.deal_table import DealTable, Listing, check_form
from quadrille_plugins.studies.design import AUTO, FAST, READABLE, Design, plan
from quadrille_plugins.studies.engines import UNCOMPILED_SESSIONS, WORTH_COMPILING, engine_for
from quadrille_plugins.studies.family import family_option, tables_asked
from quadrille_plugins.studies.fast import blocked_by
from quadrille_plugins.studies.free_losses import warn_of_free_losses, with_free_losses
from quadrille_plugins.studies.looks import MOST_SESSIONS
from quadrille_plugins.studies.options import (
    counters,
    engine_option,
    finish,
    print_first,
    refuse_with_power,
    say_deals,
    sessions_option,
    smallest_option,
    study_options,
    table_option,
    workers_option,
    write_records,
)
from quadrille_plugins.studies.progress import StudyProgress
from quadrille_plugins.studies.running import ending, is_kept, runner_for, running_options
from quadrille_plugins.studies.study_pictures import comparison_pictures, comparison_prose

DEFAULT_OPEN_DEALS = 100
PILOT_DEALS = 20_000
"""Deals of the pilot from which ``--power`` takes the variance, unless others are asked for."""

STEADY = "steady"
"""Whoever plays by default where a manifest says so; with all cards open nobody does."""
MOST_RULE_SETS = 26
"""Each is named by a letter."""


@click.command("compare")
@click.argument("refs", nargs=-1, required=True, metavar="REF REF [REF…]")
@click.option(
    "--deals",
    type=click.IntRange(1, 100_000_000),
    help="A fixed number of deals to play, laid out in sessions.  [default: as many as decide "
    f"the answer; {DEFAULT_OPEN_DEALS} with --double-dummy, 240 with --bots, and 10000 games of "
    "a patience]",
)
@sessions_option
@click.option(
    "--at-most",
    "at_most",
    type=click.IntRange(1, 10**8),
    metavar="DEALS",
    help="Where no number is fixed, leave off undecided after this number of deals.  [default, "
    f"in sessions: {MOST_SESSIONS[FAST]} by the fast engine, {MOST_SESSIONS[READABLE]} by the "
    "readable one]",
)
@click.option(
    "--seats", is_flag=True, help="Play on until the effect on every seat is decided as well."
)
@seed_option
@family_option
@workers_option
@engine_option
@click.option(
    "--double-dummy",
    "double_dummy",
    is_flag=True,
    help="No bots: par of each deal when all cards are seen, under each rule set.",
)
@click.option(
    "--decompose",
    is_flag=True,
    help="Also replay every deal from the same state: what of an effect is direct, and what is "
    "carried.",
)
@click.option(
    "--bots",
    metavar="BOT,BOT[,BOT…]",
    callback=in_one_spelling,
    help="Rank these bots under one rule set instead; BOT:PARAMETER=VALUE says how one plays.",
)
@click.option(
    "--length",
    type=click.IntRange(1, 1000),
    help="With --bots: deals of a session.  [default: what the rules say]",
)
@smallest_option
@click.option(
    "--power",
    callback=counters,
    metavar="X",
    help="Plan only: from a pilot of --deals, how many deals show an effect of X counters a "
    "session.",
)
@click.option(
    "--examples", type=click.IntRange(0, 50), default=5, show_default=True, help="Examples to show."
)
@click.option(
    "--save",
    type=click.Path(file_okay=False, path_type=Path),
    help="A folder to write the examples to, as records; of a patience also lost games that were "
    "looked for.",
)
@table_option
@running_options
@study_options()
@format_option
@refine_options
def compare_command(bots: str | None, **given: Any) -> int:
    """Play the same deals under each rule set: what differs, how often, and who pays.

    The first REF is compared with each of the others.  Whole sessions are played, for the pool
    carries over from deal to deal, until it is decided whether each role wins or loses more than
    --smallest.  Of a patience the same shuffles are played, and the odds of winning estimated; one
    REF alone is then compared under each of its readings.  With --double-dummy every deal stands by
    itself and is solved instead of played.

    With --bots, bots are ranked under one REF: every two play the same deals twice, changing chairs
    in between, so that each plays every hand once against the other, and neither cards nor seats
    favour one of them.  An interval wants six sessions; shorter sessions (--length) give more of
    them for as many deals.
    """
    del given
    if bots is None:
        return int(run_mode(compare_rule_sets))
    from quadrille_plugins.compare.tournament_command import rank_bots

    return int(run_mode(rank_bots, "--bots"))


def compare_rule_sets(
    refs: tuple[str, ...],
    deals: int | None,
    sessions: int | None,
    at_most: int | None,
    seats: bool,
    seed: int,
    players: str,
    workers: int | None,
    engine: str,
    double_dummy: bool,
    decompose: bool,
    smallest: Fraction,
    power: Fraction | None,
    examples: int,
    save: Path | None,
    table: Path | None,
    fmt: str,
    readings: tuple[str, ...],
    sets: tuple[str, ...],
) -> int:
    """Compare the first rule set with each of the others."""
    if power is not None:
        refuse_with_power("table", "decompose", "smallest", "at_most", "seats")
    compiled = compile_all(refs, readings, sets)
    check_comparable(compiled)
    if (other := KINDS[compiled[0].kind].compare) is not None and len(refs) <= MOST_RULE_SETS:
        refused = {
            "power": power,
            "decompose": decompose,
            "table": table,
            "double_dummy": double_dummy,
        }
        common = {
            "seed": seed,
            "workers": workers,
            "examples": examples,
            "readings": readings,
            "sets": sets,
        }
        return other(refs, compiled, games=deals, asked=refused, save=save, fmt=fmt, **common)
    if table is not None:
        if double_dummy:
            raise UsageError.of("option-lists-deals-that-bots-play", option=Option("table"))
        check_form(table)
    if len(refs) < 2:
        raise UsageError.of(
            "comparison-needs-two-rule-sets",
            compare=Command("compare", tuple(resources.examples())),
        )
    if len(refs) > MOST_RULE_SETS:
        raise UsageError.of("at-most-rule-sets-compared")
    warnings = warn_of_free_losses(compiled[0], compiled[1:])
    if double_dummy:
        plays = (
            sessions is not None or at_most is not None or seats or decompose or power is not None
        )
        if plays or engine != AUTO or players not in (FAMILY, STEADY):
            raise UsageError.of("with-option-nobody-plays-and-every", option=Option("double-dummy"))
        with wanting("compare"):
            from quadrille_plugins.compare.double_dummy_command import compare_double_dummy
        many = deals or DEFAULT_OPEN_DEALS
        return compare_double_dummy(
            compiled,
            deals=many,
            seed=seed,
            workers=workers,
            examples=examples,
            save=save,
            fmt=fmt,
            warnings=warnings,
        )
    if deals is not None and sessions is not None:
        raise UsageError.of(
            "deals-and-sessions-both-say-how", deals=Option("deals"), sessions=Option("sessions")
        )
    fixed = deals is not None or sessions is not None or power is not None
    if fixed and (at_most is not None or seats):
        which = "--at-most" if at_most is not None else "--seats"
        raise UsageError.of("for-play-goes-on-until", which=which)
    check_folder(save)
    members = tables_asked(players)
    rulesets = [c.ruleset for c in compiled]

    def planned(engine: str, most: int | None = None) -> Design:
        """The design by that engine: the deals that are fixed, or at most this number of sessions,
        else its own most.

        The readable engine asks the first member of a family alone.
        """
        laid = partial(
            plan, compiled, seed=seed, bots=members[0], smallest=smallest, decompose=decompose
        )
        if fixed:
            one = laid(
                deals=deals or (None if sessions is not None else PILOT_DEALS), sessions=sessions
            )
        else:
            one = laid(deals=None, sessions=1)
            many = MOST_SESSIONS[engine] if at_most is None else ceil(Fraction(at_most, one.length))
            many = many if most is None else min(many, most)
            one = replace(one, lengths=one.lengths * many, until="seats" if seats else "roles")
        alone = engine != FAST or power is not None
        return (
            one
            if alone
            else replace(one, others=tuple(bots * len(one.bots) for bots in members[1:]))
        )

    def engine_of(engine: str, design: Design, work: int = 0) -> tuple[str, fast.Tables | None]:
        work = max(work, design.deals * len(compiled))
        return engine_for(
            engine, rulesets, design.bots, work, ("quadrille_plugins.kernel.accumulate",)
        )

    # what takes long enough to be kept in a folder is worth compiling
    first = planned(READABLE if not is_kept() else FAST, None if is_kept() else UNCOMPILED_SESSIONS)
    chosen, tables = engine_of(engine, first)
    design = planned(chosen)
    can_compile = chosen == READABLE and engine == AUTO and blocked_by(rulesets, first.bots) is None
    will_compile = can_compile and len(design.lengths) > len(first.lengths)
    design = first if will_compile else design
    say_deals(design.deals, deals)
    resolved: dict[str, Any] = {"deals": design.deals if fixed and sessions is None else None}
    runner = runner_for(compiled, workers, {**resolved, **_as_played(design, players)})

    def play(design: Design) -> Comparison:
        ready_players(design.bots)
        with ExitStack() as stack:
            listing = None
            if table is not None:
                told = DealTable(compiled, seed, table.suffix)
                listing = Listing(told, stack.enter_context(told.writer(table)))
            progress = stack.enter_context(StudyProgress(design.deals, at_most=not fixed))
            found = compare(
                compiled,
                design,
                progress=progress.update,
                examples=examples,
                engine=chosen,
                tables=tables,
                listing=listing,
                runner=runner,
            )
            if listing is not None and found.interrupted:
                listing.writer.drop()
                click.echo(f"interrupted: {table} is not written", err=True)
        return found

    found = play(design)
    if will_compile and not (found.decided or found.interrupted):
        click.echo(filled(f"not decided after {design.deals} deals: going on"), err=True)
        chosen, tables = engine_of(AUTO, first, WORTH_COMPILING)
        design = planned(chosen)
        found = play(design)
    resolved |= _as_played(design, players)
    if found.interrupted:
        click.echo(
            f"interrupted: reporting the {found.design.deals} deals that were finished", err=True
        )
    if power is not None:
        size = float(power)
        print_first(
            lambda: emit(
                fmt,
                blocks=lambda: [
                    *power_blocks(found, size),
                    cite_block("compare --power", compiled),
                ],
                data=lambda: power_json(found, size),
                rows=lambda: power_csv(found, size),
            ),
            lambda: write_records(save, _records(found)),
        )
        return ending(runner, interrupted=found.interrupted)
    results = with_free_losses(comparison_json(found), warnings)
    finish(
        compiled,
        results,
        fmt=fmt,
        blocks=lambda details: comparison_blocks(found, details=details),
        rows=lambda: comparison_csv(found),
        pictures=lambda: comparison_pictures(results),
        found=lambda: comparison_prose(results),
        title="Rule sets compared",
        resolved=resolved,
        bots=design.bots,
        interrupted=found.interrupted,
        save=save,
        records=_records(found),
        last=by_readable(members, rulesets, found.design.bots)
        if found.engine == READABLE and not fixed
        else "",
    )
    return ending(runner, interrupted=found.interrupted)


def _as_played(design: Design, players: str) -> dict[str, Any]:
    """Parameters as the engine settled them: who was asked, and the most deals."""
    bots = design.bots if len(set(design.bots)) > 1 else design.bots[:1]
    asked = players if design.others else ",".join(bots)
    return {"players": asked, "at_most": None if design.until is None else design.deals}


def _records(found: Comparison) -> Iterator[tuple[str, str]]:
    """The file names and texts of both records of every example."""
    for pair in found.pairs:
        for t in pair.examples:
            for index, record in zip((pair.first, pair.second), t.records, strict=True):
                name = f"session{t.session}-deal{t.deal}-{index + 1}.json"
                yield name, json.dumps(record, ensure_ascii=False, indent=2) + "\n"
