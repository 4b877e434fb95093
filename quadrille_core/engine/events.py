"""What has happened at the table, event by event.

The events of one deal under two rule sets are compared to find where they part, so an event holds
what was done and nothing of which rules allowed it.
"""

from dataclasses import dataclass, field
from typing import Literal

from quadrille_core.cards import Card, Suit, format_card, format_cards, format_suit
from quadrille_core.engine.actions import BidSpec

EventKind = Literal[
    "deal",
    "pass",
    "bid",
    "names",
    "forced",
    "shows",
    "trump",
    "invite",
    "call",
    "exchange",
    "ally",
    "play",
    "trick",
    "premiers",
    "ask",
    "yes",
    "no",
    "claim",
    "vole",
    "end",
]
Stage = Literal["deal", "auction", "play"]
"""Where in the deal; naming trumps, calling and exchanging belong to the auction."""


@dataclass(frozen=True, slots=True)
class Event:
    """One event.  ``other`` is a second seat (who gave up a card), ``note`` how the deal ended."""

    kind: EventKind
    seat: int | None
    stage: Stage
    cards: tuple[Card, ...] = ()
    suit: Suit | None = None
    bid: BidSpec | None = None
    other: int | None = None
    note: str = ""
    players: tuple[str, ...] = field(default=(), compare=False, repr=False)

    def text(self) -> str:
        """The event in one line, as records and reports give it."""
        who = "" if self.seat is None else self.players[self.seat]
        if self.kind == "ask" and self.stage == "auction":
            return f"{who} asks who the ally is"
        if self.kind in ("pass", "invite", "ask", "claim"):
            return f"{who} {_SAYS[self.kind]}"
        if self.kind in ("yes", "no"):
            return f"{who} says {self.kind}"
        match self.kind:
            case "deal":
                return f"{who} deals"
            case "bid":
                return f"{who} bids {self.bid}"
            case "names":
                named = "" if self.suit is None else format_suit(self.suit)
                return f"{who} names {named} trumps without asking leave: {self.bid}"
            case "forced":
                return f"all pass: {self.bid} falls on {who}"
            case "shows":
                return f"{who} shows {format_cards(self.cards)}"
            case "trump":
                return f"{who} names {format_suit(self.suit)} trumps" if self.suit is not None else ""
            case "call":
                return f"{who} calls {format_card(self.cards[0])}"
            case "exchange":
                giver = "" if self.other is None else self.players[self.other]
                return f"{who} takes {format_card(self.cards[0])} from {giver} for {format_card(self.cards[1])}"
            case "ally":
                return f"{who} called her own card and plays alone" if self.note == "alone" else f"{who} is the ally"
            case "play":
                return f"{who} plays {format_card(self.cards[0])}"
            case "trick":
                return f"{who} takes the trick {format_cards(self.cards)}"
            case "premiers":
                return f"{who}'s side makes premiers"
            case "vole":
                return f"{who} {'announces' if self.stage == 'auction' else 'undertakes'} the vole"
            case _:
                return f"the deal ends: {self.note}"


_SAYS = {"pass": "passes", "invite": "invites the ally to name trumps", "ask": "asks for the vole", "claim": "claims"}
