"""Settlement as the kernel makes it: ``engine.settle`` on integers, its transfers in the same order.

``rules`` is the record of the rules, ``result`` a deal's result and ``out`` the settlement (``state``).
Reasons are not spelled here: what a transfer is for, its last number tells.  Why each thing is settled as it is, the
readable engine says.
"""

from quadrille_core.engine.result import POOL, SCORE, VOLE_POOL
from quadrille_plugins.fast import words as w
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
    why_vole,
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


@compiled("void(result, out, int64, int64, int64, int64, int64, int64)", **OPTIONS)
def pass_on(result, out, payer, payee, part, why, exempt, losers):
    """One payment of an amount won, or turned round, unless its payer is exempt or would not be an adversary.

    It is turned round where there are ``losers``: they alone pay it, the first of them for who is none.
    """
    if payer == exempt:
        return
    if count(losers) == 0:
        pay(out, payer, payee, part, why)
    elif payer != result.ally:
        pay(out, payee if place_of(losers, payee) >= 0 else seat_at(losers, 0), payer, part, why)


@compiled("void(rules, result, out, int64, int64, int64, int64)", **OPTIONS)
def pay_earned(rules, result, out, amount, why, exempt, losers):
    """An amount won, as often as the game counts; ``losers``, if any, owe the adversaries what they would have paid."""
    amount = times_over(rules, out, amount)
    hombre, ally, how = result.hombre, result.ally, rules.payments.allies_paid
    adversaries = out.adversaries
    many = count(adversaries)
    if amount == 0:
        return
    if ally >= 0 and how == w.ALLIES_PAID.ALL_OTHERS_TO_HOMBRE:
        for seat in range(rules.table.players):
            if seat != hombre:
                pass_on(result, out, seat, hombre, amount, why, exempt, losers)
        return
    half, more = halves(rules, out, amount) if ally >= 0 and how == w.ALLIES_PAID.ONCE_AND_HALVED else (amount, 0)
    for place in range(many):
        adversary = seat_at(adversaries, place)
        if ally < 0:
            pass_on(result, out, adversary, hombre, amount, why, exempt, losers)
        elif how == w.ALLIES_PAID.ONE_TO_ONE:
            pass_on(result, out, adversary, seat_at(out.side, place), amount, why, exempt, losers)
        else:
            pass_on(result, out, adversary, hombre, half + more, why, exempt, losers)
            pass_on(result, out, adversary, ally, half - more, why, exempt, losers)
            more = next_odd(rules, more)


@compiled("void(rules, out, int64, int64, int64, int64)", **OPTIONS)
def pay_once(rules, out, losers, amount, why, exempt):
    """An amount lost, as often as the game counts, to each adversary once; who is exempt gets nothing."""
    amount = times_over(rules, out, amount)
    adversaries = out.adversaries
    many, alone = count(adversaries), count(losers) == 1
    if amount == 0:
        return
    halved = not alone and (rules.payments.allies_paid == w.ALLIES_PAID.ONCE_AND_HALVED or count(losers) != many)
    half, more = halves(rules, out, amount) if halved else (amount, 0)
    for place in range(many):
        adversary = seat_at(adversaries, place)
        if adversary != exempt:
            if halved:
                pay(out, seat_at(losers, 0), adversary, half + more, why)
                pay(out, seat_at(losers, 1), adversary, half - more, why)
            else:
                pay(out, seat_at(losers, 0 if alone else place), adversary, amount, why)
        more = next_odd(rules, more)


@compiled("void(rules, result, out, int64, int64, int64, int64)", **OPTIONS)
def pay_owed(rules, result, out, losers, amount, why, exempt):
    """An amount lost: to each adversary once or, where allies who share it owe it so, as they would have had it."""
    if count(losers) > 1 and rules.loss.allies_pay == w.ALLIES_PAY.AS_RECEIVED:
        pay_earned(rules, result, out, amount, why, exempt, losers)
    else:
        pay_once(rules, out, losers, amount, why, exempt)


@compiled("int64(result, int64, int64)", **OPTIONS)
def exempt_seat(result, kind, takes_part):
    """Who gave up the called card, and so has no part in the premium; it may be nobody."""
    return ANYBODY if takes_part or kind != w.PAY.PREMIUM else result.surrendered


# --- the game


