"""What hands make at a bid of a plugin's, measured: ``quadrille new --measure``.

Of each bucket of hands by which ``steady`` judges the bid: how often the Hombre's side makes each
number of tricks, if such a hand plays it, the others have passed, and all play their cards as
``steady`` does, to the last trick.  What the rules pay is no part of it.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final, NamedTuple

from quadrille_core.cards import Suit
from quadrille_core.engine.actions import Action, BidSpec
from quadrille_core.engine.deal import DealSetup, shuffled_hands
from quadrille_core.engine.table import Deal
from quadrille_core.engine.terms import has_favourite
from quadrille_core.rules import PerBid, RuleSet
from quadrille_core.stream import Purpose, Stream
from quadrille_plugins.deal.session import play_streams
from quadrille_plugins.deal.view import view_of
from quadrille_plugins.players.steady import SteadyBot, valuer_of
from quadrille_plugins.players.steady_features import BUCKETS, bucket_of
from quadrille_plugins.players.steady_measured import measured
from quadrille_plugins.players.steady_play import choose_card, mask_of
from quadrille_plugins.players.steady_value import Valuer, mode_of

LEAST: Final = 150
"""A bucket with fewer games is filled up to as many by what is measured of the bid's way."""
POOL: Final = Fraction(100)
"""What is in the pool does not matter to the cards; so much is enough for any payment."""


class Game(NamedTuple):
    """A game of that bid: the bucket of the Hombre's hand, and the tricks of the side."""

    bucket: int
    tricks: int


