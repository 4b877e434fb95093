"""``--study``, ``--resume`` and ``--executor``: where a study's blocks are played, kept and taken
up again."""

import contextlib
import os
import shlex
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import click

from quadrille_core import __version__, stopping
from quadrille_core.cli.internal import typed
from quadrille_core.errors import (
    Option,
    UnreadableError,
    UnwrittenError,
    UsageError,
)
from quadrille_core.ruleset import Compiled
from quadrille_plugins.studies.manifest import identity_plain, own_digests
from quadrille_plugins.studies.options import STUDY_RUNNER, parameters_of
from quadrille_plugins.studies.runner.code import code_digests
from quadrille_plugins.studies.runner.executors import EXECUTORS
from quadrille_plugins.studies.runner.folder import StudyFolder
from quadrille_plugins.studies.runner.run import BLOCK, Alone, Runner
from quadrille_plugins.studies.runner.where import Placement, parse_executor

F = TypeVar("F", bound=Callable[..., Any])

_ASKED: Final = "quadrille.running"
_TOLD: Final = "quadrille.told"
EXTENT: Final = frozenset({"deals", "sessions", "configurations", "at_most"})
"""Parameters that say how much of a study is wanted: one in a folder may be enlarged."""
NO_NUMBER: Final = frozenset({"engine"})
"""Parameters that change no number."""


class _Folder(click.Path):
    """A folder that has a name: the empty one would be the current folder."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Convert as ``click.Path`` does; raises UsageError for an empty name."""
        if not os.fspath(value):
            raise UsageError.of(
                "option-names-no-folder", option=Option("study"), study2=Option("study", ".")
            )
        return super().convert(value, param, ctx)


def _doubting(f: F) -> F:
    """The command; where it fails on blocks that it has read back, these are named and not the
    program."""

    @wraps(f)
    def command(*args: Any, **named: Any) -> Any:
        try:
            return f(*args, **named)
        except (
            UsageError,
            UnwrittenError,
            UnreadableError,
            click.ClickException,
            click.exceptions.Exit,
            click.Abort,
        ):
            raise
        except (OSError, MemoryError):
            raise
        except Exception as e:
            runner: Runner | None = click.get_current_context().meta.get(STUDY_RUNNER)
            if (
                runner is None
                or runner.failed
                or runner.folder is None
                or not runner.folder.read_back
            ):
                raise
            raise runner.folder.doubted(e) from e

    return cast("F", command)


def running_options(f: F) -> F:
    """Add ``--study``, ``--resume``, ``--executor`` and ``--block``; ``runner_for`` finds them."""
    f = _doubting(f)
    for name, settings in (
        (
            "block",
            {
                "type": click.IntRange(0, 10**9),
                "help": "Only play this block of the study, in this process: to see what is "
                "wrong with it.",
                "hidden": True,
            },
        ),
        (
            "executor",
            {
                "metavar": "|".join(EXECUTORS) + "[:ADDRESS]",
                "help": "Who plays the blocks: threads or processes of this machine, or a Dask "
                "cluster; the results do not depend on it.  [default: what suits the engine]",
            },
        ),
        ("resume", {"is_flag": True, "help": "Go on with the study in the folder of --study."}),
        (
            "study",
            {
                "type": _Folder(file_okay=False, path_type=Path),
                "metavar": "FOLDER",
                "help": "Keep what is finished in this folder, so that the study can be resumed "
                "and enlarged.",
            },
        ),
    ):
        f = click.option(f"--{name}", name, expose_value=False, callback=_note, **settings)(f)
    return f


def _note(ctx: click.Context, param: click.Parameter, value: Any) -> None:
    ctx.meta.setdefault(_ASKED, {})[param.name] = value


def is_kept() -> bool:
    """Whether this study is kept in a folder."""
    return click.get_current_context().meta.get(_ASKED, {}).get("study") is not None


def runner_for(
    compiled: Sequence[Compiled],
    workers: int | None,
    resolved: Mapping[str, Any] | None = None,
) -> Runner:
    """The runner of this command's study of these rule sets, the named ones first.

    ``resolved`` are parameters whose value the command has settled, by name.  Raises UsageError for
    an executor there is not, and FolderError where the study folder cannot be used.
    """
    ctx = click.get_current_context()
    asked: dict[str, Any] = ctx.meta.get(_ASKED, {})
    many = workers or os.cpu_count() or 1
    where = (
        Placement(many)
        if asked.get("executor") is None
        else parse_executor(asked["executor"], many)
    )
    path: Path | None = asked.get("study")
    if path is None and asked.get("resume"):
        raise UsageError.of("option-needs-the-study-to-go", option=Option("resume"))
    folder = None
    if path is not None:
        parameters = parameters_of(ctx, resolved or {})
        plan = {
            "command": ctx.command.name,
            "version": __version__,
            "parameters": {k: v for k, v in parameters.items() if k not in EXTENT | NO_NUMBER},
            "rule_sets": [identity_plain(c) for c in compiled],
            "files": own_digests(compiled),
            "code": code_digests(compiled),
        }
        extent = {k: v for k, v in parameters.items() if k in EXTENT}
        folder = StudyFolder(path, plan, extent, resume=bool(asked.get("resume")))
        ctx.call_on_close(folder.close)
        ctx.call_on_close(lambda: _go_on(ctx, interrupted=stopping.received() or runner.full))
        if asked.get("resume"):
            blocks = (
                f"{folder.found} blocks are there"
                if folder.found
                else "nothing is there, so it begins"
            )
            click.echo(f"the study in {path}: {blocks}", err=True)
    number = asked.get("block")
    alone = None if number is None else Alone(number, click.echo)
    runner = Runner(
        where, folder, _command(drop=("--block", "--resume"), add=_resuming(path, BLOCK)), alone
    )
    ctx.meta[STUDY_RUNNER] = runner
    return runner


def _resuming(path: Path | None, *more: str) -> tuple[str, ...]:
    return (*(("--resume",) if path is not None else ()), *more)


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


def ending(runner: Runner, *, interrupted: bool) -> int:
    """The exit status of a study, after a word on damaged blocks and on how to go on where it was
    interrupted."""
    folder = runner.folder
    if folder is not None and folder.damaged:
        which = ", ".join(map(str, folder.damaged[:10])) + (
            " …" if len(folder.damaged) > 10 else ""
        )
        click.echo(f"blocks that were damaged, and played again: {which}", err=True)
    _go_on(click.get_current_context(), interrupted=interrupted)
    return stopping.status() if interrupted else 0


def _go_on(ctx: click.Context, *, interrupted: bool) -> None:
    """Say once how to go on with a study that was interrupted, whether or not it had anything to
    report."""
    if not interrupted or ctx.meta.get(_TOLD):
        return
    ctx.meta[_TOLD] = True
    runner: Runner = ctx.meta[STUDY_RUNNER]
    with contextlib.suppress(OSError):  # the terminal may be gone
        if runner.folder is not None:
            click.echo(
                f"go on from there: {_command(drop=('--resume',), add=('--resume',))}", err=True
            )
        else:
            click.echo(
                "with --study FOLDER a study can be resumed where it was interrupted", err=True
            )
