"""``quadrille matters``: whether a reading of a disputed point makes a difference at the table."""

import os
import time
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from fractions import Fraction
from math import isfinite
from pathlib import Path
from typing import Any

import click

from quadrille_core import features, resources
from quadrille_core.errors import Command, Option, Phrase, UsageError, did_you_mean
from quadrille_core.kinds import KINDS, TRICKS
from quadrille_core.report.answer import Answer
from quadrille_core.ruleset import Compiled, parse_reference
from quadrille_core.ruleset.reference import is_path
from quadrille_plugins.deal.options import FAMILY
from quadrille_plugins.deal.players import ready as ready_players
from quadrille_plugins.matters.alternatives import Alternative, alternatives_of
from quadrille_plugins.matters.data import Examples, matters_csv, matters_json
from quadrille_plugins.matters.drill_down import Drilling, settled
from quadrille_plugins.matters.forecast import further
from quadrille_plugins.matters.matched_play import MatchedPlayer
from quadrille_plugins.matters.pictures import pictures_of
from quadrille_plugins.matters.power import plans
from quadrille_plugins.matters.power_report import power_blocks, power_csv, power_json
from quadrille_plugins.matters.report import matters_blocks
from quadrille_plugins.matters.study import (
    AlternativeRun,
    Finding,
    Forecast,
    Matters,
    Question,
    design_of,
    matters,
    sort_out,
)
from quadrille_plugins.output.citing import cite_block
from quadrille_plugins.output.commands import (
    check_comparable,
    compile_all,
    emit,
    format_option,
    joined,
    refine_options,
    seed_option,
)
from quadrille_plugins.studies import fast
from quadrille_plugins.studies.answers import by_readable
from quadrille_plugins.studies.deal_table import DealTable, check_form
from quadrille_plugins.studies.design import FAST, READABLE, plan
from quadrille_plugins.studies.engines import engine_for
from quadrille_plugins.studies.family import family_option, tables_asked
from quadrille_plugins.studies.free_losses import warn_of_free_losses, with_free_losses
from quadrille_plugins.studies.options import (
    counters,
    engine_option,
    finish,
    refinements,
    refuse_with_power,
    smallest_option,
    study_options,
    table_option,
    workers_option,
)
from quadrille_plugins.studies.progress import StudyProgress
from quadrille_plugins.studies.runner.run import Runner
from quadrille_plugins.studies.runner.where import Placement
from quadrille_plugins.studies.running import ending, runner_for, running_options

MOST_DEALS = {FAST: 1_000_000, READABLE: 4_000}
PILOT_DEALS = 20_000
SAMPLE, SAMPLE_OF_MANY = 240, 80
"""Deals as they come of which it is told whether they trigger the rule: for one point, and for
all."""


def _is_number(ctx: click.Context, param: click.Parameter, value: float) -> float:
    """Refuse what lies in any range and is no number to stop at."""
    del ctx
    if not isfinite(value):
        raise click.BadParameter(f"{value} is no finite number.", param=param)
    return value


