"""Tricks, premiers, the vole, and the result; what a seat may see."""

from dataclasses import replace
from fractions import Fraction

import pytest
from quadrille_plugins.deal.view import view_of
from support import made_rules
from support.table import dealt, hands_from_pack, kinds, pack_order, play_out, run, said, say, sit, swapped

from quadrille_core.cards import CLUBS, HEARTS, NO_TRUMP, format_cards, parse_card, parse_cards
from quadrille_core.engine.actions import parse_action
from quadrille_core.engine.deal import (
    DealSetup,
    drawn_packets,
    shuffled_hands,
)
from quadrille_core.engine.settle import settle
from quadrille_core.engine.table import Deal
from quadrille_core.errors import IllegalActionError, RecordError
from quadrille_core.stream import Purpose, Stream

PASSES = ("pass", "pass", "pass")
STRONG = "SA H7 CA HA HK HQ HJ H2 SK CK"
SOLO = ("bid solo", *PASSES, "trump hearts")


def lead_on(deal):
    """Play until a decision or the end; Hombre's strong hand leads its trumps from the top."""
    order = {c: n for n, c in enumerate(parse_cards(STRONG))}
    while deal.phase == "play":
        deal.apply(min(deal.legal(), key=lambda a: order.get(a.card, 99)))
    return deal


# --- the deal ------------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_hands_under_every_rule_set():
    one, other = made_rules().rules, made_rules(**{"deal.packets": [[4, 3, 3]], "stakes.ante": 3}).rules
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


# --- tricks --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("leaf", "seat"), [("eldest", 0), ("hombre", 2)])
def test_the_first_lead_is_the_eldests_or_hombres_as_the_rules_say(leaf, seat):
    deal = say(sit(dealt("", "", STRONG), **{"play.first_lead": leaf}), "pass", "pass", "bid solo", "pass")
    assert say(deal, "trump hearts").turn == seat


def test_play_goes_to_the_right_and_the_winner_leads_next():
    deal = say(sit(dealt("C3", "CJ", "CK", "C7")), *SOLO[:1], *PASSES, "trump hearts")
    say(deal, "play C3")
    assert deal.turn == 1
    say(deal, "play CJ", "play CK", "play C7")
    assert (deal.turn, deal.leader, deal.won) == (2, 2, [0, 0, 1, 0])
    assert deal.tricks[0].winner == 2
    assert [e.text() for e in deal.events][-1] == "C takes the trick C3 CJ CK C7"


def test_an_illegal_card_is_refused_with_the_reason_of_the_forcing_rule():
    deal = say(sit(dealt("SA H3 C3", "HK H4 C4")), *SOLO, "play H3")
    with pytest.raises(IllegalActionError) as caught:
        say(deal, "play C4")
    assert "H4" in caught.value.problems[0].message
    assert "(play)" in caught.value.problems[0].message
    assert "play HK" in caught.value.problems[0].help
    assert deal.refusal(parse_action("play C3")) == "C3 is not in the player's hand (play)"
    assert deal.refusal(parse_action("bid solo")) == "cards are being played (play)"


def test_all_ten_tricks_are_played_when_premiers_are_not_made():
    deal = run(say(sit(dealt("H3", STRONG)), *SOLO))
    assert len(deal.tricks) == 10
    assert sum(deal.result().tricks) == 10
    assert deal.legal() == ()
    with pytest.raises(IllegalActionError, match="nobody may not pass: the deal is over"):
        say(deal, "pass")


def test_the_ally_is_known_when_the_called_card_is_played():
    rules = {"favourite.source": "none"}
    deal = say(sit(dealt("SA C3", "CK"), **rules), "bid alliance", *PASSES, "trump hearts", "call CK", "play C3")
    assert "ally" not in kinds(deal)
    say(deal, "play CK")
    assert kinds(deal)[-2:] == ["play", "ally"]


def test_playing_ones_own_called_card_shows_that_one_plays_alone():
    deal = say(sit(dealt("SA CK")), "bid alliance", *PASSES, "trump hearts", "call CK", "play CK")
    assert [e.text() for e in deal.events][-1] == "A called her own card and plays alone"
    assert deal.ally is None


# --- premiers and the vole -----------------------------------------------------------------------


