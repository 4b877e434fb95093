"""How ``seer`` decides: deals are imagined, a few at a time, until they tell what is best or that
nothing beats what ``steady`` would do.

A decision begins with the rules, the policy and ``mind``, whose ``choices`` are what may be done
and ``plain`` what ``steady`` would do; it returns the place of the choice.
"""

from math import sqrt

from numba import float64, int64

from quadrille_plugins.kernel.auction import bid_at
from quadrille_plugins.kernel.bits import ONE, ZERO, low_bit
from quadrille_plugins.kernel.cards import lane_of, under
from quadrille_plugins.kernel.compiled import compiled, way_in
from quadrille_plugins.kernel.shares import OPTIONS
from quadrille_plugins.kernel.words import GOAL
from quadrille_plugins.players.kernel_steady_bids import POLICY as STEADY
from quadrille_plugins.players.kernel_steady_bids import suits_for
from quadrille_plugins.players.kernel_steady_hands import after_exchange, score
from quadrille_plugins.players.steady_arrays import WAY
from quadrille_plugins.seer.kernel_bids import bid_out, declare_out
from quadrille_plugins.seer.kernel_mind import BLOCK, SOLVER_AT, know, mind_at
from quadrille_plugins.seer.kernel_play import imagine, play_out
from quadrille_plugins.seer.kernel_solve import solve_out, vole_out

POLICY = f"{STEADY[:-2]}, uint64[:, ::1], int64[::1]))"
"""What it plays by: what ``steady`` does, the lanes of the rules (``kernel.lanes``), and its
parameters (``PARAMETERS``)."""
P_DEALS, P_SOLVED, P_PLAIN, P_CHANCE, PARAMETERS = range(5)
"""Deals imagined for a choice at most; the most cards a hand with which deals are solved too;
whether it does nothing but what ``steady`` does; hundredths of standard errors that deals not yet
imagined are allowed to move what the others say."""
BID, DECLARE, PLAY, VOLE = range(4)
"""What is decided."""
SOLVED_OF_100 = (0, 100, 100, 100, 60, 40, 20, 10, 10, 10, 10)
"""Of a hundred deals those that are solved, by the cards held: the more are held, the dearer each
is to solve, and the less the allies that it takes to see one another's cards are like those at a
table."""
SOLVED_FOR_VOLE = 24
"""Deals solved where the vole is to be decided upon."""
SURE = (2.0, 1.0, 1.0, 2.0)
"""By how many standard errors a choice must look better than what ``steady`` would do, by what is
decided."""
LEAST_DEALS = 10
"""A bid is not judged by fewer deals on which what was said could have been said."""
HOPELESS = 250
"""Hundredths of a trick short of the game at which a bid is not looked into."""
HOPELESS_NONE = 200
"""The score of a hand from which on a game of no tricks is not looked into."""


# --- what is worth a look -------------------------------------------------------------------------


@compiled(f"boolean(rules, {STEADY}, mind, int64, int64)", **OPTIONS)
def hopeless(rules, policy, mind, spec, trump):
    """Whether the hand is not worth a look for this bid."""
    steady, scores, hand = policy[0], policy[1], mind.own[mind.me]
    block, way = bid_at(rules, spec), steady.modes[rules.specs[spec].bid]
    if rules.bids[block].goal == GOAL.NONE:
        return score(rules, steady, scores, way, hand, int64(4)) > HOPELESS_NONE
    suits = suits_for(rules, spec, mind.game.favourite)
    if trump >= 0:
        suits = int64(1) << trump
    most = int64(-(1 << 40))
    for suit in range(5):
        if not suits >> suit & 1:
            continue
        if rules.bids[block].exchange and way == WAY.ALONE:
            points = after_exchange(rules, steady, scores, hand, int64(suit), int64(1))
        else:
            points = score(rules, steady, scores, way, hand, int64(suit))
        most = max(most, points)
    return most < 100 * rules.bids[block].tricks - HOPELESS


