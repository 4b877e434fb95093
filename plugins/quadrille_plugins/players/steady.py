"""``steady``: a deterministic player who values everything by the rule set that is played.

It bids what is worth most by the rules' own bids and payments, names, calls, gives and plays for
the vole by the same values, and plays its cards by plain maxims (``steady_play``).
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from quadrille_core.cards import NO_TRUMP, Card, Suit, suit
from quadrille_core.engine.actions import Action, BidSpec
from quadrille_core.engine.facts import expects_forced
from quadrille_core.engine.terms import cards_exchanged
from quadrille_core.rules import Bid, Rules, VoleLevel
from quadrille_core.stream import Stream
from quadrille_plugins.deal.view import View
from quadrille_plugins.players.steady_features import Mode, bucket_of
from quadrille_plugins.players.steady_manner import CALL_ORDER, USUAL, Manner
from quadrille_plugins.players.steady_play import BIT, PlayContext, choose_card, mask_of
from quadrille_plugins.players.steady_value import ALLY, HOMBRE, SUITS, Valuer, mode_of

_VALUERS: dict[int, Valuer] = {}

VOLE_OF_16: Final = (15, 1, 1, 0, 0)
"""Of sixteen voles played for, those made with so many cards left that are not sure to win."""
VOLE_OF_16_ALLIED: Final = (15, 4, 2, 1, 1)
"""The same with an ally, who may well hold what is missing."""


def valuer_of(rules: Rules) -> Valuer:
    """The values under these rules, kept as long as few sets of rules are in use."""
    known = _VALUERS.get(id(rules))
    if known is None or known.rules is not rules:
        if len(_VALUERS) > 32:
            _VALUERS.clear()
        known = _VALUERS[id(rules)] = Valuer(rules)
    return known


class SteadyBot:
    """Bids, declares and plays by expected payment under the rules of the view."""

    name = "steady"

    def __init__(self, manner: Manner = USUAL) -> None:
        self.manner: Final = manner

    def choose(self, view: View, legal: tuple[Action, ...], stream: Stream) -> Action:
        """The action worth most; of equals the first.  Draws nothing."""
        if len(legal) == 1:
            return legal[0]
        valuer = valuer_of(view.rules)
        if view.phase == "play" and view.trump is not None:
            if legal[-1].kind == "claim":
                return legal[-1]  # a game that is won wins no more by being played on
            cards = [a.card for a in legal if a.card is not None]
            card = choose_card(view, cards, valuer.order(view.trump), self.manner)
            return legal[cards.index(card)]
        if view.phase == "auction":
            return _bid(view, legal, valuer, self.manner.boldness)
        if view.phase == "vole":
            return _vole(view, legal, valuer)
        return _declare(view, legal, valuer, self.manner)


# --- the auction -------------------------------------------------------------------------------


def _bid(view: View, legal: tuple[Action, ...], valuer: Valuer, boldness: int) -> Action:
    hand = mask_of(view.hand)
    standing = None if view.standing is None else view.standing[1]
    spoken, seats = {seat for seat, _ in view.auction} | {view.seat}, len(view.players)
    how = view.rules.forced_by()
    falls = None if how is None else expects_forced(how, view.hand, view.seat, seats, view.before)
    # what is added to every bid alike tells passing from bidding, and no bid from another
    best = (
        valuer.pass_value(hand, view.pool, view.favourite, standing, seats - len(spoken), falls)
        - boldness
    )
    choice = legal[0]
    for action in legal:
        if action.bid is None:
            continue
        value = valuer.bid_value(action.bid, hand, view.pool, view.favourite)
        if value > best:
            best, choice = value, action
    return choice


# --- declaring ---------------------------------------------------------------------------------


def _declare(view: View, legal: tuple[Action, ...], valuer: Valuer, manner: Manner) -> Action:
    bid, contract = view.bid, view.contract
    if bid is None or contract is None:
        return legal[0]
    kinds = {a.kind for a in legal}
    if "trump" in kinds:
        return _name(view, legal, valuer, bid, contract)
    if "give" in kinds:
        return _give(view, legal, valuer)
    if bid.exchange:
        return _call_in(view, legal, valuer)
    return _call(view, legal, valuer, contract, manner)


def _name(
    view: View, legal: Sequence[Action], valuer: Valuer, bid: Bid, contract: BidSpec
) -> Action:
    """The trump suit worth most; inviting is worth what a hand is whose ally names."""
    hand, step = mask_of(view.hand), valuer.pool_step(view.pool)
    part = HOMBRE if view.seat == view.hombre else ALLY
    alone = view.alone is True and bid.partner == "called"
    mode: Mode = "ally" if bid.partner == "called" and not alone else "alone"
    if bid.exchange and view.called is not None:
        suits = _long_enough([a.suit for a in legal if a.suit is not None], hand, valuer)
        legal = [a for a in legal if a.suit is None or a.suit in suits]
    best: Fraction | None = None
    choice = legal[0]
    for action in legal:
        if action.suit is None:
            row = valuer.row(contract, step, mode="blind")
            value = row[bucket_of(valuer.score("blind", hand, NO_TRUMP))]
        else:
            row = valuer.row(
                contract,
                step,
                part=part,
                favoured=action.suit == view.favourite,
                matadors=valuer.matadors(hand, action.suit),
                mode=mode,
                alone=alone,
            )
            score = valuer.score(mode, hand, action.suit)
            # Within a bucket the finer score decides; a hundredth of a trick outweighs no payment.
            value = row[bucket_of(score)] + Fraction(score, 10**4)
        if best is None or value > best:
            best, choice = value, action
    return choice


def _trumps(view: View, valuer: Valuer, call: Card | None = None) -> tuple[Suit, ...]:
    """The trump suit, or those that may yet be named, once that card is called too.

    Of several called cards the suits are left out; the one card of an exchange counts as any.
    """
    if view.trump is not None:
        return (view.trump,)
    suits = SUITS if view.contract is None else valuer.suits_for(view.contract, view.favourite)
    bid = view.bid
    if bid is None or cards_exchanged(bid) < 2 or bid.call.suit_may_become_trump:
        return suits
    called = {suit(c) for c in (*view.calls, call) if c is not None}
    return tuple(s for s in suits if s not in called) or suits


def _long_enough(suits: Sequence[Suit], hand: int, valuer: Valuer) -> tuple[Suit, ...]:
    """Those that are at most one trump shorter than the longest.

    What was measured was measured in suits that had been named, hardly one of them far shorter.
    """
    lengths = [(hand & valuer.order(s).of_suit[s]).bit_count() for s in suits]
    return tuple(s for s, n in zip(suits, lengths, strict=True) if n >= max(lengths) - 1)


def _call(
    view: View, legal: tuple[Action, ...], valuer: Valuer, contract: BidSpec, manner: Manner
) -> Action:
    """The card of the suit that is called by its length; an own card only where playing alone is
    worth more."""
    hand, step = mask_of(view.hand), valuer.pool_step(view.pool)
    order = valuer.order(NO_TRUMP if view.trump is None else view.trump)
    others = [a for a in legal if a.card is not None and not hand & BIT[a.card]]
    own = [a for a in legal if a.card is not None and hand & BIT[a.card]]
    if own and others and view.trump is not None:
        favoured, matadors = view.trump == view.favourite, valuer.matadors(hand, view.trump)
        alone = valuer.row(
            contract, step, favoured=favoured, matadors=matadors, mode="alone", alone=True
        )
        allied = valuer.row(contract, step, favoured=favoured, matadors=matadors, mode="ally")
        secret = alone[bucket_of(valuer.score("alone", hand, view.trump))]
        if secret > allied[bucket_of(valuer.score("ally", hand, view.trump))]:
            others = own
    choices, by_length = others or own, CALL_ORDER[manner.calls]

    def key(action: Action) -> int:
        card = action.card if action.card is not None else Card(0)
        of_suit = order.of_suit[suit(card)]
        return by_length[(hand & of_suit).bit_count()] - 20 * (order.strength[card] > 100)

    return min(choices, key=key)


def _call_in(view: View, legal: tuple[Action, ...], valuer: Valuer) -> Action:
    """The card that improves the hand most."""
    hand, best, choice = mask_of(view.hand), -1, legal[0]
    for action in legal:
        if action.card is None:
            continue
        suits = _trumps(view, valuer, action.card)
        for trump in _long_enough(suits, hand | BIT[action.card], valuer):
            score = valuer.exchanged(hand, action.card, trump)[0]
            if score > best:
                best, choice = score, action
    return choice


def _give(view: View, legal: tuple[Action, ...], valuer: Valuer) -> Action:
    """The card whose loss leaves the best hand."""
    hand, best, choice = mask_of(view.hand), -(10**6), legal[0]
    mode: Mode = "alone" if view.bid is None or view.bid.partner == "none" else mode_of(view.bid)
    trumps = _trumps(view, valuer)
    for action in legal:
        if action.card is None:
            continue
        kept = hand & ~BIT[action.card]
        for trump in _long_enough(trumps, kept, valuer):
            score = valuer.score(mode, kept, trump)
            if score > best:
                best, choice = score, action
    return choice


# --- the vole ----------------------------------------------------------------------------------


def _vole(view: View, legal: tuple[Action, ...], valuer: Valuer) -> Action:
    """Play for the vole when that is worth more than stopping."""
    if not view.tricks:
        return legal[-1] if _announcing_pays(view, valuer) else legal[0]
    go = [a for a in legal if a.kind in ("vole", "yes", "ask")]
    stop = next(a for a in legal if a.kind in ("claim", "no"))
    return go[-1] if go and _vole_pays(view, valuer) else stop


def _announcing_pays(view: View, valuer: Valuer) -> bool:
    """Whether every card is sure to win, and the vole announced is worth more than undertaken after
    premiers."""
    contract, bid, trump = view.contract, view.bid, view.trump
    if (
        contract is None
        or bid is None
        or trump is None
        or unsure(PlayContext(view, valuer.order(trump)))
    ):
        return False
    allied, hand = bid.partner == "called" and view.alone is not True, valuer.rules.table.hand_cards

    def worth(vole: VoleLevel) -> Fraction:
        chance, paid = VOLE_OF_16[0], []
        for tricks in (hand, hand - 1):
            paid.append(
                valuer.payment(
                    contract,
                    tricks,
                    part=HOMBRE,
                    favoured=trump == view.favourite,
                    pool=view.pool,
                    matadors=0,
                    premiers=bid.premiers,
                    alone=not allied,
                    vole=vole,
                )
            )
        return chance * paid[0] + (16 - chance) * paid[1]

    return worth("announced") > worth("undertaken" if bid.may_undertake_vole else "none")


def _vole_pays(view: View, valuer: Valuer) -> bool:
    contract, bid, trump = view.contract, view.bid, view.trump
    if contract is None or bid is None or trump is None:
        return False
    context = PlayContext(view, valuer.order(trump))
    allied = bid.partner == "called" and not (view.alone is True and view.ally is None)
    doubtful = unsure(context)
    table = VOLE_OF_16_ALLIED if allied else VOLE_OF_16
    chance = table[min(doubtful, len(table) - 1)]
    hand = valuer.rules.table.hand_cards
    part = HOMBRE if view.seat == view.hombre else ALLY

    def paid(tricks: int, *, vole: bool) -> Fraction:
        return valuer.payment(
            contract,
            tricks,
            part=part,
            favoured=trump == view.favourite,
            pool=view.pool,
            matadors=0,
            premiers=bid.premiers,
            alone=not allied,
            vole="undertaken" if vole else None,
        )

    going = chance * paid(hand, vole=True) + (16 - chance) * paid(hand - 1, vole=True)
    # a game that wants more tricks than premiers is played on, and by a side that has won every
    # trick yet
    return going > 16 * paid(max(len(view.tricks), bid.tricks), vole=False)


def unsure(context: PlayContext) -> int:
    """How many cards of the hand are not sure to win: something may beat them, or a trump may ruff
    them."""
    order, out = context.order, context.out_trumps().bit_count()
    trumps = [c for c in context.hand if order.suits[c] == context.trump]
    # Each trump led draws one from whoever holds more; after the first that beats nothing, all may
    # fall.
    good = sum(1 for c in trumps if (order.higher[c] & context.unseen) == 0)
    for card in sorted(trumps, key=order.strength.__getitem__, reverse=True)[good:]:
        good += (order.higher[card] & context.unseen).bit_count() <= good
    drawn = good >= out
    side = (
        sum(1 for c in context.hand if order.suits[c] != context.trump and context.master(c))
        if drawn
        else 0
    )
    return len(context.hand) - good - side
