"""Settlement as the kernel makes it: ``engine.settle`` on integers, its transfers in the same order.

``money`` is ``tables.money.tabulate``, ``res`` a deal's result and ``out`` the settlement, as ``tables.layout`` says.
Reasons are not spelled here: what a transfer is for, its last number tells.  Why each thing is settled as it is, the
readable engine says.
"""

from quadrille_plugins.fast import layout as at
from quadrille_plugins.fast.compiled import compiled
from quadrille_plugins.fast.items import (
    bearers,
    begin,
    failed_premium_due,
    kept,
    lapses,
    list_items,
    list_matadors,
    times_over,
    vole_losers,
    vole_premium,
    vole_stake,
    why_of,
)
from quadrille_plugins.fast.points import settle_points
from quadrille_plugins.fast.shares import (
    OPTIONS,
    bounded,
    count,
    divide,
    halves,
    joined,
    next_odd,
    odd_of,
    pay,
    place_of,
    seat_at,
    share,
)

MOST_DOUBLINGS = 30
ANYBODY = -1
"""Instead of a seat that is exempt from a payment."""


# --- who pays whom


@compiled("void(int64[::1], int64[::1], int64, int64, int64, int64, int64, int64)", **OPTIONS)
def pass_on(res, out, payer, payee, part, why, exempt, losers):
    """One payment of an amount won, or turned round, unless its payer is exempt or would not be an adversary.

    It is turned round where there are ``losers``: they alone pay it, the first of them for who is none.
    """
    if payer == exempt:
        return
    if count(losers) == 0:
        pay(out, payer, payee, part, why)
    elif payer != res[at.R_ALLY]:
        pay(out, payee if place_of(losers, payee) >= 0 else seat_at(losers, 0), payer, part, why)


@compiled("void(int64[::1], int64[::1], int64[::1], int64, int64, int64, int64)", **OPTIONS)
def pay_earned(money, res, out, amount, why, exempt, losers):
    """An amount won, as often as the game counts; ``losers``, if any, owe the adversaries what they would have paid."""
    amount = times_over(money, out, amount)
    hombre, ally, how = res[at.R_HOMBRE], res[at.R_ALLY], money[at.M_ALLIES_PAID]
    adversaries = out[at.O_ADVERSARIES]
    many = count(adversaries)
    if amount == 0:
        return
    if ally >= 0 and how == at.ALL_TO_HOMBRE:
        for seat in range(money[at.M_PLAYERS]):
            if seat != hombre:
                pass_on(res, out, seat, hombre, amount, why, exempt, losers)
        return
    half, more = halves(money, out, amount) if ally >= 0 and how == at.HALVED else (amount, 0)
    for place in range(many):
        adversary = seat_at(adversaries, place)
        if ally < 0:
            pass_on(res, out, adversary, hombre, amount, why, exempt, losers)
        elif how == at.ONE_TO_ONE:
            pass_on(res, out, adversary, seat_at(out[at.O_SIDE], place), amount, why, exempt, losers)
        else:
            pass_on(res, out, adversary, hombre, half + more, why, exempt, losers)
            pass_on(res, out, adversary, ally, half - more, why, exempt, losers)
            more = next_odd(money, more)


@compiled("void(int64[::1], int64[::1], int64, int64, int64, int64)", **OPTIONS)
def pay_once(money, out, losers, amount, why, exempt):
    """An amount lost, as often as the game counts, to each adversary once; who is exempt gets nothing."""
    amount = times_over(money, out, amount)
    adversaries = out[at.O_ADVERSARIES]
    many, alone = count(adversaries), count(losers) == 1
    if amount == 0:
        return
    halved = not alone and (money[at.M_ALLIES_PAID] == at.HALVED or count(losers) != many)
    half, more = halves(money, out, amount) if halved else (amount, 0)
    for place in range(many):
        adversary = seat_at(adversaries, place)
        if adversary != exempt:
            if halved:
                pay(out, seat_at(losers, 0), adversary, half + more, why)
                pay(out, seat_at(losers, 1), adversary, half - more, why)
            else:
                pay(out, seat_at(losers, 0 if alone else place), adversary, amount, why)
        more = next_odd(money, more)


@compiled("void(int64[::1], int64[::1], int64[::1], int64, int64, int64, int64)", **OPTIONS)
def pay_owed(money, res, out, losers, amount, why, exempt):
    """An amount lost: to each adversary once or, where allies who share it owe it so, as they would have had it."""
    if count(losers) > 1 and money[at.M_LOST_AS_RECEIVED]:
        pay_earned(money, res, out, amount, why, exempt, losers)
    else:
        pay_once(money, out, losers, amount, why, exempt)


@compiled("int64(int64[::1], int64, int64)", **OPTIONS)
def exempt_seat(res, kind, takes_part):
    """Who gave up the called card, and so has no part in the premium; it may be nobody."""
    return ANYBODY if takes_part or kind != at.PREMIUM else res[at.R_SURRENDERED]


