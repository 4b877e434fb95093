"""``seer`` in the fast engine: what its seat has seen, read off the deal and its events, its
decisions, and the kernel built of them."""

from numba import int64

from quadrille_plugins.kernel.auction import bid_at, home_bit, may_bid, named_unasked
from quadrille_plugins.kernel.bits import ZERO, load, mix
from quadrille_plugins.kernel.compiled import compiled
from quadrille_plugins.kernel.deal import spoken_bid
from quadrille_plugins.kernel.declare import callable_cards, may_invite, may_name
from quadrille_plugins.kernel.draws import GAMMA
from quadrille_plugins.kernel.session import sessions_of
from quadrille_plugins.kernel.shares import OPTIONS
from quadrille_plugins.kernel.slot import ASK, GO, PASS, STOP, CompiledPlayer
from quadrille_plugins.kernel.state import MOST_EVENTS
from quadrille_plugins.kernel.table import table_of
from quadrille_plugins.kernel.words import EVENT, LEVEL, SHOWS
from quadrille_plugins.players.kernel_steady import STEADY
from quadrille_plugins.players.kernel_steady_cards import alone, known_ally
from quadrille_plugins.seer import kernel_mind as of
from quadrille_plugins.seer.kernel_bids import D_CALL, D_GIVE, D_INVITE, D_NAME
from quadrille_plugins.seer.kernel_choose import (
    BID,
    DECLARE,
    P_PLAIN,
    PLAY,
    POLICY,
    VOLE,
    choose,
)
from quadrille_plugins.seer.kernel_mind import (
    HEAD,
    ROOM,
    S_EXPOSED,
    SAID,
    SOLVER_AT,
    mind_at,
    pack_of,
)
from quadrille_plugins.seer.policy import policy_of

__all__ = ["play_sessions", "policy_of", "replay_sessions"]

steady_bid, steady_trump, steady_call = STEADY.bid, STEADY.trump, STEADY.call
steady_give, steady_decide, steady_agrees = STEADY.give, STEADY.decide, STEADY.answer
steady_announce, steady_card = STEADY.announce, STEADY.card


# --- what a seat has seen -------------------------------------------------------------------------


@compiled("int64(rules, deal, mind)", **OPTIONS)
def read_events(rules, deal, mind):
    """What was said and played, by the events of the deal; returns how many numbers of ``seen``
    there are."""
    seen, cards = mind.seen, int64(0)
    seen[of.S_SAID] = seen[of.S_PLAYED] = 0
    at = int64(HEAD)
    for n in range(deal.event_end - MOST_EVENTS, deal.event):
        event = int64(load(deal.tape, int64(n)))
        kind, what = event & 31, event >> 9
        if kind == EVENT.PLAY:
            mind.played[cards] = what
            cards += 1
        elif kind in (EVENT.PASS, EVENT.BID, EVENT.NAMES):
            seen[at], seen[at + 1], seen[at + 2] = (event >> 5 & 7) - 1, -1, -1
            if kind != EVENT.PASS:
                for spec in range(rules.spec_count):
                    if spoken_bid(rules, int64(spec)) == what & ~7 and seen[at + 1] < 0:
                        seen[at + 1] = spec
            if kind == EVENT.NAMES:
                seen[at + 2] = (what & 7) - 1
            seen[of.S_SAID] += 1
            at += SAID
    for n in range(cards):
        seen[at] = mind.played[n]
        at += 1
    seen[of.S_PLAYED] = cards
    return at


@compiled("void(rules, deal, mind, boolean)", **OPTIONS)
def lay_open(rules, deal, mind, by_trumps):
    """Every hand as bits of the pack; ``by_trumps``: they lie under the trumps."""
    for seat in range(5):
        mind.packs[seat] = 0
    for card in range(40):
        bit = home_bit(rules, int64(card))
        if by_trumps:
            bit = rules.order[deal.trump].bit_of[card]
        for seat in range(rules.table.players):
            if deal.hands[seat] & bit:
                mind.packs[seat] |= int64(1) << card


@compiled("void(rules, deal, mind, int64)", **OPTIONS)
def expose(rules, deal, mind, me):
    """The cards that this seat has seen in other hands and that are there still."""
    seen, hombre = mind.seen, deal.hombre
    for seat in range(5):
        seen[S_EXPOSED + seat] = 0
    for n in range(seen[of.S_SAID]):
        seat, spec = seen[HEAD + SAID * n], seen[HEAD + SAID * n + 1]
        if spec >= 0 and rules.bids[bid_at(rules, spec)].shows == SHOWS.WITH_BID:
            seen[S_EXPOSED + seat] |= pack_of(rules, rules.bids[bid_at(rules, spec)].wanted)
    if hombre >= 0:
        if rules.bids[deal.bid].shows == SHOWS.AFTER_AUCTION:
            seen[S_EXPOSED + hombre] |= pack_of(rules, rules.bids[deal.bid].wanted)
        revealed = rules.specs[deal.spec].vole == LEVEL.REVEALED
        if revealed:
            seen[S_EXPOSED + hombre] = mind.packs[hombre]
        if rules.bids[deal.bid].exchange and deal.called >= 0:
            seen[S_EXPOSED + hombre] |= int64(1) << deal.called
            if deal.given >= 0:
                gift = int64(1) << deal.given
                if me == hombre or revealed or seen[S_EXPOSED + hombre] & gift:
                    seen[S_EXPOSED + deal.surrendered] |= gift
    for seat in range(5):
        seen[S_EXPOSED + seat] &= mind.packs[seat] if seat != me else 0