@compiled("void(rules, result, out)", **OPTIONS)
def raise_stake(rules, result, out):
    """Where stakes are raised: what the pool lacks, from all players in equal parts."""
    if rules.multiplier.stake != w.STAKE.RAISED or out.times == 1:
        return
    every, stake = 0, out.stake
    for seat in range(rules.table.players):
        every = joined(every, seat)
    lacking = bounded(out, stake * (out.times - 1))
    each, over, whose = share(rules, out, every, lacking, result.hombre)
    for seat in range(rules.table.players):
        part = each + odd_of(rules, every, over, whose, seat)
        pay(out, seat, POOL, part, w.STAKE_RULE)
        stake += part
    out.stake = stake


@compiled("void(rules, result, out, int64, int64, int64)", **OPTIONS)
def make_good(rules, result, out, losers, winners, stake):
    """Where stakes are made good: the stakes that the pool lacks, from each loser to each winner alike."""
    if rules.multiplier.stake != w.STAKE.MADE_GOOD or out.times == 1:
        return
    hombre = result.hombre
    lacking = bounded(out, stake * (out.times - 1))
    each, over, whose = share(rules, out, losers, lacking, hombre)
    for place in range(count(losers)):
        loser = seat_at(losers, place)
        owed = each + odd_of(rules, losers, over, whose, loser)
        part, rest, whose_rest = share(rules, out, winners, owed, hombre)
        for other in range(count(winners)):
            winner = seat_at(winners, other)
            pay(out, loser, winner, part + odd_of(rules, winners, rest, whose_rest, winner), w.STAKE_RULE)


@compiled("void(rules, result, out)", **OPTIONS)
def win(rules, result, out):
    """The pool, and every item from the adversaries."""
    pool, hombre, side = out.stake, result.hombre, out.side
    takers = side if rules.payments.pool_to == w.POOL_TO.ALLIES else joined(0, hombre)
    divide(rules, out, POOL, takers, pool, w.POOL_TAKEN, hombre, False)
    out.pool_taken = 1
    make_good(rules, result, out, out.adversaries, takers, pool)
    list_items(rules, result, out)
    for number in range(out.listed):
        kind = out.items[number].kind
        if kept(rules, out, kind) and not lapses(rules, result, out, kind):
            exempt = exempt_seat(result, kind, rules.exchange.giver_pays_premium)
            pay_earned(rules, result, out, out.items[number].amount, out.items[number].why, exempt, 0)


@compiled("int64(rules, out, int64)", **OPTIONS)
def beast_size(rules, out, standing):
    """The beast of a game that is lost while so many stand, where beasts have a size of their own."""
    first = rules.loss.beast_first
    if standing > MOST_DOUBLINGS and rules.loss.beast_size == w.BEAST_SIZE.DOUBLING:
        out.inexact = 1
        return 0
    return bounded(out, first << standing if rules.loss.beast_size == w.BEAST_SIZE.DOUBLING else first * (standing + 1))


@compiled("int64(rules, result, out)", **OPTIONS)
def share_pool_at_codille(rules, result, out):
    """The adversaries' sweep of the pool, where the rules let them; returns what they took."""
    pool, adversaries = out.stake, out.adversaries
    if rules.loss.codille_pool != w.CODILLE_POOL.ADVERSARIES or pool < rules.shared_from:
        return 0
    many = count(adversaries)
    if rules.loss.codille_indivisible == w.INDIVISIBLE.STAYS and many > 2 and pool % (many * rules.scale) != 0:
        return 0
    out.pool_taken = 1
    return divide(rules, out, POOL, adversaries, pool, w.POOL_SHARED, result.hombre, False)


