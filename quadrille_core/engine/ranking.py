"""Which card beats which, under a trump suit or none.

The two black aces are trumps in every suit, Spadille the highest and Basto the third; between them
stands Manille, the nominally lowest card of the trump suit.  Where no suit is trumps the two aces
alone form a suit of trumps (``NO_TRUMP``).
"""

from collections.abc import Collection, Iterable, Sequence
from functools import cache
from typing import Final

from quadrille_core.cards import BASTO, NO_TRUMP, PACK, SPADILLE, Card, Suit, card_of, is_red, suit
from quadrille_core.rules import CardOrder

TRUMPS: Final = (Suit(0), Suit(1), Suit(2), Suit(3), NO_TRUMP)
"""Every trump there can be, the last being none."""

_RED_TRUMPS: Final = "AKQJ23456"
_BLACK_TRUMPS: Final = "KQJ76543"
_BLACK_PLAIN: Final = "KQJ765432"
_RED_PLAIN: Final = {"top": "AKQJ234567", "below_knave": "KQJA234567"}


@cache
def trumps(trump: Suit) -> tuple[Card, ...]:
    """All trumps, strongest first; where no suit is trumps, Spadille and Basto."""
    if trump == NO_TRUMP:
        return (SPADILLE, BASTO)
    red = is_red(trump)
    manille = card_of(trump, "7" if red else "2")
    return (
        SPADILLE,
        manille,
        BASTO,
        *(card_of(trump, r) for r in (_RED_TRUMPS if red else _BLACK_TRUMPS)),
    )


@cache
def matadors(trump: Suit) -> tuple[Card, ...]:
    """The matadors, highest first: three under a trump suit, the two black aces without one."""
    return trumps(trump)[:3]


@cache
def effective_suits(trump: Suit) -> tuple[Suit, ...]:
    """For each card of the pack the suit it belongs to in the play: matadors belong to the trump
    suit."""
    own = set(trumps(trump))
    return tuple(trump if c in own else suit(c) for c in PACK)


def ponto(order: CardOrder, trump: Suit) -> Card | None:
    """The card called ponto: the ace of red trumps; the king of black ones where the rules say
    so."""
    if trump == NO_TRUMP:
        return None
    if is_red(trump):
        return card_of(trump, "A")
    return card_of(trump, "K") if order.black_ponto == "king" else None


def unbroken_matadors(cards: Collection[Card], trump: Suit) -> int:
    """How many trumps are among the cards, counted from Spadille down without a gap."""
    order = trumps(trump)
    return next((place for place, card in enumerate(order) if card not in cards), len(order))


class CardRanking:
    """The order of the cards under one trump; obtain it from ``ranking``."""

    __slots__ = ("matadors", "order", "ponto", "strength", "suits", "trump", "trumps")

    def __init__(self, order: CardOrder, trump: Suit) -> None:
        self.order: Final = order
        self.trump: Final = trump
        self.trumps: Final = trumps(trump)
        self.matadors: Final = matadors(trump)
        self.ponto: Final = ponto(order, trump)
        self.suits: Final = effective_suits(trump)
        self.strength: Final = self._strengths()
        """For each card of the pack a number: greater wins within a suit, plain from 1 on, trumps
        from 101 on."""

    def _strengths(self) -> tuple[int, ...]:
        strength = {}
        for a_suit in (Suit(0), Suit(1), Suit(2), Suit(3)):
            ranks = _RED_PLAIN[self.order.red_plain_ace] if is_red(a_suit) else _BLACK_PLAIN
            for place, a_rank in enumerate(ranks):
                strength[card_of(a_suit, a_rank)] = len(ranks) - place
        for place, card in enumerate(self.trumps):
            strength[card] = 100 + len(self.trumps) - place
        return tuple(strength[card] for card in PACK)

    def winner(self, cards: Sequence[Card]) -> int:
        """The place (0 is the leader's) of the card that wins the trick: highest trump, else
        highest led."""
        strength, suits = self.strength, self.suits
        best, led = 0, suits[cards[0]]
        top = strength[cards[0]]
        for place, card in enumerate(cards):
            if strength[card] > top and suits[card] in (led, self.trump):
                best, top = place, strength[card]
        return best

    def sorted(self, cards: Iterable[Card]) -> tuple[Card, ...]:
        """Cards as a player holds them: trumps first, then by suit, the strongest first."""
        return tuple(
            sorted(
                cards, key=lambda c: (self.suits[c] != self.trump, self.suits[c], -self.strength[c])
            )
        )


@cache
def ranking(order: CardOrder, trump: Suit) -> CardRanking:
    """The order of the cards under these rules and this trump."""
    return CardRanking(order, trump)


def trick_winner(order: CardOrder, cards: Sequence[Card], trump: Suit) -> int:
    """The place (0 is the leader's) of the card that wins the trick."""
    return ranking(order, trump).winner(cards)
