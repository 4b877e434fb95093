"""``seer``: imagines the hidden hands, solves each of them, and does what is worth most by the rules in force.

Nothing about any game is told her.  She draws hands that agree with all she has seen and heard (``seer_sample``),
lets the solver say how many tricks each choice makes on each of them, and the rules' own settlement what those
tricks pay (``seer_value``).  What the others would bid is imagined as ``steady`` bids; who is to name, call or give
later is taken to choose what looks best then.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from quadrille_core.bots.seer_sample import Hands, call_context, sample
from quadrille_core.bots.seer_value import NONE_CARDS, Game, Judge, solver
from quadrille_core.bots.steady import CALL_ORDER, SteadyBot, valuer_of
from quadrille_core.bots.steady_features import Mode
from quadrille_core.bots.steady_play import BIT, mask_of
from quadrille_core.bots.steady_value import SUITS, Valuer, mode_of
from quadrille_core.cards import NO_TRUMP, PACK, Card, Suit, suit
from quadrille_core.engine.actions import Action, BidSpec
from quadrille_core.engine.auction import says_favourite
from quadrille_core.engine.calling import callable_cards
from quadrille_core.engine.deal import DealSetup
from quadrille_core.engine.ranking import matadors
from quadrille_core.engine.table import Deal
from quadrille_core.engine.terms import plain_alliance, plain_solo
from quadrille_core.engine.view import View, view_of
from quadrille_core.rules import Bid
from quadrille_core.stream import Stream

SAMPLES: Final = 8
"""Sets of hands imagined for a bid, or for what is declared."""
SURE_OF_A_BID: Final = Fraction(2)
"""By how many standard errors a bid, or what is declared, must look better than what steady would do."""
SURE_OF_A_CARD: Final = Fraction(1)
"""The same for a card."""
SAMPLES_BY_CARDS: Final = (0, 12, 12, 12, 12, 12, 12, 10, 8, 6, 5)
"""The same for a card, by the cards held: the more are held, the dearer each is to solve."""
HOPELESS: Final = 250
"""Hundredths of a trick short of the game at which a bid is not looked into."""
HOPELESS_NONE: Final = 200
"""The score of a hand from which on a game of no tricks is not looked into."""
TRUMPS_TRIED: Final = 2
"""Trump suits looked into for each bid, those first that look best."""
CLOSE: Final = 100
"""Hundredths of a trick that a trump suit may look worse than the best, and still be looked into."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How a contract may be declared: trumps (None: the ally names them), the called card, the card given for it."""

    trump: Suit | None
    called: Card | None = None
    give: Card | None = None


def _exchanged(hands: Hands, hombre: int, giver: int, called: Card, give: Card) -> Hands:
    """The hands once the called card has gone to Hombre and another to whoever held it."""
    now = [[c for c in h if c not in (called, give)] for h in hands]
    now[hombre].append(called)
    now[giver].append(give)
    return tuple(tuple(sorted(h)) for h in now)


