"""What every study prints, and writes on request: a manifest, pictures, and a report.

A study's command is decorated with ``study_options`` and calls ``finish`` once it has its results.
What it was asked is taken from the command line as it was understood, but for what no number
depends on.
"""

import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, partial
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from quadrille_core.cli.capture import captured
from quadrille_core.errors import Option, UsageError
from quadrille_core.report.blocks import Block, Text
from quadrille_core.ruleset import Compiled
from quadrille_core.terminal import filled
from quadrille_plugins.output.citing import cite_block, this_command
from quadrille_plugins.output.commands import MODE, _split, emit, parse_value, typed_options
from quadrille_plugins.output.files import check_folder, noting_unwritten, write_in, write_whole
from quadrille_plugins.output.folders import check_new_folder
from quadrille_plugins.output.options import claim_option
from quadrille_plugins.studies.design import AUTO, ENGINES
from quadrille_plugins.studies.equivalence import OF_DEALS, SMALLEST
from quadrille_plugins.studies.manifest import (
    digest_of,
    make_manifest,
    manifest_text,
    without_sentences,
)
from quadrille_plugins.studies.picture import Picture, distinct
from quadrille_plugins.studies.pictures import drawable, pdf_of, require, svg_of
from quadrille_plugins.studies.runner.run import Runner

F = TypeVar("F", bound=Callable[..., Any])

_ASKED: Final = "quadrille.study"
_DETAILS: Final = "quadrille.details"
STUDY_RUNNER: Final = "quadrille.runner"
"""Where a command keeps the runner of its study."""
_INPUTS: Final = "__study_inputs__"
NOT_RECORDED: Final = frozenset({"fmt", "workers"})
"""Parameters that no number depends on.  Neither are files that are written: every path that is no
input."""


@dataclass(slots=True)
class Collected:
    """What a study found that is run again: its results, and whether it was finished."""

    results: Any = None
    finished: bool = False
    called: bool = field(default=False)
    done: int = 0
    """How many units were finished."""


DRAWN: Final = ("pictures", "report")

collector: ContextVar[Collected | None] = ContextVar("collector", default=None)
"""Set while a study is run again: ``finish`` hands over its results and writes nothing."""


table_option: Final = click.option(
    "--table",
    type=click.Path(dir_okay=False, path_type=Path),
    callback=claim_option,
    metavar="FILE.csv|.jsonl|.parquet",
    help="A file for every deal, a row under each rule set, for R, pandas and DuckDB.  Parquet "
    "needs the extra data.",
)
"""Of studies whose deals can be listed."""


def counters(ctx: click.Context, param: click.Parameter, value: str | None) -> Fraction | None:
    """A positive number of counters, whole or a fraction; None when the option is not given."""
    if value is None:
        return None
    try:
        found = Fraction(value)
    except (ValueError, ZeroDivisionError):
        found = Fraction(0)
    if found <= 0 or len(value) > 20:
        raise UsageError.of("wants-counters-above-not", name=param.name, value=value)
    return found


engine_option: Final = click.option(
    "--engine",
    type=click.Choice(ENGINES),
    default=AUTO,
    show_default=True,
    help="The readable engine, the fast one, or whichever suits the work; the results are the "
    "same.",
)


def say_deals(deals: int, asked: int | None) -> None:
    """Say how many deals are played where that is not how many were asked for."""
    if asked is not None and deals != asked:
        said = (
            f"{deals} deals instead of {asked}: sessions are played in multiples that the "
            "rules allow"
        )
        click.echo(filled(said), err=True)


smallest_option: Final = click.option(
    "--smallest",
    default=str(SMALLEST),
    show_default=True,
    callback=counters,
    metavar="COUNTERS",
    help=f"The smallest effect of interest, in counters a seat and session of {OF_DEALS} deals.",
)
"""Of studies that answer whether an effect is larger or smaller than that."""


