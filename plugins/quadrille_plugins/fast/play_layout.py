"""Where the rules of a deal stand in the kernel's arrays: one number for each field.

``RULES`` (int64) holds the head below, then a block of ``BID_SIZE`` for each bid in the profile's order, then a
block of ``SPEC_SIZE`` for each way a bid can be spoken, lowest first, the forced bid's last.  ``ORDER`` (uint64)
holds a block of ``ORDER_SIZE`` for each trump, the last where there is none.
Words of a choice are numbered in the order of ``rules``.
"""

# --- RULES: the head
(
    PLAYERS, HAND, BIDS, SPECS, LADDER, FIRST_LEAD_HOMBRE, CLAIM_WON, PREMIERS_TRICKS, PREMIERS_CLAIM,
    MAY_DECLARE, KNOWN_BEFOREHAND, ALONE_DECIDES, ELDER, FORCED_SPEC, RETURNS_WITH, SOLO, FAVOURITE_SOURCE,
    FAVOURITE_SUIT, BY_PLAYED, AMONG, MATADORS_DEALT, MATADORS_SIDE, AGAINST_PAID, FOUR_IN_BLACK,
    PREMIERS_BY_HOMBRE, ANTE, ANTE_BY_DEALER, PURSE, ENDS_WHEN_EMPTY, COUNTS_LOSSES, COUNTS_BEASTS, POOL_STEP,
    BIDS_AT, SPECS_AT, FIRST_SPEC, SCALE, UNASKED, HEAD,
) = (*range(37), 40)  # fmt: skip
"""LADDER counts the specs that are made in turn, FIRST_SPEC is the lowest bid's plainest.  ANTE, PURSE and POOL_STEP
(the basic stake) are multiples of ``1 / SCALE`` counters.  UNASKED are the specs that naming trumps unasked stands for,
-1 for none: the solo, the same in favourite, the alliance, the same in favourite."""

# --- RULES: a bid
(
    MADE_IN_TURN, FORCED_ON, CLOSES, NEEDS, SHOWS, GOAL, TRICKS, NO_TRUMPS, TRUMP_BY, TRUMP_WHEN, CALLED, AT_ONCE,
    EXCHANGE, QUEEN_WHEN, OWN_CARD, TRUMP_CALL, MAY_BECOME, FALLBACK, PAYS_PREMIERS, MAY_UNDERTAKE, IS_VOLE,
    ENDS_WHEN_LOST, CLAIMED, NAME, NEEDS_NAME, BINDS, MAY_ANNOUNCE, BID_SIZE,
) = range(28)  # fmt: skip
"""NEEDS is a mask in the home order; NAME and NEEDS_NAME are numbers common to all rule sets of a comparison."""

# --- RULES: a bid as it is spoken
SPEC_BID, SPEC_FAVOURITE, SPEC_VOLE, SPEC_LEVEL, SPEC_SIZE = range(5)
"""Equal levels neither overcall the other."""

# --- the words of choices
BY_PRIORITY, TO_SOLO, IF_FORCED, ONLY_HIGHER, NEVER_AGAIN = range(5)
AT_LEAST, ALL, NONE = range(3)
BY_HOMBRE, BY_ALLY, BY_EITHER = range(3)
BEFORE_CALL, AFTER_CALL, AFTER_EXCHANGE = range(3)
QUEEN_NEVER, QUEEN_FOUR_KINGS, QUEEN_PLAIN_KINGS, QUEEN_ALWAYS = range(4)
OWN_NEVER, OWN_FOUR_KINGS, OWN_ALWAYS = range(3)
CALL_BARRED, CALL_KINGS, CALL_ANY = range(3)
FALL_TRUMP_KING, FALL_QUEEN, FALL_OWN_KING = range(3)
ANY_TRUMP, ALTERNATIVE_EXCUSES, INFERIOR_ONLY = range(3)
SHOWS_NOTHING, SHOWS_WITH_BID, SHOWS_AFTER = range(3)
FAVOURITE_NONE, FAVOURITE_FIXED, FAVOURITE_FIRST, FAVOURITE_SESSION, FAVOURITE_DEAL = range(5)
ALONE, ALLY, BLIND, BARE, AVOIDING = range(5)
"""The ways of playing that ``steady`` values, in the order of ``steady_features.MODES``."""

# --- STEADY: what ``steady`` has measured, and how she plays each bid
FEATURES, BUCKETS, MOST_TRICKS = 18, 24, 10
WEIGHTS = 0
SHARES = WEIGHTS + 5 * FEATURES
"""For each way of playing and bucket of hands, in thousandths, how often each number of tricks is made."""
PREMIERS_OF_16 = SHARES + 5 * BUCKETS * (MOST_TRICKS + 1)
TYPICAL = PREMIERS_OF_16 + MOST_TRICKS + 1
FORCED_BUCKET = TYPICAL + 5
MODES = FORCED_BUCKET + 1
"""The way of playing of each bid."""

# --- ORDER: a trump
BIT_OF, CARD_AT, OBLIGING, TRUMP_LANE, PLAIN_MASK, PRIVILEGED, MATADORS, STRENGTH_OFF, BASTO_SHIFT, FIRST_RED = (
    0, 40, 104, 168, 1192, 1193, 1194, 1195, 1196, 1197,
)  # fmt: skip
ORDER_SIZE = 2221
"""BIT_OF: each card of the pack as a bit of the lanes.  CARD_AT: the card at each bit.  OBLIGING: the trumps that may
not be withheld after the card at each bit.  TRUMP_LANE: for each holding in the trump suit's home lane, its trumps.
FIRST_RED: for each holding in a plain red lane, the place of the card that comes first in the pack."""
