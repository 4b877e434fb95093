"""Cases for the dead-option guard: irregular money.  ``decisive`` collects them."""

from collections.abc import Mapping
from typing import Any

_SPADES = "SA S2 CA SK SQ SJ S7 S6 S5 S4"

CASES: tuple[Mapping[str, Any], ...] = (
    {
        "why": "allies win an odd pool, and Hombre is not the elder of them",
        "leaves": ("stakes.odd_counters",),
        "but": {"stakes.unit_rounding": "down"},
        "hands": ("HK", "", _SPADES),
        "pool": 5,
        "wishes": ("bid casco", "pass", "call HK", "trump spades", "claim", "no"),
    },
    {
        "why": "every item of a solo is won, and nobody claims anything",
        "leaves": ("bids.solo.claimed",),
        "but": {"payments.vole_premium.undertaken.solo": 2},
        "hands": (_SPADES,),
        "wishes": (
            *("bid solo", "pass", "trump spades", "vole"),
            *(f"play {card}" for card in _SPADES.split()),
        ),
        "forgetful": True,
    },
    {
        "why": "games are lost one after another, and their beasts have a size of their own",
        "leaves": ("loss.beast_size", "loss.beast_first", "loss.beasts"),
        "but": {"loss.beast_size": "doubling"},
        "wishes": ("bid solo", "pass"),
        "deals": 8,
    },
    {
        "why": "games are lost one after another, and somebody cannot pay",
        "leaves": ("table.purse_empty",),
        "but": {"table.purse": 4},
        "wishes": ("bid solo", "pass"),
        "deals": 8,
    },
    {
        "why": "the counters are told by name, and the greater ones are worth ten or twenty",
        "leaves": ("table.coins",),
        "but": {
            "table.coins": [
                {"one": "jetton", "many": "jettons", "worth": 1, "each": 10},
                {"one": "fiche", "many": "fiches", "worth": 10, "each": 3},
            ],
        },
        "wishes": ("bid solo", "pass"),
        "deals": 3,
    },
)
