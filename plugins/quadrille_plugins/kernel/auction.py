"""The auction: what ``engine.auction`` defines."""

from numba import int64

from quadrille_core.engine.deal_record import WHOLE_HAND
from quadrille_plugins.kernel.bits import ONE, U, count, low_bit
from quadrille_plugins.kernel.compiled import compiled
from quadrille_plugins.kernel.emit import AUCTION, emit
from quadrille_plugins.kernel.shares import INLINED, OPTIONS
from quadrille_plugins.kernel.words import ELDER, EVENT, LEVEL, PARTNER

SPADILLE_HOME, BASTO_HOME = U(1 << 9), U(1 << 33)


@compiled("int64(rules, int64)", **INLINED)
def bid_at(rules, spec):
    """The place of a spoken bid's contract among the bids."""
    return rules.specs[spec].bid


@compiled("boolean(rules, int64)", **INLINED)
def _plays_alone(rules, spec):
    """Whether Hombre plays this bid with their own cards alone."""
    block = bid_at(rules, spec)
    return rules.bids[block].partner != PARTNER.CALLED and not rules.bids[block].exchange


@compiled("boolean(rules, deal, int64, int64)", **INLINED)
def _may_not_play_alone(rules, deal, seat, spec):
    """Whether one who has bid with an ally and been overcalled may not now play alone."""
    before = deal.last[seat]
    if (
        before < 0
        or rules.auction.elder_may_raise != ELDER.IF_FORCED
        or not _plays_alone(rules, spec)
    ):
        return False
    return rules.bids[bid_at(rules, before)].partner == PARTNER.CALLED and not _plays_alone(
        rules, deal.standing_spec
    )


@compiled("boolean(rules, deal, int64, int64)", **INLINED)
def _overcalls(rules, deal, seat, spec):
    how, before, level = rules.auction.elder_may_raise, deal.last[seat], rules.specs[spec].level
    against = rules.specs[deal.standing_spec].level
    if level != against:
        return level > against
    if before < 0 or seat > deal.standing:
        return False
    if how not in (ELDER.TO_SOLO, ELDER.IF_FORCED):
        return how == ELDER.BY_PRIORITY
    raised = (
        rules.solo >= 0
        and bid_at(rules, spec) == rules.solo
        and rules.specs[spec].vole == LEVEL.NONE
    )
    return raised and rules.bids[bid_at(rules, before)].partner == PARTNER.CALLED


@compiled("boolean(rules, deal, uint64, int64, int64)", **INLINED)
def may_bid(rules, deal, hand, seat, spec):
    """Whether the player in turn may make this bid."""
    if rules.specs[spec].favourite and deal.favourite < 0:
        return False
    needs = U(rules.bids[bid_at(rules, spec)].wanted)
    if hand & needs != needs:
        return False
    if deal.standing >= 0 and (
        _may_not_play_alone(rules, deal, seat, spec) or not _overcalls(rules, deal, seat, spec)
    ):
        return False
    return rules.unnamed[spec] >> (deal.favourite + 1) & 1 == 0


@compiled("int64(rules, int64, int64)", **INLINED)
def barred_suits(rules, block, favourite):
    """The suits that plugins let nobody name at a bid, one bit each."""
    barred = rules.barred[block]
    if barred and favourite >= 0:
        own = int64(1) << favourite
        barred = (barred & ~own) | (barred >> 4 & own)
    return barred & 15


@compiled("int64(rules, deal, int64)", **OPTIONS)
def named_unasked(rules, deal, suit):
    """The bid that naming these trumps without asking amounts to; -1 for none."""
    # once a bid stands, its maker and whoever speaks are both in: all others can be out only before
    # any bid
    left_alone = int64(count(U(deal.out | deal.resting))) == rules.table.players - 1
    spec = rules.unasked[(2 if left_alone else 0) + (suit == deal.favourite)]
    if spec >= 0 and barred_suits(rules, bid_at(rules, spec), deal.favourite) >> suit & 1:
        return int64(-1)
    return spec


@compiled("int64(rules, deal, int64)", **INLINED)
def _next(rules, deal, seat):
    """The next seat that may still bid over the standing bid; -1 for none."""
    players, silent = rules.table.players, deal.out | deal.resting
    for step in range(1, players + 1):
        other = seat + step
        if other >= players:
            other -= players
        if not (silent >> other) & 1 and other != deal.standing:
            return other
    return int64(-1)


@compiled("uint64(rules, int64)", **INLINED)
def home_bit(rules, card):
    """The bit of a card in the home order."""
    if card == 0:
        return SPADILLE_HOME
    if card == 20:
        return BASTO_HOME
    return rules.order[4].bit_of[card]


@compiled("int64(rules, deal, uint64, int64)", **INLINED)
def passes(rules, deal, hand, seat):
    """Pass; returns who is next."""
    returns = rules.returns_with
    deal.spoken |= 1 << seat
    if returns >= 0 and hand & home_bit(rules, returns):
        deal.resting |= 1 << seat
    else:
        deal.out |= 1 << seat
    return _next(rules, deal, seat)


@compiled("int64(rules, deal, int64, int64)", **INLINED)
def bids(rules, deal, seat, spec):
    """Make a bid; returns who is next, -1 when it ends the auction."""
    deal.spoken |= 1 << seat
    if deal.standing >= 0 and rules.auction.elder_may_raise == ELDER.NEVER:
        deal.out |= 1 << deal.standing
    deal.resting = 0
    deal.last[seat] = spec
    deal.standing = seat
    deal.standing_spec = spec
    if rules.bids[bid_at(rules, spec)].closes_auction:
        return int64(-1)
    return _next(rules, deal, seat)


@compiled("int64(rules, uint64)", **OPTIONS)
def home_card(rules, bit):
    """The card of a bit in the home order."""
    if bit == SPADILLE_HOME:
        return int64(0)
    if bit == BASTO_HOME:
        return int64(20)
    place = int64(0)
    while not (bit >> U(place)) & ONE:
        place += 1
    return rules.order[4].card_at[place]


@compiled("void(rules, deal, int64[::1], int64)", **OPTIONS)
def show_hand(rules, deal, events, seat):
    """Lay open a whole hand of the home order."""
    shown, hand = int64(0), deal.hands[seat]
    while hand:
        bit = low_bit(hand)
        hand ^= bit
        shown |= int64(1) << home_card(rules, bit)
    emit(deal, events, EVENT.SHOWS, seat, int64(AUCTION), WHOLE_HAND | shown)
