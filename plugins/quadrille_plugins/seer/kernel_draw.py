"""Draws deals for ``seer``: unseen cards dealt to hands that may hold them.

What is drawn, and in which order, ``tests/support/seer_draw.py`` defines: from the same stream both
draw the same.
"""

from numba import int64

from quadrille_plugins.kernel.bits import ZERO, U, count, mix, mulhi
from quadrille_plugins.kernel.cards import legal, under
from quadrille_plugins.kernel.compiled import compiled
from quadrille_plugins.kernel.deal import PARTS
from quadrille_plugins.kernel.draws import GAMMA, limit
from quadrille_plugins.kernel.shares import INLINED, OPTIONS
from quadrille_plugins.players.kernel_steady_hands import trump_score
from quadrille_plugins.seer.kernel_mind import (
    A_CARD,
    A_LED,
    A_SEAT,
    A_SINCE,
    A_TABLE,
    O_IS_BID,
    O_SEAT,
    O_TRUMP,
    O_WANTED,
    O_WAY,
)

TRIES = 12
"""How often a draw is made anew that comes to a dead end, or that the duty to follow suit rules
out."""
DOUBT, MOST_DOUBT = 50, 6
"""Hundredths of a trick by which a hand must miss what was bid on it to count for half, and how
many times at most it is halved so."""


@compiled("Tuple((uint64, int64))(uint64, int64)", **INLINED)
def below(state, bound):
    """``Stream.below``: the next state of the stream, and a draw from 0 to ``bound`` - 1."""
    wide = U(bound)
    while True:
        state += GAMMA
        word = mix(state)
        # words that are drawn again are fewer than the bound, and the highest
        if word <= ~wide or word <= limit(wide):
            return state, int64(word % wide)


@compiled("Tuple((uint64, int64))(uint64, int64)", **INLINED)
def below_few(state, bound):
    """The same below a bound of forty at most, by a multiplication (``kernel.deal.shuffle``)."""
    wide = U(bound)
    while True:
        state += GAMMA
        word = mix(state)
        if word <= ~wide or word <= limit(wide):
            place = int64(word - mulhi(word, PARTS[bound]) * wide)
            return state, place - bound if place >= bound else place


@compiled("Tuple((boolean, uint64))(rules, mind, uint64, int64)", **OPTIONS)
def place(rules, mind, state, i):
    """Give an unseen card to one of those who may hold it, by the room left there; False if there
    is none."""
    mask, left, total, seat = mind.may[i], mind.left, int64(0), int64(0)
    for other in range(rules.table.players):
        if mask >> other & 1:
            total += left[other]
    if total == 0:
        return False, state
    state, at = below_few(state, total)
    while not (mask >> seat & 1 and at < left[seat]):
        if mask >> seat & 1:
            at -= left[seat]
        seat += 1
    left[seat] -= 1
    mind.drawn[seat] |= mind.unseen[i]
    return True, state


@compiled("Tuple((boolean, uint64))(rules, mind, uint64)", **OPTIONS)
def deal_out(rules, mind, state):
    """Give each unseen card to a seat by the room left there, those first that fewest may hold, and
    those that any may hold as they were shuffled; False at a dead end."""
    many, others, cards = mind.unseen_count, rules.table.players - 1, mind.order
    for i in range(many):
        cards[i] = i
    for i in range(many - 1, 0, -1):
        state, j = below_few(state, int64(i + 1))
        cards[i], cards[j] = cards[j], cards[i]
    for seat in range(5):
        mind.drawn[seat] = ZERO
        mind.left[seat] = mind.room[seat]
    for holders in range(1, others if mind.constrained else 1):
        for i in range(many):
            if int64(count(U(mind.may[cards[i]]))) == holders:
                found, state = place(rules, mind, state, cards[i])
                if not found:
                    return False, state
    seat = int64(0)
    for i in range(many):
        if mind.constrained and int64(count(U(mind.may[cards[i]]))) < others:
            continue
        while mind.left[seat] == 0:
            seat += 1
        mind.left[seat] -= 1
        mind.drawn[seat] |= mind.unseen[cards[i]]
    return True, state


@compiled("boolean(rules, mind)", **OPTIONS)
def allowed(rules, mind):
    """Whether every answer to a trump lead was one that the hands drawn allowed."""
    trump = mind.game.trump
    for n in range(mind.answer_count):
        answer = mind.answers[n]
        hand = under(rules, trump, mind.drawn[int64(answer[A_SEAT])] | answer[A_SINCE])
        if legal(rules, trump, hand, answer[A_LED], answer[A_TABLE]) & answer[A_CARD] == ZERO:
            return False
    return True


@compiled("Tuple((boolean, uint64))(rules, mind, uint64)", **OPTIONS)
def draw(rules, mind, state):
    """Draw hands; False where no try has found any that the rules allow."""
    for _ in range(TRIES):
        found, state = deal_out(rules, mind, state)
        if found and allowed(rules, mind):
            return True, state
    return False, state


@compiled("int64(rules, int64[::1], mind)", **OPTIONS)
def doubts(rules, scores, mind):
    """How often a deal is halved for what was bid and passed on the hands that it began with."""
    halved = int64(0)
    for n in range(mind.opinion_count):
        said = mind.opinions[n]
        hand, way, trump = mind.began[said[O_SEAT]], said[O_WAY], said[O_TRUMP]
        points = trump_score(rules, scores, way, hand, max(trump, int64(0)))
        if trump < 0:
            for suit in range(1, 4):
                points = max(points, trump_score(rules, scores, way, hand, int64(suit)))
        short = said[O_WANTED] - points if said[O_IS_BID] else points - said[O_WANTED]
        if short > 0:
            halved += min(short // DOUBT, int64(MOST_DOUBT))
    return halved


@compiled("uint64(mind, uint64, int64, int64)", **OPTIONS)
def keep(mind, state, found, wanted):
    """Keep so many of the hands found, by weight, none twice; the weights of those kept become
    0."""
    total = int64(0)
    for n in range(found):
        total += mind.weights[n]
    for i in range(wanted):
        state, place = below(state, total)
        n = int64(0)
        while place >= mind.weights[n]:
            place -= mind.weights[n]
            n += 1
        for seat in range(5):
            mind.hands[i, seat] = mind.found[n, seat]
        total -= mind.weights[n]
        mind.weights[n] = 0
    return state
