"""What every study is, and the one way to run it.

A study is planned by its command, from its parameters; then it is *played*, *finished* into a
record (plain data, as JSON has them), and *rendered*: as sentences, tables, rows and pictures.
``run_study`` does that for any of them, and writes what was asked for.
"""

import contextlib
import json
import os
import shlex
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property, partial
from pathlib import Path
from typing import Any, ClassVar, Final, Generic, TypeVar

import click

from quadrille_core import __version__
from quadrille_core.errors import UnreadableError, UnwrittenError, UsageError
from quadrille_core.ruleset import Compiled
from quadrille_plugins.shell import stopping
from quadrille_plugins.shell.answer import Answer, caller
from quadrille_plugins.shell.blocks import Block, Text
from quadrille_plugins.shell.citing import cite_block, this_command
from quadrille_plugins.shell.internal import typed
from quadrille_plugins.shell.options import MODE
from quadrille_plugins.shell.terminal import filled
from quadrille_plugins.shell.values import Json
from quadrille_plugins.shell.writing import noting_unwritten, write_in, write_whole
from quadrille_plugins.studies.free_losses import FreeLosses, OpenedBy
from quadrille_plugins.studies.manifest import (
    digest_of,
    identity_plain,
    make_manifest,
    manifest_text,
    own_digests,
    without_sentences,
)
from quadrille_plugins.studies.picture import Picture, distinct
from quadrille_plugins.studies.pictures import drawable, pdf_of, svg_of
from quadrille_plugins.studies.runner.code import code_digests
from quadrille_plugins.studies.runner.executors import Placement, parse_executor
from quadrille_plugins.studies.runner.folder import StudyFolder
from quadrille_plugins.studies.runner.run import BLOCK, Alone, Runner

Found = TypeVar("Found")

ASKED: Final = "quadrille.study"
"""Where a command keeps the options that ``studies.options.study_options`` adds, by name."""
PLAN: Final = "__study_plan__"
INPUTS: Final = "__study_inputs__"
_TOLD: Final = "quadrille.told"

EXTENT: Final = frozenset({"deals", "sessions", "configurations", "at_most"})
"""Parameters that say how much of a study is wanted: one in a folder may be enlarged."""
NO_NUMBER: Final = frozenset({"engine"})
"""Parameters that change no number."""
BY_ENGINE: Final = frozenset({"engine", "preliminary"})
"""Keys of a design that depend on the engine: what is written leaves them out."""

Rows = tuple[Sequence[str], Sequence[Sequence[object]]]


@dataclass(frozen=True, kw_only=True)
class Rendering:
    """What a study found, in each form that is wanted of it."""

    blocks: Callable[[bool], Sequence[Block]]
    """For a person: the answer, the table, how sure that is; the rest with details."""
    rows: Callable[[], Rows]
    """The numbers in long form."""
    answers: Callable[[], Sequence[str]] = tuple
    """The answer in sentences that may be quoted."""
    pictures: Callable[[], Sequence[Picture]] = tuple
    records: Callable[[], Iterable[tuple[str, str]]] = tuple
    """Names and texts of the files for ``Study.save``."""
    compiled: Sequence[Compiled] | None = None
    """The rule sets that it is about, where these are not all that were to be played."""
    reached: str = ""
    """How far the study came, where it was interrupted."""
    last: str = ""
    """The last line for a person."""
    status: int = 0
    """The exit status."""