@click.command("matters")
@click.argument("ref", metavar="REF")
@click.argument("other", nargs=-1, callback=joined, metavar="[POINT|REF|WORD…]")
@click.option(
    "--all",
    "every",
    is_flag=True,
    help="Every open point of REF, corrected for how many there are.",
)
@click.option(
    "--deals",
    type=click.IntRange(1, 100_000_000),
    help=f"The most deals that may be played.  [default: {MOST_DEALS[FAST]} by the fast engine, "
    f"{MOST_DEALS[READABLE]} by the readable one; asked for more than {MOST_DEALS[READABLE]}, it "
    "plays on as with --seats]",
)
@click.option(
    "--precision",
    type=click.FloatRange(1e-12, 1, max_open=True),
    callback=_is_number,
    default=1e-4,
    show_default=True,
    help="The share of deals below which a difference is not looked for any longer.",
)
@smallest_option
@click.option(
    "--within",
    callback=counters,
    metavar="COUNTERS",
    help="Stop also where an effect without verdict is known to within this much, in the unit of "
    "--smallest.  [default: half of --smallest]",
)
@click.option(
    "--power",
    callback=counters,
    metavar="X",
    help="Plan only: from a pilot of --deals, how many deals show an effect of X counters a "
    f"session.  [default of --deals: {PILOT_DEALS}]",
)
@click.option(
    "--decompose", is_flag=True, help="Also replay deals for the direct and the carried effect."
)
@click.option(
    "--seats",
    is_flag=True,
    help="Play on until the effect on every seat has a verdict, also where none is shown to gain "
    "or lose.",
)
@seed_option
@family_option
@workers_option
@engine_option
@table_option
@running_options
@study_options()
@format_option
@refine_options
def matters_command(
    ref: str,
    other: str | None,
    every: bool,
    deals: int | None,
    precision: float,
    smallest: Fraction,
    within: Fraction | None,
    power: Fraction | None,
    decompose: bool,
    seats: bool,
    seed: int,
    players: str,
    workers: int | None,
    engine: str,
    table: Path | None,
    fmt: str,
    readings: tuple[str, ...],
    sets: tuple[str, ...],
) -> Any:
    """Say whether it matters how a disputed point is read: same rules, no difference, or different.

    POINT may be words of one, all of which must be there: several points are listed.  It is held
    against each of its alternative readings; instead, another rule set may be named, or --all for
    all open points.  The same deals are played under both until the answer is certain, or as many
    as --deals allows.
    """
    if power is not None:
        refuse_with_power("table", "decompose", "seats", "smallest", "within", "precision")
    finder = features.finder()
    if every == (other is not None):
        if other is None and finder is not None and not finder.is_reference(ref):
            if (listed := finder.find_anywhere("matters", ref)) is not None:
                return listed
            _first(ref, readings, sets)  # which says what is wrong with the rule set
        raise UsageError(
            "two questions at once" if every else "nothing to compare with",
            help=Phrase(
                "point-rule-set-or-all",
                {"all": Option("all"), "such_as": None if every else _such_as(ref)},
            ),
        )
    if table is not None:
        check_form(table)
    if other is not None and finder is not None:
        base_alone = _to_search(finder, ref, other, readings, sets)
        if base_alone is not None:
            other = finder.find_points("matters", other, base_alone)
            if isinstance(other, Answer):
                return other
    base, alternatives = _asked(ref, other, readings, sets)
    without, played = sort_out(base, alternatives)
    bots, *members = tables_asked(players)
    everything = [base, *(r.compiled for r in played if r.compiled is not None)]
    points = {r.point for r in alternatives} if every else ()
    warnings = warn_of_free_losses(base, () if every else everything[1:], points=points)
    chosen, tables = READABLE, None
    threads = workers or os.cpu_count() or 1

    def laid_out(engine: str) -> Question:
        return design_of(
            everything,
            deals=deals or (MOST_DEALS[engine] if power is None else PILOT_DEALS),
            seed=seed,
            bots=bots,
            precision=precision,
            smallest=smallest,
            within=within,
            decompose=decompose,
            # whoever asks for that many wants them played, and the same answer by either engine
            seats=seats or (power is None and deals is not None and deals > MOST_DEALS[READABLE]),
            others=members if engine == FAST and power is None else (),
        )

    drilling = Drilling(
        base, laid_out(READABLE), sample=SAMPLE_OF_MANY if every else SAMPLE, shrinking=not every
    )
    if power is None:
        drilling.begin(
            [r.compiled for r in played if r.compiled is not None], threads if threads > 1 else 0
        )
        click.get_current_context().call_on_close(drilling.close)
    if played:
        chosen, tables = engine_for(
            engine,
            [c.ruleset for c in everything],
            bots,
            (deals or MOST_DEALS[READABLE]) * len(everything),
            ("quadrille_plugins.kernel.accumulate", "quadrille_plugins.kernel.matched_starts"),
        )
    design = laid_out(chosen)
    resolved = {"deals": design.deals, "players": FAMILY if design.others else ",".join(bots)}
    runner = runner_for(everything, workers, resolved)
    if power is not None:
        with runner:
            _power(
                base,
                played,
                without,
                design,
                _plays(tables, everything, design, runner),
                power,
                fmt,
            )
        return 0
    found = Matters(base=base, design=design, engine=chosen, findings=())
    told = None if table is None else DealTable(everything, design.seed, table.suffix)
    with runner, nullcontext() if told is None or table is None else told.writer(table) as writer:
        if played:
            plays = _plays(tables, everything, design, runner, told, decompose=decompose)
            with StudyProgress(design.deals * len(design.tables), at_most=True) as progress:
                found = matters(
                    base,
                    played,
                    design,
                    plays,
                    engine=chosen,
                    progress=progress.update,
                    writer=writer,
                    known=drilling.found,
                    forecast=_forecast(progress, design, drilling, runner.where, plays.usual),
                    # nobody looks closer, and the processor is wanted for the report
                    stopped=drilling.close,
                )
        elif table is not None:
            click.echo(f"no deal had to be played: {table} has its heads alone", err=True)
        if writer is not None and found.interrupted:
            writer.drop()
            click.echo(f"interrupted: {table} is not written", err=True)
    order = {(r.point, r.reading): i for i, r in enumerate(alternatives)}
    together = sorted(
        (*without, *found.findings), key=lambda f: order[f.point or "", f.reading or ""]
    )
    found = replace(found, findings=tuple(together))
    with runner:
        found, examples = _drill_down(found, drilling, runner)
    if found.interrupted:
        drill_down = (
            "" if len(examples) == len(found.findings) else "; not looked closer at all of it"
        )
        click.echo(f"interrupted: reporting what is known by now{drill_down}", err=True)
    results = with_free_losses(matters_json(found, examples), warnings)
    finish(
        [base, *(f.compiled for f in found.findings if f.compiled is not None)],
        results,
        fmt=fmt,
        blocks=lambda details: matters_blocks(found, examples, details=details),
        rows=lambda: matters_csv(found),
        pictures=lambda: pictures_of(matters_json(found, examples)),
        title=_title(base, every=every, other=other),
        resolved={**resolved, "other": other},
        bots=design.bots,
        interrupted=found.interrupted,
        last=(
            by_readable([bots, *members], [c.ruleset for c in everything], design.bots)
            if members and played and chosen == READABLE
            else ""
        ),
    )
    return ending(runner, interrupted=found.interrupted)


