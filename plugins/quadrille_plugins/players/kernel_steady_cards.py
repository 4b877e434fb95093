"""How ``steady`` plays its cards: ``players.steady_play``, on lanes.

Everywhere ``unseen`` are the cards in the others' hands as far as the seat knows.  Where cards are
equally good the first in the pack is played, as there.
"""

from numba import int64

from quadrille_plugins.kernel.bits import ONE, ZERO, U, count, ctz, high_bit, low_bit
from quadrille_plugins.kernel.cards import TRUMPS, first_in_pack, lane, lane_of, strength
from quadrille_plugins.kernel.compiled import compiled
from quadrille_plugins.kernel.shares import INLINED, OPTIONS
from quadrille_plugins.kernel.words import GOAL, LEVEL, PARTNER
from quadrille_plugins.players.steady_arrays import COVERS, LEADS

HIGH = 1 << 30
SAFEST, WORST, HIGHEST = range(3)
"""What a card is chosen for."""


@compiled("uint64(uint64)", **INLINED)
def above(card):
    """The places above a card in its lane."""
    return lane_of(card) & ~(card | (card - ONE))


@compiled("boolean(uint64, uint64)", **INLINED)
def master(card, unseen):
    """Whether no unseen card of its suit beats this one."""
    return (above(card) & unseen) == ZERO


@compiled("int64(deal, int64)", **INLINED)
def known_ally(deal, seat):
    """The ally as this seat knows it; -1 for none or not known."""
    if deal.public or seat == deal.holder:
        return deal.ally
    return int64(-1)


@compiled("int64(rules, deal, int64)", **INLINED)
def alone(rules, deal, seat):
    """1 when this seat knows Hombre to play alone, 0 when not alone, -1 when it does not know."""
    if rules.bids[deal.bid].partner != PARTNER.CALLED:
        return int64(1)
    if deal.called >= 0 and (deal.public or seat == deal.holder):
        return int64(deal.ally < 0)
    return int64(-1)


@compiled("int64(rules, deal, int64)", **INLINED)
def friends_of(rules, deal, seat):
    """The known members of this seat's side as bits; plus 32 if another may belong to it."""
    hombre, everyone = deal.hombre, (int64(1) << rules.table.players) - 1
    ally = known_ally(deal, seat)
    side = int64(1) << hombre | (int64(1) << ally if ally >= 0 else int64(0))
    me = int64(1) << seat
    if side & me:
        return side & ~me
    others = everyone & ~side & ~me
    if alone(rules, deal, seat) >= 0:
        return others
    # who could not follow the called card's suit does not hold it
    wanted, found = rules.table.players - 3, int64(0)
    for n in range(deal.cleared):
        cleared = deal.order_cleared[n]
        if cleared != seat and wanted:
            wanted -= 1
            found |= int64(1) << cleared
    return others | 32 if wanted else found


@compiled("uint64(rules, int64, uint64, uint64, uint64)", **INLINED)
def lowest_keep(rules, trump, hand, cards, unseen):
    """The card that is missed least of those that may be played: the lowest of some suit."""
    plain = cards & ~TRUMPS
    if plain == ZERO:
        return low_bit(cards)
    least, choice = int64(HIGH), ZERO
    for suit in range(4):
        here = plain & lane(int64(suit))
        if here == ZERO:
            continue
        card = low_bit(here)
        held = hand & lane(int64(suit))
        length = int64(count(held))
        over = int64(count(above(card) & unseen))
        keep = 8 * (int64(ctz(card)) - 12 * suit + 1) + length
        if over == 0:
            keep += 240
        elif length == 2 and (over == 1 or int64(count(above(high_bit(held)) & unseen)) == 1):
            keep += 60
        if keep < least:
            least, choice = keep, card
    return choice


@compiled("uint64(rules, int64, uint64, uint64)", **INLINED)
def cashable(rules, trump, cards, unseen):
    """A master outside trumps in the suit least likely to be ruffed; 0 for none."""
    most, choice = int64(-1), ZERO
    for suit in range(4):
        here = cards & lane(int64(suit))
        if here == ZERO:
            continue
        out = unseen & lane(int64(suit))
        if out:
            here &= ~((high_bit(out) << ONE) - ONE)
            if here == ZERO:
                continue
        left = int64(count(out))
        if left > most:
            most = left
            if suit & 1:
                place = rules.order[trump].first_red[int64((here >> U(12 * suit)) & U(1023))]
                choice = ONE << (place + U(12 * suit))
            else:
                choice = high_bit(here)
    return choice


