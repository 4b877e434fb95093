"""Factors, redirected payments and caps: what players pay each other, changed by plugins; each
settlement is worked by hand."""

from dataclasses import replace
from fractions import Fraction

import pytest
from support import made_result, made_rules

from quadrille_core.engine.result import POOL
from quadrille_core.engine.settle import settle
from quadrille_core.plugin_rules import AtLeast, Cap, Factor, PaymentRow, PluginRules, Redirect
from quadrille_core.rules import Rules

# a solo lost by codille under these: A pays each other 4 for the premium and 2 for consolation
PLAIN = {
    "favourite.source": "none",
    "favourite.suit": None,
    "stakes.unit": 1,
    "stakes.unit_of": "constant",
    "payments.premium.solo": 4,
    "payments.consolation": 2,
    "loss.codille_pays": ["premium", "consolation"],
    "loss.codille_pool": "stays",
}
LOST = made_result(contract="solo", pool=12, tricks=(4, 3, 2, 1))


def settled(*changes, values, tricks=None):
    """The settlement with these changes by a plugin called ``club``."""
    kinds = {"factors": Factor, "redirects": Redirect, "caps": Cap}
    records = tuple(
        (f"club.{name}", found)
        for name, kind in kinds.items()
        if (found := tuple(c for c in changes if type(c) is kind))
    )
    plain: Rules = made_rules(**PLAIN).rules
    own = PluginRules(tuple((f"club.{name}", value) for name, value in values.items()), records)
    result = LOST if tricks is None else replace(LOST, tricks=tricks)
    return settle(replace(plain, own=own), result)


def net(settlement):
    """What each player gets, but for what the pool is owed for the loss."""
    owed = sum(t.amount for t in settlement.transfers if t.rule == "loss.codille_adds")
    return [int(amount + (owed if seat == 0 else 0)) for seat, amount in enumerate(settlement.net)]


CAP = Cap(reason="at most ten", most="club.most")
LESS = Cap(reason="at most five", most="club.less")
TWICE = Factor(reason="twice", factor="club.times")
TO_POOL = Redirect(reason="to the pool", into_pool="club.pool", of=("payments.consolation",))


@pytest.mark.parametrize(
    ("changes", "values", "expected", "why"),
    [
        ((), {}, [-18, 6, 6, 6], "3 × (4 + 2)"),
        ((TWICE,), {"times": 2}, [-36, 12, 12, 12], "each payment once more"),
        ((TWICE,), {"times": 0}, [0, 0, 0, 0], "waived"),
        ((TWICE, TWICE), {"times": 2}, [-72, 24, 24, 24], "twice and twice again"),
        ((TO_POOL,), {"pool": True}, [-18, 4, 4, 4], "3 × 2 go to the pool"),
        ((TO_POOL,), {"pool": False}, [-18, 6, 6, 6], "the leaf says no"),
        # 18 are 8 too many: 2 come back from D, C and B, then 2 of the 4 that D has
        ((CAP,), {"most": 10}, [-10, 4, 4, 2], "8 given back, of the last payment first"),
        ((CAP,), {"most": 18}, [-18, 6, 6, 6], "just as much as may be"),
        ((CAP,), {"most": 0}, [0, 0, 0, 0], "nobody pays anything"),
        (
            (CAP, TWICE),
            {"most": 20, "times": 2},
            [-20, 8, 6, 6],
            "36, of which 2 × 3, 4, 4 and 2 come back",
        ),
        ((CAP, CAP), {"most": 10}, [-10, 4, 4, 2], "the same cap again gives nothing back"),
        ((CAP, LESS), {"most": 10, "less": 5}, [-5, 4, 1, 0], "13 of 18 come back: 8, then 5 more"),
        ((LESS, CAP), {"most": 10, "less": 5}, [-5, 4, 1, 0], "in either order"),
        (
            (CAP, TO_POOL),
            {"most": 10, "pool": True},
            [-16, 4, 4, 2],
            "12 are capped, 6 go to the pool",
        ),
    ],
)
def test_changes_of_payments_are_as_worked_by_hand(changes, values, expected, why):
    settlement = settled(*changes, values=values)
    assert net(settlement) == expected, why
    assert sum(settlement.net) + settlement.pool_after - settlement.pool_before == Fraction(0)


def test_the_pool_pays_no_more_than_it_holds():
    """It holds 12, and 24 more by the loss: of three times 15 the third is 6."""
    row = PaymentRow(reason="dole", amount="club.dole", payer="pool", payee="adversaries")
    own = PluginRules((("club.dole", 15),), (("club.payments", (row,)),))
    settlement = settle(replace(made_rules(**PLAIN).rules, own=own), LOST)
    assert [t.amount for t in settlement.transfers if t.rule == "club.dole"] == [15, 15, 6]
    assert settlement.pool_after == 0


def test_a_change_holds_only_where_its_facts_do():
    """A made four of six tricks: two are wanting."""
    facts = {"tricks_below": AtLeast(2)}
    some = replace(TWICE, facts=facts)
    assert net(settled(some, values={"times": 2})) == [-36, 12, 12, 12]
    more = replace(TWICE, facts={"tricks_below": AtLeast(3)})
    assert net(settled(more, values={"times": 2})) == [-18, 6, 6, 6]


def test_each_change_is_a_line_of_its_own_that_cites_its_leaf():
    told = settled(TWICE, TO_POOL, CAP, values={"times": 2, "pool": True, "most": 20}).transfers
    cited = {
        rule: [t for t in told if t.rule == f"club.{rule}"] for rule in ("times", "pool", "most")
    }
    assert [t.amount for t in cited["times"]] == [4, 4, 4]  # the premium; consolation went further
    assert [(t.target, t.amount) for t in cited["pool"]] == [(POOL, 2)] * 6
    assert [(t.source, t.target, t.amount) for t in cited["most"]] == [(3, 0, 4)]
