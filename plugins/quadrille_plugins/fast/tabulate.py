"""The rules of a deal, from the auction to the last trick, as the kernel reads them (``play_layout`` says where).

Cards are bits of 64-bit words, twelve to a lane, the stronger the higher: lanes 0-3 are the suits in their plain order,
lane 4 the trumps with Spadille on top.  In the *home* order nothing is trumps, and the black aces stand above their
suits; under a trump they, and the trump suit, move to lane 4.  ``ORDER`` says how.
"""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, Final, get_args

import numpy as np
import numpy.typing as npt

from quadrille_core.cards import BASTO, NO_TRUMP, PACK, SPADILLE, Card, Suit, is_red, suit
from quadrille_core.engine.actions import BidSpec
from quadrille_core.engine.amounts import basic_stake, counts_beasts
from quadrille_core.engine.auction import Ladder, says_favourite
from quadrille_core.engine.forcing import follow, privileged
from quadrille_core.engine.ranking import TRUMPS, Ranking, ranking, trumps
from quadrille_core.engine.terms import may_announce_vole
from quadrille_core.rules import Bid, CardOrder, Forcing, PayItem, Rules
from quadrille_core.vocabulary import hints_of
from quadrille_plugins.fast import play_layout as at

Ints = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]

LANE: Final = 12
TOP: Final = 59
"""The bit of the highest trump."""
_VOLES: Final = ("none", "undertaken", "announced", "revealed")


class Names:
    """Numbers for bids and for cards shown, the same in all the rule sets that are to be compared event by event."""

    def __init__(self) -> None:
        self._numbers: dict[object, int] = {}

    def of(self, what: object) -> int:
        """The number of a bid's name or of a tuple of cards."""
        return self._numbers.setdefault(what, len(self._numbers))


@cache
def word_of(block: type, field: str, value: str) -> int:
    """The number of a choice's word: its place among the words that the vocabulary gives the field."""
    return get_args(hints_of(block)[field]).index(value)


def _choice(block: Any, field: str) -> int:
    kind: type = type(block)
    return word_of(kind, field, getattr(block, field))


# --- cards ---------------------------------------------------------------------------------------


def home_place(order: CardOrder, card: Card) -> int:
    """The bit of a card where nothing is trumps; the black aces stand above their suits."""
    if card in (SPADILLE, BASTO):
        return LANE * suit(card) + 9
    # the order of a plain suit is the same under every other trump
    other = Suit((suit(card) + 1) % 4)
    return LANE * suit(card) + ranking(order, other).strength[card] - 1


def place_under(order: Ranking, card: Card) -> int:
    """The bit of a card under a trump, or none."""
    if order.suits[card] == order.trump:
        return TOP - order.trumps.index(card)
    return LANE * suit(card) + order.strength[card] - 1


def tabulate_order(rules: Rules) -> Words:
    """ORDER of these rules: shape (5 * ORDER_SIZE,)."""
    return _order(rules.cards, rules.forcing).copy()


@lru_cache(maxsize=64)  # of hundreds of rule sets in a study few differ in this
def _order(cards: CardOrder, forcing: Forcing) -> Words:
    return np.concatenate([_order_block(cards, forcing, trump) for trump in TRUMPS])