@dataclass(kw_only=True)
class Study(ABC, Generic[Found]):
    """A study as it was planned."""

    compiled: Sequence[Compiled]
    """The rule sets, the one in question first."""
    title: str
    resolved: Json = field(default_factory=dict)
    """Parameters whose value the plan has settled, such as a default that depends on others."""
    bots: Sequence[str] = ()
    deals: int = 0
    asked: int | None = None
    """How many deals are played, and were asked for."""
    warnings: Sequence[FreeLosses | OpenedBy] = ()
    files: Sequence[str] = ()
    """Files that it reads besides its profiles and those that its parameters always name."""
    save: Path | None = None
    """A folder for ``Rendering.records``."""
    is_plan: ClassVar[bool] = False
    """Whether it plans a study from a pilot (``--power``): that is shown and not recorded."""

    @abstractmethod
    def play(self, runner: Runner) -> Found:
        """Play it; interrupted, what was finished."""

    @abstractmethod
    def finish(self, found: Found) -> Json:
        """The record: everything that was found, as plain data that depend on no machine."""

    @abstractmethod
    def render(self, found: Found, record: Json) -> Rendering:
        """The record in its other forms."""


# --- what a study was asked ---------------------------------------------------------------------


def options_of(ctx: click.Context) -> Json:
    """The options of a command that every study has, by name."""
    asked: Json = ctx.meta.get(ASKED, {})
    return asked


def inputs_of(command: click.Command) -> tuple[str, ...] | None:
    """The parameters of a study that are files it reads; None when the command is no study."""
    found: tuple[str, ...] | None = getattr(command.callback, INPUTS, None)
    return found


def recorded(command: click.Command) -> dict[str, click.Parameter]:
    """The parameters of a study that a manifest records, by name."""
    inputs = inputs_of(command) or ()
    return {
        p.name: p
        for p in command.params
        if p.name is not None
        and p.expose_value
        and (p.name in inputs or not isinstance(p.type, click.Path))
    }


def parameters_of(ctx: click.Context, resolved: Json) -> Json:
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


def plan_of(command: click.Command) -> Callable[..., Study[Any] | int]:
    """What a study's command plans by: returns the study of its parameters."""
    plan: Callable[..., Study[Any] | int] = getattr(command.callback, PLAN)
    return plan


# --- running it ---------------------------------------------------------------------------------


def played(study: Study[Any], runner: Runner) -> tuple[Rendering, Json]:
    """Play a study and finish it: its record, and the other forms of that."""
    if study.asked not in (None, study.deals):
        _say(
            f"{study.deals} deals instead of {study.asked}: sessions are played in multiples "
            "that the rules allow"
        )
    for warning in study.warnings:
        _say(f"warning: {warning.text()}")
    found = study.play(runner)
    record = study.finish(found)
    if study.warnings and not study.is_plan:
        design = {**record["design"], "free_losses": [w.to_json() for w in study.warnings]}
        record = {**record, "design": design}
    rendering = study.render(found, record)
    if rendering.reached:
        _say(f"interrupted: reporting {rendering.reached}")
    return rendering, record


def recorded_results(command: str, record: Json) -> Any:
    """A record as it is written: without what depends on the engine, and without sentences that say
    what its numbers say (``manifest.SENTENCES``)."""
    results = json.loads(json.dumps(record, allow_nan=False))
    design = results.get("design", {})
    if "engine" in design:
        results["design"] = {k: v for k, v in design.items() if k not in BY_ENGINE}
    return without_sentences(command, results)


def run_study(study: Study[Any]) -> Answer:
    """Play a study; once what was found is shown, the files requested are written.

    A file that cannot be written costs neither the result nor the other files.
    """
    ctx = click.get_current_context()
    asked = options_of(ctx)
    runner = _runner_for(study, ctx, asked)
    with _doubting(runner):
        output = _Output(study, *played(study, runner), runner, ctx, asked)
    rendering = output.rendering
    return Answer(
        blocks=output.shown,
        data=lambda: output.record,
        rows=rendering.rows,
        found=rendering.answers,
        pictures=tuple if caller() is None else partial(_drawn, output.pictures),
        status=stopping.status() if rendering.reached else rendering.status,
        after=output.write,
        around=lambda: _doubting(runner),
    )


def _drawn(pictures: Sequence[Picture]) -> list[tuple[str, str]]:
    """The alternative text and SVG of each picture."""
    return [(picture.alt, svg_of(picture)) for picture in pictures]


