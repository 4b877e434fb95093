"""What the command line says of a deal: a file, options, a misdeal, or answers on a terminal."""

from collections.abc import Callable, Mapping
from dataclasses import field, replace
from functools import partial
from typing import Any, TypeVar

import click

from quadrille_core.errors import PlaceAt, ResultError, UsageError, nowhere
from quadrille_core.frozen import frozen
from quadrille_core.profile import LocatedMap, place_at
from quadrille_plugins.ledger.answers import Table
from quadrille_plugins.ledger.asking import ask
from quadrille_plugins.ledger.journal import UNPLAYED, Fact
from quadrille_plugins.settle.answers import (
    answers_of,
    result_options,
    split_told,
    with_all_faults,
    with_full_names,
)
from quadrille_plugins.settle.by_options import (
    SIDE,
    assumed,
    changed,
    options_spoken_of,
    refuse_unsaid_ally,
)
from quadrille_plugins.settle.player_names import composed_data
from quadrille_plugins.settle.result_file import in_ids
from quadrille_plugins.shell.options import can_ask, read_input, refuse_in_python

F = TypeVar("F", bound=Callable[..., Any])
TableOf = Callable[[str | None], Table]
"""The rules and the start of the deal spoken of, for who dealt it."""


def fact_options(f: F) -> F:
    """Add RESULT and what may stand for it: each of its fields, a deal that all passed, a misdeal;
    and who dealt."""
    f = click.option(
        "--ask", "asked", is_flag=True, help="Ask for whatever is not given, as on a terminal."
    )(f)
    f = click.option(
        "--dealer", metavar="NAME", help="Who dealt, where it was not who should have."
    )(f)
    f = click.option(
        "--void",
        metavar="REASON",
        help="A misdeal: the same dealer deals again, and nothing moves but by --incident.",
    )(f)
    f = click.option(
        "--players",
        multiple=True,
        metavar="NAME,…",
        help="Who played, in the order of play, where it was not who should have.",
    )(f)
    f = click.option("--passed", is_flag=True, help="All passed, and the rules deal anew.")(f)
    return click.argument("result", required=False)(result_options(f))


@frozen
class Said:
    """A deal as the command line says it."""

    fact: Fact
    place: PlaceAt = nowhere
    """Where its faults would stand."""
    asked: bool = False
    """Whether it was asked for question by question."""
    typed: bool = False
    """Whether options say it."""
    taken: Mapping[str, str] = field(default_factory=dict)
    """What was not said of it, and what it was taken as, in words."""


def said(
    table_of: TableOf,
    recorded: Fact | None = None,
    *,
    result: str | None,
    passed: bool,
    void: str | None,
    dealer: str | None,
    asked: bool,
    reseated: bool = False,
    **options: Any,
) -> Said:
    """The deal that the command line says; options change of ``recorded``, a result, what they name
    and no more, and of a deal that nobody played its incidents.  What is recorded stays where it is
    only ``reseated``: others dealt or played.

    Raises UsageError for a command line that names no deal, or two, ResultError for options that
    say too little.
    """
    answers, unplayed = answers_of(options), passed or void is not None
    is_result = asked or bool(answers.keys() - (UNPLAYED if unplayed else ()))
    given = (result is not None) + passed + (void is not None) + is_result
    if asked:
        refuse_in_python("asks its user with --ask")
    if not given and reseated and recorded is not None and recorded.kind != "reversed":
        return Said(recorded, typed=True)
    if not given and can_ask():
        given, asked = 1, True
    if given != 1:
        raise UsageError.of("deal-without-result")
    if asked:
        table = table_of(dealer)
        return Said(ask(table, with_full_names(answers, table.start.names)), asked=True)
    if void is not None and not void.strip():
        raise UsageError.of("void-without-reason")
    if unplayed:
        recorded = Fact("passed" if passed else "void", note=(void or "").strip())
    was_played = recorded is None or recorded.kind not in ("passed", "void")
    if answers and (was_played or answers.keys() - UNPLAYED):
        with options_spoken_of():
            return _from_options(answers, table_of(dealer), recorded)
    if result is None and recorded is not None:
        names = table_of(dealer).start.names if answers else ()
        return Said(replace(recorded, data=with_full_names(answers, names)), typed=bool(answers))
    return _from_file(str(result), table_of(dealer))


def _from_options(answers: dict[str, Any], table: Table, recorded: Fact | None) -> Said:
    names = table.start.names
    answers = in_ids(answers, table.rules, names, begins=True)

    def read(whole: dict[str, Any], place: PlaceAt) -> object:
        if recorded is not None and recorded.kind == "result":
            whole = changed(recorded.data, whole, names, table.rules)
        return table.derive(whole, place)

    data = with_all_faults(answers, names, table.rules, read)
    if recorded is not None and recorded.kind == "result":
        data = changed(recorded.data, data, names, table.rules)
    refuse_unsaid_ally(data, names, table.rules, table.derive)
    left_out = assumed(data, table.rules)
    given = data.get("tricks")
    if data.get("hombre") and data.get("contract"):
        data = table.completed(data)
    split = {} if data.get("tricks") == given else split_told(data)
    data.get("tricks", {}).pop(SIDE, None)
    return Said(Fact("result", data), typed=True, taken=split | left_out)


def _from_file(name: str, table: Table) -> Said:
    """The result that a file tells; a number for ``tricks`` is what Hombre's side made, as among
    the options."""
    root = read_input(name)
    if not isinstance(root, LocatedMap):
        raise ResultError.of("no-mapping-of-a-result", place=place_at(root, []))
    data = in_ids(composed_data(root.to_plain()), table.rules, table.start.names)
    taken: dict[str, str] = {}
    made = data.get("tricks")
    if (
        isinstance(made, int)
        and not isinstance(made, bool)
        and data.get("hombre")
        and data.get("contract")
    ):
        data = table.completed({**data, "tricks": {SIDE: made}}, such="tricks: {{{}: 4, {}: 2}}")
        taken = split_told(data)
    return Said(Fact("result", data), partial(place_at, root), taken=taken)
