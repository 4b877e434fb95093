"""A settlement for a person, as blocks of text and tables."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction

from quadrille_core.engine.amounts import unit_of
from quadrille_core.engine.result import Result, Settlement, Transfer
from quadrille_core.engine.terms import in_points
from quadrille_core.ruleset import Compiled
from quadrille_plugins.settle.alone import alone_words
from quadrille_plugins.settle.payments import Payment, cited_payments, table_groups
from quadrille_plugins.settle.result_file import account_name
from quadrille_plugins.shell.blocks import Block, Table, Text
from quadrille_plugins.shell.values import amount, identity_text


def settlement_blocks(compiled: Compiled, result: Result, settlement: Settlement) -> list[Block]:
    """A settlement for a person: the outcome, every payment, what each is left with, and the rules
    with sources."""
    bid = compiled.rules.bids.of(result.contract)
    ally = (
        alone_words(bid, result.ally)
        if result.ally is None
        else f" with {result.players[result.ally]}"
    )
    head = f"{bid.title} by {result.players[result.hombre]}{ally}: {settlement.outcome}"
    if settlement.vole != "none":
        head += f", vole {settlement.vole}"
    payments = payments_of(settlement.transfers, result.players)
    groups = table_groups(result.players, [result.players[s] for s in result.side()])
    net = tuple(
        (p, amount(n, sign=True)) for p, n in zip(result.players, settlement.net, strict=True)
    )
    lapsed = [
        Text(
            f"Not claimed in time, and so not paid: {lapse.reason}, {amount(lapse.amount)} from "
            f"each who owed it\n  {lapse.rule}: {compiled.source_of(lapse.rule)}"
        )
        for lapse in settlement.lapsed
    ]
    left = [
        Text(f"{told}\n  {rule}: {compiled.source_of(rule)}")
        for told, rule in left_standing(settlement, amount)
    ]
    points = in_points(compiled.rules)
    column = "points" if points else "counters"
    unit = unit_of(compiled.rules.stakes, result.pool)
    in_units = "" if unit == 1 else f"; a unit was {amount(unit)} counters"
    pool = (
        f"pool: {amount(settlement.pool_before)} before, {amount(settlement.pool_after)} "
        f"after{in_units}"
    )
    paid, rules = cited_payments(payments, column, compiled.source_of, groups=groups)
    return [
        Text(head, strong=True),
        Text(identity_text(compiled.identity)),
        paid,
        *lapsed,
        *left,
        Table("", ("player", "net"), net, frozenset({"net"})),
        *([] if points else [Text(f"{pool}. Antes are not in net.")]),
        rules,
    ]


def payments_of(transfers: Sequence[Transfer], players: tuple[str, ...]) -> list[Payment]:
    """Transfers between seats and pots as payments between names."""
    return [
        Payment(
            account_name(t.source, players),
            account_name(t.target, players),
            t.amount,
            t.reason,
            t.rule,
        )
        for t in transfers
    ]


def left_standing(
    settlement: Settlement, text: Callable[[Fraction], str]
) -> Iterator[tuple[str, str]]:
    """What is left where it lies, in words, and the rule by which it is; ``text`` writes a number
    of counters."""
    for left, why, rule in settlement.undivided:
        yield f"Cannot be shared evenly: {text(left)}, {why}", rule
    if settlement.frozen:
        yield (
            "The pool stays: an announced vole was missed, the game itself was made",
            "vole.announced_failed",
        )


def taken_blocks(taken: Mapping[str, str]) -> list[Block]:
    """What was not said of a deal, and what it was taken as."""
    return (
        [Text("Taken as: " + "; ".join(f"{what} {value}" for what, value in taken.items()) + ".")]
        if taken
        else []
    )
