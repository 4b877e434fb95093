"""What the kernel remembers of a deal while it is played: where everything stands in its arrays.

``D`` (int64) holds numbers, ``H`` (uint64) sets of cards, ``E`` (int64) the events as they happen.  Hands stand in the
home order until trumps are known, then under the trump (see ``tables.play``).
"""

# --- D
(
    POOL, FAVOURITE, TIMES, BEASTS, HOMBRE, SPEC, BID, TRUMP, FORCED, CALLED, HOLDER, ALLY, SURRENDERED, GIVEN, PUBLIC,
    INVITED, VOLE, MADE_PREMIERS, ASKED, REDEALT, STRAIGHT, LEADER, TRICKS_DONE, HELD, HELD_AGAINST, HOMBRE_VOID,
    CLEARED, EVENT, EVENT_END, BLOCKED,
) = range(30)  # fmt: skip
"""BID is where the bid's block begins in RULES.  CLEARED counts the seats that could not follow the called suit, told
in order after it (ORDER_CLEARED).  BLOCKED: the deal cannot be told here, and the readable engine must play it."""
WON = 30
ORDER_CLEARED = 35
STANDING, STANDING_SPEC, OUT, RESTING, LAST = 40, 41, 42, 43, 44
SPOKEN = 49
BANK = 50
"""What each chair holds."""
NAMED = 55
"""Trumps that the standing bid named unasked: the suit and 1, or 0."""
HAND = 56
"""What is known of each hand while bids are made: HAND_SIZE numbers for each seat."""
SCORED, SCORE, MATADORS_KNOWN, HAND_SIZE = 0, 1, 31, 36
"""SCORED has a bit for each way of playing and trump whose score stands in SCORE + 5 * way + trump, and one above them
when MATADORS_KNOWN tells the matadors under each trump."""
SIZE = HAND + 5 * HAND_SIZE

# --- H
HANDS, DEALT, TRICK = 0, 5, 10
PACK, PLAYED, CALLED_BIT = 15, 16, 17
STREAMS = 18
"""The state of each seat's stream of randomness, where the player draws."""
WORDS = 23

TRUMPS = 0xFFF000000000000
"""The lane of trumps."""
SPADILLE_HOME, BASTO_HOME = 1 << 9, 1 << 33
