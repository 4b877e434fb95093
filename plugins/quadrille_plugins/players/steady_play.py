"""How ``steady`` plays its cards: integers and bit masks alone, so that a compiled engine can do
the same.

A set of cards is a mask with bit ``c`` for card ``c``.  ``unseen`` are the cards in the others'
hands as far as this seat knows; a card is a *master* when no unseen card of its suit beats it.
"""

from collections.abc import Sequence
from typing import Final

from quadrille_core.cards import NO_TRUMP, PACK, Card, Suit
from quadrille_core.engine.ranking import CardRanking, ranking
from quadrille_core.rules import CardOrder
from quadrille_plugins.deal.view import View
from quadrille_plugins.players.steady_manner import USUAL, Manner

BIT: Final = tuple(1 << c for c in PACK)
ALL: Final = (1 << len(PACK)) - 1


def mask_of(cards: Sequence[Card]) -> int:
    """The set of these cards."""
    mask = 0
    for card in cards:
        mask |= BIT[card]
    return mask


class TrumpOrder:
    """The order of the cards under one trump, as masks."""

    __slots__ = ("down", "higher", "lower", "of_suit", "strength", "suits", "trump")

    def __init__(self, order: CardRanking) -> None:
        self.trump: Final = order.trump
        self.suits: Final = order.suits
        self.strength: Final = order.strength
        self.of_suit: Final = tuple(
            mask_of([c for c in PACK if order.suits[c] == s]) for s in range(5)
        )
        """The cards of each suit in the play; the fifth is the black aces' where no suit is
        trumps."""
        self.down: Final = tuple(
            tuple(
                sorted((c for c in PACK if order.suits[c] == s), key=lambda c: -order.strength[c])
            )
            for s in range(5)
        )
        """The same as lists, strongest first."""
        self.higher: Final = tuple(
            mask_of(
                [
                    d
                    for d in PACK
                    if order.suits[d] == order.suits[c] and order.strength[d] > order.strength[c]
                ]
            )
            for c in PACK
        )
        self.lower: Final = tuple(
            self.of_suit[order.suits[c]] & ~self.higher[c] & ~BIT[c] for c in PACK
        )


_ORDERS: dict[tuple[str, str, int], TrumpOrder] = {}


def order_of(order: CardOrder, trump: Suit) -> TrumpOrder:
    """The order of the cards under these rules and this trump."""
    key = (order.red_plain_ace, order.black_ponto, trump)
    if key not in _ORDERS:
        _ORDERS[key] = TrumpOrder(ranking(order, trump))
    return _ORDERS[key]


