"""The shipped profiles at the table: what their texts say happens, played out card by card."""

from functools import cache

import pytest
from support.table import dealt, kinds, said, say

from quadrille_core.cards import HEARTS, SPADES, format_card, parse_card
from quadrille_core.engine.settle import settle
from quadrille_core.engine.table import Deal
from quadrille_core.ruleset import compile_reference

PASS_ALL = ("pass", "pass", "pass", "pass")
COMMANDING = "SA S2 CA SK SQ SJ S7 S6"
"""Eight top spades of ten, with two cards to add: six tricks from the top, and then some."""


@cache
def _rules(reference: str, readings: tuple[tuple[str, str], ...]):
    return compile_reference(reference, readings=dict(readings)).ruleset


def sit(reference: str, *hands: str, pool: int = 4, **readings: str) -> Deal:
    """A deal under a shipped profile from the cards that matter, eldest first."""
    ruleset = _rules(reference, tuple(sorted(readings.items())))
    favourite = HEARTS if ruleset.rules.favourite.source != "none" else None
    return Deal(ruleset, dealt(*hands, favourite=favourite, pool=pool))


def lead(deal: Deal, *cards: str) -> Deal:
    """Whoever is on lead plays these cards in turn, the others their first legal card."""
    for card in cards:
        say(deal, f"play {card}")
        while deal.phase == "play" and deal.trick:
            deal.apply(deal.legal()[0])
    return deal


def event(deal: Deal, kind: str):
    return next(e for e in deal.events if e.kind == kind)


def net(deal: Deal) -> list[int]:
    return [int(n) for n in settle(deal.rules, deal.result()).net]


# --- forced Spadille --------------------------------------------------------------------------


def test_on_the_modern_page_the_forced_bidder_calls_before_trumps_and_the_invited_ally_must_name_them():
    deal = sit("quadrille-modern", "", "", "SA HK", "CK")
    say(deal, *PASS_ALL)
    assert deal.turn == 2
    assert "call CK" in said(deal)
    assert all(a.startswith("call") for a in said(deal))
    say(deal, "call CK")
    assert said(deal) == ["trump spades", "trump hearts", "trump diamonds", "invite"]
    say(deal, "invite")
    assert deal.turn == 3
    assert said(deal) == ["trump spades", "trump hearts", "trump diamonds"]
    say(deal, "trump hearts")
    assert (event(deal, "ally").seat, deal.turn) == (3, 0)


@pytest.mark.parametrize("reference", ["quanti-1822@parlett", "quanti-1822@wikipedia", "quadrille-laws"])
def test_elsewhere_the_forced_bidder_names_trumps_or_knows_her_partner_and_not_both(reference):
    named = say(sit(reference, "SA", "HK", "CK"), *PASS_ALL)
    assert "invite" in said(named)
    say(named, "trump clubs", "call HK")
    assert "ally" not in kinds(named)
    assert (named.phase, named.ally) == ("play", 1)
    invited = say(sit(reference, "SA", "HK", "CK"), *PASS_ALL, "invite", "call HK")
    assert (invited.turn, said(invited)) == (1, ["trump spades", "trump clubs", "trump diamonds"])
    say(invited, "trump spades")
    assert event(invited, "ally").seat == 1


def test_where_the_called_suit_may_become_trumps_the_ally_may_name_it():
    deal = sit("quadrille-laws", "SA", "HK", forced_trump_naming="any_suit")
    say(deal, *PASS_ALL, "invite", "call HK", "trump hearts")
    assert deal.trump == HEARTS


@pytest.mark.parametrize("reference", ["quanti-1822@parlett", "quanti-1822@wikipedia", "quadrille-laws"])
def test_a_forced_game_is_played_to_the_end_without_a_vole(reference):
    deal = sit(reference, f"{COMMANDING} S5 H3", "HK")
    say(deal, *PASS_ALL, "trump spades", "call HK")
    lead(deal, "SA", "S2", "CA", "SK", "SQ", "SJ")
    assert deal.phase == "play"
    assert ("premiers" in kinds(deal)) == (reference != "quanti-1822@parlett")