@compiled("uint64(uint64)", **INLINED)
def low_from_longest(cards):
    """The lowest card of the longest plain suit; else the lowest trump."""
    if cards & ~TRUMPS == ZERO:
        return low_bit(cards)
    best, choice = int64(-1), ZERO
    for suit in range(4):
        here = cards & lane(int64(suit))
        if here:
            card = low_bit(here)
            key = 1000 * int64(count(here)) - (int64(ctz(card)) - 12 * suit)
            if key > best:
                best, choice = key, card
    return choice


MANY = 99


@compiled("int64(rules, deal, int64)", **OPTIONS)
def wanted(rules, deal, seat):
    """How many more tricks Hombre's side needs for its goal: premiers, the game, or the vole."""
    block, done, ally = deal.bid, deal.tricks_done, known_ally(deal, seat)
    if deal.vole != LEVEL.NONE or rules.bids[block].goal == GOAL.ALL:
        return int64(1)
    made = deal.won[deal.hombre]
    if ally >= 0:
        made += deal.won[ally]
    least, first = int64(MANY), rules.premiers.tricks
    if rules.bids[block].premiers and made == done and done < first:
        least = first - done
    short = rules.bids[block].tricks - made
    return min(least, short) if short > 0 else least


@compiled("uint64(rules, int64, uint64, uint64)", **OPTIONS)
def least_beaten(rules, trump, cards, unseen):
    """The card that fewest unseen cards of its suit beat, of equals the strongest, then the first
    in the pack."""
    best, first, choice = int64(HIGH), int64(99), ZERO
    while cards:
        bit = low_bit(cards)
        cards ^= bit
        key = 256 * int64(count(above(bit) & unseen)) - strength(rules, trump, int64(ctz(bit)))
        card = rules.order[trump].card_at[int64(ctz(bit))]
        if key < best or (key == best and card < first):
            best, first, choice = key, card, bit
    return choice


@compiled("uint64(rules, steady, deal, int64, uint64, uint64)", **INLINED)
def lead_attack(rules, steady, deal, seat, cards, unseen):
    """Draw trumps while it pays and cash what is good, or the other way about, then look for the
    ally."""
    trump, mine, out = deal.trump, cards & TRUMPS, unseen & TRUMPS
    vole = deal.vole != LEVEL.NONE
    drawing = ZERO
    if mine and out:
        top, held = high_bit(mine), int64(count(mine))
        if top > out:
            drawing = top
        elif (
            seat == deal.hombre and not vole and held >= 4 and 2 * held >= int64(count(out))
            and steady.leads != LEADS.BEST
        ):  # fmt: skip
            drawing = low_bit(mine)
    if drawing and (vole or steady.leads != LEADS.KINGS):
        return drawing
    good = cashable(rules, trump, cards, unseen)
    if good:
        return good
    if drawing:
        return drawing
    if mine and not out and (mine == cards or int64(count(mine)) >= wanted(rules, deal, seat)):
        return first_in_pack(rules, trump, mine)
    called = deal.called_bit
    if seat == deal.hombre and unseen & called and not called & TRUMPS:
        to_ally = cards & lane_of(called)
        if to_ally:
            return low_bit(to_ally)
    if vole:
        return least_beaten(rules, trump, cards, unseen)
    return low_from_longest(cards)


@compiled("uint64(rules, deal, int64, uint64, uint64)", **INLINED)
def lead_defence(rules, deal, seat, cards, unseen):
    """Cash what is good, or lead low from length, and not into the ally's called card."""
    good = cashable(rules, deal.trump, cards, unseen)
    if good:
        return good
    called = deal.called_bit
    if unseen & called and known_ally(deal, seat) != seat:
        rest = cards & ~lane_of(called)
        if rest & ~TRUMPS:
            cards = rest
    return low_from_longest(cards)


@compiled("uint64(uint64)", **INLINED)
def below(cards):
    """Every place from the highest of these cards down to the bottom of the word."""
    return (high_bit(cards) << ONE) - ONE if cards else ZERO


