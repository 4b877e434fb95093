"""Settlement as the kernel makes it: ``engine.settle`` on integers, its transfers in the same
order.

``rules`` is the record of the rules, ``result`` a deal's result and ``out`` the settlement
(``state``).  Which payments a result causes, the rows of the rules say (``rows``); here is what
they ask for, and how one is paid.  Reasons are not spelled: what a transfer is for, its last number
tells.
"""

from numba import int64

from quadrille_core.cards import SUITS
from quadrille_core.engine.result import FUND, POOL, SCORE, VOLE_POOL
from quadrille_plugins.kernel import words as w
from quadrille_plugins.kernel.changes import change_payments, mark
from quadrille_plugins.kernel.compiled import compiled
from quadrille_plugins.kernel.measures import conditions_met, measure_all, of_seat
from quadrille_plugins.kernel.shares import (
    OPTIONS,
    bounded,
    count,
    divide,
    exactly,
    halves,
    joined,
    move,
    next_odd,
    odd_of,
    pay,
    place_of,
    quotient,
    seat_at,
    share,
)
from quadrille_plugins.kernel.state import LIMIT

MOST_TIMES = 2**20
"""A game that counts more often than so is left to the readable engine."""
MOST_DOUBLINGS = 30
SUITS_IN_ALL = len(SUITS)


# --- what rows ask for


@compiled("int64(rules, int64, int64)", **OPTIONS)
def lost_as(rules, bid, short):
    """Remise or codille, when so many tricks were wanting."""
    if rules.bids[bid].lost_as == w.LOST_AS.REMISE or short <= rules.loss.remise_short:
        return w.OUTCOME.REMISE
    return w.OUTCOME.CODILLE


@compiled("int64(rules, out, int64, int64, int64)", **OPTIONS)
def verdict(rules, out, bid, level, made):
    """How the game ended and what became of the vole, when Hombre's side made so many tricks, as
    facts."""
    tricks, hand, goal, facts = (
        rules.bids[bid].tricks,
        rules.table.hand_cards,
        rules.bids[bid].goal,
        0,
    )
    if level != w.LEVEL.NONE:
        out.vole = w.VOLES.WON if made == hand else w.VOLES.LOST
        facts = w.FACT.UNDERTAKEN << (level - w.LEVEL.UNDERTAKEN)
        facts |= w.FACT.VOLE_WON if made == hand else w.FACT.VOLE_LOST
    if level in (w.LEVEL.ANNOUNCED, w.LEVEL.REVEALED):
        if made == hand:
            out.outcome = w.OUTCOME.WON
        elif made >= tricks:
            out.outcome, out.frozen = (
                w.OUTCOME.REMISE,
                rules.vole.announced_failed == w.FAILED.STAKE_FROZEN,
            )
        elif rules.vole.announced_below_game == w.BELOW_GAME.REMISE:
            out.outcome = w.OUTCOME.REMISE
        else:
            out.outcome = lost_as(rules, bid, tricks - made)
    else:
        short = (
            made if goal == w.GOAL.NONE else (tricks if goal == w.GOAL.AT_LEAST else hand) - made
        )
        out.outcome = w.OUTCOME.WON if short <= 0 else lost_as(rules, bid, short)
        if level == w.LEVEL.UNDERTAKEN and made != hand:
            facts |= w.FACT.FAILED
    return facts | (w.FACT.FROZEN if out.frozen else w.FACT.WON << out.outcome)


@compiled("int64(rules, result, int64, int64, int64)", **OPTIONS)
def held(rules, result, many, three, four):
    """The facts that so many matadors are."""
    many = min(many, rules.most_matadors[result.trump])
    return (three if many >= 3 else 0) | (four if many > 3 else 0)


@compiled("int64(rules, result, out, int64)", **OPTIONS)
def further(rules, result, out, many):
    """A unit for each of so many matadors past the fourth that counts."""
    return bounded(
        out, out.bases[w.BASIS.UNIT] * max(0, min(many, rules.most_matadors[result.trump]) - 4)
    )


