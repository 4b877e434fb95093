"""What the command line says of a deal: a file, options, a misdeal, or answers on a terminal."""

import sys
from collections.abc import Callable
from typing import Any, TypeVar

import click

from quadrille_core.errors import Place, Problem, ResultError, UsageError
from quadrille_core.profile import LocatedMap, place_at
from quadrille_plugins.ledger.answers import Table
from quadrille_plugins.ledger.asking import ask
from quadrille_plugins.ledger.journal import Fact
from quadrille_plugins.settle.answers import SIDE, answers_of, result_options, with_full_names
from quadrille_plugins.settle.possible import Locate
from quadrille_plugins.writing.commands import read_input

F = TypeVar("F", bound=Callable[..., Any])
TableOf = Callable[[str | None], Table]
"""The rules and the start of the deal spoken of, for who dealt it."""


def fact_options(f: F) -> F:
    """Add RESULT and what may stand for it: each of its fields, a deal that all passed, a misdeal; and who dealt."""
    f = click.option("--ask", "asked", is_flag=True, help="Ask for whatever is not given, as on a terminal.")(f)
    f = click.option("--dealer", metavar="NAME", help="Who dealt, where it was not who should have.")(f)
    f = click.option("--void", metavar="REASON", help="A misdeal: nothing moves, and the same dealer deals again.")(f)
    f = click.option("--passed", is_flag=True, help="All passed, and the rules deal anew.")(f)
    return click.argument("result", required=False)(result_options(f))


def said(
    table_of: TableOf,
    *,
    result: str | None,
    passed: bool,
    void: str | None,
    dealer: str | None,
    asked: bool,
    **options: Any,
) -> tuple[Fact, Locate | None, bool]:
    """The deal, where its faults would stand, and whether it was asked for question by question.

    Raises UsageError for a command line that names no deal, or two.
    """
    answers = answers_of(options)
    given = (result is not None) + passed + (void is not None) + bool(answers or asked)
    if not given and sys.stdin is not None and sys.stdin.isatty():
        given, asked = 1, True
    if given != 1:
        hint = "say --contract, --hombre, --tricks …, or name a file (`-` reads standard input), or --passed, or --void"
        raise UsageError("give the result of one deal", help=hint)
    if asked:
        table = table_of(dealer)
        return ask(table, with_full_names(answers, table.start.names)), None, True
    if answers:
        table = table_of(dealer)
        data = with_full_names(answers, table.start.names)
        if data.get("hombre") and data.get("contract"):
            data = table.completed(data)
        data.get("tricks", {}).pop(SIDE, None)
        return Fact("result", data), None, False
    if void is not None and not void.strip():
        raise UsageError("a misdeal has a reason", help='such as --void "a card faced"')
    if result is None:
        return Fact("passed" if passed else "void", note=(void or "").strip()), None, False
    return (*_from_file(result, lambda: table_of(dealer)), False)


def _from_file(name: str, table: Callable[[], Table]) -> tuple[Fact, Locate]:
    """The result that a file tells; a number for ``tricks`` is what Hombre's side made, as among the options."""
    root = read_input(name)
    if not isinstance(root, LocatedMap):
        message = "a result is a mapping of keys such as contract, hombre and tricks"
        raise ResultError(Problem("Q203", message, place_at(root, [])))
    data = root.to_plain()
    made = data.get("tricks")
    if isinstance(made, int) and not isinstance(made, bool) and data.get("hombre") and data.get("contract"):
        data = table().completed({**data, "tricks": {SIDE: made}}, such="tricks: {{{}: 4, {}: 2}}")

    def place(key: str) -> Place | None:
        # a fault may lie with one player's tricks (`tricks.NAME`); names may hold dots
        return place_at(root, key.split(".", 1) if key not in data else [key])

    return Fact("result", data), place
