"""Which card may be called, and in which order calling, naming trumps and exchanging come."""

import itertools
import random

import pytest
from support.table import dealt, run, said, say, sit

from quadrille_core.cards import CLUBS, DIAMONDS, HEARTS, NO_TRUMP, PACK, SPADES, Suit, format_cards, parse_cards
from quadrille_core.engine.actions import parse_action
from quadrille_core.engine.declare import CallContext, callable_cards, explain_calls, why_not_callable
from quadrille_core.rules import Call

PASSES = ("pass", "pass", "pass")


def can_call(hand, trump=HEARTS, *, bound=None, others_only="", **leaves):
    context = CallContext(Call(**leaves), parse_cards(hand), trump, bound, others_only)
    return format_cards(callable_cards(context))


def test_a_king_one_lacks_may_be_called_but_not_of_trumps():
    assert can_call("SK H2") == "CK DK"


def test_the_trump_king_but_not_the_queen_may_be_called_where_kings_are_allowed():
    assert can_call("SK H2", trump_suit="kings") == "HK CK DK"
    assert can_call("SK H2", trump_suit="kings", queen_when="always") == "SQ HK CK CQ DK DQ"
    assert can_call("SK H2", trump_suit="any", queen_when="always") == "SQ HK HQ CK CQ DK DQ"


def test_a_queen_may_be_called_with_all_three_plain_kings_or_only_with_four():
    three, four = "SK CK DK H2", "SK CK DK HK"
    assert can_call(three, queen_when="three_plain_kings") == "SQ CQ DQ"
    assert can_call(four, queen_when="four_kings") == "SQ CQ DQ"
    assert can_call("SK CK H2", queen_when="three_plain_kings") == "DK"
    assert can_call("SK CK HK", queen_when="three_plain_kings") == "DK"
    assert can_call("SK H2", queen_when="never") == "CK DK"


def test_before_trumps_are_named_three_plain_kings_means_all_four():
    assert can_call("SK CK DK H2", None, queen_when="three_plain_kings") == "HK"
    assert can_call("SK CK DK HK", None, queen_when="three_plain_kings") == "SQ HQ CQ DQ"


@pytest.mark.parametrize(("fallback", "card"), [("trump_king", "HK"), ("queen", "SQ CQ DQ"), ("own_king", "SK CK DK")])
def test_three_kings_where_a_queen_needs_four_are_left_to_the_fallback(fallback, card):
    assert can_call("SK CK DK H2", queen_when="four_kings", fallback=fallback) == card


def test_when_the_fallback_is_in_ones_own_hand_the_next_one_serves():
    assert can_call("SK CK DK HK", fallback="trump_king") == "SQ CQ DQ"
    assert can_call("SK CK DK HK SQ CQ DQ", fallback="trump_king") == "SJ CJ DJ"
    assert can_call("SK CK DK H2", fallback="own_king", others_only="it must come from another") == "HK"


def test_the_last_resort_is_the_highest_card_one_lacks():
    four = "SK CK DK HK SQ CQ DQ"
    assert can_call(four, others_only="x") == "SJ CJ DJ"
    assert can_call(four + " HQ", others_only="x") == "SJ CJ DJ"
    assert can_call(four + " HQ", None, others_only="x") == "SJ HJ CJ DJ"


def test_ones_own_card_may_be_called_always_never_or_with_four_kings():
    assert can_call("SK H2", own_card="always") == "SK CK DK"
    assert can_call("SK H2", own_card="four_kings") == "CK DK"
    assert can_call("SK CK DK HK", own_card="four_kings") == "SK CK DK"
    assert can_call("SK CK DK HK", own_card="four_kings", queen_when="four_kings") == "SK SQ CK CQ DK DQ"
    assert can_call("SK H2", own_card="always", others_only="its holder names trumps") == "CK DK"


def test_before_trumps_are_named_no_suit_is_barred():
    assert can_call("SK", None) == "HK CK DK"


def test_a_bid_in_favourite_may_not_call_the_suit_it_must_name_unless_that_may_become_trumps():
    assert can_call("SK", None, bound=HEARTS) == "CK DK"
    assert can_call("SK", None, bound=HEARTS, suit_may_become_trump=True) == "HK CK DK"


