"""Two plugins that change the same payments come to the same in either order, or are refused."""

import random
from dataclasses import replace

import pytest
from quadrille_plugins.house_rules.warnings import idle_changes
from support import made_result, made_rules
from support.plugin import PREAMBLE, make_plugin

from quadrille_core.engine.settle import settle
from quadrille_core.errors import ProfileError
from quadrille_core.plugin_rules import (
    RECORDS,
    AtLeast,
    AtMost,
    PaymentRow,
    clashes,
    plugin_rules_of,
    record_plain,
)
from quadrille_core.ruleset import compile_reference

RULES = made_rules(
    **{
        "favourite.source": "none",
        "favourite.suit": None,
        "stakes.unit": 1,
        "stakes.unit_of": "constant",
        "payments.premium.solo": 7,
        "payments.consolation": 3,
        "loss.codille_pays": ["premium", "consolation"],
    }
).rules
RESULTS = [
    replace(made_result(contract="solo", pool=400, tricks=tricks), facts=facts)
    for tricks in ((4, 3, 2, 1), (6, 2, 1, 1))
    for facts in (
        (("last_trick", (0, 0, 1, 0)), ("kings_captured", (1, 0, 1, 2))),
        (("last_trick", (1, 0, 0, 0)), ("kings_captured", (0, 4, 0, 0))),
    )
]
OF = (("payments",), ("payments.premium",), ("payments.consolation", "payments.pool_to"))
WHO = ("hombre", "adversaries", "all", "last_trick", "kings_captured", "ally", "pool", "")


def record(kind, leaf, draw):
    """A record that rests on a leaf, and the value of that leaf."""
    facts = draw.choice(
        ({}, {}, {"hombre.kings_captured": AtLeast(1)}, {"tricks_below": AtMost(1)})
    )
    common = {"reason": "r", "facts": facts, kind.cites: leaf}
    if kind is PaymentRow:
        payer, payee = draw.sample(WHO[:5], 2)
        per = draw.choice(("", "payee.kings_captured", "payer.tricks", "tricks_above"))
        return kind(payer=payer, payee=payee, per=per, **common), draw.choice((1, 5))
    common["of"] = draw.choice(OF)
    if kind is RECORDS["redirects"]:
        by, to = draw.sample(WHO, 2)
        from_pool = not by and to not in ("", "pool") and draw.random() < 0.5
        return kind(to=to, by=by, from_pool=from_pool, **common), True
    values = ("0", "1/2", "2/3", "3/2", 2, 3) if kind.cites == "factor" else (0, 5, 12)
    return kind(**common), draw.choice(values)


def plugins(kinds, names, draw):
    """The rules of plugins of these names, of which each has a record of one kind."""
    plain = {}
    for name, (kind, value) in zip(
        names, [record(RECORDS[k], "x.leaf", draw) for k in kinds], strict=True
    ):
        told = record_plain(kind)
        told[kind.cites] = f"{name}.leaf"
        list_of = next(k for k, of in RECORDS.items() if of is type(kind))
        plain |= {f"{name}.leaf": value, f"{name}.{list_of}": [told]}
    return plugin_rules_of(plain)


KINDS = ("payments", "factors", "redirects", "caps")


@pytest.mark.parametrize("kinds", [(a, b) for n, a in enumerate(KINDS) for b in KINDS[n:]])
def test_two_plugins_pay_the_same_whichever_is_first_by_name(kinds):
    """Names decide which is first; what is refused is refused in both orders."""
    compared = refused = 0
    for seed in range(60):
        one, other = (
            plugins(kinds, names, random.Random(f"{kinds} {seed}")) for names in ("ab", "ba")
        )
        assert len([*clashes(one)]) == len([*clashes(other)])
        if any(clashes(one)):
            refused += 1
            continue
        for result in RESULTS:
            paid = [settle(replace(RULES, own=own), result) for own in (one, other)]
            assert paid[0].net == paid[1].net, (seed, one)
            compared += 1
    assert compared > 40
    assert (refused > 0) == (kinds == ("redirects", "redirects"))


CODE = """
@hookimpl
def quadrille_leaves():
    return [
        OwnLeaf(path="{0}.sent", type="boolean", doc="d", neutral=True),
        OwnLeaf(path="{0}.times", type="integer", doc="d", neutral=2),
    ]


@hookimpl
def quadrille_payments(rules, parameters):
    of = ("{1}",)
    return [
        Redirect(reason="r", redirected="{0}.sent", to="{2}", of=of),
        Factor(reason="f", factor="{0}.times", of=of),
    ]
"""


@pytest.fixture
def sent(tmp_path, monkeypatch):
    """Compile rules with plugins that send payments elsewhere, and double them."""
    for name, of, to in (
        ("here", "payments", "hombre"),
        ("there", "payments.premium", "last_trick"),
        ("pool", "payments.pool_to", "hombre"),
    ):
        make_plugin(tmp_path, name, PREAMBLE + CODE.format(name, of, to))
    monkeypatch.syspath_prepend(str(tmp_path))
    return lambda text, **more: compile_reference(f"quanti-1822{text}", **more)


def test_plugins_that_send_one_payment_apart_are_refused_by_name(sent):
    with pytest.raises(ProfileError) as refused:
        sent("+here+there")
    (problem,) = refused.value.problems
    assert (problem.code, problem.variant) == ("Q504", "redirected-apart")
    told = {key: problem.data[key] for key in ("one", "other", "plugin", "hook", "record", "field")}
    wanted = ["here.sent", "there.sent", "there", "quadrille_payments", "Redirect", "to"]
    assert [*told.values()] == wanted
    off = {"there.sent": False}
    rules = [sent(t, settings=off).ruleset for t in ("+here+there", "+there+here")]
    assert rules[0].rules.own.records == rules[1].rules.own.records


def test_a_change_that_meets_no_payment_between_players_is_warned_of(sent):
    """What the pool pays is none."""
    warned = idle_changes(sent("+pool"))
    assert "pool.sent" in warned
    assert "pool.times" in warned
    assert idle_changes(sent("+there")) is None
