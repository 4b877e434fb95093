"""What Hombre may settle after the auction: ``engine.declare`` and ``engine.calling``."""

from numba import int64

from quadrille_plugins.fast import events as told
from quadrille_plugins.fast import memory as at_deal
from quadrille_plugins.fast import play_layout as at
from quadrille_plugins.fast.auction import home_bit, spec_at
from quadrille_plugins.fast.bits import ZERO
from quadrille_plugins.fast.compiled import compiled
from quadrille_plugins.fast.say import AUCTION, tell
from quadrille_plugins.fast.shares import OPTIONS

NOTHING, NAME, CALL, GIVE = range(4)
FAR = 1 << 40


@compiled("boolean(int64[::1], int64[::1])", **OPTIONS)
def ally_must_name(rules, deal):
    """Whether trumps are the ally's to name."""
    block = deal[at_deal.BID]
    if not rules[block + at.CALLED] or rules[block + at.NO_TRUMPS]:
        return False
    return rules[block + at.TRUMP_BY] == at.BY_ALLY or deal[at_deal.INVITED] != 0


@compiled("int64(int64[::1], int64[::1])", **OPTIONS)
def step(rules, deal):
    """What comes next."""
    block, due = deal[at_deal.BID], deal[at_deal.TRUMP] < 0
    if not rules[block + at.CALLED] and not rules[block + at.EXCHANGE]:
        return NAME if due else NOTHING
    if deal[at_deal.CALLED] < 0:
        first = due and rules[block + at.TRUMP_WHEN] == at.BEFORE_CALL and not ally_must_name(rules, deal)
        return NAME if first else CALL
    give_due = rules[block + at.EXCHANGE] and deal[at_deal.GIVEN] < 0
    if give_due and (not due or rules[block + at.TRUMP_WHEN] == at.AFTER_EXCHANGE):
        return GIVE
    return NAME if due else NOTHING


@compiled("void(int64[::1], int64[::1], int64[::1], int64)", **OPTIONS)
def reveal(rules, deal, events, stage):
    """Let the table know who the ally is, or that Hombre plays alone, if it does not know yet."""
    if deal[at_deal.PUBLIC] or not rules[deal[at_deal.BID] + at.CALLED]:
        return
    deal[at_deal.PUBLIC] = 1
    if deal[at_deal.ALLY] < 0:
        tell(deal, events, told.ALLY, deal[at_deal.HOMBRE], stage, told.ALONE)
    else:
        tell(deal, events, told.ALLY, deal[at_deal.ALLY], stage, int64(0))


@compiled("boolean(int64[::1], int64[::1], int64)", **OPTIONS)
def may_name(rules, deal, suit):
    """Whether this suit may be made trumps."""
    favourite, block = deal[at_deal.FAVOURITE], deal[at_deal.BID]
    if rules[spec_at(rules, deal[at_deal.SPEC]) + at.SPEC_FAVOURITE]:
        return suit == favourite
    if rules[block + at.BINDS] and not deal[at_deal.FORCED] and suit == favourite:
        return False
    called = deal[at_deal.CALLED]
    return called < 0 or called // 10 != suit or rules[block + at.MAY_BECOME] != 0


@compiled("boolean(int64[::1], int64[::1])", **OPTIONS)
def may_invite(rules, deal):
    """Whether the ally may be invited to name trumps."""
    block = deal[at_deal.BID]
    if rules[block + at.TRUMP_BY] != at.BY_EITHER or not rules[block + at.CALLED]:
        return False
    alone = deal[at_deal.HOLDER] >= 0 and deal[at_deal.HOLDER] == deal[at_deal.HOMBRE]
    return step(rules, deal) == NAME and not deal[at_deal.INVITED] and not alone


@compiled("int64(int64[::1], int64[::1])", **OPTIONS)
def _trump_suit(rules, deal):
    """The suit that counts as trumps in judging what may be called; -1 for none."""
    trump = deal[at_deal.TRUMP]
    if trump < 0 and rules[spec_at(rules, deal[at_deal.SPEC]) + at.SPEC_FAVOURITE]:
        trump = deal[at_deal.FAVOURITE]
    return int64(-1) if trump > 3 else trump


@compiled("boolean(int64[::1], int64[::1])", **OPTIONS)
def _others_only(rules, deal):
    return rules[deal[at_deal.BID] + at.EXCHANGE] != 0 or ally_must_name(rules, deal)


