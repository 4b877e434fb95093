"""Settlement where points are written to the scores of those who won or lost, and to nobody else's.

It does what ``engine.points_case`` does: each item is credited once, to Hombre and as much to the ally; there
is no pool, nor one for the vole.
"""

from quadrille_core.engine.result import SCORE
from quadrille_plugins.fast import words as w
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
    why_vole,
)
from quadrille_plugins.fast.shares import OPTIONS, count, pay, seat_at


@compiled("void(rules, out, int64, int64)", **OPTIONS)
def credit(rules, out, amount, why):
    """Points to Hombre, and as many to the ally, as often as the game counts."""
    side = out.side
    for place in range(count(side)):
        pay(out, SCORE, seat_at(side, place), times_over(rules, out, amount), why)


@compiled("void(rules, out, int64, int64, int64)", **OPTIONS)
def debit(rules, out, seats, amount, why):
    """As many points from each of these, as often as the game counts."""
    for place in range(count(seats)):
        pay(out, seat_at(seats, place), SCORE, times_over(rules, out, amount), why)


@compiled("void(rules, result, out)", **OPTIONS)
def win_points(rules, result, out):
    """The points of the game, and of every item."""
    credit(rules, out, rules.score.won, w.SCORE_WON)
    list_items(rules, result, out)
    for number in range(out.listed):
        kind = out.items[number].kind
        if kept(rules, out, kind) and not lapses(rules, result, out, kind):
            credit(rules, out, out.items[number].amount, out.items[number].why)


@compiled("void(rules, result, out)", **OPTIONS)
def lose_points(rules, result, out):
    """What the lost game and its items cost those who bear it."""
    losers, remise = bearers(rules, result, out), out.outcome == w.OUTCOME.REMISE
    if remise:
        debit(rules, out, losers, rules.score.remise, w.SCORE_REMISE)
    else:
        debit(rules, out, losers, rules.score.codille, w.SCORE_CODILLE)
    listed = rules.loss.remise_pays if remise else rules.loss.codille_pays
    over = 1 if remise else rules.loss.codille_items_times
    list_items(rules, result, out)
    for number in range(out.listed):
        if out.items[number].kind & listed:
            debit(rules, out, losers, over * out.items[number].amount, out.items[number].why)


@compiled("void(rules, result, out, int64, int64)", **OPTIONS)
def write_vole(rules, result, out, amount, why):
    """The vole's points to those who made it, or from those who answer for it."""
    if out.how_vole == w.VOLES.WON:
        credit(rules, out, amount, why)
    elif out.level == w.LEVEL.UNDERTAKEN:
        debit(rules, out, vole_losers(rules, result, out), amount, why)
    else:
        debit(rules, out, bearers(rules, result, out), amount, why)


@compiled("void(rules, result, out)", **OPTIONS)
def settle_points(rules, result, out):
    """Every point that the result causes under the rules."""
    if out.outcome == w.OUTCOME.WON:
        win_points(rules, result, out)
    elif not out.frozen:
        lose_points(rules, result, out)
    if out.level == w.LEVEL.NONE:
        return
    write_vole(rules, result, out, vole_stake(rules, out), why_vole(out, w.VOLE_STAKE, result.bid))
    due = not lapses(rules, result, out, w.PAY.VOLE) if out.how_vole == w.VOLES.WON else failed_premium_due(rules, out)
    if due:
        write_vole(rules, result, out, vole_premium(rules, out), why_vole(out, w.VOLE_PREMIUM, result.bid))
