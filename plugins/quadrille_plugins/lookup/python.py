"""Commands worded for Python: the options of a function in its docstring, and errors that lead to
what Python can do.

This module is what ``hookspecs.Features.quadrille_python`` hands to the Python interface.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from inspect import cleandoc
from textwrap import fill
from typing import Any, Final

import click

from quadrille_core import features, resources
from quadrille_core.diagnostics import Door
from quadrille_core.errors import Command as ShellCommand
from quadrille_core.errors import Hint, Option, Phrase, Problem, QuadrilleError
from quadrille_plugins.output.commands import is_for_a_shell

FUNCTIONS: Final = {
    "show": "load",
    **{name: name for name in ("compare", "deal", "diff", "explain", "list", "matters", "settle")},
}
"""The functions of the Python interface, by the command that each runs."""
WITH_OPTIONS: Final = frozenset({"compare", "deal", "matters"})
"""Those that take the options of their command."""
LISTS: Final = frozenset({"apparatus", "diff", "explain", "list", "show"})
"""Commands that are named to be read: Python prints their result."""
SHELL_ALONE: Final = frozenset({"format", "study", "resume", "block"})
"""Options that Python does not take."""
UNFOUND: Final = frozenset({"Q101", "Q401", "Q605", "Q802"})
"""Errors that lead to the help of the function where they have no better."""

_POINTS: Final = Phrase(
    "lists-points-of-a-rule-set", {"command": ShellCommand("apparatus", ("REF",))}
)

_OPTION: Final = re.compile(r"""(?<![\w'-])--([a-z][a-z-]*)""")
_METAVAR: Final = re.compile(r"[A-Z][A-Z_]+…?")


# --- errors -------------------------------------------------------------------------------------


class InPython(Door):
    """Speaks of commands as calls, and of the options of one command as its arguments."""

    kind = "python"

    def __init__(self, command: str) -> None:
        self.name = command

    def command(self, command: ShellCommand) -> str:
        """The call that does what a command does; as it is typed in a shell, where there is
        none."""
        return call(command) or super().command(command)

    def option(self, option: Option) -> str:
        """The argument that an option is; a flag is set to True."""
        bare = option.name.replace("-", "_")
        if option.value:
            return f"{bare}={_value(option.value)}"
        known = _command(self.name)
        return f"{bare}=True" if known is not None and _is_flag(known, option.name) else bare


def reword(error: QuadrilleError, command: str) -> None:
    """Let an error that a call has raised speak of Python instead of the shell."""
    door = InPython(command)
    error.problems = tuple(
        replace(p, door=door, hint=p.hint if p.help else _led_on(p, command))
        for p in error.problems
    )
    error.args = ("\n".join(p.render() for p in error.problems),)


def _led_on(problem: Problem, command: str) -> Hint | None:
    """Where an error that has no hint leads to."""
    if problem.line or problem.code not in UNFOUND:
        return None
    return _POINTS if problem.code == "Q401" else ShellCommand(command, options=(Option("help"),))


def help_call(command: str) -> str:
    """What shows in Python which arguments a command takes."""
    return (
        f"help(q.{FUNCTIONS[command]})"
        if command in FUNCTIONS
        else f'q.run("{command}", help=True)'
    )


def call(line: ShellCommand) -> str:
    """A command as a call; empty for what is none, or is for a shell."""
    command = _command(line.name)
    if command is None or is_for_a_shell(command):
        return ""
    if line.options == (Option("help"),):
        return help_call(line.name)
    function = FUNCTIONS.get(line.name)
    if not line.arguments and not line.options and any(p.required for p in command.params):
        return f"q.{function}" if function else f'q.run("{line.name}", …)'
    arguments = [_value(word) for word in line.arguments]
    options = [
        f"{o.name.replace('-', '_')}={True if _is_flag(command, o.name) else _value(o.value)}"
        for o in line.options
        if o.name not in SHELL_ALONE
    ]
    if function == "load" and (len(arguments) > 1 or options):
        function = None
    given = ", ".join([*([] if function else [f'"{line.name}"']), *arguments, *options])
    made = f"q.{function or 'run'}({given})"
    return f"print({made})" if line.name in LISTS else made


def _command(name: str) -> click.Command | None:
    """The command of that name; None where there is none, or it cannot be loaded."""
    feature = features.features().get(name)
    try:
        return feature.command() if feature is not None and feature.is_command else None
    except QuadrilleError:
        return None


def _is_flag(command: click.Command, option: str) -> bool:
    return any(
        isinstance(p, click.Option) and p.is_flag and f"--{option}" in p.opts
        for p in command.params
    )


def _value(word: str) -> str:
    """A word of a command line as Python writes it; what stands for a word stays as it is."""
    if word.isdigit() or _METAVAR.fullmatch(word):
        return word.removesuffix("…")
    bare = word.strip('"').replace('"', r"\"")
    return f'"{bare}"'


# --- help ---------------------------------------------------------------------------------------


def document(name: str, function: Any) -> None:
    """Add to a function's docstring what its options are, or what it takes; nothing where its
    command is missing."""
    more = _RESULT if name == "settle" else _options_of(name) if name in WITH_OPTIONS else ""
    if more:
        function.__doc__ = f"{cleandoc(function.__doc__)}\n\n{more}"


def _options_of(name: str) -> str:
    command = _command(name)
    if command is None:
        return ""
    context = click.Context(command)
    lines = [
        fill(
            f"{option}  {' '.join(told.split())}",
            88,
            initial_indent="  ",
            subsequent_indent="      ",
        )
        for option, told in _told(command, context)
    ]
    return "\n".join(
        [
            (
                "Options (a list repeats one; progress takes a function of two numbers, done and "
                "most):"
            ),
            *lines,
        ]
    )


def _told(command: click.Command, context: click.Context) -> Iterator[tuple[str, str]]:
    """Each option as Python takes it, and what it does."""
    for param in command.params:
        record = param.get_help_record(context) if isinstance(param, click.Option) else None
        if record is None:
            continue
        first, _, metavar = record[0].partition(" ")
        option = first.rstrip(",/").removeprefix("--")
        if option in SHELL_ALONE:
            continue
        value = "True" if _is_flag(command, option) else metavar
        told = _OPTION.sub(lambda found: found[1].replace("-", "_"), record[1])
        yield f"{option.replace('-', '_')}={value}", told


_RESULT: Final = f"""\
A result has these keys (docs/commands.md has all):

  q.settle({{
      "rules": "{resources.examples()[0]}",
      "players": ["A", "B", "C", "D"],     # the eldest hand first, the dealer last
      "pool": 12,                          # with this deal's antes in
      "contract": "solo",
      "trump": "hearts",
      "hombre": "A",
      "tricks": {{"A": 6, "B": 2, "D": 2}},
      "matadors": 3,                       # of the Hombre's side, from Spadille down
      "premiers": True,                    # the first six tricks
  }})"""