@compiled("void(rules, mind)", **OPTIONS)
def drop_equals(rules, mind):
    """Leave out cards that are as good as the next higher one held."""
    trump = mind.game.trump
    bit_of, all_cards, mask, out = rules.order[trump].bit_of, ZERO, ZERO, ZERO
    for card in range(40):
        all_cards |= bit_of[card]
    for c in range(mind.choice_count):
        if mind.choices[c, 0] >= 0:
            mask |= bit_of[mind.choices[c, 0]]
    trick = ZERO
    for n in range(mind.played_count):
        out |= bit_of[mind.played[n]]
        if n >= mind.played_count - mind.lying:
            trick |= bit_of[mind.played[n]]
    out |= under(rules, trump, mind.own[mind.me])
    marked = rules.order[trump].matadors
    if mind.game.called >= 0:
        marked |= bit_of[mind.game.called]
    for c in range(mind.choice_count):
        if mind.choices[c, 0] < 0 or c == mind.plain:
            continue
        bit = bit_of[mind.choices[c, 0]]
        above = lane_of(bit) & ~(bit | (bit - ONE)) & mask
        if above == ZERO or bit & marked:
            continue
        nearest = low_bit(above)
        between = (nearest - ONE) & ~(bit | (bit - ONE)) & all_cards
        # nothing that is still out, or wins the trick, stands between the two
        if not nearest & marked and not between & (~out | trick):
            mind.alive[c] = 0


@compiled("int64(mind)", **OPTIONS)
def alive(mind):
    """How many choices are looked into."""
    many = int64(0)
    for c in range(mind.choice_count):
        many += mind.alive[c]
    return many


# --- what deals say -------------------------------------------------------------------------------


@compiled("void(mind, int64, int64)", **OPTIONS)
def tally(mind, look, rows):
    """Add what each choice gains on so many deals; each way of looking counts for itself."""
    mind.rows[look] += rows
    for c in range(mind.choice_count):
        if not mind.alive[c]:
            continue
        for n in range(rows):
            gain = mind.amounts[n, c] - mind.amounts[n, mind.plain]
            mind.total[look, c] += gain
            mind.squares[look, c] += float64(gain) * float64(gain)


@compiled("UniTuple(float64, 2)(mind, int64)", **OPTIONS)
def gain_of(mind, c):
    """The mean gain of a choice, all ways of looking counting alike, and its standard error."""
    mean = error = looks = 0.0
    for look in range(2):
        many = float64(mind.rows[look])
        if many > 0.0:
            total = float64(mind.total[look, c])
            mean += total / many
            error += (many * mind.squares[look, c] - total * total) / (many * many * many)
            looks += 1.0
    return mean / looks, sqrt(max(error, 0.0)) / looks


@compiled("int64(mind, float64)", **OPTIONS)
def best(mind, sure):
    """The choice that gains most, if the deals say so by so many standard errors; or ``plain``."""
    choice, most = mind.plain, 0.0
    for c in range(mind.choice_count):
        if mind.alive[c] and c != mind.plain:
            mean, error = gain_of(mind, int64(c))
            if mean > most and mean >= sure * error:
                choice, most = int64(c), mean
    return choice


@compiled("boolean(mind, float64, float64, float64)", **OPTIONS)
def settled_by(mind, sure, part, chance):
    """Leave out what can hardly become plain any more, ``part`` of the deals being imagined; True
    where one choice is left, or leads by so much that it can hardly cease to be plain.

    ``chance`` is how many standard errors deals not yet imagined are allowed for.
    """
    chance *= sqrt(1.0 - part)
    leader, most = mind.plain, 0.0
    for c in range(mind.choice_count):
        if mind.alive[c] and c != mind.plain:
            mean, error = gain_of(mind, int64(c))
            if (mean <= 0.0 and error == 0.0) or mean < error * (sure * sqrt(part) - chance):
                mind.alive[c] = 0
            elif mean > most:
                leader, most = int64(c), mean
    left = alive(mind)
    if left == 2 and leader != mind.plain:
        mean, error = gain_of(mind, leader)
        return mean > error * (sure * sqrt(part) + chance)
    return left == 1


