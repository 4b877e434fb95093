"""What the kernel says of the deals and sessions it has played: where everything stands in its answers (all int64)."""

from quadrille_plugins.fast import layout as money

# --- a deal
(
    EVENTS_AT, EVENTS, TRANSFERS_AT, TRANSFERS, POOL, TIMES, BEASTS, FAVOURITE, OUTCOME, BID, HOW_VOLE, HOMBRE, ALLY,
    POOL_AFTER, FIRST_TRUMPS, LYING, WAITING,
) = range(17)  # fmt: skip
"""EVENTS_AT and TRANSFERS_AT: where they begin in the tape.  OUTCOME is REDEALT where all passed; BID is the contract's
place in the rules.  The last three are known before the deal: the trumps of the session's first deal that had any (-1
before it), the beasts that nobody has won yet, counted whether or not the rules count them, and those put apart."""
NET = 17
MOVED = NET + 5
"""What the pool, the vole's pool and the score got by the settlement, less what they gave."""
DEAL_SIZE = MOVED + 3
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
ACCOUNTS = ROLES + 3
"""The antes of deals that were redealt and of those that were played, as players lose them; then what the pool (antes
included), the vole's pool and the score got, less what they gave."""
ROLE_COUNTS = ACCOUNTS + 5
COLUMNS = slice(SEATS, ROLE_COUNTS)
"""The columns of ``study.accounts``, with five seats."""
SQUARES = ROLE_COUNTS + 3
"""Sums of squares of the seats and then the roles, each as its low 31 bits and the rest."""
ENDINGS = SQUARES + 16
"""Deals by outcome and bid: won, remise and codille for each bid, then those redealt."""


def session_size(bids: int) -> int:
    """How many numbers a session's sums have where there are so many bids."""
    return ENDINGS + 3 * bids + 1


# --- standings that another rule set cannot hold
LOST_TIMES, LOST_BEASTS, LOST_WAITING, LOST_ANY, LOST = range(5)
"""Deals that count several times, that have beasts, or beasts put apart, where the other rules do not know of them."""

# --- how two plays of the same cards part
SAME, AT_AUCTION, AT_PLAY, AT_SETTLEMENT = range(4)
