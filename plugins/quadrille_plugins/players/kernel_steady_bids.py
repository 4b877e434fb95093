"""How ``steady`` bids: ``bots.steady._bid`` and the values of ``bots.steady_value`` behind it."""

from numba import int64

from quadrille_plugins.fast import memory as at_deal
from quadrille_plugins.fast import play_layout as at
from quadrille_plugins.fast.auction import bid_at, home_bit, may_bid, spec_at
from quadrille_plugins.fast.bits import U, count
from quadrille_plugins.fast.compiled import compiled
from quadrille_plugins.fast.shares import INLINED, OPTIONS
from quadrille_plugins.fast.slot import PASS
from quadrille_plugins.players.kernel_steady_hands import after_exchange, bucket_of, matadors, score
from quadrille_plugins.players.kernel_steady_values import PARTS, VALUE, bystander_at, pool_step, value_at

MIND = "UniTuple(int64[::1], 3)"
"""What she plays by: STEADY, SCORES and VALUES (``steady_arrays``)."""
SPOILT = -(1 << 62)
EXCHANGED = 5
"""Beside the ways of playing: alone, after an exchange."""
MATADORS_MARK = 1 << 40
ALL_SUITS = 15


@compiled("int64(int64[::1], int64, int64)", **INLINED)
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


@compiled("int64(uint64[::1], int64[::1], int64[::1], int64[::1], uint64, int64, int64, int64)", **INLINED)
def known_score(order, steady, scores, deal, hand, known, way, trump):
    """The score of a hand, remembered at ``known`` for as long as bids are made."""
    mark = int64(1) << (way * 5 + trump)
    place = known + at_deal.SCORE + way * 5 + trump
    if not deal[known + at_deal.SCORED] & mark:
        deal[known + at_deal.SCORED] |= mark
        if way == EXCHANGED:
            deal[place] = after_exchange(order, steady, scores, hand, trump)
        else:
            deal[place] = score(order, steady, scores, way, hand, trump)
    return deal[place]


@compiled("int64(uint64[::1], int64[::1], int64[::1], uint64, int64, int64)", **INLINED)
def known_matadors(order, rules, deal, hand, known, trump):
    """The matadors of a hand under a trump, remembered likewise: 0 for none, 1 for three, 2 for four."""
    place = known + at_deal.MATADORS_KNOWN
    if not deal[known + at_deal.SCORED] & MATADORS_MARK:
        deal[known + at_deal.SCORED] |= MATADORS_MARK
        for suit in range(5):
            deal[place + suit] = matadors(order, rules, hand, int64(suit))
    return deal[place + trump]


@compiled(
    "int64(int64[::1], uint64[::1], int64[::1], int64[::1], int64[::1], int64[::1], uint64, int64, int64)", **INLINED
)
def bid_value(rules, order, steady, scores, values, deal, hand, known, spec):
    """What the bid is worth with this hand: the best of the trumps that it may name."""
    block, favourite = bid_at(rules, spec), deal[at_deal.FAVOURITE]
    way = steady[at.MODES + rules[spec_at(rules, spec) + at.SPEC_BID]]
    step, suits = pool_step(rules, deal[at_deal.POOL]), suits_for(rules, spec, favourite)
    seen = int64(EXCHANGED) if rules[block + at.EXCHANGE] and way == at.ALONE else way
    best = int64(SPOILT)
    for trump in range(5):
        if not suits >> trump & 1:
            continue
        points = known_score(order, steady, scores, deal, hand, known, seen, int64(trump))
        favoured = int64(trump == favourite and way != at.BLIND)
        held = int64(0) if way == at.BLIND else known_matadors(order, rules, deal, hand, known, int64(trump))
        best = max(best, values[value_at(rules, spec, step, favoured, held) + bucket_of(points)])
    return best


@compiled("int64(int64[::1], uint64[::1], int64[::1], int64[::1], int64[::1], int64[::1], uint64, int64)", **OPTIONS)
def all_pass_value(rules, order, steady, scores, values, deal, hand, known):
    """What it is worth when nobody bids, in twelfths."""
    spec = rules[at.FORCED_SPEC]
    if spec < 0:
        return PARTS * VALUE // rules[at.PLAYERS] * deal[at_deal.POOL]
    if hand & home_bit(order, rules[bid_at(rules, spec) + at.FORCED_ON]):
        return PARTS * bid_value(rules, order, steady, scores, values, deal, hand, known, spec)
    return values[bystander_at(rules, spec, pool_step(rules, deal[at_deal.POOL]), int64(1))]


@compiled(
    "int64(int64[::1], uint64[::1], int64[::1], int64[::1], int64[::1], int64[::1], uint64, int64, int64)", **INLINED
)
def pass_value(rules, order, steady, scores, values, deal, hand, known, seat):
    """What passing is worth, in twelfths of a player's part."""
    players, step, zero = rules[at.PLAYERS], pool_step(rules, deal[at_deal.POOL]), int64(0)
    if deal[at_deal.STANDING] >= 0:
        return players * values[bystander_at(rules, deal[at_deal.STANDING_SPEC], step, zero)]
    others = zero
    if rules[at.FIRST_SPEC] >= 0:
        others = values[bystander_at(rules, rules[at.FIRST_SPEC], step, zero)]
    to_speak = players - int64(count(U(deal[at_deal.SPOKEN] | int64(1) << seat)))
    rest = all_pass_value(rules, order, steady, scores, values, deal, hand, known)
    return to_speak * others + (players - to_speak) * rest


@compiled(f"int64(int64[::1], uint64[::1], {MIND}, int64[::1], uint64[::1], int64)", **INLINED)
def choose_bid(rules, order, mind, deal, hands, seat):
    """The bid worth most, or PASS."""
    steady, scores, values = mind
    hand = hands[at_deal.HANDS + seat]
    known = at_deal.HAND + seat * at_deal.HAND_SIZE
    choice, best, asked = int64(PASS), int64(0), False
    for spec in range(rules[at.LADDER]):
        if not may_bid(rules, deal, hand, seat, int64(spec)):
            continue
        if not asked:
            best = pass_value(rules, order, steady, scores, values, deal, hand, known, seat)
            asked = True
        value = bid_value(rules, order, steady, scores, values, deal, hand, known, int64(spec))
        value *= PARTS * rules[at.PLAYERS]
        if value > best:
            best, choice = value, int64(spec)
    return choice