class PlayContext:
    """What one seat knows when it plays a card."""

    __slots__ = (
        "attacks",
        "friends",
        "hand",
        "order",
        "players",
        "sure",
        "trump",
        "unseen",
        "view",
    )

    def __init__(self, view: View, order: TrumpOrder) -> None:
        self.view = view
        self.players = len(view.players)
        self.order = order
        self.trump = order.trump
        seen = mask_of(view.hand) | mask_of(view.trick)
        for trick in view.tricks:
            for card in trick.cards:
                seen |= BIT[card]
        self.unseen = ALL & ~seen
        self.hand = view.hand
        self.attacks = view.seat in (view.hombre, view.ally)
        self.sure = True
        """Whether the friends are known, and no stranger is among them."""
        self.friends = self._find_friends()

    def _find_friends(self) -> tuple[int, ...]:
        view = self.view
        if self.attacks:
            return tuple(s for s in (view.hombre, view.ally) if s is not None and s != view.seat)
        if view.alone is None:
            return self._guess_friends()
        return tuple(s for s in range(self.players) if s not in (view.seat, view.hombre, view.ally))

    def _guess_friends(self) -> tuple[int, ...]:
        """The adversaries' guess at one another while the ally is hidden.

        Who could not follow the called card's suit does not hold it.  Until all but one have shown
        that, each takes all others for friends: of the strangers only one is none, and to overtake
        a friend costs a trick.
        """
        view, suits = self.view, self.order.suits
        others = [s for s in range(self.players) if s not in (view.seat, view.hombre)]
        if view.called is not None and view.hombre is not None:
            wanted = suits[view.called]
            cleared: dict[int, None] = {}
            for trick in view.tricks:
                led = suits[trick.cards[0]]
                for seat in others:
                    place = (seat - trick.leader) % self.players
                    if led == wanted and suits[trick.cards[place]] != led:
                        cleared[seat] = None
            if len(cleared) >= len(others) - 1:
                return tuple(cleared)[: len(others) - 1]
        self.sure = False
        return tuple(others)

    def master(self, card: Card) -> bool:
        """Whether no unseen card of its suit beats this one."""
        return not self.order.higher[card] & self.unseen

    def out_trumps(self) -> int:
        """The trumps in the others' hands."""
        return self.order.of_suit[self.trump] & self.unseen

    def best(self) -> int:
        """The place in the trick of the card that wins so far."""
        trick, strength, suits = self.view.trick, self.order.strength, self.order.suits
        led, best = suits[trick[0]], 0
        for place in range(1, len(trick)):
            card = trick[place]
            if strength[card] > strength[trick[best]] and suits[card] in (led, self.trump):
                best = place
        return best

    def winning(self, cards: Sequence[Card], best: Card, led: Suit) -> list[Card]:
        """The cards that would beat the best so far, cheapest first."""
        strength, suits = self.order.strength, self.order.suits
        floor = strength[best]
        won = [c for c in cards if strength[c] > floor and suits[c] in (led, self.trump)]
        won.sort(key=strength.__getitem__)
        return won

    def guards(self, held: int, suit: Suit) -> bool:
        """Whether the best card held of a suit is the second best of those not yet played."""
        top = next(c for c in self.order.down[suit] if held & BIT[c])
        return (self.order.higher[top] & self.unseen).bit_count() == 1

    def throw(self, cards: Sequence[Card]) -> Card:
        """The card that is missed least."""
        order, hand = self.order, mask_of(self.hand)
        least, choice = 1 << 30, cards[0]
        for card in cards:
            suit = order.suits[card]
            keep = 8 * order.strength[card]
            if suit == self.trump:
                keep += 1000
            else:
                above = (order.higher[card] & self.unseen).bit_count()
                held = hand & order.of_suit[suit]
                length = held.bit_count()
                if above == 0:
                    keep += 240
                elif length == 2 and (above == 1 or self.guards(held, suit)):
                    # One guard keeps a second-best card alive; the guard is as good as the card.
                    keep += 60
                keep += length
            if keep < least:
                least, choice = keep, card
        return choice


def choose_card(
    view: View, cards: Sequence[Card], order: TrumpOrder, manner: Manner = USUAL
) -> Card:
    """The card to play among the legal ones."""
    context = PlayContext(view, order)
    bid = view.bid
    if bid is not None and bid.goal == "none":
        return _avoid(context, cards) if context.attacks else _press(context, cards)
    if not view.trick:
        return (
            _lead_attack(context, cards, manner)
            if context.attacks
            else _lead_defence(context, cards)
        )
    return _follow(context, cards, manner)


# --- playing for tricks ------------------------------------------------------------------------


