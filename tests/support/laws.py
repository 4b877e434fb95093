"""What a sheet of laws may order, and of whom."""

from typing import Final

KINDS: Final = ("engine", "irregularity", "conduct", "claim")
ORDERS: Final = (
    "redeal",
    "void",
    "no_penalty",
    "beast",
    "no_beast",
    "card_may_be_called",
    "cards_may_be_called",
    "suit_may_be_called",
    "no_suit_called",
    "must_play_card",
    "take_back_and_replay",
    "no_vole",
)
PERSONS: Final = ("", "offender", "adversaries", "others", "dealer", "side", "all")
"""Whom an order may name; ``others`` are all but the offender, ``side`` Hombre and the ally."""