@compiled(
    "uint64(rules, steady, deal, int64, int64, uint64, uint64, uint64, uint64, int64, uint64, "
    "int64, int64)",
    **INLINED,
)
def follow(  # noqa: C901 - a call costs in every trick
    rules, steady, deal, seat, played, hand, cards, unseen, led, winner, best, friends, behind
):
    """Win the trick as cheaply as is safe, leave it to a friend, or throw the least away.

    ``played`` cards lie in the trick, and the seats ``behind`` (one bit each) are to play after
    this one; ``led`` is the lane led, ``best`` the card that wins so far and ``winner`` whose.
    """
    trump = deal.trump
    over = cards & above(best)
    winning = over if best & TRUMPS else over | (cards & TRUMPS)
    if winning == ZERO:
        return lowest_keep(rules, trump, hand, cards, unseen)
    cheapest, dearest = low_bit(winning), high_bit(winning)
    players = rules.table.players
    enemy_after, attacks = behind & ~friends != 0, not friends & 64
    ruff = led != TRUMPS and cheapest & TRUMPS != ZERO
    if (friends >> winner) & 1:
        if friends & 32 and not cheapest & TRUMPS:
            # one of the strangers, whose trick it is, may be the ally
            if played == players - 1:
                return cheapest
            sure = over & ~below(unseen & led)
            if sure:
                return low_bit(sure)
        if not enemy_after or int64(count(above(best) & unseen)) <= (0 if attacks else 1):
            return lowest_keep(rules, trump, hand, cards, unseen)
    if not enemy_after:
        return cheapest
    if attacks and deal.vole != LEVEL.NONE:
        return dearest
    if ruff and led & unseen:
        return cheapest
    low_trump = led == TRUMPS and winner == deal.hombre and not attacks
    if low_trump and winning & ~rules.order[trump].matadors == ZERO:
        return lowest_keep(rules, trump, hand, cards, unseen)
    plain = winning & ~TRUMPS
    if plain:
        sure = plain & ~below(unseen & led)
        if sure:
            return low_bit(sure)
    high = winning & TRUMPS & ~below(unseen & TRUMPS)
    if high:
        return low_bit(high)
    if ruff:
        return cheapest
    little, may_try = (
        1 if led == TRUMPS else 3,
        steady.covers == COVERS.ALWAYS or played == players - 2,
    )
    if may_try and int64(count(above(dearest) & unseen)) <= little:
        return dearest
    return lowest_keep(rules, trump, hand, cards, unseen)


@compiled("int64(rules, int64, uint64)", **INLINED)
def worth_of(rules, trump, card):
    """The strength of a card."""
    return strength(rules, trump, int64(ctz(card)))


@compiled("int64(rules, int64, uint64)", **INLINED)
def _card(rules, trump, bit):
    return rules.order[trump].card_at[int64(ctz(bit))]


@compiled("uint64(rules, int64, int64, uint64, uint64)", **OPTIONS)
def _best_of(rules, trump, how, cards, unseen):
    """The card with the highest key, of equals the first in the pack; ``how`` names the key."""
    best, first, choice = int64(-HIGH), int64(99), ZERO
    while cards:
        bit = low_bit(cards)
        cards ^= bit
        power, over = worth_of(rules, trump, bit), int64(count(above(bit) & unseen))
        if how == SAFEST:
            key = 256 * over - power
        elif how == WORST:
            under = int64(count(lane_of(bit) & ~above(bit) & ~bit & unseen))
            key = int64(1000) if trump == 4 and bit & TRUMPS else 8 * (under - over) + power
        else:
            key = power
        card = _card(rules, trump, bit)
        if key > best or (key == best and card < first):
            best, first, choice = key, card, bit
    return choice


@compiled("uint64(rules, deal, int64, uint64, uint64, uint64, uint64)", **OPTIONS)
def avoid(rules, deal, played, cards, unseen, led, best):
    """Hombre's play for no trick: the highest card that loses, and rid of the worst when one
    may."""
    trump = deal.trump
    if played == 0:
        return _best_of(rules, trump, int64(SAFEST), cards, unseen)
    over = cards & above(best)
    winning = over if best & TRUMPS else over | (cards & TRUMPS)
    losing = cards & ~winning
    if losing:
        if losing & ~led == ZERO:
            return high_bit(losing)
        return _best_of(rules, trump, int64(WORST), losing, unseen)
    return high_bit(winning) if played == rules.table.players - 1 else low_bit(winning)


EARLY, HOPELESS, USELESS = 4, 4, 100
"""As in ``players.steady_play``; a test holds them together."""


@compiled("uint64(deal, uint64)", **OPTIONS)
def may_hold(deal, unseen):
    """What Hombre may hold: nothing of a suit that they could not follow, and no ace that always
    wins."""
    if deal.trump == 4:
        unseen &= ~TRUMPS
    for suit in range(5):
        if deal.hombre_void >> suit & 1:
            unseen &= ~lane(int64(suit))
    return unseen