def _lead_attack(context: PlayContext, cards: Sequence[Card], manner: Manner) -> Card:
    """Draw trumps while it pays and cash what is good, or the other way about, then look for the
    ally."""
    order, view, trump = context.order, context.view, context.trump
    strength, suits = order.strength, order.suits
    mine = [c for c in cards if suits[c] == trump]
    out, vole = context.out_trumps(), view.vole != "none"
    drawing = None
    if mine and out:
        top, long = (
            max(mine, key=strength.__getitem__),
            len(mine) >= 4 and 2 * len(mine) >= out.bit_count(),
        )
        if context.master(top):
            drawing = top
        elif view.seat == view.hombre and not vole and long and manner.leads != "best":
            # Without the best trump, length draws the others' out, as long as enough of it remains.
            drawing = min(mine, key=strength.__getitem__)
    if drawing is not None and (vole or manner.leads != "kings"):
        return drawing
    good = _cashable(context, cards)
    if good is not None:
        return good
    if drawing is not None:
        return drawing
    if mine and not out and (len(mine) == len(cards) or len(mine) >= _wanted(context)):
        # Every trump is a certain trick now: enough of them make what is played for.
        return mine[0]
    called = view.called
    if called is not None and view.seat == view.hombre and context.unseen & BIT[called]:
        to_ally = [c for c in cards if suits[c] == suits[called]]
        if to_ally and suits[called] != trump:
            return min(to_ally, key=strength.__getitem__)
    if vole:
        return min(
            cards, key=lambda c: ((order.higher[c] & context.unseen).bit_count(), -strength[c])
        )
    return _low_from_longest(context, cards)


def _wanted(context: PlayContext) -> int:
    """How many more tricks complete what Hombre's side plays for: premiers not yet missed, the
    game, or the vole."""
    view, bid = context.view, context.view.bid
    side = [s for s in (view.hombre, view.ally) if s is not None]
    made, done = sum(view.won[s] for s in side), len(view.tricks)
    if view.vole != "none" or bid is None or bid.goal == "all":
        return 1
    first = view.rules.premiers.tricks
    straight = bid.premiers and made == done < first
    wanted = [n for n in (first - done if straight else 0, bid.tricks - made) if n > 0]
    return min(wanted, default=MANY)


MANY: Final = 99


def _lead_defence(context: PlayContext, cards: Sequence[Card]) -> Card:
    """Cash what is good, or lead low from length, and not into the ally's called card."""
    good = _cashable(context, cards)
    if good is not None:
        return good
    order = context.order
    called = context.view.called
    if (
        called is not None
        and context.view.ally != context.view.seat
        and context.unseen & BIT[called]
    ):
        # A low card of the called suit is a trick for the ally.
        rest = [c for c in cards if order.suits[c] != order.suits[called]]
        if any(order.suits[c] != context.trump for c in rest):
            cards = rest
    return _low_from_longest(context, cards)


def _cashable(context: PlayContext, cards: Sequence[Card]) -> Card | None:
    """A master outside trumps, of the suit least likely to be ruffed."""
    order = context.order
    most, choice = -1, None
    for card in cards:
        suit = order.suits[card]
        if suit == context.trump or not context.master(card):
            continue
        unseen = (order.of_suit[suit] & context.unseen).bit_count()
        if unseen > most:
            most, choice = unseen, card
    return choice


def _low_from_longest(context: PlayContext, cards: Sequence[Card]) -> Card:
    """The lowest card of the longest plain suit; else the lowest trump."""
    order = context.order
    held = mask_of(cards)
    best, choice = -1, cards[0]
    for card in cards:
        suit = order.suits[card]
        length = 0 if suit == context.trump else (held & order.of_suit[suit]).bit_count()
        key = 1000 * length - order.strength[card] + 500
        if key > best:
            best, choice = key, card
    return choice


