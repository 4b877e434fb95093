"""How the tables of ``steady`` were made: ``python tools/measure_steady.py PROFILE``.

``docs/players.md`` names the profiles.

One table for each number of players, in ``steady_measured.json``; nothing else of the profile is
measured, so that every rule set of four players reads the first.  Run them again
whenever ``steady_play`` changes, or the profile's own payments change what is bid on.  Each takes
about a minute of one processor (``--deals`` sets how many; a row's shares are then known to about
two hundredths), prints the same bytes every time, and is never run by the product.

For each way of playing one seat plays a contract of that kind and all play as ``steady_play`` does,
to the last trick. In two thirds of the deals it is the first, from the eldest, whose hand would be
bid on by the table in use, so that those before it hold less; where nobody's would, it is any of
them.  In the others its hand is stacked in favour of the contract, so that hands seldom dealt are
known too: a row counts those only where fewer than LEAST were dealt.  The weights are least squares
of the side's tricks on the features; the shares of a better bucket are never worse.  What others
bid on, and how often premiers come with so many tricks, is then counted in sessions under the
profile's own rules.  The measuring may use floating point, the table holds whole numbers.
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from fractions import Fraction
from typing import Any, Final, Literal, NamedTuple

from quadrille_plugins.deal.session import play_session
from quadrille_plugins.deal.view import view_of
from quadrille_plugins.players.learning import LEAST, ordered
from quadrille_plugins.players.steady import SteadyBot
from quadrille_plugins.players.steady_features import (
    BUCKETS,
    MODES,
    Mode,
    bare_features,
    bucket_of,
    none_features,
    trump_features,
)
from quadrille_plugins.players.steady_manner import CALL_ORDER, USUAL
from quadrille_plugins.players.steady_measured import as_json, in_use, measured
from quadrille_plugins.players.steady_play import BIT, TrumpOrder, choose_card, mask_of, order_of
from quadrille_plugins.players.steady_value import SUITS, Valuer, mode_of

from quadrille_core.cards import NO_TRUMP, PACK, Card, Suit, suit
from quadrille_core.engine.actions import Action, BidSpec, not_none
from quadrille_core.engine.deal import PLAYERS, DealSetup, Hands, shuffled_hands
from quadrille_core.engine.table import Deal
from quadrille_core.rules import Bid, Favourite, PerBid, Rules, RuleSet
from quadrille_core.ruleset.compile import compile_reference
from quadrille_core.stream import Purpose, Stream

DEALS: Final = 12_000
SURE_TRICK: Final = 900
"""The weight of a card that always takes a trick where none is to be made."""

WEIGHTS: Final = {players: dict(measured(players).weights) for players in PLAYERS}
"""The weights in use, and then those just measured."""


class Sample(NamedTuple):
    """One hand played: ``straight`` when its side made all of the first tricks that premiers ask
    for."""

    features: tuple[int, ...]
    tricks: int
    straight: bool
    stacked: bool


def open_rules(base: RuleSet, ace: Literal["top", "below_knave"], mode: Mode) -> RuleSet:
    """The rules with nothing in the way of any contract: no cards needed, no vole, no favourite
    suit.

    Where the profile has no contract that is played in this way, one of its own is played so.
    """
    rules = base.rules
    known = {mode_of(bid) for _, bid in rules.ladder() if not bid.exchange and not bid.is_vole}
    bids = PerBid(
        tuple(
            (
                name,
                replace(
                    bid if mode in known else played_as(mode, bid),
                    needs=(),
                    may_undertake_vole=False,
                    vole_with_bid="none",
                    vole_before_lead=False,
                ),
            )
            for name, bid in rules.bids.items()
        )
    )
    cards = replace(rules.cards, red_plain_ace=ace)
    return replace(base, rules=replace(rules, bids=bids, cards=cards, favourite=Favourite()))


def played_as(mode: Mode, bid: Bid) -> Bid:
    """The bid changed into the way of playing that the profile lacks, if it is near enough."""
    own = mode_of(bid)
    if mode == "blind" and own == "ally":
        call = replace(bid.call, suit_may_become_trump=True)
        return replace(
            bid, trump_by="ally", trump_when="after_call", ally_known="at_once", call=call
        )
    if mode == "bare" and own == "alone":
        return replace(bid, trump="none")
    if mode == "none" and own == "alone":
        return replace(bid, trump="none", goal="none")
    return bid


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


def _appetite(mode: Mode, order: TrumpOrder, card: Card) -> int:
    """How well a card fits a stacked hand."""
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
    """The features of one hand and the tricks its side made; None where Hombre called their own
    card."""
    rules = ruleset.rules
    stream = Stream(number, MODES.index(mode), 0, Purpose.PLAY)
    hands, seat = (
        shuffled_hands(7, MODES.index(mode), number, rules),
        stream.below(rules.table.players),
    )
    stacked = stream.below(3) == 0 and mode != "blind"
    if stacked:
        hands = _stacked(mode, seat, rules, stream)
    else:
        bidder = first_to_bid(mode, hands, rules)
        seat = seat if bidder is None else bidder
    deal = Deal(ruleset, DealSetup(hands=hands, pool=Fraction(rules.table.players)))
    wanted = contract_of(rules, mode)
    while deal.turn is not None:
        deal.apply(_act(deal, wanted, seat))
    result, hand = deal.result(), mask_of(hands[seat])
    if result is None or (result.ally is None and mode in ("ally", "blind")):
        return None
    first = deal.tricks[: rules.premiers.tricks]
    straight = len(first) == rules.premiers.tricks and all(t.winner in result.side() for t in first)
    return Sample(
        features_of(mode, hand, rules, result.trump), result.side_tricks(), straight, stacked
    )


def first_to_bid(mode: Mode, hands: Hands, rules: Rules) -> int | None:
    """The first seat whose hand makes the contract in two deals of five or more; None when no hand
    does."""
    bid = rules.bids.of(not_none(contract_of(rules, mode).bid).bid)
    for seat, hand in enumerate(hands):
        mask = mask_of(hand)
        row = measured(rules.table.players).tricks[mode][
            bucket_of(_score(mode, mask, rules, _best_trump(mode, mask, rules)))
        ]
        if 5 * (row[0] if mode == "none" else sum(row[bid.tricks :])) >= 2 * sum(row):
            return seat
    return None


def _act(deal: Deal, wanted: Action, hombre: int) -> Action:
    """What is done at the table: the contract bid, the best suit named, the short suit's king
    called."""
    legal, rules, turn = deal.legal(), deal.rules, deal.turn
    if len(legal) == 1 or turn is None:
        return legal[0]
    if deal.phase == "auction":
        return wanted if turn == hombre else legal[0]
    view = view_of(deal, turn)
    hand = mask_of(view.hand)
    if deal.phase == "play" and view.trump is not None:
        card = choose_card(
            view, [a.card for a in legal if a.card is not None], order_of(rules.cards, view.trump)
        )
        return next(a for a in legal if a.card == card)
    if legal[0].kind == "trump":
        best = _best_trump("ally", hand, rules, [a.suit for a in legal if a.suit is not None])
        return next(a for a in legal if a.suit == best)
    order = order_of(rules.cards, NO_TRUMP if view.trump is None else view.trump)
    others = [a for a in legal if a.card is not None and not hand & BIT[a.card]]
    by_length = CALL_ORDER[USUAL.calls]
    return min(
        others or legal,
        key=lambda a: by_length[(hand & order.of_suit[suit(a.card or Card(0))]).bit_count()],
    )


def least_squares(rows: Sequence[tuple[tuple[int, ...], float]]) -> list[float]:
    """The weights that bring the features nearest to the targets; a feature never seen gets
    none."""
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
        rows = [(f, 150.0 * min(t, 2)) for f, t, *_ in samples if not f[1]]
        weights = [round(w) for w in least_squares(rows)]
        return weights[0], SURE_TRICK, *weights[2:]
    weights = [
        round(w * (100 if mode == "blind" and n else 1))
        for n, w in enumerate(least_squares([(f, 100.0 * t) for f, t, *_ in samples]))
    ]
    return tuple(weights)


def histogram(
    mode: Mode, samples: Sequence[Sample], weights: tuple[int, ...], hand_cards: int
) -> list[tuple[int, ...]]:
    """For each bucket the tricks made, in thousandths: by hands as they were dealt, if there are
    enough."""
    of_dealt, of_all = ([[0] * (hand_cards + 1) for _ in range(BUCKETS)] for _ in range(2))
    for features, tricks, _, stacked in samples:
        score = sum(f * w for f, w in zip(features, weights, strict=True))
        if mode == "blind":
            score = weights[0] + weights[1] * features[1] // 100
        of_all[bucket_of(score)][tricks] += 1
        of_dealt[bucket_of(score)][tricks] += not stacked
    counts = [
        dealt if sum(dealt) >= LEAST else every
        for dealt, every in zip(of_dealt, of_all, strict=True)
    ]
    rows = []
    for bucket in range(BUCKETS):
        pooled = counts[bucket]
        for reach in range(1, BUCKETS):
            if sum(pooled) >= LEAST:
                break
            near = counts[max(0, bucket - reach) : bucket + reach + 1]
            pooled = [sum(column) for column in zip(*near, strict=True)]
        rows.append(pooled)
    return ordered(rows)


def premiers_of_16(samples: Sequence[Sample], hand_cards: int) -> tuple[int, ...]:
    """Of sixteen games with N tricks, those whose first tricks were all won; monotone in N."""
    found: list[int] = []
    for tricks in range(hand_cards + 1):
        straight = [s.straight for s in samples if s.tricks == tricks and not s.stacked]
        share = (32 * sum(straight) + len(straight)) // (2 * len(straight)) if straight else 0
        found.append(16 if tricks == hand_cards else max(share, *found, 0))
    return tuple(found)


def bid_on(ruleset: RuleSet, deals: int) -> tuple[dict[Mode, int], int]:
    """The middle bucket of the hands that are bid on in each way of playing, and of those forced to
    play."""
    rules, seen, forced = ruleset.rules, {mode: list[int]() for mode in MODES}, list[int]()
    bots, valuer = [SteadyBot()] * rules.table.players, Valuer(rules)
    length = rules.table.session_deals
    for session in range(deals // length):
        for played in play_session(ruleset, bots, seed=7, session=session, deals=length):
            deal = played.deal
            if deal.contract is None or deal.hombre is None:
                continue
            bid, hand = rules.bids.of(deal.contract.bid), mask_of(played.setup.hands[deal.hombre])
            mode = mode_of(bid)
            score = best_score(valuer, deal.contract, hand, played.setup.favourite)
            (forced if deal.forced else seen[mode]).append(bucket_of(score))

    def middle(buckets: list[int], default: int) -> int:
        return sorted(buckets)[len(buckets) // 2] if buckets else default

    known = measured(rules.table.players)
    return {mode: middle(seen[mode], known.typical[mode]) for mode in MODES}, middle(
        forced, known.forced
    )


def main(profile: str, deals: int = DEALS) -> str:
    """The text of the table, measured under that profile's rules."""
    base = compile_reference(profile).ruleset
    table = base.rules.table
    weights: dict[Mode, tuple[int, ...]] = {}
    rows: dict[Mode, list[tuple[int, ...]]] = {}
    games: list[Sample] = []
    for mode in MODES:
        both = [open_rules(base, "below_knave", mode), open_rules(base, "top", mode)]
        found = (sample(mode, both[n % 2], n) for n in range(deals))
        samples = [s for s in found if s is not None]
        weights[mode] = fit(mode, samples)
        # The mean score at `blind` is taken with the weights just measured for allies.
        WEIGHTS[table.players][mode] = weights[mode]
        rows[mode] = histogram(mode, samples, weights[mode], table.hand_cards)
        games += samples if mode in ("alone", "ally") else []
    premiers = premiers_of_16(games, table.hand_cards)
    now = replace(
        measured(table.players),
        weights={str(m): w for m, w in weights.items()},
        tricks=rows_of(rows),
        premiers_of_16=premiers,
    )
    before = in_use[table.players]
    in_use[table.players] = now
    try:
        typical, forced = bid_on(base, deals // 8)
    finally:
        in_use[table.players] = before
    return {**asdict(now), "typical": typical, "forced": forced}


def best_score(valuer: Valuer, spec: BidSpec, hand: int, favourite: Suit | None) -> int:
    """The highest score among the trumps that the bid may name; where no trick is to be made, its
    danger."""
    bid = valuer.rules.bids.of(spec.bid)
    suits = valuer.suits_for(spec, favourite)
    return max(valuer._bid_score(bid, mode_of(bid), hand, trump) for trump in suits)


def rows_of(
    rows: Mapping[Mode, Sequence[tuple[int, ...]]],
) -> dict[str, tuple[tuple[int, ...], ...]]:
    """The rows of a table."""
    return {mode: tuple(some) for mode, some in rows.items()}


def text_of(tables: Mapping[int, Mapping[str, Any]]) -> str:
    """The file of the tables."""
    return as_json({str(n): tables[n] for n in sorted(tables)})


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Measure the tables of steady.")
    parser.add_argument("profile")
    parser.add_argument("--deals", type=int, default=DEALS, help="deals for each way of playing")
    asked = parser.parse_args()
    players = compile_reference(asked.profile).ruleset.rules.table.players
    others = {n: asdict(table) for n, table in in_use.items()}
    sys.stdout.write(text_of({**others, players: main(asked.profile, asked.deals)}))