def test_a_solo_player_with_premiers_claims_and_the_rest_is_not_played():
    deal = lead_on(say(sit(dealt(STRONG)), *SOLO))
    assert (deal.phase, deal.turn, said(deal)) == ("vole", 0, ["claim", "vole"])
    assert kinds(deal)[-1] == "premiers"
    say(deal, "claim")
    result = deal.result()
    assert (result.tricks, result.premiers, result.vole) == ((6, 0, 0, 0), True, "none")
    assert kinds(deal)[-2:] == ["claim", "end"]


def test_leading_on_undertakes_the_vole_and_all_ten_are_played():
    deal = lead_on(say(lead_on(say(sit(dealt(STRONG)), *SOLO)), "vole"))
    result = deal.result()
    assert (result.tricks, result.premiers, result.vole) == ((10, 0, 0, 0), True, "undertaken")


def test_where_premiers_end_nothing_the_leader_plays_on_or_undertakes_the_vole():
    deal = lead_on(say(sit(dealt(STRONG), **{"premiers.claim": False}), *SOLO))
    assert said(deal) == ["no", "vole"]
    assert "may not end the play" in deal.refusal(parse_action("claim"))
    lead_on(say(deal, "no"))
    assert (deal.result().tricks, deal.result().vole) == ((10, 0, 0, 0), "none")


def test_premiers_do_not_end_a_game_that_wants_more_tricks():
    """At a solo of seven nobody may stop after six and lose what is won so far; with seven it is won."""
    deal = lead_on(say(sit(dealt(STRONG), **{"bids.solo.tricks": 7}), *SOLO))
    assert said(deal) == ["no", "vole"]
    assert "may not end the play" in deal.refusal(parse_action("claim"))
    lead_on(say(deal, "no"))
    assert (deal.result().tricks, deal.result().vole) == ((10, 0, 0, 0), "none")
    assert settle(deal.ruleset.rules, deal.result()).outcome == "won"


def test_the_number_of_tricks_that_make_premiers_is_a_rule():
    deal = lead_on(say(sit(dealt(STRONG), **{"premiers.tricks": 4}), *SOLO))
    assert (len(deal.tricks), deal.phase) == (4, "vole")
    deal = lead_on(say(sit(dealt(STRONG), **{"premiers.tricks": 10}), *SOLO))
    assert (deal.phase, deal.result().premiers, deal.result().vole) == ("over", True, "none")


def test_a_trick_lost_early_leaves_no_premiers():
    deal = lead_on(say(sit(dealt("S3", STRONG)), "pass", "bid solo", "pass", "pass", "trump hearts"))
    first = deal.tricks[0].winner
    assert deal.premiers is (first == 1)


def test_where_the_bid_earns_no_premiers_the_vole_may_still_be_decided():
    deal = lead_on(say(sit(dealt(STRONG), **{"bids.solo.premiers": False}), *SOLO))
    assert (deal.phase, deal.premiers) == ("vole", False)
    assert "premiers" not in kinds(deal)


def test_a_bid_that_may_not_undertake_the_vole_is_played_to_the_end_without_a_decision():
    deal = lead_on(say(sit(dealt(STRONG), **{"bids.solo.may_undertake_vole": False}), *SOLO))
    assert (deal.phase, deal.result().premiers, deal.result().vole) == ("over", True, "none")
    assert sum(deal.result().tricks) == 10


@pytest.mark.parametrize("level", ["announced", "revealed"])
def test_a_vole_bid_in_the_auction_is_played_out_without_a_decision(level):
    deal = lead_on(say(sit(dealt(STRONG)), f"bid solo+{level}", *PASSES, "trump hearts"))
    assert (deal.phase, deal.result().vole, deal.result().premiers) == ("over", level, True)


def test_a_bid_that_is_itself_the_vole_counts_as_announced():
    rules = {"bids.solo.is_vole": True, "bids.solo.vole_with_bid": "none"}
    deal = lead_on(say(sit(dealt(STRONG), **rules), *SOLO))
    assert (deal.phase, deal.result().vole) == ("over", "announced")


