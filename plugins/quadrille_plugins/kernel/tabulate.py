"""A rule set as the record that the kernel reads (``record``), and the cards of its trumps as bits.

Amounts that are counters are in parts of a counter, ``1 / scale`` each; those of the tables of
payments, which count units, are multiplied by one number of their own (``parts``).  The scale is
the caller's, so that the sessions of several rule sets can be compared without another division;
``scale_of`` proposes one for all of them.

Cards are bits of 64-bit words, twelve to a lane, the stronger the higher: lanes 0-3 are the suits
in their plain order, lane 4 the trumps with Spadille on top.  In the *home* order nothing is
trumps, and the black aces stand above their suits; under a trump they, and the trump suit, move to
lane 4.  ``record.ORDER`` says how.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import lru_cache, partial
from math import lcm
from typing import Any, Final

import numpy as np

from quadrille_core.cards import BASTO, NO_TRUMP, PACK, SPADILLE, Card, Suit, is_red, suit
from quadrille_core.engine.actions import BidSpec
from quadrille_core.engine.amounts import antes
from quadrille_core.engine.auction import Ladder, no_trumps, says_favourite
from quadrille_core.engine.deal_record import STANDS, Names
from quadrille_core.engine.forcing import follow, privileged
from quadrille_core.engine.ranking import TRUMPS, CardRanking, ranking, trumps
from quadrille_core.engine.terms import may_announce_vole, most_matadors, trump_limit
from quadrille_core.plugin_rules import Change, PaymentRow, TrumpsOnly
from quadrille_core.rules import Bid, CardOrder, Forcing, PerBid, Rules
from quadrille_core.vocabulary import hints_of
from quadrille_plugins.kernel.measures import Asked
from quadrille_plugins.kernel.record import (
    CHANGE,
    LARGEST,
    MOST_ROWS,
    ORDER,
    PATHS,
    ROW,
    RULES,
    WHY_BID,
    number_of,
)
from quadrille_plugins.kernel.rows import Rows, changes_of
from quadrille_plugins.kernel.words import LEVEL

SHARED_OUT: Final = 120
"""Parts for all that may be divided in a deal: among up to five, and what allies have of it halved
again."""
COUNTERS: Final = (
    "table.purse",
    "loss.beast_first",
    "loss.codille_draws",
)
"""Whole numbers that are counters, and so stand in parts of one."""
LANE: Final = 12
TOP: Final = 59
"""The bit of the highest trump."""


# --- cards ---------------------------------------------------------------------------------------


def home_place(order: CardOrder, card: Card) -> int:
    """The bit of a card where nothing is trumps; the black aces stand above their suits."""
    if card in (SPADILLE, BASTO):
        return LANE * suit(card) + 9
    # the order of a plain suit is the same under every other trump
    other = Suit((suit(card) + 1) % 4)
    return LANE * suit(card) + ranking(order, other).strength[card] - 1


def place_under(order: CardRanking, card: Card) -> int:
    """The bit of a card under a trump, or none."""
    if order.suits[card] == order.trump:
        return TOP - order.trumps.index(card)
    return LANE * suit(card) + order.strength[card] - 1


@lru_cache(maxsize=64)  # of hundreds of rule sets in a study few differ in this
def _order(cards: CardOrder, forcing: Forcing) -> Any:
    return np.concatenate([_order_block(cards, forcing, trump) for trump in TRUMPS])


def _order_block(cards: CardOrder, forcing: Forcing, trump: Suit) -> Any:
    whole = np.zeros(1, ORDER)
    block = whole[0]
    order, duty = ranking(cards, trump), follow(forcing, trump)
    bits = [1 << place_under(order, c) for c in PACK]
    plain = 0
    for card in PACK:
        block["bit_of"][card] = bits[card]
        block["card_at"][place_under(order, card)] = int(card)
        plain |= bits[card] if order.suits[card] != trump else 0
    for after in trumps(trump):
        block["obliging"][place_under(order, after)] = sum(bits[c] for c in duty.bound(after))
    if trump != NO_TRUMP:
        home = {home_place(cards, c) - LANE * trump: bits[c] for c in PACK if suit(c) == trump}
        lane = _for_each_holding({p: b & ~(bits[SPADILLE] | bits[BASTO]) for p, b in home.items()})
        block["trump_lane"] = lane
    block["plain"] = plain
    block["privileged"] = sum(bits[c] for c in privileged(forcing, trump))
    block["matadors"] = sum(bits[c] for c in order.matadors)
    block["strength_off"] = order.strength[SPADILLE] - TOP
    block["basto_shift"] = place_under(order, BASTO)
    red = next(s for s in (Suit(1), Suit(3)) if s != trump and is_red(s))
    holdings = np.arange(1 << 10)
    for card in sorted(
        (c for c in PACK if suit(c) == red), reverse=True
    ):  # of several the first in the pack stays
        place = place_under(order, card) - LANE * red
        block["first_red"][holdings >> place & 1 == 1] = place
    return whole


def _for_each_holding(bits: Mapping[int, int]) -> list[int]:
    """For each set of a suit's ten places the bits of all that are in it."""
    sums = [0]
    for place in range(10):
        sums += [so_far | bits.get(place, 0) for so_far in sums]
    return sums


