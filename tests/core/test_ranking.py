"""Which card beats which: checked against orders written out from the sources."""

import random

import pytest
from support.data import cases

from quadrille_core.cards import (
    NO_TRUMP,
    PACK,
    SUITS,
    format_card,
    format_cards,
    parse_card,
    parse_cards,
)
from quadrille_core.engine.ranking import (
    effective_suits,
    matadors,
    ponto,
    ranking,
    trick_winner,
    trumps,
    unbroken_matadors,
)
from quadrille_core.rules import CardOrder

# Written out by hand, sharing nothing with the engine.
TRUMPS = {
    "spades": "SA S2 CA SK SQ SJ S7 S6 S5 S4 S3",
    "hearts": "SA H7 CA HA HK HQ HJ H2 H3 H4 H5 H6",
    "clubs": "SA C2 CA CK CQ CJ C7 C6 C5 C4 C3",
    "diamonds": "SA D7 CA DA DK DQ DJ D2 D3 D4 D5 D6",
    "none": "SA CA",
}
PLAIN_BLACK = "K Q J 7 6 5 4 3 2"
PLAIN_RED = {"top": "A K Q J 2 3 4 5 6 7", "below_knave": "K Q J A 2 3 4 5 6 7"}
SUIT_OF = {"none": NO_TRUMP} | {name: i for i, name in enumerate(SUITS)}


def order(red="below_knave", black="none"):
    return CardOrder(red_plain_ace=red, black_ponto=black)


def literal_winner(cards: list[str], trump: str, red: str) -> int:
    played = TRUMPS[trump].split()
    highest = [c for c in played if c in cards]
    if not highest:
        ranks = PLAIN_RED[red] if cards[0][0] in "HD" else PLAIN_BLACK
        highest = [cards[0][0] + r for r in ranks.split() if cards[0][0] + r in cards]
    return cards.index(highest[0])


@pytest.mark.parametrize("trump", TRUMPS)
def test_trumps_rank_as_the_sources_list_them(trump):
    assert format_cards(trumps(SUIT_OF[trump])) == TRUMPS[trump]


@pytest.mark.parametrize("trump", TRUMPS)
def test_the_matadors_are_the_first_three_trumps_or_the_two_black_aces(trump):
    assert format_cards(matadors(SUIT_OF[trump])).split() == TRUMPS[trump].split()[:3]
    assert ranking(order(), SUIT_OF[trump]).matadors == matadors(SUIT_OF[trump])


@pytest.mark.parametrize("trump", TRUMPS)
def test_matadors_belong_to_the_trump_suit_whatever_is_printed_on_them(trump):
    for card in PACK:
        name = format_card(card)
        expected = SUIT_OF[trump] if name in TRUMPS[trump].split() else "SHCD".index(name[0])
        assert effective_suits(SUIT_OF[trump])[card] == expected


@pytest.mark.parametrize("red", PLAIN_RED)
@pytest.mark.parametrize("trump", TRUMPS)
def test_plain_suits_rank_upside_down_in_red_with_the_ace_where_the_rules_put_it(trump, red):
    strength = ranking(order(red), SUIT_OF[trump]).strength
    for letter, name in zip("SHCD", SUITS, strict=True):
        if name == trump:
            continue
        ranks = (PLAIN_RED[red] if letter in "HD" else PLAIN_BLACK).split()
        values = [strength[parse_card(letter + r)] for r in ranks]
        assert values == sorted(values, reverse=True)
        assert len(set(values)) == len(values)


@pytest.mark.parametrize("trump", TRUMPS)
def test_strengths_count_from_one_in_a_plain_suit_and_from_a_hundred_and_one_in_trumps(trump):
    the_ranking = ranking(order(), SUIT_OF[trump])
    for name in (*SUITS, "none"):
        cards = [c for c in PACK if the_ranking.suits[c] == SUIT_OF[name]]
        least = 101 if name == trump else 1
        assert sorted(the_ranking.strength[c] for c in cards) == [
            *range(least, least + len(cards))
        ], name


@pytest.mark.parametrize("red", PLAIN_RED)
@pytest.mark.parametrize("trump", TRUMPS)
def test_trick_winners_agree_with_a_literal_statement_on_twenty_thousand_tricks(trump, red):
    rng = random.Random(f"winner {trump} {red}")
    the_ranking = ranking(order(red), SUIT_OF[trump])
    for _ in range(20_000):
        cards = rng.sample(PACK, rng.choice((1, 2, 3, 4, 4, 4)))
        expected = literal_winner([format_card(c) for c in cards], trump, red)
        assert the_ranking.winner(cards) == expected, (format_cards(cards), trump, red)


def test_a_trick_without_trumps_goes_to_the_highest_card_of_the_suit_led():
    assert trick_winner(order(), parse_cards("H2 SK HA HK"), SUIT_OF["clubs"]) == 3
    assert trick_winner(order("top"), parse_cards("H2 SK HA HK"), SUIT_OF["clubs"]) == 2


@cases("ranking")
def test_ponto_is_the_red_ace_and_the_black_king_only_where_the_rules_say_so(trump, black, card):
    found = ponto(order(black=black), SUIT_OF[trump])
    assert found == ranking(order(black=black), SUIT_OF[trump]).ponto
    assert (found and format_card(found)) == card


@cases("ranking")
def test_matadors_count_without_a_gap_from_spadille_down(cards, trump, count):
    assert unbroken_matadors(set(parse_cards(cards)), SUIT_OF[trump]) == count


def test_a_hand_is_sorted_with_trumps_first_and_each_suit_from_the_top():
    hand = parse_cards("H2 S3 CA HK D7 SA DA S2")
    assert (
        format_cards(ranking(order(), SUIT_OF["spades"]).sorted(hand)) == "SA S2 CA S3 HK H2 DA D7"
    )