def allied(**overrides):
    """Hombre has made premiers; their ally holds the called king and has not shown it."""
    setup = dealt("SA H7 CA HA HK HQ HJ H2 H3 SK", "", "CK C7 C6 C5 S7 S6 S5 S4 S3 S2")
    deal = say(sit(setup, **overrides), "bid alliance", *PASSES, "trump hearts", "call CK")
    top = iter(parse_cards("SA H7 CA HA HK HQ"))
    while deal.phase == "play":
        if deal.turn == 0:
            say(deal, f"play {format_cards([next(top)])}")
        else:
            deal.apply(deal.legal()[0])
    return deal


def test_allies_consult_by_asking_and_a_yes_undertakes_the_vole():
    deal = allied()
    assert (deal.turn, said(deal)) == (0, ["claim", "ask"])
    assert "ally must be asked" in deal.refusal(parse_action("vole"))
    assert "nothing was asked" in deal.refusal(parse_action("yes"))
    say(deal, "ask")
    assert (deal.turn, said(deal)) == (2, ["yes", "no"])
    assert deal.refusal(parse_action("claim")).endswith("(vole.consultation)")
    say(deal, "yes")
    assert (deal.phase, deal.turn, deal.vole) == ("play", 0, "undertaken")
    assert kinds(deal)[-4:] == ["ask", "yes", "ally", "vole"]


def test_an_allys_no_claims_the_game():
    deal = say(allied(), "ask", "no")
    assert (deal.phase, deal.result().vole, sum(deal.result().tricks)) == ("over", "none", 6)
    assert kinds(deal)[-5:] == ["ask", "no", "ally", "claim", "end"]


def test_an_allys_no_plays_on_where_premiers_end_nothing():
    deal = allied(**{"premiers.claim": False})
    assert said(deal) == ["no", "ask"]
    say(deal, "ask", "no")
    assert (deal.phase, deal.turn, deal.vole) == ("play", 0, "none")


def test_an_allys_no_plays_on_where_the_game_wants_more_tricks_than_premiers():
    deal = allied(**{"bids.alliance.tricks": 7})
    assert said(deal) == ["no", "ask"]
    say(deal, "ask", "no")
    assert (deal.phase, deal.turn, deal.vole) == ("play", 0, "none")


def test_the_vole_may_be_declared_unasked_only_where_the_rules_say_so():
    deal = allied(**{"vole.consultation": "ask_or_declare"})
    assert said(deal) == ["claim", "ask", "vole"]
    assert say(deal, "vole").vole == "undertaken"


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


def test_a_secret_soloist_decides_alone():
    setup = dealt(STRONG)
    deal = say(sit(setup), "bid alliance", *PASSES, "trump hearts", "call SK")
    lead_on(deal)
    assert said(deal) == ["claim", "vole"]
    say(deal, "claim")
    assert [e.text() for e in deal.events][-2] == "A called her own card and plays alone"
    assert deal.result().ally is None


def test_at_a_game_of_losing_every_trick_all_ten_are_played():
    deal = run(say(sit(dealt(STRONG)), "bid nemo", *PASSES))
    assert (len(deal.tricks), deal.trump, deal.result().premiers) == (10, NO_TRUMP, False)


# --- matadors ------------------------------------------------------------------------------------


def matadors(setup, *actions, **overrides):
    return run(say(sit(setup, **overrides), *actions)).result().matadors


def test_matadors_are_counted_on_hombres_side_or_in_her_hand_as_the_rules_say():
    setup = dealt("SA CA", "H7 CK")
    alliance = ("bid alliance", *PASSES, "trump hearts", "call CK")
    assert matadors(setup, *alliance) == 3
    assert matadors(setup, *alliance, **{"payments.matadors_held_by": "hombre"}) == 1


def test_matadors_count_as_dealt_or_as_held_after_the_exchange():
    rules = {"bids.mediateur.trump_when": "before_call"}
    setup = dealt("SA H7 CA HA D3", "DK")
    game = ("bid mediateur", *PASSES, "trump hearts", "call DK", "give HA")
    assert matadors(setup, *game, **rules) == 4
    assert matadors(setup, *game, **rules, **{"payments.matadors_counted": "as_played"}) == 3


