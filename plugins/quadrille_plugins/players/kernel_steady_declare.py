"""What ``steady`` names, calls and gives: ``players.steady._declare``."""

from numba import int64

from quadrille_plugins.kernel.auction import home_bit
from quadrille_plugins.kernel.bits import ZERO, U, count, ctz
from quadrille_plugins.kernel.cards import lane, trumps_of
from quadrille_plugins.kernel.compiled import compiled
from quadrille_plugins.kernel.declare import callable_cards, called_cards, may_invite, may_name
from quadrille_plugins.kernel.shares import OPTIONS
from quadrille_plugins.kernel.words import PARTNER
from quadrille_plugins.players.kernel_steady_bids import POLICY, SPOILT, suits_for
from quadrille_plugins.players.kernel_steady_hands import bucket_of, exchanged, matadors, score
from quadrille_plugins.players.kernel_steady_values import ALLY as PART_ALLY
from quadrille_plugins.players.kernel_steady_values import HOMBRE as PART_HOMBRE
from quadrille_plugins.players.kernel_steady_values import VALUE, pool_step, row_value, value_at
from quadrille_plugins.players.steady_arrays import CALLS, WAY

FAR = 1 << 40


@compiled("int64(rules, int64, uint64)", **OPTIONS)
def _long_enough(rules, suits, hand):
    """Of these suits, one bit each, those that are at most one trump shorter than the longest."""
    if suits & (suits - 1) == 0:
        return suits
    longest, found = int64(0), int64(0)
    for suit in range(4):
        if suits >> suit & 1:
            longest = max(longest, int64(count(trumps_of(rules, int64(suit), hand))))
    for suit in range(4):
        if int64(count(trumps_of(rules, int64(suit), hand))) >= longest - 1:
            found |= int64(1) << suit
    return found & suits


@compiled("int64(rules, deal, uint64)", **OPTIONS)
def _nameable(rules, deal, hand):
    """The suits that come into question for trumps, one bit each."""
    suits = int64(0)
    for suit in range(4):
        if may_name(rules, deal, int64(suit)):
            suits |= int64(1) << suit
    exchanging = rules.bids[deal.bid].exchange and deal.called >= 0
    return _long_enough(rules, suits, hand) if exchanging else suits


