"""What ``seer`` draws and how it weighs what was said, in readable words: the compiled draw is held
to it.

What is certain binds every draw: the seat's own cards, the cards played, those laid open or handed
over, the cards a bid needs, and who could not follow suit.  *Under the very rules of the table*:
whoever did not answer a trump lead may still hold what those rules let them withhold.  What is only
likely weighs: of several draws those are preferred in which each bidder's hand deserves their bid
and each passer's does not.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from quadrille_plugins.deal.view import View
from quadrille_plugins.players.steady_features import BUCKET_WIDTH, Mode
from quadrille_plugins.players.steady_play import mask_of
from quadrille_plugins.players.steady_value import SUITS, Valuer, mode_of
from quadrille_plugins.seer.kernel_draw import DOUBT, MOST_DOUBT, TRIES
from quadrille_plugins.seer.kernel_mind import PASSES_TELL
from quadrille_plugins.seer.kernel_play import MISCALLED

from quadrille_core.cards import NO_TRUMP, PACK, Card, Suit, card_of, rank
from quadrille_core.engine.actions import BidSpec
from quadrille_core.engine.declare import CallContext, callable_cards
from quadrille_core.engine.forcing import Follow, follow, privileged
from quadrille_core.engine.ranking import effective_suits, trumps
from quadrille_core.rules import Bid
from quadrille_core.stream import Stream

Hands = tuple[tuple[Card, ...], ...]


@dataclass(frozen=True, slots=True)
class _Answer:
    """A card played to a trump lead by another seat: what they played, when, and after which
    cards."""

    seat: int
    since: int
    """How many cards they had played before."""
    card: Card
    before: tuple[Card, ...]


class Knowledge:
    """What one seat knows of the other hands."""

    __slots__ = ("answers", "follow", "may", "played", "room", "seats", "unseen", "view")

    def __init__(self, view: View) -> None:
        self.view: Final = view
        self.seats: Final = len(view.players)
        self.played: Final[list[list[Card]]] = [[] for _ in range(self.seats)]
        self.answers: Final[list[_Answer]] = []
        trump = view.trump
        self.follow: Final[Follow | None] = (
            None if trump is None else follow(view.rules.forcing, trump)
        )
        barred = [0] * len(PACK)
        for leader, cards in (
            *((t.leader, t.cards) for t in view.tricks),
            (view.leader, view.trick),
        ):
            for place, card in enumerate(cards):
                seat = (leader + place) % self.seats
                if place and seat != view.seat and trump is not None:
                    self._answered(seat, card, cards[:place], trump, barred)
                self.played[seat].append(card)
        gone = {*view.hand, *(c for cards in self.played for c in cards)}
        self.unseen: Final = [c for c in PACK if c not in gone]
        others = sum(1 << s for s in range(self.seats) if s != view.seat)
        self.may: Final = {c: others & ~barred[c] or others for c in self.unseen}
        """For each unseen card the seats that may hold it, as a mask."""
        size = view.rules.table.hand_cards
        self.room: Final = [size - len(cards) for cards in self.played]
        self.room[view.seat] = 0
        # between the call and the exchange Hombre holds a card more, and who gave it up a card less
        extra = len(self.unseen) - sum(self.room)
        if extra and view.surrendered is not None and view.hombre is not None:
            self.room[view.surrendered if extra < 0 else view.hombre] += extra
        self._told()

    # --- what is certain
    #   ---------------------------------------------------------------------------

    def _answered(
        self, seat: int, card: Card, before: tuple[Card, ...], trump: Suit, barred: list[int]
    ) -> None:
        """What a card reveals of their other cards: a suit not followed is void, except cards they
        may withhold."""
        suits = effective_suits(trump)
        led = suits[before[0]]
        if led == trump and self.follow is not None:
            self.answers.append(_Answer(seat, len(self.played[seat]), card, before))
        if suits[card] == led:
            return
        if led != trump or self.follow is None:
            out: Sequence[Card] = [c for c in PACK if suits[c] == led]
        else:
            forcing = self.view.rules.forcing
            excused = (
                privileged(forcing, trump) if forcing.among_several == "alternative_excuses" else ()
            )
            out = [c for c in self.follow.obliging(trumps(trump), before) if c not in excused]
        for c in out:
            barred[c] |= 1 << seat

    def _hold(self, seat: int, cards: Sequence[Card]) -> None:
        """These cards, where they are not seen elsewhere, are in that hand."""
        for c in cards:
            if c in self.may and seat != self.view.seat and self.may[c] >> seat & 1:
                self.may[c] = 1 << seat

    def _told(self) -> None:
        view = self.view
        bids = view.rules.bids
        for seat, action in view.auction:
            if action.bid is not None and not (
                view.surrendered is not None and seat == view.hombre
            ):
                self._hold(seat, bids.of(action.bid.bid).needs)
        for seat, cards in view.exposed:
            self._hold(seat, cards)
        bid, hombre, called = view.bid, view.hombre, view.called
        if bid is None or hombre is None:
            return
        if view.forced and bid.forced_on is not None and view.surrendered is None:
            self._hold(hombre, (bid.forced_on,))
        if called is None:
            return
        if rank(called) == "Q" and bid.call.queen_when != "always":
            plain = [s for s in SUITS if s != view.trump or bid.trump_when != "before_call"]
            self._hold(hombre, [card_of(s, "K") for s in plain])
        if called not in self.may or bid.partner != "called":
            return
        if view.ally is not None:
            self._hold(view.ally, (called,))
        elif view.alone:
            self._hold(hombre, (called,))
        elif bid.call.own_card == "never" and bid.call.fallback != "own_king":
            self.may[called] &= ~(1 << hombre) or self.may[called]

    # --- drawing
    #   -----------------------------------------------------------------------------------

    def draw(self, stream: Stream) -> Hands | None:
        """All hands as they may be now; None where no try finds any that the rules allow."""
        for _ in range(TRIES):
            held = self._deal(stream)
            if held is None:
                continue
            hands = tuple(tuple(sorted(h)) for h in held)
            if self.allows(hands):
                return hands
        return None

    def _deal(self, stream: Stream) -> list[list[Card]] | None:
        """One draw: the cards that fewest may hold first, each to a seat by the room it has left;
        those that any may hold as they were shuffled."""
        cards = self.unseen[:]
        stream.shuffle(cards)
        cards.sort(key=lambda c: self.may[c].bit_count())
        room = self.room[:]
        held: list[list[Card]] = [[] for _ in range(self.seats)]
        held[self.view.seat] = list(self.view.hand)
        for card in cards:
            may = self.may[card]
            total = sum(room[s] for s in range(self.seats) if may >> s & 1)
            if not total:
                return None
            seat = 0
            if may.bit_count() == self.seats - 1:
                seat = next(s for s in range(self.seats) if room[s])
            else:
                at = stream.below(total)
                while not (may >> seat & 1 and at < room[seat]):
                    at -= room[seat] if may >> seat & 1 else 0
                    seat += 1
            room[seat] -= 1
            held[seat].append(card)
        return held

    def allows(self, hands: Hands) -> bool:
        """Whether every answer to a trump lead was one that these hands allowed."""
        if self.follow is None:
            return True
        for a in self.answers:
            hand = tuple(sorted((*hands[a.seat], *self.played[a.seat][a.since :])))
            if a.card not in self.follow.legal(hand, a.before):
                return False
        return True

    # --- what is likely
    #   ----------------------------------------------------------------------------

    def dealt(self, hands: Hands, seat: int) -> tuple[Card, ...]:
        """The hand that the seat began the play with."""
        return tuple(sorted((*hands[seat], *self.played[seat])))


class Opinion:
    """How well hands agree with what was bid and passed on them."""

    def __init__(self, knowledge: Knowledge, valuer: Valuer) -> None:
        self._known: Final = knowledge
        self._valuer: Final = valuer
        view = knowledge.view
        self._step: Final = valuer.pool_step(view.pool)
        self.bids: Final[list[tuple[int, Mode, int, Suit | None]]] = []
        """Seat, way of playing, the score that a bid wants, the trumps if they are known."""
        self.passes: Final[list[tuple[int, Mode, int]]] = []
        standing: BidSpec | None = None
        # what passes tell costs more to weigh than it is worth once cards have been seen
        early = len(view.tricks) < PASSES_TELL
        for seat, action in view.auction:
            if seat != view.seat:
                if action.kind == "pass" and early:
                    self._note_pass(seat, standing)
                elif action.bid is not None:
                    trump = (
                        view.trump if seat == view.hombre and action.bid == view.contract else None
                    )
                    self._note_bid(seat, action.bid, trump, standing)
            standing = action.bid or standing

    def _wanted(self, spec: BidSpec, standing: BidSpec | None) -> int:
        """The least score on which the bid is worth more than somebody else's game."""
        valuer, pool = self._valuer, self._known.view.pool
        against = standing or BidSpec(valuer.rules.ladder()[0][0])
        other = valuer.bystander_value(against, pool)
        row = valuer.row(spec, self._step, favoured=spec.favourite)
        return next((n for n, value in enumerate(row) if value > other), len(row)) * BUCKET_WIDTH

    def _note_bid(
        self, seat: int, spec: BidSpec, trump: Suit | None, standing: BidSpec | None
    ) -> None:
        bid = self._valuer.rules.bids.of(spec.bid)
        mode = mode_of(bid)
        if mode in ("alone", "ally") and not bid.needs:
            if bid.exchange and self._known.view.called is None:
                return
            self.bids.append((seat, mode, self._wanted(spec, standing), trump))

    def _note_pass(self, seat: int, standing: BidSpec | None) -> None:
        rules = self._valuer.rules
        above = -1 if standing is None else rules.bids.of(standing.bid).rank
        known: set[Mode] = set()
        for name, bid in rules.ladder():
            mode = mode_of(bid)
            plain = not bid.needs and not bid.exchange and not bid.is_vole
            if plain and bid.rank > above and mode in ("alone", "ally") and mode not in known:
                known.add(mode)
                self.passes.append((seat, mode, self._wanted(BidSpec(name), standing)))

    def doubts(self, hands: Hands) -> int:
        """How often hands are halved that fit badly what was said."""
        halved = 0
        for seat, mode, wanted, trump in self.bids:
            score = self._best(mode, mask_of(self._known.dealt(hands, seat)), trump)
            halved += min(max(0, wanted - score) // DOUBT, MOST_DOUBT)
        for seat, mode, wanted in self.passes:
            score = self._best(mode, mask_of(self._known.dealt(hands, seat)), None)
            halved += min(max(0, score - wanted) // DOUBT, MOST_DOUBT)
        if not self._callable(hands):
            halved += MISCALLED
        return halved

    def _best(self, mode: Mode, hand: int, trump: Suit | None) -> int:
        if trump is not None:
            return self._valuer.score(mode, hand, trump)
        return max(self._valuer.score(mode, hand, s) for s in SUITS)

    def _callable(self, hands: Hands) -> bool:
        """Whether Hombre, with that hand, might call the card that they called."""
        view = self._known.view
        bid, hombre, called = view.bid, view.hombre, view.called
        if bid is None or hombre is None or called is None or bid.exchange or hombre == view.seat:
            return True
        hand = self._known.dealt(hands, hombre)
        return called in callable_cards(
            call_context(bid, hand, view.trump, view.favourite, view.contract, view.invited)
        )


def call_context(
    bid: Bid,
    hand: tuple[Card, ...],
    trump: Suit | None,
    favourite: Suit | None,
    spec: BidSpec | None,
    invited: bool,
) -> CallContext:
    """What a call is judged by, as the table judges it."""
    late = bid.trump == "suit" and (
        bid.trump_when != "before_call" or bid.trump_by == "ally" or invited
    )
    named = NO_TRUMP if bid.trump == "none" else None if late else trump
    others = "it must be another's" if bid.exchange or bid.trump_by == "ally" or invited else ""
    bound = favourite if spec is not None and spec.favourite else None
    return CallContext(bid.call, hand, named, bound, others)
