"""``quadrille settle``: one deal's result, every payment with its reason."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import click

from quadrille_core.engine.result import Result, Settlement
from quadrille_core.engine.settle import settle
from quadrille_core.errors import (
    Option,
    PlaceAt,
    Problem,
    QuadrilleError,
    UsageError,
    nowhere,
)
from quadrille_core.profile import Node, place_at
from quadrille_core.ruleset import Compiled
from quadrille_core.vocabulary import plain_amount
from quadrille_plugins.settle.alone import OWN_KING, played_alone
from quadrille_plugins.settle.answers import answers_of, names_typed, result_options, taken_as
from quadrille_plugins.settle.blocks import settlement_blocks, taken_blocks
from quadrille_plugins.settle.by_options import options_spoken_of
from quadrille_plugins.settle.result_file import (
    account_name,
    read_result,
    rules_named,
    settlement_to_json,
)
from quadrille_plugins.shell.answer import Answer
from quadrille_plugins.shell.citing import cite_option, cited
from quadrille_plugins.shell.options import (
    Repeated,
    compile_all,
    format_option,
    read_input,
    refine_options,
)
from quadrille_plugins.shell.values import identity_to_plain, if_any


@click.command("settle")
@click.argument("file", required=False)
@click.option("--rules", "named", metavar="REF", help="The rules, where FILE names none.")
@result_options
@click.option(
    "--players",
    "--player",
    "players",
    multiple=True,
    metavar="NAME,NAME,…",
    help="The players, the eldest hand first: all after commas, or once for each.  [default: "
    "A,B,…]",
)
@click.option(
    "--pool",
    metavar="COUNTERS",
    help="What lies in the pool.  [default: the antes of a first deal]",
)
@cite_option
@format_option
@refine_options
def settle_command(
    file: str | None,
    named: str | None,
    players: Repeated,
    pool: str | None,
    cite: bool,
    readings: Repeated,
    sets: Repeated,
    **options: Any,
) -> Answer:
    """Settle the result in FILE (`-` reads standard input), or that of the options: who pays whom,
    how much, and why.

    The file names its rules, or --rules does; --reading and --set refine them.  A number of tricks
    alone is what Hombre's side made.
    """
    told = _told(options, players, pool)
    if (file is None) != bool(told):
        raise UsageError.of("result-in-file-and-options" if told else "no-result-given")
    data, place = (told, nowhere) if file is None else _located(read_input(file))
    if named is not None and isinstance(data, dict):
        if data.get("rules") not in (None, named):
            raise UsageError.of("rules-twice", rules=Option("rules", named[:60]))
        data["rules"] = named
    elif file is None:
        raise UsageError.of("no-rules-named")
    reference, in_file = rules_named(data, place=place)
    compiled = _compile(reference, in_file, readings, sets, place)
    rules = compiled.rules
    with options_spoken_of(file is None):
        data, taken = taken_as(data, rules, is_typed=file is None, place=place)
        result = read_result(data, rules, place=place)
    settlement = settle(rules, result)
    return Answer(
        blocks=lambda: cited(
            [*settlement_blocks(compiled, result, settlement), *taken_blocks(taken)],
            [compiled],
            cite=cite,
        ),
        data=lambda: {
            **settlement_to_json(
                identity_to_plain(compiled.identity),
                result,
                settlement,
                compiled.source_of,
                _alone(compiled, result),
            ),
            **if_any(taken_as=taken),
        },
        rows=lambda: _rows(compiled, result, settlement),
    )


def _told(options: Mapping[str, Any], players: Sequence[str], pool: str | None) -> dict[str, Any]:
    """The result that the options give."""
    found = answers_of(options)
    if players:
        found["players"] = list(names_typed(players))
    if pool is not None:
        found["pool"] = pool
    return found


def faults_of_result(root: Node) -> Sequence[Problem]:
    """What is wrong with a result: the rules that it names, and whether it can have been under
    them."""
    data, place = _located(root)
    try:
        reference, in_file = rules_named(data, place=place)
        rules = _compile(reference, in_file, (), (), place).ruleset.rules
    except QuadrilleError as e:
        return e.problems
    try:
        read_result(taken_as(data, rules, is_typed=False, place=place)[0], rules, place=place)
    except QuadrilleError as e:
        return e.problems
    return ()


def _located(root: Node) -> tuple[Any, PlaceAt]:
    """The data of a file, and where they stand."""
    return root.to_plain(), partial(place_at, root)


def _compile(
    reference: str,
    in_file: dict[str, str],
    readings: Repeated,
    sets: Repeated,
    place: PlaceAt,
) -> Compiled:
    """The rules the file names, refined on the command line; what it names wrongly is shown in the
    file."""
    try:
        return compile_all([reference], readings, sets, in_file)[0]
    except QuadrilleError as e:
        of_readings = e.problems[0].code in ("Q107", "Q401", "Q402") and in_file
        where = place(("readings" if of_readings else "rules",))
        raise (e if where is None else e.placed(where)) from None


def _alone(compiled: Compiled, result: Result) -> str | None:
    """Why a bid for allies was played without one; None where it was not."""
    return OWN_KING if played_alone(compiled.rules.bids.of(result.contract), result.ally) else None


def _rows(compiled: Compiled, result: Result, settlement: Settlement) -> Any:
    ally = "" if result.ally is None else result.players[result.ally]
    same = (result.contract, result.players[result.hombre], ally, _alone(compiled, result) or "")
    rows = [
        (
            account_name(t.source, result.players),
            account_name(t.target, result.players),
            plain_amount(t.amount),
            t.reason,
            t.rule,
            compiled.source_of(t.rule),
            *same,
        )
        for t in settlement.transfers
    ]
    return (
        "from",
        "to",
        "amount",
        "reason",
        "rule",
        "source",
        "contract",
        "hombre",
        "ally",
        "alone",
    ), rows