# --- amounts -------------------------------------------------------------------------------------


def scale_of(many: Iterable[Rules]) -> int:
    """How many parts a counter has: enough for what these rule sets divide, as a rule.

    A pool that keeps fractions from deal to deal can outrun any number; settlement says so where it
    happens.
    """
    return lcm(
        SHARED_OUT,
        *(SHARED_OUT * _parts(r) * _divided(r) * r.stakes.unit.denominator for r in many),
    )


def _divided(rules: Rules) -> int:
    """Into how many parts changes of plugins divide a payment, each by itself."""
    own = rules.own
    return lcm(*(own.amount(c.leaf).denominator for c in own.all(Change) if own.in_force(c)))


def _amounts(block: Any) -> Iterator[Fraction]:
    """Every amount of a block and of the blocks in it."""
    for field in fields(block):
        value = getattr(block, field.name)
        for one in [row for _, row in value.items()] if isinstance(value, PerBid) else [value]:
            if isinstance(one, Fraction):
                yield one
            elif is_dataclass(one):
                yield from _amounts(one)


def _parts(rules: Rules) -> int:
    """The least number that makes every amount of a row whole."""
    own = [rules.own.amount(row.amount) for row in rules.own.all(PaymentRow)]
    return lcm(*(a.denominator for a in (*_amounts(rules.payments), *_amounts(rules.score), *own)))


class _Filling:
    """Writes leaves into a record; it notes when an amount will not become whole, and the largest
    that it met."""

    def __init__(self, rules: Rules, scale: int) -> None:
        self.scale, self.failed, self.largest = scale, False, scale
        self.bids: Final = {name: place for place, name in enumerate(rules.bids.names())}
        points = scale if rules.score.kept == "points" else 0
        self._times: Final = {
            "payments": _parts(rules),
            "score": points,
            "stakes": rules.stakes.unit.denominator,
        }

    def whole(self, exact: Fraction | int, times: int = 1) -> int:
        """An amount, so many times over, that must be a whole number of parts."""
        parts, rest = divmod(
            exact.numerator * times, exact.denominator
        )  # a product of fractions costs ten of these
        self.failed |= rest != 0 or parts < 0
        self.largest = max(self.largest, parts)
        return parts if parts < 2**62 else 0

    def fill(self, record: Any, block: Any, path: str = "") -> None:
        """Every leaf of a block that a record has."""
        kind: type = type(block)
        for field in fields(block):
            if field.name in record.dtype.names:
                hint = hints_of(kind)[field.name]
                self._put(
                    record, field.name, hint, getattr(block, field.name), f"{path}{field.name}"
                )

    def _put(self, record: Any, key: Any, hint: Any, value: Any, path: str) -> None:
        if isinstance(value, PerBid):
            for name, row in value.items():
                if name in self.bids:
                    self._put(record[key], self.bids[name], None, row, path)
        elif is_dataclass(value):
            self.fill(record[key], value, f"{path}.")
        elif isinstance(value, Fraction):
            record[key] = self.whole(value, self._times[path.partition(".")[0]])
        elif path in COUNTERS:
            record[key] = value * self.scale
        elif path != "payments.in_favourite":  # where there is no such table, all its amounts are 0
            record[key] = number_of(hint, value)


# --- rules ---------------------------------------------------------------------------------------


def specs_of(rules: Rules) -> tuple[BidSpec, ...]:
    """Every way a bid can be spoken, lowest first, and last the bid that is forced when all
    pass."""
    made = tuple(a.bid for a in Ladder(rules).actions if a.bid is not None)
    forced = rules.forced_bid()
    return made if forced is None else (*made, BidSpec(forced[0]))


