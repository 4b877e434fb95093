"""What ``seer`` works in, and what it makes of what its seat has seen: who may hold which card, and
how bids and passes speak of a hand.

``SEEN`` is all that a seat knows, as numbers; both engines fill it.  Hands are bits of the home
order here.
"""

import numpy as np
from numba import from_dtype, int64
from numba.extending import intrinsic

from quadrille_core.engine.deal_record import MOST_BIDS
from quadrille_plugins.kernel.auction import bid_at, home_bit, home_card
from quadrille_plugins.kernel.bits import ONE, ZERO, U, ctz, low_bit
from quadrille_plugins.kernel.cards import TRUMPS, lane_of
from quadrille_plugins.kernel.compiled import compiled
from quadrille_plugins.kernel.deal import begin
from quadrille_plugins.kernel.record import INT, WORD, ints, layout
from quadrille_plugins.kernel.shares import OPTIONS
from quadrille_plugins.kernel.state import DEAL, OUT, RESULT, name_type
from quadrille_plugins.kernel.words import (
    ALLY_KNOWN,
    AMONG,
    FALLBACK,
    FIRST_LEAD,
    FORCED_BY,
    LEVEL,
    OWN_CARD,
    PARTNER,
    QUEEN,
    TRUMP,
    TRUMP_BY,
    TRUMP_WHEN,
)
from quadrille_plugins.players.kernel_steady_bids import POLICY
from quadrille_plugins.players.kernel_steady_values import (
    PARTS,
    bystander_at,
    pool_step,
    value_at,
)
from quadrille_plugins.players.steady_arrays import WAY
from quadrille_plugins.players.steady_features import BUCKET_WIDTH, BUCKETS
from quadrille_plugins.solver.memory import WORDS

(S_ME, S_HAND, S_POOL, S_TIMES, S_FAVOURITE, S_FORCED, S_HOMBRE, S_TRUMP, S_CALLED, S_SURRENDERED,
 S_GIVEN, S_SPEC, S_INVITED, S_VOLE, S_ALLY, S_ALONE, S_SAID, S_PLAYED) = range(18)  # fmt: skip
