"""Payments and limits of plugins, as the data that a rule set has of them."""

from dataclasses import replace

import pytest
from quadrille_plugins.deal.players import make_bot
from quadrille_plugins.deal.session import play_session
from quadrille_plugins.settle.result_file import read_result
from support.data import cases
from support.plugin import SOLO

from quadrille_core.cards import PACK, SUITS, Suit
from quadrille_core.engine.actions import BidSpec
from quadrille_core.engine.auction import Auction, Ladder
from quadrille_core.engine.declare import Declaration
from quadrille_core.engine.settle import settle
from quadrille_core.plugin_rules import RECORDS, PaymentRow, PluginRules, TrumpsOnly
from quadrille_core.ruleset import compile_reference


def with_own(reference, *records, settings=None, **values):
    """The rules of a reference with what a plugin ``x`` would add to them."""
    rules = compile_reference(reference, settings=settings).ruleset.rules
    kept = {kind: tuple(r for r in records if type(r) is cls) for kind, cls in RECORDS.items()}
    leaves = tuple((f"x.{n}", v) for n, v in values.items())
    own = PluginRules(leaves, tuple((f"x.{k}", r) for k, r in kept.items() if r))
    return replace(rules, own=own)


def paid(rules, **result):
    """The payments of reason ``r`` of the solo, or of an alliance, as text."""
    read = read_result(SOLO | result, rules)
    names = {-1: "pool", **dict(enumerate(read.players))}
    found = [t for t in settle(rules, read).transfers if t.reason.startswith("r")]
    return " ".join(
        f"{names[t.source]}{names[t.target]}{t.amount}" for t in found if t.rule == "x.n"
    )


def row(payer, payee, **more):
    return PaymentRow(reason="r", amount="x.n", payer=payer, payee=payee, **more)


ALLIED = {"contract": "alliance", "ally": "C", "tricks": {"A": 4, "B": 4, "C": 2}}


@cases("plugin_payments")
def test_each_payer_pays_each_payee(payer, payee, wanted):
    incident = "i" if "o" in payer[:1] else ""
    rules = with_own("quanti-1822@parlett", row(payer, payee, incident=incident), n=5)
    assert paid(rules, **ALLIED, **({"incidents": {"i": "B"}} if incident else {})) == wanted


def test_a_payment_to_the_ally_is_nobodys_where_hombre_plays_alone():
    assert paid(with_own("quanti-1822@parlett", row("hombre", "ally"), n=5)) == ""


@cases("plugin_payments")
def test_a_payment_is_due_where_all_its_conditions_hold(conditions, values, wanted):
    assert (
        paid(with_own("quanti-1822@parlett", row("hombre", "pool", **conditions), **values))
        == wanted
    )


@pytest.mark.parametrize(("counted", "amount"), [(True, 10), (False, 5)])
def test_a_payment_counts_as_often_as_the_game_where_it_says_so(counted, amount):
    rules = with_own("quadrille-laws+multiplier", row("hombre", "pool", counted=counted), n=5)
    told = settle(rules, read_result(SOLO | {"multiplier": 2}, rules)).transfers
    assert [(t.amount, t.reason) for t in told if t.rule == "x.n"] == [
        (amount, "r, counted double" if counted else "r")
    ]


def test_the_call_keeps_clear_of_the_one_suit_that_may_be_trumps():
    """Trumps are named after the call, and the called suit may not become trumps: hearts must stay
    free."""
    limit = TrumpsOnly(bid="alliance", suits=("hearts",), rule="x.on")
    settings = {"bids.alliance.trump_when": "after_call"}
    hands = [list(PACK[seat::4]) for seat in range(4)]

    def called(*records):
        rules = with_own("quanti-1822", *records, on=True, settings=settings)
        bid = rules.bids.of("alliance")
        made = Declaration(
            BidSpec("alliance"), bid, 0, hands, favourite=None, binds=False, limits=rules
        )
        return {str(a) for a in made.legal()}

    assert called() - called(limit) == {"call HK"}


def test_trumps_named_without_asking_leave_are_limited_too():
    limit = TrumpsOnly(bid="solo", suits=("hearts", "clubs"), rule="x.on")
    rules = with_own(
        "quadrille-laws", limit, on=True, settings={"auction.unasked_trumps": "played_alone"}
    )
    auction = Auction(Ladder(rules), [[], [], [], []], None)
    refused = [auction.name_refusal(Suit(s)) for s in range(4)]
    told = "this suit may not be trumps at the bid that it stands for (x.on)"
    assert [None if r is None else str(r) for r in refused] == [told, None, None, told]


def test_a_game_that_falls_on_somebody_is_limited_too():
    limit = TrumpsOnly(bid="forced-spadille", suits=("hearts",), rule="x.on")
    compiled_rules = compile_reference("quadrille-laws")
    ruleset = replace(compiled_rules.ruleset, rules=with_own("quadrille-laws", limit, on=True))
    played = play_session(ruleset, [make_bot("steady")] * 4, seed=1, session=0, deals=100)
    forced = [p.deal.declaration.trump for p in played if p.deal.forced]
    assert set(forced) == {Suit(SUITS.index("hearts"))}
