"""The auction: turn, overcalling, priority, favourite suit, announced voles."""

import pytest
from support.table import dealt, said, say, sit

from quadrille_core.cards import CLUBS, HEARTS
from quadrille_core.engine.actions import Action, BidSpec, parse_action
from quadrille_core.errors import IllegalActionError


def bids(deal):
    return [text.removeprefix("bid ") for text in said(deal) if text.startswith("bid ")]


def why(deal, action):
    return deal.refusal(parse_action(action))


def test_the_eldest_speaks_first_and_the_turn_goes_round_to_the_dealer():
    deal = sit(dealt("C3"))
    order = []
    for _ in range(4):
        order.append(deal.turn)
        say(deal, "pass")
    assert order == [0, 1, 2, 3]


def test_pass_comes_first_among_the_legal_actions_and_the_bids_rise():
    deal = sit(dealt("SA CA"))
    assert said(deal)[:4] == ["pass", "bid alliance", "bid mediateur", "bid mediateur+announced"]
    assert bids(deal)[-2:] == ["grandissimo+revealed", "nemo"]
    assert len(bids(deal)) == len(set(bids(deal))) == 12


def test_when_all_pass_the_game_is_forced_on_the_holder_of_the_card():
    deal = say(sit(dealt("", "", "SA")), "pass", "pass", "pass", "pass")
    assert (deal.hombre, deal.contract, deal.forced) == (2, BidSpec("forced-spadille"), True)
    assert [e.text() for e in deal.events][-1] == "all pass: forced-spadille falls on C"


def test_when_all_pass_a_redeal_ends_the_deal_without_a_result():
    deal = say(sit(dealt(), **{"auction.all_pass": "redeal"}), "pass", "pass", "pass", "pass")
    assert (deal.phase, deal.turn, deal.redealt, deal.result(), deal.legal()) == ("over", None, True, None, ())
    assert deal.events[-1].note == "redeal"


def test_who_has_passed_never_comes_in_again():
    deal = say(sit(dealt()), "pass", "bid alliance", "bid solo", "pass")
    assert deal.turn == 1
    say(deal, "pass")
    assert deal.phase == "declare"


def test_a_bid_must_overcall_the_standing_one():
    deal = say(sit(dealt()), "bid solo")
    assert bids(deal)[0] == "solo+announced"
    assert why(deal, "bid alliance") == "it does not overcall solo (bids.alliance.rank)"
    assert why(deal, "bid solo") == "solo stands already and only its elder may match it (auction.elder_may_raise)"
    assert why(deal, "bid grandissimo") is None


def test_the_auction_ends_when_only_the_standing_bidder_is_left():
    deal = say(sit(dealt()), "bid alliance", "pass", "pass")
    assert deal.phase == "auction"
    say(deal, "pass")
    assert (deal.phase, deal.hombre) == ("declare", 0)


def test_by_priority_an_overcalled_elder_may_match_a_younger_hand():
    deal = say(sit(dealt()), "bid alliance", "bid solo", "pass", "pass")
    assert deal.turn == 0
    assert "bid solo" in said(deal)
    say(deal, "bid solo")
    assert deal.turn == 1
    assert why(deal, "bid solo") is not None
    assert why(deal, "bid grandissimo") is None
    say(deal, "pass")
    assert deal.hombre == 0


def test_priority_matches_exactly_and_belongs_to_elders_alone():
    deal = say(sit(dealt()), "pass", "bid alliance", "bid mediateur", "bid solo", "bid grandissimo", "bid nemo")
    assert deal.turn == 3
    assert bids(deal) == []
    assert why(deal, "bid solo") == "it does not overcall nemo (bids.solo.rank)"
    assert said(say(deal, "pass")) == ["pass", "bid nemo"]


def test_only_higher_lets_an_overcalled_bidder_come_again_but_not_match():
    deal = say(sit(dealt(), **{"auction.elder_may_raise": "only_higher"}), "bid alliance", "bid solo", "pass", "pass")
    assert deal.turn == 0
    assert why(deal, "bid solo") == "solo stands already, and priority may not match it (auction.elder_may_raise)"
    assert "bid grandissimo" in said(deal)


def test_never_leaves_an_overcalled_bidder_out():
    deal = say(sit(dealt(), **{"auction.elder_may_raise": "never"}), "bid alliance", "bid solo", "pass", "pass")
    assert (deal.phase, deal.hombre) == ("declare", 1)


def test_a_bid_that_closes_the_auction_ends_it_at_once():
    deal = say(sit(dealt(), **{"bids.solo.closes_auction": True}), "bid alliance", "bid solo")
    assert (deal.phase, deal.hombre) == ("declare", 1)


def test_a_bid_that_needs_cards_is_open_to_their_holder_alone():
    deal = sit(dealt("SA", "CA"))
    assert "casco" not in bids(deal)
    assert why(deal, "bid casco") == "the bidder must hold SA CA (bids.casco.needs)"
    assert "casco" in bids(sit(dealt("SA CA")))