S_EXPOSED = 18
HEAD = S_EXPOSED + 5
"""What a seat knows (int64): who it is, its cards and those seen in each other hand (bits of the
pack), the pool in parts of a counter, how often the deal counts, the favourite; of the contract
what is known of it (-1: nothing); what became of the vole (``words.LEVEL``); the ally and whether
Hombre is alone (-1: not known).  Behind these what was ``said``, ``SAID`` numbers each, and the
cards ``played``, in order."""
S_SEAT, S_BID, S_NAMED, SAID = range(4)
"""What was said: by whom, the bid as it is spoken (-1 for a pass), and the trump if it was named
with it (-1)."""
BLOCK = 25
"""Deals imagined before it is asked whether more would tell anything."""
DRAWS = 4
"""Deals drawn for each that is kept, if anything tells them apart."""
CHOICES = 8 * MOST_BIDS + 5
MOST_SAID = 256
A_SEAT, A_SINCE, A_CARD, A_LED, A_TABLE, ANSWER = range(6)
"""A card played to a trump lead: whose, the cards they played from it on, in the home order; and
under the trumps the card, the card led, and all that lay in the trick."""
O_SEAT, O_WAY, O_WANTED, O_TRUMP, O_IS_BID, OPINION = range(6)
"""What was said of a hand: whose, the way of playing, the score that a bid wants, the trump (-1:
any), 1 for a bid and 0 for a pass."""
PASSES_TELL = 2
"""Tricks after which who passed is no longer asked why."""
MIND = layout(
    {
        **dict.fromkeys(("game", "deal", "before"), DEAL),
        "result": RESULT,
        "out": OUT,
        **ints("me unseen_count answer_count opinion_count lying takers plain choice_count"),
        **ints("undertaken public call_tells call_trump inexact constrained"),
        "unseen": (WORD, (40,)),
        **ints("card[40] may[40] order[40] left[5] room[5] said_count played_count"),
        **dict.fromkeys(("own", "gone", "barred", "drawn", "began"), (WORD, (5,))),
        "answers": (WORD, (40, ANSWER)),
        "opinions": (INT, (2 * MOST_SAID, OPINION)),
        "seen": (INT, (HEAD + SAID * MOST_SAID + 40,)),
        "packs": (INT, (5,)),
        "said": (INT, (MOST_SAID, SAID)),
        "played": (INT, (40,)),
        "found": (WORD, (BLOCK * DRAWS, 5)),
        "weights": (INT, (BLOCK * DRAWS,)),
        "hands": (WORD, (BLOCK, 5)),
        "allies": (INT, (BLOCK, 3)),
        "choices": (INT, (CHOICES, 2)),
        "alive": (INT, (CHOICES,)),
        "amounts": (INT, (BLOCK, CHOICES)),
        "rows": (INT, (2,)),
        "total": (INT, (2, CHOICES)),
        "squares": (np.dtype(np.float64), (2, CHOICES)),
        "words": (WORD, (64,)),
        "paid": (INT, (2,)),
        "memo": (INT, (11, 2)),
    }
)
"""What a decision is worked out in.  ``game`` is the game at its first lead, or as it stands at an
auction or a declaration; ``takers`` have won tricks, one bit each.  ``amounts`` has a row for each
deal and a column for each of the ``choices``, of which those ``alive`` are looked into.  ``total``
and ``squares`` sum what each gains over ``plain``, by how it was looked at, on so many ``rows``."""
name_type("mind", MIND)
SOLVER_AT = -(-MIND.itemsize // 64) * 64
"""Where the solver's memory begins behind it, on a line of the processor's cache."""
ROOM = SOLVER_AT // 8 + WORDS
"""Words that a player works in: a mind and the solver's memory."""


@intrinsic
def mind_at(typing, address):
    """The mind at an address."""

    def gen(context, builder, signature, args):
        return builder.inttoptr(args[0], context.get_value_type(signature.return_type))

    return from_dtype(MIND)(int64), gen


@compiled("uint64(rules, int64)", **OPTIONS)
def home_of(rules, cards):
    """Cards of the pack in the home order."""
    out, rest = ZERO, U(cards)
    while rest:
        out |= home_bit(rules, int64(ctz(rest)))
        rest &= rest - ONE
    return out


@compiled("void(rules, mind, int64[::1])", **OPTIONS)
def set_game(rules, mind, seen):
    """The game as the seat knows it."""
    game, spec, zero = mind.game, seen[S_SPEC], int64(0)
    begin(game, seen[S_POOL], seen[S_TIMES], zero, seen[S_FAVOURITE])
    game.forced, mind.me = seen[S_FORCED], seen[S_ME]
    mind.undertaken = seen[S_VOLE] == LEVEL.UNDERTAKEN
    mind.public = mind.call_tells = zero
    if spec < 0:
        return
    block, called, hombre, me = bid_at(rules, spec), seen[S_CALLED], seen[S_HOMBRE], seen[S_ME]
    game.spec, game.bid, game.hombre = spec, block, hombre
    game.trump, game.called, game.given = seen[S_TRUMP], called, seen[S_GIVEN]
    game.surrendered, game.invited = seen[S_SURRENDERED], seen[S_INVITED]
    vole = rules.specs[spec].vole
    announced = seen[S_VOLE] == LEVEL.ANNOUNCED
    announced |= rules.bids[block].is_vole and vole == LEVEL.NONE
    game.vole = LEVEL.ANNOUNCED if announced else vole
    if called < 0:
        return
    is_suit = rules.bids[block].trump == TRUMP.SUIT
    of_ally = rules.bids[block].trump_by == TRUMP_BY.ALLY or game.invited
    allied = rules.bids[block].partner == PARTNER.CALLED
    at_once = rules.bids[block].ally_known == ALLY_KNOWN.AT_ONCE
    game.public = allied and (at_once or (is_suit and of_ally and game.trump >= 0))
    # who holds the called card knows the ally, and cannot tell by that whether the others do
    holds = (seen[S_HAND] >> called) & 1 or game.surrendered == me
    holds |= (mind.gone[me] & home_bit(rules, called)) != ZERO
    mind.public = allied and seen[S_ALONE] >= 0 and not holds
    if not rules.bids[block].exchange and hombre != me:
        late = is_suit and (rules.bids[block].trump_when != TRUMP_WHEN.BEFORE_CALL or of_ally)
        mind.call_tells = 1
        mind.call_trump = game.trump
        if not is_suit:
            mind.call_trump = 4
        elif late:
            mind.call_trump = -1


# --- who may hold what ----------------------------------------------------------------------------


@compiled("void(rules, mind, int64, uint64, uint64, uint64)", **OPTIONS)
def answered(rules, mind, seat, bit, led, table):
    """What a card reveals of their other cards: a suit not followed is void, except cards they may
    withhold."""
    trump, suit = mind.game.trump, lane_of(led)
    if suit == TRUMPS:
        answer = mind.answers[mind.answer_count]
        mind.answer_count += 1
        answer[A_SEAT], answer[A_SINCE] = U(seat), mind.gone[seat]
        answer[A_CARD], answer[A_LED], answer[A_TABLE] = bit, led, table
    if bit & suit:
        return
    if suit == TRUMPS:
        after = led
        if rules.forcing.forced_by == FORCED_BY.PLAYED:
            matadors = table & rules.order[trump].matadors
            if matadors:
                after = U(0x8000000000000000)
                while not after & matadors:
                    after >>= ONE
        suit = rules.order[trump].obliging[int64(ctz(after))]
        if rules.forcing.among_several == AMONG.ALTERNATIVE_EXCUSES:
            suit &= ~rules.order[trump].privileged
    mind.barred[seat] |= suit


@compiled("void(rules, mind)", **OPTIONS)
def follow_play(rules, mind):
    """What the cards played tell, and who won tricks."""
    players, trump = rules.table.players, mind.game.trump
    seat = mind.game.hombre if rules.play.first_lead == FIRST_LEAD.HOMBRE else int64(0)
    winner, best, led, table = seat, ZERO, ZERO, ZERO
    mind.answer_count = mind.takers = 0
    for n in range(mind.played_count):
        card, place = mind.played[n], n % players
        bit = rules.order[trump].bit_of[card]
        if place == 0:
            seat, led, best, table = winner, bit, bit, ZERO
        elif seat != mind.me:
            answered(rules, mind, seat, bit, led, table)
        if place and bit > best and bit & (lane_of(led) | TRUMPS):
            best, winner = bit, seat
        table |= bit
        mind.gone[seat] |= home_bit(rules, card)
        mind.room[seat] -= 1
        if place == players - 1:
            mind.takers |= int64(1) << winner
        seat = seat + 1 if seat + 1 < players else int64(0)
    for n in range(mind.answer_count):
        answer = mind.answers[n]
        answer[A_SINCE] ^= mind.gone[int64(answer[A_SEAT])]
    mind.lying = mind.played_count % players


@compiled("void(mind, int64, int64)", **OPTIONS)
def holds(mind, seat, cards):
    """These cards of the pack, where they are not seen elsewhere, are in that hand."""
    if seat == mind.me:
        return
    for i in range(mind.unseen_count):
        if (cards >> mind.card[i]) & 1 and (mind.may[i] >> seat) & 1:
            mind.may[i] = int64(1) << seat


@compiled("int64(rules, uint64)", **OPTIONS)
def pack_of(rules, cards):
    """Cards of the home order as bits of the pack."""
    out = int64(0)
    while cards:
        bit = low_bit(cards)
        cards ^= bit
        out |= int64(1) << home_card(rules, bit)
    return out


@compiled("void(rules, mind, int64[::1])", **OPTIONS)
def told_by_call(rules, mind, seen):
    """What the call tells of who holds what."""
    game, block, called = mind.game, mind.game.bid, mind.game.called
    hombre = game.hombre
    if called % 10 == 2 and rules.bids[block].call.queen_when != QUEEN.ALWAYS:
        before, kings = rules.bids[block].trump_when == TRUMP_WHEN.BEFORE_CALL, int64(0)
        for suit in range(4):
            if suit != game.trump or not before:
                kings |= int64(1) << (10 * suit + 1)
        holds(mind, hombre, kings)
    if rules.bids[block].partner != PARTNER.CALLED:
        return
    if seen[S_ALLY] >= 0:
        holds(mind, seen[S_ALLY], int64(1) << called)
    elif seen[S_ALONE] > 0:
        holds(mind, hombre, int64(1) << called)
    elif (
        rules.bids[block].call.own_card == OWN_CARD.NEVER
        and rules.bids[block].call.fallback != FALLBACK.OWN_KING
    ):
        for i in range(mind.unseen_count):
            others = mind.may[i] & ~(int64(1) << hombre)
            if mind.card[i] == called and others:
                mind.may[i] = others


@compiled("void(rules, mind, int64[::1])", **OPTIONS)
def told(rules, mind, seen):
    """What was said and shown of who holds what."""
    game = mind.game
    for n in range(mind.said_count):
        seat, spec = mind.said[n, S_SEAT], mind.said[n, S_BID]
        given = game.surrendered >= 0 and seat == game.hombre
        if spec >= 0 and mind.said[n, S_NAMED] < 0 and not given:
            holds(mind, seat, pack_of(rules, rules.bids[bid_at(rules, spec)].wanted))
    for seat in range(rules.table.players):
        holds(mind, int64(seat), seen[S_EXPOSED + seat])
    if game.spec < 0:
        return
    forced_on = rules.bids[game.bid].forced_on
    if game.forced and forced_on >= 0 and game.surrendered < 0:
        holds(mind, game.hombre, int64(1) << forced_on)
    if game.called >= 0:
        told_by_call(rules, mind, seen)


@compiled("void(rules, mind, int64[::1])", **OPTIONS)
def set_holders(rules, mind, seen):
    """The cards not seen, who may hold each, and how many each hand lacks."""
    players, me, gone = rules.table.players, mind.me, ZERO
    others = ((int64(1) << players) - 1) & ~(int64(1) << me)
    for seat in range(players):
        gone |= mind.gone[seat]
    gone |= mind.own[me]
    many, missing = int64(0), int64(0)
    for card in range(40):
        home = home_bit(rules, int64(card))
        if gone & home:
            continue
        may = others
        if mind.game.trump >= 0:
            bit = rules.order[mind.game.trump].bit_of[card]
            for seat in range(players):
                if mind.barred[seat] & bit:
                    may &= ~(int64(1) << seat)
        mind.card[many], mind.unseen[many] = card, home
        mind.may[many] = may if may else others
        many += 1
    mind.unseen_count, mind.room[me] = many, 0
    for seat in range(players):
        missing += mind.room[seat]
    # between the call and the exchange Hombre holds a card more, and who gave it up a card less
    extra, surrendered = many - missing, mind.game.surrendered
    if extra and surrendered >= 0:
        mind.room[surrendered if extra < 0 else mind.game.hombre] += extra
    told(rules, mind, seen)
    mind.constrained = 0
    for i in range(many):
        mind.constrained |= mind.may[i] != others


# --- what was said of hands -----------------------------------------------------------------------


@compiled(f"int64(rules, {POLICY}, mind, int64, int64)", **OPTIONS)
def wanted(rules, policy, mind, spec, standing):
    """The least score on which the bid is worth more than somebody else's game."""
    values, step = policy[2], pool_step(rules, mind.game.pool)
    against = standing if standing >= 0 else rules.first_spec
    other = values[bystander_at(rules, against, step, int64(0))]
    row = value_at(rules, spec, step, rules.specs[spec].favourite, int64(0))
    for bucket in range(BUCKETS):
        if PARTS * values[row + bucket] > other:
            return int64(bucket * BUCKET_WIDTH)
    return int64(BUCKETS * BUCKET_WIDTH)


@compiled("void(mind, int64, int64, int64, int64, int64)", **OPTIONS)
def opine(mind, seat, way, score, trump, is_bid):
    """Note what was said of a hand."""
    said = mind.opinions[mind.opinion_count]
    mind.opinion_count += 1
    said[O_SEAT], said[O_WAY], said[O_WANTED] = seat, way, score
    said[O_TRUMP], said[O_IS_BID] = trump, is_bid


@compiled(f"void(rules, {POLICY}, mind, int64, int64)", **OPTIONS)
def note_pass(rules, policy, mind, seat, standing):
    """A pass speaks of every plain way of playing that might have been bid."""
    known, above = int64(0), int64(-1)
    if standing >= 0:
        above = rules.bids[bid_at(rules, standing)].rank
    for spec in range(rules.ladder):
        block, said = bid_at(rules, int64(spec)), rules.specs[spec]
        way = policy[0].modes[said.bid]
        if said.favourite or said.vole != LEVEL.NONE or (known >> way) & 1:
            continue
        plain = not (
            rules.bids[block].wanted or rules.bids[block].exchange or rules.bids[block].is_vole
        )
        if plain and rules.bids[block].rank > above and way in (WAY.ALONE, WAY.ALLY):
            known |= int64(1) << way
            score = wanted(rules, policy, mind, int64(spec), standing)
            opine(mind, seat, way, score, int64(-1), int64(0))


@compiled(f"void(rules, {POLICY}, mind)", **OPTIONS)
def set_opinions(rules, policy, mind):
    """What the others bid and passed says of their hands."""
    standing, game = int64(-1), mind.game
    # what passes tell costs more to weigh than it is worth once cards have been seen
    early = mind.played_count < PASSES_TELL * rules.table.players
    mind.opinion_count = 0
    for n in range(mind.said_count):
        seat, spec, named = mind.said[n, S_SEAT], mind.said[n, S_BID], mind.said[n, S_NAMED]
        if seat != mind.me and spec < 0 and early:
            note_pass(rules, policy, mind, seat, standing)
        if spec < 0 or named >= 0:
            continue
        block, way = bid_at(rules, spec), policy[0].modes[rules.specs[spec].bid]
        called_in = rules.bids[block].exchange and game.called < 0
        if (
            seat != mind.me
            and way in (WAY.ALONE, WAY.ALLY)
            and not rules.bids[block].wanted
            and not called_in
        ):
            own = seat == game.hombre and spec == game.spec
            trump = game.trump if own else int64(-1)
            score = wanted(rules, policy, mind, spec, standing)
            opine(mind, seat, way, score, trump, int64(1))
        standing = spec


@compiled(f"void(rules, {POLICY}, mind, int64[::1])", **OPTIONS)
def know(rules, policy, mind, seen):
    """All that follows from what a seat has seen."""
    for seat in range(5):
        mind.own[seat] = mind.gone[seat] = mind.barred[seat] = ZERO
        mind.room[seat] = rules.table.hand_cards if seat < rules.table.players else 0
    mind.own[seen[S_ME]] = home_of(rules, seen[S_HAND])
    mind.said_count, mind.played_count = seen[S_SAID], seen[S_PLAYED]
    at = int64(HEAD)
    for n in range(mind.said_count):
        for place in range(SAID):
            mind.said[n, place] = seen[at]
            at += 1
    for n in range(mind.played_count):
        mind.played[n] = seen[at + n]
    mind.game.trump, mind.game.hombre, mind.me = seen[S_TRUMP], seen[S_HOMBRE], seen[S_ME]
    follow_play(rules, mind)
    set_game(rules, mind, seen)
    set_holders(rules, mind, seen)
    set_opinions(rules, policy, mind)
