"""What Hombre settles after the auction: ``engine.declare`` and ``engine.calling``, by ``steady``'s choice."""

from numba import int64

from quadrille_plugins.fast import events as told
from quadrille_plugins.fast import memory as at_deal
from quadrille_plugins.fast import play_layout as at
from quadrille_plugins.fast.auction import home_bit, home_card, spec_at
from quadrille_plugins.fast.bits import ZERO, U, count, ctz
from quadrille_plugins.fast.cards import lane, trumps_of
from quadrille_plugins.fast.compiled import compiled
from quadrille_plugins.fast.say import AUCTION, tell
from quadrille_plugins.fast.shares import OPTIONS
from quadrille_plugins.players.kernel_steady_bids import SPOILT, suits_for
from quadrille_plugins.players.kernel_steady_hands import bucket_of, exchanged, matadors, score
from quadrille_plugins.players.kernel_steady_values import ALLY as PART_ALLY
from quadrille_plugins.players.kernel_steady_values import HOMBRE as PART_HOMBRE
from quadrille_plugins.players.kernel_steady_values import VALUE, pool_step, row_value, value_at

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
def _may_name(rules, deal, suit):
    favourite, block = deal[at_deal.FAVOURITE], deal[at_deal.BID]
    if rules[spec_at(rules, deal[at_deal.SPEC]) + at.SPEC_FAVOURITE]:
        return suit == favourite
    if rules[block + at.BINDS] and not deal[at_deal.FORCED] and suit == favourite:
        return False
    called = deal[at_deal.CALLED]
    return called < 0 or called // 10 != suit or rules[block + at.MAY_BECOME] != 0


@compiled("boolean(int64[::1], int64[::1])", **OPTIONS)
def _may_invite(rules, deal):
    block = deal[at_deal.BID]
    if rules[block + at.TRUMP_BY] != at.BY_EITHER or not rules[block + at.CALLED]:
        return False
    alone = deal[at_deal.HOLDER] >= 0 and deal[at_deal.HOLDER] == deal[at_deal.HOMBRE]
    return step(rules, deal) == NAME and not deal[at_deal.INVITED] and not alone


@compiled(
    "int64(int64[::1], uint64[::1], int64[::1], int64[::1], int64[::1], int64[::1], uint64[::1], int64)", **OPTIONS
)
def _choose_trump(rules, order, steady, scores, values, deal, hands, seat):
    """The suit worth most; 4 to invite the ally."""
    hand, size = hands[at_deal.HANDS + seat], pool_step(rules, deal[at_deal.POOL])
    spec, called = deal[at_deal.SPEC], rules[deal[at_deal.BID] + at.CALLED]
    part = PART_HOMBRE if seat == deal[at_deal.HOMBRE] else PART_ALLY
    holder = deal[at_deal.HOLDER]
    secret = called != 0 and holder >= 0 and holder == deal[at_deal.HOMBRE] and (deal[at_deal.PUBLIC] or seat == holder)
    way = int64(at.ALLY) if called and not secret else int64(at.ALONE)
    usual = part == PART_HOMBRE and not secret and way == steady[at.MODES + rules[spec_at(rules, spec) + at.SPEC_BID]]
    best, choice = int64(SPOILT), int64(-1)
    for suit in range(4):
        if not _may_name(rules, deal, int64(suit)):
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
    if _may_invite(rules, deal):
        zero = int64(0)
        points = score(order, steady, scores, int64(at.BLIND), hand, int64(4))
        value = row_value(
            rules, steady, values, spec, zero, size, zero, zero, int64(PART_HOMBRE), int64(at.BLIND), bucket_of(points)
        )
        if choice < 0 or value > best:
            return int64(4)
    return choice


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


@compiled("int64(int64[::1], uint64[::1], int64[::1], int64[::1], int64[::1], int64[::1], uint64[::1])", **OPTIONS)
def _choose_call(rules, order, steady, scores, values, deal, hands):
    """The card of a suit in which Hombre is short; her own only where playing alone is worth more."""
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


@compiled("int64(int64[::1], uint64[::1], int64[::1], int64[::1], int64[::1], uint64[::1])", **OPTIONS)
def _choose_call_in(rules, order, steady, scores, deal, hands):
    """The card that improves the hand most."""
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


@compiled("uint64(int64[::1], uint64[::1], int64[::1], int64[::1], int64[::1], uint64[::1])", **OPTIONS)
def _choose_gift(rules, order, steady, scores, deal, hands):
    """The card whose loss leaves the best hand, as a bit of the home order."""
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


@compiled("void(int64[::1], uint64[::1], int64[::1], uint64[::1], int64[::1], int64)", **OPTIONS)
def call(rules, order, deal, hands, events, card):
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


@compiled(
    "void(int64[::1], uint64[::1], int64[::1], int64[::1], int64[::1], int64[::1], uint64[::1], int64[::1])", **OPTIONS
)
def declare(rules, order, steady, scores, values, deal, hands, events):
    """From the end of the auction to the first lead."""
    hombre, auction = deal[at_deal.HOMBRE], int64(AUCTION)
    while True:
        what = step(rules, deal)
        if what == NOTHING:
            return
        if what == NAME:
            seat = hombre
            if ally_must_name(rules, deal) and deal[at_deal.ALLY] >= 0:
                seat = deal[at_deal.ALLY]
            trump = _choose_trump(rules, order, steady, scores, values, deal, hands, seat)
            if trump == 4:
                deal[at_deal.INVITED] = 1
                tell(deal, events, told.INVITE, seat, auction, int64(0))
                continue
            deal[at_deal.TRUMP] = trump
            tell(deal, events, told.TRUMP, seat, auction, trump)
            if seat == deal[at_deal.ALLY]:
                reveal(rules, deal, events, auction)
        elif what == CALL:
            if rules[deal[at_deal.BID] + at.EXCHANGE]:
                card = _choose_call_in(rules, order, steady, scores, deal, hands)
            else:
                card = _choose_call(rules, order, steady, scores, values, deal, hands)
            call(rules, order, deal, hands, events, card)
        else:
            gift = _choose_gift(rules, order, steady, scores, deal, hands)
            giver = deal[at_deal.HOLDER]
            deal[at_deal.GIVEN] = home_card(order, gift)
            hands[at_deal.HANDS + hombre] ^= gift
            hands[at_deal.HANDS + giver] |= gift
            said = deal[at_deal.CALLED] | deal[at_deal.GIVEN] << 6 | giver << 12
            tell(deal, events, told.EXCHANGE, hombre, auction, said)
