"""What ``steady`` names, calls and gives: ``bots.steady._declare``."""

from numba import int64

from quadrille_plugins.fast import memory as at_deal
from quadrille_plugins.fast import play_layout as at
from quadrille_plugins.fast.auction import home_bit, spec_at
from quadrille_plugins.fast.bits import ZERO, U, count, ctz
from quadrille_plugins.fast.cards import lane, trumps_of
from quadrille_plugins.fast.compiled import compiled
from quadrille_plugins.fast.declare import callable_cards, may_invite, may_name
from quadrille_plugins.fast.shares import OPTIONS
from quadrille_plugins.players.kernel_steady_bids import MIND, SPOILT, suits_for
from quadrille_plugins.players.kernel_steady_hands import bucket_of, exchanged, matadors, score
from quadrille_plugins.players.kernel_steady_values import ALLY as PART_ALLY
from quadrille_plugins.players.kernel_steady_values import HOMBRE as PART_HOMBRE
from quadrille_plugins.players.kernel_steady_values import VALUE, pool_step, row_value, value_at

FAR = 1 << 40


@compiled(f"int64(int64[::1], uint64[::1], {MIND}, int64[::1], uint64[::1], int64)", **OPTIONS)
def choose_trump(rules, order, mind, deal, hands, seat):
    """The suit worth most; 4 to invite the ally."""
    steady, scores, values = mind
    hand, size = hands[at_deal.HANDS + seat], pool_step(rules, deal[at_deal.POOL])
    spec, called = deal[at_deal.SPEC], rules[deal[at_deal.BID] + at.CALLED]
    part = PART_HOMBRE if seat == deal[at_deal.HOMBRE] else PART_ALLY
    holder = deal[at_deal.HOLDER]
    secret = called != 0 and holder >= 0 and holder == deal[at_deal.HOMBRE] and (deal[at_deal.PUBLIC] or seat == holder)
    way = int64(at.ALLY) if called and not secret else int64(at.ALONE)
    usual = part == PART_HOMBRE and not secret and way == steady[at.MODES + rules[spec_at(rules, spec) + at.SPEC_BID]]
    best, choice = int64(SPOILT), int64(-1)
    for suit in range(4):
        if not may_name(rules, deal, int64(suit)):
            continue
        points = score(order, steady, scores, way, hand, int64(suit))
        favoured, held = int64(suit == deal[at_deal.FAVOURITE]), matadors(order, rules, hand, int64(suit))
        if usual:
            value = values[value_at(rules, spec, size, favoured, held) + bucket_of(points)]
        else:
            value = row_value(
                rules, steady, values, spec, int64(secret), size, favoured, held, int64(part), way, bucket_of(points)
            )
        value += points * (VALUE // 10000) * rules[at.SCALE]
        if choice < 0 or value > best:
            best, choice = value, int64(suit)
    if may_invite(rules, deal):
        zero = int64(0)
        points = score(order, steady, scores, int64(at.BLIND), hand, int64(4))
        value = row_value(
            rules, steady, values, spec, zero, size, zero, zero, int64(PART_HOMBRE), int64(at.BLIND), bucket_of(points)
        )
        if choice < 0 or value > best:
            return int64(4)
    return choice


@compiled("int64(int64)", **OPTIONS)
def _reach(held):
    """Which suit to call a king of, by the cards held in it: one card reaches the ally, none cannot."""
    if held == 0:
        return int64(3)
    return held - 1 if held < 4 else held


@compiled("uint64(uint64[::1], uint64, int64, int64)", **OPTIONS)
def _plain_held(order, hand, trump, suit):
    return hand & order[trump * at.ORDER_SIZE + at.PLAIN_MASK] & lane(suit)


@compiled("int64(int64)", **OPTIONS)
def _place(bits):
    """The place of the lowest bit set."""
    return int64(ctz(U(bits)))


@compiled(f"int64(int64[::1], uint64[::1], {MIND}, int64[::1], uint64[::1])", **OPTIONS)
def _choose_ally(rules, order, mind, deal, hands):
    """The card of a suit in which Hombre is short; her own only where playing alone is worth more."""
    steady, scores, values = mind
    hand, trump = hands[at_deal.HANDS + deal[at_deal.HOMBRE]], deal[at_deal.TRUMP]
    legal = callable_cards(rules, order, deal, hand)
    if legal & (legal - 1) == 0:
        return int64(_place(legal))
    own = others = int64(0)
    rest = legal
    while rest:
        card = _place(rest)
        rest &= rest - 1
        if hand & home_bit(order, card):
            own |= int64(1) << card
        else:
            others |= int64(1) << card
    if own and others and trump >= 0:
        zero, one = int64(0), int64(1)
        favoured, held = int64(trump == deal[at_deal.FAVOURITE]), matadors(order, rules, hand, trump)
        size, spec = pool_step(rules, deal[at_deal.POOL]), deal[at_deal.SPEC]
        at_alone = bucket_of(score(order, steady, scores, int64(at.ALONE), hand, trump))
        at_allied = bucket_of(score(order, steady, scores, int64(at.ALLY), hand, trump))
        alone = row_value(rules, steady, values, spec, one, size, favoured, held, zero, int64(at.ALONE), at_alone)
        allied = row_value(rules, steady, values, spec, zero, size, favoured, held, zero, int64(at.ALLY), at_allied)
        if alone > allied:
            others = own
    choices = others if others else own
    known = int64(4) if trump < 0 else trump
    least, choice = int64(FAR), int64(-1)
    while choices:
        card = _place(choices)
        choices &= choices - 1
        suit = card // 10
        is_trump = suit == known
        held_here = trumps_of(order, known, hand) if is_trump else _plain_held(order, hand, known, suit)
        key = _reach(int64(count(held_here))) - (20 if is_trump else 0)
        if key < least:
            least, choice = key, int64(card)
    return choice


@compiled("int64(int64[::1], int64[::1])", **OPTIONS)
def _trumps(rules, deal):
    """The trump suit, or those that may yet be named, one bit each."""
    if deal[at_deal.TRUMP] >= 0:
        return int64(1) << deal[at_deal.TRUMP]
    return suits_for(rules, deal[at_deal.SPEC], deal[at_deal.FAVOURITE])


@compiled(f"int64(int64[::1], uint64[::1], {MIND}, int64[::1], uint64[::1])", **OPTIONS)
def _choose_help(rules, order, mind, deal, hands):
    """The card that improves the hand most."""
    steady, scores, _ = mind
    hand = hands[at_deal.HANDS + deal[at_deal.HOMBRE]]
    legal, suits = callable_cards(rules, order, deal, hand), _trumps(rules, deal)
    best, choice = int64(-1), int64(-1)
    for card in range(40):
        if not legal >> card & 1:
            continue
        if choice < 0:
            choice = int64(card)
        for trump in range(5):
            if suits >> trump & 1:
                points = exchanged(order, steady, scores, hand, home_bit(order, int64(card)), int64(trump))
                if points > best:
                    best, choice = points, int64(card)
    return choice


@compiled(f"uint64(int64[::1], uint64[::1], {MIND}, int64[::1], uint64[::1])", **OPTIONS)
def choose_gift(rules, order, mind, deal, hands):
    """The card whose loss leaves the best hand, as a bit of the home order."""
    steady, scores, _ = mind
    hand, block = hands[at_deal.HANDS + deal[at_deal.HOMBRE]], deal[at_deal.BID]
    way = int64(at.ALONE)
    if rules[block + at.CALLED]:
        way = steady[at.MODES + rules[spec_at(rules, deal[at_deal.SPEC]) + at.SPEC_BID]]
    suits, kept = _trumps(rules, deal), home_bit(order, deal[at_deal.CALLED])
    best, choice = int64(-FAR), ZERO
    # in the order of the pack, so that of equals the first is given
    for card in range(40):
        bit = home_bit(order, int64(card))
        if not hand & bit or bit == kept:
            continue
        if choice == ZERO:
            choice = bit
        for trump in range(5):
            if suits >> trump & 1:
                points = score(order, steady, scores, way, hand & ~bit, int64(trump))
                if points > best:
                    best, choice = points, bit
    return choice


@compiled(f"int64(int64[::1], uint64[::1], {MIND}, int64[::1], uint64[::1])", **OPTIONS)
def choose_call(rules, order, mind, deal, hands):
    """The card that Hombre calls: an ally's, or where cards are exchanged one for her own hand."""
    if rules[deal[at_deal.BID] + at.EXCHANGE]:
        return _choose_help(rules, order, mind, deal, hands)
    return _choose_ally(rules, order, mind, deal, hands)
