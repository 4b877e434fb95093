"""The pack of 52 cards that patience is played with, and its notation.

A card is a number from 0 to 51: thirteen times its suit, in the order of ``SUIT_LETTERS``, and its
rank from ace to king.  Two packs hold every number twice; cards alike are not distinguished.
"""

from collections.abc import Iterable
from typing import Final, get_args

from quadrille_core.cards import SUIT_LETTERS, SUIT_SIGNS
from quadrille_core.errors import NotationError
from quadrille_plugins.patience.rules import Rank

RANKS: Final[tuple[str, ...]] = get_args(Rank)
PACK: Final = tuple(range(52))
SIGNS: Final = dict(zip(SUIT_SIGNS, SUIT_LETTERS, strict=True))
LONGEST: Final = 2000
"""Characters that a text of cards may have: two packs have fewer."""


def card_of(suit: int, rank: str) -> int:
    """The card of that suit, counted from 0, and rank."""
    return suit * 13 + RANKS.index(rank)


def rank_of(card: int) -> str:
    """The rank of a card."""
    return RANKS[card % 13]


def format_card(card: int) -> str:
    """The card as suit letter and rank: ``SA``, ``H10``."""
    return SUIT_LETTERS[card // 13] + RANKS[card % 13]


def format_cards(cards: Iterable[int]) -> str:
    """Cards separated by blanks."""
    return " ".join(map(format_card, cards))


def sign_card(card: int) -> str:
    """The card with its suit sign, as a terminal shows it."""
    return SUIT_SIGNS[card // 13] + RANKS[card % 13]


def parse_cards(text: str) -> tuple[int, ...]:
    """Read cards separated by blanks, small letters and suit signs too; raises NotationError naming
    the first fault."""
    if len(text) > LONGEST:
        raise NotationError.of("stock-too-long")
    cards = []
    for token in text.split():
        suit = SIGNS.get(token[0], token[0].upper())
        rank = token[1:].upper()
        if len(suit) != 1 or suit not in SUIT_LETTERS or rank not in RANKS:
            shown = "".join(c if c.isprintable() else "?" for c in token[:20])
            raise NotationError.of("no-card-of-patience", shown=shown)
        cards.append(card_of(SUIT_LETTERS.index(suit), rank))
    return tuple(cards)
