"""Every rule of a profile with every value that is tried of it."""

from collections.abc import Iterator
from fractions import Fraction
from types import NoneType
from typing import Any, get_args, get_origin

from quadrille_core import vocabulary
from quadrille_core.cards import PACK, SUITS, Card, Suit, format_card
from quadrille_core.rules import Coin
from quadrille_core.ruleset import compile_reference
from quadrille_core.vocabulary import Leaf

BASES = (
    "quanti-1822", "mediateur-1752", "quadrille-laws", "quadrille-modern", "quintille",
    "encyclopedie-mediateur", "hoyle-improved",
)  # fmt: skip


APART = {"bids.*.title", "forcing.exceptions"}
"""A name, and the table that plugins alone fill."""


def values_of(leaf: Leaf, hand: int) -> list[Any]:
    """Values the leaf may take: every word of a choice, and of numbers those that a table may well
    have."""
    kinds = get_args(leaf.type) if NoneType in get_args(leaf.type) else (leaf.type,)
    kind = next(k for k in kinds if k is not NoneType)
    nothing = [None] if NoneType in kinds else []
    if leaf.choices():
        return list(leaf.choices())
    if kind is bool:
        return [False, True]
    if kind is int:
        low, high = leaf.low or 0, leaf.high or 0
        return [n for n in (0, 1, 2, 3, 4, 5, 6, hand, 40, 60) if low <= n <= high]
    if kind is Fraction:
        return [0, "1/5", "1/4", "1/2", 1, 2, 3, "7/3"]
    if kind is Suit:
        return [*nothing, *SUITS]
    if kind is Card:
        return [*nothing, *map(format_card, PACK)]
    if get_origin(kind) is tuple:
        item = get_args(kind)[0]
        if item is Coin:
            return [[], [{"one": "chip", "many": "chips", "worth": 1, "each": 40}]]
        if item is Card:
            return [[], ["SA"], ["SA", "CA"], ["HK"]]
        if get_origin(item) is tuple:
            return [[[4, 4]], [[3, 3, 2], [2, 3, 3]], [[3, 3, 4], [4, 3, 3]], [[hand]]]
        words = list(get_args(item))
        return [[], words, words[:1], words[1:]]
    raise AssertionError(f"{leaf.pattern}: say here what values a {leaf.type} can have")


def changes(name: str) -> Iterator[tuple[str, Any]]:
    """Every rule of a profile with every value that is tried of it."""
    compiled = compile_reference(name)
    for path in compiled.origins:
        leaf = vocabulary.leaf_at(path)
        if leaf.pattern not in APART:
            for value in values_of(leaf, compiled.ruleset.rules.table.hand_cards):
                yield path, value