# --- the auction ------------------------------------------------------------------------------


@pytest.mark.parametrize("reference", ["quadrille-laws", "quadrille-modern"])
def test_the_first_solo_is_on_and_names_trumps_at_once(reference):
    deal = say(sit(reference), "bid alliance", "bid solo")
    assert (deal.phase, deal.turn) == ("declare", 1)


def test_by_parlett_an_elder_raises_her_alliance_to_the_solo_that_overcalled_it():
    deal = say(sit("quanti-1822@parlett"), "pass", "bid alliance", "bid solo", "pass")
    assert deal.turn == 1
    assert "bid solo" in said(deal)
    say(deal, "bid solo", "pass")
    assert deal.hombre == 1


def test_by_parlett_the_vole_overcalls_a_solo():
    deal = say(sit("quanti-1822@parlett"), "bid solo", "bid vole", "pass", "pass", "pass")
    assert (deal.hombre, deal.vole) == (1, "announced")


def test_at_mediateur_a_bid_in_favourite_overcalls_the_same_bid_and_binds_the_trumps():
    deal = say(sit("mediateur-1752"), "bid solo", "bid solo+favourite", "pass", "pass", "pass")
    assert (deal.hombre, said(deal)) == (1, ["trump hearts"])


def test_at_mediateur_a_vole_announced_overcalls_its_own_bid_and_not_a_higher_one():
    deal = say(sit("mediateur-1752"), "bid solo", "bid solo+announced")
    assert "bid solo" not in said(deal)
    assert {"bid solo+revealed", "bid grandissimo", "bid nemo"} <= set(said(deal))
    highest = say(sit("mediateur-1752", announced_vole_rank="highest"), "bid solo+announced")
    assert "bid nemo" not in said(highest)
    assert "bid grandissimo+announced" in said(highest)


def test_only_games_without_a_partner_may_be_bid_with_the_vole():
    deal = sit("mediateur-1752", "SA CA")
    assert {b.split("+")[0] for b in said(deal) if b.endswith(("announced", "revealed"))} == {
        "bid mediateur",
        "bid solo",
        "bid grandissimo",
    }


def test_with_the_vole_revealed_the_hand_lies_open_and_its_pool_is_set_up():
    deal = say(sit("mediateur-1752", f"{COMMANDING} S5 S4"), "bid solo+revealed", "pass", "pass", "pass")
    assert len(event(deal, "shows").cards) == 10
    lead(say(deal, "trump spades"), *["SA", "S2", "CA", "SK", "SQ", "SJ", "S7", "S6", "S5", "S4"])
    # 4 + 3 × 12 for the vole + 3 × (2 + 1 + 1) for solo, matadors and premiers
    assert net(deal) == [52, -16, -16, -16]


# --- casco ------------------------------------------------------------------------------------


def test_the_later_article_lays_the_aces_open_with_the_bid_even_if_it_is_overcalled():
    deal = say(sit("quanti-1822@wikipedia", "SA CA"), "bid casco", "bid solo")
    assert kinds(deal) == ["deal", "bid", "shows", "bid"]


def test_at_mediateur_the_aces_are_laid_open_only_if_nobody_overcalls():
    deal = say(sit("mediateur-1752", "SA CA", "DK"), "bid casco", "bid solo", "pass", "pass", "pass")
    assert "shows" not in kinds(deal)
    deal = say(sit("mediateur-1752", "SA CA", "DK"), "bid casco", "pass", "pass", "pass")
    assert [format_card(c) for c in event(deal, "shows").cards] == ["SA", "CA"]


@pytest.mark.parametrize("reference", ["quanti-1822@wikipedia", "mediateur-1752"])
def test_at_casco_the_called_king_declares_itself_and_its_holder_names_trumps(reference):
    deal = say(sit(reference, "SA CA", "DK"), "bid casco", "pass", "pass", "pass", "call DK")
    assert (event(deal, "ally").seat, deal.turn) == (1, 1)
    assert len(said(deal)) == 4
    say(deal, "trump diamonds")
    assert deal.turn == 0


