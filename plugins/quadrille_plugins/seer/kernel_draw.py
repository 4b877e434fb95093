"""Samples deals for ``seer``: unseen cards dealt to hands that may hold them, each deal weighted.

Hands are masks of the pack here (bit ``c`` for card ``c``), as in ``players.steady_play``.  What is
drawn, and in which order, ``seer.sample`` defines: from the same stream both draw the same.
"""

from numba import int64

from quadrille_plugins.kernel.auction import home_bit
from quadrille_plugins.kernel.bits import ONE, ZERO, U, count, ctz, mix
from quadrille_plugins.kernel.compiled import compiled, way_in
from quadrille_plugins.kernel.draws import GAMMA, limit
from quadrille_plugins.kernel.follow import legal
from quadrille_plugins.kernel.lanes import WORD
from quadrille_plugins.kernel.shares import INLINED, OPTIONS
from quadrille_plugins.players.kernel_steady_hands import trump_score

TRIES = 12
"""How often a draw is made anew that comes to a dead end, or that the duty to follow suit rules
out."""
DOUBT, MOST_DOUBT = 50, 6
"""``seer.sample.DOUBT`` and ``LEAST_WEIGHT``; a test holds them together."""
A_SEAT, A_SINCE, A_CARD, A_LED, A_JUDGED, ANSWER = range(6)
"""A card played to a trump lead: whose, the cards they had played from it on, and as words of lanes
the card, the card led and the reference by which matadors were judged."""
O_SEAT, O_WAY, O_WANTED, O_TRUMP, O_BID, OPINION = range(6)
"""What was said of a hand: whose, the way of playing, the score that a bid wants, the trump (-1:
any), 1 for a bid and 0 for a pass."""
ROOM = 48
"""Numbers that a draw works in."""


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


@compiled("uint64(uint64[::1], uint64)", **OPTIONS)
def words_of(row, cards):
    """Cards of the pack as words of lanes (``kernel.lanes``)."""
    out = ZERO
    while cards:
        out |= row[WORD + int64(ctz(cards))]
        cards &= cards - ONE
    return out


@compiled("uint64(rules, uint64)", **OPTIONS)
def home_of(rules, cards):
    """Cards of the pack in the home order (``kernel.tabulate``)."""
    out = ZERO
    while cards:
        out |= home_bit(rules, int64(ctz(cards)))
        cards &= cards - ONE
    return out


@compiled(
    "Tuple((boolean, uint64))(uint64, int64[::1], int64[::1], int64[::1], int64, uint64[::1], "
    "int64[::1])",
    **OPTIONS,
)
def deal_out(state, unseen, may, room, seats, hands, numbers):
    """Give each unseen card to a seat by the room left there, those first that fewest may hold;
    False at a dead end."""
    many, cards, left = len(unseen), numbers[:40], numbers[40:45]
    for i in range(many):
        cards[i] = i
    for i in range(many - 1, 0, -1):
        state, j = below(state, int64(i + 1))
        cards[i], cards[j] = cards[j], cards[i]
    for seat in range(5):
        hands[seat] = ZERO
        left[seat] = room[seat]
    for holders in range(1, seats):
        for i in range(many):
            mask = may[cards[i]]
            if int64(count(U(mask))) != holders:
                continue
            total = int64(0)
            for seat in range(seats):
                if mask >> seat & 1:
                    total += left[seat]
            if total == 0:
                return False, state
            state, place = below(state, total)
            seat = int64(0)
            while not (mask >> seat & 1 and place < left[seat]):
                if mask >> seat & 1:
                    place -= left[seat]
                seat += 1
            left[seat] -= 1
            hands[seat] |= ONE << U(unseen[cards[i]])
    return True, state


@compiled("boolean(uint64[::1], uint64[:, ::1], uint64[::1])", **OPTIONS)
def allowed(row, answers, hands):
    """Whether every answer to a trump lead was one that these hands allowed."""
    for n in range(len(answers)):
        answer = answers[n]
        hand = words_of(row, hands[int64(answer[A_SEAT])] | answer[A_SINCE])
        if legal(row, hand, answer[A_LED], answer[A_JUDGED]) & answer[A_CARD] == ZERO:
            return False
    return True


@compiled(
    "Tuple((boolean, uint64))(uint64, int64[::1], int64[::1], int64[::1], int64, uint64[::1], "
    "uint64[:, ::1],uint64[::1], int64[::1])",
    **OPTIONS,
)
def draw(state, unseen, may, room, seats, row, answers, hands, numbers):
    """``Knowledge.draw`` without its last resort: False where no try has found hands that the rules
    allow."""
    for _ in range(TRIES):
        found, state = deal_out(state, unseen, may, room, seats, hands, numbers)
        if found and allowed(row, answers, hands):
            return True, state
    return False, state


@compiled("int64(rules, int64[::1], int64[:, ::1], uint64[::1])", **OPTIONS)
def doubts(rules, scores, opinions, dealt):
    """How often a deal is halved for what was bid and passed on these hands, which stand in the
    home order."""
    halved = int64(0)
    for n in range(len(opinions)):
        said = opinions[n]
        hand, way, trump = dealt[said[O_SEAT]], said[O_WAY], said[O_TRUMP]
        points = trump_score(rules, scores, way, hand, max(trump, int64(0)))
        if trump < 0:
            for suit in range(1, 4):
                points = max(points, trump_score(rules, scores, way, hand, int64(suit)))
        short = said[O_WANTED] - points if said[O_BID] else points - said[O_WANTED]
        if short > 0:
            halved += min(short // DOUBT, int64(MOST_DOUBT))
    return halved


@way_in("void(uint64, int64[::1], int64[::1])", **OPTIONS)
def pick(state, weights, chosen):
    """Choose by weight, none twice; the weights of those chosen become 0."""
    total = int64(0)
    for n in range(len(weights)):
        total += weights[n]
    for i in range(len(chosen)):
        state, place = below(state, total)
        n = int64(0)
        while place >= weights[n]:
            place -= weights[n]
            n += 1
        chosen[i] = n
        total -= weights[n]
        weights[n] = 0