def test_the_fourth_top_trump_counts_in_black_only_where_it_is_paid():
    setup = dealt("SA C2 CA CK")
    solo = ("bid solo", *PASSES, "trump clubs")
    assert matadors(setup, *solo) == 3
    assert matadors(setup, *solo, **{"payments.matadors_four_in_black": True}) == 4
    assert matadors(dealt(STRONG), *SOLO) == 4


def test_without_a_trump_suit_no_matadors_are_counted():
    assert matadors(dealt(STRONG), "bid grandissimo", *PASSES) == 0


def test_the_result_names_contract_trumps_and_who_gave_up_the_called_card():
    setup = dealt("SA D3", "", "", "HK", favourite=CLUBS, pool=12)
    deal = say(sit(setup), "bid mediateur", *PASSES, "call HK", "give D3", "trump spades")
    result = run(deal).result()
    assert (result.contract, result.trump, result.surrendered, result.ally) == ("mediateur", 0, 3, None)
    assert (result.pool, result.favourite, result.hombre) == (Fraction(12), CLUBS, 0)


# --- what a seat may see -------------------------------------------------------------------------


def test_a_seat_sees_its_own_hand_and_no_other():
    deal = say(sit(dealt("SA", "CK")), "bid alliance")
    view = view_of(deal, 1)
    assert view.hand == tuple(deal.hands[1])
    assert view.exposed == ()
    assert (view.standing, view.contract, view.turn) == (deal.auction.standing, None, 1)


def test_the_ally_knows_herself_and_hombre_does_not_know_her():
    deal = say(sit(dealt("SA C3", "CK")), "bid alliance", *PASSES, "trump hearts", "call CK")
    seen = [(view_of(deal, s).ally, view_of(deal, s).alone) for s in range(4)]
    assert seen == [(None, None), (1, False), (None, None), (None, None)]
    say(deal, "play C3", "play CK")
    assert [(view_of(deal, s).ally, view_of(deal, s).alone) for s in range(4)] == [(1, False)] * 4


def test_only_hombre_knows_that_she_called_her_own_card():
    deal = say(sit(dealt("SA CK")), "bid alliance", *PASSES, "trump hearts", "call CK")
    assert [view_of(deal, s).alone for s in range(4)] == [True, None, None, None]


def test_the_card_given_is_known_to_giver_and_taker_alone():
    deal = say(sit(dealt("SA D3", "", "HK")), "bid mediateur", *PASSES, "call HK", "give D3")
    assert [view_of(deal, s).given for s in range(4)] == [parse_card("D3"), None, parse_card("D3"), None]
    assert view_of(deal, 1).exposed == ((0, parse_cards("HK")),)
    assert view_of(deal, 0).exposed == ((2, parse_cards("D3")),)


def test_two_cards_given_in_exchange_look_the_same_to_the_others():
    setup = dealt("SA D3 D4", "", "HK")
    one = say(sit(setup), "bid mediateur", *PASSES, "call HK", "give D3")
    other = say(sit(setup), "bid mediateur", *PASSES, "call HK", "give D4")
    other.ruleset = one.ruleset
    assert view_of(one, 1) == view_of(other, 1)
    assert view_of(one, 2) != view_of(other, 2)


def test_a_revealed_vole_exposes_hombres_hand_and_shown_cards_stay_known():
    deal = say(sit(dealt(STRONG)), "bid solo+revealed", *PASSES)
    assert view_of(deal, 2).exposed == ((0, tuple(sorted(parse_cards(STRONG)))),)
    assert view_of(deal, 0).exposed == ()
    casco = say(sit(dealt("SA CA", "HK")), "bid casco", *PASSES, "call HK", "trump clubs")
    assert view_of(casco, 3).exposed == ((0, parse_cards("SA CA")),)
    say(casco, "play SA")
    assert view_of(casco, 3).exposed == ((0, parse_cards("CA")),)


def test_views_are_equal_wherever_two_deals_differ_only_in_hidden_cards():
    """Swap two unplayed cards between hands the viewer cannot see: if the past stands, nothing shows."""
    compared = 0
    for number in range(60):
        ruleset = made_rules(**{"bids.casco.rank": 5, "bids.grandissimo.rank": 3})
        stream = Stream(11, 0, number, Purpose.PLAY)
        setup = DealSetup(hands=shuffled_hands(11, 0, number, ruleset.rules), pool=Fraction(4), favourite=HEARTS)
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
