"""Options and arguments that several commands share, and how results leave."""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import wraps
from inspect import signature
from pathlib import Path
from typing import Any, Final, TypeVar

import click
from click.core import ParameterSource

from quadrille_core.diagnostics import SHELL
from quadrille_core.errors import Command, Option, UnreadableError, UsageError
from quadrille_core.kinds import KINDS
from quadrille_core.profile import RECORD_LIMITS, load_file, load_text
from quadrille_core.ruleset import Compiled, compile_reference
from quadrille_plugins.shell.answer import FORMAT, IN_A_SHELL, caller
from quadrille_plugins.shell.citing import CHOSEN
from quadrille_plugins.shell.terminal import takes_unicode
from quadrille_plugins.shell.writing import claim

A_PATH: Final = click.Path(path_type=Path)
F = TypeVar("F", bound=Callable[..., Any])
Repeated = tuple[str, ...]
"""What an option or argument that may be repeated was given, each time."""

MOST_READ: Final = 256 * 1024
"""Bytes of standard input."""
MODE: Final = "quadrille.mode"
"""Where a command keeps the names of the parameters that its mode takes."""


def formats(*names: str, help: str = "How to print the result.") -> Callable[[F], F]:
    """Add ``--format`` with these formats, the first by default; whoever shows the answer finds
    it."""
    return click.option(
        "--format",
        type=click.Choice(names),
        default=names[0],
        show_default=True,
        help=help,
        expose_value=False,
        callback=_note_format,
    )


def chosen_format() -> str:
    """The format that was asked for."""
    return str(click.get_current_context().meta.get(FORMAT, "table"))


def yaml_text(data: Any) -> str:
    """Data as YAML, in what standard output can write."""
    import yaml

    return str(yaml.safe_dump(data, sort_keys=False, allow_unicode=takes_unicode(sys.stdout)))


def _note_format(ctx: click.Context, param: click.Parameter, value: str) -> str:
    del param
    ctx.meta[FORMAT] = value
    return value


format_option = formats("table", "json", "csv")
seed_option = click.option(
    "--seed",
    type=click.IntRange(0, 2**63 - 1),
    default=1,
    show_default=True,
    help="Seed of the deals.",
)


def refine_options(f: F) -> F:
    """Add ``--reading`` and ``--set``, which refine the rule sets named."""
    f = click.option(
        "--set",
        "sets",
        multiple=True,
        metavar="PATH=VALUE",
        help="Set a rule by hand; may be repeated. N:PATH=VALUE sets it in the N-th rule set only.",
    )(f)
    return click.option(
        "--reading",
        "readings",
        multiple=True,
        metavar="POINT=READING",
        help="Choose a reading; may be repeated. N:POINT=READING chooses it in the N-th rule set "
        "only.",
    )(f)


def typed_options() -> Iterator[click.Parameter]:
    """The options and arguments that were given to the command that runs."""
    ctx = click.get_current_context()
    typed_here = ParameterSource.COMMANDLINE
    return (p for p in ctx.command.params if ctx.get_parameter_source(p.name or "") is typed_here)


def run_mode(mode: Callable[..., Any], *chosen_by: str, without: Sequence[str] = ()) -> Any:
    """Run one mode of a command with the options that its function names, but for those of
    ``without``.

    ``chosen_by`` are the options that chose it.

    Raises UsageError for an option that was given and belongs to another mode.
    """
    ctx = click.get_current_context()
    taken = signature(mode).parameters
    fitting = {*taken, *chosen_by} - {*without}
    for option in typed_options():
        if option.expose_value and fitting.isdisjoint({option.name, option.opts[0]}):
            named = option.opts[0] if isinstance(option, click.Option) else _argument(option)
            raise _does_nothing(named, chosen_by, ctx.command.name or "")
    ctx.meta[MODE], ctx.meta[CHOSEN] = frozenset(taken), chosen_by
    return mode(**{name: ctx.params[name] for name in taken})


def _argument(param: click.Parameter) -> str:
    """``REF``: an argument as its command's help has it, without what says how many."""
    return param.human_readable_name.strip("[]…")


def _does_nothing(option: str, others: Sequence[str], command: str) -> UsageError:
    """The error of an option, or argument, that does nothing with those others."""
    named, *rest = (Option(o[2:]) if o.startswith("--") else o for o in (option, *others))
    takes = Command(command, options=(Option("help"),))
    if not rest:
        return UsageError.of("option-does-nothing", option=named, command=takes)
    return UsageError.of(
        "option-does-nothing-with", option=named, command=takes, others=tuple(rest)
    )