@compiled("void(rules, result, out, boolean)", **OPTIONS)
def gather(rules, result, out, is_shared):
    """Who is of which party; ``is_shared``: the allies bear a loss together."""
    hombre, ally = result.hombre, result.ally
    every = others = seated = adversaries = 0
    for seat in range(rules.table.players):
        every = joined(every, seat)
        if seat != hombre:
            others = joined(others, seat)
        if seat in (hombre, ally):
            seated = joined(seated, seat)
        else:
            adversaries = joined(adversaries, seat)
    alone = joined(0, hombre)
    side = joined(alone, ally) if ally >= 0 else alone
    parties = out.parties
    parties[w.PARTY.ALL], parties[w.PARTY.OTHERS], parties[w.PARTY.ADVERSARIES] = (
        every,
        others,
        adversaries,
    )
    parties[w.PARTY.HOMBRE], parties[w.PARTY.TWICE] = alone, joined(alone, hombre)
    parties[w.PARTY.ALLIES], parties[w.PARTY.SIDE] = side, seated
    parties[w.PARTY.BEARERS] = side if is_shared else alone
    parties[w.PARTY.ALLY] = joined(0, ally) if ally >= 0 else 0
    parties[w.PARTY.POOL], parties[w.PARTY.VOLE_POOL] = joined(0, POOL), joined(0, VOLE_POOL)
    parties[w.PARTY.SCORE], parties[w.PARTY.FUND] = joined(0, SCORE), joined(0, FUND)
    givers = joined(0, result.surrendered) if result.surrendered >= 0 else 0
    for place in range(count(result.also_surrendered)):
        givers = joined(givers, seat_at(result.also_surrendered, place))
    parties[w.PARTY.GIVER] = givers


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


@compiled("int64(rules, int64)", **OPTIONS)
def beast_size(rules, standing):
    """The beast of a lost game when N beasts stand, where beasts have a size of their own."""
    first = rules.loss.beast_first
    if rules.loss.beast_size == w.BEAST_SIZE.DOUBLING:
        return min(first << standing, LIMIT) if standing <= MOST_DOUBLINGS else LIMIT
    always = rules.loss.beast_size == w.BEAST_SIZE.ALWAYS_FIRST
    return min(first * (1 if always else standing + 1), LIMIT)


@compiled("void(rules, result, out)", **OPTIONS)
def begin(rules, result, out):
    """A settlement without transfers: what is the case, who is on which side, and what it counts
    in."""
    out.outcome = out.vole = out.frozen = out.beast = out.pool_taken = out.inexact = out.count = 0
    for account in range(len(out.net)):
        out.net[account] = 0
    pool, times = result.pool, result.times
    if rules.unfit or pool < 0 or pool >= LIMIT or times > MOST_TIMES:
        out.inexact = 1
        return
    bid, ally, said, own = result.bid, result.ally, result.vole, result.tricks[result.hombre]
    level = w.LEVEL.ANNOUNCED if said == w.LEVEL.NONE and rules.bids[bid].is_vole else said
    made = own + (result.tricks[ally] if ally >= 0 else 0)
    facts = verdict(rules, out, bid, level, made)
    facts |= w.FACT.DEVOLE if (made if rules.loss.devole == w.DEVOLE.SIDE else own) == 0 else 0
    favoured = result.favourite >= 0 and result.trump == result.favourite
    out.times = times * 2 if favoured and rules.favourite.doubles == w.DOUBLES.GAME else times
    borne = rules.bids[bid].loss_borne
    weak = borne == w.BORNE.SHARED_IF_HOMBRE_MADE and own < rules.bids[bid].hombre_least_tricks
    exempt = rules.bids[bid].ally_exempt_tricks
    weak |= ally >= 0 and 0 < exempt <= result.tricks[ally]
    is_shared = ally >= 0 and borne != w.BORNE.HOMBRE and not weak
    facts |= (w.FACT.FAVOURED if favoured else 0) | (w.FACT.REPEATED if out.times > 1 else 0)
    facts |= (w.FACT.ALLIED if ally >= 0 else 0) | (w.FACT.SHARED if is_shared else 0)
    facts |= held(rules, result, result.matadors, w.FACT.THREE, w.FACT.FOUR)
    facts |= held(rules, result, result.against, w.FACT.AGAINST_THREE, w.FACT.AGAINST_FOUR)
    facts |= w.FACT.PREMIERS if result.premiers else 0
    facts |= w.FACT.SPADES << result.trump if result.trump < SUITS_IN_ALL else 0
    out.facts = facts | (rules.bids[bid].claimed & ~result.claims) << w.UNCLAIMED
    gather(rules, result, out, is_shared)
    out.bases[w.BASIS.COUNTER], out.bases[w.BASIS.TAKEN] = rules.scale, 0
    out.bases[w.BASIS.STAKE], out.bases[w.BASIS.LAID] = pool, pool
    out.bases[w.BASIS.UNIT], out.bases[w.BASIS.BEAST] = (
        unit_of(rules, out, pool),
        beast_size(rules, result.beasts),
    )
    out.bases[w.BASIS.FURTHER] = further(rules, result, out, result.matadors)
    out.bases[w.BASIS.AGAINST] = further(rules, result, out, result.against)
    if rules.measure_count:
        measure_all(rules, result, out)