class SeerBot:
    """Plays by solving hands that agree with what was seen; ``samples`` scales how many are imagined."""

    name = "seer"

    def __init__(self, samples: int = SAMPLES) -> None:
        solver()  # without Numba this says what to install, before any card is dealt
        self.samples: Final = samples

    def choose(self, view: View, legal: tuple[Action, ...], stream: Stream) -> Action:
        """The action worth most on the mean of the hands imagined; of equals what ``steady`` would do."""
        if len(legal) == 1:
            return legal[0]
        plain = _STEADY.choose(view, legal, stream)
        mind = _Mind(view, legal, stream, plain)
        if view.phase == "play":
            cards = max(1, SAMPLES_BY_CARDS[len(view.hand)] * self.samples // SAMPLES)
            return _better(mind.play(cards), plain, SURE_OF_A_CARD)
        if view.phase == "auction":
            values = mind.auction(self.samples)
        elif view.phase == "vole":
            values = mind.vole(self.samples)
        else:
            values = mind.declare(self.samples)
        return _better(values, plain, SURE_OF_A_BID)


_STEADY: Final = SteadyBot()


@dataclass(frozen=True, slots=True)
class Value:
    """What an action is worth to the player on each sample, and the tricks that all of them bring her."""

    paid: tuple[Fraction, ...]
    tricks: int = 0

    def order(self) -> tuple[Fraction, int]:
        """What makes the best the greatest."""
        return sum(self.paid, Fraction(0)), self.tricks


def _better(values: Mapping[Action, Value], plain: Action, sure: Fraction) -> Action:
    """The action worth most, if the samples say so plainly enough; else what steady does.

    That a few samples prefer it may be chance: its gain must be so many times its standard error.
    """
    best = max(values, key=lambda a: values[a].order(), default=plain)
    if best == plain or plain not in values:
        return best
    mine, other = values[best], values[plain]
    gains = [a - b for a, b in zip(mine.paid, other.paid, strict=True)]
    gain = sum(gains, Fraction(0))
    if not gain:
        return best if mine.tricks > other.tricks else plain
    return best if gain * gain >= sure * sure * sum(g * g for g in gains) else plain


class _Mind:
    """One decision."""

    def __init__(self, view: View, legal: Sequence[Action], stream: Stream, plain: Action) -> None:
        self.view: Final = view
        self.legal: Final = legal
        self.stream: Final = stream
        self.valuer: Final[Valuer] = valuer_of(view.rules)
        self.judge: Final = Judge(view)
        self.me: Final = view.seat
        self.plain: Final = plain

    def _samples(self, count: int) -> list[Hands]:
        return sample(self.view, self.valuer, count, self.stream)

    # --- the auction -------------------------------------------------------------------------------

    def auction(self, count: int) -> dict[Action, Value]:
        """Every bid by the best way of declaring it; passing by what the others are likely to play."""
        view = self.view
        wanted = [(a, spec) for a in self.legal if (spec := self._stands_for(a)) is not None]
        promising = [(a, spec, plans) for a, spec in wanted if (plans := self._openings(a, spec))]
        passing = next(a for a in self.legal if a.kind == "pass")
        if not promising:
            return {}
        samples = self._samples(count)
        values = {passing: Value(self._passed(samples))}
        for action, spec, plans in promising:
            values[action] = max((self._planned(samples, view.seat, spec, plan) for plan in plans), key=Value.order)
        return values

    def _stands_for(self, action: Action) -> BidSpec | None:
        """The bid that an action is, or stands for where trumps are named unasked."""
        if action.suit is None:
            return action.bid
        last = len(self.view.players) - 1
        alone = self.me == last and self.view.standing is None
        found = plain_alliance(self.view.rules) if alone else plain_solo(self.view.rules)
        if found is None:
            return None
        return BidSpec(found[0], says_favourite(found[1]) and action.suit == self.view.favourite)

    def _openings(self, action: Action, spec: BidSpec) -> list[Plan]:
        """Ways of declaring a bid that are worth a look; none where the hand is hopeless for it."""
        bid = self.view.rules.bids.of(spec.bid)
        plans = list(self._plans(spec, bid, trump=action.suit))
        hand, mode = mask_of(self.view.hand), mode_of(bid)
        if action == self.plain:
            return plans
        if bid.goal == "none":
            return plans if self.valuer.score(mode, hand, NO_TRUMP) <= HOPELESS_NONE else []
        likely = max(self._look(bid, hand, s, mode) for s in self._suits(spec, action.suit))
        return plans if likely >= 100 * bid.tricks - HOPELESS else []

    def _look(self, bid: Bid, hand: int, trump: Suit, mode: Mode) -> int:
        """The tricks a hand looks worth at a glance, in hundredths."""
        if bid.exchange and mode == "alone" and self.view.called is None:
            return self.valuer.after_exchange(hand, trump)
        return self.valuer.score(mode, hand, trump)

    def _passed(self, samples: Sequence[Hands]) -> tuple[Fraction, ...]:
        """What comes to her when she passes, the others bidding as steady does.

        Hands that forbid what was said before get the mean of the others.
        """
        passing = next(a for a in self.legal if a.kind == "pass")
        paid = [self._bid_out(hands, passing) for hands in samples]
        known = [net for net in paid if net is not None]
        if known:
            mean = sum(known, Fraction(0)) / len(known)
        else:
            spoken = {seat for seat, _ in self.view.auction} | {self.me}
            standing = None if self.view.standing is None else self.view.standing[1]
            hand, left = mask_of(self.view.hand), len(self.view.players) - len(spoken)
            mean = self.valuer.pass_value(hand, self.view.pool, self.view.favourite, standing, left)
        return tuple(mean if net is None else net for net in paid)

    def _bid_out(self, hands: Hands, action: Action) -> Fraction | None:
        """Her payment when these hands are bid out after her action; None if they forbid what was said before it."""
        view = self.view
        deal = Deal(
            view.ruleset,
            DealSetup(
                hands=hands,
                pool=view.pool,
                multiplier=view.multiplier,
                favourite=view.favourite,
                players=view.players,
            ),
        )
        for seat, said in (*view.auction, (self.me, action)):
            if deal.turn != seat or said not in deal.legal():
                return None
            deal.apply(said)
        while deal.turn is not None and deal.phase in ("auction", "declare"):
            seat = deal.turn
            deal.apply(_STEADY.choose(view_of(deal, seat), deal.legal(), self.stream))
        d = deal.declaration
        if d is None or d.trump is None:
            return view.pool / len(view.players)
        now = tuple(tuple(h) for h in deal.hands)
        game = self.judge.game(now, d.spec, d.hombre, d.trump, ally=d.ally, surrendered=d.surrendered)
        return self.judge.outlook(now, game, self.valuer)[0][self.me]

    # --- ways of declaring ---------------------------------------------------------------------------

    def _suits(self, spec: BidSpec, trump: Suit | None) -> tuple[Suit, ...]:
        return (trump,) if trump is not None else self.valuer.suits_for(spec, self.view.favourite)

    def _plans(
        self, spec: BidSpec, bid: Bid, *, trump: Suit | None = None, tried: int = TRUMPS_TRIED
    ) -> Iterator[Plan]:
        """How Hombre may go on from here; of trump suits those that look best, and no more than so many."""
        view, mode = self.view, mode_of(bid)
        hand = mask_of(view.hand)
        called, must_call = view.called, bid.partner == "called" or bid.exchange
        if bid.partner == "called" and bid.trump == "suit" and (bid.trump_by == "ally" or view.invited):
            yield from (Plan(None, c) for c in ([called] if called is not None else self._calls(bid, spec, None)))
            return
        suits = self._suits(spec, trump)
        look: Mode = "alone" if mode == "blind" else mode
        ranked = sorted(suits, key=lambda s: -self._look(bid, hand, s, look))
        close = self._look(bid, hand, ranked[0], look) - CLOSE
        for chosen in ranked[:tried]:
            if self._look(bid, hand, chosen, look) < close and chosen != view.favourite:
                continue
            if not must_call:
                yield Plan(chosen)
                continue
            calls = [called] if called is not None else self._calls(bid, spec, chosen)
            for card in calls:
                barred = bid.trump_when != "before_call" and not bid.call.suit_may_become_trump
                if barred and trump is None and suit(card) == chosen:
                    continue
                if bid.exchange:
                    yield from (Plan(chosen, card, g) for g in self._gifts(hand, card, chosen))
                else:
                    yield Plan(chosen, card)

    def _calls(self, bid: Bid, spec: BidSpec, trump: Suit | None) -> list[Card]:
        """The cards that may be called, those first of suits in which she is short; her own last."""
        hand = mask_of(self.view.hand)
        context = call_context(bid, self.view.hand, trump, self.view.favourite, spec, self.view.invited)
        cards = callable_cards(context)
        of_suit = self.valuer.order(NO_TRUMP if trump is None else trump).of_suit

        def key(card: Card) -> tuple[bool, int]:
            return bool(hand & BIT[card]), CALL_ORDER[(hand & of_suit[suit(card)]).bit_count()]

        ranked = sorted(cards, key=key)
        return ranked if self.view.phase == "declare" else ranked[:2]

    def _gifts(self, hand: int, called: Card, trump: Suit) -> list[Card]:
        """The two cards that a hand misses least when the called card comes into it."""
        full = hand | BIT[called]
        held = [c for c in PACK if full & BIT[c] and c != called]
        ranked = sorted(held, key=lambda c: -self.valuer.score("alone", full & ~BIT[c], trump))
        return ranked[:2] if self.view.phase == "declare" else ranked[:1]

    def _planned(self, samples: Sequence[Hands], hombre: int, spec: BidSpec, plan: Plan) -> Value:
        """What the contract so declared pays her, summed over the samples, and the tricks of her side."""
        paid, made = [], 0
        for hands in samples:
            game, now = self._declared(hands, hombre, spec, plan)
            net, tricks = self.judge.outlook(now, game, self.valuer)
            paid.append(net[self.me])
            made += tricks
        return Value(tuple(paid), made)

    def _liked(self, spec: BidSpec, tricks: int) -> int:
        return -tricks if self.view.rules.bids.of(spec.bid).goal == "none" else tricks

    def _declared(self, hands: Hands, hombre: int, spec: BidSpec, plan: Plan) -> tuple[Game, Hands]:
        bid, trump = self.view.rules.bids.of(spec.bid), plan.trump
        ally = surrendered = None
        if plan.called is not None:
            holder = next(s for s, h in enumerate(hands) if plan.called in h)
            if bid.exchange:
                surrendered = self.view.surrendered if holder == hombre else holder
                ally = surrendered if bid.partner == "called" else None
                if plan.give is not None and surrendered is not None:
                    hands = _exchanged(hands, hombre, surrendered, plan.called, plan.give)
            elif holder != hombre:
                ally = holder
        if trump is None:
            names = hombre if ally is None else ally
            hand = mask_of(hands[names])
            trump = max(SUITS, key=lambda s: self.valuer.score("ally", hand, s))
        return self.judge.game(hands, spec, hombre, trump, ally=ally, surrendered=surrendered), hands

    # --- declaring ---------------------------------------------------------------------------------

    def declare(self, count: int) -> dict[Action, Value]:
        """Each way to declare by the best that can follow it."""
        view = self.view
        bid, spec, hombre = view.bid, view.contract, view.hombre
        if bid is None or spec is None or hombre is None:
            return {}
        samples = self._samples(count)
        values: dict[Action, Value] = {}
        for action in self.legal:
            for plan in self._following(action, spec, bid):
                value = self._planned(samples, hombre, spec, plan)
                if action not in values or value.order() > values[action].order():
                    values[action] = value
        return values

    def _following(self, action: Action, spec: BidSpec, bid: Bid) -> Iterator[Plan]:
        """The plans that begin with this action."""
        view, card = self.view, action.card
        if action.kind == "invite":
            called = [view.called] if view.called is not None else self._calls(bid, spec, None)
            yield from (Plan(None, c) for c in called)
        elif action.kind == "trump":
            if view.seat != view.hombre or (bid.exchange and view.given is not None):
                yield Plan(action.suit, view.called)
            else:
                yield from self._plans(spec, bid, trump=action.suit)
        elif action.kind == "call":
            for plan in self._plans(spec, bid, trump=view.trump, tried=len(SUITS)):
                if plan.called == card:
                    yield plan
        elif action.kind == "give" and card is not None:
            hand = mask_of(view.hand)
            for trump in self._suits(spec, view.trump):
                if card in self._gifts(hand, view.called or card, trump):
                    yield Plan(trump, view.called, card)

    # --- the vole ----------------------------------------------------------------------------------

    def vole(self, count: int) -> dict[Action, Value]:
        """Going on for the vole, and stopping, by what the tricks to come would pay."""
        values: dict[Action, Value] = {}
        samples = self._samples(count)
        go = [a for a in self.legal if a.kind in ("vole", "yes", "ask")][-1:]
        for action in (*go, *(a for a in self.legal if a.kind in ("claim", "no"))):
            paid = []
            for hands in samples:
                game = self._game(hands)
                tricks = self.judge.tricks(hands, game, self.view.leader)
                if action in go:
                    paid.append(self.judge.worth(game.undertaken(), tricks, over=True)[self.me])
                elif self.view.rules.premiers.claim:
                    paid.append(self.judge.worth(game, 0, over=True)[self.me])
                else:
                    paid.append(self.judge.worth(game, tricks)[self.me])
            values[action] = Value(tuple(paid))
        return values

    # --- cards -------------------------------------------------------------------------------------

    def _game(self, hands: Hands) -> Game:
        """The game being played, if the hands are these."""
        view = self.view
        spec, bid, hombre, trump = view.contract, view.bid, view.hombre, view.trump
        if spec is None or bid is None or hombre is None or trump is None:
            raise AssertionError("cards are played before the game is declared")
        began = [list(h) for h in hands]
        for leader, cards in (*((t.leader, t.cards) for t in view.tricks), (view.leader, view.trick)):
            for place, card in enumerate(cards):
                began[(leader + place) % len(began)].append(card)
        ally = view.ally
        if bid.exchange and bid.partner == "called":
            ally = view.surrendered
        elif bid.partner == "called" and view.alone is None and view.called is not None:
            ally = next(s for s, h in enumerate(began) if view.called in h)
            ally = None if ally == hombre else ally
        game = self.judge.game(tuple(map(tuple, began)), spec, hombre, trump, ally=ally, surrendered=view.surrendered)
        side = (hombre, ally)
        return game.at(view.won, straight=all(t.winner in side for t in view.tricks), vole=view.vole)

    def play(self, count: int) -> dict[Action, Value]:
        """Every card that is not as good as another, by what the tricks that follow it pay."""
        view = self.view
        values: dict[Action, Value] = {}
        candidates = self._candidates()
        claim = next((a for a in self.legal if a.kind == "claim"), None)
        dear = view.bid is not None and view.bid.goal == "none" and len(view.hand) > NONE_CARDS
        if claim is None and (len(candidates) == 1 or dear):
            return {}
        paid: dict[Action, list[Fraction]] = {a: [] for a in candidates}
        made = dict.fromkeys(candidates, 0)
        stop: list[Fraction] = []
        for hands in self._samples(count):
            game = self._game(hands)
            sign = 1 if game.side >> self.me & 1 else -1
            for action in candidates:
                if action.card is None:
                    continue
                tricks = self.judge.after(hands, game, view.leader, view.trick, action.card)
                paid[action].append(self.judge.worth(game, tricks)[self.me])
                made[action] += sign * self._liked(game.spec, tricks)
            if claim is not None:
                stop.append(self.judge.worth(game, 0, over=True)[self.me])
        for action in candidates:
            values[action] = Value(tuple(paid[action]), made[action])
        if claim is not None:
            # a game that is won wins no more by being played on, unless it does
            values[claim] = Value(tuple(stop), 1 << 20)
        return values

    def _candidates(self) -> list[Action]:
        """The legal cards but for those that come to the same as the next higher one she holds."""
        view, trump = self.view, self.view.trump
        cards = [a for a in self.legal if a.card is not None]
        if trump is None:
            return cards
        order = self.valuer.order(trump)
        held = mask_of(view.hand)
        out = held | mask_of(view.trick)
        for trick in view.tricks:
            out |= mask_of(trick.cards)
        mask = mask_of([a.card for a in cards if a.card is not None])
        special = set(matadors(trump))
        unlike = mask_of(view.trick)
        found = []
        for action in cards:
            card = action.card
            if card is None:
                continue
            above = order.higher[card] & mask
            if action != self.plain and above and card not in special and action.card != view.called:
                nearest = next(c for c in reversed(order.down[order.suits[card]]) if above & BIT[c])
                between = order.higher[card] & ~order.higher[nearest] & ~BIT[nearest]
                if nearest not in special and nearest != view.called and not between & (~out | unlike):
                    continue
            found.append(action)
        return found