def test_every_refusal_to_call_says_why_and_by_which_leaf():
    context = CallContext(Call(), parse_cards("SK H2"), HEARTS)
    cards = {format_cards([c]): why_not_callable(context, c) for c in PACK}
    assert cards["CK"] is None
    assert cards["SK"].rule == "own_card"
    assert cards["HK"].rule == "trump_suit"
    assert cards["CQ"].rule == "queen_when"
    assert cards["C4"].reason == "a king is called, or a queen"
    assert len(explain_calls(context)) == 8


def test_there_is_always_something_to_call_whatever_the_hand_and_the_rules():
    rng = random.Random("calls")
    honours = [c for c in PACK if c % 10 in (1, 2, 3)]
    leaves = itertools.product(
        ("never", "four_kings", "three_plain_kings", "always"),
        ("never", "four_kings", "always"),
        ("barred", "kings", "any"),
        (False, True),
        ("trump_king", "queen", "own_king"),
    )
    for queen, own, trump_suit, become, fallback in leaves:
        call = Call(
            queen_when=queen, own_card=own, trump_suit=trump_suit, suit_may_become_trump=become, fallback=fallback
        )
        for _ in range(12):
            court = rng.sample(honours, rng.randint(4, 10))
            hand = tuple(court + rng.sample([c for c in PACK if c not in court], 10 - len(court)))
            for trump in (None, NO_TRUMP, *map(Suit, range(4))):
                for bound in (None, HEARTS) if trump is None else (None,):
                    for others in ("", "another must hold it"):
                        cards = callable_cards(CallContext(call, hand, trump, bound, others))
                        assert cards
                        assert not (others and set(cards) & set(hand))


# --- the order of things -------------------------------------------------------------------------


def test_an_alliance_names_trumps_before_it_calls():
    deal = say(sit(dealt("SA")), "bid alliance", *PASSES)
    assert said(deal) == ["trump spades", "trump hearts", "trump clubs", "trump diamonds"]
    assert deal.refusal(parse_action("call SK")) == "trumps are to be named now (bids.alliance.trump_when)"
    say(deal, "trump hearts")
    assert all(a.startswith("call ") for a in said(deal))


def test_where_the_call_comes_first_its_suit_may_not_become_trumps_unless_the_rules_let_it():
    rules = {"bids.alliance.trump_when": "after_call"}
    deal = say(sit(dealt("SA", "CK"), **rules), "bid alliance", *PASSES, "call CK")
    assert said(deal) == ["trump spades", "trump hearts", "trump diamonds"]
    assert deal.refusal(parse_action("trump clubs")) == "CK was called (bids.alliance.call.suit_may_become_trump)"
    rules["bids.alliance.call.suit_may_become_trump"] = True
    deal = say(sit(dealt("SA", "CK"), **rules), "bid alliance", *PASSES, "call CK")
    assert "trump clubs" in said(deal)


def test_the_ally_names_trumps_where_the_bid_leaves_it_to_her():
    deal = say(sit(dealt("SA CA", "", "HK")), "bid casco", *PASSES)
    assert "call CK" in said(deal) or "call HK" in said(deal)
    say(deal, "call HK")
    assert (deal.turn, deal.ally) == (2, 2)
    assert said(deal) == ["trump spades", "trump hearts", "trump clubs", "trump diamonds"]
    assert deal.declaration.ally_public


def test_where_the_ally_names_trumps_an_own_card_may_not_be_called():
    deal = say(sit(dealt("SA CA SK"), **{"bids.casco.call.own_card": "always"}), "bid casco", *PASSES)
    assert "call SK" not in said(deal)
    assert "its holder is to name trumps" in deal.refusal(parse_action("call SK"))


def test_forced_hombre_names_trumps_or_invites_and_then_calls_first():
    forced = sit(dealt("", "SA", "CK"))
    say(forced, "pass", *PASSES)
    assert said(forced)[-1] == "invite"
    say(forced, "invite", "call CK")
    assert (forced.turn, forced.ally) == (2, 2)
    assert not forced.declaration.ally_public
    say(forced, "trump diamonds")
    assert forced.declaration.ally_public
    assert [e.kind for e in forced.events][-4:] == ["invite", "call", "trump", "ally"]
    assert forced.phase == "play"


