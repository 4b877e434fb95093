"""Disputed points of auction and play: who may come again, trumps named unasked, a won game claimed, the ally known."""

import json

import pytest
from quadrille_plugins.deal.players import make_bot
from quadrille_plugins.deal.record import replay, to_record
from quadrille_plugins.deal.session import play_deal, play_streams
from quadrille_plugins.deal.view import view_of
from quadrille_plugins.settle.possible import impossible
from support import made_result, made_rules
from support.decisive import refusals
from support.table import dealt, kinds, run, said, say, sit

from quadrille_core import vocabulary
from quadrille_core.cards import Suit
from quadrille_core.engine.actions import parse_action
from quadrille_core.engine.table import Deal
from quadrille_core.ruleset import compile_reference

# --- an overcalled bidder comes again ---------------------------------------------------------

ELDER = "auction.elder_may_raise"
SOLO_STANDS = ("bid alliance", "bid solo", "pass", "pass")
MEDIATEUR_STANDS = ("bid alliance", "bid mediateur", "pass", "pass")


def again(how, *spoken):
    return said(say(sit(dealt("SA CA")), *[]) if not spoken else say(sit(dealt("SA CA"), **{ELDER: how}), *spoken))


def test_by_the_elders_priority_any_bid_is_matched_or_raised():
    assert again("by_priority", *SOLO_STANDS)[:2] == ["pass", "bid solo"]
    assert "bid nemo" in again("by_priority", *SOLO_STANDS)


def bids(actions):
    return {a.removeprefix("bid ") for a in actions if a != "pass"}


ABOVE_A_SOLO = {
    *("solo+announced", "solo+revealed", "nemo"),
    *("grandissimo", "grandissimo+announced", "grandissimo+revealed"),
}


def test_the_raise_to_a_solo_is_a_permission_added_to_every_higher_bid():
    assert bids(again("only_higher", *SOLO_STANDS)) == ABOVE_A_SOLO
    assert bids(again("to_solo", *SOLO_STANDS)) == ABOVE_A_SOLO | {"solo"}
    assert bids(again("to_solo", *MEDIATEUR_STANDS)) == bids(again("only_higher", *MEDIATEUR_STANDS))


@pytest.mark.parametrize(
    ("reference", "spoken", "then"),
    [
        ("quanti-1822@parlett", ("bid alliance", "bid solo", "pass", "pass"), "bid vole"),
        ("mediateur-1752", ("bid mediateur", "bid solo", "pass", "pass"), "bid grandissimo"),
    ],
)
def test_who_has_not_passed_may_bid_any_higher_bid_by_the_shipped_rules(reference, spoken, then):
    """Parlett bars from bidding again only those who have passed."""
    ruleset = compile_reference(reference).ruleset
    assert then in said(say(Deal(ruleset, dealt("SA CA")), *spoken))


def test_one_who_asked_leave_is_forced_only_by_another_who_would_play_alone():
    """Law 23 bars them from playing alone unless forced, and from nothing else."""
    assert bids(again("if_forced", *SOLO_STANDS)) == ABOVE_A_SOLO | {"solo"}
    assert bids(again("if_forced", *MEDIATEUR_STANDS)) == {"mediateur+announced", "mediateur+revealed", "casco"}
    grand = ("bid alliance", "bid grandissimo", "pass", "pass")
    assert bids(again("if_forced", *grand)) == {"grandissimo+announced", "grandissimo+revealed", "nemo"}


def test_law_23_speaks_of_those_who_asked_leave_alone():
    rules = {ELDER: "if_forced", "bids.casco.needs": []}
    deal = say(sit(dealt("SA CA"), **rules), "bid mediateur", "bid casco", "pass", "pass")
    assert "bid solo" in said(deal)


def test_a_bid_without_an_ally_is_not_raised_by_priority_where_only_asking_leave_is():
    for how in ("to_solo", "if_forced"):
        deal = say(sit(dealt("SA CA"), **{ELDER: how}), "bid mediateur", "bid solo", "pass", "pass")
        assert bids(said(deal)) == ABOVE_A_SOLO
        assert "only an alliance is raised by priority, and to a solo" in deal.refusal(parse_action("bid solo"))


def test_priority_raises_to_a_solo_and_matches_nothing_else():
    nemo = ("bid alliance", "bid nemo", "pass", "pass")
    assert again("to_solo", *nemo) == ["pass"]
    assert again("by_priority", *nemo) == ["pass", "bid nemo"]


def test_a_younger_hand_does_not_match_by_priority():
    deal = say(sit(dealt("SA CA"), **{ELDER: "to_solo"}), "pass", "bid alliance", "bid mediateur", "pass", "bid solo")
    assert said(deal)[0] == "pass"
    assert "bid solo" not in said(deal)


# --- a passer who holds Spadille --------------------------------------------------------------

RETURN = {"auction.passed_may_return": True}