@pytest.mark.parametrize("reference", ["quanti-1822@wikipedia", "mediateur-1752"])
def test_casco_needs_both_black_aces(reference):
    assert "bid casco" not in said(sit(reference, "SA", "CA"))


# --- médiateur --------------------------------------------------------------------------------


@pytest.mark.parametrize("reference", ["quanti-1822@wikipedia", "mediateur-1752"])
def test_the_mediateur_takes_a_king_gives_any_card_and_names_trumps_last(reference):
    deal = say(sit(reference, "SA S2 CA HK", "SK", "S3"), "bid mediateur", "pass", "pass", "pass")
    assert said(deal) == ["call SK", "call CK", "call DK"]
    say(deal, "call SK")
    assert "give SK" not in said(deal)
    assert deal.turn == 0
    gift = said(deal)[-1]
    say(deal, gift)
    taken = event(deal, "exchange")
    assert (taken.other, len(deal.hands[0]), len(deal.hands[1])) == (1, 10, 10)
    assert parse_card("SK") in deal.hands[0]
    assert "trump spades" in said(deal)
    say(deal, "trump spades")
    assert (deal.ally, deal.turn) == (None, 0)


def test_the_mediateur_may_call_a_queen_only_with_all_four_kings():
    four = say(sit("mediateur-1752", "SK HK CK DK SQ"), "bid mediateur", "pass", "pass", "pass")
    assert said(four) == ["call HQ", "call CQ", "call DQ"]


# --- grandissimo and nemo ---------------------------------------------------------------------


def test_at_grandissimo_the_black_aces_beat_every_suit_and_may_be_withheld_from_one_another():
    deal = sit("mediateur-1752", "SA HK", "CA H7", "HQ", "HA")
    say(deal, "bid grandissimo", "pass", "pass", "pass")
    assert (deal.phase, deal.trump) == ("play", 4)
    say(deal, "play SA")
    assert said(deal) == ["play CA"]  # the superior was led: Basto has no choice
    lead_of_basto = sit("mediateur-1752", "CA", "SA HK")
    say(lead_of_basto, "bid grandissimo", "pass", "pass", "pass", "play CA")
    assert len(said(lead_of_basto)) == 10  # Spadille is never forced


def test_without_the_privilege_spadille_follows_the_lead_of_basto():
    deal = sit("mediateur-1752", "CA", "SA HK", black_aces_privilege="ordinary")
    say(deal, "bid nemo", "pass", "pass", "pass", "play CA")
    assert said(deal) == ["play SA"]


# --- matadors in play -------------------------------------------------------------------------


def test_a_superior_matador_played_second_forces_on_the_modern_page_and_not_elsewhere():
    for reference, choices in (("quadrille-modern", ["play CA"]), ("quadrille-laws", None), ("quanti-1822", None)):
        deal = sit(reference, "S4", "SA SK", "CA HK HQ HJ H2 H3 H4 H5 H6 D3", "S3")
        say(deal, "pass", "bid solo")
        while deal.phase == "auction":
            say(deal, "pass")
        say(deal, "trump spades", "play S4", "play SA")
        assert said(deal) == choices if choices else len(said(deal)) == 10


@pytest.mark.parametrize(
    ("reference", "free"),
    [
        ("quadrille-modern", True),
        ("quadrille-laws", True),
        ("quanti-1822@parlett", True),
        ("quanti-1822@wikipedia", False),
    ],
)
def test_who_holds_spadille_too_is_not_bound_to_give_basto_to_manille(reference, free):
    deal = sit(reference, "S2", "SA CA HK HQ HJ H2 H3 H4 H5 H6")
    say(deal, "bid solo")
    while deal.phase == "auction":
        say(deal, "pass")
    say(deal, "trump spades", "play S2")
    assert len(said(deal)) == (10 if free else 2)


# --- calling ----------------------------------------------------------------------------------


def declared(reference: str, hand: str, trump: str, **readings: str) -> Deal:
    return say(sit(reference, hand, **readings), "bid alliance", "pass", "pass", "pass", f"trump {trump}")


