"""``quadrille settle``: one deal's result, every payment with its reason."""

from collections.abc import Callable
from typing import Any

import click

from quadrille_core.cli.options import compile_all, emit, format_option, read_input, refine_options
from quadrille_core.engine.record import identity_to_plain
from quadrille_core.engine.result import ODD, Result, Settlement
from quadrille_core.engine.result_file import account_name, read_result, rules_named, settlement_to_json
from quadrille_core.engine.settle import settle
from quadrille_core.engine.terms import OWN_KING, alone_words, played_alone
from quadrille_core.errors import Place, QuadrilleError
from quadrille_core.profile import LocatedMap, place_at
from quadrille_core.report.blocks import Block, Table, Text
from quadrille_core.report.values import amount, identity_text
from quadrille_core.ruleset import Compiled
from quadrille_core.vocabulary import plain_amount


@click.command("settle")
@click.argument("file")
@format_option
@refine_options
def settle_command(file: str, fmt: str, readings: tuple[str, ...], sets: tuple[str, ...]) -> None:
    """Settle the result in FILE (`-` reads standard input): who pays whom, how much, and why.

    The file names its rules; --reading and --set refine them.
    """
    root = read_input(file)
    data = root.to_plain() if isinstance(root, LocatedMap) else {}

    def place(key: str) -> Place | None:
        # a fault may lie with one player's tricks (`tricks.NAME`); names may hold dots
        return place_at(root, key.split(".", 1) if key not in data else [key])

    reference, in_file = rules_named(root.to_plain(), place=place)
    compiled = _compile(reference, in_file, readings, sets, place)
    result = read_result(data, compiled.ruleset.rules, place=place)
    settlement = settle(compiled.ruleset.rules, result)
    emit(
        fmt,
        blocks=lambda: settlement_blocks(compiled, result, settlement),
        data=lambda: settlement_to_json(
            identity_to_plain(compiled.ruleset.identity),
            result,
            settlement,
            compiled.source_of,
            _alone(compiled, result),
        ),
        rows=lambda: _rows(compiled, result, settlement),
    )


def _compile(
    reference: str,
    in_file: dict[str, str],
    readings: tuple[str, ...],
    sets: tuple[str, ...],
    place: Callable[[str], Place | None],
) -> Compiled:
    """The rules the file names, refined on the command line; what it names wrongly is shown in the file."""
    try:
        return compile_all([reference], readings, sets, in_file)[0]
    except QuadrilleError as e:
        where = place("readings" if e.problems[0].code in ("Q107", "Q401", "Q402") and in_file else "rules")
        raise (e if where is None else e.placed(where)) from None


def _alone(compiled: Compiled, result: Result) -> str | None:
    """Why a bid for allies was played without one; None where it was not."""
    return OWN_KING if played_alone(compiled.ruleset.rules.bids.of(result.contract), result.ally) else None


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
    return ("from", "to", "amount", "reason", "rule", "source", "contract", "hombre", "ally", "alone"), rows


def settlement_blocks(compiled: Compiled, result: Result, settlement: Settlement) -> list[Block]:
    """A settlement for a person: the outcome, every payment, and what each is left with."""
    bid = compiled.ruleset.rules.bids.of(result.contract)
    head = f"{bid.title} by {result.players[result.hombre]}{alone_words(bid, result.ally)}: {settlement.outcome}"
    if settlement.vole != "none":
        head += f", vole {settlement.vole}"
    payments = tuple(
        (
            account_name(t.source, result.players),
            account_name(t.target, result.players),
            amount(t.amount),
            t.reason,
            f"{t.rule}\n{compiled.source_of(t.rule)}",
        )
        for t in settlement.transfers
    )
    net = tuple((p, amount(n, sign=True)) for p, n in zip(result.players, settlement.net, strict=True))
    lapsed = [
        Text(
            f"Not claimed in time, and so not paid: {lapse.reason}, {amount(lapse.amount)} from each who owed it\n"
            f"  {lapse.rule}: {compiled.source_of(lapse.rule)}"
        )
        for lapse in settlement.lapsed
    ]
    undivided = [
        Text(f"Would not divide: {amount(left)}, {why}\n  {ODD}: {compiled.source_of(ODD)}")
        for left, why in settlement.undivided
    ]
    points = compiled.ruleset.rules.score.kept == "points"
    column = "points" if points else "counters"
    pool = Text(f"pool: {amount(settlement.pool_before)} before, {amount(settlement.pool_after)} after")
    return [
        Text(head, strong=True),
        Text(identity_text(compiled.ruleset.identity)),
        Table("", ("from", "to", column, "for", "rule and source"), payments, frozenset({column})),
        *lapsed,
        *undivided,
        Table("", ("player", "net"), net, frozenset({"net"})),
        *([] if points else [pool]),
    ]
