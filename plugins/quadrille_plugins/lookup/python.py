"""Commands worded for Python: the options of a function in its docstring, and errors that lead to what Python can do.

This module is what ``hookspecs.Features.quadrille_python`` hands to the Python interface.
"""

import re
import shlex
from collections.abc import Iterator
from dataclasses import replace
from inspect import cleandoc
from textwrap import fill
from typing import Any, Final

import click

from quadrille_core import features, resources
from quadrille_core.errors import Problem, QuadrilleError
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

_POINTS: Final = 'print(q.run("apparatus", REF)) lists the points of a rule set'

_LINE: Final = re.compile(r"`quadrille ([^`]+)`|\bquadrille ([a-z-]+(?: [^;,()`]+)?)")
_QUOTED: Final = re.compile(r"'--([a-z][a-z-]*)'")
_OPTION: Final = re.compile(r"""(?<![\w'-])--([a-z][a-z-]*)(?:[= ]("[^"]*"|[^\s;,()`]+))?""")
_METAVAR: Final = re.compile(r"[A-Z][A-Z_]+…?")
_NO_VALUE: Final = frozenset({"and", "or", "out"})


# --- errors -------------------------------------------------------------------------------------


def reword(error: QuadrilleError, command: str) -> None:
    """Let the messages and the help of an error that a call has raised speak of Python instead of the shell."""
    error.problems = tuple(_problem(p, command) for p in error.problems)
    error.args = ("\n".join(p.render() for p in error.problems),)


def _problem(problem: Problem, command: str) -> Problem:
    known = _command(command)
    if problem.message.startswith("No such option"):
        message = _QUOTED.sub(r"'\1'", re.sub(r"(, )?'--help'", "", problem.message))
        message = re.sub(r"(, )?'--(?:format|study|resume|block)'", "", message)
        message = re.sub(r"'[a-z-]+'", lambda m: m[0].replace("-", "_"), message.replace(": , ", ": "))
    else:
        message = in_python(problem.message, known)
    how = in_python(problem.help, known)
    if not how and not problem.line and problem.code in UNFOUND:
        how = _POINTS if problem.code == "Q401" else help_call(command)
    return replace(problem, message=message, help=how)


def help_call(command: str) -> str:
    """What shows in Python which arguments a command takes."""
    return f"help(q.{FUNCTIONS[command]})" if command in FUNCTIONS else f'q.run("{command}", help=True)'


def in_python(text: str, command: click.Command | None) -> str:
    """A text that speaks of commands, and of options of this one, in the words of Python; not what is for a shell."""
    if "in a shell" in text:
        return text

    def line(match: re.Match[str]) -> str:
        if match[1] is not None:
            return f"`{call(match[1]) or match[0][1:-1]}`"
        return call(match[2]) or match[0]

    pieces, at = [], 0
    for match in _LINE.finditer(text):
        pieces += [_options(text[at : match.start()], command), line(match)]
        at = match.end()
    return "".join([*pieces, _options(text[at:], command)])


def call(line: str) -> str:
    """A command line, without the program's name, as a call; empty for what is none, or is for a shell."""
    try:
        name, *words = shlex.split(line)
    except ValueError:
        return ""
    command = _command(name)
    if command is None or is_for_a_shell(command):
        return ""
    if words == ["--help"]:
        return help_call(name)
    arguments, options = [], []
    rest = iter(words)
    for word in rest:
        if word.startswith("--"):
            option, equals, value = word[2:].partition("=")
            given = True if _is_flag(command, option) else _value(value if equals else next(rest, ""))
            if option not in SHELL_ALONE:
                options.append(f"{option.replace('-', '_')}={given}")
        else:
            arguments.append(_value(word))
    function = FUNCTIONS.get(name)
    if not words and any(p.required for p in command.params):
        return f"q.{function}" if function else f'q.run("{name}", …)'
    if function == "load" and (len(arguments) > 1 or options):
        function = None
    given = ", ".join([*([] if function else [f'"{name}"']), *arguments, *options])
    made = f"q.{function or 'run'}({given})"
    return f"print({made})" if name in LISTS else made


def _command(name: str) -> click.Command | None:
    """The command of that name; None where there is none, or it cannot be loaded."""
    feature = features.features().get(name)
    try:
        return feature.command() if feature is not None and feature.is_command else None
    except QuadrilleError:
        return None


def _options(text: str, command: click.Command | None) -> str:
    """A text in which the options of a command stand as Python's arguments."""
    params = [] if command is None else [p for p in command.params if isinstance(p, click.Option)]
    known = {opt[2:] for p in params for opt in p.opts}

    def option(match: re.Match[str]) -> str:
        name, value = match[1], match[2] or ""
        if command is None or name not in known:
            return match[0]
        bare = name.replace("-", "_")
        after = match[0].partition(value)[0][-1] + value if value else ""
        if _is_flag(command, name):
            return f"{bare}=True{after}"
        ends = re.match(r"[;,.)]|$", text[match.end() :]) is not None
        if value and (re.match(r'"|[A-Z]{2}|\d', value) or "=" in value or (ends and value not in _NO_VALUE)):
            return f"{bare}={_value(value)}"
        return f"{bare}={after}"

    return _OPTION.sub(option, _QUOTED.sub(lambda m: f"'{m[1].replace('-', '_')}'" if m[1] in known else m[0], text))


def _is_flag(command: click.Command, option: str) -> bool:
    return any(isinstance(p, click.Option) and p.is_flag and f"--{option}" in p.opts for p in command.params)


def _value(word: str) -> str:
    """A word of a command line as Python writes it; what stands for a word stays as it is."""
    if word.isdigit() or _METAVAR.fullmatch(word):
        return word.removesuffix("…")
    bare = word.strip('"').replace('"', r"\"")
    return f'"{bare}"'


# --- help ---------------------------------------------------------------------------------------


def document(name: str, function: Any) -> None:
    """Add to a function's docstring what its options are, or what it takes; nothing where its command is missing."""
    more = _RESULT if name == "settle" else _options_of(name) if name in WITH_OPTIONS else ""
    if more:
        function.__doc__ = f"{cleandoc(function.__doc__)}\n\n{more}"


def _options_of(name: str) -> str:
    command = _command(name)
    if command is None:
        return ""
    context = click.Context(command)
    lines = [
        fill(f"{option}  {' '.join(told.split())}", 88, initial_indent="  ", subsequent_indent="      ")
        for option, told in _told(command, context)
    ]
    return "\n".join(["Options (a list repeats one; progress takes a function of two numbers, done and most):", *lines])


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
        yield f"{option.replace('-', '_')}={value}", in_python(record[1], command)


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
