"""What ``steady`` sees in a hand: the scores of ``players.steady_features``, from tables of
suits."""

from numba import int64

from quadrille_plugins.kernel.auction import home_bit
from quadrille_plugins.kernel.bits import ONE, ZERO, U, count, ctz, low_bit
from quadrille_plugins.kernel.cards import lane, trumps_of
from quadrille_plugins.kernel.compiled import compiled, way_in
from quadrille_plugins.kernel.shares import INLINED, OPTIONS
from quadrille_plugins.players.steady_arrays import WAY
from quadrille_plugins.players.steady_features import BUCKETS

TRUMP_SCORES, PLAIN_SCORES = 0, 2 * 2 * 4096
SCORES = PLAIN_SCORES + 2 * 2 * 1024
"""SCORES (int64): for the ways ``alone`` and ``ally`` the part of each holding of black and of red
trumps, then of each holding of a black and of a red plain suit."""
WIDTH = 40


@compiled("int64(rules, int64[::1], int64, uint64, int64)", **INLINED)
def trump_score(rules, scores, way, hand, trump):
    """The score for playing alone (0) or with an ally (1) with this trump suit."""
    held = int64(trumps_of(rules, trump, hand) >> U(48))
    total = scores[TRUMP_SCORES + (way * 2 + (trump & 1)) * 4096 + held]
    base = PLAIN_SCORES + way * 2048
    for suit in range(4):
        if suit != trump:
            total += scores[base + (suit & 1) * 1024 + int64((hand >> U(12 * suit)) & U(1023))]
    return total


@compiled("int64(rules, steady, int64[::1], int64, uint64, int64)", **INLINED)
def plain_or_none(rules, steady, scores, way, hand, trump):
    """The score with a trump suit; where none is trumps the two aces are the trumps, and every suit
    is plain."""
    if trump < 4:
        return trump_score(rules, scores, way, hand, trump)
    total = steady.weights[way, 0]
    if (hand >> U(9)) & ONE:
        total += steady.weights[way, 1] + steady.weights[way, 15]
    if (hand >> U(33)) & ONE:
        total += steady.weights[way, 2]
        if (hand >> U(9)) & ONE:
            total += steady.weights[way, 15]
    base = PLAIN_SCORES + way * 2048
    for suit in range(4):
        total += scores[base + (suit & 1) * 1024 + int64((hand >> U(12 * suit)) & U(1023))]
    return total


@compiled("uint64(rules, uint64, int64, int64)", **OPTIONS)
def _held(rules, hand, trump, suit):
    """The cards held of a suit, compressed to the low bits."""
    if suit == trump:
        return trumps_of(rules, trump, hand) >> U(48)
    return (hand & rules.order[trump].plain & lane(suit)) >> U(12 * suit)


@compiled("int64(rules, int64, int64)", **OPTIONS)
def _top(rules, trump, suit):
    """The place of the highest card of a suit as the play has it."""
    if suit == trump:
        return int64(11)
    return int64(8 + (suit & 1))


@compiled("int64(rules, steady, uint64, int64)", **OPTIONS)
def _bare_score(rules, steady, hand, trump):
    weights = steady.weights[WAY.BARE]
    spadille, basto = int64((hand >> U(9)) & ONE), int64((hand >> U(33)) & ONE)
    total = weights[0] + weights[1] * spadille + weights[2] * basto
    for suit in range(4):
        held, top = int64(_held(rules, hand, trump, int64(suit))), _top(rules, trump, int64(suit))
        length = int64(count(U(held)))
        first, second, third = held >> top & 1, held >> (top - 1) & 1, held >> (top - 2) & 1
        total += first * weights[3]
        if second and first:
            total += weights[5]
        elif second and length > 1:
            total += weights[4]
        if third and length > 2:
            total += weights[6]
        if first and length > 3:
            total += (length - 3) * weights[7]
        if first and second and third:
            total += (length - 3) * weights[8]
    return total


@compiled("int64(rules, int64, int64)", **OPTIONS)
def _lowest(rules, trump, suit):
    """The place of the lowest card of a suit: black trumps begin one above the lane."""
    return int64(1) if suit == trump and suit & 1 == 0 else int64(0)


@compiled("int64(rules, steady, uint64, int64)", **OPTIONS)
def _avoiding_score(rules, steady, hand, trump):
    weights = steady.weights[WAY.NONE]
    spadille, basto = int64((hand >> U(9)) & ONE), int64((hand >> U(33)) & ONE)
    danger = worst = bare_high = voids = int64(0)
    for suit in range(4):
        held = _held(rules, hand, trump, int64(suit))
        if held == ZERO:
            voids += 1
            continue
        lowest = _lowest(rules, trump, int64(suit))
        here = place = int64(0)
        while held:
            bit = low_bit(held)
            held ^= bit
            rank = int64(ctz(bit)) - lowest
            here += max(int64(0), rank - 2 * place - 1)
            if place == 0 and rank > 2:
                bare_high += rank - 2
            place += 1
        danger += here
        worst = max(worst, here)
    total = weights[0] + weights[1] * spadille + weights[2] * basto
    total += weights[3] * danger + weights[4] * worst + weights[5] * bare_high
    return total + weights[6] * voids + weights[7] * min(danger, int64(4))