def _forecast(
    progress: StudyProgress, design: Question, drilling: Drilling, where: Placement, usual: str
) -> Forecast:
    """Reports the expected duration to ``progress``, with the drill-down that runs beside and after
    the play.

    What is left is work for the processor; the clock takes as much longer or shorter as it did so
    far.
    """
    began, before = time.monotonic(), time.process_time()

    def narrate(tables: Sequence[Sequence[AlternativeRun]], done: int, work: int) -> None:
        seconds = time.monotonic() - began
        played = time.process_time() - before if where.is_here(usual) else seconds * where.workers
        each = seconds / (played + drilling.spent)
        more = sum(further(pairs, done, design) for pairs in tables)
        progress.expect(seconds + each * (played / work * more + drilling.left))

    return narrate


def _power(
    base: Compiled,
    played: list[Alternative],
    without: list[Finding],
    design: Question,
    plays: MatchedPlayer,
    power: Fraction,
    fmt: str,
) -> None:
    """Say how many deals show an effect of that size, of all that would have to be played."""
    size = float(power)
    others = [*(r.compiled for r in played), *(f.compiled for f in without)]
    compiled = [base, *(c for c in others if c is not None)]
    with StudyProgress(design.deals, at_most=True) as progress:
        found = plans(played, design, plays, size, progress=progress.update) if played else []
    emit(
        fmt,
        blocks=lambda: [
            *power_blocks(base, design, found, size, without),
            cite_block("matters --power", compiled),
        ],
        data=lambda: power_json(base, design, found, size, without),
        rows=lambda: power_csv(found),
    )