@compiled("uint64(rules, int64, boolean, uint64, uint64, uint64)", **OPTIONS)
def _lead_under(rules, trump, early, hand, cards, hombres):
    """The lead against no trick: from the shortest suit while it is early, then the one Hombre can
    least go under."""
    best, first, choice = int64(HIGH), int64(99), ZERO
    while cards:
        bit = low_bit(cards)
        cards ^= bit
        suit, key = lane_of(bit), int64(USELESS)
        if early:
            if suit & hombres:
                key = int64(count(suit & hand))
        elif above(bit) & hombres:
            key = int64(count(suit & ~above(bit) & hombres))
        key, card = 256 * key + worth_of(rules, trump, bit), _card(rules, trump, bit)
        if key < best or (key == best and card < first):
            best, first, choice = key, card, bit
    return choice


@compiled("uint64(rules, int64, uint64, uint64, uint64)", **OPTIONS)
def _shed(rules, trump, hand, cards, hombres):
    """The discard: an ace that always wins, or from the suit whose lowest card is most in the
    way."""
    best, first, choice = int64(-HIGH), int64(99), ZERO
    while cards:
        bit = low_bit(cards)
        cards ^= bit
        suit = lane_of(bit)
        held = suit & hand
        if trump == 4 and suit == TRUMPS:
            key = int64(USELESS)
        elif suit & hombres == ZERO:
            key = -int64(USELESS)
        else:
            low = low_bit(held)
            key = int64(count(suit & ~above(low) & hombres)) - 2 * int64(count(held))
        key, card = 256 * key + worth_of(rules, trump, bit), _card(rules, trump, bit)
        if key > best or (key == best and card < first):
            best, first, choice = key, card, bit
    return choice


@compiled("uint64(rules, deal, int64, uint64, uint64, uint64, uint64, uint64, int64)", **OPTIONS)
def press(rules, deal, played, hand, cards, unseen, led, best, winner):
    """The adversaries' play against no trick: rid of what would win, and low cards kept to lead
    under Hombre."""
    trump, hombres = deal.trump, may_hold(deal, unseen)
    if played == 0:
        return _lead_under(rules, trump, deal.tricks_done < EARLY, hand, cards, hombres)
    place = deal.hombre - deal.leader
    if place < 0:
        place += rules.table.players
    over = cards & above(best)
    losing = cards & ~(over if best & TRUMPS else over | (cards & TRUMPS))
    same = cards & led
    under = same & losing
    spare = losing if losing else cards
    if place < played:
        if winner == deal.hombre:
            return high_bit(under) if under else _shed(rules, trump, hand, spare, hombres)
        return high_bit(same) if same else _shed(rules, trump, hand, cards, hombres)
    if best & led == ZERO or led & hombres == ZERO:
        return high_bit(same) if same else _shed(rules, trump, hand, cards, hombres)
    if same == ZERO:
        return _shed(rules, trump, hand, spare, hombres)
    if int64(count(led & ~above(best) & hombres)) >= HOPELESS:
        return high_bit(same)
    return high_bit(under) if under else low_bit(same)


@compiled("int64(uint64, uint64)", **OPTIONS)
def unsure(hand, unseen):
    """How many cards of the hand are not sure to win: something may beat them, or a trump may ruff
    them."""
    mine, out = hand & TRUMPS, unseen & TRUMPS
    good = int64(count(mine & ~below(out)))
    rest = mine & below(out)
    while rest:
        card = high_bit(rest)
        rest ^= card
        if int64(count(above(card) & unseen)) <= good:
            good += 1
    side = int64(0)
    if good >= int64(count(out)):
        for suit in range(4):
            held = hand & lane(int64(suit))
            if held:
                side += int64(count(held & ~below(unseen & lane(int64(suit)))))
    return int64(count(hand)) - good - side


@compiled("uint64(rules, steady, deal, int64, int64, uint64, uint64, int64, int64)", **INLINED)
def choose_card(rules, steady, deal, seat, played, cards, best, winner, behind):
    """The card to play among the legal ones; ``best`` wins so far and is ``winner``'s, 0 on
    lead."""
    hand = deal.hands[seat]
    unseen = deal.pack & ~(hand | deal.played)
    attacks = seat in (deal.hombre, deal.ally)
    led = ZERO if played == 0 else lane_of(deal.trick[0])
    if rules.bids[deal.bid].goal == GOAL.NONE:
        if attacks:
            return avoid(rules, deal, played, cards, unseen, led, best)
        return press(rules, deal, played, hand, cards, unseen, led, best, winner)
    if played == 0:
        if attacks:
            return lead_attack(rules, steady, deal, seat, cards, unseen)
        return lead_defence(rules, deal, seat, cards, unseen)
    friends = friends_of(rules, deal, seat) | (0 if attacks else 64)
    return follow(
        rules, steady, deal, seat, played, hand, cards, unseen, led, winner, best, friends, behind
    )
