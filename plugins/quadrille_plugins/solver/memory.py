"""The solver's memory: one block of 64-bit words, reached by its address, and the table of what is
proven.

A *pattern* says who holds the cards that mattered, counted down each suit among the cards still in
play, and between how many tricks Hombre's side then makes.  Patterns are kept by *class*: the
lengths of all suits in all hands, who leads, and who holds the trumps that differ in the duty to
follow (``kernel.lanes.SPECIAL``).  One pattern covers every deal of the rest that agrees with it,
which is what makes the search short (*partition search*, Ginsberg 1996).
"""

from typing import Final

from numba import int64, types

from quadrille_plugins.kernel.bits import ALL_BITS, ONE, ZERO, U, count, load, pext, popcount, store
from quadrille_plugins.kernel.compiled import compiled
from quadrille_plugins.kernel.lanes import NESTED, SPECIAL, TRUMP_LOW, WIDTH

i8, u8 = types.int64, types.uint64

# Words of the block: 0 to 4 the hands, the fifth empty where four play.
HANDS: Final = 5
SEATS: Final = 5
SIDE: Final = 6
"""Mask of the players whose tricks are counted."""
FEWEST: Final = 7
"""1 where that side wants as few tricks as it can."""
NODES: Final = 8
GENERATION: Final = 9
"""Slots of an earlier generation count as empty."""
PATTERNS_USED: Final = 10
SLOTS_USED: Final = 11
SLOTS_AT: Final = 12
"""The word where the slots now in use begin."""
SLOT_BITS: Final = 13
"""The logarithm of their number."""
ROW: Final = 16
"""The row of ``kernel.lanes``."""
MOVES: Final = ROW + WIDTH
MOVES_EACH: Final = 10
"""Words for the scores of the moves of a ply."""
SLOTS: Final = MOVES + 41 * MOVES_EACH + 6
"""Slots of four words: three of the class, then generation << 32 | first pattern.  (The 6 aligns
them.)

There are few at first, to stay near the processor, and four times as many whenever they are used
up.
"""
FEW_BITS: Final = 11
MOST_BITS: Final = 15
PATTERNS: Final = SLOTS + 4 * sum(1 << bits for bits in range(FEW_BITS, MOST_BITS + 1, 2))
"""Patterns of four words: owners bit 0 | next << 40, owners bit 1 | least << 40 | most << 44 | best
card << 48, owners bit 2, and the mask of the cards that matter."""
PATTERNS_MOST: Final = 1 << 18
WORDS: Final = PATTERNS + 4 * PATTERNS_MOST

YES: Final = U(1 << 63)
LOW32: Final = U((1 << 32) - 1)
LOW40: Final = U((1 << 40) - 1)
NO_CARD: Final = U(255)
LANE_LOWS: Final = U(0x1001001001001)
LANE_TOPS: Final = U(0x800800800800800)
NIBBLES: Final = U(0x00F00F00F00F00F)


def helper(signature):
    """Compile for inner use: one signature, no way in from Python, kept between runs."""
    return compiled(signature, no_cpython_wrapper=True, cache=True)


def inlined(signature):
    """``helper``, but written into every caller."""
    return compiled(signature, no_cpython_wrapper=True, cache=True, forceinline=True)


@inlined(u8(u8))
def close_up(cards):
    """From the lowest of the cards of each lane up to the lane's top."""
    tops = (((cards & ~LANE_TOPS) + (LANE_TOPS - LANE_LOWS)) | cards) & LANE_TOPS
    lows = tops >> U(11)
    return ((lows << U(12)) - lows) & ~((cards - lows) & ~cards)


@inlined(u8(u8))
def lengths(hand):
    """The number of cards in each lane, in the lane's lowest four bits."""
    x = hand - ((hand >> ONE) & U(0x555555555555555))
    x = (x & U(0x333333333333333)) + ((x >> U(2)) & U(0x333333333333333))
    return (x + (x >> U(4)) + (x >> U(8))) & NIBBLES


@inlined(types.UniTuple(u8, 3)(i8, i8, u8))
def class_of(w, leader, live):
    """The class of a position at the start of a trick, with the cards ``live`` in hand."""
    h0, h1, h2, h3, h4 = (
        load(w, int64(0)),
        load(w, int64(1)),
        load(w, int64(2)),
        load(w, int64(3)),
        load(w, int64(4)),
    )
    k0 = lengths(h0) | lengths(h1) << U(4) | lengths(h2) << U(8) | U(leader) << U(60)
    k1 = lengths(h3) | lengths(h4) << U(4)
    special = load(w, ROW + SPECIAL)
    left = special & live
    k2 = pext(h1 | h3, left) | pext(h2 | h3, left) << U(12) | pext(h4, left) << U(24)
    if load(w, ROW + NESTED):
        k2 |= popcount(left) << U(36)
    else:
        k2 |= (left >> U(TRUMP_LOW)) << U(36) | pext(left, live & (ALL_BITS << U(TRUMP_LOW))) << U(
            48
        )
    return k0, k1, k2


@inlined(i8(i8, u8, u8, u8))
def place_of(w, k0, k1, k2):
    """The word where the search for a class begins."""
    x = (k0 ^ (k0 >> U(29))) * U(0xBF58476D1CE4E5B9) + (k1 ^ k2 * U(0x9E3779B97F4A7C15)) * U(
        0x94D049BB133111EB
    )
    x = (x ^ (x >> U(32))) * U(0x9E3779B97F4A7C15)
    return int64(load(w, int64(SLOTS_AT)) + ((x >> (U(64) - load(w, int64(SLOT_BITS)))) << U(2)))


