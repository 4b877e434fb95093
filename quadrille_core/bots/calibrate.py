"""How the tables were made: ``python -m quadrille_core.bots.calibrate PROFILE``, written to ``steady_table``.

A profile for five players makes ``steady_table_five`` in the same way.

For each way of playing one seat plays a contract of that kind and all play as ``steady_play`` does,
to the tenth trick.  A third of her hands are stacked in favour of the contract, so that hands seldom dealt
are known too; of the others half are the best at the table by the weights in use, and half are any.  The
weights are least squares of the side's tricks on the features.  It takes a few minutes and is never run
otherwise; the measuring may use floating point, the table holds whole numbers.
"""

import sys
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final, Literal

from quadrille_core.bots.steady import CALL_ORDER
from quadrille_core.bots.steady_features import (
    BUCKETS,
    MODES,
    Mode,
    bare_features,
    bucket_of,
    none_features,
    trump_features,
)
from quadrille_core.bots.steady_measured import measured
from quadrille_core.bots.steady_play import BIT, Order, choose_card, mask_of, order_of
from quadrille_core.bots.steady_value import SUITS, mode_of
from quadrille_core.cards import NO_TRUMP, PACK, Card, Suit, suit
from quadrille_core.engine.actions import Action, BidSpec
from quadrille_core.engine.deal import PLAYERS, DealSetup, Hands, shuffled_hands
from quadrille_core.engine.table import Deal
from quadrille_core.engine.view import view_of
from quadrille_core.rules import Favourite, PerBid, Rules, RuleSet
from quadrille_core.ruleset.compile import compile_reference
from quadrille_core.stream import Purpose, Stream

DEALS: Final = 32_000
LEAST: Final = 150
"""A bucket with fewer deals borrows from its neighbours."""
SURE_TRICK: Final = 900
"""The weight of a card that always takes a trick where none is to be made."""

WEIGHTS: Final = {players: dict(measured(players).weights) for players in PLAYERS}
"""The weights in use, and then those just measured."""

Sample = tuple[tuple[int, ...], int]


def open_rules(base: RuleSet, ace: Literal["top", "below_knave"]) -> RuleSet:
    """The rules with nothing in the way of any contract: no cards needed, no vole, no favourite suit."""
    rules = base.rules
    bids = PerBid(
        tuple(
            (name, replace(bid, needs=(), may_undertake_vole=False, vole_with_bid="none", vole_before_lead=False))
            for name, bid in rules.bids.items()
        )
    )
    cards = replace(rules.cards, red_plain_ace=ace)
    return replace(base, rules=replace(rules, bids=bids, cards=cards, favourite=Favourite()))


def contract_of(rules: Rules, mode: Mode) -> Action:
    """A bid that is played in this way."""
    for name, bid in rules.ladder():
        if mode_of(bid) == mode and not bid.exchange and not bid.is_vole:
            return Action("bid", bid=BidSpec(name))
    raise LookupError(f"the rules have no contract for {mode}")


def features_of(mode: Mode, hand: int, rules: Rules, trump: Suit) -> tuple[int, ...]:
    """The features that the mode's weights apply to; at ``blind`` a constant and the mean score."""
    order = order_of(rules.cards, trump)
    if mode == "blind":
        return 1, sum(_score("ally", hand, rules, s) for s in SUITS) // 4
    if mode == "bare":
        return bare_features(hand, order)
    return none_features(hand, order) if mode == "none" else trump_features(hand, order)


def _score(mode: Mode, hand: int, rules: Rules, trump: Suit) -> int:
    features, weights = features_of(mode, hand, rules, trump), WEIGHTS[rules.table.players][mode]
    total = sum(f * w for f, w in zip(features, weights, strict=True))
    return total if mode != "blind" else weights[0] + weights[1] * features[1] // 100


def _best_trump(mode: Mode, hand: int, rules: Rules, suits: Sequence[Suit] = SUITS) -> Suit:
    if mode in ("bare", "none"):
        return NO_TRUMP
    return max(suits, key=lambda s: _score("ally" if mode == "blind" else mode, hand, rules, s))