def study_options(*, inputs: Sequence[str] = ()) -> Callable[[F], F]:
    """Add ``--manifest``, ``--report``, ``--pictures`` and ``--deposit`` to a command that is a
    study.

    ``inputs`` names the parameters that are paths of files it reads; any other path is one it
    writes.  The command's function is not given the options: ``finish`` finds them.
    """

    def decorate(f: F) -> F:
        for name, kind, metavar, help_line in (
            (
                "pictures",
                click.Path(file_okay=False),
                "FOLDER",
                "Write the pictures to this folder, as SVG and PDF.",
            ),
            (
                "report",
                click.Path(dir_okay=False),
                "FILE.html",
                "Write a report with pictures, to be read offline.",
            ),
            (
                "deposit",
                click.Path(),
                "FOLDER",
                (
                    "Write a new folder fit for an archive: manifest, rules, tables, licence, "
                    "citation, checksums."
                ),
            ),
            (
                "manifest",
                click.Path(dir_okay=False),
                "FILE",
                "Write what `quadrille rerun` repeats the study by.",
            ),
        ):
            f = click.option(
                f"--{name}",
                name,
                type=kind,
                metavar=metavar,
                help=help_line,
                expose_value=False,
                callback=_note,
            )(f)
        f = click.option(
            "--details",
            is_flag=True,
            expose_value=False,
            callback=_note_details,
            help="Also show what the answer rests on: every table, every note.",
        )(f)
        setattr(f, _INPUTS, tuple(inputs))
        return f

    return decorate


