"""What a settlement of the kernel is made of: how the game ended, what is paid for, who answers for a loss.

``money`` is ``tables.money.tabulate``, ``res`` a deal's result and ``out`` the settlement, as ``tables.layout`` says.
It does what the first half of ``engine.case`` does, and ``engine.units``, on integers; why each thing is settled as
it is, the readable engine says.
"""

from quadrille_plugins.fast import layout as at
from quadrille_plugins.fast.compiled import compiled
from quadrille_plugins.fast.shares import OPTIONS, bounded, exactly, joined, quotient

MOST_TIMES = 2**20
"""A game that counts more often than so is left to the readable engine."""


# --- how the game ended


@compiled("int64(int64[::1], int64[::1], int64)", **OPTIONS)
def lost_as(money, out, short):
    """Remise or codille, when so many tricks were wanting."""
    if money[out[at.O_BLOCK] + at.B_LOST_AS_REMISE] or short <= money[at.M_REMISE_SHORT]:
        return at.REMISE
    return at.CODILLE


@compiled("void(int64[::1], int64[::1], int64)", **OPTIONS)
def verdict(money, out, made):
    """Won, remise or codille, and what became of the vole, when Hombre's side made so many tricks."""
    block, level = out[at.O_BLOCK], out[at.O_LEVEL]
    tricks, hand = money[block + at.B_TRICKS], money[at.M_HAND_CARDS]
    if level != at.NO_VOLE:
        out[at.O_HOW_VOLE] = at.VOLE_WON if made == hand else at.VOLE_LOST
    if level >= at.ANNOUNCED:
        if made == hand:
            out[at.O_OUTCOME] = at.WON
        elif made >= tricks:
            out[at.O_OUTCOME], out[at.O_FROZEN] = at.REMISE, money[at.M_ANNOUNCED_FROZEN]
        elif money[at.M_BELOW_GAME_REMISE]:
            out[at.O_OUTCOME] = at.REMISE
        else:
            out[at.O_OUTCOME] = lost_as(money, out, tricks - made)
        return
    goal = money[block + at.B_GOAL]
    short = made if goal == at.GOAL_NONE else (tricks if goal == at.GOAL_AT_LEAST else hand) - made
    out[at.O_OUTCOME] = at.WON if short <= 0 else lost_as(money, out, short)


@compiled("int64(int64[::1], int64[::1], int64)", **OPTIONS)
def unit_of(money, out, pool):
    """The size of a unit when the pool holds so much."""
    rounding, scale, bottom = money[at.M_UNIT_ROUNDING], money[at.M_SCALE], money[at.M_UNIT_BOTTOM]
    top = (pool if money[at.M_UNIT_OF_STAKE] else scale) * money[at.M_UNIT_TOP]
    whole = bottom * scale
    if rounding == at.DOWN:
        unit = quotient(top, whole) * scale
    elif rounding == at.UP:
        unit = quotient(top + whole - 1, whole) * scale
    elif rounding == at.NEAREST:
        unit = quotient(2 * top + whole, 2 * whole) * scale
    else:
        unit = exactly(out, top, bottom)
    return bounded(out, unit)


@compiled("void(int64[::1], int64[::1], int64[::1])", **OPTIONS)
def begin(money, res, out):
    """A settlement without transfers: who is on which side, how the game ended, and what it counts in."""
    for place in range(at.O_COUNT + 1):
        out[place] = 0
    pool, times = res[at.R_POOL], res[at.R_MULT]
    if money[at.M_UNFIT] or pool < 0 or pool >= at.LIMIT or times > MOST_TIMES:
        out[at.O_INEXACT] = 1
        return
    block, hombre, ally = at.M_BIDS + at.BID * res[at.R_BID], res[at.R_HOMBRE], res[at.R_ALLY]
    side, adversaries, made = joined(0, hombre), 0, res[at.R_TRICKS + hombre]
    if ally >= 0:
        side = joined(side, ally)
        made += res[at.R_TRICKS + ally]
    for seat in range(money[at.M_PLAYERS]):
        if seat not in (hombre, ally):
            adversaries = joined(adversaries, seat)
    out[at.O_BLOCK], out[at.O_SIDE], out[at.O_ADVERSARIES] = block, side, adversaries
    said = res[at.R_VOLE]
    out[at.O_LEVEL] = at.ANNOUNCED if said == at.NO_VOLE and money[block + at.B_IS_VOLE] else said
    verdict(money, out, made)
    favoured = res[at.R_FAVOURITE] >= 0 and res[at.R_TRUMP] == res[at.R_FAVOURITE]
    out[at.O_TABLE] = 1 if favoured and money[at.M_FAVOURITE_TABLE] else 0
    out[at.O_TIMES] = times * 2 if favoured and money[at.M_FAVOURITE_DOUBLES] else times
    out[at.O_UNIT] = unit_of(money, out, pool)
    out[at.O_STAKE] = pool


