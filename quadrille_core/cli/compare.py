"""``quadrille compare``: the main job."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from fractions import Fraction
from pathlib import Path

import click

from quadrille_core import resources
from quadrille_core.cli.double_dummy import DEFAULT_OPEN_DEALS, report_open
from quadrille_core.cli.engines import engine_for
from quadrille_core.cli.free_losses import warn_of_free_losses, with_free_losses
from quadrille_core.cli.options import (
    check_comparable,
    compile_all,
    emit,
    format_option,
    parse_players,
    players_option,
    refine_options,
    seed_option,
    sessions_option,
    workers_option,
)
from quadrille_core.cli.patience import DEFAULT_GAMES, MOST_RULE_SETS, compare_patience, report_patience
from quadrille_core.cli.running import ending, runner_for, running_options
from quadrille_core.cli.study_options import (
    counters,
    finish,
    print_first,
    refuse_with_power,
    smallest_option,
    study_options,
    table_option,
    write_records,
)
from quadrille_core.cli.warmup import ready, ready_for
from quadrille_core.errors import UsageError
from quadrille_core.kinds import PATIENCE as PATIENCE_KIND
from quadrille_core.report.comparison import comparison_blocks, comparison_csv, comparison_json
from quadrille_core.report.comparison_pictures import comparison_pictures, comparison_prose
from quadrille_core.report.power import power_blocks, power_csv, power_json
from quadrille_core.study.compare import (
    AUTO,
    ENGINES,
    FAST,
    PATIENCE,
    READABLE,
    Comparison,
    Design,
    compare,
    plan,
)
from quadrille_core.study.deal_table import DealTable, Listing, Writer, check_form
from quadrille_core.study.double_dummy import compare_open
from quadrille_core.study.open_play import require_solver
from quadrille_core.terminal import beneath
from quadrille_core.writing import check_folder

DEFAULT_DEALS = {FAST: 20_000, READABLE: 400}
PILOT_DEALS = 20_000
"""Deals of the pilot from which ``--power`` takes the variance, unless others are asked for."""

WATCHED = 3.0
"""Seconds of work from which it is told how long the rest takes."""
FEWEST_REPORTS = 4


@click.command("compare")
@click.argument("refs", nargs=-1, required=True, metavar="REF REF [REF…]")
@click.option(
    "--deals",
    type=click.IntRange(1, 100_000_000),
    help=f"Deals to play, laid out in sessions.  [default: {DEFAULT_DEALS[FAST]} by the fast engine, "
    f"{DEFAULT_DEALS[READABLE]} by the readable one, {DEFAULT_OPEN_DEALS} with --double-dummy, and {DEFAULT_GAMES} "
    "games of a patience]",
)
@sessions_option
@seed_option
@players_option
@workers_option
@click.option(
    "--engine",
    type=click.Choice(ENGINES),
    default=AUTO,
    show_default=True,
    help="The readable engine, the fast one, or whichever suits the work; the results are the same.",
)
@click.option(
    "--double-dummy",
    "double_dummy",
    is_flag=True,
    help="No bots: par of each deal when all cards are seen, under each rule set.",
)
@click.option(
    "--decompose",
    is_flag=True,
    help="Also replay every deal from the same standing: what of an effect is direct, and what is carried.",
)
@smallest_option
@click.option(
    "--power",
    callback=counters,
    metavar="X",
    help="Plan only: from a pilot of --deals, how many deals show an effect of X counters a session.",
)
@click.option("--examples", type=click.IntRange(0, 50), default=5, show_default=True, help="Telling deals to show.")
@click.option(
    "--save",
    type=click.Path(file_okay=False, path_type=Path),
    help="A folder to write the telling deals to, as records; of a patience also lost games that were looked for.",
)
@table_option
@running_options
@study_options()
@format_option
@refine_options
def compare_command(
    refs: tuple[str, ...],
    deals: int | None,
    sessions: int | None,
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
    """Play the same deals under each rule set: what differs, how often, and who pays.

    The first REF is compared with each of the others.  Whole sessions are played, for the pool carries
    over from deal to deal.  Of a patience the same shuffles are played, and the odds of winning estimated; one
    REF alone is then compared under each of its readings.  With --double-dummy every deal stands by itself and is
    solved instead of played.
    """
    if power is not None:
        refuse_with_power("table", "decompose", "smallest")
    compiled = compile_all(refs, readings, sets)
    check_comparable(compiled)
    if table is not None:
        if double_dummy or compiled[0].kind == PATIENCE_KIND:
            raise UsageError("--table lists deals that bots play, and here there are none", help="leave --table out")
        check_form(table)
    if compiled[0].kind == PATIENCE_KIND and (power is not None or decompose):
        raise UsageError("of a patience nobody wins or loses counters", help="leave out --power and --decompose")
    if compiled[0].kind == PATIENCE_KIND and len(refs) <= MOST_RULE_SETS:
        check_folder(save)
        with StudyProgress(deals or DEFAULT_GAMES) as progress:
            odds = compare_patience(
                refs,
                compiled,
                games=deals or DEFAULT_GAMES,
                seed=seed,
                workers=workers,
                examples=examples,
                readings=readings,
                sets=sets,
                progress=progress.update,
            )
        return report_patience(odds, games=deals or DEFAULT_GAMES, save=save, fmt=fmt)
    if len(refs) < 2:
        raise UsageError(
            "a comparison needs two rule sets or more",
            help=f"such as: quadrille compare {' '.join(resources.examples())}",
        )
    if len(refs) > MOST_RULE_SETS:
        raise UsageError("at most 26 rule sets are compared at once", help="compare them in several runs")
    warnings = warn_of_free_losses(compiled[0], compiled[1:])
    if double_dummy:
        if sessions is not None or engine != AUTO or players != "steady" or decompose or power is not None:
            raise UsageError(
                "with --double-dummy nobody plays, and every deal stands by itself",
                help="leave out --sessions, --players, --engine, --decompose and --power",
            )
        require_solver()
        check_folder(save)
        ready("solver")
        runner = runner_for(compiled, workers, {"deals": deals or DEFAULT_OPEN_DEALS})
        with StudyProgress(deals or DEFAULT_OPEN_DEALS) as progress:
            solved = compare_open(
                compiled,
                deals=deals or DEFAULT_OPEN_DEALS,
                seed=seed,
                examples=examples,
                progress=progress.update,
                runner=runner,
            )
        return report_open(solved, runner, deals or DEFAULT_OPEN_DEALS, save=save, fmt=fmt, warnings=warnings)
    if deals is not None and sessions is not None:
        raise UsageError("--deals and --sessions both say how much to play", help="give one of them")
    check_folder(save)
    bots = parse_players(players)

    def planned(deals: int | None) -> Design:
        return plan(
            compiled, deals=deals, sessions=sessions, seed=seed, bots=bots, smallest=smallest, decompose=decompose
        )

    # how many deals are played by default depends on the engine
    asked = deals or (None if sessions is not None or power is None else PILOT_DEALS)
    design = planned(asked if asked or sessions else DEFAULT_DEALS[READABLE])
    chosen, tables = engine_for(
        engine,
        [c.ruleset for c in compiled],
        design.bots,
        design.deals * len(compiled),
        ("session", "gather", "steady_hands", "steady_values"),
    )
    if not (asked or sessions):
        design = planned(DEFAULT_DEALS[chosen])
    if deals is not None and design.deals != deals:
        click.echo(
            f"{design.deals} deals instead of {deals}: sessions are played in multiples that the rules allow", err=True
        )
    ready_for(design.bots)
    resolved = {"deals": None if sessions is not None else design.deals}
    runner = runner_for(compiled, workers, resolved)
    with ExitStack() as stack:
        listing = None
        if table is not None:
            told = DealTable(compiled, seed, table.suffix)
            listing = Listing(told, stack.enter_context(Writer(table, told.head)))
        progress = stack.enter_context(StudyProgress(design.deals))
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
    if found.interrupted:
        click.echo(f"interrupted: reporting the {found.design.deals} deals that were finished", err=True)
    if power is not None:
        size = float(power)
        print_first(
            lambda: emit(
                fmt,
                blocks=lambda: power_blocks(found, size),
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
        blocks=lambda: comparison_blocks(found),
        rows=lambda: comparison_csv(found),
        pictures=lambda: comparison_pictures(comparison_json(found)),
        found=lambda: comparison_prose(comparison_json(found)),
        title="Rule sets compared",
        resolved=resolved,
        bots=design.bots,
        interrupted=found.interrupted,
        save=save,
        records=_records(found),
    )
    return ending(runner, interrupted=found.interrupted)


class StudyProgress:
    """A bar on stderr when that is a terminal, and a word in any case when it will take long."""

    def __init__(self, many: int, what: str = "deals", *, at_most: bool = False) -> None:
        """So many of them, or ``at_most`` so many: then how long it takes is only told where it is ``expected``."""
        self._many, self._what, self._at_most = many, what, at_most
        self._expected: float | None = None
        self._warned = False
        self._first: tuple[int, float] | None = None
        self._reports = 0
        self._advance: Callable[[int, int], object] | None = None
        self._close: Callable[[], object] | None = None

    def __enter__(self) -> "StudyProgress":
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

            bar = Progress(
                TextColumn(self._what),
                BarColumn(),
                MofNCompleteColumn(),
                TimeRemainingColumn(),
                console=Console(file=beneath(sys.stderr)),
                transient=True,
            )
            task = bar.add_task(self._what, total=self._many)
            bar.start()
            self._advance = lambda done, total: bar.update(task, completed=done, total=total)
            self._close = bar.stop
        return self

    def __exit__(self, *_: object) -> None:
        if self._close is not None:
            self._close()

    def expect(self, seconds: float) -> None:
        """From now on, this many seconds are expected in all."""
        self._expected = seconds

    def update(self, done: int, total: int, seconds: float) -> None:
        """Show how far the study is; once it is plain that it will take more than a minute, say so."""
        expected = self._expected if self._at_most else self._forecast(done, total, seconds)
        if self._advance is not None:
            # where deals are played until the answer is certain, as many are shown as are expected
            likely = total if not self._at_most or not expected or not seconds else done * expected / seconds
            self._advance(done, max(done, round(min(total, likely))))
        if self._warned or expected is None or expected <= PATIENCE or seconds <= 2:
            return
        self._warned = True
        takes = f"this will take about {expected / 60:.0f} min"
        if self._at_most:
            click.echo(
                f"{takes}, judged by the answers so far (at most {total} {self._what} are played); "
                f"Ctrl-C reports what is done",
                err=True,
            )
            return
        rate = (total - done) / (expected - seconds) if expected > seconds else done / seconds
        in_a_minute = done + int((PATIENCE - seconds) * rate)
        less = f", and --deals {max(1, in_a_minute)} takes a minute"
        click.echo(
            f"{takes} ({total} {self._what} at {rate:.{0 if rate >= 10 else 1}f} a second); "
            f"Ctrl-C reports what is done{less if self._what == 'deals' else ''}",
            err=True,
        )

    def _forecast(self, done: int, total: int, seconds: float) -> float | None:
        """How many seconds it takes in all, by the rate since the first report; None as long as that says little.

        Before it code was loaded, workers began, and what is kept was made.
        """
        if self._first is None:
            self._first = done, seconds
        self._reports += 1
        already, began = self._first
        if self._reports < FEWEST_REPORTS or seconds - began < WATCHED or done <= already:
            return None
        return seconds + (total - done) * (seconds - began) / (done - already)


def _records(found: Comparison) -> Iterator[tuple[str, str]]:
    """Both records of every telling deal: the name of a file, and its text."""
    for pair in found.pairs:
        for t in pair.examples:
            for index, record in zip((pair.first, pair.second), t.records, strict=True):
                name = f"session{t.session}-deal{t.deal}-{chr(ord('A') + index)}.json"
                yield name, json.dumps(record, ensure_ascii=False, indent=2) + "\n"