def _follow(context: PlayContext, cards: Sequence[Card], manner: Manner) -> Card:
    """Win the trick as cheaply as is safe, leave it to a friend, or throw the least away."""
    order, view, trump = context.order, context.view, context.trump
    trick = view.trick
    best_place = context.best()
    best, led = trick[best_place], order.suits[trick[0]]
    winner = (view.leader + best_place) % context.players
    winning = context.winning(cards, best, led)
    if not winning:
        return context.throw(cards)
    after = [(view.seat + n) % context.players for n in range(1, context.players - len(trick))]
    enemy_after = any(s not in context.friends for s in after)
    ruff = led != trump and order.suits[winning[0]] == trump
    if winner in context.friends:
        mine = _from_a_stranger(context, winning, last=not after)
        if mine is not None:
            return mine
        # An ally's trick is overtaken unless it is safe; an adversary's when more than one card may
        # beat it.
        if not enemy_after or (order.higher[best] & context.unseen).bit_count() <= (
            0 if context.attacks else 1
        ):
            return context.throw(cards)
    if not enemy_after:
        return winning[0]
    if context.attacks and view.vole != "none":
        return winning[-1]
    if ruff and order.of_suit[led] & context.unseen:
        # A ruff is cheap while those behind may yet follow.
        return winning[0]
    low_trump = led == trump and winner == view.hombre and not context.attacks
    if low_trump and all(c in order.down[trump][:3] for c in winning):
        # A matador is worth more than a low trump of Hombre's: a friend behind may take it.
        return context.throw(cards)
    return _over_those_behind(context, cards, winning, manner)


def _over_those_behind(
    context: PlayContext, cards: Sequence[Card], winning: Sequence[Card], manner: Manner
) -> Card:
    """A card that wins though an adversary plays after it, or the least that can be thrown away."""
    order, trick = context.order, context.view.trick
    led = order.suits[trick[0]]
    sure = next((card for card in winning if context.master(card)), None)
    if sure is not None:
        return sure
    if led != context.trump and order.suits[winning[0]] == context.trump:
        return winning[0]
    # Last hand but one, or any, may try with a card that little can beat; a matador would rather
    # wait.
    little = 1 if led == context.trump else 3
    may_try = manner.covers == "always" or len(trick) == context.players - 2
    if may_try and (order.higher[winning[-1]] & context.unseen).bit_count() <= little:
        return winning[-1]
    return context.throw(cards)


def _from_a_stranger(context: PlayContext, winning: Sequence[Card], *, last: bool) -> Card | None:
    """A plain card that makes sure of a trick while one of the strangers, whose it is, may be the
    ally."""
    view, trump = context.view, context.trump
    if (
        context.attacks
        or view.alone is not None
        or context.sure
        or context.order.suits[winning[0]] == trump
    ):
        return None
    if last:
        return winning[0]
    return next((c for c in winning if context.order.suits[c] != trump and context.master(c)), None)


# --- playing for none --------------------------------------------------------------------------


def _danger(context: PlayContext, card: Card) -> int:
    """How likely a card is to take a trick some day: what it beats, less what beats it."""
    order = context.order
    if order.suits[card] == NO_TRUMP:
        return 1000
    under = (order.lower[card] & context.unseen).bit_count()
    over = (order.higher[card] & context.unseen).bit_count()
    return 8 * (under - over) + order.strength[card]


def _avoid(context: PlayContext, cards: Sequence[Card]) -> Card:
    """Hombre's play for no trick: the highest card that loses, and rid of the worst when one
    may."""
    order, view = context.order, context.view
    strength = order.strength
    if not view.trick:
        return max(cards, key=lambda c: (_losers_after(context, c), -strength[c]))
    best, led = view.trick[context.best()], order.suits[view.trick[0]]
    winning = context.winning(cards, best, led)
    losing = [c for c in cards if c not in winning]
    if losing:
        following = [c for c in losing if order.suits[c] == led]
        if following and len(following) == len(losing):
            return max(following, key=strength.__getitem__)
        return max(losing, key=lambda c: _danger(context, c))
    return winning[-1] if len(view.trick) == context.players - 1 else winning[0]


def _losers_after(context: PlayContext, card: Card) -> int:
    """How safe a lead is: the number of unseen cards that beat it."""
    return (context.order.higher[card] & context.unseen).bit_count()


