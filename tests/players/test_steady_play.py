"""Single cards of ``steady``: a position, the card that a competent player plays, and why."""

from pathlib import Path
from typing import Any

import pytest
from quadrille_plugins.deal.players import make_bot
from quadrille_plugins.deal.view import view_of
from steady_report import lone_game
from support.data import of_yaml
from support.table import dealt, say, sit

from quadrille_core.engine.table import Deal
from quadrille_core.ruleset import Compiled, compile_reference
from quadrille_core.stream import Purpose, Stream


def choice(deal: Deal) -> str:
    assert deal.turn is not None
    return str(
        make_bot("steady").choose(
            view_of(deal, deal.turn), deal.legal(), Stream(1, 1, 1, Purpose.PLAY)
        )
    )


def nemo(*hands: str, **overrides: Any) -> Deal:
    """Hombre, in seat 2, wants no trick; the eldest leads."""
    return say(sit(dealt(*hands), **overrides), "pass", "pass", "bid nemo", "pass")


# --- against a game without tricks ----------------------------------------------------------------


def test_the_first_leads_against_nemo_are_from_the_shortest_suit() -> None:
    # Void of spades, the eldest will throw their diamonds under Hombre's; a lead from length frees
    # nothing.
    deal = nemo("S6 HK HQ H3 H4 CK C4 C3 D3 D4", "S2 S3 S4 S5 S7", "H7 H6 H5 C2 C5 D7 D6 D5 SJ C6")
    assert choice(deal) == "play S6"


def test_later_leads_go_under_what_hombre_may_hold() -> None:
    # Two cards under the four of hearts are still out, none under the two of clubs: only that lead
    # must catch them.
    deal = nemo(
        "SK SQ HK HQ H4 HA C2 C3 DK DQ",
        "S2 S3 H2 H3 C4 C5 D2 D3 SA CA",
        "S4 S5 H6 H7 C6 C7 D6 D7 D5 CJ",
        "SJ S6 S7 HJ H5 CK CQ DJ DA D4",
    )
    for card in [
        "SK",
        "S2",
        "S4",
        "SJ",
        "SQ",
        "S3",
        "S5",
        "S6",
        "DK",
        "D2",
        "D7",
        "DJ",
        "DQ",
        "D3",
        "D6",
        "DA",
    ]:
        say(deal, f"play {card}")
    assert choice(deal) == "play C2"


def test_the_discard_against_nemo_is_what_stands_in_the_way() -> None:
    # The king of hearts may stay, since the seven can go under anything; the bare queen of diamonds
    # would win for Hombre whatever diamond a friend leads low.
    deal = nemo("SK", "HK H7 DQ C2 C3 C4 C5 C6 C7 CK", "S2 S3 H2 H3 D2 D3 D4 D5 D6 D7")
    assert choice(say(deal, "play SK")) == "play DQ"


def test_before_hombre_the_highest_card_under_the_trick_is_played() -> None:
    # Under the knave the seven holds nothing up, and the three will yet be led.
    deal = nemo("CJ H2 H3", "C7 C6 C3 S2", "C2 C4 S3 S4 S5 H4 H5 H6 H7 D7")
    assert choice(say(deal, "play CJ")) == "play C7"


def test_before_hombre_a_king_is_got_rid_of_where_she_can_go_under_anyhow() -> None:
    deal = nemo("CJ H2 H3", "CK C7 S2 S3 SK SQ SJ HK HQ HJ", "C2 C4 S4 S5 S6 H4 H5 H6 H7 D7")
    assert choice(say(deal, "play CJ")) == "play CK"


def test_a_trick_that_is_hombre_s_is_left_to_her() -> None:
    deal = nemo("C3 H2 H3", "C2 S2 S3", "C6 C5 S4 S5 S6 H4 H5 H6 H7 D7", "C4 CK CQ DK")
    assert choice(say(deal, "play C3", "play C2", "play C5")) == "play C4"


# --- certain tricks -------------------------------------------------------------------------------


def lone(*hands: str, bid: str = "solo", **overrides: Any) -> Deal:
    """The eldest plays alone in spades and leads."""
    deal = sit(dealt(*hands), **{"play.first_lead": "hombre"} | overrides)
    return say(deal, f"bid {bid}", "pass", "pass", "pass", "trump spades")


