"""The machine's operations on bits against arithmetic in plain Python."""

import random

import pytest

pytest.importorskip("numba")

import numpy as np
from numba import njit
from quadrille_plugins.kernel import bits

from quadrille_core.stream import mix

BITS = 64
WORDS = (0, 1, 1 << 63, (1 << 64) - 1, *(random.Random(4).getrandbits(64) for _ in range(300)))


@njit("void(uint64, uint64, int64, uint64[::1])")
def operations(x, mask, memory, out):
    out[0] = bits.popcount(x)
    out[1] = bits.count(x)
    out[2] = bits.ctz(x)
    out[3] = bits.lowest(x)
    out[4] = bits.clz(x)
    out[5] = bits.highest(x)
    out[6] = bits.mulhi(x, mask)
    out[7] = bits.pdep(x, mask)
    out[8] = bits.pext(x, mask)
    bits.store(memory, 1, x)
    out[9] = bits.load(memory, 1)


def placed(x, mask):
    """The places that the mask names, lowest first, and the bits of x found there."""
    places = [i for i in range(BITS) if mask >> i & 1]
    return places, sum((x >> p & 1) << i for i, p in enumerate(places))


def test_every_operation_is_what_it_says():
    out, memory = np.zeros(10, np.uint64), np.zeros(2, np.uint64)
    for x, mask in zip(WORDS, reversed(WORDS), strict=True):
        operations(x, mask, memory.ctypes.data, out)
        low, high = (x & -x).bit_length() - 1, x.bit_length() - 1
        places, closed = placed(x, mask)
        spread = sum((x >> i & 1) << p for i, p in enumerate(places))
        got = [int(v) for v in out]
        assert got[:2] == [x.bit_count()] * 2
        assert x == 0 or got[2:6] == [low, low, BITS - 1 - high, high]
        assert got[6:] == [x * mask >> BITS, spread, closed, x]
        assert int(memory[0]) == 0


def test_the_loops_stand_in_where_the_processor_lacks_the_instructions():
    for x, mask in zip(WORDS, reversed(WORDS), strict=True):
        places, closed = placed(x, mask)
        assert int(bits.pext_by_loop(x, mask)) == closed
        assert int(bits.pdep_by_loop(x, mask)) == sum(
            (x >> i & 1) << p for i, p in enumerate(places)
        )


def test_low_high_and_mix():
    for x in WORDS:
        assert int(bits.low_bit(x)) == x & -x
        assert x == 0 or int(bits.high_bit(x)) == 1 << (x.bit_length() - 1)
        assert int(bits.mix(x)) == mix(x)