def learn(
    ruleset: RuleSet, name: str, deals: int, seed: int, progress: Callable[[int], object]
) -> tuple[dict[str, Any], int]:
    """The file of a bid without its head, and in how many of the deals it was played."""
    open_rules = _open(ruleset, name)
    games: list[Game] = []
    for number in range(deals):
        game = play(open_rules, name, seed, number)
        games += [] if game is None else [game]
        progress(number + 1)
    rules = ruleset.rules
    way, known = mode_of(rules.bids.of(name)), measured(rules.table.players)
    counts = [[0] * (rules.table.hand_cards + 1) for _ in range(BUCKETS)]
    for bucket, tricks in games:
        counts[bucket][tricks] += 1
    filled = [
        [1000 * n + max(0, LEAST - sum(row)) * share for n, share in zip(row, base, strict=True)]
        for row, base in zip(counts, known.tricks[way], strict=True)
    ]
    rows = ordered(filled)
    bid = rules.bids.of(name)
    worth = sorted(bucket for bucket, _ in games if _is_worth(rows[bucket], bid.tricks, way))
    typical = worth[len(worth) // 2] if worth else known.typical[way]
    table = {"players": rules.table.players, "way": way, "tricks": rows, "typical": typical}
    return table, len(games)


def _is_worth(row: Sequence[int], wanted: int, way: str) -> bool:
    """Whether such a hand wins the game in two deals of five or more."""
    return 5 * (row[0] if way == "none" else sum(row[wanted:])) >= 2 * sum(row)


def _open(ruleset: RuleSet, name: str) -> RuleSet:
    """The rules without the vole at this bid, and without what was measured of bids before."""
    bid = replace(
        ruleset.rules.bids.of(name),
        may_undertake_vole=False,
        vole_with_bid="none",
        vole_before_lead=False,
    )
    rows = tuple((n, bid if n == name else other) for n, other in ruleset.rules.bids.items())
    own = replace(ruleset.rules.own, measured=())
    return replace(ruleset, rules=replace(ruleset.rules, bids=PerBid(rows), own=own))


def play(ruleset: RuleSet, name: str, seed: int, number: int) -> Game | None:
    """One deal in which somebody plays the bid; None where nobody can.

    It is the first, from the eldest, whose hand promises the game by what is known of its way; else
    the one whose hand promises most.  A bid that is made when all pass falls on whom it falls.
    """
    rules, valuer = ruleset.rules, valuer_of(ruleset.rules)
    suit = Suit(Stream(seed, 0, number, Purpose.FAVOURITE).below(4))
    favourite = rules.favourite.suit or suit if has_favourite(rules) else None
    hands = shuffled_hands(seed, 0, number, rules)
    setup = DealSetup(hands=hands, pool=POOL, favourite=favourite)
    seats = seats_asked(valuer, name, [mask_of(hand) for hand in hands], favourite)
    for seat in seats if rules.bids.of(name).made == "in_turn" else (None,):
        deal = Deal(ruleset, setup)
        if _bid(deal, name, seat):
            return _finished(deal, valuer, name, seed, number)
    return None


def seats_asked(
    valuer: Valuer, name: str, hands: Sequence[int], favourite: Suit | None
) -> Iterator[int]:
    """The seats in the order in which they are asked to play the bid."""
    bid = valuer.rules.bids.of(name)
    way = mode_of(bid)
    rows = measured(valuer.rules.table.players).tricks[way]
    scores = [
        max(
            valuer._bid_score(bid, way, hand, trump)
            for trump in valuer.suits_for(BidSpec(name), favourite)
        )
        for hand in hands
    ]
    good = [s for s, n in enumerate(scores) if _is_worth(rows[bucket_of(n)], bid.tricks, way)]
    yield from good
    sign = 1 if way == "none" else -1  # a score is danger where no trick is to be made
    yield from sorted({*range(len(hands))} - {*good}, key=lambda s: (sign * scores[s], s))


def _bid(deal: Deal, name: str, seat: int | None) -> bool:
    """Have the seat make the bid, and the others pass; whether it is played."""
    while deal.turn is not None and deal.phase == "auction":
        legal, action = deal.legal(), None
        if deal.turn == seat and deal.contract is None:
            action = next((a for a in legal if a.bid is not None and a.bid.bid == name), None)
            if action is None:
                return False
            seat = None
        deal.apply(action or legal[0])
    return deal.contract is not None and deal.contract.bid == name


def _finished(deal: Deal, valuer: Valuer, name: str, seed: int, number: int) -> Game | None:
    """Declare and play as ``steady`` does, to the last trick."""
    bots, streams = SteadyBot(), play_streams(seed, 0, number, valuer.rules.table.players)
    while (turn := deal.turn) is not None:
        legal, view = deal.legal(), view_of(deal, turn)
        action: Action = legal[0]
        if deal.phase != "play" or view.trump is None:
            action = bots.choose(view, legal, streams[turn])
        elif len(legal) > 1:
            cards = [a.card for a in legal if a.card is not None]
            card = choose_card(view, cards, valuer.order(view.trump))
            action = next(a for a in legal if a.card == card)
        deal.apply(action)
    result, hombre = deal.result(), deal.hombre
    bid = valuer.rules.bids.of(name)
    if result is None or hombre is None or (bid.partner == "called" and result.ally is None):
        return None
    hand = mask_of(deal.setup.hands[hombre])
    score = valuer._bid_score(bid, mode_of(bid), hand, result.trump)
    return Game(bucket_of(score), result.side_tricks())


def ordered(rows: Sequence[Sequence[int]]) -> list[tuple[int, ...]]:
    """The shares in thousandths, smoothed so that no bucket makes fewer tricks than one below it.

    For each number of tricks the share of deals with at least as many is the nearest that never
    falls from bucket to bucket (adjacent violators pooled).
    """
    weights = [sum(row) for row in rows]
    least = [[1000] * len(rows)]
    for tricks in range(1, len(rows[0])):
        blocks: list[list[int]] = []  # deals with at least so many tricks, deals, buckets
        for row, weight in zip(rows, weights, strict=True):
            blocks.append([sum(row[tricks:]), weight, 1])
            while len(blocks) > 1 and blocks[-2][0] * blocks[-1][1] > blocks[-1][0] * blocks[-2][1]:
                last = blocks.pop()
                blocks[-1] = [a + b for a, b in zip(blocks[-1], last, strict=True)]
        shares = [(2000 * hit + of) // (2 * of) for hit, of, n in blocks for _ in range(n)]
        least.append([min(a, b) for a, b in zip(shares, least[-1], strict=True)])
    least.append([0] * len(rows))
    return [
        tuple(least[t][b] - least[t + 1][b] for t in range(len(rows[0]))) for b in range(len(rows))
    ]
