"""Payments for a person: alike ones in one row, and below them each rule with its source once."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Final

from quadrille_core.frozen import frozen
from quadrille_plugins.shell.blocks import Table
from quadrille_plugins.shell.values import amount, listed

Groups = Mapping[frozenset[str], str]
"""What several players together are called, each of them paying or being paid."""

ALL: Final = "each player"


@frozen
class Payment:
    """One payment between two accounts, by their names."""

    payer: str
    payee: str
    amount: Fraction
    reason: str
    rule: str = ""


@frozen
class PaymentGroup:
    """Payments that differ only in who pays and who is paid: each of the payers pays each of the
    payees."""

    payers: tuple[str, ...]
    payees: tuple[str, ...]
    amount: Fraction
    reason: str
    rule: str


def group_payments(payments: Iterable[Payment]) -> list[PaymentGroup]:
    """The payments, alike ones together; what is paid twice stands twice."""
    payers: dict[tuple[str, Fraction, str, str, int], list[str]] = {}
    seen: dict[Payment, int] = {}
    for p in payments:
        seen[p] = seen.get(p, 0) + 1
        payers.setdefault((p.payee, p.amount, p.reason, p.rule, seen[p]), []).append(p.payer)
    payees: dict[tuple[tuple[str, ...], Fraction, str, str, int], list[str]] = {}
    for (payee, *rest), those in payers.items():
        payees.setdefault((tuple(those), *rest), []).append(payee)  # type: ignore[arg-type]
    return [
        PaymentGroup(those, tuple(paid), size, reason, rule)
        for (those, size, reason, rule, _), paid in payees.items()
    ]


def table_groups(players: Sequence[str], side: Collection[str] = ()) -> Groups:
    """What all the players are called together, and the adversaries of a side."""
    groups = {frozenset(players): ALL}
    if side:
        groups[frozenset(players) - frozenset(side)] = "each adversary"
    return groups


def named(names: Sequence[str], others: Sequence[str], groups: Groups) -> str:
    """Those on one side of alike payments, the ``others`` being on the other side."""
    if len(names) == 1:
        return names[0]
    if name := groups.get(frozenset(names)):
        return name
    if len(others) == 1 and groups.get(frozenset((*names, *others))) == ALL:
        return "each other player"
    return f"{listed(names)} each"


def payment_table(
    payments: Iterable[Payment],
    column: str,
    *,
    groups: Groups,
    title: str = "",
    text: Callable[[Fraction], str] = amount,
    numbers: Mapping[str, int] | None = None,
) -> Table:
    """Who pays whom, how much and for what; with ``numbers`` also the number of the rule.

    ``column`` says what amounts are in, and ``text`` writes one.
    """
    rows = [
        (
            named(p.payers, p.payees, groups),
            named(p.payees, p.payers, groups),
            text(p.amount),
            p.reason,
            p.rule,
        )
        for p in group_payments(payments)
    ]
    columns = ("from", "to", column, "for")
    if numbers is None:
        return Table(title, columns, tuple(row[:4] for row in rows), frozenset({column}))
    numbered = tuple((*row[:4], str(numbers[row[4]])) for row in rows)
    return Table(title, (*columns, "rule"), numbered, frozenset({column, "rule"}))


def cited_payments(
    payments: Sequence[Payment],
    column: str,
    source_of: Callable[[str], str],
    *,
    groups: Groups,
    text: Callable[[Fraction], str] = amount,
) -> list[Table]:
    """The table of payments, and one of their rules, each source written out once."""
    numbers = {rule: n for n, rule in enumerate(dict.fromkeys(p.rule for p in payments), 1)}
    first: dict[str, int] = {}
    rules = []
    for rule, number in numbers.items():
        at = first.setdefault(source := source_of(rule), number)
        rules.append((f"{number} {rule}", source if at == number else f"as rule {at}"))
    paid = payment_table(payments, column, groups=groups, text=text, numbers=numbers)
    return [paid, Table("", ("rule", "source"), tuple(rules))]
