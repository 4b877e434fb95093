"""Which card may be called.

A king may be called; a queen where ``queen_when`` says so; a card of one's own where ``own_card``
says so; a card of the trump suit where ``trump_suit`` says so.  When these rules together leave
nothing to call, ``fallback`` says what may be called instead.  Should the fallback be impossible too
(its cards are all in the caller's hand, or an own card would leave nobody to give it up or to name
trumps), the other fallbacks are tried in the order trump king, queen, and last of all the highest
plain card of whatever rank that the caller lacks; so there is always something to call.

Before trumps are named no suit is barred as trumps: instead the suit called may not become trumps,
unless ``suit_may_become_trump``.  A bid in favourite is bound to one suit, which then counts as the
trump suit in judging what may be called.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

from quadrille_core.cards import NO_TRUMP, RANKS, SUITS, Card, Suit, card_of, format_card, rank, suit
from quadrille_core.rules import Call

_SUITS: Final = tuple(Suit(s) for s in range(4))
KINGS: Final = tuple(card_of(s, "K") for s in _SUITS)
QUEENS: Final = tuple(card_of(s, "Q") for s in _SUITS)
_NO_QUEEN: Final = {
    "never": "no queen may be called",
    "four_kings": "a queen may be called only by one who holds four kings",
    "three_plain_kings": "a queen may be called only by one who holds every king that is not trumps",
}


@dataclass(frozen=True, slots=True)
class CallRuling:
    """Whether one card may be called, why, and by which leaf of ``bids.<bid>.call``."""

    card: Card
    callable: bool
    reason: str
    rule: str


@dataclass(frozen=True, slots=True)
class CallContext:
    """What a call is judged by.

    ``trump`` is None before trumps are named.  ``bound`` is the suit that a bid in favourite will
    have to name.  ``others_only`` is why an own card cannot be called here, or empty if it can.
    """

    call: Call
    hand: tuple[Card, ...]
    trump: Suit | None = None
    bound: Suit | None = None
    others_only: str = ""

    @property
    def trump_suit(self) -> Suit | None:
        """The suit that counts as trumps here, or None."""
        chosen = self.bound if self.trump is None else self.trump
        return None if chosen == NO_TRUMP else chosen

    def plain_suits(self) -> tuple[Suit, ...]:
        """The suits that are not trumps."""
        return tuple(s for s in _SUITS if s != self.trump_suit)


def explain_calls(context: CallContext) -> tuple[CallRuling, ...]:
    """A ruling for every king and queen, and for what else the last resort allows."""
    rulings = [_ruling(context, c) for c in (*KINGS, *QUEENS)]
    if any(r.callable for r in rulings):
        return tuple(rulings)
    allowed = _fallback(context)
    by_card = {r.card: r for r in rulings}
    for card in allowed:
        by_card[card] = CallRuling(card, True, "nothing else is left to call", "fallback")
    return tuple(by_card.values())


def callable_cards(context: CallContext) -> tuple[Card, ...]:
    """The cards that may be called, in the order of the pack; never none."""
    return tuple(sorted(r.card for r in explain_calls(context) if r.callable))


def why_not_callable(context: CallContext, card: Card) -> CallRuling | None:
    """The ruling against calling this card; None when it may be called."""
    for ruling in explain_calls(context):
        if ruling.card == card:
            return None if ruling.callable else ruling
    return CallRuling(card, False, "a king is called, or a queen", "queen_when")


def _ruling(context: CallContext, card: Card) -> CallRuling:
    call, held = context.call, set(context.hand)
    king = rank(card) == "K"
    name = format_card(card)
    if card in held:
        four = held.issuperset(KINGS)
        if context.others_only:
            return CallRuling(card, False, f"{name} is the caller's own: {context.others_only}", "own_card")
        if call.own_card == "never" or (call.own_card == "four_kings" and not four):
            need = " without four kings" if call.own_card == "four_kings" else ""
            return CallRuling(card, False, f"one's own card may not be called{need}", "own_card")
    barred = _suit_bar(context, card, king)
    if barred is not None:
        return barred
    if not king and not queens_callable(context):
        return CallRuling(card, False, _NO_QUEEN[call.queen_when], "queen_when")
    return CallRuling(card, True, "may be called", "own_card" if card in held else "queen_when")


def _suit_bar(context: CallContext, card: Card, king: bool) -> CallRuling | None:
    call = context.call
    if suit(card) != context.trump_suit:
        return None
    if context.trump is None:
        if call.suit_may_become_trump:
            return None
        reason = f"{SUITS[suit(card)]} will be trumps by the bid, and the suit called may not become trumps"
        return CallRuling(card, False, reason, "suit_may_become_trump")
    if call.trump_suit == "any" or (call.trump_suit == "kings" and king):
        return None
    what = "queen" if call.trump_suit == "kings" else "king or queen"
    return CallRuling(card, False, f"the {what} of trumps may not be called", "trump_suit")


def queens_callable(context: CallContext) -> bool:
    """Whether the caller's kings let her call a queen.

    Before trumps are named every king is a plain king, so three plain kings means all four.
    """
    when = context.call.queen_when
    if when == "never":
        return False
    kings = {"always": (), "four_kings": KINGS, "three_plain_kings": [KINGS[s] for s in context.plain_suits()]}
    return set(context.hand).issuperset(kings[when])


def _fallback(context: CallContext) -> tuple[Card, ...]:
    steps = dict.fromkeys([context.call.fallback, "trump_king", "queen"])
    for step in steps:
        cards = tuple(_fallback_step(context, step))
        if cards:
            return cards
    # No king or queen outside trumps is left, or it could be called.  A hand is shorter than the cards below the ace
    # outside one suit, so that some rank is always found.
    plain, held = context.plain_suits(), set(context.hand)
    return next(missing for r in RANKS[3:] if (missing := tuple(c for s in plain if (c := card_of(s, r)) not in held)))


def _fallback_step(context: CallContext, step: str) -> Iterable[Card]:
    held: Collection[Card] = set(context.hand)
    plain = context.plain_suits()
    if step == "trump_king":
        return () if context.trump_suit is None else (c for c in (KINGS[context.trump_suit],) if c not in held)
    if step == "queen":
        return (QUEENS[s] for s in plain if QUEENS[s] not in held)
    return () if context.others_only else (KINGS[s] for s in plain if KINGS[s] in held)
