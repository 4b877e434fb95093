"""Payments in a table: alike ones stand in one row, and no payment is lost or made by that."""

from collections import Counter
from fractions import Fraction

import pytest
from quadrille_plugins.settle.payments import (
    Payment,
    cited_payments,
    group_payments,
    payment_table,
    table_groups,
)

PLAYERS = ("Anne", "Bob", "Cleo", "Dan")
ONE = Fraction(1)


def pay(payer, payee, size=ONE, reason="premium", rule="payments.premium.solo"):
    return Payment(payer, payee, size, reason, rule)


CASES = {
    "three pay one": (
        [pay(p, "Anne") for p in PLAYERS[1:]],
        [("each adversary", "Anne", "1", "premium")],
    ),
    "one pays three": (
        [pay("Anne", p) for p in PLAYERS[1:]],
        [("Anne", "each adversary", "1", "premium")],
    ),
    "all others pay one, the ally too": (
        [pay(p, "Bob") for p in ("Anne", "Cleo", "Dan")],
        [("each other player", "Bob", "1", "premium")],
    ),
    "two adversaries pay the third": (
        [pay(p, "Dan") for p in ("Bob", "Cleo")],
        [("Bob and Cleo each", "Dan", "1", "premium")],
    ),
    "two pay two": (
        [pay(p, q) for p in ("Cleo", "Dan") for q in ("Anne", "Bob")],
        [("Cleo and Dan each", "Anne and Bob each", "1", "premium")],
    ),
    "all pay the pool": (
        [pay(p, "pool") for p in PLAYERS],
        [("each player", "pool", "1", "premium")],
    ),
    "two amounts": (
        [pay("Bob", "Anne"), pay("Cleo", "Anne", Fraction(2))],
        [("Bob", "Anne", "1", "premium"), ("Cleo", "Anne", "2", "premium")],
    ),
    "paid twice": ([pay("Bob", "Anne"), pay("Bob", "Anne")], [("Bob", "Anne", "1", "premium")] * 2),
    "two reasons": (
        [pay("Bob", "Anne"), pay("Cleo", "Anne", reason="matadors")],
        [("Bob", "Anne", "1", "premium"), ("Cleo", "Anne", "1", "matadors")],
    ),
}


@pytest.mark.parametrize(("payments", "rows"), CASES.values(), ids=CASES)
def test_payments_that_are_alike_stand_in_one_row(payments, rows):
    """The rows are those a player would write down, and each payment is in one of them once."""
    assert (
        list(payment_table(payments, "counters", groups=table_groups(PLAYERS, ["Anne"])).rows)
        == rows
    )
    single = Counter()
    for one in group_payments(payments):
        single.update(pay(p, q, one.amount, one.reason) for p in one.payers for q in one.payees)
    assert single == Counter(payments)


def test_each_rule_and_each_source_stands_once():
    """Rules are numbered as they come, each in a row, so that none stands beside another's
    source."""
    payments = [pay("Bob", "Anne", rule=rule) for rule in ("a.one", "b.two", "a.three", "a.one")]
    paid, rules = cited_payments(payments, "counters", lambda rule: f"source {rule[0]}", groups={})
    assert [row[-1] for row in paid.rows] == ["1", "2", "3", "1"]
    rows = (("1 a.one", "source a"), ("2 b.two", "source b"), ("3 a.three", "as rule 1"))
    assert rules.rows == rows
