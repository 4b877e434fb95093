"""How ``steady`` bids: ``bots.steady._bid`` and the values of ``bots.steady_value`` behind it."""

from numba import int64, njit

from quadrille_core.kernel import memory as at_deal
from quadrille_core.kernel.auction import bid_at, home_bit, may_bid, spec_at
from quadrille_core.kernel.bits import U, count
from quadrille_core.kernel.shares import OPTIONS
from quadrille_core.kernel.steady_hands import after_exchange, bucket_of, matadors, score
from quadrille_core.kernel.steady_values import ADVERSARY, ALLY, VALUE, pool_step, row_value, value_at
from quadrille_core.tables import play_layout as at

SPOILT = -(1 << 62)
PARTS = 12
"""A bystander's value is shared among three or four."""
ALL_SUITS = 15


@njit("int64(int64[::1], int64, int64)", **OPTIONS)
def suits_for(rules, spec, favourite):
    """The suits that may be made trumps after this bid, one bit each; the fifth stands for none."""
    block = bid_at(rules, spec)
    if rules[block + at.NO_TRUMPS]:
        return int64(16)
    if rules[spec_at(rules, spec) + at.SPEC_FAVOURITE] and favourite >= 0:
        return int64(1) << favourite
    if rules[block + at.BINDS] and rules[block + at.MADE_IN_TURN] and favourite >= 0:
        return ALL_SUITS & ~(int64(1) << favourite)
    return int64(ALL_SUITS)


@njit("int64(uint64[::1], int64[::1], int64[::1], int64[::1], uint64, int64, int64)", **OPTIONS)
def known_score(order, steady, scores, deal, hand, way, trump):
    """The score of the hand in turn, remembered for as long as it is her turn."""
    mark = int64(1) << (way * 5 + trump)
    place = at_deal.SCORE + way * 5 + trump
    if not deal[at_deal.SCORED] & mark:
        deal[at_deal.SCORED] |= mark
        deal[place] = score(order, steady, scores, way, hand, trump)
    return deal[place]


@njit("int64(int64[::1], uint64[::1], int64[::1], int64[::1], int64[::1], int64[::1], uint64, int64)", **OPTIONS)
def bid_value(rules, order, steady, scores, values, deal, hand, spec):
    """What the bid is worth with this hand: the best of the trumps that it may name."""
    block, favourite = bid_at(rules, spec), deal[at_deal.FAVOURITE]
    way = steady[at.MODES + rules[spec_at(rules, spec) + at.SPEC_BID]]
    step, suits = pool_step(rules, deal[at_deal.POOL]), suits_for(rules, spec, favourite)
    best = int64(SPOILT)
    for trump in range(5):
        if not suits >> trump & 1:
            continue
        if rules[block + at.EXCHANGE] and way == at.ALONE:
            points = after_exchange(order, steady, scores, hand, int64(trump))
        else:
            points = known_score(order, steady, scores, deal, hand, way, int64(trump))
        favoured = int64(trump == favourite and way != at.BLIND)
        held = int64(0) if way == at.BLIND else matadors(order, rules, hand, int64(trump))
        best = max(best, values[value_at(rules, spec, step, favoured, held) + bucket_of(points)])
    return best


@njit("int64(int64[::1], int64[::1], int64[::1], int64[::1], int64, int64)", **OPTIONS)
def bystander_value(rules, steady, values, deal, spec, bucket):
    """What somebody else's game is worth, in twelfths; ``bucket`` -1 is that of a typical hand."""
    step = pool_step(rules, deal[at_deal.POOL])
    block = spec_at(rules, spec)
    way = steady[at.MODES + rules[block + at.SPEC_BID]]
    place = min(steady[at.TYPICAL + way] if bucket < 0 else bucket, int64(at.BUCKETS - 1))
    favoured = rules[block + at.SPEC_FAVOURITE]
    zero = int64(0)
    against = row_value(rules, steady, values, spec, zero, step, favoured, zero, int64(ADVERSARY), way, place)
    if not rules[bid_at(rules, spec) + at.CALLED]:
        return PARTS * against
    along = row_value(rules, steady, values, spec, zero, step, favoured, zero, int64(ALLY), way, place)
    adversaries = rules[at.PLAYERS] - 2
    return PARTS // (adversaries + 1) * (along + adversaries * against)


@njit("int64(int64[::1], uint64[::1], int64[::1], int64[::1], int64[::1], int64[::1], uint64)", **OPTIONS)
def all_pass_value(rules, order, steady, scores, values, deal, hand):
    """What it is worth when nobody bids, in twelfths."""
    spec = rules[at.FORCED_SPEC]
    if spec < 0:
        return PARTS * VALUE // rules[at.PLAYERS] * deal[at_deal.POOL]
    if hand & home_bit(order, rules[bid_at(rules, spec) + at.FORCED_ON]):
        return PARTS * bid_value(rules, order, steady, scores, values, deal, hand, spec)
    return bystander_value(rules, steady, values, deal, spec, steady[at.FORCED_BUCKET])


@njit("int64(int64[::1], uint64[::1], int64[::1], int64[::1], int64[::1], int64[::1], uint64, int64)", **OPTIONS)
def pass_value(rules, order, steady, scores, values, deal, hand, seat):
    """What passing is worth, in twelfths of a player's part."""
    players = rules[at.PLAYERS]
    if deal[at_deal.STANDING] >= 0:
        return players * bystander_value(rules, steady, values, deal, deal[at_deal.STANDING_SPEC], int64(-1))
    others = int64(0)
    if rules[at.FIRST_SPEC] >= 0:
        others = bystander_value(rules, steady, values, deal, rules[at.FIRST_SPEC], int64(-1))
    to_speak = players - int64(count(U(deal[at_deal.SPOKEN] | int64(1) << seat)))
    rest = all_pass_value(rules, order, steady, scores, values, deal, hand)
    return to_speak * others + (players - to_speak) * rest


@njit("int64(int64[::1], uint64[::1], int64[::1], int64[::1], int64[::1], int64[::1], uint64, int64)", **OPTIONS)
def choose_bid(rules, order, steady, scores, values, deal, hand, seat):
    """The bid worth most; -1 to pass."""
    deal[at_deal.SCORED] = 0
    choice, best, asked = int64(-1), int64(0), False
    for spec in range(rules[at.LADDER]):
        if not may_bid(rules, deal, hand, seat, int64(spec)):
            continue
        if not asked:
            best = pass_value(rules, order, steady, scores, values, deal, hand, seat)
            asked = True
        value = PARTS * rules[at.PLAYERS] * bid_value(rules, order, steady, scores, values, deal, hand, int64(spec))
        if value > best:
            best, choice = value, int64(spec)
    return choice
