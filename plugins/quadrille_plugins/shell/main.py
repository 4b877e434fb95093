"""``quadrille``: finds the command, and turns every error meant for users into a few lines on
stderr.

Command modules are imported only when their command runs, so that ``--help`` answers at once.
"""

import contextlib
import errno
import gc
import os
import sys
from collections.abc import Sequence
from typing import Any, Final, NoReturn

import click

from quadrille_core import __version__
from quadrille_core.diagnostics import command_of
from quadrille_core.errors import (
    Command,
    NotationError,
    Problem,
    QuadrilleError,
    UnreadableError,
    UnwrittenError,
    UsageError,
    did_you_mean,
)
from quadrille_core.harmless import one_line
from quadrille_core.resources import examples
from quadrille_plugins.shell import commands, stopping
from quadrille_plugins.shell.answer import FORMAT, Answer
from quadrille_plugins.shell.blocks import print_blocks
from quadrille_plugins.shell.files import command
from quadrille_plugins.shell.internal import INTERNAL, report_internal, typed, uncollected
from quadrille_plugins.shell.stopping import Done
from quadrille_plugins.shell.terminal import abandon_output, filled, for_stream, spelled_out

GROUPS: Final = ("Texts", "Studies", "Table", "Developers")
"""The groups of commands in their order; those of other features come after them."""
MOST_UNWRITTEN: Final = 10
"""Files that are named one by one when they cannot be written."""


class _Commands(click.Group):
    """The commands, imported one at a time."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All commands, the main job among them where it belongs."""
        del ctx
        return [f.name for f in commands.commands()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of a command and return it; None for a word that is none."""
        del ctx
        with uncollected():
            feature = commands.offers().get(cmd_name)
            return None if feature is None or not feature.is_command else feature.command()

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; for a word that is none, say which it may have been."""
        if args and not args[0].startswith("-"):
            feature = commands.offers().get(args[0])
            if feature is None or not feature.is_command:
                if now := former(args[0]):
                    raise UsageError.of("former-name", name=args[0], now=now)
                raise _unknown(args[0], self.list_commands(ctx))
        return super().resolve_command(ctx, args)

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The help, and after it the main job with two of the shipped profiles."""
        super().format_help_text(ctx, formatter)
        with formatter.indentation(), formatter.indentation(), formatter.indentation():
            formatter.write_paragraph()
            formatter.write_text(f"quadrille compare {' '.join(examples())}")

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands by groups, without importing them."""
        del ctx
        groups: dict[str, list[tuple[str, str]]] = {name: [] for name in GROUPS}
        for feature in commands.commands():
            groups.setdefault(feature.group, []).append((feature.name, feature.help))
        widest = max((len(name) for found in groups.values() for name, _ in found), default=0)
        for group, found in groups.items():
            if found:
                with formatter.section(group):
                    formatter.write_dl([(name.ljust(widest), told) for name, told in found])


def former(name: str) -> Command | None:
    """The command that took the place of a former one; None for any other word."""
    found = (f.former[name] for f in commands.offers().values() if name in f.former)
    return next(map(command_of, found), None)


def _unknown(name: str, known: Sequence[str]) -> UsageError:
    """The error of a word that is no command: why it is none, or which may have been meant."""
    feature = commands.offers().get(name)
    why = commands.not_installed()
    if feature is not None and not feature.is_there:
        why = feature.problem("feature-not-there")
    meant = did_you_mean(name, known) or Command("--help", how="help-lists")
    return UsageError.of("no-command", None if why else meant, name=name, why=why)


def _compile_all(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    """What ``--warmup`` does."""
    del param
    if value:
        if "kernel" not in commands.offers():
            raise commands.missing("kernel")
        with commands.wanting("kernel"):
            commands.offers()["kernel"].plugin.warm_up()
        ctx.exit()


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "color": True})
@click.version_option(__version__, prog_name="quadrille")
@click.option(
    "--warmup",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_compile_all,
    help="Compile the fast engine and the solver now, say where they are kept, and exit.",
)
def cli() -> None:
    """The variant rules of an 18th-century card game: compare, explain, settle, play.

    A rule set is named PROFILE[@FILE…][@WITNESS][+PLUGIN…]: a shipped profile (see `quadrille
    list`) or the path of a YAML file, texts of your own, one of its witnesses, and plugins added to
    it.  The main job:
    """