@pytest.mark.parametrize(
    ("when", "seen"), [("nothing", []), ("with_bid", ["bid", "shows"]), ("after_auction", ["shows"])]
)
def test_needed_cards_are_laid_open_when_the_rules_say(when, seen):
    deal = say(sit(dealt("SA CA"), **{"bids.casco.shows": when}), "bid casco")
    assert [e.kind for e in deal.events][1:] == (["bid", "shows"] if when == "with_bid" else ["bid"])
    say(deal, "pass", "pass", "pass")
    shows = [e for e in deal.events if e.kind == "shows"]
    assert len(shows) == (when != "nothing")
    assert all(e.text() == "A shows SA CA" for e in shows)
    assert bool(seen) == bool(shows)


def test_needed_cards_shown_after_the_auction_stay_hidden_when_the_bid_is_overcalled():
    deal = say(sit(dealt("SA CA")), "bid casco", "bid solo", "pass", "pass", "pass")
    assert "shows" not in [e.kind for e in deal.events]


def test_the_forced_bid_is_never_bid():
    deal = sit(dealt("SA"))
    assert "forced-spadille" not in bids(deal)
    assert "never bid" in why(deal, "bid forced-spadille")


def test_a_bid_the_rules_do_not_have_is_refused_by_name():
    assert why(sit(dealt()), "bid misere") == "these rules have no bid misere (bids)"


def test_an_announced_vole_beats_its_own_bid_and_yields_to_the_next():
    deal = say(sit(dealt()), "bid mediateur+announced")
    assert why(deal, "bid mediateur") == "it does not overcall mediateur+announced (auction.announced_vole_rank)"
    assert bids(deal)[:2] == ["mediateur+revealed", "solo"]


def test_an_announced_vole_beats_every_bid_without_it_where_it_ranks_highest():
    deal = say(sit(dealt(), **{"auction.announced_vole_rank": "highest"}), "bid mediateur+announced")
    assert bids(deal) == [
        "mediateur+revealed",
        "solo+announced",
        "solo+revealed",
        "grandissimo+announced",
        "grandissimo+revealed",
    ]
    assert "auction.announced_vole_rank" in why(deal, "bid nemo")


def test_a_bid_that_is_itself_the_vole_ranks_with_the_announced_voles():
    rules = {"auction.announced_vole_rank": "highest", "bids.alliance.is_vole": True}
    deal = say(sit(dealt(), **rules), "bid nemo")
    assert bids(deal)[0] == "alliance"
    assert "nemo" not in bids(say(deal, "bid alliance"))


@pytest.mark.parametrize(
    ("leaf", "offered"),
    [
        ("none", ["solo"]),
        ("announced", ["solo", "solo+announced"]),
        ("announced_or_revealed", ["solo", "solo+announced", "solo+revealed"]),
    ],
)
def test_the_vole_is_offered_with_a_bid_only_as_the_bid_allows(leaf, offered):
    deal = sit(dealt(), **{"bids.solo.vole_with_bid": leaf})
    assert [b for b in bids(deal) if b.startswith("solo")] == offered
    if leaf == "none":
        assert why(deal, "bid solo+announced").endswith("(bids.solo.vole_with_bid)")


def test_in_favourite_a_bid_overcalls_the_same_bid_but_not_a_higher_one():
    deal = say(sit(dealt(favourite=HEARTS)), "bid alliance")
    assert bids(deal)[:2] == ["alliance+favourite", "mediateur"]
    say(deal, "bid mediateur")
    assert why(deal, "bid alliance+favourite").endswith("(bids.alliance.rank)")


def test_the_vole_weighs_more_than_the_favourite_suit_at_the_same_bid():
    deal = say(sit(dealt(favourite=HEARTS)), "bid solo+favourite")
    assert bids(deal)[:3] == ["solo+announced", "solo+favourite+announced", "solo+revealed"]
    assert why(say(deal, "bid solo+announced"), "bid solo+favourite").endswith("(auction.announced_vole_rank)")


def test_in_favourite_does_not_overcall_where_the_rules_deny_it():
    deal = say(sit(dealt(favourite=HEARTS), **{"favourite.overcalls": False}), "bid alliance")
    assert "alliance+favourite" not in bids(deal)


def test_without_a_favourite_suit_no_bid_is_made_in_favourite():
    deal = sit(dealt())
    assert not [b for b in bids(deal) if "favourite" in b]
    assert why(deal, "bid solo+favourite") == "there is no favourite suit (favourite.source)"


def test_a_bid_decided_by_its_trumps_or_without_trumps_is_not_bid_in_favourite():
    deal = sit(dealt("SA CA", favourite=CLUBS))
    assert not [b for b in bids(deal) if b.startswith(("casco+fav", "nemo+fav", "grandissimo+fav"))]
    assert why(deal, "bid casco+favourite").endswith("(bids.casco.in_favourite)")


def test_an_illegal_bid_names_player_action_reason_and_what_is_legal():
    deal = say(sit(dealt()), "bid nemo")
    with pytest.raises(IllegalActionError) as caught:
        say(deal, "bid solo")
    (problem,) = caught.value.problems
    assert problem.code == "Q702"
    assert problem.message == "B may not bid solo: it does not overcall nemo (bids.solo.rank)"
    assert problem.help == "legal here: pass"
    assert deal.turn == 1


def test_a_card_cannot_be_played_nor_a_suit_named_while_the_auction_is_open():
    deal = sit(dealt("SA"))
    assert why(deal, "play SA") == "the auction is open (auction)"
    assert why(deal, "trump hearts") == "the auction is open (auction)"
    assert why(deal, "claim") == "the auction is open (auction)"
    assert deal.refusal(Action("bid")) is not None
