"""The auction: what ``engine.auction`` defines."""

from numba import int64

from quadrille_plugins.fast import memory as at_deal
from quadrille_plugins.fast import play_layout as at
from quadrille_plugins.fast.bits import ONE, U, count
from quadrille_plugins.fast.compiled import compiled
from quadrille_plugins.fast.shares import INLINED, OPTIONS

D_STANDING, D_STANDING_SPEC, D_OUT, D_RESTING, D_LAST = (
    at_deal.STANDING, at_deal.STANDING_SPEC, at_deal.OUT, at_deal.RESTING, at_deal.LAST,
)  # fmt: skip


@compiled("int64(int64[::1], int64)", **INLINED)
def spec_at(rules, spec):
    """Where the block of a spoken bid begins."""
    return rules[at.SPECS_AT] + spec * at.SPEC_SIZE


@compiled("int64(int64[::1], int64)", **INLINED)
def bid_at(rules, spec):
    """Where the block of a spoken bid's contract begins."""
    return rules[at.BIDS_AT] + rules[spec_at(rules, spec) + at.SPEC_BID] * at.BID_SIZE


@compiled("boolean(int64[::1], int64)", **INLINED)
def _plays_alone(rules, spec):
    """Whether Hombre plays this bid with her own cards alone."""
    block = bid_at(rules, spec)
    return not rules[block + at.CALLED] and not rules[block + at.EXCHANGE]


@compiled("boolean(int64[::1], int64[::1], int64, int64)", **INLINED)
def _may_not_play_alone(rules, deal, seat, spec):
    """Whether one who has bid with an ally and been overcalled may not now play alone."""
    before = deal[D_LAST + seat]
    if before < 0 or rules[at.ELDER] != at.IF_FORCED or not _plays_alone(rules, spec):
        return False
    return rules[bid_at(rules, before) + at.CALLED] != 0 and not _plays_alone(rules, deal[D_STANDING_SPEC])


@compiled("boolean(int64[::1], int64[::1], int64, int64)", **INLINED)
def _overcalls(rules, deal, seat, spec):
    block, how, before = spec_at(rules, spec), rules[at.ELDER], deal[D_LAST + seat]
    level = rules[block + at.SPEC_LEVEL]
    against = rules[spec_at(rules, deal[D_STANDING_SPEC]) + at.SPEC_LEVEL]
    if level != against:
        return level > against
    if before < 0 or seat > deal[D_STANDING]:
        return False
    if how not in (at.TO_SOLO, at.IF_FORCED):
        return how == at.BY_PRIORITY
    raised = rules[at.SOLO] >= 0 and rules[block + at.SPEC_BID] == rules[at.SOLO] and not rules[block + at.SPEC_VOLE]
    return raised and rules[bid_at(rules, before) + at.CALLED] != 0


@compiled("boolean(int64[::1], int64[::1], uint64, int64, int64)", **INLINED)
def may_bid(rules, deal, hand, seat, spec):
    """Whether the player in turn may make this bid."""
    block = spec_at(rules, spec)
    if rules[block + at.SPEC_FAVOURITE] and deal[at_deal.FAVOURITE] < 0:
        return False
    needs = U(rules[bid_at(rules, spec) + at.NEEDS])
    if hand & needs != needs:
        return False
    if deal[D_STANDING] < 0:
        return True
    return not _may_not_play_alone(rules, deal, seat, spec) and _overcalls(rules, deal, seat, spec)


@compiled("int64(int64[::1], int64[::1], int64)", **OPTIONS)
def named_unasked(rules, deal, suit):
    """The bid that naming these trumps without asking leave stands for; -1 for none."""
    # once a bid stands, its maker and whoever speaks are both in: all others can be out only before any bid
    left_alone = int64(count(U(deal[D_OUT] | deal[D_RESTING]))) == rules[at.PLAYERS] - 1
    return rules[at.UNASKED + (2 if left_alone else 0) + (suit == deal[at_deal.FAVOURITE])]


@compiled("int64(int64[::1], int64[::1], int64)", **INLINED)
def _next(rules, deal, seat):
    """The next who may still speak against the standing bid; -1 when there is nobody."""
    players, silent = rules[at.PLAYERS], deal[D_OUT] | deal[D_RESTING]
    for step in range(1, players + 1):
        other = seat + step
        if other >= players:
            other -= players
        if not (silent >> other) & 1 and other != deal[D_STANDING]:
            return other
    return int64(-1)


@compiled("uint64(uint64[::1], int64)", **INLINED)
def home_bit(order, card):
    """The bit of a card in the home order."""
    if card == 0:
        return U(at_deal.SPADILLE_HOME)
    if card == 20:
        return U(at_deal.BASTO_HOME)
    return order[4 * at.ORDER_SIZE + at.BIT_OF + card]


@compiled("int64(int64[::1], uint64[::1], int64[::1], uint64, int64)", **INLINED)
def passes(rules, order, deal, hand, seat):
    """Pass; returns who is next."""
    returns = rules[at.RETURNS_WITH]
    deal[at_deal.SPOKEN] |= 1 << seat
    if returns >= 0 and hand & home_bit(order, returns):
        deal[D_RESTING] |= 1 << seat
    else:
        deal[D_OUT] |= 1 << seat
    return _next(rules, deal, seat)


@compiled("int64(int64[::1], int64[::1], int64, int64)", **INLINED)
def bids(rules, deal, seat, spec):
    """Make a bid; returns who is next, -1 when it ends the auction."""
    deal[at_deal.SPOKEN] |= 1 << seat
    if deal[D_STANDING] >= 0 and rules[at.ELDER] == at.NEVER_AGAIN:
        deal[D_OUT] |= 1 << deal[D_STANDING]
    deal[D_RESTING] = 0
    deal[D_LAST + seat] = spec
    deal[D_STANDING] = seat
    deal[D_STANDING_SPEC] = spec
    if rules[bid_at(rules, spec) + at.CLOSES]:
        return int64(-1)
    return _next(rules, deal, seat)


@compiled("int64(uint64[::1], uint64)", **OPTIONS)
def home_card(order, bit):
    """The card that a bit of the home order stands for."""
    if bit == U(at_deal.SPADILLE_HOME):
        return int64(0)
    if bit == U(at_deal.BASTO_HOME):
        return int64(20)
    place = int64(0)
    while not (bit >> U(place)) & ONE:
        place += 1
    return int64(order[4 * at.ORDER_SIZE + at.CARD_AT + place])
