"""Where everything stands in the arrays that the kernel's settlement reads and writes: all are int64, in one row.

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
MOST_TRANSFERS: Final = 120
"""More than any deal can cause: eight items with six payments at most, the pools, and stakes raised or made good."""
O_BLOCK: Final = O_TRANSFERS + TRANSFER * MOST_TRANSFERS
"""From here on the kernel's own notes: where the bid's block stands in M, who is on which side, what is paid for."""
O_SIDE: Final = O_BLOCK + 1
O_ADVERSARIES: Final = O_BLOCK + 2
O_LISTED: Final = O_BLOCK + 3
O_STAKE: Final = O_BLOCK + 4
"""What the pool holds when the game is won or lost."""
O_ITEMS: Final = O_BLOCK + 5
I_KIND, I_AMOUNT, I_WHY, ITEM = range(4)
MOST_ITEMS: Final = 6
OUT_SIZE: Final = O_ITEMS + ITEM * MOST_ITEMS

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

# --- M: all that the rules say of payments (``tables.money.tabulate``); each place is named for its leaf

M_SCALE: Final = 0
M_UNFIT: Final = 1
"""Not 0: an amount of these rules is no whole number of parts, or too large, so that nothing can be settled by M."""
M_PLAYERS: Final = 2
M_HAND_CARDS: Final = 3
M_BASIC_STAKE: Final = 4
M_UNIT_OF_STAKE: Final = 5
M_UNIT_TOP: Final = 6
M_UNIT_BOTTOM: Final = 7
"""A unit is so many times the stake, or the counter, through so many."""
M_UNIT_ROUNDING: Final = 8
M_ODD_COUNTERS: Final = 9
M_PARTS: Final = 10
"""What every amount of the tables has been multiplied by, so as to be whole."""
M_VOLE_IN_UNITS: Final = 11
M_UNDERTAKEN_PREMIUM: Final = 12
M_UNDERTAKEN_ONCE: Final = 13
M_UNDERTAKEN_KEEPS: Final = 14
M_ANNOUNCED_FROZEN: Final = 15
M_ANNOUNCED_PREMIUM: Final = 16
M_BELOW_GAME_REMISE: Final = 17
M_FAVOURITE_DOUBLES: Final = 18
"""Whether the favourite suit doubles the whole game."""
M_FAVOURITE_TABLE: Final = 19
"""Whether it has amounts of its own."""
M_ALLIES_PAID: Final = 20
M_POOL_TO_ALLIES: Final = 21
M_ADVERSARIES_MATADORS: Final = 22
M_CUMULATIVE: Final = 23
M_GIVER_PAYS: Final = 24
M_GIVER_RECEIVES: Final = 25
M_REMISE_SHORT: Final = 26
M_REMISE_ADDS: Final = 27
M_CODILLE_ADDS: Final = 28
M_CODILLE_SHARED: Final = 29
M_SHARED_FROM: Final = 30
"""The least pool that the adversaries share."""
M_INDIVISIBLE_STAYS: Final = 31
M_BASE_TAKEN: Final = 32
M_BEASTS_WAIT: Final = 33
M_BEAST_SIZE: Final = 34
M_BEAST_FIRST: Final = 35
M_COUNTS_BEASTS: Final = 36
M_REMISE_PAYS: Final = 37
M_CODILLE_PAYS: Final = 38
M_CODILLE_TIMES: Final = 39
M_LOSSES_COUNTED: Final = 40
M_ADDS_TO_POOL: Final = 41
M_STAKE: Final = 42
"""What becomes of the stake of a game that counts several times."""
M_POINTS: Final = 43
M_SCORE_WON: Final = 44
M_SCORE_REMISE: Final = 45
M_SCORE_CODILLE: Final = 46
M_MOST_MATADORS: Final = 47
"""How many count, by trump: five places."""
M_LOST_AS_RECEIVED: Final = 52
M_VOLE_BORNE_AS_GAME: Final = 53
M_ODD_HALF_BY_TURNS: Final = 54
M_TABLE: Final = 55
"""The amounts that are alike for every bid: three matadors, four, premiers; plain, then in favourite."""
P_THREE, P_FOUR, P_PREMIERS, TABLE = range(4)
M_BIDS: Final = M_TABLE + 2 * TABLE
"""A block for each bid, in the order of ``rules.bids.rows``."""

B_GOAL: Final = 0
B_TRICKS: Final = 1
B_IS_VOLE: Final = 2
B_CALLED: Final = 3
"""Whether it is played with an ally."""
B_MATADORS: Final = 4
B_LOST_AS_REMISE: Final = 5
B_LOSS_BORNE: Final = 6
B_PENALTY_AS_BORNE: Final = 7
B_HOMBRE_LEAST: Final = 8
B_CLAIMED: Final = 9
B_ALONE: Final = 10
"""The bid whose premium it earns when it is played alone with a card of one's own."""
B_AMOUNTS: Final = 11
"""The premium, and the vole's premium and stake by level; plain, then in favourite."""
A_PREMIUM, A_VOLE_PREMIUM, A_VOLE_STAKE, AMOUNTS = 0, 0, 3, 7
"""A level is added to the vole's, so that undertaken, the first, comes after the premium."""
BID: Final = B_AMOUNTS + 2 * AMOUNTS

# --- words of the vocabulary that are numbers in M

EXACT, TO_HOMBRE, TO_ELDEST, TO_POOL = range(4)
"""``stakes.odd_counters``."""
UNROUNDED, DOWN, UP, NEAREST = range(4)
GOAL_NONE, GOAL_AT_LEAST, GOAL_ALL = range(3)
MATADORS_NONE, MATADORS_DOUBLE_ONLY, MATADORS_ALL = range(3)
BY_HOMBRE, SHARED, SHARED_IF_MADE = range(3)
ONE_TO_ONE, EACH_EACH, ALL_TO_HOMBRE, HALVED = range(4)
"""``payments.allies_paid``."""
NOT_PAID, TO_HOLDERS, TO_WINNERS = range(3)
OF_POOL, DOUBLING, BY_FIRSTS = range(3)
STAKE_SINGLE, STAKE_PENALTY, STAKE_RAISED, STAKE_MADE_GOOD = range(4)
"""``multiplier.stake``."""

# --- why a transfer is made: one of these, and for amounts that stand in a table also which table, level and bid

W_POOL_TO, W_ODD, W_REMISE_ADDS, W_CODILLE_ADDS, W_BEAST_SIZE, W_STAKE, W_CODILLE_POOL = range(7)
W_SCORE_WON, W_SCORE_REMISE, W_SCORE_CODILLE = range(7, 10)
W_PREMIUM, W_THREE, W_FOUR, W_PREMIERS, W_VOLE_STAKE, W_VOLE_PREMIUM = range(10, 16)
WHY_TABLE: Final = 4
"""The bit that tells the table in favourite; below it stands the word."""
WHY_LEVEL: Final = 5
WHY_BID: Final = 7