def _press(context: PlayContext, cards: Sequence[Card]) -> Card:
    """The adversaries' play against no trick: rid of what would win, and low cards kept to lead
    under Hombre.

    Early they lead from their shortest suits, to be able to discard; then what Hombre must take.
    Before Hombre they go under the trick; where Hombre can go under it, or has played, they are
    rid of their highest cards.
    """
    order, view = context.order, context.view
    strength = order.strength
    hombre = view.hombre if view.hombre is not None else 0
    hombres = _may_hold(context, hombre)
    if not view.trick:
        early = len(view.tricks) < EARLY
        return min(
            cards,
            key=lambda c: (
                _opening(context, c, hombres) if early else _pressure(context, c, hombres),
                strength[c],
            ),
        )
    best_place, led = context.best(), order.suits[view.trick[0]]
    best = view.trick[best_place]
    place = (hombre - view.leader) % context.players
    losing = [
        c
        for c in cards
        if not (strength[c] > strength[best] and order.suits[c] in (led, context.trump))
    ]
    same = [c for c in cards if order.suits[c] == led]
    under = [c for c in same if c in losing]
    if place < len(view.trick):
        if best_place == place:
            # It is Hombre's, and must stay so.
            return (
                max(under, key=strength.__getitem__)
                if under
                else _shed(context, losing or cards, hombres)
            )
        return max(same, key=strength.__getitem__) if same else _shed(context, cards, hombres)
    ways_out = (order.lower[best] & hombres).bit_count() if order.suits[best] == led else 0
    if order.suits[best] != led or not order.of_suit[led] & hombres:
        return max(same, key=strength.__getitem__) if same else _shed(context, cards, hombres)
    if not same:
        return _shed(context, losing or cards, hombres)
    if ways_out >= HOPELESS:
        return max(same, key=strength.__getitem__)
    return max(under, key=strength.__getitem__) if under else min(same, key=strength.__getitem__)


EARLY: Final = 4
"""The tricks in which the adversaries of a game without tricks shorten their suits."""
HOPELESS: Final = 4
"""With so many cards that Hombre may hold under a trick, Hombre will not be made to take it."""
USELESS: Final = 100


def _may_hold(context: PlayContext, hombre: int) -> int:
    """What Hombre may hold: nothing of a suit that they could not follow, and no ace that always
    wins."""
    order, hombres = context.order, context.unseen & ~context.order.of_suit[NO_TRUMP]
    for trick in context.view.tricks:
        played = trick.cards[(hombre - trick.leader) % context.players]
        led = order.suits[trick.cards[0]]
        if order.suits[played] != led:
            hombres &= ~order.of_suit[led]
    return hombres


def _opening(context: PlayContext, card: Card, hombres: int) -> int:
    """How ill a card serves as an early lead: the length of its suit; useless where they cannot
    follow."""
    order = context.order
    held = order.of_suit[order.suits[card]]
    return (mask_of(context.hand) & held).bit_count() if held & hombres else USELESS


def _pressure(context: PlayContext, card: Card, hombres: int) -> int:
    """How ill a lead serves to catch Hombre: the cards under it that they may hold; useless with
    none above it."""
    order = context.order
    return (order.lower[card] & hombres).bit_count() if order.higher[card] & hombres else USELESS


def _shed(context: PlayContext, cards: Sequence[Card], hombres: int) -> Card:
    """The discard: an ace that always wins, or from the suit whose lowest card is most in the
    way."""
    order, hand = context.order, mask_of(context.hand)

    def in_the_way(card: Card) -> tuple[int, int]:
        suit = order.suits[card]
        if suit == NO_TRUMP:
            return USELESS, order.strength[card]
        held = hand & order.of_suit[suit]
        if not order.of_suit[suit] & hombres:
            return -USELESS, order.strength[card]
        low = next(c for c in reversed(order.down[suit]) if held & BIT[c])
        return (order.lower[low] & hombres).bit_count() - 2 * held.bit_count(), order.strength[card]

    return max(cards, key=in_the_way)