def test_forced_hombre_who_names_trumps_herself_leaves_the_ally_unknown():
    deal = say(sit(dealt("", "SA", "CK")), "pass", *PASSES, "trump hearts", "call CK")
    assert (deal.phase, deal.ally, deal.declaration.ally_public) == ("play", 2, False)


def test_an_invited_ally_may_not_make_the_called_suit_trumps():
    deal = say(sit(dealt("", "SA", "CK")), "pass", *PASSES, "invite", "call CK")
    assert "trump clubs" not in said(deal)


def test_where_forced_hombre_calls_first_she_may_still_name_or_invite():
    rules = {"bids.forced-spadille.trump_when": "after_call", "bids.forced-spadille.call.own_card": "always"}
    deal = say(sit(dealt("", "SA SK", "CK"), **rules), "pass", *PASSES, "call CK")
    assert said(deal)[-1] == "invite"
    assert say(deal, "invite").turn == 2


def test_having_called_her_own_card_hombre_can_invite_nobody():
    rules = {"bids.forced-spadille.trump_when": "after_call", "bids.forced-spadille.call.own_card": "always"}
    deal = say(sit(dealt("", "SA SK"), **rules), "pass", *PASSES, "call SK")
    assert "invite" not in said(deal)
    assert "there is no ally" in deal.refusal(parse_action("invite"))


def test_having_invited_hombre_cannot_call_her_own_card():
    rules = {"bids.forced-spadille.call.own_card": "always"}
    deal = say(sit(dealt("", "SA SK"), **rules), "pass", *PASSES, "invite")
    assert "call SK" not in said(deal)


def test_an_exchange_hands_over_the_called_card_for_any_card_of_hombres_ten():
    setup = dealt("SA D3", "", "HK", "CK")
    deal = say(sit(setup), "bid mediateur", *PASSES, "call HK")
    original = sorted(setup.hands[0])
    assert [a.card for a in deal.legal()] == original
    assert "not given in exchange for itself" in deal.refusal(parse_action("give HK"))
    assert "not in Hombre's hand" in deal.refusal(parse_action("give CK"))
    say(deal, "give D3", "trump hearts")
    assert parse_cards("HK")[0] in deal.hands[0]
    assert parse_cards("D3")[0] in deal.hands[2]
    assert [len(h) for h in deal.hands] == [10] * 4
    assert (deal.declaration.surrendered, deal.ally, deal.side()) == (2, None, (0,))
    assert "A takes HK from C for D3" in [e.text() for e in deal.events]


def test_calling_exchanging_and_naming_trumps_belong_to_the_auction():
    deal = say(sit(dealt("SA SK", "HK")), "bid mediateur", "pass", "pass", "pass", "call HK", "give SA", "trump hearts")
    declared = [(e.kind, e.stage, e.seat, e.other) for e in deal.events if e.kind in ("call", "exchange", "trump")]
    assert declared == [
        ("call", "auction", 0, None),
        ("exchange", "auction", 0, 1),
        ("trump", "auction", 0, None),
    ]


def declared(deal):
    """What the table was told of the declaration: kind, stage and seat, the suit and the note where there is one."""
    kinds = ("invite", "call", "exchange", "trump", "ally")
    events = (e for e in deal.events if e.kind in kinds)
    return [(e.kind, e.stage, e.seat, *(x for x in (e.suit, e.note) if x not in (None, ""))) for e in events]


def test_an_invited_ally_is_known_when_she_names_trumps_and_is_told_of_once():
    deal = sit(dealt("", "SA", "CK"))
    say(deal, "pass", *PASSES)
    assert (deal.declaration.invited, deal.declaration.ally) == (False, None)
    say(deal, "invite", "call CK", "trump diamonds")
    assert declared(deal) == [
        ("invite", "auction", 1),
        ("call", "auction", 1),
        ("trump", "auction", 2, DIAMONDS),
        ("ally", "auction", 2),
    ]
    run(deal)
    assert [e.kind for e in deal.events].count("ally") == 1