@contextlib.contextmanager
def _doubting(runner: Runner) -> Iterator[None]:
    """Where something fails on blocks that were read back, these are named and not the program:
    they may be a stranger's."""
    try:
        yield
    except (UsageError, UnwrittenError, UnreadableError, OSError, MemoryError):
        raise
    except (click.ClickException, click.exceptions.Exit, click.Abort):
        raise
    except Exception as e:
        folder = runner.folder
        if folder is None or runner.failed or not folder.read_back:
            raise
        raise folder.doubted(e) from e


def _say(text: str) -> None:
    click.echo(filled(text), err=True)


@dataclass
class _Output:
    """What a study found, on its way to the screen and into files."""

    study: Study[Any]
    rendering: Rendering
    record: Json
    runner: Runner
    ctx: click.Context
    asked: Json

    def __post_init__(self) -> None:
        self.compiled = self.rendering.compiled or self.study.compiled
        self.results = recorded_results(self.ctx.command.name or "", self.record)
        self.manifest = cache(self._manifest)

    @cached_property
    def pictures(self) -> Sequence[Picture]:
        """What one would rather look at, each once; made where it is wanted."""
        return distinct(self.rendering.pictures())

    def shown(self) -> list[Block]:
        """What a person is shown, ended by how to cite it."""
        blocks = self.rendering.blocks(bool(self.asked.get("details")))
        command, digest = this_command(), digest_of(self.results)
        if self.study.is_plan:
            command, digest = f"{command} --power", ""
        last = [Text(self.rendering.last)] if self.rendering.last else []
        return [*blocks, cite_block(command, self.compiled, digest), *last]

    def _manifest(self) -> Json:
        study, ctx, interrupted = self.study, self.ctx, bool(self.rendering.reached)
        parameters = parameters_of(ctx, study.resolved)
        named = (parameters[n] for n in inputs_of(ctx.command) or () if n in parameters)
        return make_manifest(
            command=ctx.command.name or "",
            parameters=parameters,
            compiled=self.compiled,
            results=self.results,
            seed=parameters.get("seed"),
            bots=study.bots,
            inputs=[*named, *study.files],
            finished=not interrupted,
            stopped_after=self.runner.done if interrupted else None,
        )

    def write(self) -> None:
        """Write what was asked for, and say how to go on where the study was interrupted."""
        write_records(self.study.save, self.rendering.records())
        if not self.study.is_plan:
            self._write()
        folder = self.runner.folder
        if folder is not None and folder.damaged:
            which = ", ".join(map(str, folder.damaged[:10])) + " …" * (len(folder.damaged) > 10)
            click.echo(f"blocks that were damaged, and played again: {which}", err=True)
        _go_on(self.ctx, self.runner, interrupted=bool(self.rendering.reached))

    def _write(self) -> None:
        folder, asked = self.runner.folder, self.asked
        if folder is not None:
            with noting_unwritten():
                folder.keep("results.json", manifest_text(self.results))
            with noting_unwritten():
                folder.keep("manifest.json", manifest_text(self.manifest()))
        if "manifest" in asked:
            with noting_unwritten():
                write_whole(Path(asked["manifest"]), manifest_text(self.manifest()))
        if "deposit" in asked:
            with noting_unwritten():
                self._deposit(Path(asked["deposit"]))
        if "report" in asked or "pictures" in asked:
            drawn = [(picture, svg_of(picture)) for picture in self.pictures]
            if "report" in asked:
                with noting_unwritten():
                    self._report(Path(asked["report"]), drawn)
            if "pictures" in asked:
                _write_pictures(Path(asked["pictures"]), drawn)

    def _report(self, path: Path, drawn: Sequence[tuple[Picture, str]]) -> None:
        from quadrille_plugins.studies.html import html_report

        text = html_report(
            title=self.study.title,
            compiled=self.compiled,
            blocks=self.rendering.blocks(True),
            pictures=drawn,
            manifest=self.manifest(),
        )
        write_whole(path, text)

    def _deposit(self, bundle: Path) -> None:
        from quadrille_plugins.studies.deposit import write_deposit

        drawn = [(p, svg_of(p)) for p in self.pictures] if drawable() else []
        write_deposit(
            bundle,
            manifest=self.manifest(),
            compiled=self.compiled,
            title=self.study.title,
            found=self.rendering.answers(),
            blocks=lambda: self.rendering.blocks(True),
            rows=self.rendering.rows,
            pictures=[
                one for p, svg in drawn for one in ((p, svg, "svg"), (p, pdf_of(svg), "pdf"))
            ],
        )
        if self.rendering.reached:
            _say(
                f"interrupted: {bundle} holds what was finished, as its README.md and "
                "CITATION.cff say"
            )


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
    for picture, svg in drawn:
        write_records(folder, [(f"{picture.name}.svg", svg), (f"{picture.name}.pdf", pdf_of(svg))])