def _appetite(mode: Mode, order: Order, card: Card) -> int:
    """How much a stacked hand wants this card."""
    over = order.higher[card].bit_count()
    if mode == "none":
        return 0 if order.strength[card] > 100 else 12 - order.strength[card]
    if order.strength[card] > 100:
        return 8 if over < 5 else 5
    return (7, 4, 3)[over] if over < 3 else 1


def _stacked(mode: Mode, seat: int, rules: Rules, stream: Stream) -> Hands:
    """Hands of which one is stacked in favour of the contract, more or less."""
    order = order_of(rules.cards, NO_TRUMP if mode in ("bare", "none") else Suit(stream.below(4)))
    power = 1 + stream.below(3)
    rest, hand = list(PACK), []
    size = rules.table.hand_cards
    for _ in range(size):
        wants = [_appetite(mode, order, c) ** power for c in rest]
        draw, place = stream.below(sum(wants)), 0
        while draw >= wants[place]:
            draw -= wants[place]
            place += 1
        hand.append(rest.pop(place))
    stream.shuffle(rest)
    hands = [rest[n * size : n * size + size] for n in range(rules.table.players - 1)]
    hands.insert(seat, hand)
    return tuple(tuple(h) for h in hands)


def sample(mode: Mode, ruleset: RuleSet, number: int) -> Sample | None:
    """The features of one hand and the tricks its side made; None where Hombre called her own card."""
    rules = ruleset.rules
    stream = Stream(number, MODES.index(mode), 0, Purpose.PLAY)
    hands, seat = shuffled_hands(7, MODES.index(mode), number, rules), stream.below(rules.table.players)
    way = stream.below(3)
    if way == 0 and mode != "blind":
        hands = _stacked(mode, seat, rules, stream)
    elif way == 1:
        sign = -1 if mode == "none" else 1
        masks = [mask_of(h) for h in hands]
        best = [sign * _score(mode, mask, rules, _best_trump(mode, mask, rules)) for mask in masks]
        seat = best.index(max(best))
    deal = Deal(ruleset, DealSetup(hands=hands, pool=Fraction(rules.table.players)))
    wanted = contract_of(rules, mode)
    while deal.turn is not None:
        deal.apply(_act(deal, wanted, seat))
    result, hand = deal.result(), mask_of(hands[seat])
    if result is None or (result.ally is None and mode in ("ally", "blind")):
        return None
    return features_of(mode, hand, rules, result.trump), result.side_tricks()


def _act(deal: Deal, wanted: Action, hombre: int) -> Action:
    """What is done at the table: the contract bid, the best suit named, the short suit's king called."""
    legal, rules, turn = deal.legal(), deal.rules, deal.turn
    if len(legal) == 1 or turn is None:
        return legal[0]
    if deal.phase == "auction":
        return wanted if turn == hombre else legal[0]
    view = view_of(deal, turn)
    hand = mask_of(view.hand)
    if deal.phase == "play" and view.trump is not None:
        card = choose_card(view, [a.card for a in legal if a.card is not None], order_of(rules.cards, view.trump))
        return next(a for a in legal if a.card == card)
    if legal[0].kind == "trump":
        best = _best_trump("ally", hand, rules, [a.suit for a in legal if a.suit is not None])
        return next(a for a in legal if a.suit == best)
    order = order_of(rules.cards, NO_TRUMP if view.trump is None else view.trump)
    others = [a for a in legal if a.card is not None and not hand & BIT[a.card]]
    return min(others or legal, key=lambda a: CALL_ORDER[(hand & order.of_suit[suit(a.card or Card(0))]).bit_count()])