def tabulate(rules: Rules, names: Names, scale: int) -> Any:
    """The record of these rules, of at most ``MOST_BIDS`` bids, with amounts of ``1 / scale``
    counter.

    It is the caller's own, and of NumPy's type ``np.void``.
    """
    record = np.zeros(1, RULES)[0]
    filling = _Filling(rules, scale)
    filling.fill(record, rules)
    specs, ladder = specs_of(rules), Ladder(rules)
    made, by_seat = len(ladder.actions), antes(rules.stakes, rules.table.players)
    basic = sum(by_seat)
    returns, levels = ladder.returns_with, sorted(set(ladder.levels.values()))
    more = {
        "scale": scale,
        "parts": _parts(rules),
        "unit_parts": rules.stakes.unit.denominator,
        "antes": [ante * scale for ante in by_seat] + [0] * (5 - len(by_seat)),
        "basic_stake": filling.whole(basic * scale),
        "pool_step": max(1, basic) * scale,
        **{name: holds(rules) for name, holds in STANDS.items()},
        "most_matadors": [
            most_matadors(rules.payments, Suit(trump)) for trump in range(NO_TRUMP + 1)
        ],
        "bid_count": len(filling.bids),
        "spec_count": len(specs),
        "ladder": made,
        "forced_spec": made if len(specs) > made else -1,
        "returns_with": -1 if returns is None else returns,
        "solo": -1 if ladder.solo is None else filling.bids[ladder.solo[0]],
        "first_spec": specs.index(BidSpec(rules.ladder()[0][0])) if made else -1,
        "unasked": _unasked(rules, ladder, specs),
        "order": _order(rules.cards, rules.forcing),
    }
    for name, value in more.items():
        record[name] = value
    rows: list[tuple[int, ...]] = []
    changed: list[int] = []
    asked = Asked(rules)
    for place, (name, bid) in enumerate(rules.bids.items()):
        one = record["bids"][place]
        _more_of_bid(one, rules, name, bid, names)
        one["first_row"] = len(rows)
        whole = partial(filling.whole, times=more["parts"])
        compiled = Rows(rules, name, bid, whole, asked)
        rows, changed = rows + compiled.made, changed + compiled.changed()
        one["end_row"] = len(rows)
    if not asked.fails and asked.changes:
        record["change_count"] = len(asked.changes)
        found = changes_of(rules, asked, partial(filling.whole, times=scale))
        record["changes"][: len(found)] = np.array(found, CHANGE)
        record["changed"][: len(rows)] = changed[:MOST_ROWS]
    cards = {trump: ranking(rules.cards, trump) for trump in TRUMPS}
    home = partial(home_place, rules.cards)
    asked.fill(record, lambda trump, card: place_under(cards[trump], card), home)
    asked.fall(record, home)
    record["rows"][: len(rows)] = np.array(rows[:MOST_ROWS], ROW)
    for spec, row in zip(specs, record["specs"], strict=False):
        level = levels.index(ladder.levels[spec]) if spec in ladder.levels else -1
        row["bid"], row["favourite"], row["level"] = filling.bids[spec.bid], spec.favourite, level
        row["vole"] = getattr(LEVEL, spec.vole.upper())
    if any(rules.own.all(TrumpsOnly)):
        _limit(record, rules, specs)
    constants = max(
        filling.largest, more["parts"], more["unit_parts"], rules.loss.beast_first * scale
    )
    record["unfit"] = (
        filling.failed or asked.fails or len(rows) > MOST_ROWS or constants >= LARGEST or scale % 2
    )
    return record


def _limit(record: Any, rules: Rules, specs: Sequence[BidSpec]) -> None:
    """What plugins let nobody name, by bid, and what cannot be bid for that, by spec."""
    suits = [Suit(s) for s in range(4)]
    for place, name in enumerate(rules.bids.names()):
        asked = [*((s, None) for s in suits), *((s, s) for s in suits)]
        barred = (bool(trump_limit(rules, name, *one)) for one in asked)
        record["barred"][place] = sum(is_so << bit for bit, is_so in enumerate(barred))
    for place, spec in enumerate(specs):
        for bit, favourite in enumerate((None, *suits)):
            if not (spec.favourite and favourite is None) and no_trumps(rules, spec, favourite):
                record["unnamed"][place] |= 1 << bit


def _more_of_bid(record: Any, rules: Rules, name: str, bid: Bid, names: Names) -> None:
    record["wanted"] = sum(1 << home_place(rules.cards, c) for c in bid.needs)
    record["name"], record["shown"] = names.of(("bid", name)), names.of(("cards", bid.needs))
    record["binds"] = rules.favourite.plain_bid_binds and bid.in_favourite == "bid"
    record["may_announce"] = may_announce_vole(rules, bid)


def _unasked(rules: Rules, ladder: Ladder, specs: Sequence[BidSpec]) -> list[int]:
    """The bids that naming trumps unasked amounts to: solo and alliance, each plain and in
    favourite."""
    if rules.auction.unasked_trumps == "barred":
        return [-1] * 4
    stand = [
        BidSpec(found[0], favourite and says_favourite(found[1])) if found else None
        for found in (ladder.solo, ladder.alliance)
        for favourite in (False, True)
    ]
    return [specs.index(spec) if spec in ladder.levels else -1 for spec in stand]


def decode(rules: Rules, why: int) -> str:
    """The rule path that a transfer's last number stands for."""
    leaf, bid = why & (1 << WHY_BID) - 1, why >> WHY_BID
    if leaf < len(PATHS):
        return PATHS[leaf].replace("*", rules.bids.names()[bid])
    return rules.own.values[leaf - len(PATHS)][0]
