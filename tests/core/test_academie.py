"""The Académie's Quadrille at the table: what its laws let be bid, called, withheld and
undertaken."""

import pytest
from quadrille_plugins.settle.result_file import read_result, result_to_plain
from support.table import dealt, lead, say

from quadrille_core.cards import SUITS, Suit, parse_cards
from quadrille_core.engine.ranking import ranking
from quadrille_core.engine.settle import settle
from quadrille_core.engine.table import Deal
from quadrille_core.errors import IllegalActionError
from quadrille_core.ruleset import compile_reference

SPADES = "SA S2 CA SK SQ SJ S7 S6 S5"


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


def test_a_game_claimed_once_the_king_has_appeared_is_settled_from_its_result():
    """What the engine lets be claimed after more tricks than premiers take, `settle` and a ledger
    take as a result."""
    ruleset = compile_reference("academie").ruleset
    deal = Deal(
        ruleset,
        dealt(f"{SPADES} D7", "", "DK H2 H3 H4 H5 H6 HQ C2 C3 C4", packets=(3, 3, 4), pool=14),
    )
    say(deal, "bid alliance", "pass", "pass", "pass", "trump spades", "call DK")
    lead(deal, "SA", "S2", "CA", "SK", "SQ", "SJ", "D7")
    say(deal, "claim")
    result = deal.result()
    assert (sum(result.tricks), result.side_tricks(), result.vole) == (7, 7, "none")
    read = read_result(result_to_plain(result, "academie"), deal.rules)
    assert read == result
    assert settle(deal.rules, read) == settle(deal.rules, result)


def test_a_forced_game_may_not_undertake_the_vole_here():
    """W1.25."""
    assert (
        not compile_reference("academie")
        .ruleset.rules.bids.of("forced-spadille")
        .may_undertake_vole
    )