@compiled("int64(uint64[::1], uint64)", **OPTIONS)
def _kings(order, hand):
    """The kings held, one bit for each suit."""
    held = int64(0)
    for suit in range(4):
        if hand & home_bit(order, int64(10 * suit + 1)):
            held |= 1 << suit
    return held


@compiled("boolean(int64[::1], uint64[::1], int64[::1], uint64, int64, int64)", **OPTIONS)
def _callable(rules, order, deal, hand, card, kings):
    """Whether a king or queen may be called; ``kings`` are those held."""
    block, suit, king, four = deal[at_deal.BID], card // 10, card % 10 == 1, kings == 15
    if hand & home_bit(order, card):
        own = rules[block + at.OWN_CARD]
        if _others_only(rules, deal) or own == at.OWN_NEVER or (own == at.OWN_FOUR_KINGS and not four):
            return False
    if suit == _trump_suit(rules, deal):
        if deal[at_deal.TRUMP] < 0:
            if not rules[block + at.MAY_BECOME]:
                return False
        else:
            may = rules[block + at.TRUMP_CALL]
            if may != at.CALL_ANY and not (may == at.CALL_KINGS and king):
                return False
    if king:
        return True
    when = rules[block + at.QUEEN_WHEN]
    if when == at.QUEEN_PLAIN_KINGS:
        trump = _trump_suit(rules, deal)
        return kings | (int64(1) << trump if trump >= 0 else int64(0)) == 15
    return when == at.QUEEN_ALWAYS or (when == at.QUEEN_FOUR_KINGS and four)


@compiled("int64(int64[::1], uint64[::1], int64[::1], uint64, int64)", **OPTIONS)
def _fallback(rules, order, deal, hand, how):
    trump, found = _trump_suit(rules, deal), int64(0)
    for suit in range(4):
        card, wanted = int64(10 * suit + 1), False
        if how == at.FALL_TRUMP_KING:
            wanted = suit == trump and not hand & home_bit(order, card)
        elif how == at.FALL_QUEEN:
            card += 1
            wanted = suit != trump and not hand & home_bit(order, card)
        elif not _others_only(rules, deal):
            wanted = suit != trump and hand & home_bit(order, card) != ZERO
        if wanted:
            found |= int64(1) << card
    return found


@compiled("int64(int64[::1], uint64[::1], int64[::1], uint64)", **OPTIONS)
def callable_cards(rules, order, deal, hand):
    """The cards that may be called, one bit for each card of the pack; never none."""
    found, kings = int64(0), _kings(order, hand)
    for suit in range(4):
        for rank in range(1, 3):
            card = int64(10 * suit + rank)
            if _callable(rules, order, deal, hand, card, kings):
                found |= int64(1) << card
    if found:
        return found
    block = deal[at_deal.BID]
    for fallback in (rules[block + at.FALLBACK], int64(at.FALL_TRUMP_KING), int64(at.FALL_QUEEN)):
        found = _fallback(rules, order, deal, hand, fallback)
        if found:
            return found
    for rank in range(1, 10):
        for suit in range(4):
            card = int64(10 * suit + rank)
            if suit != _trump_suit(rules, deal) and not hand & home_bit(order, card):
                found |= int64(1) << card
        if found:
            return found
    return found


@compiled("void(int64[::1], uint64[::1], int64[::1], uint64[::1], int64[::1], int64)", **OPTIONS)
def call_card(rules, order, deal, hands, events, card):
    """Call a card; where cards are exchanged, whoever holds it hands it over."""
    hombre, bit, block = deal[at_deal.HOMBRE], home_bit(order, card), deal[at_deal.BID]
    holder = int64(0)
    while not hands[at_deal.HANDS + holder] & bit:
        holder += 1
    deal[at_deal.CALLED], deal[at_deal.HOLDER] = card, holder
    if rules[block + at.CALLED] and holder != hombre:
        deal[at_deal.ALLY] = holder
    tell(deal, events, told.CALL, hombre, int64(AUCTION), card)
    if rules[block + at.EXCHANGE]:
        deal[at_deal.SURRENDERED] = holder
        hands[at_deal.HANDS + holder] ^= bit
        hands[at_deal.HANDS + hombre] |= bit
    if rules[block + at.CALLED] and rules[block + at.AT_ONCE]:
        reveal(rules, deal, events, int64(AUCTION))