@helper(types.void(i8))
def grow(w):
    """Take four times as many slots, and put into them what the slots so far hold."""
    generation = load(w, int64(GENERATION))
    bits = load(w, int64(SLOT_BITS))
    old = int64(load(w, int64(SLOTS_AT)))
    new = old + int64(U(4) << bits)
    end = new + int64(U(16) << bits)
    store(w, int64(SLOTS_AT), U(new))
    store(w, int64(SLOT_BITS), bits + U(2))
    for a in range(old, new, 4):
        if load(w, a + 3) >> U(32) == generation:
            b = place_of(w, load(w, a), load(w, a + 1), load(w, a + 2))
            while load(w, b + 3) >> U(32) == generation:
                b = b + 4 if b + 4 < end else new
            for i in range(4):
                store(w, b + i, load(w, a + i))


@helper(i8(i8, u8, u8, u8))
def new_slot(w, k0, k1, k2):
    """A slot for a class that has none; 0 if no room is left."""
    used = int64(load(w, int64(SLOTS_USED)))
    bits = int64(load(w, int64(SLOT_BITS)))
    if used * 4 >= 3 << bits:  # three quarters are taken
        if bits >= MOST_BITS:
            return int64(0)
        grow(w)
    generation = load(w, int64(GENERATION))
    start = int64(load(w, int64(SLOTS_AT)))
    end = start + int64(U(4) << load(w, int64(SLOT_BITS)))
    a = place_of(w, k0, k1, k2)
    while load(w, a + 3) >> U(32) == generation:
        a = a + 4 if a + 4 < end else start
    store(w, int64(SLOTS_USED), U(used + 1))
    store(w, a, k0)
    store(w, a + 1, k1)
    store(w, a + 2, k2)
    store(w, a + 3, generation << U(32))
    return a


@inlined(i8(i8, i8, u8, u8, u8))
def find_slot(w, a, k0, k1, k2):
    """The slot of a class, probing from word ``a``, taken if new; 0 if new and the table is
    full."""
    generation = load(w, int64(GENERATION))
    start = int64(load(w, int64(SLOTS_AT)))
    end = start + int64(U(4) << load(w, int64(SLOT_BITS)))
    while load(w, a + 3) >> U(32) == generation:
        if ((load(w, a) ^ k0) | (load(w, a + 1) ^ k1) | (load(w, a + 2) ^ k2)) == ZERO:
            return a
        a = a + 4 if a + 4 < end else start
    return new_slot(w, k0, k1, k2)


@inlined(types.Tuple((i8, u8, u8))(i8, i8, u8, u8, u8, i8))
def look_up(w, slot, own0, own1, own2, need):
    """Address of a pattern that decides (0 if none does), its answer, and the best card
    remembered."""
    best = NO_CARD
    hint = NO_CARD
    e = int64(load(w, slot + 3) & LOW32)
    while e:
        a = PATTERNS + 4 * e
        x0 = load(w, a)
        x1 = load(w, a + 1)
        if hint == NO_CARD:
            hint = x1 >> U(48)
        if (((own0 ^ x0) | (own1 ^ x1) | (own2 ^ load(w, a + 2))) & load(w, a + 3)) == ZERO:
            if int64((x1 >> U(40)) & U(15)) >= need:
                return a, YES, best
            if int64((x1 >> U(44)) & U(15)) < need:
                return a, ZERO, best
            b = x1 >> U(48)
            if b != NO_CARD:
                best = b
        e = int64(x0 >> U(40))
    return int64(0), ZERO, best if best != NO_CARD else hint


@helper(types.void(i8, i8, u8, u8, u8, u8, i8, i8, types.boolean, u8))
def keep(w, slot, own0, own1, own2, mask, need, left, yes, best):
    """Store what has been proven, unless there is no room for a new pattern."""
    head = int64(load(w, slot + 3) & LOW32)
    e = head
    while e:
        a = PATTERNS + 4 * e
        x0 = load(w, a)
        x1 = load(w, a + 1)
        same = load(w, a + 3) == mask
        if same and (((own0 ^ x0) | (own1 ^ x1) | (own2 ^ load(w, a + 2))) & mask) == ZERO:
            least = int64((x1 >> U(40)) & U(15))
            most = int64((x1 >> U(44)) & U(15))
            if yes:
                least = max(least, need)
            else:
                most = min(most, need - 1)
            b = best if best != NO_CARD else x1 >> U(48)
            store(w, a + 1, (x1 & LOW40) | U(least) << U(40) | U(most) << U(44) | b << U(48))
            return
        e = int64(x0 >> U(40))
    n = int64(load(w, PATTERNS_USED))
    if n >= PATTERNS_MOST:
        return
    least = need if yes else int64(0)
    most = left if yes else need - 1
    a = PATTERNS + 4 * n
    store(w, a, (own0 & mask) | U(head) << U(40))
    store(w, a + 1, (own1 & mask) | U(least) << U(40) | U(most) << U(44) | best << U(48))
    store(w, a + 2, own2 & mask)
    store(w, a + 3, mask)
    store(w, slot + 3, (load(w, slot + 3) & ~LOW32) | U(n))
    store(w, PATTERNS_USED, U(n + 1))


@inlined(i8(i8, i8))
def on_side(w, p):
    """1 if the player's tricks are counted."""
    return int64((load(w, SIDE) >> U(p)) & ONE)


@inlined(i8(i8, i8))
def side_size(w, p):
    """How many play on this player's side."""
    side = load(w, SIDE)
    mine = count(side)
    return mine if (side >> U(p)) & ONE else int64(load(w, SEATS)) - mine