def least_squares(rows: Sequence[tuple[tuple[int, ...], float]]) -> list[float]:
    """The weights that bring the features nearest to the targets; a feature never seen gets none."""
    size = len(rows[0][0])
    table = [[0.0] * (size + 1) for _ in range(size)]
    for features, target in rows:
        for i in range(size):
            if features[i]:
                for j in range(size):
                    table[i][j] += features[i] * features[j]
                table[i][size] += features[i] * target
    for i in range(size):
        table[i][i] += 1e-6
        for k in range(size):
            if k != i:
                factor = table[k][i] / table[i][i]
                for j in range(i, size + 1):
                    table[k][j] -= factor * table[i][j]
    return [table[i][size] / table[i][i] for i in range(size)]


def fit(mode: Mode, samples: Sequence[Sample]) -> tuple[int, ...]:
    """The mode's weights, in hundredths of a trick."""
    if mode == "none":
        rows = [(f, 150.0 * min(t, 2)) for f, t in samples if not f[1]]
        weights = [round(w) for w in least_squares(rows)]
        return weights[0], SURE_TRICK, *weights[2:]
    weights = [
        round(w * (100 if mode == "blind" and n else 1))
        for n, w in enumerate(least_squares([(f, 100.0 * t) for f, t in samples]))
    ]
    return tuple(weights)


def histogram(
    mode: Mode, samples: Sequence[Sample], weights: tuple[int, ...], hand_cards: int
) -> list[tuple[int, ...]]:
    """For each bucket the tricks made, in thousandths."""
    counts = [[0] * (hand_cards + 1) for _ in range(BUCKETS)]
    for features, tricks in samples:
        score = sum(f * w for f, w in zip(features, weights, strict=True))
        if mode == "blind":
            score = weights[0] + weights[1] * features[1] // 100
        counts[bucket_of(score)][tricks] += 1
    rows = []
    for bucket in range(BUCKETS):
        pooled = counts[bucket]
        for reach in range(1, BUCKETS):
            if sum(pooled) >= LEAST:
                break
            near = counts[max(0, bucket - reach) : bucket + reach + 1]
            pooled = [sum(column) for column in zip(*near, strict=True)]
        total = sum(pooled)
        parts = [1000 * n // total for n in pooled]
        by_remainder = sorted(range(hand_cards + 1), key=lambda n: -(1000 * pooled[n] % total))
        for n in by_remainder[: 1000 - sum(parts)]:
            parts[n] += 1
        rows.append(tuple(parts))
    return rows


def main(profile: str, deals: int = DEALS) -> str:
    """The text of the table, measured under that profile's rules."""
    base = compile_reference(profile).ruleset
    table = base.rules.table
    both = [open_rules(base, "below_knave"), open_rules(base, "top")]
    weights: dict[Mode, tuple[int, ...]] = {}
    rows: dict[Mode, list[tuple[int, ...]]] = {}
    for mode in MODES:
        found = (sample(mode, both[n % 2], n) for n in range(deals))
        samples = [s for s in found if s is not None]
        weights[mode] = fit(mode, samples)
        # The mean score at `blind` is taken with the weights just measured for allies.
        WEIGHTS[table.players][mode] = weights[mode]
        rows[mode] = histogram(mode, samples, weights[mode], table.hand_cards)
    lines = [
        '"""What was measured; made by ``calibrate``, which says how.',
        "",
        "WEIGHTS are hundredths of a trick for each feature; at ``blind`` a constant, and hundredths of the mean score",
        "over the four suits.  Each row of TRICKS counts, in thousandths, the deals of one bucket of scores in which",
        f'Hombre\'s side made 0 … {table.hand_cards} tricks.\n"""\n\nfrom typing import Final\n',
        "WEIGHTS: Final[dict[str, tuple[int, ...]]] = {",
        *(f'    "{mode}": {weights[mode]},' for mode in MODES),
        "}\n\nTRICKS: Final[dict[str, tuple[tuple[int, ...], ...]]] = {",
    ]
    for mode in MODES:
        lines += [f'    "{mode}": (', *(f"        {row}," for row in rows[mode]), "    ),"]
    return "\n".join([*lines, "}\n"])


if __name__ == "__main__":
    sys.stdout.write(main(sys.argv[1]))
