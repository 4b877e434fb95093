"""What the kernel says of the deals and sessions it has played: where everything stands in its answers (all int64)."""

from quadrille_core.tables import layout as money

# --- a deal
(
    EVENTS_AT, EVENTS, TRANSFERS_AT, TRANSFERS, POOL, TIMES, BEASTS, FAVOURITE, OUTCOME, BID, HOW_VOLE, HOMBRE, ALLY,
    POOL_AFTER,
) = range(14)  # fmt: skip
"""EVENTS_AT and TRANSFERS_AT: where they begin in the tape.  OUTCOME is REDEALT where all passed; BID is the contract's
place in the rules."""
NET = 14
DEAL_SIZE = NET + 5
REDEALT = 3

MOST_EVENTS = 256
TAPE_OF_DEAL = MOST_EVENTS + money.TRANSFER * money.MOST_TRANSFERS
"""Room on the tape that a deal never exceeds."""

# --- a session's sums under one rule set
DEALS, POOL_BEFORE, BLOCKED, VOLES_WON, VOLES_LOST = range(5)
"""BLOCKED: the session was not told exactly, and nothing else said of it means anything."""
SEATS = 5
"""What each seat's counters moved by, antes included."""
ROLES = SEATS + 5
"""What Hombre, the ally and the adversaries were paid."""
ROLE_COUNTS = ROLES + 3
SQUARES = ROLE_COUNTS + 3
"""Sums of squares of the seats and then the roles, each as its low 31 bits and the rest."""
ENDINGS = SQUARES + 16
"""Deals by outcome and bid: won, remise and codille for each bid, then those redealt."""


def session_size(bids: int) -> int:
    """How many numbers a session's sums have where there are so many bids."""
    return ENDINGS + 3 * bids + 1


# --- how two plays of the same cards part
SAME, AT_AUCTION, AT_PLAY, AT_SETTLEMENT = range(4)