# --- the game


@compiled("void(int64[::1], int64[::1], int64[::1])", **OPTIONS)
def raise_stake(money, res, out):
    """Where stakes are raised: what the pool lacks, from all players in equal parts."""
    if money[at.M_STAKE] != at.STAKE_RAISED or out[at.O_TIMES] == 1:
        return
    every, stake = 0, out[at.O_STAKE]
    for seat in range(money[at.M_PLAYERS]):
        every = joined(every, seat)
    lacking = bounded(out, stake * (out[at.O_TIMES] - 1))
    each, over, whose = share(money, out, every, lacking, res[at.R_HOMBRE])
    for seat in range(money[at.M_PLAYERS]):
        part = each + odd_of(money, every, over, whose, seat)
        pay(out, seat, at.POOL, part, at.W_STAKE)
        stake += part
    out[at.O_STAKE] = stake


@compiled("void(int64[::1], int64[::1], int64[::1], int64, int64, int64)", **OPTIONS)
def make_good(money, res, out, losers, winners, stake):
    """Where stakes are made good: the stakes that the pool lacks, from each loser to each winner alike."""
    if money[at.M_STAKE] != at.STAKE_MADE_GOOD or out[at.O_TIMES] == 1:
        return
    hombre = res[at.R_HOMBRE]
    lacking = bounded(out, stake * (out[at.O_TIMES] - 1))
    each, over, whose = share(money, out, losers, lacking, hombre)
    for place in range(count(losers)):
        loser = seat_at(losers, place)
        owed = each + odd_of(money, losers, over, whose, loser)
        part, rest, whose_rest = share(money, out, winners, owed, hombre)
        for other in range(count(winners)):
            winner = seat_at(winners, other)
            pay(out, loser, winner, part + odd_of(money, winners, rest, whose_rest, winner), at.W_STAKE)


@compiled("void(int64[::1], int64[::1], int64[::1])", **OPTIONS)
def win(money, res, out):
    """The pool, and every item from the adversaries."""
    pool, hombre, side = out[at.O_STAKE], res[at.R_HOMBRE], out[at.O_SIDE]
    takers = side if money[at.M_POOL_TO_ALLIES] else joined(0, hombre)
    divide(money, out, at.POOL, takers, pool, at.W_POOL_TO, hombre, False)
    out[at.O_POOL_TAKEN] = 1
    make_good(money, res, out, out[at.O_ADVERSARIES], takers, pool)
    list_items(money, res, out)
    for number in range(out[at.O_LISTED]):
        place = at.O_ITEMS + at.ITEM * number
        kind = out[place + at.I_KIND]
        if kept(money, out, kind) and not lapses(money, res, out, kind):
            exempt = exempt_seat(res, kind, money[at.M_GIVER_PAYS])
            pay_earned(money, res, out, out[place + at.I_AMOUNT], out[place + at.I_WHY], exempt, 0)


@compiled("int64(int64[::1], int64[::1], int64)", **OPTIONS)
def beast_size(money, out, standing):
    """The beast of a game that is lost while so many stand, where beasts have a size of their own."""
    first = money[at.M_BEAST_FIRST]
    if standing > MOST_DOUBLINGS and money[at.M_BEAST_SIZE] == at.DOUBLING:
        out[at.O_INEXACT] = 1
        return 0
    return bounded(out, first << standing if money[at.M_BEAST_SIZE] == at.DOUBLING else first * (standing + 1))


@compiled("int64(int64[::1], int64[::1], int64[::1])", **OPTIONS)
def share_pool_at_codille(money, res, out):
    """The adversaries' sweep of the pool, where the rules let them; returns what they took."""
    pool, adversaries = out[at.O_STAKE], out[at.O_ADVERSARIES]
    if not money[at.M_CODILLE_SHARED] or pool < money[at.M_SHARED_FROM]:
        return 0
    many = count(adversaries)
    if money[at.M_INDIVISIBLE_STAYS] and many > 2 and pool % (many * money[at.M_SCALE]) != 0:
        return 0
    out[at.O_POOL_TAKEN] = 1
    return divide(money, out, at.POOL, adversaries, pool, at.W_CODILLE_POOL, res[at.R_HOMBRE], False)


