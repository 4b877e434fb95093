"""How cards are drawn in deals played at random: a stream for each deal, whose words are used up draw by draw.

A word is a fraction of 58 bits.  Drawing one of n multiplies it by n: what is above the point is the draw, and what is
below it the fraction for the next one.  So products stay within a word, which processors multiply several at a time.
Of one word come at most five draws from the pack, or one from each hand: none is biased by more than 2 to the -31.
"""

from typing import Final

from quadrille_plugins.fast.bits import U, mix
from quadrille_plugins.fast.compiled import compiled

GAMMA: Final = U(0x9E3779B97F4A7C15)
PLAY: Final = U(0xA5A5A5A5)
"""What the seed of the plays differs by from that of the deals."""
CARDS: Final = 40
WORD_DRAWS: Final = 5
"""Cards of the pack drawn for from one random word."""
DRAWN: Final = U(58)
LEFT: Final = U((1 << 58) - 1)
SPARE: Final = U(6)
"""Bits by which a random word is longer than a fraction."""


@compiled("uint64(uint64, uint64)", cache=True)
def stream(seed, index):
    """The state with which stream ``index`` of a seed begins; word ``n`` is ``mix(state + n GAMMA)``."""
    return mix(seed + mix(index + GAMMA))
