"""Cases for ``decisive``: what matters at a table of five, as keywords of a ``Case``."""

from typing import Any

from support import five_hands

NOT_THE_WHOLE_PACK = "the players and their cards make up the pack: both change together"

CASES: tuple[dict[str, Any], ...] = (
    {
        "why": "four sit down to ten cards",
        "leaves": ("table.players", "table.hand_cards"),
        "wishes": ("bid solo", "pass"),
        "deals": 2,
        "refused": NOT_THE_WHOLE_PACK,
    },
    {
        "why": "five sit down to eight cards",
        "leaves": ("table.players", "table.hand_cards"),
        "but": five_hands(),
        "wishes": ("bid solo", "pass"),
        "deals": 2,
        "refused": NOT_THE_WHOLE_PACK,
    },
    {
        "why": "each of two opponents has two counters to pay to two allies",
        "leaves": ("payments.allies_paid",),
        "but": {"payments.matadors.three": 2},
        "hands": ("SA S2 CA SK SQ SJ S7 S6 S5 H7", "", "HK"),
        "wishes": ("bid alliance", "pass", "trump spades", "call HK", "claim", "no"),
    },
)
