"""Randomness as data: a counter-based stream keyed by (seed, session, deal, purpose).

SplitMix64 (Steele, Lea & Flood 2014) over a key mixed from the four numbers.  Draws depend on
nothing but the key and their ordinal, so that a deal is the same whichever worker plays it, in
whatever order, on any machine; and sixty-four-bit integers are all that a compiled engine needs to
draw the same numbers.
"""

from collections.abc import MutableSequence
from enum import IntEnum
from typing import Any, Final

_MASK: Final = 0xFFFFFFFFFFFFFFFF
_GAMMA: Final = 0x9E3779B97F4A7C15


class Purpose(IntEnum):
    """What a stream is for; each purpose draws independently of the others."""

    DEAL = 1
    PACKETS = 2
    FAVOURITE = 3
    PLAY = 4
    READING = 5


def mix(z: int) -> int:
    """The finalizer of SplitMix64."""
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return z ^ (z >> 31)


class Stream:
    """A sequence of 64-bit words determined by its key alone."""

    __slots__ = ("_state",)

    def __init__(self, seed: int, session: int, deal: int, purpose: Purpose) -> None:
        state = 0
        for part in (seed, session, deal, int(purpose)):
            state = mix((state + _GAMMA) & _MASK ^ (part & _MASK))
        self._state = state

    def word(self) -> int:
        """The next 64-bit word."""
        self._state = (self._state + _GAMMA) & _MASK
        return mix(self._state)

    def below(self, bound: int) -> int:
        """A draw from 0 … bound-1, every value equally likely (rejection, so never biased)."""
        limit = _MASK + 1 - (_MASK + 1) % bound
        while True:
            word = self.word()
            if word < limit:
                return word % bound

    def shuffle(self, items: MutableSequence[Any]) -> None:
        """Shuffle in place (Fisher-Yates from the top); every order equally likely."""
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]
