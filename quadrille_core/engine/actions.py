"""What a player can do at the table and what has happened there, and how a record spells both.

Spellings of actions: ``pass``, ``bid solo``, ``bid solo+favourite+announced``, ``trump hearts``,
``invite``, ``call CK``, ``give H3``, ``play SA``, ``claim``, ``ask``, ``yes``, ``no``, ``vole``;
and ``name hearts``, in the auction, for trumps named without asking leave.

The events of one deal under two rule sets are compared to find where they diverge, so an event
holds what was done and nothing of which rules allowed it.
"""

import re
from dataclasses import field
from typing import Final, Literal, TypeVar, get_args

from quadrille_core.cards import (
    Card,
    Suit,
    format_card,
    format_cards,
    format_suit,
    parse_card,
    parse_suit,
)
from quadrille_core.errors import NotationError, did_you_mean
from quadrille_core.frozen import frozen
from quadrille_core.profile.naming import bid_named
from quadrille_core.rules import Rules, VoleLevel

T = TypeVar("T")

ActionKind = Literal[
    "pass",
    "bid",
    "name",
    "trump",
    "invite",
    "call",
    "give",
    "play",
    "claim",
    "ask",
    "yes",
    "no",
    "vole",
]
KINDS: Final[tuple[str, ...]] = get_args(ActionKind)


@frozen
class BidSpec:
    """A bid as it is spoken: which contract, whether in favourite, and whether with the vole."""

    bid: str
    favourite: bool = False
    vole: VoleLevel = "none"

    def __str__(self) -> str:
        """``solo+favourite+announced``."""
        parts = [self.bid]
        if self.favourite:
            parts.append("favourite")
        if self.vole != "none":
            parts.append(self.vole)
        return "+".join(parts)


@frozen
class Action:
    """One decision of one player.

    ``bid`` stands with kind bid; ``suit`` with trump and name; ``card`` with call, give and play.
    ``invite``: Hombre leaves naming trumps to the ally.  ``give``: the card handed over in
    exchange. ``claim``: end the play.  ``ask``, ``yes``, ``no``: shall we play for the vole?
    ``vole``: play for it.
    """

    kind: ActionKind
    card: Card | None = None
    suit: Suit | None = None
    bid: BidSpec | None = None

    def __str__(self) -> str:
        """The action as a record spells it."""
        if self.bid is not None:
            return f"{self.kind} {self.bid}"
        if self.suit is not None:
            return f"{self.kind} {format_suit(self.suit)}"
        if self.card is not None:
            return f"{self.kind} {format_card(self.card)}"
        return self.kind


@frozen
class Refusal:
    """Why an action is not allowed, and the rule path that says so."""

    reason: str
    rule: str

    def __str__(self) -> str:
        """The reason with its rule behind it."""
        return f"{self.reason} ({self.rule})"


def not_none(value: T | None) -> T:
    """The value, where the state of the deal makes sure that there is one."""
    if value is None:
        raise AssertionError("the deal is in a state that cannot arise")
    return value


def parse_bid(text: str, rules: Rules | None, *, begins: bool = False) -> BidSpec:
    """Read ``solo+favourite+announced``; raises NotationError.

    Where ``rules`` are given, the bid may have any of its names, marks may stand after commas, and
    a bid that these rules do not have is refused; else whether it exists is not checked.  With
    ``begins`` the beginning of a name is enough.
    """
    name, *marks = text.split("+")
    if rules is not None:
        name, *marks = (part.strip() for part in re.split("[+,]", text))
        marks = [mark.lower() for mark in marks]
        name = bid_named(name, rules, begins=begins)
    vole: VoleLevel = "none"
    favourite = False
    for mark in marks:
        if mark == "favourite" and not favourite:
            favourite = True
        elif mark in ("announced", "revealed") and vole == "none":
            vole = "announced" if mark == "announced" else "revealed"
        else:
            raise NotationError.of("cannot-stand-after-bid", mark=mark)
    return BidSpec(name, favourite, vole)


def parse_action(text: str, rules: Rules | None = None) -> Action:
    """Read one action as a record spells it; with ``rules`` also as ``parse_bid`` reads a bid.

    Raises NotationError naming the token.
    """
    kind, _, rest = text.strip().partition(" ")
    rest = rest.strip()
    if kind == "bid" and rest:
        return Action("bid", bid=parse_bid(rest, rules))
    if kind in ("trump", "name") and rest:
        return Action(kind, suit=parse_suit(rest))  # type: ignore[arg-type]
    if kind in ("call", "give", "play") and rest:
        return Action(kind, card=parse_card(rest))  # type: ignore[arg-type]
    if kind in KINDS and kind not in ("bid", "name", "trump", "call", "give", "play") and not rest:
        return Action(kind)  # type: ignore[arg-type]
    if kind in KINDS:
        variant = "action-takes-nothing" if rest else "action-wants-more"
        raise NotationError.of(variant, text=text, kind=kind)
    raise NotationError.of("no-action", did_you_mean(kind, KINDS, what="actions"), text=text)


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


@frozen
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
        before = self.kind in ("ask", "vole") and self.stage == "auction"
        special = " before" if before else " alone" if self.note == "alone" else ""
        return _TEXTS[self.kind + special].format(
            who="" if self.seat is None else self.players[self.seat],
            other="" if self.other is None else self.players[self.other],
            bid=self.bid,
            suit="" if self.suit is None else format_suit(self.suit),
            cards=format_cards(self.cards),
            card=[format_card(card) for card in self.cards],
            note=self.note,
        )


_TEXTS: Final = {
    "deal": "{who} deals",
    "pass": "{who} passes",
    "bid": "{who} bids {bid}",
    "names": "{who} names {suit} trumps without asking leave: {bid}",
    "forced": "all pass: {bid} falls on {who}",
    "shows": "{who} shows {cards}",
    "trump": "{who} names {suit} trumps",
    "invite": "{who} invites the ally to name trumps",
    "call": "{who} calls {cards}",
    "exchange": "{who} takes {card[0]} from {other} for {card[1]}",
    "ally": "{who} is the ally",
    "ally alone": "{who} called her own card and plays alone",
    "play": "{who} plays {cards}",
    "trick": "{who} takes the trick {cards}",
    "premiers": "{who}'s side makes premiers",
    "ask": "{who} asks for the vole",
    "ask before": "{who} asks who the ally is",
    "yes": "{who} says yes",
    "no": "{who} says no",
    "claim": "{who} claims",
    "vole": "{who} undertakes the vole",
    "vole before": "{who} announces the vole",
    "end": "the deal ends: {note}",
}
"""What records say of each kind of event."""
