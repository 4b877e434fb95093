"""What Hombre may settle after the auction: ``engine.declare``."""

from numba import int64

from quadrille_core.engine import deal_record as code
from quadrille_plugins.kernel import words as w
from quadrille_plugins.kernel.auction import barred_suits, home_bit
from quadrille_plugins.kernel.bits import ZERO
from quadrille_plugins.kernel.compiled import compiled
from quadrille_plugins.kernel.emit import AUCTION, emit
from quadrille_plugins.kernel.shares import OPTIONS

NOTHING, NAME, CALL, GIVE = range(4)
FAR = 1 << 40


@compiled("boolean(rules, deal)", **OPTIONS)
def ally_must_name(rules, deal):
    """Whether trumps are the ally's to name."""
    block = deal.bid
    if rules.bids[block].partner != w.PARTNER.CALLED or rules.bids[block].trump == w.TRUMP.NONE:
        return False
    return rules.bids[block].trump_by == w.TRUMP_BY.ALLY or deal.invited != 0


@compiled("int64(rules, deal)", **OPTIONS)
def step(rules, deal):
    """What comes next."""
    block, due = deal.bid, deal.trump < 0
    if rules.bids[block].partner != w.PARTNER.CALLED and not rules.bids[block].exchange:
        return NAME if due else NOTHING
    several = rules.bids[block].exchange and rules.bids[block].cards_asked > 1
    if deal.called < 0 or (several and deal.call_count < rules.bids[block].cards_asked):
        first = (
            due
            and rules.bids[block].trump_when == w.TRUMP_WHEN.BEFORE_CALL
            and not ally_must_name(rules, deal)
        )
        return NAME if first else CALL
    give_due = rules.bids[block].exchange and deal.given < 0
    if several:
        give_due = deal.gift_count < deal.call_count
    if give_due and (not due or rules.bids[block].trump_when == w.TRUMP_WHEN.AFTER_EXCHANGE):
        return GIVE
    return NAME if due else NOTHING


@compiled("void(rules, deal, int64[::1], int64)", **OPTIONS)
def reveal(rules, deal, events, stage):
    """Let the table know who the ally is, or that Hombre plays alone, if it does not know yet."""
    if deal.public or rules.bids[deal.bid].partner != w.PARTNER.CALLED:
        return
    deal.public = 1
    if deal.ally < 0:
        emit(deal, events, w.EVENT.ALLY, deal.hombre, stage, code.ALONE)
    else:
        emit(deal, events, w.EVENT.ALLY, deal.ally, stage, int64(0))


@compiled("int64(rules, deal)", **OPTIONS)
def called_cards(rules, deal):
    """The cards that were called, one bit for each card of the pack."""
    if deal.called < 0:
        return int64(0)
    found = int64(1) << deal.called
    if rules.bids[deal.bid].cards_asked > 1:
        for n in range(1, deal.call_count):
            found |= int64(1) << deal.calls[n]
    return found