def joined(ctx: click.Context, param: click.Parameter, value: Sequence[str]) -> str | None:
    """A callback: the words of an argument as one text, which a manifest records as such."""
    del ctx, param
    return " ".join(value) or None


SUCH_AS: Final = {"PATH=VALUE": "--set stakes.unit=3", "POINT=READING": "--reading unit=fixed"}


def _split(text: str, what: str) -> tuple[int | None, str, str]:
    which, colon, rest = text.partition(":")
    number = (
        int(which) if colon and which.isascii() and which.isdigit() and len(which) < 4 else None
    )
    body = rest if number is not None else text
    name, equals, value = body.partition("=")
    if not equals or not name.strip():
        raise UsageError.of("malformed-pair", text=text, what=what, such_as=SUCH_AS[what])
    return number, name.strip(), value.strip()


def parse_value(text: str) -> Any:
    """A rule's value as YAML writes it: ``4``, ``true``, ``9/2``, ``[premium, matadors]``."""
    return load_text(text, "--set").to_plain() if text else ""


def compile_all(
    references: Sequence[str],
    readings: Sequence[str],
    sets: Sequence[str],
    in_file: Mapping[str, str] | None = None,
) -> list[Compiled]:
    """Compile every rule set named, with the readings and rules chosen by hand.

    ``in_file`` holds readings that a file chooses besides; the command line goes before them.

    Raises UsageError for a malformed option or one that names no rule set.
    """
    chosen = [_split(r, "POINT=READING") for r in readings]
    set_by_hand = [
        (n, path, parse_value(value)) for n, path, value in (_split(s, "PATH=VALUE") for s in sets)
    ]
    for number, *_ in (*chosen, *set_by_hand):
        if number is not None and not 1 <= number <= len(references):
            raise UsageError.of(
                "no-rule-set-of-that-number", number=number, references=len(references)
            )
    compiled = []
    for i, reference in enumerate(references, 1):
        by_hand = {p: r for n, p, r in chosen if n in (None, i)}
        compiled.append(
            compile_reference(
                reference,
                readings={**(in_file or {}), **by_hand},
                settings={p: v for n, p, v in set_by_hand if n in (None, i)},
            )
        )
    return compiled


def check_comparable(compiled: Sequence[Compiled]) -> None:
    """Raise UsageError unless all rule sets are of one kind of game."""
    other = next((c for c in compiled if c.kind != compiled[0].kind), None)
    if other is not None:
        first = compiled[0]
        raise UsageError.of(
            "no-rule-in-common",
            profile=first.identity.profile,
            article=KINDS[first.kind].article,
            profile2=other.identity.profile,
            article2=KINDS[other.kind].article,
        )


def can_ask() -> bool:
    """Whether somebody is there to be asked: at a terminal, and not where the command was called
    from Python."""
    return caller() is None and sys.stdin is not None and sys.stdin.isatty()


def in_a_shell(f: F) -> F:
    """Mark a command that waits for its user: called from Python it is refused, and says how to
    start it in a shell."""

    @wraps(f)
    def refusing(*args: Any, **given: Any) -> Any:
        refuse_in_python("runs until its user ends it")
        return f(*args, **given)

    setattr(refusing, IN_A_SHELL, True)
    return refusing  # type: ignore[return-value]


def refuse_in_python(why: str) -> None:
    """Raise UsageError where the command was called from Python, which it cannot be, since it does
    this."""
    if (python := caller()) is not None:
        raise UsageError.of(
            "not-run-from-python", name=python.line.name, why=why, line=SHELL.command(python.line)
        )


def read_input(name: str) -> Any:
    """Load a YAML or JSON file strictly, or standard input for ``-``; returns located values."""
    if name == "-":
        if (python := caller()) is not None and python.text is not None:
            return load_text(python.text.encode(), "<mapping>", limits=RECORD_LIMITS)
        if sys.stdin is None:
            raise UnreadableError.of("standard-input-closed")
        return load_text(sys.stdin.buffer.read(MOST_READ + 1), "<stdin>", limits=RECORD_LIMITS)
    return load_file(Path(name), limits=RECORD_LIMITS)


def claim_option(ctx: click.Context, param: click.Parameter, path: Path | None) -> Path | None:
    """The callback of an option that names a file to write: what must not be replaced is refused
    before the work."""
    del ctx
    if path is not None:
        claim(path, param.opts[0])
    return path
