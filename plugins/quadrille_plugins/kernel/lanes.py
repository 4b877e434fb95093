"""A rule set's cards and its duty to follow suit as 64-bit words.

Under a given trump a set of cards is a word of five *lanes* twelve bits wide: plain suit ``s`` in
bits ``12 s`` to ``12 s + 11``, all trumps in bits 48 to 59; the strongest card of each takes the
lane's highest bit, and the others follow without a gap.  The lane of the trump suit is empty.  Of
two cards that can win the trick the greater word wins it, whatever the rules of rank.

``tabulate`` gives one array of the same shape for every rule set, a row for each trump; the row of
a trump is all that playing under it needs.
"""

from collections.abc import Iterable
from functools import cache
from itertools import combinations
from typing import Final

import numpy as np
import numpy.typing as npt

from quadrille_core.cards import NO_TRUMP, PACK, Card, Suit
from quadrille_core.engine.forcing import follow, privileged
from quadrille_core.engine.ranking import TRUMPS, matadors, ranking, trumps
from quadrille_core.rules import CardOrder, Forcing

Words = npt.NDArray[np.uint64]

LANE: Final = 12
"""Bits of a lane."""
TRUMP_LOW: Final = 48
"""The lowest bit of the trumps' lane."""
TOP: Final = 59
"""The bit of Spadille."""
ALL_BITS: Final = (1 << 64) - 1

# Places in a row.  Where a row is indexed by a bit it has 64 words, those of no card being 0.
OBLIGED: Final = 0
"""By the bit of the reference card: the cards of its suit that may not be withheld (every bit, of a
plain suit)."""
OBLIGED_BY: Final = 64
"""By the bit of a card: the reference cards that it may not be withheld from."""
WORD: Final = 128
"""By card index: the card's bit, as a mask (40 words)."""
EXCUSABLE: Final = 168
"""The trumps that, when only such are obliged beside free ones, leave more than a trump to choose
from or less."""
EXCUSED: Final = 169
"""What a player may then play besides the obliged: any card (every bit), or none (0)."""
REFERENCES: Final = 170
"""The cards that become the reference when played, if higher than it."""
SPECIAL: Final = 171
"""The trumps that are not alike in the duty to follow; those left over differ by rank alone."""
NESTED: Final = 172
"""1 where of the special trumps still in play only the number and the order matter, not which they
are."""
MATADORS: Final = 173
"""The matadors."""
WIDTH: Final = 176


@cache
def places(order: CardOrder, trump: Suit) -> tuple[int, ...]:
    """For each card of the pack its bit under this trump."""
    rank = ranking(order, trump)
    place: dict[Card, int] = {}
    for lane in TRUMPS:
        suit = trump if lane == NO_TRUMP else lane if lane != trump else None
        of_suit = sorted(
            (c for c in PACK if rank.suits[c] == suit), key=lambda c: -rank.strength[c]
        )
        place |= {card: LANE * (lane + 1) - 1 - i for i, card in enumerate(of_suit)}
    return tuple(place[c] for c in PACK)


def word_of(order: CardOrder, trump: Suit, cards: Iterable[Card]) -> int:
    """The set of these cards as a word."""
    place = places(order, trump)
    word = 0
    for card in cards:
        word |= 1 << place[card]
    return word


def tabulate(order: CardOrder, forcing: Forcing) -> Words:
    """The rows of a rule set: uint64 of shape (5, WIDTH), one row for each trump, the last for
    none.

    The array is the caller's own.
    """
    return _tabulate(order, forcing).copy()


@cache
def _tabulate(order: CardOrder, forcing: Forcing) -> Words:
    table = np.zeros((len(TRUMPS), WIDTH), np.uint64)
    for trump in TRUMPS:
        _fill(table[trump], order, forcing, trump)
    return table


def _fill(row: Words, order: CardOrder, forcing: Forcing, trump: Suit) -> None:
    place = places(order, trump)
    own = trumps(trump)
    rule = follow(forcing, trump)
    for card in PACK:
        row[WORD + card] = 1 << place[card]
        row[OBLIGED + place[card]] = ALL_BITS
    for after in own:
        obliged = rule.obliging(own, (after,))
        row[OBLIGED + place[after]] = word_of(order, trump, obliged)
        for card in obliged:
            row[OBLIGED_BY + place[card]] |= np.uint64(1 << place[after])
    if forcing.among_several != "any_trump":
        row[EXCUSABLE] = word_of(order, trump, privileged(forcing, trump))
    row[EXCUSED] = ALL_BITS if forcing.among_several == "alternative_excuses" else 0
    row[MATADORS] = word_of(order, trump, matadors(trump))
    if forcing.forced_by == "played":
        row[REFERENCES] = row[MATADORS]
    special = _special(row, [place[c] for c in own])
    row[SPECIAL] = sum(1 << bit for bit in special)
    row[NESTED] = _nested(row, special)


def _kind(row: Words, bit: int) -> tuple[int, ...]:
    """All that the duty to follow knows of a trump."""
    marks = (int(row[place]) >> bit & 1 for place in (EXCUSABLE, REFERENCES))
    return (int(row[OBLIGED + bit]), int(row[OBLIGED_BY + bit]), *marks)


def _special(row: Words, bits: list[int]) -> list[int]:
    """The trumps outside the largest set of which any two could change places, highest first."""
    alike: dict[tuple[int, ...], list[int]] = {}
    for bit in bits:
        alike.setdefault(_kind(row, bit), []).append(bit)
    largest = max(alike.values(), key=len)
    return [bit for bit in bits if bit not in largest or len(largest) == 1]


def _nested(row: Words, special: list[int]) -> int:
    """Whether equally large sets of special trumps are equal and hold the highest trumps."""
    if len(special) > 3 or special != [TOP - i for i in range(len(special))]:
        return 0
    others = (1 << special[-1]) - 1 if special else 0

    def shape(chosen: tuple[int, ...]) -> tuple[tuple[object, ...], ...]:
        """How the chosen stand to one another and to all others, with their names left out."""
        return tuple(
            (
                tuple(obliged >> other & 1 for other in chosen),
                obliged & others,
                tuple(by >> other & 1 for other in chosen),
                by & others,
                *marks,
            )
            for obliged, by, *marks in (_kind(row, bit) for bit in chosen)
        )

    sizes = range(1, len(special) + 1)
    return int(all(len({shape(c) for c in combinations(special, n)}) == 1 for n in sizes))