@compiled("int64(rules, deal, mind, int64, boolean)", **OPTIONS)
def see(rules, deal, mind, me, by_trumps):
    """What this seat knows, into ``mind.seen``; returns how many numbers there are."""
    seen = mind.seen
    lay_open(rules, deal, mind, by_trumps)
    many = read_events(rules, deal, mind)
    expose(rules, deal, mind, me)
    seen[of.S_ME], seen[of.S_HAND] = me, mind.packs[me]
    seen[of.S_POOL], seen[of.S_TIMES] = deal.pool, deal.times
    seen[of.S_FAVOURITE], seen[of.S_FORCED] = deal.favourite, deal.forced
    seen[of.S_HOMBRE], seen[of.S_TRUMP], seen[of.S_CALLED] = deal.hombre, deal.trump, deal.called
    seen[of.S_SURRENDERED], seen[of.S_SPEC] = deal.surrendered, deal.spec
    seen[of.S_GIVEN] = deal.given if me in (deal.hombre, deal.surrendered) else int64(-1)
    seen[of.S_INVITED], seen[of.S_VOLE] = deal.invited, deal.vole
    seen[of.S_ALLY] = seen[of.S_ALONE] = -1
    if deal.hombre >= 0:
        seen[of.S_ALLY], seen[of.S_ALONE] = known_ally(deal, me), alone(rules, deal, me)
    return many


# --- decisions ------------------------------------------------------------------------------------


@compiled("void(mind, int64, int64)", **OPTIONS)
def offer(mind, one, other):
    """One choice more."""
    mind.choices[mind.choice_count, 0], mind.choices[mind.choice_count, 1] = one, other
    mind.choice_count += 1


@compiled(f"int64(rules, {POLICY}, deal, mind, int64, int64, int64)", **OPTIONS)
def resolve(rules, policy, deal, mind, seat, what, plain):
    """Which of the choices is made; the ``plain`` one where there is no other."""
    mind.plain = plain
    if mind.choice_count == 1 or policy[4][P_PLAIN]:
        return plain
    deal.streams[seat] += GAMMA
    many = see(rules, deal, mind, seat, what in (PLAY, VOLE))
    state = mix(deal.streams[seat])
    w = deal.room + SOLVER_AT
    return choose(rules, policy, mind, mind.seen[:many], what, w, state, mind.seen[:0])


@compiled(f"int64(rules, {POLICY}, deal, int64)", **OPTIONS)
def bid(rules, policy, deal, seat):
    """The number of a spoken bid, PASS, or PASS - 1 - suit to name trumps unasked."""
    mind, hand, plain = mind_at(deal.room), deal.hands[seat], int64(0)
    usual = steady_bid(rules, (policy[0], policy[1], policy[2]), deal, seat)
    mind.choice_count = 0
    offer(mind, int64(-1), int64(-1))
    for spec in range(rules.ladder):
        if may_bid(rules, deal, hand, seat, int64(spec)):
            if spec == usual:
                plain = mind.choice_count
            offer(mind, int64(spec), int64(-1))
    for suit in range(4):
        spec = named_unasked(rules, deal, int64(suit))
        if spec >= 0 and may_bid(rules, deal, hand, seat, spec):
            offer(mind, spec, int64(suit))
    at = resolve(rules, policy, deal, mind, seat, int64(BID), plain)
    if at == 0:
        return int64(PASS)
    return PASS - 1 - mind.choices[at, 1] if mind.choices[at, 1] >= 0 else mind.choices[at, 0]


@compiled(f"int64(rules, {POLICY}, deal, int64)", **OPTIONS)
def trump(rules, policy, deal, seat):
    """The suit that becomes trumps; 4 to invite the ally."""
    mind, plain = mind_at(deal.room), int64(0)
    usual = steady_trump(rules, (policy[0], policy[1], policy[2]), deal, seat)
    mind.choice_count = 0
    if may_invite(rules, deal):
        offer(mind, int64(D_INVITE), int64(0))
    for suit in range(4):
        if may_name(rules, deal, int64(suit)):
            if suit == usual:
                plain = mind.choice_count
            offer(mind, int64(D_NAME), int64(suit))
    if mind.choice_count == 0:
        return usual
    at = resolve(rules, policy, deal, mind, seat, int64(DECLARE), plain)
    return int64(4) if mind.choices[at, 0] == D_INVITE else mind.choices[at, 1]