# --- where its blocks are played and kept -------------------------------------------------------


def _runner_for(study: Study[Any], ctx: click.Context, asked: Json) -> Runner:
    """The runner of a study; raises UsageError for an executor there is not, and FolderError where
    the study folder cannot be used."""
    many = asked.get("workers") or os.cpu_count() or 1
    executor, folder = asked.get("executor"), None
    where = Placement(many) if executor is None else parse_executor(executor, many)
    resume, path = asked.get("resume", False), asked.get("study")
    if path is None and resume:
        raise UsageError.of("resume-without-study")
    again = _command(
        drop=("--block", "--resume"), add=(*(["--resume"] if path is not None else []), BLOCK)
    )
    number = asked.get("block")
    runner = Runner(where, None, again, None if number is None else Alone(number, click.echo))
    if path is not None:
        parameters = parameters_of(ctx, study.resolved)
        plan = {
            "command": ctx.command.name,
            "version": __version__,
            "parameters": {k: v for k, v in parameters.items() if k not in EXTENT | NO_NUMBER},
            "rule_sets": [identity_plain(c) for c in study.compiled],
            "files": own_digests(study.compiled),
            "code": code_digests(study.compiled),
        }
        extent = {k: v for k, v in parameters.items() if k in EXTENT}
        folder = runner.folder = StudyFolder(Path(path), plan, extent, resume=resume)
        ctx.call_on_close(folder.close)
        ctx.call_on_close(
            lambda: _go_on(ctx, runner, interrupted=stopping.received() or runner.full)
        )
        if resume:
            blocks = (
                f"{folder.found} blocks are there"
                if folder.found
                else "nothing is there, so it begins"
            )
            click.echo(f"the study in {path}: {blocks}", err=True)
    return runner


def _command(*, drop: Sequence[str], add: Sequence[str]) -> str:
    """The command line as typed, with some options changed, for the user to type."""
    kept: list[str] = []
    words = iter(typed.get())
    for word in words:
        if word.partition("=")[0] in drop:
            if word == "--block":
                next(words, None)
            continue
        kept.append(word)
    before = kept.index("--") if "--" in kept else len(kept)
    line = shlex.join(["quadrille", *kept[:before]])
    return " ".join([line, *add, shlex.join(kept[before:])]).rstrip()


def _go_on(ctx: click.Context, runner: Runner, *, interrupted: bool) -> None:
    """Say once how to go on with a study that was interrupted, whether or not it had anything to
    report."""
    if not interrupted or ctx.meta.get(_TOLD):
        return
    ctx.meta[_TOLD] = True
    told = "with --study FOLDER a study can be resumed where it was interrupted"
    if runner.folder is not None:
        told = f"go on from there: {_command(drop=('--resume',), add=('--resume',))}"
    with contextlib.suppress(OSError):  # the terminal may be gone
        click.echo(told, err=True)
