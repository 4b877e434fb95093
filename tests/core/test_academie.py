"""The Académie's Quadrille at the table: what its laws let be bid, called, withheld and undertaken."""

import pytest
from quadrille_plugins.settle.result_file import read_result, result_to_plain
from support.table import dealt, said, say

from quadrille_core.cards import SUITS, Suit, parse_cards
from quadrille_core.engine.deal import DealSetup
from quadrille_core.engine.ranking import ranking
from quadrille_core.engine.settle import settle
from quadrille_core.engine.table import Deal
from quadrille_core.errors import IllegalActionError
from quadrille_core.ruleset import compile_reference

SPADES = "SA S2 CA SK SQ SJ"
PASSES = ["pass"] * 3


def academie(*hands: str, **readings: str) -> Deal:
    """A deal of the Académie's Quadrille from the cards that matter."""
    setup: DealSetup = dealt(*hands, packets=(3, 3, 4), pool=14)
    return Deal(compile_reference("academie", readings=readings).ruleset, setup)


def test_a_plain_red_ace_stands_below_the_knave():
    """W1.1."""
    order = ranking(compile_reference("academie").ruleset.rules.cards, Suit(SUITS.index("spades")))
    assert order.winner(parse_cards("HA HJ")) == 1
    assert order.winner(parse_cards("HA H2")) == 0


def test_cards_are_dealt_by_threes_and_a_four():
    """W1.7."""
    ruleset = compile_reference("academie").ruleset
    with pytest.raises(IllegalActionError, match="4-3-3"):
        Deal(ruleset, dealt("SA", packets=(4, 3, 3), pool=14))


def test_quintille_is_dealt_by_fours():
    """W1.39."""
    assert compile_reference("quintille-new").ruleset.rules.deal.packets == ((4, 4),)


def test_several_matadors_are_withheld_from_a_lower_trump():
    """W1.3: Spadille and Basto are all the trumps of the second hand."""
    deal = academie("S3 HK", "SA CA HQ HJ H7 H6 H5 H4 H3 H2", "DK", "")
    say(deal, "bid solo", *PASSES, "trump spades", "play S3")
    assert "play H2" in said(deal)


def test_spadille_led_forces_a_matador_that_is_alone():
    """W1.4: Basto alone is forced by Spadille led; not when Spadille is only laid on a lower trump."""
    other = "HQ HJ H7 H6 H5 H4 H3 H2"
    deal = academie("SA HK", f"CA {other} DK", "", "")
    say(deal, "bid solo", *PASSES, "trump spades", "play SA")
    assert said(deal) == ["play CA"]
    deal = academie("S3 HK", "SA DK", f"CA {other} DQ", "")
    say(deal, "bid solo", *PASSES, "trump spades", "play S3", "play SA")
    assert "play H2" in said(deal)


def test_who_has_asked_plays_alone_only_against_another_who_would():
    """W1.9: against a sans prendre they may, being the elder; against nobody they may not."""
    deal = academie("SA S2 CA HK")
    say(deal, "bid alliance", "bid solo", "pass", "pass")
    assert "bid solo" in said(deal)
    say(deal, "bid solo", "pass")
    assert (deal.hombre, deal.contract.bid) == (0, "solo")


def test_who_holds_spadille_plays_when_all_have_passed_and_may_call_her_own_king():
    """W1.8 and W1.12."""
    deal = academie("", "SA HK")
    say(deal, *["pass"] * 4, "trump spades")
    assert (deal.hombre, deal.contract.bid) == (1, "forced-spadille")
    assert {"call HK", "call DK"} <= set(said(deal))


def test_a_queen_is_called_with_the_four_kings_alone():
    """W1.10: and neither king nor queen of the trumps."""
    deal = academie("SA SK HK DK CK")
    say(deal, "bid alliance", *PASSES, "trump spades")
    assert {"call HQ", "call HK"} <= set(said(deal))
    assert not {"call SK", "call SQ"} & set(said(deal))


def test_with_three_kings_one_calls_a_king_of_ones_own():
    """W1.11: the three others without the king of trumps."""
    deal = academie("SA HK DK CK")
    say(deal, "bid alliance", *PASSES, "trump spades")
    assert set(said(deal)) == {"call HK", "call DK", "call CK"}
    say(deal, "call HK")
    assert deal.ally is None


def test_who_engages_to_the_vole_goes_before_sans_prendre():
    """W1.15: the youngest before the eldest, where the contre is admitted; and not where it is not."""
    deal = say(academie("SA S2", contre="admitted"), "bid solo", "pass", "pass")
    assert [a for a in said(deal) if "announced" in a]
    deal = say(academie("SA S2"), "bid solo", "pass", "pass")
    assert said(deal) == ["pass"]


def after_six_trumps() -> Deal:
    """Hombre has made six tricks with trumps, the ally having kept the called king."""
    deal = academie(f"{SPADES} S7 S6 S5 H7", "", "HK", "")
    say(deal, "bid alliance", *PASSES, "trump spades", "call HK")
    for card in SPADES.split():
        follow(deal, f"play {card}")
    return deal


def follow(deal: Deal, lead: str) -> None:
    """Lead a card; the others follow, the called king being played only where nothing else may be."""
    say(deal, lead)
    for _ in range(3):
        say(deal, min(said(deal), key="play HK".__eq__))


def test_the_vole_waits_for_the_called_king():
    """W1.24: with the king unknown they play on without a word; once it has appeared, to lead on is to undertake."""
    deal = after_six_trumps()
    assert (len(deal.tricks), deal.phase, deal.vole) == (6, "play", "none")
    say(deal, "play H7")
    for _ in range(3):
        say(deal, next((a for a in said(deal) if a == "play HK"), said(deal)[0]))
    assert (len(deal.tricks), deal.phase, deal.turn) == (7, "vole", 2)
    say(deal, "vole")
    assert deal.vole == "undertaken"


def test_a_vole_made_with_the_king_unknown_is_not_paid():
    """W1.24: the king falls to the last trick, so that nothing was undertaken."""
    deal = after_six_trumps()
    for card in ("S7", "S6", "S5", "H7"):
        follow(deal, f"play {card}")
    result = deal.result()
    assert (result.side_tricks(), result.vole) == (10, "none")


def test_the_one_on_lead_decides_on_the_vole_without_a_word():
    """W1.29: who neither asks nor is asked."""
    deal = after_six_trumps()
    say(deal, "play H7")
    for _ in range(3):
        say(deal, next((a for a in said(deal) if a == "play HK"), said(deal)[0]))
    assert said(deal) == ["claim", "vole"]


def test_a_game_claimed_once_the_king_has_appeared_is_settled_from_its_result():
    """What the engine lets be claimed after more tricks than premiers take, `settle` and a ledger take as a result."""
    deal = after_six_trumps()
    say(deal, "play H7")
    for _ in range(3):
        say(deal, next((a for a in said(deal) if a == "play HK"), said(deal)[0]))
    say(deal, "claim")
    result = deal.result()
    assert (sum(result.tricks), result.side_tricks(), result.vole) == (7, 7, "none")
    read = read_result(result_to_plain(result, "academie"), deal.rules)
    assert read == result
    assert settle(deal.rules, read) == settle(deal.rules, result)


def test_a_forced_game_may_not_undertake_the_vole_here():
    """W1.25."""
    assert not compile_reference("academie").ruleset.rules.bids.of("forced-spadille").may_undertake_vole
