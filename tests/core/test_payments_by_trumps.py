"""Payments of a plugin that depend on what is trumps: settled, told, and played alike by both
engines."""

import sys
from dataclasses import replace

import pytest
from quadrille_plugins.deal.players import make_bot
from quadrille_plugins.deal.session import play_session
from quadrille_plugins.house_rules.testing import compiled, transfers
from quadrille_plugins.ledger.laws import Laws, with_plugins
from support.plugin import LEAF, PREAMBLE, SOLO, make_plugin, quadrille

from quadrille_core.cards import SUITS
from quadrille_core.plugin_rules import Incident, PaymentRow, PluginRules

DEARER = (
    PREAMBLE
    + LEAF.format(
        "OwnLeaf(path='dearer.n', type='amount', doc='Units that a solo in black earns.', "
        "neutral=2)"
    )
    + "@hookimpl\ndef quadrille_payments(rules, parameters):\n"
    + "    return [PaymentRow(reason='in black', amount='dearer.n', unit='units', "
    "payer='adversaries',\n"
    + "        payee='hombre', outcomes=('won',), contracts=('solo',), trumps=({}))]\n"
)


@pytest.fixture
def dearer(tmp_path, monkeypatch):
    """A plugin by which a solo won in a black suit earns two units more."""
    monkeypatch.delitem(sys.modules, "dearer_module", raising=False)
    make_plugin(tmp_path, "dearer", DEARER.format("'spades', 'clubs'"))
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def test_a_solo_won_in_some_suits_pays_more(dearer):
    rules = compiled("quanti-1822@parlett+dearer")
    more = {
        trump: [t for t in transfers(rules, SOLO | {"trump": trump}) if t[3] == "in black"]
        for trump in SUITS
    }
    assert more["hearts"] == more["diamonds"] == []
    assert more["spades"] == more["clubs"] == [(who, "A", 6, "in black") for who in "BCD"]


def test_explain_and_the_rulebook_say_at_which_trumps(dearer):
    text = quadrille(
        "explain", "quanti-1822+dearer", "dearer.payments", path=dearer, cwd=dearer
    ).stdout
    assert "dearer.n units (solo, won, spades, clubs)" in " ".join(text.split())
    book = quadrille("rulebook", "quanti-1822+dearer", path=dearer, cwd=dearer).stdout
    assert "in Solo, with spades or clubs as trumps, if the game is won" in " ".join(book.split())


def test_a_ruling_orders_no_payment_that_waits_for_the_trumps():
    """At the table nobody asks what is trumps when something went wrong: `settle` pays it with the
    deal."""
    rules = compiled("quanti-1822").ruleset.rules
    row = PaymentRow(reason="r", amount="x.n", payer="offender", payee="pool", incident="i")
    law, none = Incident(id="i", doc="d", says="s", rule="x.n"), Laws("", {}, (), {})
    for one, many in ((row, 1), (replace(row, trumps=("clubs",)), 0)):
        own = PluginRules((("x.n", 9),), (("x.payments", (one,)), ("x.incidents", (law,))))
        found = with_plugins(none, replace(rules, own=own), lambda path: path)
        assert (
            sum(len(order.rows) for clause in found.laws[0].clauses for order in clause.orders)
            == many
        )


@pytest.mark.parametrize(
    "trumps", [("spades",), ("hearts",), ("favourite",), ("favourite", "diamonds")]
)
def test_payments_by_trumps_are_played_by_both_engines_alike(trumps):
    """The bots' bids too, which leave out what one suit is paid, and count what the favourite suit
    is paid."""
    pytest.importorskip("numba")
    from kernel_equality import EqualityCounts, compare

    ruleset = compiled("mediateur-1752@parlett").ruleset
    row = PaymentRow(reason="r", amount="x.n", payer="adversaries", payee="side", trumps=trumps)
    own = PluginRules((("x.n", 40),), (("x.payments", (row,)),))
    changed = replace(ruleset, rules=replace(ruleset.rules, own=own))
    played = play_session(changed, [make_bot("steady")] * 4, seed=1, session=3, deals=40)
    assert "x.n" in [
        t.rule for deal in played if deal.settlement for t in deal.settlement.transfers
    ]
    tally = EqualityCounts()
    compare("by trumps", changed, 40, 1, tally)
    assert (tally.deals, tally.difference) == (40, "")
