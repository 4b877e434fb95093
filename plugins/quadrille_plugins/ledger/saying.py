"""What the command line says of a deal: a file, options, a misdeal, or answers on a terminal."""

import sys
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final, TypeVar, get_args

import click

from quadrille_core.errors import Place, Problem, ResultError, UsageError
from quadrille_core.profile import LocatedMap, place_at
from quadrille_core.rules import PayItem, VoleLevel
from quadrille_plugins.ledger.answers import SIDE, Table, with_full_names
from quadrille_plugins.ledger.asking import ask
from quadrille_plugins.ledger.journal import Fact
from quadrille_plugins.settle.possible import Locate
from quadrille_plugins.writing.commands import read_input

F = TypeVar("F", bound=Callable[..., Any])
TableOf = Callable[[str | None], Table]
"""The rules and the start of the deal spoken of, for who dealt it."""

_OPTIONS: Final = (
    ("--contract", {"metavar": "BID", "help": "The contract, such as solo."}),
    ("--trump", {"metavar": "SUIT", "help": "The trump suit, where there is one."}),
    ("--favourite", {"metavar": "SUIT", "help": "The favourite suit, where the rules draw one."}),
    ("--hombre", {"metavar": "NAME", "help": "Who played the game. Names in any case; a unique beginning is enough."}),
    ("--ally", {"metavar": "NAME", "help": "The ally; none where Hombre called a king of her own."}),
    ("--surrendered", {"metavar": "NAME", "help": "Who gave up the called card, where cards are exchanged."}),
    (
        "--tricks",
        {
            "multiple": True,
            "metavar": "[NAME=]N",
            "help": "Tricks: a number alone is what Hombre's side made; NAME=N, repeated, names each player's.",
        },
    ),
    ("--matadors", {"type": click.IntRange(0, 4), "help": "Unbroken top trumps of Hombre's side."}),
    ("--adversary-matadors", {"type": click.IntRange(0, 4), "help": "The same of the adversaries."}),
    ("--premiers", {"is_flag": True, "default": None, "help": "Hombre's side took the first six tricks."}),
    ("--vole", {"type": click.Choice(get_args(VoleLevel)), "help": "How the vole was played for."}),
    (
        "--claim",
        {
            "multiple": True,
            "type": click.Choice(get_args(PayItem)),
            "help": "An item claimed in time.",
        },
    ),
    (
        "--incident",
        {"multiple": True, "metavar": "NAME=PLAYER", "help": "An irregularity with a price, and who did it."},
    ),
)


def fact_options(f: F) -> F:
    """Add RESULT and what may stand for it: each of its fields, a deal that all passed, a misdeal; and who dealt."""
    f = click.option("--ask", "asked", is_flag=True, help="Ask for whatever is not given, as on a terminal.")(f)
    f = click.option("--dealer", metavar="NAME", help="Who dealt, where it was not who should have.")(f)
    f = click.option("--void", metavar="REASON", help="A misdeal: nothing moves, and the same dealer deals again.")(f)
    f = click.option("--passed", is_flag=True, help="All passed, and the rules deal anew.")(f)
    for name, how in reversed(_OPTIONS):
        f = click.option(name, **how)(f)
    return click.argument("result", required=False)(f)


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
    answers = _answers(options)
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
    return (*_from_file(result), False)


def _from_file(name: str) -> tuple[Fact, Locate]:
    root = read_input(name)
    if not isinstance(root, LocatedMap):
        message = "a result is a mapping of keys such as contract, hombre and tricks"
        raise ResultError(Problem("Q203", message, place_at(root, [])))
    data = root.to_plain()

    def place(key: str) -> Place | None:
        # a fault may lie with one player's tricks (`tricks.NAME`); names may hold dots
        return place_at(root, key.split(".", 1) if key not in data else [key])

    return Fact("result", data), place


def _answers(options: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a result that the options give."""
    found = {k: v for k, v in options.items() if v is not None and not isinstance(v, tuple)}
    number = partial(_pair, "--tricks", "a number, or NAME=NUMBER, such as --tricks 6")
    tricks: dict[str, int] = {}
    for text in options.get("tricks", ()):
        name, made = (SIDE, text.strip()) if "=" not in text else number(text)
        if not (made.isascii() and made.isdigit() and len(made) < 4):
            raise UsageError(f"--tricks {text[:40]!r} gives no number", help="write --tricks 6, or --tricks NAME=6")
        if name in tricks:
            raise UsageError(f"--tricks gives {name or 'Hombre’s side'} a number twice", help="give it once")
        tricks[name] = int(made)
    if tricks:
        found["tricks"] = tricks
    if options.get("claim"):
        found["claims"] = list(options["claim"])
    incidents: dict[str, list[str]] = {}
    for text in options.get("incident", ()):
        name, who = _pair("--incident", "NAME=PLAYER", text)
        incidents.setdefault(name, []).append(who)
    if incidents:
        found["incidents"] = incidents
    return found


def _pair(option: str, form: str, text: str) -> tuple[str, str]:
    name, equals, value = text.rpartition("=")
    if not equals or not name.strip() or not value.strip():
        raise UsageError(f"{option} {text[:40]!r} is incomplete", help=f"write {form}")
    return name.strip(), value.strip()
