"""What a settlement of the kernel is made of: how the game ended, what is paid for, who answers for a loss.

``rules`` is the record of the rules, ``result`` a deal's result and ``out`` the settlement (``state``).
It does what the first half of ``engine.case`` does, and ``engine.units``, on integers; why each thing is settled as
it is, the readable engine says.
"""

from quadrille_plugins.fast import words as w
from quadrille_plugins.fast.compiled import compiled
from quadrille_plugins.fast.shares import OPTIONS, bounded, exactly, joined, quotient
from quadrille_plugins.fast.state import LIMIT

MOST_TIMES = 2**20
"""A game that counts more often than so is left to the readable engine."""


# --- how the game ended


@compiled("int64(rules, out, int64)", **OPTIONS)
def lost_as(rules, out, short):
    """Remise or codille, when so many tricks were wanting."""
    if rules.bids[out.bid].lost_as == w.LOST_AS.REMISE or short <= rules.loss.remise_short:
        return w.OUTCOME.REMISE
    return w.OUTCOME.CODILLE


@compiled("void(rules, out, int64)", **OPTIONS)
def verdict(rules, out, made):
    """Won, remise or codille, and what became of the vole, when Hombre's side made so many tricks."""
    block, level = out.bid, out.level
    tricks, hand = rules.bids[block].tricks, rules.table.hand_cards
    if level != w.LEVEL.NONE:
        out.how_vole = w.VOLES.WON if made == hand else w.VOLES.LOST
    if level in (w.LEVEL.ANNOUNCED, w.LEVEL.REVEALED):
        if made == hand:
            out.outcome = w.OUTCOME.WON
        elif made >= tricks:
            out.outcome, out.frozen = w.OUTCOME.REMISE, rules.vole.announced_failed == w.FAILED.STAKE_FROZEN
        elif rules.vole.announced_below_game == w.BELOW_GAME.REMISE:
            out.outcome = w.OUTCOME.REMISE
        else:
            out.outcome = lost_as(rules, out, tricks - made)
        return
    goal = rules.bids[block].goal
    short = made if goal == w.GOAL.NONE else (tricks if goal == w.GOAL.AT_LEAST else hand) - made
    out.outcome = w.OUTCOME.WON if short <= 0 else lost_as(rules, out, short)


@compiled("int64(rules, out, int64)", **OPTIONS)
def unit_of(rules, out, pool):
    """The size of a unit when the pool holds so much."""
    rounding, scale, bottom = rules.stakes.unit_rounding, rules.scale, rules.unit_parts
    top = (pool if rules.stakes.unit_of == w.UNIT_OF.STAKE else scale) * rules.stakes.unit
    whole = bottom * scale
    if rounding == w.ROUNDING.DOWN:
        unit = quotient(top, whole) * scale
    elif rounding == w.ROUNDING.UP:
        unit = quotient(top + whole - 1, whole) * scale
    elif rounding == w.ROUNDING.NEAREST:
        unit = quotient(2 * top + whole, 2 * whole) * scale
    else:
        unit = exactly(out, top, bottom)
    return bounded(out, unit)


@compiled("void(rules, result, out)", **OPTIONS)
def begin(rules, result, out):
    """A settlement without transfers: who is on which side, how the game ended, and what it counts in."""
    out.outcome = out.how_vole = out.frozen = out.beast = out.pool_taken = out.inexact = out.count = 0
    for account in range(8):
        out.net[account] = 0
    pool, times = result.pool, result.times
    if rules.unfit or pool < 0 or pool >= LIMIT or times > MOST_TIMES:
        out.inexact = 1
        return
    bid, hombre, ally = result.bid, result.hombre, result.ally
    side, adversaries, made = joined(0, hombre), 0, result.tricks[hombre]
    if ally >= 0:
        side = joined(side, ally)
        made += result.tricks[ally]
    for seat in range(rules.table.players):
        if seat not in (hombre, ally):
            adversaries = joined(adversaries, seat)
    out.bid, out.side, out.adversaries = bid, side, adversaries
    said = result.vole
    out.level = w.LEVEL.ANNOUNCED if said == w.LEVEL.NONE and rules.bids[bid].is_vole else said
    verdict(rules, out, made)
    favoured = result.favourite >= 0 and result.trump == result.favourite
    out.favoured = 1 if favoured and rules.has_favoured else 0
    out.times = times * 2 if favoured and rules.favourite.doubles == w.DOUBLES.GAME else times
    out.unit = unit_of(rules, out, pool)
    out.stake = pool


# --- what is paid for


@compiled("int64(out, int64, int64)", **OPTIONS)
def why_of(out, leaf, bid):
    """Why a transfer is made whose amount stands in a table of payments: the leaf, and whose bid's."""
    return leaf + (w.IN_FAVOURITE if out.favoured else 0) | bid << 8


@compiled("int64(out, int64, int64)", **OPTIONS)
def why_vole(out, leaf, bid):
    """The same of an amount that depends on how the vole was played for; the leaf is that of a vole undertaken."""
    return why_of(out, leaf + out.level - w.LEVEL.UNDERTAKEN, bid)


@compiled("int64(rules, out, int64, int64)", **OPTIONS)
def worth(rules, out, amount, unit):
    """What an amount of the tables comes to, in such units."""
    return bounded(out, exactly(out, amount * unit, rules.parts)) if amount else 0


@compiled("int64(vole_rows, out)", **OPTIONS)
def at_level(rows, out):
    """The amount of this bid for a vole played for so."""
    if out.level == w.LEVEL.UNDERTAKEN:
        return rows.undertaken[out.bid]
    return rows.announced[out.bid] if out.level == w.LEVEL.ANNOUNCED else rows.revealed[out.bid]