def test_three_plain_kings_call_a_queen_where_the_body_of_the_older_article_rules_and_not_by_l13():
    hand = "HK CK DK"
    assert said(declared("quadrille-laws", hand, "spades")) == ["call HQ", "call CQ", "call DQ"]
    l13 = declared("quadrille-laws", hand, "spades", queen_when="four_kings", own_king="four_kings")
    assert said(l13) == ["call SK"]  # nothing else is left, and the trump king is the filling
    four = declared("quadrille-laws", "SK HK CK DK", "spades", queen_when="four_kings", own_king="four_kings")
    assert said(four) == ["call HK", "call HQ", "call CK", "call CQ", "call DK", "call DQ"]


def test_by_parlett_one_may_call_ones_own_king_and_play_alone_in_secret():
    deal = say(declared("quanti-1822@parlett", f"{COMMANDING} HK H3", "spades"), "call HK")
    assert (deal.ally, "ally" in kinds(deal)) == (None, False)
    lead(deal, "SA", "S2", "CA", "SK", "SQ", "SJ")
    assert said(deal) == ["claim", "vole"]
    say(deal, "claim")
    assert net(deal) == [4 + 3 * 2, -2, -2, -2]


@pytest.mark.parametrize("reference", ["quadrille-laws", "quadrille-modern"])
def test_elsewhere_ones_own_king_may_not_be_called(reference):
    assert "call HK" not in said(declared(reference, "HK", "spades"))


def test_the_modern_page_lets_a_queen_be_called_freely():
    assert "call HQ" in said(declared("quadrille-modern", "SA", "spades"))


# --- premiers and the vole --------------------------------------------------------------------


def after_premiers(reference: str, **readings: str) -> Deal:
    """Allies who have won the first six tricks; Hombre is on lead and does not know their ally."""
    deal = sit(reference, f"{COMMANDING} S5 H3", "", "HK", **readings)
    say(deal, "bid alliance", "pass", "pass", "pass", "trump spades", "call HK")
    return lead(deal, "SA", "S2", "CA", "SK", "SQ", "SJ")


@pytest.mark.parametrize(
    "reference",
    ["quanti-1822@parlett", "quanti-1822@wikipedia", "mediateur-1752", "quadrille-laws"],
)
def test_after_premiers_allies_ask_and_answer_and_the_ally_is_known_thereby(reference):
    deal = after_premiers(reference)
    assert said(deal) == ["claim", "ask"]
    say(deal, "ask")
    assert (deal.turn, said(deal)) == (2, ["yes", "no"])
    say(deal, "yes")
    assert (event(deal, "ally").seat, deal.vole, deal.turn) == (2, "undertaken", 0)
    refused = say(after_premiers(reference), "ask", "no")
    assert refused.over
    assert refused.vole == "none"


def test_on_the_modern_page_hombre_who_won_all_six_herself_need_not_ask():
    deal = after_premiers("quadrille-modern")
    assert said(deal) == ["claim", "ask", "vole"]
    assert event(deal, "ally").seat == 2, "who has shown the called card before anything is decided"
    assert said(after_premiers("quadrille-modern", vole_decided="always")) == ["claim", "ask"]


def test_by_law_20_the_winner_of_the_sixth_may_declare_the_vole_unasked():
    deal = after_premiers("quadrille-laws", vole_consultation="ask_or_declare")
    assert said(deal) == ["claim", "ask", "vole"]


def test_by_one_reading_of_law_15_allies_cannot_play_the_vole():
    assert after_premiers("quadrille-laws", alliance_vole="barred").phase == "play"


def test_a_soloist_who_leads_to_the_seventh_trick_plays_for_the_vole_and_its_pool():
    deal = sit("quanti-1822@parlett", f"{COMMANDING} S5 H3", "HK")
    say(deal, "bid solo", "pass", "pass", "pass", "trump spades")
    lead(deal, "SA", "S2", "CA", "SK", "SQ", "SJ")
    say(deal, "vole")
    assert deal.trump == SPADES
    lead(deal, "S7", "S6", "S5", "H3")
    assert (deal.vole, deal.won[0]) == ("undertaken", 9)
    # 4 + 3 × (4 + 1 + 1) − 3; each other −6 − 3 + 4
    assert net(deal) == [19, -5, -5, -5]