# --- verbs


@compiled("void(rules, result, out, row, int64)", **OPTIONS)
def pay_seats(rules, result, out, row, amount):
    """Seats pay seats: each pays each, one pays one, or two halve what passes between them and
    each."""
    outer, inner, turned, why = (
        out.parties[row.outer],
        out.parties[row.inner],
        row.turned != 0,
        row.why,
    )
    half, more = halves(rules, out, amount) if row.verb == w.VERB.HALVED else (amount, 0)
    for place in range(count(outer)):
        seat = seat_at(outer, place)
        if not row.spared or (
            seat != result.surrendered and place_of(result.also_surrendered, seat) < 0
        ):
            if row.verb == w.VERB.EACH:
                for other in range(count(inner)):
                    part = amount
                    if seat == POOL:  # which pays in turn, as long as it holds anything
                        part = max(0, min(amount, result.pool + out.net[POOL]))
                    move(out, seat, seat_at(inner, other), part, why, turned)
            elif row.verb == w.VERB.PAIRED:
                move(out, seat, seat_at(inner, place), amount, why, turned)
            else:
                move(out, seat, seat_at(inner, 0), half + more, why, turned)
                move(out, seat, seat_at(inner, 1), half - more, why, turned)
        more = next_odd(rules, more)


@compiled("void(rules, result, out, row, int64)", **OPTIONS)
def pay_by_own(rules, result, out, row, amount):
    """Each pays each by the payer's own number of a fact, or by the payee's."""
    outer, inner, place = out.parties[row.outer], out.parties[row.inner], row.verb - w.VERBS
    measure, by_payee = rules.measures[place >> 1], place & 1
    for one in range(count(outer)):
        seat = seat_at(outer, one)
        for two in range(count(inner)):
            other = seat_at(inner, two)
            many = of_seat(rules, result, measure, other if by_payee else seat)
            part = bounded(out, amount * many)
            if seat == POOL:  # which pays in turn, as long as it holds anything
                part = max(0, min(part, result.pool + out.net[POOL]))
            pay(out, seat, other, part, row.why)


@compiled("void(rules, result, out, row, int64)", **OPTIONS)
def divide_pool(rules, result, out, row, amount):
    """Divide what a pool gives, or turned round what it gets, among seats."""
    pool, turned = seat_at(out.parties[row.outer], 0), row.turned != 0
    if pool == POOL and not turned:
        amount = min(amount, out.bases[w.BASIS.STAKE])
    moved = divide(rules, out, pool, out.parties[row.inner], amount, row.why, result.hombre, turned)
    if turned:
        out.beast = moved
    elif pool == POOL:
        out.pool_taken, out.bases[w.BASIS.TAKEN] = amount == out.bases[w.BASIS.STAKE], moved


@compiled("void(rules, result, out, row, int64)", **OPTIONS)
def sweep(rules, result, out, row, least):
    """The adversaries' sweep of the pool, where the rules let them."""
    pool, many = out.bases[w.BASIS.STAKE], count(out.parties[row.inner])
    drawn = min(pool, rules.loss.codille_draws * many) if rules.loss.codille_draws else pool
    how = rules.loss.codille_indivisible
    if many > 2 and how != w.INDIVISIBLE.EXACT:
        odd = drawn % (many * rules.scale)
        drawn -= drawn if odd and how == w.INDIVISIBLE.STAYS else odd
    if pool >= least:
        divide_pool(rules, result, out, row, drawn)


