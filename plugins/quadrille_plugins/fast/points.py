"""Settlement where points are written to the scores of those who won or lost, and to nobody else's.

It does what ``engine.points_case`` does: each item is credited once, to Hombre and as much to the ally; there
is no pool, nor one for the vole.
"""

from quadrille_plugins.fast import layout as at
from quadrille_plugins.fast.compiled import compiled
from quadrille_plugins.fast.items import (
    bearers,
    failed_premium_due,
    kept,
    lapses,
    list_items,
    times_over,
    vole_losers,
    vole_premium,
    vole_stake,
    why_of,
)
from quadrille_plugins.fast.shares import OPTIONS, count, pay, seat_at


@compiled("void(int64[::1], int64[::1], int64, int64)", **OPTIONS)
def credit(money, out, amount, why):
    """Points to Hombre, and as many to the ally, as often as the game counts."""
    side = out[at.O_SIDE]
    for place in range(count(side)):
        pay(out, at.SCORE, seat_at(side, place), times_over(money, out, amount), why)


@compiled("void(int64[::1], int64[::1], int64, int64, int64)", **OPTIONS)
def debit(money, out, seats, amount, why):
    """As many points from each of these, as often as the game counts."""
    for place in range(count(seats)):
        pay(out, seat_at(seats, place), at.SCORE, times_over(money, out, amount), why)


@compiled("void(int64[::1], int64[::1], int64[::1])", **OPTIONS)
def win_points(money, res, out):
    """The points of the game, and of every item."""
    credit(money, out, money[at.M_SCORE_WON], at.W_SCORE_WON)
    list_items(money, res, out)
    for number in range(out[at.O_LISTED]):
        place = at.O_ITEMS + at.ITEM * number
        kind = out[place + at.I_KIND]
        if kept(money, out, kind) and not lapses(money, res, out, kind):
            credit(money, out, out[place + at.I_AMOUNT], out[place + at.I_WHY])


@compiled("void(int64[::1], int64[::1], int64[::1])", **OPTIONS)
def lose_points(money, res, out):
    """What the lost game and its items cost those who bear it."""
    losers, remise = bearers(money, res, out), out[at.O_OUTCOME] == at.REMISE
    if remise:
        debit(money, out, losers, money[at.M_SCORE_REMISE], at.W_SCORE_REMISE)
    else:
        debit(money, out, losers, money[at.M_SCORE_CODILLE], at.W_SCORE_CODILLE)
    listed, over = money[at.M_REMISE_PAYS if remise else at.M_CODILLE_PAYS], 1 if remise else money[at.M_CODILLE_TIMES]
    list_items(money, res, out)
    for number in range(out[at.O_LISTED]):
        place = at.O_ITEMS + at.ITEM * number
        if out[place + at.I_KIND] & listed:
            debit(money, out, losers, over * out[place + at.I_AMOUNT], out[place + at.I_WHY])


@compiled("void(int64[::1], int64[::1], int64[::1], int64, int64)", **OPTIONS)
def write_vole(money, res, out, amount, why):
    """The vole's points to those who made it, or from those who answer for it."""
    if out[at.O_HOW_VOLE] == at.VOLE_WON:
        credit(money, out, amount, why)
    elif out[at.O_LEVEL] == at.UNDERTAKEN:
        debit(money, out, vole_losers(money, res, out), amount, why)
    else:
        debit(money, out, bearers(money, res, out), amount, why)


@compiled("void(int64[::1], int64[::1], int64[::1])", **OPTIONS)
def settle_points(money, res, out):
    """Every point that the result causes under the rules."""
    if out[at.O_OUTCOME] == at.WON:
        win_points(money, res, out)
    elif not out[at.O_FROZEN]:
        lose_points(money, res, out)
    if out[at.O_LEVEL] == at.NO_VOLE:
        return
    write_vole(money, res, out, vole_stake(money, out), why_of(out, at.W_VOLE_STAKE, res[at.R_BID]))
    due = not lapses(money, res, out, at.VOLE) if out[at.O_HOW_VOLE] == at.VOLE_WON else failed_premium_due(money, out)
    if due:
        write_vole(money, res, out, vole_premium(money, out), why_of(out, at.W_VOLE_PREMIUM, res[at.R_BID]))
