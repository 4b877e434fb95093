"""How ``steady`` bids: ``players.steady._bid`` and the values of ``players.steady_value`` behind
it."""

from numba import int64

from quadrille_plugins.kernel.auction import barred_suits, bid_at, home_bit, may_bid
from quadrille_plugins.kernel.bits import ZERO, U, count
from quadrille_plugins.kernel.compiled import compiled
from quadrille_plugins.kernel.shares import INLINED, OPTIONS
from quadrille_plugins.kernel.slot import PASS
from quadrille_plugins.kernel.words import MADE, TRUMP
from quadrille_plugins.players.kernel_steady_hands import after_exchange, bucket_of, matadors, score
from quadrille_plugins.players.kernel_steady_values import (
    PARTS,
    VALUE,
    bystander_at,
    pool_step,
    value_at,
)
from quadrille_plugins.players.steady_arrays import WAY

POLICY = "Tuple((steady, int64[::1], int64[::1]))"
"""What it plays by: STEADY, SCORES and VALUES (``steady_arrays``)."""
SPOILT = -(1 << 62)
EXCHANGED = 5
"""Beside the ways of playing: alone, after one card was exchanged; behind it, after several."""
MATADORS_MARK = 1 << 60
ALL_SUITS = 15


@compiled("int64(rules, int64, int64)", **INLINED)
def suits_for(rules, spec, favourite):
    """The suits that may be made trumps after this bid, one bit each; the fifth stands for none."""
    block = bid_at(rules, spec)
    if rules.bids[block].trump == TRUMP.NONE:
        return int64(16)
    if rules.specs[spec].favourite and favourite >= 0:
        return int64(1) << favourite
    suits = int64(ALL_SUITS)
    if rules.bids[block].binds and rules.bids[block].made == MADE.IN_TURN and favourite >= 0:
        suits &= ~(int64(1) << favourite)
    free = suits & ~barred_suits(rules, block, favourite)
    return free if free else suits


@compiled("int64(rules, steady, int64[::1], known, uint64, int64, int64)", **INLINED)
def known_score(rules, steady, scores, known, hand, way, trump):
    """The score of a hand, remembered for as long as bids are made."""
    place = way * 5 + trump
    if not known.scored >> place & 1:
        known.scored |= int64(1) << place
        if way >= EXCHANGED:
            cards = way - EXCHANGED + 1
            known.score[place] = after_exchange(rules, steady, scores, hand, trump, cards)
        else:
            known.score[place] = score(rules, steady, scores, way, hand, trump)
    return known.score[place]


@compiled("int64(rules, known, uint64, int64)", **INLINED)
def known_matadors(rules, known, hand, trump):
    """The matadors of a hand under a trump, remembered likewise: 0 for none, 1 for three, 2 for
    four."""
    if not known.scored & MATADORS_MARK:
        known.scored |= MATADORS_MARK
        for suit in range(5):
            known.matadors[suit] = matadors(rules, hand, int64(suit))
    return known.matadors[trump]


@compiled("int64(rules, steady, int64[::1], int64[::1], deal, uint64, known, int64)", **INLINED)
def bid_value(rules, steady, scores, values, deal, hand, known, spec):
    """What the bid is worth with this hand: the best of the trumps that it may name."""
    block, favourite = bid_at(rules, spec), deal.favourite
    way = steady.modes[rules.specs[spec].bid]
    step, suits = pool_step(rules, deal.pool), suits_for(rules, spec, favourite)
    seen = way
    if rules.bids[block].exchange and way == WAY.ALONE:
        seen = EXCHANGED - 1 + rules.bids[block].cards_asked
    best = int64(SPOILT)
    for trump in range(5):
        if not suits >> trump & 1:
            continue
        points = known_score(rules, steady, scores, known, hand, seen, int64(trump))
        favoured = int64(trump == favourite and way != WAY.BLIND)
        held = int64(0) if way == WAY.BLIND else known_matadors(rules, known, hand, int64(trump))
        best = max(best, values[value_at(rules, spec, step, favoured, held) + bucket_of(points)])
    return best


@compiled("int64(rules, steady, int64[::1], int64[::1], deal, uint64, known, int64)", **OPTIONS)
def all_pass_value(rules, steady, scores, values, deal, hand, known, seat):
    """The value of a deal in which all pass, in twelfths."""
    spec = rules.forced_spec
    if spec < 0:
        return PARTS * VALUE // rules.table.players * deal.pool
    if rules.falls:
        falls = deal.expecting >> seat & 1 != 0
    else:
        falls = hand & home_bit(rules, rules.bids[bid_at(rules, spec)].forced_on) != ZERO
    if falls:
        return PARTS * bid_value(rules, steady, scores, values, deal, hand, known, spec)
    return values[bystander_at(rules, spec, pool_step(rules, deal.pool), int64(1))]


@compiled("int64(rules, steady, int64[::1], int64[::1], deal, uint64, known, int64)", **INLINED)
def pass_value(rules, steady, scores, values, deal, hand, known, seat):
    """The value of passing, in twelfths of a player's part."""
    players, step, zero = rules.table.players, pool_step(rules, deal.pool), int64(0)
    if deal.standing >= 0:
        return players * values[bystander_at(rules, deal.standing_spec, step, zero)]
    others = zero
    if rules.first_spec >= 0:
        others = values[bystander_at(rules, rules.first_spec, step, zero)]
    to_speak = players - int64(count(U(deal.spoken | int64(1) << seat)))
    rest = all_pass_value(rules, steady, scores, values, deal, hand, known, seat)
    return to_speak * others + (players - to_speak) * rest


@compiled(f"int64(rules, {POLICY}, deal, int64)", **INLINED)
def choose_bid(rules, policy, deal, seat):
    """The bid worth most, or PASS."""
    steady, scores, values = policy
    hand = deal.hands[seat]
    known = deal.known[seat]
    choice, best, asked = int64(PASS), int64(0), False
    for spec in range(rules.ladder):
        if not may_bid(rules, deal, hand, seat, int64(spec)):
            continue
        if not asked:
            best = pass_value(rules, steady, scores, values, deal, hand, known, seat)
            best -= steady.boldness * (PARTS * VALUE) * rules.table.players * rules.scale
            asked = True
        value = bid_value(rules, steady, scores, values, deal, hand, known, int64(spec))
        value *= PARTS * rules.table.players
        if value > best:
            best, choice = value, int64(spec)
    return choice