@compiled("void(rules, result, out, row, int64)", **OPTIONS)
def spread(rules, result, out, row, amount):
    """What a stake lacks, from all of one party in equal parts: into the pool, or to another party
    in equal parts."""
    losers, winners, hombre = out.parties[row.outer], out.parties[row.inner], result.hombre
    each, over, whose = share(rules, out, losers, amount, hombre)
    for place in range(count(losers)):
        loser = seat_at(losers, place)
        owed = each + odd_of(rules, losers, over, whose, loser)
        if row.inner == w.PARTY.POOL:
            pay(out, loser, POOL, owed, row.why)
            out.bases[w.BASIS.STAKE] += owed
            continue
        part, rest, whose_rest = share(rules, out, winners, owed, hombre)
        for other in range(count(winners)):
            winner = seat_at(winners, other)
            pay(
                out, loser, winner, part + odd_of(rules, winners, rest, whose_rest, winner), row.why
            )


# --- rows


@compiled("boolean(row, int64)", **OPTIONS)
def is_due(row, facts):
    """Whether a row's condition holds."""
    return facts & (row.need | row.bar) == row.need


@compiled("int64(rules, result, out, row)", **OPTIONS)
def amount_of(rules, result, out, row):
    """What a row comes to, as often as it counts."""
    base = out.net[VOLE_POOL] if row.basis == w.BASIS.STAKED else out.bases[row.basis]
    amount = bounded(out, exactly(out, row.amount * base, rules.parts))
    raised = row.count == w.COUNT.UNLESS_RAISED and out.bases[w.BASIS.STAKE] != result.pool
    times = out.times - 1 if row.verb == w.VERB.SPREAD else out.times
    return amount if raised or row.count == w.COUNT.NEVER else bounded(out, amount * times)


@compiled("void(rules, result, out, row)", **OPTIONS)
def pay_row(rules, result, out, row):
    """Make the payments of one row."""
    verb, amount = row.verb, amount_of(rules, result, out, row)
    if verb == w.VERB.SWEEP:
        sweep(rules, result, out, row, amount)
    elif verb == w.VERB.SPREAD:
        spread(rules, result, out, row, amount)
    elif verb == w.VERB.DIVIDE:
        divide_pool(rules, result, out, row, amount)
    elif amount and verb < w.VERBS:
        pay_seats(rules, result, out, row, amount)
    elif amount:
        pay_by_own(rules, result, out, row, amount)


@compiled("void(rules, result, out, int64)", **OPTIONS)
def settle_without(rules, result, out, unseen):
    """Every payment that the result causes under the rules, as if some facts were not the case,
    into ``out``."""
    begin(rules, result, out)
    if out.inexact:
        return
    out.facts &= ~unseen
    if rules.condition_count:
        out.facts |= conditions_met(rules, out)
    for n in range(rules.bids[result.bid].first_row, rules.bids[result.bid].end_row):
        if is_due(rules.rows[n], out.facts):
            first = out.count
            pay_row(rules, result, out, rules.rows[n])
            if rules.change_count:
                mark(rules, out, int64(n), first)
    if rules.change_count:
        change_payments(rules, result, out)
    out.pool_after = result.pool + out.net[POOL]
    out.written = -out.net[SCORE]


@compiled("void(rules, result, out)", **OPTIONS)
def settle(rules, result, out):
    """Every payment that the result causes under the rules, into ``out``."""
    settle_without(rules, result, out, 0)


@compiled("int64(rules, result, out)", **OPTIONS)
def due(rules, result, out):
    """The items that Hombre's side has earned and may claim, one bit each; ``out`` is written
    over."""
    begin(rules, result, out)
    if out.inexact or out.outcome != w.OUTCOME.WON:
        return 0
    earned, facts = 0, out.facts & (1 << w.UNCLAIMED) - 1
    for n in range(rules.bids[result.bid].first_row, rules.bids[result.bid].end_row):
        row = rules.rows[n]
        if row.kind and is_due(row, facts) and amount_of(rules, result, out, row):
            earned |= row.kind
    return earned