# --- what is paid for


@compiled("int64(int64[::1], int64, int64)", **OPTIONS)
def why_of(out, word, bid):
    """Why a transfer is made whose amount stands in the table of payments."""
    return word | out[at.O_TABLE] << at.WHY_TABLE | out[at.O_LEVEL] << at.WHY_LEVEL | bid << at.WHY_BID


@compiled("int64(int64[::1], int64[::1], int64, int64)", **OPTIONS)
def worth(money, out, amount, unit):
    """What an amount of the tables comes to, in such units."""
    return bounded(out, exactly(out, amount * unit, money[at.M_PARTS])) if amount else 0


@compiled("int64(int64[::1], int64[::1], int64, int64)", **OPTIONS)
def amount_of(money, out, block, which):
    """One of the amounts that a bid has in the table that applies."""
    return money[block + at.B_AMOUNTS + at.AMOUNTS * out[at.O_TABLE] + which]


@compiled("void(int64[::1], int64[::1], int64, int64, int64)", **OPTIONS)
def list_item(money, out, kind, amount, why):
    """One more thing that is paid for, its amount as the tables have it."""
    place = at.O_ITEMS + at.ITEM * out[at.O_LISTED]
    out[place + at.I_KIND] = kind
    out[place + at.I_AMOUNT] = worth(money, out, amount, out[at.O_UNIT])
    out[place + at.I_WHY] = why
    out[at.O_LISTED] += 1


@compiled("void(int64[::1], int64[::1], int64[::1], int64)", **OPTIONS)
def list_matadors(money, res, out, held):
    """What so many unbroken top trumps in the hands of one side are paid."""
    paid = money[out[at.O_BLOCK] + at.B_MATADORS]
    held = min(held, money[at.M_MOST_MATADORS + res[at.R_TRUMP]])
    rows = at.M_TABLE + at.TABLE * out[at.O_TABLE]
    if paid == at.MATADORS_ALL and (held == 3 or (held > 3 and money[at.M_CUMULATIVE])):
        list_item(money, out, at.MATADORS, money[rows + at.P_THREE], why_of(out, at.W_THREE, 0))
    if paid != at.MATADORS_NONE and held > 3:
        list_item(money, out, at.MATADORS, money[rows + at.P_FOUR], why_of(out, at.W_FOUR, 0))


@compiled("void(int64[::1], int64[::1], int64[::1])", **OPTIONS)
def list_items(money, res, out):
    """The items of the game itself; the vole's own are settled apart."""
    bid = res[at.R_BID]
    if res[at.R_ALLY] < 0:
        bid = money[out[at.O_BLOCK] + at.B_ALONE]
    out[at.O_LISTED] = 0
    premium = amount_of(money, out, at.M_BIDS + at.BID * bid, at.A_PREMIUM)
    list_item(money, out, at.PREMIUM, premium, why_of(out, at.W_PREMIUM, bid))
    list_matadors(money, res, out, res[at.R_MATADORS])
    if money[at.M_ADVERSARIES_MATADORS] == at.TO_WINNERS:
        list_matadors(money, res, out, res[at.R_AGAINST])
    if res[at.R_PREMIERS]:
        premiers = money[at.M_TABLE + at.TABLE * out[at.O_TABLE] + at.P_PREMIERS]
        list_item(money, out, at.PREMIERS, premiers, why_of(out, at.W_PREMIERS, 0))


