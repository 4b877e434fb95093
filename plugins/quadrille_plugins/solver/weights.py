"""Weights of the features by which the solver orders moves, by the mover's side: of one, of two
whose tricks are counted, of three and more, and of two against whom they are counted.

Tuned for few nodes on standard deals of ten cards; they decide how long a search takes, never what
it finds.  LT: to lead a trump; LP: a plain suit; LR: a plain suit that an adversary ruffs; F: to
follow; D: to discard.
"""

from typing import Final

import numpy as np

# fmt: off
NAMES: Final = (
    "LT_CLEAR_SHARED", "LT_CLEAR", "LT_TOP", "LT_TOP_RANK", "LT_TOP_OPPLEN", "LT_PTOP",
    "LT_PTOP_RANK", "LT_PTOP_LEN", "LT_LOW", "LT_LOW_RANK", "LT_LOW_LEN", "LT_LOW_OPPLEN",
    "LP_TOP", "LP_TOP_RANK", "LP_TOP_LEN", "LP_TOP_OPPLEN", "LP_PTOP", "LP_PTOP_RANK",
    "LP_PTOP_LEN", "LP_PRUFF", "LP_PRUFF_RANK", "LP_LOW", "LP_LOW_RANK", "LP_LOW_LEN",
    "LP_LOW_NEXT", "LP_LOW_LAST", "LR_TOP", "LR_TOP_RANK", "LR_TOP_LEN", "LR_LOW", "LR_LOW_RANK",
    "LR_LOW_LEN", "LR_LOW_PRUFF", "LR_NEXT", "LR_COUNT", "LT_TOP_LEN", "LP_TOP_PLEN",
    "LP_LOW_PLEN", "LP_LOW_OPPLEN", "LP_LOW_SPREAD", "LP_SINGLE", "F_SAFE_WIN", "F_SAFE_WIN_RANK",
    "F_WIN", "F_WIN_RANK", "F_WIN_HELP", "F_WIN_HELP_RANK", "F_WIN_OURS", "F_WIN_OURS_RANK",
    "F_WIN_TRY", "F_WIN_TRY_RANK", "F_LOSE_SAFE", "F_LOSE_HELP", "F_LOSE", "F_LOSE_RANK",
    "F_LOSE_RUFF", "D_LEN", "D_WINNER", "D_SINGLE", "D_GUARD2", "D_GUARD", "F_RUFF_WIN",
)
WEIGHTS: Final = np.array(
    [
        (
            91, -3, 341, 0, 2, 248, 98, -30, -93, -14, -59, 15, 428, -11, -114, 34, 172, 12, -74,
            402, 0, 84, 2, 22, -10, 115, -23, -12, 40, 12, 33, -64, 52, -56, -126, 0, -103, -40,
            -6, 9, 38, 128, 70, 389, 3, 185, -3, 52, -132, 150, 21, 277, 93, -25, 7, 349, -1, 94,
            101, -13, -17, -60,
        ),
        (
            1, -3, 198, -3, 12, 270, 9, -17, -82, -2, -40, 32, 331, 12, -38, 17, 365, 6, 32, 329,
            -2, 78, -6, -8, -13, 41, 36, -4, 20, 23, -12, -19, 39, -55, -96, -16, 66, -2, -15, 44,
            38, 14, 149, 387, 6, 38, 9, 10, -14, 138, -2, 123, 282, 43, 9, 268, -6, 139, 125, 12,
            7, -175,
        ),
        (
            -54, -15, 261, -5, -96, 173, 29, -11, -96, 110, -80, -118, 351, 8, -159, 114, 292, 7,
            8, 254, -44, 103, 2, -3, -85, -2, -46, 2, 20, 17, -16, -14, -51, -65, -66, 1, 13, 0,
            -22, -6, 72, 127, 38, 239, 2, 71, -21, 47, -1, 150, 17, 311, 225, 46, 11, 345, 3, -16,
            60, 55, -117, -64,
        ),
        (
            21, -3, 180, -7, -6, 79, 21, -14, -90, -2, -52, 10, 536, 43, -23, 22, 340, 2, 45, 426,
            14, 158, -6, 10, -36, 29, 13, -8, 16, 39, -4, -14, 3, -58, -138, 4, 31, 2, 9, 31, 35,
            33, 149, 399, 4, 64, 21, 4, -1, 134, 13, 276, 141, 106, 25, 423, 0, 126, 58, 2, 3,
            -157,
        ),
    ],
    dtype=[(name, np.int64) for name in NAMES],
)
# fmt: on
