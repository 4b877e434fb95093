"""The pack and its notation."""

import pytest

from quadrille_core.cards import (
    NO_TRUMP,
    PACK,
    SUITS,
    card_of,
    format_card,
    format_cards,
    format_suit,
    is_red,
    parse_card,
    parse_cards,
    parse_suit,
    rank,
    sign_card,
    suit,
)
from quadrille_core.errors import NotationError


def test_the_pack_has_forty_different_cards_and_no_eight_nine_or_ten():
    names = {format_card(c) for c in PACK}
    assert len(names) == 40
    assert not [n for n in names if n[1] in "890T"]


@pytest.mark.parametrize("card", PACK)
def test_a_card_is_read_back_from_letters_signs_and_lower_case(card):
    assert parse_card(format_card(card)) == card
    assert parse_card(sign_card(card)) == card
    assert parse_card(format_card(card).lower()) == card
    assert card_of(suit(card), rank(card)) == card


def test_several_cards_are_separated_by_blanks_or_commas():
    assert format_cards(parse_cards("SA,h7  ♣K\n♦q")) == "SA H7 CK DQ"


def test_a_card_named_twice_in_one_hand_is_refused_by_name():
    with pytest.raises(NotationError, match="SA appears twice"):
        parse_cards("SA H7 sa")


@pytest.mark.parametrize(
    ("text", "help"),
    [
        ("S8", "the pack has no 8, 9 or 10"),
        ("H10", "the pack has no 8, 9 or 10"),
        ("AS", "write the suit first: SA"),
        ("X1", "a card is a suit letter"),
        ("", "a card is a suit letter"),
        ("S", "a card is a suit letter"),
        ("SAA", "a card is a suit letter"),
        ("\udcff7", "a card is a suit letter"),
    ],
)
def test_what_is_no_card_is_refused_with_the_way_to_mend_it(text, help):
    with pytest.raises(NotationError) as caught:
        parse_card(text)
    assert help in caught.value.problems[0].help


def test_a_suit_is_read_by_name_letter_or_sign():
    for index, name in enumerate(SUITS):
        assert (
            parse_suit(name)
            == parse_suit(name.upper())
            == parse_suit(name[0])
            == parse_suit("♠♥♣♦"[index])
            == index
        )
        assert format_suit(parse_suit(name)) == name
    with pytest.raises(NotationError, match="is no suit"):
        parse_suit("cups")


def test_no_trump_is_written_none_and_hearts_and_diamonds_are_red():
    assert format_suit(NO_TRUMP) == "none"
    assert [is_red(parse_suit(s)) for s in SUITS] == [False, True, False, True]
