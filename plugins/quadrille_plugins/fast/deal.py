"""What happens in a deal whoever plays it, from the shuffle to the last trick; ``engine.table`` defines it."""

import numpy as np
from numba import int64

from quadrille_plugins.fast import events as told
from quadrille_plugins.fast import layout as money
from quadrille_plugins.fast import memory as at_deal
from quadrille_plugins.fast import play_layout as at
from quadrille_plugins.fast.auction import bid_at, home_bit, home_card, spec_at
from quadrille_plugins.fast.bits import ONE, ZERO, U, ctz, low_bit, mix, mulhi
from quadrille_plugins.fast.cards import BLOCK, lane_of, under
from quadrille_plugins.fast.compiled import compiled
from quadrille_plugins.fast.declare import reveal
from quadrille_plugins.fast.draws import FOR_DEAL, FOR_FAVOURITE, GAMMA, limit, stream
from quadrille_plugins.fast.items import due
from quadrille_plugins.fast.say import AUCTION, PLAY, spoken, tell
from quadrille_plugins.fast.shares import INLINED, OPTIONS

PARTS = np.array([0, *((2**64 - 1) // bound for bound in range(1, 41))], np.uint64)
"""How often each bound goes into a word."""


@compiled("void(uint64[::1], uint64, int64, int64, int64, uint64[::1], uint64[::1])", **INLINED)
def shuffle(order, seed, session, number, players, pack, hands):
    """Deal the cards as ``engine.deal.shuffled_hands`` does, in the home order."""
    for card in range(40):
        pack[card] = home_bit(order, int64(card))
    state = stream(seed, session, number, int64(FOR_DEAL))
    for i in range(39, 0, -1):
        bound = U(i + 1)
        while True:
            state += GAMMA
            word = mix(state)
            # words that are drawn again are fewer than the bound, and the highest
            if word <= ~bound or word <= limit(bound):
                break
        # the quotient from below, one too few at most: a multiplication where a division would take far longer
        j = int64(word - mulhi(word, PARTS[i + 1]) * bound)
        if j > i:
            j -= i + 1
        pack[i], pack[j] = pack[j], pack[i]
    size = 40 // players
    for seat in range(players):
        hand = ZERO
        for i in range(seat * size, (seat + 1) * size):
            hand |= pack[i]
        hands[at_deal.HANDS + seat] = hand
        hands[at_deal.DEALT + seat] = hand


@compiled("int64(int64[::1], uint64, int64, int64, int64)", **OPTIONS)
def favourite_suit(rules, seed, session, number, first):
    """The favourite suit of a deal, -1 for none; ``first`` are the trumps of the session's first deal that had any."""
    source = rules[at.FAVOURITE_SOURCE]
    if source == at.FAVOURITE_FIXED:
        return rules[at.FAVOURITE_SUIT]
    if source == at.FAVOURITE_FIRST:
        return first
    if source == at.FAVOURITE_SESSION:
        return int64(mix(stream(seed, session, int64(0), int64(FOR_FAVOURITE)) + GAMMA) & U(3))
    if source == at.FAVOURITE_DEAL:
        return int64(mix(stream(seed, session, number, int64(FOR_FAVOURITE)) + GAMMA) & U(3))
    return int64(-1)


@compiled("void(int64[::1], int64, int64, int64, int64)", **INLINED)
def begin(deal, pool, times, beasts, favourite):
    """A new deal; the place of the events stays where it was."""
    deal[at_deal.POOL], deal[at_deal.TIMES], deal[at_deal.BEASTS] = pool, times, beasts
    deal[at_deal.FAVOURITE] = favourite
    for field in range(at_deal.HOMBRE, at_deal.HOLDER + 1):
        deal[field] = -1
    deal[at_deal.FORCED] = 0
    deal[at_deal.ALLY] = deal[at_deal.SURRENDERED] = deal[at_deal.GIVEN] = -1
    for field in range(at_deal.PUBLIC, at_deal.CLEARED + 1):
        deal[field] = 0
    deal[at_deal.STRAIGHT] = 1
    deal[at_deal.BLOCKED] = 0
    for seat in range(5):
        deal[at_deal.WON + seat] = 0
        deal[at_deal.LAST + seat] = -1
        deal[at_deal.HAND + seat * at_deal.HAND_SIZE + at_deal.SCORED] = 0
    deal[at_deal.STANDING] = deal[at_deal.STANDING_SPEC] = -1
    deal[at_deal.OUT] = deal[at_deal.RESTING] = deal[at_deal.SPOKEN] = deal[at_deal.NAMED] = 0


@compiled("int64(int64[::1], int64)", **INLINED)
def spoken_bid(rules, spec):
    """A bid as it is spoken, as a number."""
    block = spec_at(rules, spec)
    return spoken(rules[bid_at(rules, spec) + at.NAME], rules[block + at.SPEC_FAVOURITE], rules[block + at.SPEC_VOLE])


@compiled("void(int64[::1], int64[::1], int64[::1], int64, int64, int64)", **OPTIONS)
def show(rules, deal, events, seat, spec, when):
    """Lay open the cards that a bid needs, if it shows them then."""
    block = bid_at(rules, spec)
    if rules[block + at.SHOWS] == when:
        tell(deal, events, told.SHOWS, seat, int64(AUCTION), rules[block + at.NEEDS_NAME])


@compiled("void(int64[::1], uint64[::1], int64[::1], uint64[::1], int64[::1], int64, int64)", **INLINED)
def open_contract(rules, order, deal, hands, events, hombre, spec):
    """Begin the contract that the auction ended in."""
    block, vole = bid_at(rules, spec), rules[spec_at(rules, spec) + at.SPEC_VOLE]
    deal[at_deal.HOMBRE], deal[at_deal.SPEC], deal[at_deal.BID] = hombre, spec, block
    named = deal[at_deal.NAMED]
    deal[at_deal.TRUMP] = 4 if rules[block + at.NO_TRUMPS] else named - 1
    deal[at_deal.VOLE] = money.ANNOUNCED if rules[block + at.IS_VOLE] and vole == money.NO_VOLE else vole
    show(rules, deal, events, hombre, spec, int64(at.SHOWS_AFTER))
    if vole == money.REVEALED:
        shown, hand = int64(0), hands[at_deal.HANDS + hombre]
        while hand:
            bit = low_bit(hand)
            hand ^= bit
            shown |= int64(1) << home_card(order, bit)
        tell(deal, events, told.SHOWS, hombre, int64(AUCTION), told.WHOLE_HAND | shown)
    if named:
        tell(deal, events, told.TRUMP, hombre, int64(AUCTION), named - 1)


@compiled("int64(int64[::1], int64, uint64)", **OPTIONS)
def _unbroken(rules, trump, cards):
    """The top trumps held from Spadille down without a gap, as far as they count."""
    held, most = int64(0), int64(4) if trump & 1 or rules[at.FOUR_IN_BLACK] else int64(3)
    while held < most and (cards >> U(59 - held)) & ONE:
        held += 1
    return held


@compiled("void(int64[::1], uint64[::1], int64[::1], uint64[::1])", **INLINED)
def set_table(rules, order, deal, hands):
    """Trumps are known: matadors are counted, hands sorted under them, and somebody leads."""
    trump, players = deal[at_deal.TRUMP], rules[at.PLAYERS]
    hombre, ally = deal[at_deal.HOMBRE], deal[at_deal.ALLY]
    dealt = at_deal.DEALT if rules[at.MATADORS_DEALT] else at_deal.HANDS
    everything = ours = theirs = ZERO
    for seat in range(players):
        counted = under(order, trump, hands[dealt + seat])
        hands[at_deal.HANDS + seat] = under(order, trump, hands[at_deal.HANDS + seat])
        everything |= counted
        if seat in (hombre, ally):
            if seat == hombre or rules[at.MATADORS_SIDE]:
                ours |= counted
        else:
            theirs |= counted
    if trump < 4:
        deal[at_deal.HELD] = _unbroken(rules, trump, ours)
        if rules[at.AGAINST_PAID]:
            deal[at_deal.HELD_AGAINST] = _unbroken(rules, trump, theirs)
    hands[at_deal.PACK], hands[at_deal.PLAYED], hands[at_deal.CALLED_BIT] = everything, ZERO, ZERO
    if deal[at_deal.CALLED] >= 0:
        hands[at_deal.CALLED_BIT] = order[trump * BLOCK + at.BIT_OF + deal[at_deal.CALLED]]
    deal[at_deal.LEADER] = hombre if rules[at.FIRST_LEAD_HOMBRE] else 0


@compiled("boolean(int64[::1], int64[::1], int64)", **INLINED)
def may_claim(rules, deal, seat):
    """Whether this seat, being on lead, may end the play with the game's tricks made."""
    block, ally = deal[at_deal.BID], deal[at_deal.ALLY]
    if not rules[at.CLAIM_WON] or rules[block + at.GOAL] != at.AT_LEAST or deal[at_deal.VOLE]:
        return False
    if seat not in (deal[at_deal.HOMBRE], ally):
        return False
    made = deal[at_deal.WON + seat]
    if (seat == ally or deal[at_deal.PUBLIC]) and ally >= 0:
        made = deal[at_deal.WON + deal[at_deal.HOMBRE]] + deal[at_deal.WON + ally]
    return made >= rules[block + at.TRICKS]


@compiled("void(int64[::1], int64[::1], int64[::1], int64)", **OPTIONS)
def end(rules, deal, events, note):
    """End the play."""
    reveal(rules, deal, events, int64(PLAY))
    tell(deal, events, told.END, int64(-1), int64(PLAY), note)


@compiled("void(int64[::1], int64[::1], uint64[::1], uint64)", **INLINED)
def note_voids(rules, deal, hands, led):
    """Who could not follow: Hombre where she wants no trick, the others in the suit called while the ally is hidden."""
    players, suit, hombre, block = rules[at.PLAYERS], lane_of(led), deal[at_deal.HOMBRE], deal[at_deal.BID]
    if rules[block + at.GOAL] == at.NONE:
        place = hombre - deal[at_deal.LEADER]
        if place < 0:
            place += players
        if not hands[at_deal.TRICK + place] & suit:
            deal[at_deal.HOMBRE_VOID] |= int64(1) << (int64(ctz(led)) // 12)
    if deal[at_deal.PUBLIC] or not rules[block + at.CALLED] or not hands[at_deal.CALLED_BIT] & suit:
        return
    for seat in range(players):
        place = seat - deal[at_deal.LEADER]
        if place < 0:
            place += players
        if seat == hombre or hands[at_deal.TRICK + place] & suit:
            continue
        known = False
        for n in range(deal[at_deal.CLEARED]):
            known |= deal[at_deal.ORDER_CLEARED + n] == seat
        if not known:
            deal[at_deal.ORDER_CLEARED + deal[at_deal.CLEARED]] = seat
            deal[at_deal.CLEARED] += 1


@compiled("boolean(int64[::1], int64[::1], uint64[::1], int64[::1])", **INLINED)
def note_trick(rules, deal, hands, events):
    """What the table notes of a trick just made; True when the play ends with it."""
    block, hombre, winner, done = (
        deal[at_deal.BID],
        deal[at_deal.HOMBRE],
        deal[at_deal.LEADER],
        deal[at_deal.TRICKS_DONE],
    )
    if winner not in (hombre, deal[at_deal.ALLY]):
        deal[at_deal.STRAIGHT] = 0
    elif rules[block + at.ENDS_WHEN_LOST]:
        return True
    hers = not rules[at.PREMIERS_BY_HOMBRE] or deal[at_deal.WON + hombre] == done
    if done == rules[at.PREMIERS_TRICKS] and deal[at_deal.STRAIGHT] and rules[block + at.PAYS_PREMIERS] and hers:
        deal[at_deal.MADE_PREMIERS] = 1
        tell(deal, events, told.PREMIERS, winner, int64(PLAY), int64(0))
    return False


@compiled("boolean(int64[::1], int64[::1])", **INLINED)
def vole_is_due(rules, deal):
    """Whether it is now to be decided if the vole is played for."""
    done = deal[at_deal.TRICKS_DONE]
    if done != rules[at.PREMIERS_TRICKS] or not deal[at_deal.STRAIGHT] or done >= rules[at.HAND]:
        return False
    return rules[deal[at_deal.BID] + at.MAY_UNDERTAKE] != 0 and deal[at_deal.VOLE] == money.NO_VOLE


@compiled("void(int64[::1], int64[::1], int64[::1], int64[::1], int64[::1])", **OPTIONS)
def write_result(rules, money_rules, deal, result, out):
    """What settlement needs to know; everything that must be claimed is claimed."""
    block = deal[at_deal.BID]
    result[:] = 0
    result[money.R_POOL] = deal[at_deal.POOL]
    result[money.R_BID] = rules[spec_at(rules, deal[at_deal.SPEC]) + at.SPEC_BID]
    result[money.R_TRUMP] = deal[at_deal.TRUMP]
    result[money.R_HOMBRE], result[money.R_ALLY] = deal[at_deal.HOMBRE], deal[at_deal.ALLY]
    result[money.R_SURRENDERED] = deal[at_deal.SURRENDERED]
    result[money.R_MATADORS], result[money.R_AGAINST] = deal[at_deal.HELD], deal[at_deal.HELD_AGAINST]
    result[money.R_PREMIERS], result[money.R_VOLE] = deal[at_deal.MADE_PREMIERS], deal[at_deal.VOLE]
    result[money.R_MULT] = deal[at_deal.TIMES] if rules[at.COUNTS_LOSSES] else 1
    result[money.R_BEASTS] = deal[at_deal.BEASTS] if rules[at.COUNTS_BEASTS] else 0
    result[money.R_FAVOURITE] = deal[at_deal.FAVOURITE]
    for seat in range(5):
        result[money.R_TRICKS + seat] = deal[at_deal.WON + seat]
    if rules[block + at.CLAIMED]:
        result[money.R_CLAIMS] = due(money_rules, result, out) & rules[block + at.CLAIMED]
