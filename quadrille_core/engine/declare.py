"""What Hombre settles after the auction: trumps, the called card, the exchange.

Which steps there are, in which order, and whose they are, follows from the bid's fields alone:

- ``before_call``: trumps, then the call.  Where the ally is to name trumps, or is invited to, the
  call must come first all the same, for until then there is no ally.
- ``after_call``: the call, then trumps, then the exchange if there is one.
- ``after_exchange``: the call, the exchange, then trumps.

Where several cards are exchanged (``cards_asked``) all are called before any is given for one, and
the first card given goes to whoever held the first one called.  A card that was handed over counts
as Hombre's own: it is not called twice, and a queen may be called by one who so has four kings.

Hombre may call their own card, where the rules let them, only while nobody else must do something
with it: not in an exchange, and not when the ally is to name trumps.  Having called it they play
alone in secret and can no longer invite anyone.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Final, Literal

from quadrille_core.cards import (
    NO_TRUMP,
    RANKS,
    SUITS,
    Card,
    Suit,
    card_of,
    format_card,
    rank,
    suit,
)
from quadrille_core.engine.actions import Action, BidSpec, Refusal, not_none
from quadrille_core.engine.terms import cards_exchanged, trump_limit
from quadrille_core.frozen import frozen
from quadrille_core.rules import Bid, Call, Rules

Step = Literal["trump", "call", "give"]
Emit = Callable[..., None]

INVITE: Final = Action("invite")
TRUMP: Final = tuple(Action("trump", suit=Suit(s)) for s in range(4))


_SUITS: Final = tuple(Suit(s) for s in range(4))
KINGS: Final = tuple(card_of(s, "K") for s in _SUITS)
QUEENS: Final = tuple(card_of(s, "Q") for s in _SUITS)
_NO_QUEEN: Final = {
    "never": "no queen may be called",
    "four_kings": "a queen may be called only by one who holds four kings",
    "three_plain_kings": "a queen may be called only by one who holds every king that is not "
    "trumps",
}


@frozen
class CallRuling:
    """Whether one card may be called, why, and by which leaf of ``bids.<bid>.call``."""

    card: Card
    callable: bool
    reason: str
    rule: str


@frozen
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
            return CallRuling(
                card, False, f"{name} is the caller's own: {context.others_only}", "own_card"
            )
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
        reason = (
            f"{SUITS[suit(card)]} will be trumps by the bid, and the suit called may not "
            "become trumps"
        )
        return CallRuling(card, False, reason, "suit_may_become_trump")
    if call.trump_suit == "any" or (call.trump_suit == "kings" and king):
        return None
    what = "queen" if call.trump_suit == "kings" else "king or queen"
    return CallRuling(card, False, f"the {what} of trumps may not be called", "trump_suit")


def queens_callable(context: CallContext) -> bool:
    """Whether the caller's kings let them call a queen.

    Before trumps are named every king is a plain king, so three plain kings means all four.
    """
    when = context.call.queen_when
    if when == "never":
        return False
    kings = {
        "always": (),
        "four_kings": KINGS,
        "three_plain_kings": [KINGS[s] for s in context.plain_suits()],
    }
    return set(context.hand).issuperset(kings[when])


def _fallback(context: CallContext) -> tuple[Card, ...]:
    steps = dict.fromkeys([context.call.fallback, "trump_king", "queen"])
    for step in steps:
        cards = tuple(_fallback_step(context, step))
        if cards:
            return cards
    # No king or queen outside trumps is left, or it could be called.  A hand is shorter than the
    # cards below the ace outside one suit, so that some rank is always found.
    plain, held = context.plain_suits(), set(context.hand)
    return next(
        missing
        for r in RANKS[3:]
        if (missing := tuple(c for s in plain if (c := card_of(s, r)) not in held))
    )


def _fallback_step(context: CallContext, step: str) -> Iterable[Card]:
    held: Collection[Card] = set(context.hand)
    plain = context.plain_suits()
    if step == "trump_king":
        return (
            ()
            if context.trump_suit is None
            else (c for c in (KINGS[context.trump_suit],) if c not in held)
        )
    if step == "queen":
        return (QUEENS[s] for s in plain if QUEENS[s] not in held)
    return () if context.others_only else (KINGS[s] for s in plain if KINGS[s] in held)


class Declaration:
    """The contract from the end of the auction to the first lead, and what it settles."""

    def __init__(
        self,
        spec: BidSpec,
        bid: Bid,
        hombre: int,
        hands: Sequence[list[Card]],
        *,
        favourite: Suit | None,
        binds: bool,
        named: Suit | None = None,
        limits: Rules | None = None,
    ) -> None:
        self.spec: Final = spec
        self.bid: Final = bid
        self.hombre: Final = hombre
        self._hands = hands
        self._favourite = favourite
        self._binds = binds
        self._limits = limits
        """The rules by which plugins limit the trumps."""
        self.trump: Suit | None = NO_TRUMP if bid.trump == "none" else named
        self.invited = False
        self.cards: Final[list[Card]] = []
        """The cards called; several only where so many are exchanged."""
        self.holders: Final[list[int]] = []
        """Who held each of them when it was called."""
        self.gifts: Final[list[Card]] = []
        """What was given for each of them."""
        self.ally_public = False
        """Whether the table knows who the ally is, or that there is none."""

    # --- who and what
    #   ------------------------------------------------------------------------------

    @property
    def calls(self) -> bool:
        """Whether a card is called at all."""
        return self.bid.partner == "called" or self.bid.exchange

    @property
    def called(self) -> Card | None:
        """The called card, of several the first."""
        return self.cards[0] if self.cards else None

    @property
    def holder(self) -> int | None:
        """Who held it when it was called."""
        return self.holders[0] if self.holders else None

    @property
    def ally(self) -> int | None:
        """The seat that plays with Hombre, known to the table or not."""
        return self.holder if self.bid.partner == "called" and self.holder != self.hombre else None

    @property
    def alone_in_secret(self) -> bool:
        """Whether Hombre called their own card."""
        return self.holder is not None and self.holder == self.hombre

    @property
    def surrendered(self) -> int | None:
        """Who hands over the called card, where cards are exchanged."""
        return self.holder if self.bid.exchange else None

    @property
    def _ally_must_name(self) -> bool:
        named = self.bid.partner == "called" and self.bid.trump == "suit"
        return named and (self.bid.trump_by == "ally" or self.invited)

    def step(self) -> Step | None:
        """What comes next; None when the cards can be played."""
        trump_due = self.trump is None
        if not self.calls:
            return "trump" if trump_due else None
        if len(self.cards) < max(1, cards_exchanged(self.bid)):
            first_trump = (
                trump_due and self.bid.trump_when == "before_call" and not self._ally_must_name
            )
            return "trump" if first_trump else "call"
        give_due = self.bid.exchange and len(self.gifts) < len(self.cards)
        if give_due and (not trump_due or self.bid.trump_when == "after_exchange"):
            return "give"
        return "trump" if trump_due else None

    def turn(self) -> int | None:
        """Whose step it is."""
        step = self.step()
        if step == "trump" and self._ally_must_name and self.ally is not None:
            return self.ally
        return None if step is None else self.hombre

    # --- what is allowed
    #   ---------------------------------------------------------------------------

    def legal(self) -> tuple[Action, ...]:
        """The actions of the player in turn, in a fixed order."""
        step = self.step()
        if step == "trump":
            suits = tuple(
                a for a in TRUMP if a.suit is not None and self._suit_fault(a.suit) is None
            )
            return suits if self._invite_fault() else (*suits, INVITE)
        if step == "call":
            return tuple(Action("call", card=c) for c in callable_cards(self._context()))
        return tuple(
            Action("give", card=c)
            for c in self._hands[self.hombre]
            if step == "give" and c not in self.cards
        )

    def refusal(self, action: Action) -> Refusal | None:
        """Why the player in turn may not do this; None when they may."""
        step = self.step()
        where = f"bids.{self.spec.bid}"
        if action.kind == "invite":
            return self._invite_fault()
        if action.kind != step:
            now = {
                "trump": "trumps are to be named",
                "call": "a card is to be called",
                "give": "a card is to be given",
            }
            rule = f"{where}.exchange" if action.kind == "give" else f"{where}.trump_when"
            if action.kind == "call" and not self.calls:
                return Refusal("nobody is called in this game", f"{where}.partner")
            return Refusal(f"{now[not_none(step)]} now", rule)
        if step == "trump":
            return (
                Refusal("no suit is named", f"{where}.trump")
                if action.suit is None
                else self._suit_fault(action.suit)
            )
        if action.card is None:
            return Refusal("no card is named", where)
        if step == "call":
            ruling = why_not_callable(self._context(), action.card)
            return None if ruling is None else Refusal(ruling.reason, f"{where}.call.{ruling.rule}")
        if action.card in self.cards:
            return Refusal(
                "the called card itself is not given in exchange for itself"
                if len(self.cards) == 1
                else "a called card is not given in exchange for another",
                f"{where}.exchange",
            )
        if action.card not in self._hands[self.hombre]:
            return Refusal(
                f"{format_card(action.card)} is not in Hombre's hand", f"{where}.exchange"
            )
        return None

    def _context(self) -> CallContext:
        to_name = "its holder is to name trumps" if self._ally_must_name else ""
        others_only = "it must come from another's hand" if self.bid.exchange else to_name
        free = self._free_suits()
        bound = self._favourite if self.spec.favourite else free[0] if len(free) == 1 else None
        return CallContext(
            self.bid.call, tuple(self._hands[self.hombre]), self.trump, bound, others_only
        )

    def _limit(self, chosen: Suit) -> str | None:
        rules = self._limits
        return None if rules is None else trump_limit(rules, self.spec.bid, chosen, self._favourite)

    def _free_suits(self) -> list[Suit]:
        """The suits that a bid not made in favourite may yet name; a called suit only where no
        other is left."""
        suits = [a.suit for a in TRUMP if a.suit is not None and self._limit(a.suit) is None]
        free = [s for s in suits if not (self._binds and s == self._favourite)]
        if self.bid.call.suit_may_become_trump:
            return free
        called = {suit(c) for c in self.cards}
        return [s for s in free if s not in called] or free

    def _suit_fault(self, chosen: Suit) -> Refusal | None:
        where = f"bids.{self.spec.bid}"
        if chosen == NO_TRUMP:
            return Refusal("a suit must be named", f"{where}.trump")
        if rule := self._limit(chosen):
            return Refusal(f"{SUITS[chosen]} may not be trumps at this bid", rule)
        if self.spec.favourite:
            if chosen == self._favourite:
                return None
            return Refusal("the bid was made in favourite", f"{where}.in_favourite")
        if self._binds and chosen == self._favourite:
            return Refusal(
                f"{SUITS[chosen]} is favourite and the bid was a plain one",
                "favourite.plain_bid_binds",
            )
        if self.cards and chosen not in self._free_suits():
            called = next(format_card(c) for c in self.cards if suit(c) == chosen)
            return Refusal(f"{called} was called", f"{where}.call.suit_may_become_trump")
        return None

    def _invite_fault(self) -> Refusal | None:
        where = f"bids.{self.spec.bid}"
        if self.bid.trump_by != "hombre_or_ally" or self.bid.partner != "called":
            return Refusal("the ally may not be invited to name trumps", f"{where}.trump_by")
        if self.step() != "trump" or self.invited:
            return Refusal("trumps are not Hombre's to name now", f"{where}.trump_by")
        if self.alone_in_secret:
            return Refusal(
                "the called card is Hombre's own: there is no ally", f"{where}.call.own_card"
            )
        return None

    # --- what is done
    #   ------------------------------------------------------------------------------

    def apply(self, action: Action, emit: Emit) -> None:
        """Do a legal action and say what happened."""
        seat = self.turn()
        if action.kind == "invite":
            self.invited = True
            emit("invite", seat, "auction")
        elif action.kind == "trump":
            self._name(action, seat, emit)
        elif action.kind == "call":
            self._call(action, emit)
        else:
            self._give(action, emit)

    def _name(self, action: Action, seat: int | None, emit: Emit) -> None:
        self.trump = action.suit
        emit("trump", seat, "auction", suit=action.suit)
        if seat == self.ally and not self.ally_public:
            self.reveal(emit, "auction")

    def _call(self, action: Action, emit: Emit) -> None:
        card = not_none(action.card)
        holder = next(s for s, hand in enumerate(self._hands) if card in hand)
        self.cards.append(card)
        self.holders.append(holder)
        emit("call", self.hombre, "auction", cards=(card,))
        if self.bid.exchange:
            self._hands[holder].remove(card)
            self._hands[self.hombre].append(card)
            self._hands[self.hombre].sort()
        if self.bid.partner == "called" and self.bid.ally_known == "at_once":
            self.reveal(emit, "auction")

    def _give(self, action: Action, emit: Emit) -> None:
        card, at = not_none(action.card), len(self.gifts)
        giver = self.holders[at]
        self.gifts.append(card)
        self._hands[self.hombre].remove(card)
        self._hands[giver].append(card)
        self._hands[giver].sort()
        emit("exchange", self.hombre, "auction", cards=(self.cards[at], card), other=giver)

    def reveal(self, emit: Emit, stage: str) -> None:
        """Let the table know who the ally is, or that Hombre plays alone, if it does not know
        yet."""
        if self.ally_public or self.bid.partner != "called":
            return
        self.ally_public = True
        if self.ally is None:
            emit("ally", self.hombre, stage, note="alone")
        else:
            emit("ally", self.ally, stage)