def test_the_holder_of_spadille_may_pass_and_bid_later():
    deal = say(sit(dealt("", "SA"), **RETURN), "pass", "pass", "bid alliance", "pass")
    assert deal.turn == 1
    assert "bid solo" in said(deal)
    assert "bid alliance" not in said(deal), "no priority: it was not bid before"


def test_nobody_else_comes_back():
    assert say(sit(dealt("", "SA")), "pass", "pass", "bid alliance", "pass").phase == "declare"
    assert say(sit(dealt("", "", "SA"), **RETURN), "pass", "pass", "bid alliance", "pass").phase == "declare"


def test_she_is_asked_again_after_every_bid_and_the_auction_ends():
    deal = say(sit(dealt("", "SA"), **RETURN), "pass", "pass", "bid alliance", "pass", "pass")
    assert deal.phase == "declare"
    deal = say(sit(dealt("", "SA"), **RETURN), "pass", "pass", "bid alliance", "bid mediateur", "pass", "bid solo")
    assert deal.turn == 3


def test_when_all_pass_the_game_is_forced_on_her_all_the_same():
    deal = say(sit(dealt("", "SA"), **RETURN), "pass", "pass", "pass", "pass")
    assert (deal.forced, deal.hombre) == (True, 1)


# --- trumps named without asking leave --------------------------------------------------------

UNASKED = {"auction.unasked_trumps": "played_alone"}


def test_to_name_trumps_without_asking_leave_is_to_play_alone():
    deal = say(sit(dealt("SA CA"), **UNASKED), "name diamonds", "pass", "pass", "pass")
    assert (str(deal.contract), deal.trump, deal.phase) == ("solo", Suit(3), "play")
    assert [e.text() for e in deal.events[1:2]] == ["A names diamonds trumps without asking leave: solo"]


def test_the_youngest_may_name_them_when_all_have_passed_and_calls_an_ally():
    deal = say(sit(dealt("SA CA"), **UNASKED), "pass", "pass", "pass", "name spades")
    assert (str(deal.contract), deal.trump, deal.phase) == ("alliance", Suit(0), "declare")
    assert all(a.startswith("call") for a in said(deal))
    assert "call SK" not in said(deal)


def test_the_youngest_plays_alone_if_somebody_asked_leave():
    deal = say(sit(dealt("SA CA"), **UNASKED), "pass", "pass", "bid alliance", "name spades", "pass")
    assert (str(deal.contract), deal.hombre) == ("solo", 3)


def test_trumps_named_unasked_are_overcalled_as_a_solo_is():
    deal = say(sit(dealt("SA CA"), **UNASKED), "name spades")
    assert not [a for a in said(deal) if a.startswith("name") or a == "bid solo"]
    deal = say(deal, "bid grandissimo", "pass", "pass", "pass")
    assert (deal.hombre, str(deal.contract)) == (1, "grandissimo")
    assert "trump" not in kinds(deal)


def test_to_name_the_favourite_suit_is_to_bid_in_it():
    setup = dealt("SA CA", favourite=Suit(1))
    deal = say(sit(setup, **UNASKED), "name spades")
    assert [a for a in said(deal) if a.startswith("name")] == ["name hearts"]
    assert str(say(deal, "name hearts", "pass", "pass", "pass").contract) == "solo+favourite"


def test_where_no_law_hears_it_leave_must_be_asked():
    deal = sit(dealt("SA CA"))
    assert not [a for a in said(deal) if a.startswith("name")]
    assert deal.refusal(parse_action("name spades")) == (
        "trumps are not named before leave is asked (auction.unasked_trumps)"
    )


def test_trumps_named_unasked_are_recorded_and_replayed():
    ruleset = made_rules(**UNASKED)
    setup = dealt("SA S2 CA SK SQ SJ S7 S6 S5 S4", favourite=Suit(1))
    bots = [make_bot("steady")] * 4
    deal = play_deal(ruleset, setup, bots, play_streams(1, 0, 0, 4))
    assert str(deal.actions[0][1]).startswith("bid"), "steady bids, and names her trumps when she has the game"
    deal = run(say(sit(setup, **UNASKED), "name spades", "pass", "pass", "pass"))
    record = json.loads(json.dumps(to_record(deal)))
    assert record["actions"][0] == "A name spades"
    assert replay(deal.ruleset, record).divergence is None


# --- a game that is won, claimed --------------------------------------------------------------

CLAIM = {"play.claim_won": True}
LATE = dealt("SA S2 CA SK SQ SJ S7 S6 S5 H7", "HK")


def six_of_seven(**rules):
    """Hombre loses a heart, ruffs or overtakes what is led to them, and has six tricks of seven."""
    deal = say(sit(LATE, **rules), "bid solo", "pass", "pass", "pass", "trump spades", "play H7")
    while deal.won[0] < 6:
        deal.apply(next(a for a in deal.legal() if a.kind == "play"))
    return deal