@compiled("void(rules, result, out)", **OPTIONS)
def lose(rules, result, out):
    """What the losers add to the pool, and the items that this kind of loss pays."""
    hombre, losers, remise = result.hombre, bearers(rules, result, out), out.outcome == w.OUTCOME.REMISE
    taken = 0 if remise else share_pool_at_codille(rules, result, out)
    base = taken if not remise and rules.loss.codille_base == w.BASE.TAKEN else out.stake
    payers = losers if rules.bids[out.bid].pool_penalty == w.PENALTY.AS_BORNE else joined(0, hombre)
    make_good(rules, result, out, payers, out.adversaries, taken)
    if rules.adds_to_pool:
        adds, why = (
            rules.loss.remise_adds if remise else rules.loss.codille_adds,
            w.REMISE_ADDS if remise else w.CODILLE_ADDS,
        )
        fold = 1 if rules.multiplier.stake == w.STAKE.SINGLE else out.times
        if rules.loss.beast_size != w.BEAST_SIZE.OF_POOL:
            base, why = beast_size(rules, out, result.beasts), w.BEAST
        elif out.stake != result.pool:
            fold = 1
        out.beast = divide(rules, out, POOL, payers, adds * base * fold, why, hombre, True)
    list_items(rules, result, out)
    listed = rules.loss.remise_pays if remise else rules.loss.codille_pays
    over = 1 if remise else rules.loss.codille_items_times
    for number in range(out.listed):
        kind = out.items[number].kind
        if kind & listed:
            exempt = exempt_seat(result, kind, rules.exchange.giver_receives_premium)
            pay_owed(rules, result, out, losers, over * out.items[number].amount, out.items[number].why, exempt)


@compiled("void(rules, result, out)", **OPTIONS)
def reward_adversaries(rules, result, out):
    """What the adversaries earn for matadors of their own, however the game ends."""
    if rules.payments.adversaries_matadors != w.AGAINST.TO_HOLDERS:
        return
    out.listed = 0
    list_matadors(rules, result, out, result.against)
    for number in range(out.listed):
        amount, why = out.items[number].amount, out.items[number].why
        if out.outcome == w.OUTCOME.WON:
            pay_earned(rules, result, out, amount, why, ANYBODY, out.side)
        else:
            pay_owed(rules, result, out, bearers(rules, result, out), amount, why, ANYBODY)


# --- the vole


@compiled("void(rules, result, out)", **OPTIONS)
def settle_vole_pool(rules, result, out):
    """Every player's stake in the vole's own pool, and who takes it."""
    stake = times_over(rules, out, vole_stake(rules, out))
    if stake == 0:
        return
    players, why = rules.table.players, why_vole(out, w.VOLE_STAKE, result.bid)
    for seat in range(players):
        pay(out, seat, VOLE_POOL, stake, why)
    takers = out.side if out.how_vole == w.VOLES.WON else out.adversaries
    whole = stake * players
    left = whole - divide(rules, out, VOLE_POOL, takers, whole, why, result.hombre, False)
    pay(out, VOLE_POOL, POOL, left, w.ODD_COUNTERS)


@compiled("void(rules, result, out)", **OPTIONS)
def settle_vole_premium(rules, result, out):
    """The vole's premium, to Hombre's side or from it."""
    premium, why = vole_premium(rules, out), why_vole(out, w.VOLE_PREMIUM, result.bid)
    if out.how_vole == w.VOLES.WON:
        if not lapses(rules, result, out, w.PAY.VOLE):
            pay_earned(rules, result, out, premium, why, ANYBODY, 0)
    elif failed_premium_due(rules, out):
        if out.level != w.LEVEL.UNDERTAKEN:
            pay_owed(rules, result, out, bearers(rules, result, out), premium, why, ANYBODY)
        elif rules.vole.undertaken_failed_paid == w.FAILED_PAID.ONCE_EACH:
            pay_once(rules, out, vole_losers(rules, result, out), premium, why, ANYBODY)
        else:
            pay_earned(rules, result, out, premium, why, ANYBODY, vole_losers(rules, result, out))


# --- all of it


@compiled("void(rules, result, out)", **OPTIONS)
def settle(rules, result, out):
    """Every payment that the result causes under the rules, into ``out``."""
    begin(rules, result, out)
    if out.inexact:
        return
    if rules.score.kept == w.KEPT.POINTS:
        settle_points(rules, result, out)
    else:
        if not out.frozen:
            raise_stake(rules, result, out)
        if out.outcome == w.OUTCOME.WON:
            win(rules, result, out)
        elif not out.frozen:
            lose(rules, result, out)
        if not out.frozen:
            reward_adversaries(rules, result, out)
        if out.level != w.LEVEL.NONE:
            settle_vole_pool(rules, result, out)
            settle_vole_premium(rules, result, out)
    out.pool_after = result.pool + out.net[POOL]
    out.written = -out.net[SCORE]
