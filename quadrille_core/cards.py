"""The forty-card pack, its notation, and the index every other module uses for a card.

A card is an integer 0-39: ten to a suit, suits in the order spades, hearts, clubs, diamonds,
ranks in the nominal order A K Q J 7 6 5 4 3 2.  The index says nothing about trick-taking power;
that depends on the rule set (see ``engine.ranking``).
"""

from collections.abc import Iterable
from typing import Final, NewType

from quadrille_core.errors import NotationError, Replace, did_you_mean

Card = NewType("Card", int)
Suit = NewType("Suit", int)

SUITS: Final = ("spades", "hearts", "clubs", "diamonds")
SUIT_LETTERS: Final = "SHCD"
SUIT_SIGNS: Final = "♠♥♣♦"
RANKS: Final = "AKQJ765432"
COURTS: Final = {"A": "ace", "K": "king", "Q": "queen", "J": "knave"}
"""In words the ranks that are no numbers."""
PACK_SIZE: Final = 40
PACK: Final = tuple(Card(i) for i in range(PACK_SIZE))

SPADES: Final = Suit(0)
HEARTS: Final = Suit(1)
CLUBS: Final = Suit(2)
DIAMONDS: Final = Suit(3)
NO_TRUMP: Final = Suit(4)
"""The trump of a contract without a trump suit; also the suit that the two black aces then form."""

SPADILLE: Final = Card(0)
BASTO: Final = Card(20)

_SIGN_TO_LETTER: Final = {
    **dict(zip(SUIT_SIGNS, SUIT_LETTERS, strict=True)),
    "♤": "S",
    "♡": "H",
    "♧": "C",
    "♢": "D",
}


def suit(card: Card) -> Suit:
    """The suit printed on the card, 0-3."""
    return Suit(card // 10)


def rank(card: Card) -> str:
    """The rank printed on the card, one letter or digit."""
    return RANKS[card % 10]


def is_red(a_suit: Suit) -> bool:
    """Whether the suit is hearts or diamonds, whose pip cards rank upside down."""
    return a_suit in (HEARTS, DIAMONDS)


def card_of(a_suit: Suit, a_rank: str) -> Card:
    """The card of that suit and rank."""
    return Card(a_suit * 10 + RANKS.index(a_rank))


def parse_card(text: str) -> Card:
    """Read one card: suit letter or sign, then rank, in either case (``SA``, ``h7``, ``♦Q``).

    Raises NotationError naming the token when it is no card of this pack.
    """
    token = text.strip()
    if len(token) == 2:
        letter = _SIGN_TO_LETTER.get(token[0], token[0].upper())
        a_rank = token[1].upper()
        if letter in SUIT_LETTERS and a_rank in RANKS:
            return Card(SUIT_LETTERS.index(letter) * 10 + RANKS.index(a_rank))
    if len(token) > 1 and token[1:].upper() in ("8", "9", "10", "T"):
        raise NotationError.of("no-such-rank", token=token)
    turned = token[::-1].upper()
    is_turned = len(token) == 2 and turned[0] in SUIT_LETTERS and turned[1] in RANKS
    hint = Replace(turned, "suit-first") if is_turned else None
    raise NotationError.of("no-card", hint, token=token)


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read cards separated by blanks or commas; raises NotationError for a bad or repeated card."""
    cards = tuple(parse_card(t) for t in text.replace(",", " ").split())
    seen: set[Card] = set()
    for card in cards:
        if card in seen:
            raise NotationError.of("appears-twice", card=format_card(card))
        seen.add(card)
    return cards


def format_card(card: Card) -> str:
    """The card in letters (``SA``), as JSON and YAML give it."""
    return SUIT_LETTERS[card // 10] + RANKS[card % 10]


def format_cards(cards: Iterable[Card]) -> str:
    """Cards in letters, separated by blanks, in the order given."""
    return " ".join(format_card(c) for c in cards)


def sign_card(card: Card) -> str:
    """The card with its suit sign (``♠A``), as a terminal shows it."""
    return SUIT_SIGNS[card // 10] + RANKS[card % 10]


def parse_suit(text: str) -> Suit:
    """Read a suit by its name, also after its sign, its letter or its sign; raises NotationError
    otherwise."""
    token = text.strip()
    word = token.lower().lstrip("".join(_SIGN_TO_LETTER)).strip()
    if (many := word.removesuffix("s") + "s") in SUITS:
        return Suit(SUITS.index(many))
    letter = _SIGN_TO_LETTER.get(token, token.upper())
    if len(letter) == 1 and letter in SUIT_LETTERS:
        return Suit(SUIT_LETTERS.index(letter))
    raise NotationError.of(
        "no-suit", did_you_mean(token[:9].lower(), SUITS, what="the suits are"), token=token
    )


def format_suit(a_suit: Suit) -> str:
    """The suit's full name, or ``none`` for NO_TRUMP."""
    return "none" if a_suit == NO_TRUMP else SUITS[a_suit]