@compiled(f"int64(rules, {POLICY}, deal)", **OPTIONS)
def call(rules, policy, deal):
    """The card of the pack that Hombre calls."""
    mind, plain = mind_at(deal.room), int64(0)
    usual = steady_call(rules, (policy[0], policy[1], policy[2]), deal)
    cards = callable_cards(rules, deal, deal.hands[deal.hombre])
    mind.choice_count = 0
    for card in range(40):
        if cards >> card & 1:
            if card == usual:
                plain = mind.choice_count
            offer(mind, int64(D_CALL), int64(card))
    at = resolve(rules, policy, deal, mind, deal.hombre, int64(DECLARE), plain)
    return mind.choices[at, 1]


@compiled(f"uint64(rules, {POLICY}, deal)", **OPTIONS)
def give(rules, policy, deal):
    """The card that Hombre gives in exchange."""
    mind, plain = mind_at(deal.room), int64(0)
    usual = steady_give(rules, (policy[0], policy[1], policy[2]), deal)
    mind.choice_count = 0
    for card in range(40):
        bit = home_bit(rules, int64(card))
        if deal.hands[deal.hombre] & bit and card != deal.called:
            if bit == usual:
                plain = mind.choice_count
            offer(mind, int64(D_GIVE), int64(card))
    at = resolve(rules, policy, deal, mind, deal.hombre, int64(DECLARE), plain)
    return home_bit(rules, mind.choices[at, 1])


@compiled(f"int64(rules, {POLICY}, deal, int64, int64, result, out)", **OPTIONS)
def announce(rules, policy, deal, seat, choices, result, out):
    """As ``steady``: too little is known yet for what all would do who saw all."""
    steady = policy[0], policy[1], policy[2]
    return steady_announce(rules, steady, deal, seat, choices, result, out)


@compiled(f"boolean(rules, {POLICY}, deal, int64, boolean)", **OPTIONS)
def goes_on(rules, policy, deal, seat, plain):
    """Whether to play for the vole."""
    mind = mind_at(deal.room)
    mind.choice_count = 0
    offer(mind, int64(-1), int64(0))
    offer(mind, int64(-1), int64(0))
    return resolve(rules, policy, deal, mind, seat, int64(VOLE), int64(plain)) == 1


@compiled(f"int64(rules, {POLICY}, deal, int64, int64, result, out)", **OPTIONS)
def decide(rules, policy, deal, seat, choices, result, out):
    """What to do about the vole after premiers."""
    steady = policy[0], policy[1], policy[2]
    plain = steady_decide(rules, steady, deal, seat, choices, result, out) != STOP
    if not goes_on(rules, policy, deal, seat, plain):
        return int64(STOP)
    return int64(GO if choices & GO else ASK)


@compiled(f"boolean(rules, {POLICY}, deal, int64, result, out)", **OPTIONS)
def answer(rules, policy, deal, seat, result, out):
    """Whether to play for the vole, having been asked."""
    steady = policy[0], policy[1], policy[2]
    plain = steady_agrees(rules, steady, deal, seat, result, out)
    return goes_on(rules, policy, deal, seat, plain)


@compiled(f"uint64(rules, {POLICY}, deal, int64, uint64, uint64, boolean)", **OPTIONS)
def play_one(rules, policy, deal, seat, cards, usual, may_claim):
    """The card to play among several, or to claim the game (0), as ``steady`` does where it may."""
    mind, bit_of, plain = mind_at(deal.room), rules.order[deal.trump].bit_of, int64(0)
    mind.choice_count = 0
    for card in range(40):
        if cards & bit_of[card]:
            if bit_of[card] == usual:
                plain = mind.choice_count
            offer(mind, int64(card), int64(0))
    if may_claim:
        plain = mind.choice_count
        offer(mind, int64(-1), int64(0))
    at = resolve(rules, policy, deal, mind, seat, int64(PLAY), plain)
    card = mind.choices[at, 0]
    return bit_of[card] if card >= 0 else ZERO


@compiled(f"uint64(rules, {POLICY}, deal, int64)", **OPTIONS)
def lead(rules, policy, deal, seat):
    """The card to lead where the game may be claimed instead, 0 to claim it."""
    return play_one(rules, policy, deal, seat, deal.hands[seat], ZERO, True)


@compiled(f"uint64(rules, {POLICY}, deal, int64, int64, uint64, uint64, int64, int64)", **OPTIONS)
def card(rules, policy, deal, seat, played, cards, best, winner, behind):
    """One of several legal cards."""
    steady = policy[0], policy[1], policy[2]
    usual = steady_card(rules, steady, deal, seat, played, cards, best, winner, behind)
    return play_one(rules, policy, deal, seat, cards, usual, False)


SEER = CompiledPlayer(
    module=__name__,
    policy=POLICY,
    draws=True,
    room=ROOM,
    bid=bid,
    trump=trump,
    call=call,
    give=give,
    announce=announce,
    decide=decide,
    answer=answer,
    lead=lead,
    card=card,
)
play_sessions, replay_sessions = sessions_of(SEER, table_of(SEER))