def test_six_tricks_in_any_order_may_be_claimed_by_whoever_is_on_lead():
    deal = six_of_seven(**CLAIM)
    assert said(deal)[-1] == "claim"
    result = say(deal, "claim").result()
    assert (deal.over, sum(result.tricks), result.premiers) == (True, 7, False)
    assert impossible(deal.rules, result) == []


def test_by_default_only_premiers_end_the_play():
    deal = six_of_seven()
    assert "claim" not in said(deal)
    assert deal.refusal(parse_action("claim")) == "a game that is won is played on (play.claim_won)"


def test_a_claim_needs_the_tricks_of_the_game():
    deal = say(sit(LATE, **CLAIM), "bid solo", "pass", "pass", "pass", "trump spades")
    assert "not known to have made the 6 tricks" in deal.refusal(parse_action("claim"))


def test_who_plays_for_the_vole_can_claim_no_more():
    setup = dealt("SA S2 CA SK SQ SJ S7 S6 S5 S4")
    deal = run(say(sit(setup, **CLAIM), "bid solo", "pass", "pass", "pass", "trump spades"), until="vole")
    assert "claim" not in said(say(deal, "vole"))


def test_hombre_does_not_learn_from_a_claim_whose_tricks_were_the_hidden_allys():
    setup = dealt("SA S2 CA SK SQ D4 D3 D2 DA S4", "D5 D6 D7 H7", "DK S3", "DJ DQ")
    deal = say(sit(setup, **CLAIM, **{"premiers.tricks": 10}), "bid alliance", "pass", "pass", "pass", "trump spades")
    say(deal, "call HK" if "call HK" in said(deal) else said(deal)[0])
    while deal.phase == "play" and sum(deal.won) < 9:
        if not deal.trick and deal.turn in deal.side():
            made = sum(deal.won[s] for s in deal.side())
            knows = deal.turn == deal.ally or deal.declaration.ally_public
            assert ("claim" in said(deal)) == ((made if knows else deal.won[deal.turn]) >= 6)
        deal.apply(next(a for a in deal.legal() if a.kind == "play"))


def test_steady_claims_what_she_has_won():
    deal = six_of_seven(**CLAIM)
    chosen = make_bot("steady").choose(view_of(deal, 0), deal.legal(), play_streams(1, 0, 0, 4)[0])
    assert str(chosen) == "claim"


@pytest.mark.parametrize(
    ("tricks", "premiers", "fault"),
    [
        ((6, 1, 0, 0), False, ""),
        ((7, 2, 0, 0), False, ""),
        ((5, 2, 0, 0), False, "7 tricks were made, and a deal has 10"),
        ((6, 0, 0, 0), False, "who makes every trick has made premiers too"),
        ((6, 0, 0, 0), True, ""),
        ((7, 0, 0, 0), True, "after premiers Hombre's side made 7 tricks without a vole"),
    ],
)
def test_a_result_may_end_where_a_claim_may(tricks, premiers, fault):
    rules = made_rules(**CLAIM).rules
    told = [p.message for p in impossible(rules, made_result(tricks=tricks, premiers=premiers))]
    assert told == ([fault] if fault else [])


# --- the ally at the decision on the vole -----------------------------------------------------

SIX_OF_HERS = dealt("SA S2 CA SK SQ SJ S7 S6 S5 D3", "D4 D5", "DK S3", "D6 DQ")


def premiers_made(**rules):
    deal = say(sit(SIX_OF_HERS, **rules), "bid alliance", "pass", "pass", "pass", "trump spades", "call DK")
    wished = [f"play {c}" for c in ("SA", "S2", "CA", "SK", "SQ", "SJ")]
    while deal.phase == "play":
        mine = [a for a in deal.legal() if str(a) in wished]
        deal.apply(mine[0] if mine and deal.turn == 0 else deal.legal()[0])
    assert (deal.phase, deal.turn) == ("vole", 0)
    return deal


def test_the_ally_is_known_before_the_vole_is_decided():
    deal = premiers_made(**{"vole.ally_known": "beforehand"})
    assert kinds(deal)[-1] == "ally"
    assert view_of(deal, 0).ally == 2


def test_by_default_the_ally_is_known_by_what_she_answers():
    deal = premiers_made()
    assert view_of(deal, 0).ally is None
    assert view_of(say(deal, "ask", "yes"), 0).ally == 2


def test_hombre_who_won_all_six_herself_decides_alone():
    assert said(premiers_made()) == ["claim", "ask"]
    assert said(premiers_made(**{"vole.alone_decides": True})) == ["claim", "ask", "vole"]


# --- what cannot be ---------------------------------------------------------------------------


def test_nobody_comes_back_with_a_card_that_forces_no_game():
    rules = made_rules(**RETURN | {"auction.all_pass": "redeal", "bids.forced-spadille.made": "never"}).rules
    assert refusals(vocabulary.dump(rules)) == ["when all pass no card is played, so there is none to bid again with"]