def _note_details(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    """Keep for ``finish`` whether all is to be shown."""
    ctx.meta[_DETAILS] = value


def _note(ctx: click.Context, param: click.Parameter, value: str | None) -> None:
    """Keep an option's value for ``finish``; what could not be written is refused before hours are
    spent."""
    if value is None:
        return
    path = Path(value)
    if param.name in DRAWN:
        require()
    if param.name == "pictures":
        check_folder(path)
    elif param.name == "deposit":
        check_new_folder(path)
    else:
        claim_option(ctx, param, path)
    ctx.meta.setdefault(_ASKED, {})[param.name] = path


def refuse_with_power(*names: str) -> None:
    """Raise UsageError where something was asked for that a plan (``--power``) neither reads nor
    writes.

    ``names`` are parameters of the command's own; what ``study_options`` adds is never read.
    """
    asked = click.get_current_context().meta.get(_ASKED, {})
    unread = [*(p.name for p in typed_options() if p.name in names), *asked]
    if unread:
        options = " and ".join(f"--{name}" for name in unread)
        raise UsageError.of(
            "option-plans-and-plays-a-pilot", option=Option("power"), options=options
        )


def inputs_of(command: click.Command) -> tuple[str, ...] | None:
    """The parameters of a study that are files it reads; None when the command is no study."""
    found: tuple[str, ...] | None = getattr(command.callback, _INPUTS, None)
    return found


def recorded(command: click.Command) -> dict[str, click.Parameter]:
    """The parameters of a study that a manifest records, by name."""
    inputs = inputs_of(command) or ()
    return {
        p.name: p
        for p in command.params
        if p.name is not None
        and p.expose_value
        and p.name not in NOT_RECORDED
        and (p.name in inputs or not isinstance(p.type, click.Path))
    }


def parameters_of(ctx: click.Context, resolved: Mapping[str, Any]) -> dict[str, Any]:
    """What the study was asked, plainly; ``resolved`` are those that a command has settled for
    itself."""
    plain = {}
    taken = ctx.meta.get(MODE)
    for name in recorded(ctx.command):
        if taken is not None and name not in taken:
            continue
        value = resolved.get(name, ctx.params.get(name))
        if value is not None:
            plain[name] = _plain(value)
    return plain


def _plain(value: Any) -> Any:
    if isinstance(value, (tuple, list)):
        return [_plain(v) for v in value]
    if isinstance(value, Fraction):
        return str(value)
    return value if isinstance(value, (bool, int, float, str)) else Path(value).as_posix()


def finish(
    compiled: Sequence[Compiled],
    results: Any,
    *,
    fmt: str,
    blocks: Callable[[bool], Sequence[Block]],
    rows: Callable[[], tuple[Sequence[str], Sequence[Sequence[object]]]],
    pictures: Callable[[], Sequence[Picture]],
    found: Callable[[], Sequence[str]] = tuple,
    title: str = "",
    resolved: Mapping[str, Any] | None = None,
    bots: Sequence[str] = (),
    interrupted: bool = False,
    files: Sequence[str] = (),
    save: Path | None = None,
    records: Iterable[tuple[str, str | bytes]] = (),
    last: str = "",
) -> None:
    """Print a study's result, then write the files requested; call it once, with the final result.

    A file that cannot be written costs neither the result nor the other files
    (``noting_unwritten``).

    ``results`` is the JSON in full.  It must not depend on the machine, the engine or the number of
    workers: the keys of its ``design`` in ``BY_ENGINE`` are left out of what is written, and so are
    sentences that say what the numbers say (``manifest.SENTENCES``).  By ``fmt`` it is printed, or
    ``blocks``, or ``rows``.  ``blocks`` is called with whether all details are wanted.
    ``resolved`` are parameters whose value the command has settled (a default that depends on
    others), by name; ``pictures`` what one would rather look at; ``found`` says in sentences, with
    the numbers, what was found; ``last`` is the last line for a person.  ``files`` are files that
    the study read besides its profiles and those that its parameters always name; ``records`` are
    names and texts of the files for the folder ``save``.
    """
    ctx = click.get_current_context()
    printed = results
    runner: Runner | None = ctx.meta.get(STUDY_RUNNER)
    results = _without_engine(json.loads(json.dumps(results, allow_nan=False)))
    results = without_sentences(ctx.command.name or "", results)
    collecting = collector.get()
    if collecting is not None:
        collecting.results, collecting.finished, collecting.called = results, not interrupted, True
        collecting.done = runner.done if runner is not None else 0
        return
    asked: dict[str, Path] = ctx.meta.get(_ASKED, {})
    parameters = parameters_of(ctx, resolved or {})
    folder = runner.folder if runner is not None else None

    @cache
    def manifest() -> dict[str, Any]:
        return make_manifest(
            command=ctx.command.name or "",
            parameters=parameters,
            compiled=compiled,
            results=results,
            seed=parameters.get("seed"),
            bots=bots,
            inputs=[
                *(parameters[name] for name in inputs_of(ctx.command) or () if name in parameters),
                *files,
            ],
            finished=not interrupted,
            stopped_after=runner.done if interrupted and runner is not None else None,
        )

    def write_report(drawn: Sequence[tuple[Picture, str]]) -> None:
        from quadrille_plugins.studies.html import html_report

        words = {
            "title": title or f"quadrille {ctx.command.name}",
            "found": found(),
            "blocks": blocks(True),
        }
        report = html_report(**words, compiled=compiled, pictures=drawn, manifest=manifest())  # type: ignore[arg-type]
        write_whole(asked["report"], report)

    def deposit(bundle: Path) -> None:
        from quadrille_plugins.studies.deposit import write_deposit

        drawn = [(p, svg_of(p)) for p in distinct(pictures())] if drawable() else []
        write_deposit(
            bundle,
            manifest=manifest(),
            compiled=compiled,
            title=title or f"quadrille {ctx.command.name}",
            found=found(),
            blocks=lambda: blocks(True),
            rows=rows,
            pictures=[
                one for p, svg in drawn for one in ((p, svg, "svg"), (p, pdf_of(svg), "pdf"))
            ],
        )
        if interrupted:
            said = (
                f"interrupted: {bundle} holds what was finished, as its README.md and "
                "CITATION.cff say"
            )
            click.echo(filled(said), err=True)

    def write() -> None:
        write_records(save, records)
        if folder is not None:
            with noting_unwritten():
                folder.keep(
                    "results.json",
                    json.dumps(results, ensure_ascii=False, indent=1, allow_nan=False) + "\n",
                )
            with noting_unwritten():
                folder.keep("manifest.json", manifest_text(manifest()))
        if "manifest" in asked:
            with noting_unwritten():
                write_whole(asked["manifest"], manifest_text(manifest()))
        if "deposit" in asked:
            with noting_unwritten():
                deposit(asked["deposit"])
        if any(name in asked for name in DRAWN):
            drawn = [(picture, svg_of(picture)) for picture in distinct(pictures())]
            if "report" in asked:
                with noting_unwritten():
                    write_report(drawn)
            if "pictures" in asked:
                _write_pictures(asked["pictures"], drawn)

    if (capture := captured()) is not None:
        capture.found = tuple(found())
        capture.draw = partial(_drawn, distinct(pictures()))
    details = bool(ctx.meta.get(_DETAILS))

    def shown() -> list[Block]:
        cited = cite_block(this_command(), compiled, digest_of(results))
        return [*blocks(details), cited, *([Text(last)] if last else [])]

    print_first(lambda: emit(fmt, blocks=shown, data=lambda: printed, rows=rows), write)


def _drawn(pictures: Sequence[Picture]) -> list[tuple[str, str]]:
    """The alternative text and SVG of each picture; raises UsageError without the ``report``
    extra."""
    return [(picture.alt, svg_of(picture)) for picture in pictures]


def print_first(show: Callable[[], None], write: Callable[[], None]) -> None:
    """Print a result, then write files, even when printing fails; raises the OSError of printing
    afterwards."""
    failed: OSError | None = None
    try:
        show()
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError as e:
        failed = e
    write()
    if failed is not None:
        raise failed


def write_records(folder: Path | None, records: Iterable[tuple[str, str | bytes]]) -> None:
    """Write files of these names and texts into a folder, if one is named, each though another
    fails."""
    if folder is not None:
        for name, text in records:
            with noting_unwritten():
                write_in(folder, name, text)


def _write_pictures(folder: Path, drawn: Sequence[tuple[Picture, str]]) -> None:
    """Write each picture twice; what else lies in the folder stays."""
    if not drawn:
        click.echo(f"there is nothing to draw: no picture is written to {folder}", err=True)
    write_records(
        folder,
        (
            (f"{picture.name}.{form}", make(svg))
            for picture, svg in drawn
            for form, make in (("svg", str), ("pdf", pdf_of))
        ),
    )


def _without_engine(results: Any) -> Any:
    design = results.get("design") if isinstance(results, dict) else None
    if not isinstance(design, dict) or "engine" not in design:
        return results
    return {**results, "design": {k: v for k, v in design.items() if k not in BY_ENGINE}}


BY_ENGINE: Final = frozenset({"engine", "preliminary"})
"""Keys of a design that depend on the engine."""


sessions_option = click.option(
    "--sessions",
    type=click.IntRange(1, 10_000_000),
    help="Whole sessions to play, instead of --deals.",
)


workers_option = click.option(
    "--workers",
    type=click.IntRange(1, 256),
    default=None,
    help="Processes to use; the results do not depend on it.  [default: all cores]",
)


def refinements(
    readings: Sequence[str], sets: Sequence[str]
) -> tuple[dict[str, str], dict[str, Any]]:
    """The readings and rules chosen by hand where one rule set alone is named.

    Raises UsageError for a malformed option or one that names another rule set.
    """
    chosen = [_split(r, "POINT=READING") for r in readings]
    by_hand = [_split(s, "PATH=VALUE") for s in sets]
    for number, *_ in (*chosen, *by_hand):
        if number not in (None, 1):
            raise UsageError.of("no-rule-set-2", number=number)
    return {p: r for _, p, r in chosen}, {p: parse_value(v) for _, p, v in by_hand}