@compiled("void(rules, out, int64, int64, int64)", **OPTIONS)
def list_item(rules, out, kind, amount, why):
    """One more thing that is paid for, its amount as the tables have it."""
    number = out.listed
    out.items[number].kind = kind
    out.items[number].amount = worth(rules, out, amount, out.unit)
    out.items[number].why = why
    out.listed = number + 1


@compiled("void(rules, result, out, int64)", **OPTIONS)
def list_matadors(rules, result, out, held):
    """What so many unbroken top trumps in the hands of one side are paid."""
    paid = rules.bids[out.bid].matadors
    held = min(held, rules.most_matadors[result.trump])
    amounts = rules.payments.in_favourite.matadors if out.favoured else rules.payments.matadors
    if paid == w.MATADORS.ALL and (held == 3 or (held > 3 and rules.payments.matadors_cumulative)):
        list_item(rules, out, w.PAY.MATADORS, amounts.three, why_of(out, w.THREE, 0))
    if paid != w.MATADORS.NONE and held > 3:
        list_item(rules, out, w.PAY.MATADORS, amounts.four, why_of(out, w.FOUR, 0))


@compiled("void(rules, result, out)", **OPTIONS)
def list_items(rules, result, out):
    """The items of the game itself; the vole's own are settled apart."""
    bid = result.bid
    if result.ally < 0:
        bid = rules.bids[out.bid].alone
    out.listed = 0
    premium = (rules.payments.in_favourite.premium if out.favoured else rules.payments.premium)[bid]
    list_item(rules, out, w.PAY.PREMIUM, premium, why_of(out, w.PREMIUM, bid))
    list_matadors(rules, result, out, result.matadors)
    if rules.payments.adversaries_matadors == w.AGAINST.TO_WINNERS:
        list_matadors(rules, result, out, result.against)
    if result.premiers:
        premiers = rules.payments.in_favourite.premiers if out.favoured else rules.payments.premiers
        list_item(rules, out, w.PAY.PREMIERS, premiers, why_of(out, w.PREMIERS, 0))


@compiled("boolean(rules, out, int64)", **OPTIONS)
def kept(rules, out, kind):
    """Whether an item of a game that was won is still paid, though a vole undertaken in it may have been lost."""
    failed = out.level == w.LEVEL.UNDERTAKEN and out.how_vole == w.VOLES.LOST
    return not failed or (rules.vole.undertaken_failed_keeps & kind) != 0


@compiled("boolean(rules, result, out, int64)", **OPTIONS)
def lapses(rules, result, out, kind):
    """Whether the item had to be claimed and was not."""
    return (rules.bids[out.bid].claimed & ~result.claims & kind) != 0


# --- the vole


@compiled("int64(rules, out)", **OPTIONS)
def vole_premium(rules, out):
    """What each who pays it pays for a vole made, or gets for one missed."""
    rows = rules.payments.in_favourite.vole_premium if out.favoured else rules.payments.vole_premium
    return worth(rules, out, at_level(rows, out), out.unit)


@compiled("int64(rules, out)", **OPTIONS)
def vole_stake(rules, out):
    """What each player stakes in the vole's own pool."""
    rows = rules.payments.in_favourite.vole_stake if out.favoured else rules.payments.vole_stake
    return worth(rules, out, at_level(rows, out), out.unit if rules.vole.stake_in == w.STAKE_IN.UNITS else rules.scale)


@compiled("boolean(rules, out)", **OPTIONS)
def failed_premium_due(rules, out):
    """Whether a lost vole costs its premium, by its own leaf or as an item of the lost game."""
    vole = rules.vole
    if vole.undertaken_failed_premium if out.level == w.LEVEL.UNDERTAKEN else vole.announced_failed_premium:
        return True
    if out.outcome == w.OUTCOME.WON or out.frozen:
        return False
    pays = rules.loss.remise_pays if out.outcome == w.OUTCOME.REMISE else rules.loss.codille_pays
    return (pays & w.PAY.VOLE) != 0


# --- who answers for it, and who may claim


@compiled("int64(rules, result, out)", **OPTIONS)
def bearers(rules, result, out):
    """The seats that bear a lost game."""
    block, hombre = out.bid, result.hombre
    borne = rules.bids[block].loss_borne
    weak = borne == w.BORNE.SHARED_IF_HOMBRE_MADE and result.tricks[hombre] < rules.bids[block].hombre_least_tricks
    if result.ally < 0 or borne == w.BORNE.HOMBRE or weak:
        return joined(0, hombre)
    return out.side


@compiled("int64(rules, result, out)", **OPTIONS)
def vole_losers(rules, result, out):
    """The seats that owe the premium of a vole undertaken and lost."""
    return bearers(rules, result, out) if rules.vole.undertaken_failed_borne == w.FAILED_BORNE.AS_GAME else out.side


@compiled("int64(rules, result, out)", **OPTIONS)
def due(rules, result, out):
    """The items that Hombre's side has earned and may claim, one bit each; ``out`` is written over."""
    begin(rules, result, out)
    if out.inexact or out.outcome != w.OUTCOME.WON:
        return 0
    list_items(rules, result, out)
    earned = 0
    for number in range(out.listed):
        kind = out.items[number].kind
        if out.items[number].amount and kept(rules, out, kind):
            earned |= kind
    if out.how_vole == w.VOLES.WON and vole_premium(rules, out):
        earned |= w.PAY.VOLE
    return earned


@compiled("int64(rules, out, int64)", **OPTIONS)
def times_over(rules, out, amount):
    """An amount as often as the game counts."""
    return bounded(out, bounded(out, amount) * out.times)
