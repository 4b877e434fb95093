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
    "stakes.odd_counters": "eldest",
    "stakes.unit": 1,
    "stakes.unit_of": "constant",
    "payments.premium.solo": 4,
    "payments.consolation": 2,
    "loss.codille_pays": ["premium", "consolation"],
    "loss.codille_pool": "stays",
}
LOST = replace(
    made_result(contract="solo", pool=12, tricks=(4, 3, 2, 1)),
    facts=(("last_trick", (0, 0, 1, 0)),),
)


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
HALF = Factor(reason="half", factor="club.half")
THIRD = Factor(reason="a third", factor="club.third")
CONSOLATION = {"reason": "elsewhere", "redirected": "club.on", "of": ("payments.consolation",)}
TO_POOL = Redirect(reason="to the pool", redirected="club.pool", of=("payments.consolation",))


@pytest.mark.parametrize(
    ("changes", "values", "expected", "why"),
    [
        ((), {}, [-18, 6, 6, 6], "3 × (4 + 2)"),
        ((TWICE,), {"times": 2}, [-36, 12, 12, 12], "each payment once more"),
        ((TWICE,), {"times": 0}, [0, 0, 0, 0], "waived"),
        ((TWICE, TWICE), {"times": 2}, [-72, 24, 24, 24], "twice and twice again"),
        ((TO_POOL,), {"pool": True}, [-18, 4, 4, 4], "3 × 2 go to the pool"),
        ((TO_POOL,), {"pool": False}, [-18, 6, 6, 6], "the leaf says no"),
        ((HALF,), {"half": "1/2"}, [-9, 3, 3, 3], "2 and 1"),
        ((HALF,), {"half": "3/2"}, [-27, 9, 9, 9], "6 and 3"),
        ((THIRD,), {"third": "1/3"}, [-3, 1, 1, 1], "of 4/3 one, of 2/3 nothing"),
        ((THIRD, TWICE), {"third": "1/3", "times": 3}, [-18, 6, 6, 6], "rounded once"),
        ((TWICE, THIRD), {"third": "1/3", "times": 3}, [-18, 6, 6, 6], "in either order"),
        ((THIRD, HALF), {"third": "1/3", "half": "1/2"}, [0, 0, 0, 0], "sixths of 4 and 2"),
        ((THIRD, HALF), {"third": "2/3", "half": "5/2"}, [-27, 9, 9, 9], "20/3 and 10/3"),
        *(
            ((Redirect(**CONSOLATION, **who),), {"on": True}, expected, why)
            for who, expected, why in (
                ({"to": "last_trick"}, [-18, 4, 10, 4], "C took it, and has 3 × 2"),
                ({"to": "hombre"}, [-12, 4, 4, 4], "A would pay themself"),
                ({"to": "ally"}, [-18, 6, 6, 6], "there is none, so it stays"),
                ({"to": "adversaries"}, [-18, 7, 7, 4], "each 2 is a counter to B and to C"),
                (
                    {"by": "last_trick"},
                    [-12, 6, 0, 6],
                    "C pays 2 to B and to D, and keeps their own",
                ),
                ({"by": "pool"}, [-12, 6, 6, 6], "the pool has enough"),
                (
                    {"by": "adversaries"},
                    [-12, 3, 3, 6],
                    "B and C pay one of each 2, and keep their own",
                ),
                ({"by": "pool", "to": "last_trick"}, [-12, 4, 10, 4], "both at once"),
                ({"to": "all"}, [-15, 7, 4, 4], "A keeps one of each 2 and B has the other"),
            )
        ),
        *(
            ((Factor(reason="twice", factor="club.times", **who),), {"times": 2}, expected, why)
            for who, expected, why in (
                ({"payer": "hombre"}, [-36, 12, 12, 12], "whatever A pays"),
                ({"payer": "dealer"}, [-18, 6, 6, 6], "D pays nothing"),
                ({"payee": "dealer"}, [-24, 6, 6, 12], "what D is paid"),
                ({"payee": "last_trick"}, [-24, 6, 12, 6], "what C is paid, who took it"),
                ({"payer": "hombre", "payee": "ally"}, [-18, 6, 6, 6], "there is no ally"),
            )
        ),
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
            (CAP, Redirect(**CONSOLATION, to="last_trick")),
            {"most": 10, "on": True},
            [-10, 4, 4, 2],
            "as where it is not: 2 × 3 and 2 come back",
        ),
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


def test_what_the_pool_pays_goes_to_others_where_that_is_meant_alone():
    """A wins the pool of 12, and C, who took the last trick, has it."""
    pool = {"redirected": "club.on", "of": ("payments",), "to": "last_trick"}
    sent = Redirect(reason="the pool", from_pool=True, **pool)
    paid = settled(sent, values={"on": True}, tricks=(6, 2, 1, 1)).transfers
    assert {(t.source, t.target, t.amount) for t in paid if t.rule == "club.on"} == {(POOL, 2, 12)}
    kept = {(t.source, t.target, t.amount) for t in paid if t.rule != "club.on"}
    assert kept == {(seat, 0, 6 - 2) for seat in (1, 2, 3)} | {(seat, 0, 2) for seat in (1, 2, 3)}


def test_a_pool_that_pays_instead_pays_no_more_than_it_holds():
    """It holds 12 and 24 by the loss: of three times 20 it pays 20 and 16."""
    values = {"on": True, "times": 10}
    many = settled(TWICE, Redirect(**CONSOLATION, by="pool"), values=values)
    assert [t.amount for t in many.transfers if t.rule == "club.on"] == [20, 16]
    assert many.pool_after == 0


def test_odd_counters_of_a_fraction_are_paid_where_all_is_divided_exactly():
    rules = made_rules(**PLAIN | {"stakes.odd_counters": "exact"}).rules
    own = PluginRules((("club.third", "1/3"),), (("club.factors", (THIRD,)),))
    paid = settle(replace(rules, own=own), LOST).transfers
    assert {t.amount for t in paid if t.rule == "club.third"} == {Fraction(4, 3), Fraction(2, 3)}


def test_a_factor_of_thousands_is_one_payment_more_for_each():
    paid = settled(TWICE, TWICE, values={"times": 10_000}).transfers
    assert len([t for t in paid if t.rule == "club.times"]) == 2 * 6
    assert sum(t.amount for t in paid if min(t.source, t.target) >= 0) == 18 * 10_000**2


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
    assert [(t.target, t.amount) for t in cited["pool"]] == [(POOL, 4)] * 3  # 2, and 2 more
    assert [(t.source, t.target, t.amount) for t in cited["most"]] == [(3, 0, 4)]