def _asked(
    ref: str, other: str | None, readings: tuple[str, ...], sets: tuple[str, ...]
) -> tuple[Compiled, tuple[Alternative, ...]]:
    """The rule set in question and its alternatives: readings of one or all points, or another rule
    set."""
    base = _first(ref, readings, sets)
    if base.kind != TRICKS:
        raise UsageError.of(
            "in-nobody-paid",
            profile=base.identity.profile,
            article=KINDS[base.kind].article,
            command=Command("compare", (ref,)),
        )
    names = {p.id for doc in base.chain for p in doc.points}
    if other is None or other in names:
        chosen, by_hand = refinements(readings, sets)
        return alternatives_of(ref, chosen, by_hand, other)
    profile = parse_reference(other).profile
    if not is_path(profile) and profile not in resources.shipped_profiles():
        raise UsageError.of(
            "neither-point-in-dispute",
            did_you_mean(other, [*names, *resources.shipped_profiles()]),
            other=other,
            ref=ref,
            command=Command("show", (ref,)),
        )
    first, second = compile_all([ref, other], readings, sets)
    check_comparable([first, second])
    plan([first, second], deals=1, sessions=None, seed=0, bots=("steady",))
    return first, (Alternative(point="", reading="", compiled=second),)


def _such_as(ref: str) -> Phrase | None:
    """A line to type, with a point of the rule set in question."""
    point = next((p.id for doc in _first(ref, (), ()).chain for p in doc.points), None)
    if point is None:
        return None
    return Phrase(
        "such-as-matters",
        {"matters": Command("matters", (ref, point)), "lists": Command("apparatus", (ref,))},
    )


def _to_search(
    finder: Any, ref: str, words: str, readings: tuple[str, ...], sets: tuple[str, ...]
) -> Compiled | None:
    """The rule set in which words are looked up; None where they are the id of a point, name a rule
    set or nothing."""
    base = _first(ref, readings, sets)
    names = {p.id for doc in base.chain for p in doc.points}
    profile = parse_reference(words).profile
    is_known = words in names or is_path(profile) or profile in resources.shipped_profiles()
    return None if is_known or base.kind != TRICKS or not finder.find(words, base).hits else base


def _title(base: Compiled, *, every: bool, other: str | None) -> str:
    """What a report, and the citation of a deposit, is called."""
    rules = base.identity.reference
    if every:
        return f"Which readings of {rules} matter"
    is_point = any(state.point.id == other for state in base.points)
    return (
        f"Whether it matters in {rules} how {other} is read"
        if is_point
        else f"Whether {other} differs from {rules}"
    )


def _first(ref: str, readings: tuple[str, ...], sets: tuple[str, ...]) -> Compiled:
    """The rule set in question, with what is chosen by hand but for another."""
    mine = (
        [r for r in readings if not r.startswith("2:")],
        [s for s in sets if not s.startswith("2:")],
    )
    return compile_all([ref], *mine)[0]


def _drill_down(found: Matters, drilling: Drilling, runner: Runner) -> tuple[Matters, Examples]:
    """The drill-down at every finding, and the verdicts after it; interrupted, at those that were
    looked at by then."""
    told: Examples = {}
    findings = list(found.findings)
    if found.interrupted:
        return found, told
    for finding in findings:
        drilling.found(finding)
    try:
        for i, finding in enumerate(findings):
            with runner.stopping.unit():
                told[i] = drilling.at(finding)
            findings[i] = settled(finding, told[i])
    except KeyboardInterrupt:
        drilling.close()
        found = replace(found, interrupted=True)
    return replace(found, findings=tuple(findings)), told


def _plays(
    tables: fast.Tables | None,
    compiled: list[Compiled],
    design: Question,
    runner: Runner,
    told: DealTable | None = None,
    *,
    decompose: bool = False,
) -> MatchedPlayer:
    if tables is None:
        ready_players(design.bots)
    rulesets = [c.ruleset for c in compiled]
    return MatchedPlayer(
        rulesets, design.bots, design.seed, 1, tables, told, decompose, runner, design.others
    )
