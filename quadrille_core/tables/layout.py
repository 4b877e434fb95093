"""Where everything stands in the arrays that the kernel's settlement reads and writes: all are int64.

Amounts are in parts of a counter, ``1 / scale`` each (see ``tables.money``).  Seats count from the eldest hand;
-1 stands where a seat or a suit may be missing.  The accounts that are nobody's have the numbers that
``engine.result`` gives them, and the balances in ``out`` are so placed that ``O_NET + account`` finds each.
"""

from typing import Final

LIMIT: Final = 2**31
"""Amounts from here on are not worked with: what would need one is settled by the readable engine."""

# --- res: a deal's result, as ``engine.result.Result`` has it

R_POOL: Final = 0
R_BID: Final = 1
"""The contract's place in ``rules.bids.rows``."""
R_TRUMP: Final = 2
"""0-3, or 4 where no suit is trumps."""
R_HOMBRE: Final = 3
R_ALLY: Final = 4
R_SURRENDERED: Final = 5
R_MATADORS: Final = 6
R_AGAINST: Final = 7
"""The adversaries' matadors."""
R_PREMIERS: Final = 8
R_VOLE: Final = 9
"""What was said of the vole, one of the levels below."""
R_CLAIMS: Final = 10
"""One bit for each item claimed, in the order of ``PayItem``."""
R_MULT: Final = 11
R_BEASTS: Final = 12
R_FAVOURITE: Final = 13
R_TRICKS: Final = 14
"""And the four places after it: by seat, 0 where nobody sits."""
RES_SIZE: Final = 19

NO_VOLE, UNDERTAKEN, ANNOUNCED, REVEALED = range(4)
PREMIUM, MATADORS, PREMIERS, VOLE = 1, 2, 4, 8
"""The bits of the items, in the order of ``PayItem``."""

# --- out: a settlement, as ``engine.result.Settlement`` has it

O_OUTCOME: Final = 0
O_HOW_VOLE: Final = 1
O_FROZEN: Final = 2
O_BEAST: Final = 3
O_POOL_TAKEN: Final = 4
O_POOL_AFTER: Final = 5
O_INEXACT: Final = 6
"""Not 0: the amounts cannot be told in these parts of a counter, and nothing else here means anything."""
O_WRITTEN: Final = 7
"""Points that have come out of the score, less those that went into it."""
O_UNIT: Final = 8
"""The size of a unit in this deal."""
O_TIMES: Final = 9
"""How many times the game counts, the favourite suit included."""
O_LEVEL: Final = 10
"""How the vole was played for, with bids that announce it of themselves."""
O_TABLE: Final = 11
"""0 where the plain payments apply, 1 where those in favourite do."""
O_NET: Final = 15
"""By seat; before it, from behind, the balances of the pool, the vole's pool and the score."""
O_COUNT: Final = 20
O_TRANSFERS: Final = 21
"""Four numbers for each transfer in turn: source, target, amount, and why (``tables.money.decode``)."""
T_SOURCE, T_TARGET, T_AMOUNT, T_WHY, TRANSFER = range(5)
MOST_TRANSFERS: Final = 160
"""More than any deal can cause: eight items with eight payments at most, the pools, and stakes made good."""
OUT_SIZE: Final = O_TRANSFERS + TRANSFER * MOST_TRANSFERS

WON, REMISE, CODILLE = range(3)
VOLE_WON, VOLE_LOST = 1, 2
"""What became of the vole; 0 where none was played for."""
POOL, VOLE_POOL, SCORE = -1, -2, -3

# --- c: what one deal leaves to the next, as ``engine.carry.Carry`` has it

C_POOL: Final = 0
C_LOSSES: Final = 1
C_STANDING: Final = 2
C_WAITS: Final = 3
"""How many beasts wait."""
C_WAIT: Final = 4
"""The beasts that wait, the largest first."""
MOST_WAITING: Final = 1024
CARRY_SIZE: Final = C_WAIT + MOST_WAITING
