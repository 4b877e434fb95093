"""Streams of randomness: what ``quadrille_core.stream`` defines, on integers."""

from numba import int64

from quadrille_plugins.kernel.bits import ONE, ZERO, U, mix
from quadrille_plugins.kernel.compiled import compiled
from quadrille_plugins.kernel.shares import INLINED, OPTIONS

GAMMA = U(0x9E3779B97F4A7C15)
FOR_DEAL, FOR_FAVOURITE, FOR_PLAY = 1, 3, 4
"""The numbers of ``stream.Purpose``."""


@compiled("uint64(uint64, int64, int64, int64)", **INLINED)
def stream(seed, session, number, purpose):
    """The state of ``stream.Stream`` for this key."""
    state = mix(GAMMA ^ seed)
    state = mix((state + GAMMA) ^ U(session))
    state = mix((state + GAMMA) ^ U(number))
    return mix((state + GAMMA) ^ U(purpose))


@compiled("uint64(uint64)", **INLINED)
def limit(bound):
    """The largest word that is not rejected: below it every value is equally likely."""
    return ~ZERO - (~ZERO % bound + ONE) % bound


@compiled("int64(deal, int64, int64)", **OPTIONS)
def below(deal, seat, bound):
    """A draw from 0 … bound - 1 from the seat's stream, every value equally likely."""
    highest = limit(U(bound))
    while True:
        deal.streams[seat] += GAMMA
        word = mix(deal.streams[seat])
        if word <= highest:
            return int64(word % U(bound))
