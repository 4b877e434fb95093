"""The cards that are dealt, and what a seat may see; what is said and played stands in
`data/scenes_made.yaml`."""

from dataclasses import replace
from fractions import Fraction

import pytest
from quadrille_plugins.deal.view import view_of
from support import made_rules
from support.table import dealt, hands_from_pack, pack_order, play_out, said, say, sit, swapped

from quadrille_core.cards import HEARTS, format_cards
from quadrille_core.engine.deal import (
    DealSetup,
    drawn_packets,
    shuffled_hands,
)
from quadrille_core.engine.table import Deal
from quadrille_core.errors import IllegalActionError, RecordError
from quadrille_core.stream import Purpose, Stream

PASSES = ("pass", "pass", "pass")


# --- the deal ------------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_hands_under_every_rule_set():
    one, other = (
        made_rules().rules,
        made_rules(**{"deal.packets": [[4, 3, 3]], "stakes.ante": 3}).rules,
    )
    assert shuffled_hands(7, 2, 5, one) == shuffled_hands(7, 2, 5, other)
    assert shuffled_hands(7, 2, 5, one) != shuffled_hands(7, 2, 6, one)


def test_the_pack_rebuilt_from_hands_and_packets_deals_the_same_hands():
    hands = shuffled_hands(1, 0, 0, made_rules().rules)
    for packets in ((3, 3, 4), (4, 3, 3), (10,)):
        pack = pack_order(hands, packets)
        assert sorted(pack) == list(range(40))
        assert hands_from_pack(pack, packets, 4) == hands
    assert pack_order(hands, (3, 3, 4))[:6] == hands[0][:3] + hands[1][:3]


def test_packets_are_drawn_among_those_the_rules_allow():
    rules = made_rules().rules
    drawn = {drawn_packets(3, 0, n, rules) for n in range(60)}
    assert drawn == set(rules.deal.packets)


def test_packets_that_the_rules_do_not_allow_are_refused_by_their_rule():
    with pytest.raises(IllegalActionError, match=r"may not be dealt 4-4-2 \(deal.packets\)"):
        sit(dealt(packets=(4, 4, 2)))


def test_a_setup_that_is_no_deal_is_refused():
    setup = dealt()
    short = replace(setup, hands=(setup.hands[0][:9], *setup.hands[1:]))
    with pytest.raises(RecordError, match="hand 1 has 9 cards, not 10"):
        sit(short)
    with pytest.raises(RecordError, match="is dealt twice"):
        sit(replace(setup, hands=(setup.hands[0],) * 4))
    with pytest.raises(RecordError, match="different names"):
        sit(replace(setup, players=("A", "A", "B", "C")))


# --- the vole -----------------------------------------------------------------------


def test_an_ally_on_lead_decides_and_is_known_by_speaking():
    hombre, ally = "SA H7 CA HA HK S3 D3 D4 D5 D6", "CK SK SQ HQ HJ C7 C6 C5 C4 DK"
    deal = sit(dealt(hombre, "H2 H3 S7 S6", ally, "H4 H5 H6 S5 S4"))
    say(deal, "bid alliance", *PASSES, "trump hearts", "call CK")
    leads = iter(hombre.split())
    while deal.phase == "play":
        if deal.turn == 0:
            say(deal, f"play {next(leads)}")
        else:
            deal.apply(deal.legal()[-1 if deal.turn == 2 else 0])
    assert (deal.phase, deal.turn, said(deal)) == ("vole", 2, ["claim", "ask"])
    assert view_of(deal, 0).ally is None
    say(deal, "ask")
    assert view_of(deal, 0).ally == 2
    assert (deal.turn, view_of(deal, 0).asked) == (0, True)
    assert say(deal, "yes").turn == 2


# --- what a seat may see -------------------------------------------------------------------------


def test_a_seat_sees_its_own_hand_and_no_other():
    deal = say(sit(dealt("SA", "CK")), "bid alliance")
    view = view_of(deal, 1)
    assert view.hand == tuple(deal.hands[1])
    assert view.exposed == ()
    assert (view.standing, view.contract, view.turn) == (deal.auction.standing, None, 1)


def test_two_cards_given_in_exchange_look_the_same_to_the_others():
    setup = dealt("SA D3 D4", "", "HK")
    one = say(sit(setup), "bid mediateur", *PASSES, "call HK", "give D3")
    other = say(sit(setup), "bid mediateur", *PASSES, "call HK", "give D4")
    other.ruleset = one.ruleset
    assert view_of(one, 1) == view_of(other, 1)
    assert view_of(one, 2) != view_of(other, 2)


def test_views_are_equal_wherever_two_deals_differ_only_in_hidden_cards():
    """Swap two unplayed cards between hands the viewer cannot see: if the past stands, nothing
    shows."""
    compared = 0
    for number in range(60):
        ruleset = made_rules(**{"bids.casco.rank": 5, "bids.grandissimo.rank": 3})
        stream = Stream(11, 0, number, Purpose.PLAY)
        setup = DealSetup(
            hands=shuffled_hands(11, 0, number, ruleset.rules), pool=Fraction(4), favourite=HEARTS
        )
        full = play_out(ruleset, setup, stream)
        length = stream.below(len(full.actions))
        deal = Deal(ruleset, setup)
        for _, action in full.actions[:length]:
            deal.apply(action)
        viewer = stream.below(4)
        exposed = {c for _, cards in view_of(deal, viewer).exposed for c in cards}
        one, other = [s for s in range(4) if s != viewer][:2]
        for a in deal.hands[one]:
            for b in deal.hands[other]:
                if {a, b} & exposed:
                    continue
                changed = swapped(setup, format_cards([a]), format_cards([b]))
                twin = Deal(ruleset, changed)
                for seat, action in full.actions[:length]:
                    if twin.turn != seat or twin.refusal(action) is not None:
                        break
                    twin.apply(action)
                else:
                    if [e.text() for e in twin.events] == [e.text() for e in deal.events]:
                        compared += 1
                        assert view_of(twin, viewer) == view_of(deal, viewer)
                        if twin.turn == viewer:
                            assert twin.legal() == deal.legal()
    assert compared > 500