@compiled(f"int64(rules, {POLICY}, deal, int64)", **OPTIONS)
def choose_trump(rules, policy, deal, seat):
    """The suit worth most; 4 to invite the ally."""
    steady, scores, values = policy
    hand, size = deal.hands[seat], pool_step(rules, deal.pool)
    spec, called = deal.spec, rules.bids[deal.bid].partner == PARTNER.CALLED
    part = PART_HOMBRE if seat == deal.hombre else PART_ALLY
    holder = deal.holder
    secret = (
        called != 0 and holder >= 0 and holder == deal.hombre and (deal.public or seat == holder)
    )
    way = int64(WAY.ALLY) if called and not secret else int64(WAY.ALONE)
    usual = part == PART_HOMBRE and not secret and way == steady.modes[rules.specs[spec].bid]
    best, choice = int64(SPOILT), int64(-1)
    suits = _nameable(rules, deal, hand)
    for suit in range(4):
        if not suits >> suit & 1:
            continue
        points = score(rules, steady, scores, way, hand, int64(suit))
        favoured, held = int64(suit == deal.favourite), matadors(rules, hand, int64(suit))
        if usual:
            value = values[value_at(rules, spec, size, favoured, held) + bucket_of(points)]
        else:
            value = row_value(
                rules,
                steady,
                values,
                spec,
                int64(secret),
                size,
                favoured,
                held,
                int64(part),
                way,
                bucket_of(points),
            )
        value += points * (VALUE // 10000) * rules.scale
        if choice < 0 or value > best:
            best, choice = value, int64(suit)
    if may_invite(rules, deal):
        zero = int64(0)
        points = score(rules, steady, scores, int64(WAY.BLIND), hand, int64(4))
        value = row_value(
            rules,
            steady,
            values,
            spec,
            zero,
            size,
            zero,
            zero,
            int64(PART_HOMBRE),
            int64(WAY.BLIND),
            bucket_of(points),
        )
        if choice < 0 or value > best:
            return int64(4)
    return choice


@compiled("int64(int64, int64)", **OPTIONS)
def _reach(calls, held):
    """Which suit to call a king of, by the cards held in it: ``steady_manner.CALL_ORDER``."""
    if calls == CALLS.LONG:
        return -held
    if calls == CALLS.VOID:
        return held
    if held == 0:
        return int64(3)
    return held - 1 if held < 4 else held


@compiled("uint64(rules, uint64, int64, int64)", **OPTIONS)
def _plain_held(rules, hand, trump, suit):
    return hand & rules.order[trump].plain & lane(suit)


@compiled("int64(int64)", **OPTIONS)
def _place(bits):
    """The place of the lowest bit set."""
    return int64(ctz(U(bits)))


@compiled(f"int64(rules, {POLICY}, deal)", **OPTIONS)
def _choose_ally(rules, policy, deal):
    """The card of the suit that is called by its length; an own card only where playing alone is
    worth more."""
    steady, scores, values = policy
    hand, trump = deal.hands[deal.hombre], deal.trump
    legal = callable_cards(rules, deal, hand)
    if legal & (legal - 1) == 0:
        return int64(_place(legal))
    own = others = int64(0)
    rest = legal
    while rest:
        card = _place(rest)
        rest &= rest - 1
        if hand & home_bit(rules, card):
            own |= int64(1) << card
        else:
            others |= int64(1) << card
    if own and others and trump >= 0:
        zero, one = int64(0), int64(1)
        favoured, held = int64(trump == deal.favourite), matadors(rules, hand, trump)
        size, spec = pool_step(rules, deal.pool), deal.spec
        at_alone = bucket_of(score(rules, steady, scores, int64(WAY.ALONE), hand, trump))
        at_allied = bucket_of(score(rules, steady, scores, int64(WAY.ALLY), hand, trump))
        alone = row_value(
            rules, steady, values, spec, one, size, favoured, held, zero, int64(WAY.ALONE), at_alone
        )
        allied = row_value(
            rules,
            steady,
            values,
            spec,
            zero,
            size,
            favoured,
            held,
            zero,
            int64(WAY.ALLY),
            at_allied,
        )
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
        held_here = (
            trumps_of(rules, known, hand) if is_trump else _plain_held(rules, hand, known, suit)
        )
        key = _reach(steady.calls, int64(count(held_here))) - (20 if is_trump else 0)
        if key < least:
            least, choice = key, int64(card)
    return choice


@compiled("int64(rules, deal)", **OPTIONS)
def _trumps(rules, deal):
    """The trump suit, or those that may yet be named, one bit each."""
    if deal.trump >= 0:
        return int64(1) << deal.trump
    return suits_for(rules, deal.spec, deal.favourite)


@compiled("int64(rules, deal, int64, int64)", **OPTIONS)
def _uncalled(rules, deal, suits, calls):
    """These trumps without the suits of several called cards, one bit for each of the pack."""
    if deal.trump >= 0 or rules.bids[deal.bid].call.suit_may_become_trump:
        return suits
    others = suits
    for suit in range(4):
        if calls >> 10 * suit & 1023:
            others &= ~(int64(1) << suit)
    return others if others else suits


@compiled(f"int64(rules, {POLICY}, deal)", **OPTIONS)
def _choose_help(rules, policy, deal):
    """The card that improves the hand most."""
    steady, scores, _ = policy
    hand = deal.hands[deal.hombre]
    legal, suits = callable_cards(rules, deal, hand), _trumps(rules, deal)
    several, left = rules.bids[deal.bid].cards_asked > 1, suits
    best, choice = int64(-1), int64(-1)
    for card in range(40):
        if not legal >> card & 1:
            continue
        if choice < 0:
            choice = int64(card)
        king = home_bit(rules, int64(card))
        if several:
            left = _uncalled(rules, deal, suits, called_cards(rules, deal) | int64(1) << card)
        named = _long_enough(rules, left, hand | king)
        for trump in range(5):
            if named >> trump & 1:
                points = exchanged(rules, steady, scores, hand, king, int64(trump))[0]
                if points > best:
                    best, choice = points, int64(card)
    return choice


@compiled(f"uint64(rules, {POLICY}, deal)", **OPTIONS)
def choose_gift(rules, policy, deal):
    """The card whose loss leaves the best hand, as a bit of the home order."""
    steady, scores, _ = policy
    hand, block = deal.hands[deal.hombre], deal.bid
    way = int64(WAY.ALONE)
    if rules.bids[block].partner == PARTNER.CALLED:
        way = steady.modes[rules.specs[deal.spec].bid]
    calls, suits = called_cards(rules, deal), _trumps(rules, deal)
    if rules.bids[block].cards_asked > 1:
        suits = _uncalled(rules, deal, suits, calls)
    best, choice = int64(-FAR), ZERO
    # in the order of the pack, so that of equals the first is given
    for card in range(40):
        bit = home_bit(rules, int64(card))
        if not hand & bit or calls >> card & 1:
            continue
        if choice == ZERO:
            choice = bit
        named = _long_enough(rules, suits, hand & ~bit)
        for trump in range(5):
            if named >> trump & 1:
                points = score(rules, steady, scores, way, hand & ~bit, int64(trump))
                if points > best:
                    best, choice = points, bit
    return choice


@compiled(f"int64(rules, {POLICY}, deal)", **OPTIONS)
def choose_call(rules, policy, deal):
    """The card that Hombre calls: an ally's, or where cards are exchanged one
    for their own hand."""
    if rules.bids[deal.bid].exchange:
        return _choose_help(rules, policy, deal)
    return _choose_ally(rules, policy, deal)