@compiled("int64(rules, steady, int64[::1], int64, uint64, int64)", **INLINED)
def score(rules, steady, scores, way, hand, trump):
    """The tricks to expect, in hundredths: ``Valuer.score``."""
    if way in (WAY.ALONE, WAY.ALLY):
        return plain_or_none(rules, steady, scores, way, hand, trump)
    if way == WAY.BLIND:
        total = int64(0)
        for suit in range(4):
            total += trump_score(rules, scores, int64(1), hand, int64(suit))
        return steady.weights[way, 0] + steady.weights[way, 1] * total // 400
    if way == WAY.BARE:
        return _bare_score(rules, steady, hand, trump)
    return _avoiding_score(rules, steady, hand, trump)


@compiled("int64(int64)", **INLINED)
def bucket_of(score):
    """The row of the table that a score falls in."""
    if score < 0:
        return int64(0)
    return min(score // WIDTH, BUCKETS - 1)


@compiled("int64(steady, int64, int64, int64)", **OPTIONS)
def _trump_part(steady, way, holding, trumps):
    """The score part of a trump holding, given the number of trumps."""
    total = steady.weights[way, 0]
    tops = 0
    for place in range(6):
        if holding >> (11 - place) & 1:
            tops += 1
            total += steady.weights[way, 1 + place]
    length, sure = int64(count(U(holding))), int64(0)
    while sure < trumps and holding >> (11 - sure) & 1:
        sure += 1
    total += steady.weights[way, 15] * sure
    if 2 * sure >= trumps - length:
        total += steady.weights[way, 16] * (length - sure)
    return (
        total
        + steady.weights[way, 7] * (length - tops)
        + steady.weights[way, 8] * max(int64(0), length - 4)
    )


@compiled("int64(steady, int64, int64, int64)", **OPTIONS)
def _plain_part(steady, way, holding, top):
    """``top`` is the place of the suit's highest card; the bit above it, a black ace's, does not
    count."""
    held = holding & ((2 << top) - 1)
    length = int64(count(U(held)))
    if length == 0:
        return steady.weights[way, 13]
    first, second, third = held >> top & 1, held >> (top - 1) & 1, held >> (top - 2) & 1
    total = first * steady.weights[way, 9]
    if second and first:
        total += steady.weights[way, 11]
    elif second and length > 1:
        total += steady.weights[way, 10]
    if third and length > 2:
        total += steady.weights[way, 12]
    if length == 1 and not first:
        total += steady.weights[way, 14]
    return total


@way_in("void(steady, int64[::1])", **OPTIONS)
def fill_scores(steady, scores):
    """Fill in the score parts of every holding of a suit."""
    for way in range(2):
        for red in range(2):
            for holding in range(4096):
                part = _trump_part(steady, int64(way), int64(holding), int64(11 + red))
                scores[TRUMP_SCORES + (way * 2 + red) * 4096 + holding] = part
            for holding in range(1024):
                part = _plain_part(steady, int64(way), holding, int64(8 + red))
                scores[PLAIN_SCORES + (way * 2 + red) * 1024 + holding] = part


@compiled("int64(rules, uint64, int64)", **INLINED)
def matadors(rules, hand, trump):
    """0 for none, 1 for three and 2 for four matadors that the hand alone would be paid for."""
    if trump > 3:
        return int64(0)
    top = int64(trumps_of(rules, trump, hand) >> U(56)) & 15
    if top & 14 != 14:
        return int64(0)
    return (
        int64(2) if top & 1 and (trump & 1 or rules.payments.matadors_four_in_black) else int64(1)
    )


@compiled("Tuple((int64, uint64))(rules, steady, int64[::1], uint64, uint64, int64)", **OPTIONS)
def exchanged(rules, steady, scores, hand, called, trump):
    """The score with that card, a bit of the home order, in hand, and another given for it; and
    which."""
    full = hand | called
    best, given = int64(-1), called
    for suit in range(4):
        if suit == trump:
            held = trumps_of(rules, trump, full & ~called)
            if held == ZERO or held & (held - ONE):
                continue
            low = home_bit(rules, rules.order[trump].card_at[int64(ctz(held))])
        else:
            held = full & ~called & rules.order[trump].plain & lane(int64(suit))
            if held == ZERO:
                continue
            low = low_bit(held)
        points = plain_or_none(rules, steady, scores, int64(0), full & ~low, trump)
        if points > best:
            best, given = points, low
    return best, given


@compiled("int64(rules, steady, int64[::1], uint64, int64, int64)", **OPTIONS)
def after_exchange(rules, steady, scores, hand, trump, cards):
    """The best score of the hand with a king called into it and a card given away, so many times;
    of several none of trumps."""
    best = int64(0)
    for _ in range(cards):
        found, kept = int64(0), hand
        for suit in range(4):
            king = home_bit(rules, int64(10 * suit + 1))
            if hand & king or (cards > 1 and suit == trump):
                continue
            points, given = exchanged(rules, steady, scores, hand, king, trump)
            if points > found:
                found, kept = points, (hand | king) & ~given
        best, hand = found if found else best, kept
    return best