@cli.result_callback()
def show(answer: object, **given: object) -> object:
    """Print what a command came to in the format asked for, and return the exit status; what is no
    answer is passed on."""
    del given
    if not isinstance(answer, Answer):
        return answer
    fmt = answer.context.meta.get(FORMAT, "table")
    failed: OSError | None = None
    with answer.context.scope(cleanup=False), answer.around():
        try:
            _print(answer, fmt)
            sys.stdout.flush()
        except OSError as e:
            failed = e
        answer.after()
        if failed is not None:
            raise failed
    return answer.status


def _print(answer: Answer, fmt: str) -> None:
    if sys.stdout is None:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))
    if fmt != "table":
        click.echo(for_stream(answer.text(fmt), fmt, sys.stdout), nl=False)
    elif fmt in answer.texts:
        click.echo(answer.texts[fmt](), nl=False)
    else:
        print_blocks(answer.blocks())


def main(args: Sequence[str] | None = None) -> None:
    """Run the command line and exit.

    0 clean, 1 findings, 2 misuse or unreadable input, 3 a file not written, 70 an internal error.
    """
    gc.set_threshold(
        50_000, 20, 20
    )  # a command makes much that stays: by default it is searched a hundred times over
    os.environ.setdefault(
        "PYTHONSAFEPATH", "1"
    )  # a worker that is no fork would look for modules in this folder first
    stopping.listen()
    try:
        status = run(args)
        stopping.listen(lambda number, frame: stopping.leave(status))  # all is said and done
    except (
        KeyboardInterrupt
    ):  # before the command begins, or once more while it says that it was interrupted
        stopping.end(stopping.status() - 128)
    if stopping.received() and stopping.still_playing():
        _leave(status)  # nobody waits for what is still played and would be thrown away
    # a last search of all that Numba has made for garbage would take a quarter of a second
    gc.freeze()
    sys.exit(status)


def _leave(status: int) -> NoReturn:
    """End the process at once, with what it has printed."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            stream.flush()
    stopping.leave(status)


def run(args: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status."""
    given = sys.argv[1:] if args is None else list(args)
    stopping.forget()
    typing = typed.set(tuple(given))
    try:
        with spelled_out():
            with command() as files:
                try:
                    status = _run(given)
                except Exception as e:
                    report_internal(e, given)
                    status = INTERNAL
            return _and_unwritten(files.unwritten, status)
    finally:
        typed.reset(typing)


def _and_unwritten(unwritten: Sequence[Problem], status: int) -> int:
    """Name the files that could not be written, after everything else; the status that says so."""
    if not unwritten:
        return status
    try:
        sys.stdout.flush()
    except (AttributeError, OSError, ValueError):
        abandon_output()
    lines = [p.render() for p in unwritten[:MOST_UNWRITTEN]]
    if len(unwritten) > MOST_UNWRITTEN:
        lines.append(f"and {len(unwritten) - MOST_UNWRITTEN} more files cannot be written")
    click.echo(filled("\n".join(lines)), err=True)
    return 3 if status in (0, 1, 129, 130, 143) else status


def _run(args: list[str]) -> int:
    try:
        status: Any = cli.main(args=args, prog_name="quadrille", standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
    except click.exceptions.Exit as e:
        return e.exit_code
    except click.ClickException as e:
        e.show(sys.stderr)
        return 2
    except (click.Abort, KeyboardInterrupt) as e:
        if isinstance(e.__cause__, EOFError):
            # click takes the end of a broken file for the user's wish to stop
            raise e.__cause__ from None
        with contextlib.suppress(OSError):  # the terminal may be gone, which is what it was told
            click.echo("interrupted", err=True)
        return stopping.status()
    except Done:
        return 0
    except QuadrilleError as e:
        click.echo(filled("\n".join(p.render() for p in e.problems)), err=True)
        if isinstance(e, UnwrittenError):
            return 3
        return 2 if isinstance(e, (UnreadableError, UsageError, NotationError)) else 1
    except BrokenPipeError:
        abandon_output()  # the reader went away, as `head` does
        return 0
    except OSError as e:
        abandon_output()
        if stopping.received():
            return stopping.status()
        with contextlib.suppress(OSError):
            where = "the output" if e.filename is None else one_line(str(e.filename))
            click.echo(filled(f"Q802 {where} cannot be written: {e.strerror or e}"), err=True)
        return 2
    return status if isinstance(status, int) else 0