# --- decisions ------------------------------------------------------------------------------------


@compiled(f"int64(rules, {POLICY}, mind, int64, int64, int64, int64[::1])", **OPTIONS)
def look(rules, policy, mind, what, w, found, events):
    """What the choices bring on the deals imagined last; returns on how many."""
    steady, lanes, cards = (policy[0], policy[1], policy[2]), policy[3], rules.table.hand_cards
    if what == BID:
        found = bid_out(rules, steady, mind, found, events)
        tally(mind, int64(0), found)
    elif what == DECLARE:
        declare_out(rules, steady, mind, found, events)
        tally(mind, int64(0), found)
    elif what == VOLE:
        vole_out(rules, steady, mind, w, lanes, found, events)
        tally(mind, int64(0), found)
    else:
        play_out(rules, steady, mind, found, events)
        tally(mind, int64(0), found)
        cards -= mind.played_count // rules.table.players
        claims = mind.choices[mind.choice_count - 1, 0] < 0
        if cards <= policy[4][P_SOLVED] and not claims:
            many = -(-found * SOLVED_OF_100[cards] // 100)
            solve_out(rules, steady, mind, w, lanes, many)
            tally(mind, int64(1), many)
    return found


@compiled(f"int64(rules, {POLICY}, mind, int64, int64, uint64, int64[::1])", **OPTIONS)
def weigh(rules, policy, mind, what, w, state, events):
    """The choice that deals speak for."""
    for k in range(2):
        mind.rows[k] = 0
        for c in range(mind.choice_count):
            mind.total[k, c] = 0
            mind.squares[k, c] = 0.0
    mind.inexact = 0
    steady = policy[0], policy[1], policy[2]
    deals, done, sure = policy[4][P_DEALS], int64(0), SURE[what]
    if what == VOLE:
        deals = min(deals, int64(SOLVED_FOR_VOLE))
    while done < deals:
        count = min(int64(BLOCK), deals - done)
        state, found = imagine(rules, steady, mind, state, count, events)
        rows = int64(0)
        if found:
            rows = look(rules, policy, mind, what, w, found, events)
        done += count
        if mind.inexact or not rows:
            break
        part = float64(done) / float64(deals)
        if done < deals and settled_by(mind, sure, part, policy[4][P_CHANCE] / 100.0):
            break
    few = what == BID and mind.rows[0] < min(int64(LEAST_DEALS), deals)
    if mind.inexact or few or not mind.rows[0]:
        return mind.plain
    return best(mind, sure)


@compiled(f"int64(rules, {POLICY}, mind, int64[::1], int64, int64, uint64, int64[::1])", **OPTIONS)
def choose(rules, policy, mind, seen, what, w, state, events):
    """The choice of a seat that has seen so much."""
    steady = policy[0], policy[1], policy[2]
    know(rules, steady, mind, seen)
    for c in range(mind.choice_count):
        mind.alive[c] = 1
        spec = mind.choices[c, 0]
        if what == BID and spec >= 0 and c != mind.plain:
            mind.alive[c] = not hopeless(rules, steady, mind, spec, mind.choices[c, 1])
    if what == PLAY:
        drop_equals(rules, mind)
    if alive(mind) == 1:
        return mind.plain
    return weigh(rules, policy, mind, what, w, state, events)


@way_in(
    f"int64(rules, {POLICY}, int64, int64[::1], int64[:, ::1], int64, int64, uint64, int64[::1])",
    **OPTIONS,
)
def decide(rules, policy, room, seen, choices, plain, what, state, events):
    """The place of the choice (spoken bid and trump named; kind of declaration and its card or
    suit; card) that ``seer`` makes; ``room`` is the address of ``ROOM`` words to work in."""
    mind = mind_at(room)
    mind.choice_count, mind.plain = len(choices), plain
    for c in range(len(choices)):
        mind.choices[c, 0], mind.choices[c, 1] = choices[c, 0], choices[c, 1]
    return choose(rules, policy, mind, seen, what, room + SOLVER_AT, state, events)