@compiled("void(int64[::1], int64[::1], int64[::1])", **OPTIONS)
def lose(money, res, out):
    """What the losers add to the pool, and the items that this kind of loss pays."""
    hombre, losers, remise = res[at.R_HOMBRE], bearers(money, res, out), out[at.O_OUTCOME] == at.REMISE
    taken = 0 if remise else share_pool_at_codille(money, res, out)
    base = taken if not remise and money[at.M_BASE_TAKEN] else out[at.O_STAKE]
    payers = losers if money[out[at.O_BLOCK] + at.B_PENALTY_AS_BORNE] else joined(0, hombre)
    make_good(money, res, out, payers, out[at.O_ADVERSARIES], taken)
    if money[at.M_ADDS_TO_POOL]:
        adds, why = (
            money[at.M_REMISE_ADDS if remise else at.M_CODILLE_ADDS],
            at.W_REMISE_ADDS if remise else at.W_CODILLE_ADDS,
        )
        fold = 1 if money[at.M_STAKE] == at.STAKE_SINGLE else out[at.O_TIMES]
        if money[at.M_BEAST_SIZE] != at.OF_POOL:
            base, why = beast_size(money, out, res[at.R_BEASTS]), at.W_BEAST_SIZE
        elif out[at.O_STAKE] != res[at.R_POOL]:
            fold = 1
        out[at.O_BEAST] = divide(money, out, at.POOL, payers, adds * base * fold, why, hombre, True)
    list_items(money, res, out)
    listed = money[at.M_REMISE_PAYS if remise else at.M_CODILLE_PAYS]
    over = 1 if remise else money[at.M_CODILLE_TIMES]
    for number in range(out[at.O_LISTED]):
        place = at.O_ITEMS + at.ITEM * number
        kind = out[place + at.I_KIND]
        if kind & listed:
            exempt = exempt_seat(res, kind, money[at.M_GIVER_RECEIVES])
            pay_owed(money, res, out, losers, over * out[place + at.I_AMOUNT], out[place + at.I_WHY], exempt)


@compiled("void(int64[::1], int64[::1], int64[::1])", **OPTIONS)
def reward_adversaries(money, res, out):
    """What the adversaries earn for matadors of their own, however the game ends."""
    if money[at.M_ADVERSARIES_MATADORS] != at.TO_HOLDERS:
        return
    out[at.O_LISTED] = 0
    list_matadors(money, res, out, res[at.R_AGAINST])
    for number in range(out[at.O_LISTED]):
        place = at.O_ITEMS + at.ITEM * number
        amount, why = out[place + at.I_AMOUNT], out[place + at.I_WHY]
        if out[at.O_OUTCOME] == at.WON:
            pay_earned(money, res, out, amount, why, ANYBODY, out[at.O_SIDE])
        else:
            pay_owed(money, res, out, bearers(money, res, out), amount, why, ANYBODY)


# --- the vole


@compiled("void(int64[::1], int64[::1], int64[::1])", **OPTIONS)
def settle_vole_pool(money, res, out):
    """Every player's stake in the vole's own pool, and who takes it."""
    stake = times_over(money, out, vole_stake(money, out))
    if stake == 0:
        return
    players, why = money[at.M_PLAYERS], why_of(out, at.W_VOLE_STAKE, res[at.R_BID])
    for seat in range(players):
        pay(out, seat, at.VOLE_POOL, stake, why)
    takers = out[at.O_SIDE] if out[at.O_HOW_VOLE] == at.VOLE_WON else out[at.O_ADVERSARIES]
    whole = stake * players
    left = whole - divide(money, out, at.VOLE_POOL, takers, whole, why, res[at.R_HOMBRE], False)
    pay(out, at.VOLE_POOL, at.POOL, left, at.W_ODD)


@compiled("void(int64[::1], int64[::1], int64[::1])", **OPTIONS)
def settle_vole_premium(money, res, out):
    """The vole's premium, to Hombre's side or from it."""
    premium, why = vole_premium(money, out), why_of(out, at.W_VOLE_PREMIUM, res[at.R_BID])
    if out[at.O_HOW_VOLE] == at.VOLE_WON:
        if not lapses(money, res, out, at.VOLE):
            pay_earned(money, res, out, premium, why, ANYBODY, 0)
    elif failed_premium_due(money, out):
        if out[at.O_LEVEL] != at.UNDERTAKEN:
            pay_owed(money, res, out, bearers(money, res, out), premium, why, ANYBODY)
        elif money[at.M_UNDERTAKEN_ONCE]:
            pay_once(money, out, vole_losers(money, res, out), premium, why, ANYBODY)
        else:
            pay_earned(money, res, out, premium, why, ANYBODY, vole_losers(money, res, out))


# --- all of it


@compiled("void(int64[::1], int64[::1], int64[::1])", **OPTIONS)
def settle(money, res, out):
    """Every payment that the result causes under the rules, into ``out``."""
    begin(money, res, out)
    if out[at.O_INEXACT]:
        return
    if money[at.M_POINTS]:
        settle_points(money, res, out)
    else:
        if not out[at.O_FROZEN]:
            raise_stake(money, res, out)
        if out[at.O_OUTCOME] == at.WON:
            win(money, res, out)
        elif not out[at.O_FROZEN]:
            lose(money, res, out)
        if not out[at.O_FROZEN]:
            reward_adversaries(money, res, out)
        if out[at.O_LEVEL] != at.NO_VOLE:
            settle_vole_pool(money, res, out)
            settle_vole_premium(money, res, out)
    out[at.O_POOL_AFTER] = res[at.R_POOL] + out[at.O_NET + at.POOL]
    out[at.O_WRITTEN] = -out[at.O_NET + at.SCORE]