@compiled("int64(rules, deal)", **OPTIONS)
def free_suits(rules, deal):
    """The suits that may be made trumps, one bit each."""
    favourite, block = deal.favourite, deal.bid
    free = 15 & ~barred_suits(rules, block, favourite)
    if rules.specs[deal.spec].favourite:
        return free & (int64(1) << favourite)
    if rules.bids[block].binds and not deal.forced and favourite >= 0:
        free &= ~(int64(1) << favourite)
    if deal.called >= 0 and not rules.bids[block].call.suit_may_become_trump:
        others = free & ~(int64(1) << (deal.called // 10))
        if rules.bids[block].cards_asked > 1:
            for n in range(1, deal.call_count):
                others &= ~(int64(1) << (deal.calls[n] // 10))
        return others if others else free
    return free


@compiled("boolean(rules, deal, int64)", **OPTIONS)
def may_name(rules, deal, suit):
    """Whether this suit may be made trumps."""
    return free_suits(rules, deal) >> suit & 1 != 0


@compiled("boolean(rules, deal)", **OPTIONS)
def may_invite(rules, deal):
    """Whether the ally may be invited to name trumps."""
    block = deal.bid
    if (
        rules.bids[block].trump_by != w.TRUMP_BY.HOMBRE_OR_ALLY
        or rules.bids[block].partner != w.PARTNER.CALLED
    ):
        return False
    alone = deal.holder >= 0 and deal.holder == deal.hombre
    return step(rules, deal) == NAME and not deal.invited and not alone


@compiled("int64(rules, deal)", **OPTIONS)
def _trump_suit(rules, deal):
    """The suit that counts as trumps in judging what may be called; -1 for none."""
    trump = deal.trump
    if trump < 0:
        if rules.specs[deal.spec].favourite:
            trump = deal.favourite
        elif rules.barred[deal.bid] or rules.bids[deal.bid].cards_asked > 1:
            free = free_suits(rules, deal)
            for suit in range(4):
                trump = int64(suit) if free == 1 << suit else trump
    return int64(-1) if trump > 3 else trump


@compiled("boolean(rules, deal)", **OPTIONS)
def _others_only(rules, deal):
    return rules.bids[deal.bid].exchange != 0 or ally_must_name(rules, deal)


@compiled("int64(rules, uint64)", **OPTIONS)
def _kings(rules, hand):
    """The kings held, one bit for each suit."""
    held = int64(0)
    for suit in range(4):
        if hand & home_bit(rules, int64(10 * suit + 1)):
            held |= 1 << suit
    return held


@compiled("boolean(rules, deal, uint64, int64, int64)", **OPTIONS)
def _callable(rules, deal, hand, card, kings):
    """Whether a king or queen may be called; ``kings`` are those held."""
    block, suit, king, four = deal.bid, card // 10, card % 10 == 1, kings == 15
    if hand & home_bit(rules, card):
        own = rules.bids[block].call.own_card
        if (
            _others_only(rules, deal)
            or own == w.OWN_CARD.NEVER
            or (own == w.OWN_CARD.FOUR_KINGS and not four)
        ):
            return False
    if suit == _trump_suit(rules, deal):
        if deal.trump < 0:
            if not rules.bids[block].call.suit_may_become_trump:
                return False
        else:
            may = rules.bids[block].call.trump_suit
            if may != w.TRUMP_SUIT.ANY and not (may == w.TRUMP_SUIT.KINGS and king):
                return False
    if king:
        return True
    when = rules.bids[block].call.queen_when
    if when == w.QUEEN.THREE_PLAIN_KINGS:
        trump = _trump_suit(rules, deal)
        return kings | (int64(1) << trump if trump >= 0 else int64(0)) == 15
    return when == w.QUEEN.ALWAYS or (when == w.QUEEN.FOUR_KINGS and four)


@compiled("int64(rules, deal, uint64, int64)", **OPTIONS)
def _fallback(rules, deal, hand, how):
    trump, found = _trump_suit(rules, deal), int64(0)
    for suit in range(4):
        card, wanted = int64(10 * suit + 1), False
        if how == w.FALLBACK.TRUMP_KING:
            wanted = suit == trump and not hand & home_bit(rules, card)
        elif how == w.FALLBACK.QUEEN:
            card += 1
            wanted = suit != trump and not hand & home_bit(rules, card)
        elif not _others_only(rules, deal):
            wanted = suit != trump and hand & home_bit(rules, card) != ZERO
        if wanted:
            found |= int64(1) << card
    return found


@compiled("int64(rules, deal, uint64)", **OPTIONS)
def callable_cards(rules, deal, hand):
    """The cards that may be called, one bit for each card of the pack; never none."""
    found, kings = int64(0), _kings(rules, hand)
    for suit in range(4):
        for rank in range(1, 3):
            card = int64(10 * suit + rank)
            if _callable(rules, deal, hand, card, kings):
                found |= int64(1) << card
    if found:
        return found
    block = deal.bid
    for fallback in (
        rules.bids[block].call.fallback,
        int64(w.FALLBACK.TRUMP_KING),
        int64(w.FALLBACK.QUEEN),
    ):
        found = _fallback(rules, deal, hand, fallback)
        if found:
            return found
    for rank in range(1, 10):
        for suit in range(4):
            card = int64(10 * suit + rank)
            if suit != _trump_suit(rules, deal) and not hand & home_bit(rules, card):
                found |= int64(1) << card
        if found:
            return found
    return found


@compiled("void(rules, deal, int64[::1], int64)", **OPTIONS)
def call_card(rules, deal, events, card):
    """Call a card; where cards are exchanged, its holder hands it over."""
    hombre, bit, block = deal.hombre, home_bit(rules, card), deal.bid
    holder = int64(0)
    while not deal.hands[holder] & bit:
        holder += 1
    first = deal.called < 0
    if first:
        deal.called, deal.holder = card, holder
        deal.call_count = deal.gift_count = 0
    deal.calls[deal.call_count], deal.holders[deal.call_count] = card, holder
    deal.call_count += 1
    if rules.bids[block].partner == w.PARTNER.CALLED and holder != hombre:
        deal.ally = holder
    emit(deal, events, w.EVENT.CALL, hombre, int64(AUCTION), card)
    if rules.bids[block].exchange:
        if first:
            deal.surrendered = holder
        deal.hands[holder] ^= bit
        deal.hands[hombre] |= bit
    if (
        rules.bids[block].partner == w.PARTNER.CALLED
        and rules.bids[block].ally_known == w.ALLY_KNOWN.AT_ONCE
    ):
        reveal(rules, deal, events, int64(AUCTION))
