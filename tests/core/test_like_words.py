"""Texts that say the same in like words are read alike, whichever profile holds them."""

import pytest

from quadrille_core.cards import SUITS, Suit, format_cards, parse_cards
from quadrille_core.engine.forcing import follow
from quadrille_core.ruleset import compile_reference

WITHOUT_ANOTHER_TRUMP = (
    "quanti-1822@parlett",
    "mediateur-1752@parlett",
    "quadrille-laws",
    "quadrille-modern",
)
"""Their texts oblige one to play a lower matador who has no other trump than lower matadors."""


@pytest.mark.parametrize("reference", WITHOUT_ANOTHER_TRUMP)
def test_a_higher_matador_in_hand_is_another_trump_wherever_the_want_of_one_forces_the_lower(
    reference,
):
    """Manille is led to Spadille and Basto: Basto is not one's only trump, and nothing forces
    Spadille."""
    compiled = compile_reference(reference)
    rules, hearts = compiled.ruleset.rules, Suit(SUITS.index("hearts"))
    assert (
        format_cards(
            follow(rules.forcing, hearts).legal(parse_cards("SA CA D3"), parse_cards("H7"))
        )
        == "SA CA D3"
    )
    assert (
        format_cards(follow(rules.forcing, hearts).legal(parse_cards("CA D3"), parse_cards("H7")))
        == "CA"
    )
    assert compiled.origins["forcing.among_several"].status == "inferred"


def test_a_text_that_takes_the_privilege_from_the_lower_matador_makes_it_a_trump_that_must_be_followed_with():
    rules, hearts = (
        compile_reference("quanti-1822@wikipedia").ruleset.rules,
        Suit(SUITS.index("hearts")),
    )
    assert (
        format_cards(
            follow(rules.forcing, hearts).legal(parse_cards("SA CA D3"), parse_cards("H7"))
        )
        == "SA CA"
    )
