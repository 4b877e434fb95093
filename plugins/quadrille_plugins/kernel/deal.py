"""The course of a deal for any player, from the shuffle to the last trick; ``engine.table`` defines
it."""

import numpy as np
from numba import int64

from quadrille_plugins.kernel import words as w
from quadrille_plugins.kernel.auction import bid_at, home_bit, show_hand
from quadrille_plugins.kernel.bits import ONE, ZERO, U, ctz, mix, mulhi
from quadrille_plugins.kernel.cards import lane_of, under
from quadrille_plugins.kernel.compiled import compiled
from quadrille_plugins.kernel.declare import reveal
from quadrille_plugins.kernel.draws import FOR_DEAL, FOR_FAVOURITE, GAMMA, limit, stream
from quadrille_plugins.kernel.emit import AUCTION, PLAY, emit, spoken
from quadrille_plugins.kernel.settle import due
from quadrille_plugins.kernel.shares import INLINED, OPTIONS, joined

PARTS = np.array([0, *((2**64 - 1) // bound for bound in range(1, 41))], np.uint64)
"""How often each bound goes into a word."""


@compiled("void(rules, uint64, int64, int64, scratch)", **INLINED)
def shuffle(rules, seed, session, number, scratch):
    """Deal the cards as ``engine.deal.shuffled_hands`` does, in the home order."""
    pack, players = scratch.pack, rules.table.players
    for card in range(40):
        pack[card] = home_bit(rules, int64(card))
    state = stream(seed, session, number, int64(FOR_DEAL))
    for i in range(39, 0, -1):
        bound = U(i + 1)
        while True:
            state += GAMMA
            word = mix(state)
            # words that are drawn again are fewer than the bound, and the highest
            if word <= ~bound or word <= limit(bound):
                break
        # the quotient from below, one too few at most: a multiplication where a division would take
        # far longer
        j = int64(word - mulhi(word, PARTS[i + 1]) * bound)
        if j > i:
            j -= i + 1
        pack[i], pack[j] = pack[j], pack[i]
    size = 40 // players
    for seat in range(players):
        hand = ZERO
        for i in range(seat * size, (seat + 1) * size):
            hand |= pack[i]
        scratch.deal.hands[seat] = scratch.deal.dealt[seat] = hand


@compiled("int64(rules, uint64, int64, int64, int64)", **OPTIONS)
def favourite_suit(rules, seed, session, number, first):
    """The favourite suit of a deal, -1 for none; ``first`` are the trumps of the session's first
    deal that had any."""
    source = rules.favourite.source
    if source == w.SOURCE.FIXED:
        return rules.favourite.suit
    if source == w.SOURCE.FIRST_TRUMPS:
        return first
    if source == w.SOURCE.DRAWN_EACH_SESSION:
        return int64(mix(stream(seed, session, int64(0), int64(FOR_FAVOURITE)) + GAMMA) & U(3))
    if source == w.SOURCE.DRAWN_EACH_DEAL:
        return int64(mix(stream(seed, session, number, int64(FOR_FAVOURITE)) + GAMMA) & U(3))
    return int64(-1)


@compiled("void(deal, int64, int64, int64, int64)", **INLINED)
def begin(deal, pool, times, beasts, favourite):
    """A new deal; the place of the events stays where it was."""
    deal.pool, deal.times, deal.beasts = pool, times, beasts
    deal.favourite = favourite
    deal.hombre = deal.spec = deal.bid = deal.trump = deal.called = deal.holder = -1
    deal.ally = deal.surrendered = deal.given = -1
    deal.forced = deal.public = deal.invited = deal.made_premiers = deal.asked = deal.redealt = (
        deal.leader
    ) = 0
    deal.tricks_done = deal.held = deal.held_against = deal.hombre_void = deal.cleared = 0
    deal.vole = w.LEVEL.NONE
    deal.straight, deal.vole_waits = 1, 0
    deal.blocked = 0
    for seat in range(5):
        deal.won[seat] = 0
        deal.last[seat] = -1
        deal.known[seat].scored = 0
    deal.standing = deal.standing_spec = -1
    deal.out = deal.resting = deal.spoken = deal.named = 0


@compiled("int64(rules, int64)", **INLINED)
def spoken_bid(rules, spec):
    """A bid as it is spoken, as a number."""
    said = rules.specs[spec]
    return spoken(rules.bids[said.bid].name, said.favourite, said.vole)


@compiled("void(rules, deal, int64[::1], int64, int64, int64)", **OPTIONS)
def show(rules, deal, events, seat, spec, when):
    """Lay open the cards that a bid needs, if it shows them then."""
    block = bid_at(rules, spec)
    if rules.bids[block].shows == when and rules.bids[block].needs:
        emit(deal, events, w.EVENT.SHOWS, seat, int64(AUCTION), rules.bids[block].shown)


@compiled("void(rules, deal, int64[::1], int64, int64)", **INLINED)
def open_contract(rules, deal, events, hombre, spec):
    """Begin the contract that the auction ended in."""
    block, vole = bid_at(rules, spec), rules.specs[spec].vole
    deal.hombre, deal.spec, deal.bid = hombre, spec, block
    named = deal.named
    deal.trump = 4 if rules.bids[block].trump == w.TRUMP.NONE else named - 1
    deal.vole = w.LEVEL.ANNOUNCED if rules.bids[block].is_vole and vole == w.LEVEL.NONE else vole
    show(rules, deal, events, hombre, spec, int64(w.SHOWS.AFTER_AUCTION))
    if vole == w.LEVEL.REVEALED:
        show_hand(rules, deal, events, hombre)
    if named:
        emit(deal, events, w.EVENT.TRUMP, hombre, int64(AUCTION), named - 1)


@compiled("int64(rules, int64, uint64)", **OPTIONS)
def _unbroken(rules, trump, cards):
    """The unbroken top trumps from Spadille down, as many as count."""
    held, most = int64(0), rules.most_matadors[trump]
    while held < most and (cards >> U(59 - held)) & ONE:
        held += 1
    return held


@compiled("void(rules, deal)", **INLINED)
def set_table(rules, deal):
    """Trumps are known: matadors are counted, hands sorted under them, and somebody leads."""
    trump, players = deal.trump, rules.table.players
    hombre, ally = deal.hombre, deal.ally
    dealt = deal.dealt if rules.payments.matadors_counted == w.COUNTED.AS_DEALT else deal.hands
    everything = ours = theirs = ZERO
    for seat in range(players):
        counted = under(rules, trump, dealt[seat])
        deal.hands[seat] = under(rules, trump, deal.hands[seat])
        everything |= counted
        if seat in (hombre, ally):
            if seat == hombre or rules.payments.matadors_held_by == w.HELD_BY.SIDE:
                ours |= counted
        else:
            theirs |= counted
    if trump < 4:
        deal.held = _unbroken(rules, trump, ours)
        if rules.payments.adversaries_matadors != w.AGAINST.NOT_PAID:
            deal.held_against = _unbroken(rules, trump, theirs)
    deal.pack, deal.played, deal.called_bit = everything, ZERO, ZERO
    if deal.called >= 0:
        deal.called_bit = rules.order[trump].bit_of[deal.called]
    deal.leader = hombre if rules.play.first_lead == w.FIRST_LEAD.HOMBRE else 0


@compiled("boolean(rules, deal, int64)", **INLINED)
def may_claim(rules, deal, seat):
    """Whether this seat, being on lead, may end the play with the game's tricks made."""
    block, ally = deal.bid, deal.ally
    if (
        not rules.play.claim_won
        or rules.bids[block].goal != w.GOAL.AT_LEAST
        or deal.vole != w.LEVEL.NONE
    ):
        return False
    if seat not in (deal.hombre, ally):
        return False
    made = deal.won[seat]
    if (seat == ally or deal.public) and ally >= 0:
        made = deal.won[deal.hombre] + deal.won[ally]
    return made >= rules.bids[block].tricks


@compiled("void(rules, deal, int64[::1], int64)", **OPTIONS)
def end(rules, deal, events, note):
    """End the play."""
    reveal(rules, deal, events, int64(PLAY))
    emit(deal, events, w.EVENT.END, int64(-1), int64(PLAY), note)


@compiled("void(rules, deal, uint64)", **INLINED)
def note_voids(rules, deal, led):
    """Record voids: Hombre's at a game of no tricks, else the others' in the called suit while the
    ally is hidden."""
    players, suit, hombre, block = rules.table.players, lane_of(led), deal.hombre, deal.bid
    if rules.bids[block].goal == w.GOAL.NONE:
        place = hombre - deal.leader
        if place < 0:
            place += players
        if not deal.trick[place] & suit:
            deal.hombre_void |= int64(1) << (int64(ctz(led)) // 12)
    if deal.public or rules.bids[block].partner != w.PARTNER.CALLED or not deal.called_bit & suit:
        return
    for seat in range(players):
        place = seat - deal.leader
        if place < 0:
            place += players
        if seat == hombre or deal.trick[place] & suit:
            continue
        known = False
        for n in range(deal.cleared):
            known |= deal.order_cleared[n] == seat
        if not known:
            deal.order_cleared[deal.cleared] = seat
            deal.cleared += 1


@compiled("boolean(rules, deal, int64[::1])", **INLINED)
def note_trick(rules, deal, events):
    """What the table notes of a trick just made; True when the play ends with it."""
    block, hombre, winner, done = deal.bid, deal.hombre, deal.leader, deal.tricks_done
    if winner not in (hombre, deal.ally):
        deal.straight = 0
    elif rules.bids[block].ends_when_lost:
        return True
    counts = rules.payments.premiers_won_by != w.WON_BY.HOMBRE or deal.won[hombre] == done
    if done == rules.premiers.tricks and deal.straight and rules.bids[block].premiers and counts:
        deal.made_premiers = 1
        emit(deal, events, w.EVENT.PREMIERS, winner, int64(PLAY), int64(0))
    return False


@compiled("boolean(rules, deal)", **INLINED)
def vole_is_due(rules, deal):
    """Whether it is now to be decided if the vole is played for."""
    done = deal.tricks_done
    if done < rules.premiers.tricks or not deal.straight or done >= rules.table.hand_cards:
        return False
    if done > rules.premiers.tricks and not deal.vole_waits:
        return False
    deal.vole_waits = rules.vole.waits_for_ally and deal.ally >= 0 and not deal.public
    if deal.vole_waits:
        return False
    return rules.bids[deal.bid].may_undertake_vole != 0 and deal.vole == w.LEVEL.NONE


@compiled("void(rules, deal, result, out)", **OPTIONS)
def write_result(rules, deal, result, out):
    """What settlement needs to know; everything that must be claimed is claimed."""
    block = deal.bid
    result.pool = deal.pool
    result.bid = rules.specs[deal.spec].bid
    result.trump = deal.trump
    result.hombre, result.ally = deal.hombre, deal.ally
    result.surrendered, result.also_surrendered = deal.surrendered, 0
    if deal.surrendered >= 0 and rules.bids[block].cards_asked > 1:
        for n in range(1, deal.call_count):
            result.also_surrendered = joined(result.also_surrendered, deal.holders[n])
    result.matadors, result.against = deal.held, deal.held_against
    result.premiers, result.vole = deal.made_premiers, deal.vole
    result.times = deal.times if rules.multiplier.after_losses == w.LOSSES.COUNTED else 1
    result.beasts = deal.beasts if rules.counts_beasts else 0
    result.favourite = deal.favourite
    for seat in range(5):
        result.tricks[seat] = deal.won[seat]
    result.claims = 0
    if rules.bids[block].claimed:
        result.claims = due(rules, result, out) & rules.bids[block].claimed