def _order_block(cards: CardOrder, forcing: Forcing, trump: Suit) -> Words:
    block = np.zeros(at.ORDER_SIZE, np.uint64)
    order, duty = ranking(cards, trump), follow(forcing, trump)
    bits = [1 << place_under(order, c) for c in PACK]
    plain = 0
    for card in PACK:
        block[at.BIT_OF + card] = bits[card]
        block[at.CARD_AT + place_under(order, card)] = int(card)
        plain |= bits[card] if order.suits[card] != trump else 0
    for after in trumps(trump):
        block[at.OBLIGING + place_under(order, after)] = sum(bits[c] for c in duty.bound(after))
    if trump != NO_TRUMP:
        home = {home_place(cards, c) - LANE * trump: bits[c] for c in PACK if suit(c) == trump}
        lane = _for_each_holding({p: b & ~(bits[SPADILLE] | bits[BASTO]) for p, b in home.items()})
        block[at.TRUMP_LANE : at.TRUMP_LANE + len(lane)] = lane
    block[at.PLAIN_MASK] = plain
    block[at.PRIVILEGED] = sum(bits[c] for c in privileged(forcing, trump))
    block[at.MATADORS] = sum(bits[c] for c in order.matadors)
    block[at.STRENGTH_OFF] = order.strength[SPADILLE] - TOP
    block[at.BASTO_SHIFT] = place_under(order, BASTO)
    red = next(s for s in (Suit(1), Suit(3)) if s != trump and is_red(s))
    holdings = np.arange(1 << 10)
    for card in sorted((c for c in PACK if suit(c) == red), reverse=True):  # of several the first in the pack stays
        place = place_under(order, card) - LANE * red
        block[at.FIRST_RED + holdings[holdings >> place & 1 == 1]] = place
    return block


def _for_each_holding(bits: Mapping[int, int]) -> list[int]:
    """For each set of a suit's ten places the bits of all that are in it."""
    sums = [0]
    for place in range(10):
        sums += [so_far | bits.get(place, 0) for so_far in sums]
    return sums


# --- rules ---------------------------------------------------------------------------------------


def specs_of(rules: Rules) -> tuple[BidSpec, ...]:
    """Every way a bid can be spoken, lowest first, and last the bid that is forced when all pass."""
    made = tuple(a.bid for a in Ladder(rules).actions if a.bid is not None)
    forced = rules.forced_bid()
    return made if forced is None else (*made, BidSpec(forced[0]))


def tabulate_rules(rules: Rules, names: Names, scale: int) -> Ints:
    """RULES of these rules, amounts in ``1 / scale`` counters."""
    bids = list(rules.bids.items())
    index = {name: i for i, (name, _) in enumerate(bids)}
    specs, ladder = specs_of(rules), Ladder(rules)
    made = len(ladder.actions)
    head = np.zeros(at.HEAD, np.int64)
    play, vole, auction, pay = rules.play, rules.vole, rules.auction, rules.payments
    head[at.PLAYERS], head[at.HAND] = rules.table.players, rules.table.hand_cards
    head[at.BIDS], head[at.SPECS], head[at.LADDER] = len(bids), len(specs), made
    head[at.FIRST_LEAD_HOMBRE] = play.first_lead == "hombre"
    head[at.CLAIM_WON] = play.claim_won
    head[at.PREMIERS_TRICKS], head[at.PREMIERS_CLAIM] = rules.premiers.tricks, rules.premiers.claim
    head[at.MAY_DECLARE] = vole.consultation == "ask_or_declare"
    head[at.KNOWN_BEFOREHAND] = vole.ally_known == "beforehand"
    head[at.ALONE_DECIDES] = vole.alone_decides
    head[at.ELDER] = _choice(auction, "elder_may_raise")
    head[at.FORCED_SPEC] = made if len(specs) > made else -1
    returns = ladder.returns_with
    head[at.RETURNS_WITH] = -1 if returns is None else returns
    head[at.SOLO] = -1 if ladder.solo is None else index[ladder.solo[0]]
    head[at.FAVOURITE_SOURCE] = _choice(rules.favourite, "source")
    head[at.FAVOURITE_SUIT] = -1 if rules.favourite.suit is None else rules.favourite.suit
    head[at.BY_PLAYED] = rules.forcing.forced_by == "played"
    head[at.AMONG] = _choice(rules.forcing, "among_several")
    head[at.MATADORS_DEALT] = pay.matadors_counted == "as_dealt"
    head[at.MATADORS_SIDE] = pay.matadors_held_by == "side"
    head[at.AGAINST_PAID] = pay.adversaries_matadors != "not_paid"
    head[at.FOUR_IN_BLACK] = pay.matadors_four_in_black
    head[at.PREMIERS_BY_HOMBRE] = pay.premiers_won_by == "hombre"
    head[at.ANTE] = rules.stakes.ante * scale
    head[at.ANTE_BY_DEALER] = rules.stakes.ante_by == "dealer"
    head[at.PURSE] = rules.table.purse * scale
    head[at.ENDS_WHEN_EMPTY] = rules.table.purse_empty == "session_ends"
    head[at.COUNTS_LOSSES] = rules.multiplier.after_losses == "counted"
    head[at.COUNTS_BEASTS] = counts_beasts(rules)
    head[at.POOL_STEP] = max(1, basic_stake(rules.stakes, rules.table.players)) * scale
    head[at.SCALE] = scale
    head[at.BIDS_AT] = at.HEAD
    head[at.SPECS_AT] = at.HEAD + len(bids) * at.BID_SIZE
    head[at.FIRST_SPEC] = specs.index(BidSpec(rules.ladder()[0][0])) if made else -1
    head[at.UNASKED : at.HEAD] = _unasked(rules, ladder, specs)
    blocks = [head, *(_bid_block(rules, n, b, names) for n, b in bids)]
    levels = sorted(set(ladder.levels.values()))
    for spec in specs:
        level = levels.index(ladder.levels[spec]) if spec in ladder.levels else -1
        blocks.append(np.array([index[spec.bid], spec.favourite, _VOLES.index(spec.vole), level], np.int64))
    return np.concatenate(blocks)