def test_an_ally_known_at_once_is_told_of_when_she_is_called():
    deal = say(sit(dealt("SA CA", "", "HK")), "bid casco", *PASSES, "call HK")
    assert declared(deal) == [("call", "auction", 0), ("ally", "auction", 2)]


def test_where_the_ally_is_known_at_once_it_is_known_too_that_there_is_none():
    rules = {"bids.alliance.ally_known": "at_once"}
    deal = say(sit(dealt("SA SK"), **rules), "bid alliance", *PASSES, "trump hearts", "call SK")
    assert declared(deal) == [("trump", "auction", 0, HEARTS), ("call", "auction", 0), ("ally", "auction", 0, "alone")]


def test_no_ally_is_ever_told_of_where_nobody_plays_with_hombre():
    deal = run(say(sit(dealt("SA", "HK")), "bid mediateur", *PASSES, "call HK", "give SA", "trump hearts"))
    assert deal.turn is None
    assert "ally" not in [e.kind for e in deal.events]


def test_trumps_are_named_before_after_the_call_or_after_the_exchange():
    orders = {}
    for when in ("before_call", "after_call", "after_exchange"):
        deal = say(sit(dealt("SA", "HK"), **{"bids.mediateur.trump_when": when}), "bid mediateur", *PASSES)
        while deal.phase == "declare":
            deal.apply(deal.legal()[-1])
        orders[when] = [e.kind for e in deal.events if e.kind in ("trump", "call", "exchange")]
    assert orders == {
        "before_call": ["trump", "call", "exchange"],
        "after_call": ["call", "trump", "exchange"],
        "after_exchange": ["call", "exchange", "trump"],
    }


def test_the_called_card_may_never_be_ones_own_in_an_exchange():
    deal = say(sit(dealt("SA SK"), **{"bids.mediateur.call.own_card": "always"}), "bid mediateur", *PASSES)
    assert "call SK" not in said(deal)
    assert "must come from another's hand" in deal.refusal(parse_action("call SK"))


def test_a_solo_names_trumps_and_calls_nobody():
    deal = say(sit(dealt("SA")), "bid solo", *PASSES)
    assert "nobody is called" in deal.refusal(parse_action("call SK"))
    say(deal, "trump clubs")
    assert (deal.phase, deal.trump, deal.side()) == ("play", CLUBS, (0,))


def test_without_a_trump_suit_nothing_is_named():
    deal = say(sit(dealt("SA")), "bid grandissimo", *PASSES)
    assert (deal.phase, deal.trump) == ("play", NO_TRUMP)


def test_a_plain_bid_binds_its_maker_not_to_name_the_favourite_suit():
    setup = dealt("SA", favourite=DIAMONDS)
    deal = say(sit(setup), "bid solo", *PASSES)
    assert "trump diamonds" not in said(deal)
    assert deal.refusal(parse_action("trump diamonds")).endswith("(favourite.plain_bid_binds)")
    deal = say(sit(setup, **{"favourite.plain_bid_binds": False}), "bid solo", *PASSES)
    assert "trump diamonds" in said(deal)


def test_a_bid_in_favourite_must_name_the_favourite_suit():
    deal = say(sit(dealt("SA", favourite=DIAMONDS)), "bid solo+favourite", *PASSES)
    assert said(deal) == ["trump diamonds"]
    assert deal.refusal(parse_action("trump spades")).endswith("(bids.solo.in_favourite)")


def test_bids_decided_by_their_trumps_and_games_forced_on_someone_are_not_bound():
    casco = say(sit(dealt("SA CA", "HK", favourite=DIAMONDS)), "bid casco", *PASSES, "call HK")
    assert "trump diamonds" in said(casco)
    rules = {"bids.forced-spadille.in_favourite": "bid"}
    forced = say(sit(dealt("SA", favourite=SPADES), **rules), "pass", *PASSES)
    assert "trump spades" in said(forced)


def test_the_ally_is_known_at_once_where_the_bid_says_so():
    rules = {"bids.alliance.ally_known": "at_once"}
    deal = say(sit(dealt("SA", "CK"), **rules), "bid alliance", *PASSES, "trump hearts", "call CK")
    assert [e.text() for e in deal.events][-1] == "B is the ally"
