"""What a hand is worth to ``steady``: the rule set's own settlement, over measured distributions of
tricks.

For a contract, a trump suit and a hand the features give a bucket, the bucket gives how often each
number of tricks is made, and ``settle`` says what each number pays under these very rules.  Nothing
here knows what a contract is called: what it asks for and what it pays decide.  All numbers are
whole or fractions.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import Final

from quadrille_core.cards import BASTO, NO_TRUMP, SPADILLE, Card, Suit, card_of
from quadrille_core.engine.actions import BidSpec
from quadrille_core.engine.amounts import table_stake
from quadrille_core.engine.ranking import unbroken_matadors
from quadrille_core.engine.result import Result
from quadrille_core.engine.settle import settle
from quadrille_core.engine.terms import cards_exchanged, most_matadors, trump_limit
from quadrille_core.rules import Bid, Rules, VoleLevel
from quadrille_plugins.players.steady_features import (
    BUCKETS,
    Mode,
    bare_features,
    bucket_of,
    none_features,
    trump_features,
)
from quadrille_plugins.players.steady_measured import (
    Measured,
    MeasuredBid,
    measured,
    measured_bid,
)
from quadrille_plugins.players.steady_play import BIT, TrumpOrder, order_of

SUITS: Final = (Suit(0), Suit(1), Suit(2), Suit(3))
HOMBRE, ALLY, ADVERSARY = 0, 1, 2
"""The parts a player can have in a game; also the seats of the results that payments are asked
for."""

_POOL_STEPS: Final = 8
_HANDS_KEPT: Final = 4096


def mode_of(bid: Bid) -> Mode:
    """Which way of playing the bid comes to."""
    if bid.goal == "none":
        return "none"
    if bid.trump == "none":
        return "bare"
    if bid.partner == "called":
        return "blind" if bid.trump_by == "ally" else "ally"
    return "alone"


def measured_bids(rules: Rules) -> dict[str, MeasuredBid]:
    """What plugins ship of single bids, where they are played as they were measured: in that way,
    and by so many players."""
    shipped = {file.bid: measured_bid(file) for file in rules.own.measured}
    return {
        bid: found
        for bid, found in shipped.items()
        if (found.players, found.way) == (rules.table.players, mode_of(rules.bids.of(bid)))
    }


class Valuer:
    """Values under one set of rules.  Everything is computed when first asked for, and kept."""

    def __init__(self, rules: Rules) -> None:
        self.rules: Final = rules
        self._measured: Final[Measured] = measured(rules.table.players)
        self._bids: Final = measured_bids(rules)
        self._stake: Final = max(1, table_stake(rules))
        self._rows: dict[
            tuple[str, str, bool, int, int, Mode, int, bool], tuple[Fraction, ...]
        ] = {}
        self._scores: dict[tuple[Mode, int, int], int] = {}
        self._bystanders: dict[tuple[BidSpec, int, int], Fraction] = {}

    # --- hands -----------------------------------------------------------------------------------

    def order(self, trump: Suit) -> TrumpOrder:
        """The order of the cards under these rules."""
        return order_of(self.rules.cards, trump)

    def score(self, mode: Mode, hand: int, trump: Suit) -> int:
        """The tricks to expect, in hundredths, from a hand (a mask of cards)."""
        key = (mode, hand, int(trump))
        known = self._scores.get(key)
        if known is None:
            if len(self._scores) > _HANDS_KEPT:
                self._scores.clear()
            known = self._scores[key] = self._score(mode, hand, trump)
        return known

    def _score(self, mode: Mode, hand: int, trump: Suit) -> int:
        weights = self._measured.weights[mode]
        if mode == "blind":
            total = sum(self.score("ally", hand, s) for s in SUITS)
            return weights[0] + weights[1] * total // 400
        order = self.order(trump)
        if mode == "bare":
            features = bare_features(hand, order)
        elif mode == "none":
            features = none_features(hand, order)
        else:
            features = trump_features(hand, order)
        return sum(f * w for f, w in zip(features, weights, strict=True))

    def after_exchange(self, hand: int, trump: Suit, cards: int = 1) -> int:
        """The best score of the hand with a king called into it and a card given away; so many
        times, each chosen by itself, and then none of trumps."""
        best = 0
        for _ in range(cards):
            found, kept = 0, hand
            for suit in SUITS:
                king = card_of(suit, "K")
                if not hand & BIT[king] and (cards == 1 or suit != trump):
                    score, give = self.exchanged(hand, king, trump)
                    if score > found:
                        found, kept = score, (hand | BIT[king]) & ~BIT[give]
            best, hand = found or best, kept
        return best

    def exchanged(self, hand: int, called: Card, trump: Suit) -> tuple[int, Card]:
        """The score with that card in hand, and the card to give for it."""
        order = self.order(trump)
        full = hand | BIT[called]
        best, give = -1, called
        for suit in SUITS:
            held = full & order.of_suit[suit] & ~BIT[called]
            if not held or (suit == trump and held.bit_count() > 1):
                continue
            low = next(c for c in reversed(order.down[suit]) if held & BIT[c])
            score = self.score("alone", full & ~BIT[low], trump)
            if score > best:
                best, give = score, low
        return best, give

    def matadors(self, hand: int, trump: Suit) -> int:
        """The matadors that the hand alone would be paid for; no bid waits for more than four."""
        if trump == NO_TRUMP or not hand & BIT[SPADILLE] or not hand & BIT[BASTO]:
            return 0
        count = unbroken_matadors([Card(c) for c in range(len(BIT)) if hand & BIT[c]], trump)
        return min(count, 4, most_matadors(self.rules.payments, trump)) if count >= 3 else 0

    # --- payments --------------------------------------------------------------------------------

    def pool_step(self, pool: Fraction) -> int:
        """The pool in basic stakes, rounded: a hand need not be valued anew for every odd
        counter."""
        parts = self._stake * pool.denominator
        return min(max(int((2 * pool.numerator + parts) // (2 * parts)), 1), _POOL_STEPS)

    def payment(
        self,
        spec: BidSpec,
        tricks: int,
        *,
        part: int,
        favoured: bool,
        pool: Fraction,
        matadors: int,
        premiers: bool,
        alone: bool = False,
        vole: VoleLevel | None = None,
    ) -> Fraction:
        """The value of a role in the game when Hombre's side makes N tricks.

        The trumps stand for any that are paid alike, so what a plugin pays at trumps of one suit is
        left out.
        """
        bid = self.rules.bids.of(spec.bid)
        hand = self.rules.table.hand_cards
        allied = bid.partner == "called" and not alone
        own = (2 * tricks + 1) // 3 if allied else tricks
        rest = hand - tricks
        others = self.rules.table.players - 2
        spread = [rest * (n + 1) // others - rest * n // others for n in range(others)]
        result = Result(
            players=tuple(map(str, range(self.rules.table.players))),
            pool=pool,
            contract=spec.bid,
            trump=self._some_trump(bid, favoured, matadors),
            favourite=_FAVOURITE,
            hombre=HOMBRE,
            ally=ALLY if allied else None,
            surrendered=ADVERSARY if bid.exchange else None,
            also_surrendered=(ADVERSARY,) * (cards_exchanged(bid) - 1),
            tricks=(own, tricks - own, *spread),
            matadors=matadors,
            premiers=premiers,
            vole=spec.vole if vole is None else vole,
        )
        settlement = settle(self.rules, result, by_suit=False)
        net = settlement.net
        # What stays in the pool is not lost: every player has an equal prospect of winning it
        # later.
        prospect = settlement.pool_after / len(net)
        if part != ADVERSARY:
            return net[part] + prospect
        against = net[2:] if allied else net[1:]
        return sum(against, Fraction(0)) / len(against) + prospect

    def _some_trump(self, bid: Bid, favoured: bool, matadors: int) -> Suit:
        """A trump that is paid like the one in question; four matadors are asked about in red
        only."""
        if bid.trump == "none":
            return NO_TRUMP
        if favoured:
            return _FAVOURITE
        return Suit(3) if matadors > 3 else Suit(0)

    def row(
        self,
        spec: BidSpec,
        step: int,
        *,
        part: int = HOMBRE,
        favoured: bool = False,
        matadors: int = 0,
        mode: Mode | None = None,
        alone: bool = False,
    ) -> tuple[Fraction, ...]:
        """The expected payment for every bucket of hands."""
        bid = self.rules.bids.of(spec.bid)
        way = mode_of(bid) if mode is None else mode
        key = (spec.bid, spec.vole, favoured, step, matadors, way, part, alone)
        known = self._rows.get(key)
        if known is not None:
            return known
        pool = Fraction(step * self._stake)
        paid: list[Fraction] = []
        for tricks in range(self.rules.table.hand_cards + 1):
            of16 = (
                self._measured.premiers_of_16[tricks]
                if bid.premiers and tricks >= self.rules.premiers.tricks
                else 0
            )
            total = Fraction(0)
            for premiers, share in ((True, of16), (False, 16 - of16)):
                if share:
                    total += share * self.payment(
                        spec,
                        tricks,
                        part=part,
                        favoured=favoured,
                        pool=pool,
                        matadors=matadors,
                        premiers=premiers,
                        alone=alone,
                    )
            paid.append(total / 16)
        parts = lcm(*(p.denominator for p in paid))
        whole = [p.numerator * (parts // p.denominator) for p in paid]
        made = tuple(
            Fraction(sum(w * p for w, p in zip(weights, whole, strict=True)), 1000 * parts)
            for weights in self._tricks(spec, way, alone=alone)
        )
        self._rows[key] = made
        return made

    def _tricks(self, spec: BidSpec, way: Mode, *, alone: bool) -> Sequence[Sequence[int]]:
        """How often each number of tricks is made, for each bucket: at that bid, where it is known,
        or at all of its way."""
        known = self._bids.get(spec.bid)
        return (
            self._measured.tricks[way]
            if known is None or alone or known.way != way
            else known.tricks
        )

    # --- bids ------------------------------------------------------------------------------------

    def suits_for(self, spec: BidSpec, favourite: Suit | None) -> tuple[Suit, ...]:
        """The suits that may be made trumps after this bid."""
        bid = self.rules.bids.of(spec.bid)
        if bid.trump == "none":
            return (NO_TRUMP,)
        if spec.favourite and favourite is not None:
            return (favourite,)
        suits: tuple[Suit, ...] = SUITS
        if (
            bid.in_favourite == "bid"
            and bid.made == "in_turn"
            and self.rules.favourite.plain_bid_binds
        ):
            suits = tuple(s for s in SUITS if s != favourite)
        if self.rules.own.records:
            suits = (
                tuple(s for s in suits if trump_limit(self.rules, spec.bid, s, favourite) is None)
                or suits
            )
        return suits

    def bid_value(
        self, spec: BidSpec, hand: int, pool: Fraction, favourite: Suit | None
    ) -> Fraction:
        """What the bid is worth with this hand: the best of the trumps that it may name."""
        bid = self.rules.bids.of(spec.bid)
        mode, step = mode_of(bid), self.pool_step(pool)
        best: Fraction | None = None
        for trump in self.suits_for(spec, favourite):
            score = self._bid_score(bid, mode, hand, trump)
            favoured = trump == favourite and mode != "blind"
            matadors = self.matadors(hand, trump) if mode != "blind" else 0
            value = self.row(spec, step, favoured=favoured, matadors=matadors)[bucket_of(score)]
            if best is None or value > best:
                best = value
        return best if best is not None else Fraction(-(10**6))

    def _bid_score(self, bid: Bid, mode: Mode, hand: int, trump: Suit) -> int:
        return (
            self.after_exchange(hand, trump, bid.cards_asked)
            if bid.exchange and mode == "alone"
            else self.score(mode, hand, trump)
        )

    def bystander_value(self, spec: BidSpec, pool: Fraction, bucket: int | None = None) -> Fraction:
        """What somebody else's game is worth to a player who does not know whose ally they may
        be."""
        bid = self.rules.bids.of(spec.bid)
        step = self.pool_step(pool)
        known = self._bids.get(spec.bid)
        typical = self._measured.typical[mode_of(bid)] if known is None else known.typical
        place = typical if bucket is None else bucket
        key = (spec, step, place)
        if key not in self._bystanders:
            self._bystanders[key] = self._bystander(spec, bid, step, place)
        return self._bystanders[key]

    def _bystander(self, spec: BidSpec, bid: Bid, step: int, place: int) -> Fraction:
        against = self.row(spec, step, part=ADVERSARY, favoured=spec.favourite)[
            min(place, BUCKETS - 1)
        ]
        if bid.partner != "called":
            return against
        along = self.row(spec, step, part=ALLY, favoured=spec.favourite)[min(place, BUCKETS - 1)]
        adversaries = self.rules.table.players - 2
        return (along + adversaries * against) / (adversaries + 1)

    def pass_value(
        self,
        hand: int,
        pool: Fraction,
        favourite: Suit | None,
        standing: BidSpec | None,
        to_speak: int,
        falls: bool | None = None,
    ) -> Fraction:
        """What passing is worth: another's game, or the game that is forced on someone when all
        pass; ``falls`` says whether it is expected here, where no card tells."""
        if standing is not None:
            return self.bystander_value(standing, pool)
        ladder = self.rules.ladder()
        others = self.bystander_value(BidSpec(ladder[0][0]), pool) if ladder else Fraction(0)
        players = self.rules.table.players
        return (
            to_speak * others
            + (players - to_speak) * self.all_pass_value(hand, pool, favourite, falls)
        ) / players

    def all_pass_value(
        self, hand: int, pool: Fraction, favourite: Suit | None, falls: bool | None = None
    ) -> Fraction:
        """The value when all pass: a share of the pool at a new deal, else the forced game."""
        forced = self.rules.forced_bid()
        card = forced[1].forced_on if forced else None
        if falls is None and card is not None:
            falls = bool(hand & BIT[card])
        if forced is None or falls is None:
            return pool / self.rules.table.players
        spec = BidSpec(forced[0])
        if falls:
            return self.bid_value(spec, hand, pool, favourite)
        return self.bystander_value(spec, pool, self._measured.forced)


_FAVOURITE: Final = Suit(1)