def _unasked(rules: Rules, ladder: Ladder, specs: Sequence[BidSpec]) -> list[int]:
    """The bids that naming trumps unasked stands for: the solo and the alliance, each plain and in favourite."""
    if rules.auction.unasked_trumps == "barred":
        return [-1] * 4
    stand = [
        BidSpec(found[0], favourite and says_favourite(found[1])) if found else None
        for found in (ladder.solo, ladder.alliance)
        for favourite in (False, True)
    ]
    return [specs.index(spec) if spec in ladder.levels else -1 for spec in stand]


def _bid_block(rules: Rules, name: str, bid: Bid, names: Names) -> Ints:
    block = np.zeros(at.BID_SIZE, np.int64)
    call = bid.call
    block[at.MADE_IN_TURN] = bid.made == "in_turn"
    block[at.FORCED_ON] = -1 if bid.forced_on is None else bid.forced_on
    block[at.CLOSES] = bid.closes_auction
    block[at.NEEDS] = sum(1 << home_place(rules.cards, c) for c in bid.needs)
    block[at.NEEDS_NAME] = names.of(("cards", bid.needs))
    block[at.SHOWS] = _choice(bid, "shows") if bid.needs else at.SHOWS_NOTHING
    block[at.GOAL], block[at.TRICKS] = _choice(bid, "goal"), bid.tricks
    block[at.NO_TRUMPS] = bid.trump == "none"
    block[at.TRUMP_BY], block[at.TRUMP_WHEN] = _choice(bid, "trump_by"), _choice(bid, "trump_when")
    block[at.CALLED], block[at.AT_ONCE] = bid.partner == "called", bid.ally_known == "at_once"
    block[at.EXCHANGE] = bid.exchange
    block[at.QUEEN_WHEN], block[at.OWN_CARD] = _choice(call, "queen_when"), _choice(call, "own_card")
    block[at.TRUMP_CALL], block[at.MAY_BECOME] = _choice(call, "trump_suit"), call.suit_may_become_trump
    block[at.FALLBACK] = _choice(call, "fallback")
    block[at.PAYS_PREMIERS], block[at.MAY_UNDERTAKE] = bid.premiers, bid.may_undertake_vole
    block[at.IS_VOLE], block[at.MAY_ANNOUNCE] = bid.is_vole, may_announce_vole(rules, bid)
    block[at.ENDS_WHEN_LOST] = bid.ends_when_lost
    items = get_args(PayItem)
    block[at.CLAIMED] = sum(1 << items.index(i) for i in bid.claimed)
    block[at.NAME] = names.of(("bid", name))
    block[at.BINDS] = rules.favourite.plain_bid_binds and bid.in_favourite == "bid"
    return block