@compiled("boolean(int64[::1], int64[::1], int64)", **OPTIONS)
def kept(money, out, kind):
    """Whether an item of a game that was won is still paid, though a vole undertaken in it may have been lost."""
    failed = out[at.O_LEVEL] == at.UNDERTAKEN and out[at.O_HOW_VOLE] == at.VOLE_LOST
    return not failed or (money[at.M_UNDERTAKEN_KEEPS] & kind) != 0


@compiled("boolean(int64[::1], int64[::1], int64[::1], int64)", **OPTIONS)
def lapses(money, res, out, kind):
    """Whether the item had to be claimed and was not."""
    return (money[out[at.O_BLOCK] + at.B_CLAIMED] & ~res[at.R_CLAIMS] & kind) != 0


# --- the vole


@compiled("int64(int64[::1], int64[::1])", **OPTIONS)
def vole_premium(money, out):
    """What each who pays it pays for a vole made, or gets for one missed."""
    amount = amount_of(money, out, out[at.O_BLOCK], at.A_VOLE_PREMIUM + out[at.O_LEVEL])
    return worth(money, out, amount, out[at.O_UNIT])


@compiled("int64(int64[::1], int64[::1])", **OPTIONS)
def vole_stake(money, out):
    """What each player stakes in the vole's own pool."""
    amount = amount_of(money, out, out[at.O_BLOCK], at.A_VOLE_STAKE + out[at.O_LEVEL])
    return worth(money, out, amount, out[at.O_UNIT] if money[at.M_VOLE_IN_UNITS] else money[at.M_SCALE])


@compiled("boolean(int64[::1], int64[::1])", **OPTIONS)
def failed_premium_due(money, out):
    """Whether a lost vole costs its premium, by its own leaf or as an item of the lost game."""
    if money[at.M_UNDERTAKEN_PREMIUM if out[at.O_LEVEL] == at.UNDERTAKEN else at.M_ANNOUNCED_PREMIUM]:
        return True
    if out[at.O_OUTCOME] == at.WON or out[at.O_FROZEN]:
        return False
    pays = money[at.M_REMISE_PAYS if out[at.O_OUTCOME] == at.REMISE else at.M_CODILLE_PAYS]
    return (pays & at.VOLE) != 0


# --- who answers for it, and who may claim


@compiled("int64(int64[::1], int64[::1], int64[::1])", **OPTIONS)
def bearers(money, res, out):
    """The seats that bear a lost game."""
    block, hombre = out[at.O_BLOCK], res[at.R_HOMBRE]
    borne = money[block + at.B_LOSS_BORNE]
    weak = borne == at.SHARED_IF_MADE and res[at.R_TRICKS + hombre] < money[block + at.B_HOMBRE_LEAST]
    if res[at.R_ALLY] < 0 or borne == at.BY_HOMBRE or weak:
        return joined(0, hombre)
    return out[at.O_SIDE]


@compiled("int64(int64[::1], int64[::1], int64[::1])", **OPTIONS)
def vole_losers(money, res, out):
    """The seats that owe the premium of a vole undertaken and lost."""
    return bearers(money, res, out) if money[at.M_VOLE_BORNE_AS_GAME] else out[at.O_SIDE]


@compiled("int64(int64[::1], int64[::1], int64[::1])", **OPTIONS)
def due(money, res, out):
    """The items that Hombre's side has earned and may claim, one bit each; ``out`` is written over."""
    begin(money, res, out)
    if out[at.O_INEXACT] or out[at.O_OUTCOME] != at.WON:
        return 0
    list_items(money, res, out)
    earned = 0
    for number in range(out[at.O_LISTED]):
        place = at.O_ITEMS + at.ITEM * number
        kind = out[place + at.I_KIND]
        if out[place + at.I_AMOUNT] and kept(money, out, kind):
            earned |= kind
    if out[at.O_HOW_VOLE] == at.VOLE_WON and vole_premium(money, out):
        earned |= at.VOLE
    return earned


@compiled("int64(int64[::1], int64[::1], int64)", **OPTIONS)
def times_over(money, out, amount):
    """An amount as often as the game counts."""
    return bounded(out, bounded(out, amount) * out[at.O_TIMES])
