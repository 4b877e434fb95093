"""What speaks for an action, from what its player may know: the own hand, the cards played, what
was said openly.

A reason is of the card, not of the bot, which gives none.  Only a view is read, so no hidden hand
can show in it.
"""

from collections.abc import Sequence
from typing import Final

from quadrille_core.cards import BASTO, NO_TRUMP, PACK, SPADILLE, Card, Suit, format_suit
from quadrille_core.cards import suit as printed_suit
from quadrille_core.engine.actions import Action, not_none
from quadrille_core.engine.ranking import CardRanking, ranking
from quadrille_plugins.deal.view import View

_SUITS: Final = (Suit(0), Suit(1), Suit(2), Suit(3))


def reason(view: View, action: Action, legal: Sequence[Action]) -> str:
    """What speaks for it, in a clause without a subject; empty where nothing is told of such an
    action."""
    if action.kind == "play":
        return _Card(
            view, not_none(action.card), [not_none(a.card) for a in legal if a.card is not None]
        ).text()
    if action.kind in ("bid", "name", "trump", "pass"):
        return _of_hand(view, action)
    if action.kind == "call" and action.card is not None:
        called = printed_suit(action.card)
        suits = ranking(view.rules.cards, NO_TRUMP if view.trump is None else view.trump).suits
        held = sum(suits[c] == called for c in view.hand if c not in (SPADILLE, BASTO))
        return f"calls in a suit of which you hold {_cards(held)}"
    return ""


def _of_hand(view: View, action: Action) -> str:
    """How many trumps the hand has: in the suit that is named, or in the suits that have most."""
    favourite = None
    if action.bid is not None:
        if view.rules.bids.of(action.bid.bid).trump == "none":
            return ""
        favourite = view.favourite if action.bid.favourite else None
    if action.suit == NO_TRUMP:
        return ""
    order = view.rules.cards
    held = {s: sum(ranking(order, s).suits[c] == s for c in view.hand) for s in _SUITS}
    best = max(held.values())
    one = favourite if favourite is not None else action.suit
    suits = [s for s in _SUITS if held[s] == best] if one is None else [one]
    top = min(sum(c in ranking(order, s).matadors for c in view.hand) for s in suits)
    named = " or ".join(map(format_suit, suits))
    count = held[suits[0]]
    trumps = f"{count} trump{'s' * (count != 1)}{f', {_matadors(top)} among them,' if top else ''}"
    return f"your hand has {'at most ' if one is None else ''}{trumps} if {named} are trumps"


class _Card:
    """One card that may be played now, beside the others of the hand and the cards on the table."""

    def __init__(self, view: View, card: Card, legal: Sequence[Card]) -> None:
        self.view, self.card, self.legal = view, card, legal
        self.order: CardRanking = ranking(view.rules.cards, not_none(view.trump))
        self.suit = self.order.suits[card]
        self.is_trump = self.suit == self.order.trump
        gone = {c for t in view.tricks for c in t.cards}.union(view.trick, view.hand)
        self.out = [c for c in PACK if c not in gone]
        """The cards that the others hold, as far as this seat knows."""

    def text(self) -> str:
        if not self.view.trick:
            return f"leads {self._named()}; {self._threat()}"
        led = self.order.suits[self.view.trick[0]]
        how = "follows with" if self.suit == led else "trumps with" if self.is_trump else "discards"
        if self.order.winner([*self.view.trick, self.card]) == len(self.view.trick):
            last = len(self.view.trick) + 1 == len(self.view.players)
            fate = "it takes the trick" if last else f"it is the best so far, {self._threat()}"
            return f"{how} {self._named()}; {fate}"
        return f"{how} {self._short() if how == 'discards' else self._named()}; {self._whose()}"

    def _named(self) -> str:
        """The card among those of its suit that may be played."""
        own = [c for c in self.legal if self.order.suits[c] == self.suit]
        name = "trump" if self.is_trump else f"card of {format_suit(self.suit)}"
        strength = self.order.strength
        if len(own) == 1:
            several = sum(self.order.suits[c] == self.suit for c in self.view.hand) > 1
            return f"the one {name} that may be played" if several else f"your only {name}"
        if self.card == max(own, key=strength.__getitem__):
            return f"your highest {name}"
        return (
            f"your lowest {name}"
            if self.card == min(own, key=strength.__getitem__)
            else f"a middle {name}"
        )

    def _threat(self) -> str:
        """Which cards still out would beat it."""
        strength, suits = self.order.strength, self.order.suits
        higher = sum(suits[c] == self.suit and strength[c] > strength[self.card] for c in self.out)
        trumps = 0 if self.is_trump else sum(suits[c] == self.order.trump for c in self.out)
        if higher:
            return f"{_cards(higher)} of the suit still out would beat it"
        return "only a trump still out would beat it" if trumps else "no card still out beats it"

    def _short(self) -> str:
        """The discard, by how long its suit is in the hand."""
        held = {
            s: sum(self.order.suits[c] == s for c in self.view.hand) for s in (*_SUITS, NO_TRUMP)
        }
        plain = [n for s, n in held.items() if n and s != self.order.trump]
        length = held[self.suit]
        if length == 1:
            return f"your only card of {format_suit(self.suit)}"
        return (
            "from your shortest suit"
            if length == min(plain)
            else f"one of {length} cards of {format_suit(self.suit)}"
        )

    def _whose(self) -> str:
        """Who has the trick so far; a side is named only where this seat knows it."""
        seat = (self.view.leader + self.order.winner(self.view.trick)) % len(self.view.players)
        mine = is_ally(self.view, seat)
        if mine is None:
            return "it cannot take the trick"
        return "the trick is your side's so far" if mine else "an adversary's card is better"


def is_ally(view: View, seat: int) -> bool | None:
    """Whether another seat plays on this seat's side; None where this seat cannot know."""
    if view.seat == view.hombre:
        if view.ally is not None or view.alone:
            return seat == view.ally
        return None
    if seat == view.hombre or view.seat == view.ally:
        return view.seat == view.ally and seat == view.hombre
    return seat != view.ally if view.ally is not None or view.alone else None


def _cards(n: int) -> str:
    return f"{n} card" + "s" * (n != 1)


def _matadors(n: int) -> str:
    return f"{n} matador" + "s" * (n != 1)