def test_certain_trumps_that_complete_premiers_are_cashed() -> None:
    # Six trumps, all others drawn in two rounds: the four left are the premiers, whatever the side
    # cards do.
    deal = lone("SA S2 CA SK SQ S3 D4 D5 H4 C3", "SJ S7", "S6 S5", "S4 CK")
    say(
        deal, "play SA", "play SJ", "play S6", "play S4", "play S2", "play S7", "play S5", "play CK"
    )
    assert choice(deal) in ("play CA", "play SK", "play SQ", "play S3")


def test_trumps_that_do_not_suffice_are_kept() -> None:
    # One trump is left, and three more tricks are wanted: a lead from length finds out what the
    # side suits make.
    deal = lone("SA S2 CA SK D4 D5 D6 D7 H4 C3", "SQ SJ S7 HK", "S6 S5 H3", "S4 S3 CK")
    say(
        deal, "play SA", "play SJ", "play S6", "play S4", "play S2", "play S7", "play S5", "play S3"
    )
    say(deal, "play CA", "play SQ", "play H3", "play CK")
    assert choice(deal).startswith("play D")


VOLE = {"bids.solo.vole_with_bid": "announced"}


def test_at_a_vole_no_trick_is_given_away_to_draw_trumps() -> None:
    # With Spadille out a low trump loses for certain; the king of clubs need not.
    deal = lone("S2 CA SK SQ SJ S7 CK HK HQ HJ", "SA", bid="solo+announced", **VOLE)
    assert choice(deal) in ("play CK", "play HK")


def test_at_a_vole_the_last_hand_wins_as_cheaply_as_it_can() -> None:
    deal = sit(dealt("H3", "H4", "H2", "SA S2 CA SK SQ SJ HK HQ HJ S7"), **VOLE)
    say(
        deal,
        "pass",
        "pass",
        "pass",
        "bid solo+announced",
        "trump spades",
        "play H3",
        "play H4",
        "play H2",
    )
    assert choice(deal) == "play HJ"


def test_of_two_suits_the_one_with_more_certain_tricks_is_named() -> None:
    # Spades have the four highest trumps and one more; clubs, a card longer, only Spadille for
    # certain.
    deal = say(sit(dealt("SA SK S3 S2 CA CQ C7 C5 C3 D2")), "bid solo", "pass", "pass", "pass")
    assert choice(deal) == "trump spades"


def test_after_an_exchange_no_suit_two_trumps_shorter_than_the_longest_is_named() -> None:
    # With three spades, two of them the best, six of the other cards are to win by themselves; six
    # diamonds draw the rest.  So a spade is given, and no heart.
    deal = sit(dealt("SA S3 S2 HQ H3 DK DQ DJ D6 D5"))
    say(deal, "bid mediateur", "pass", "pass", "pass", "call HK")
    assert choice(deal) == "give S3"
    assert choice(say(deal, "give H3")) == "trump diamonds"


# --- whole games ----------------------------------------------------------------------------------

LONE = of_yaml(Path(__file__).parents[1] / "data" / "lone_games.yaml")


def cases(kind: str) -> list[tuple[str, int]]:
    return [(rules, session) for rules, sessions in LONE[kind].items() for session in sessions]


@pytest.fixture(scope="module")
def rule_sets() -> dict[str, Compiled]:
    return {rules: compile_reference(rules) for rules in {*LONE["premiers"], *LONE["voles"]}}


@pytest.mark.parametrize(("rules", "session"), cases("premiers"))
def test_premiers_that_are_certain_on_lead_are_made(
    rule_sets: dict[str, Compiled], rules: str, session: int
) -> None:
    """Each of these games an earlier ``steady`` played so that premiers in hand were lost."""
    game = lone_game(rule_sets[rules], "steady", 1, session)
    assert game is not None
    assert (game.premiers_in_hand, game.premiers) == (True, True)


@pytest.mark.parametrize(("rules", "session"), cases("voles"))
def test_a_vole_with_the_tricks_in_hand_is_made(
    rule_sets: dict[str, Compiled], rules: str, session: int
) -> None:
    """Hombre plays for the vole, and from some lead on holds nothing but certain tricks."""
    game = lone_game(rule_sets[rules], "steady", 1, session)
    assert game is not None
    assert game.vole != "none"
    assert (game.tricks_in_hand, game.made) == (
        True,
        rule_sets[rules].ruleset.rules.table.hand_cards,
    )
