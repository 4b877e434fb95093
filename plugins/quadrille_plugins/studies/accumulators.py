"""The accumulators of a comparison: exact sums from which every mean, share and interval follows.

However many sessions there are, it stays of one size; sessions of either engine are added to it in
any order.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice, repeat
from operator import add
from typing import Any

from quadrille_core.engine.deal_record import ENDINGS, HIGH, SEATS, VOLES, SessionSums
from quadrille_core.rules import RuleSet
from quadrille_plugins.studies.accounts import Movements, places, seats
from quadrille_plugins.studies.effects import Effects
from quadrille_plugins.studies.intervals import (
    Accumulator,
    Amount,
    Counted,
    Moments,
    Products,
    added,
    shares_of_deals,
)

*OUTCOMES, REDEALT_NAME = ENDINGS
ROLES = ("hombre", "ally", "adversary")
STAGES = ("auction", "play", "settlement")
CARRIED, DIVERGING, PAYMENTS_DIFFER = "carried", "diverging", "payments differ"
LEFT_OUT = "left out"
STARTS = ("stakes", *STAGES, DIVERGING, PAYMENTS_DIFFER, LEFT_OUT)
"""Shares of matched starts; the last is one of all deals that were replayed."""
PAID = "paid"

Key = tuple[str, str]
"""A kind (contract, outcome, vole, paid) and a name."""


@dataclass(slots=True)
class RuleSetSums(Accumulator):
    """One rule set's sums.  Of shares the deals are counted once for all, in ``deals``."""

    deals: Moments = field(default_factory=Moments)
    keys: dict[Key, Moments] = field(default_factory=dict)
    by_contract: Counter[tuple[str, str]] = field(default_factory=Counter)
    squares: dict[str, Fraction] = field(default_factory=dict)
    pool_before: Fraction = field(default_factory=Fraction)
    moved: Movements = ()
    """What all sessions moved, by column of ``studies.accounts``."""

    @classmethod
    def of(
        cls,
        ruleset: RuleSet,
        sums: Sequence[SessionSums],
        told: Mapping[Key, Counted],
        scale: int,
    ) -> "RuleSetSums":
        """The sums of sessions, of which so much is ``told_of``; amounts are in counters times
        ``scale``."""
        deals, players = [s.deals for s in sums], ruleset.rules.table.players
        table = cls(Moments.of(deals, deals))
        if not sums:
            return table
        for key, (totals, counts) in told.items():
            is_paid = key[0] == PAID
            if any(counts if is_paid else totals):
                table.keys[key] = Moments.of(totals, counts, scale if is_paid else 1)
        for bid, outcomes in _endings(ruleset, sums).items():
            for ending, many in zip(OUTCOMES, map(sum, outcomes), strict=True):
                if many:
                    table.by_contract[bid, ending] = many
        table.pool_before = Fraction(sum(s.pool_before for s in sums)) / scale
        moved, low, high = (
            _in_all([getattr(s, name) for s in sums]) for name in ("moved", "low", "high")
        )
        table.moved = tuple(Fraction(moved[place]) / scale for place in places(players))
        for name, place in payees(players):
            if (PAID, name) in table.keys:
                table.squares[name] = Fraction(low[place] + high[place] * HIGH) / scale**2
        return table

    def names(self, kind: str) -> list[str]:
        """Everything of that kind that happened."""
        return sorted(name for k, name in self.keys if k == kind and self.keys[k, name].count)


def payees(players: int) -> list[tuple[str, int]]:
    """Every seat and role with its place among what sessions move."""
    roles = zip(ROLES, range(SEATS, SEATS + len(ROLES)), strict=True)
    return [*((name, place) for place, name in enumerate(seats(players))), *roles]


def told_of(ruleset: RuleSet, sums: Sequence[SessionSums]) -> dict[Key, Counted]:
    """What is counted of sessions: how many deals of each kind, and what was paid."""
    deals, redealt = [s.deals for s in sums], [s.redealt for s in sums]
    told: dict[Key, Counted] = {
        ("contract", REDEALT_NAME): (redealt, deals),
        ("outcome", REDEALT_NAME): (redealt, deals),
    }
    endings = _endings(ruleset, sums)
    told |= {("contract", bid): (_in_all(of), deals) for bid, of in endings.items()}
    for outcome, of in zip(OUTCOMES, zip(*endings.values(), strict=True), strict=True):
        told["outcome", outcome] = _in_all(of), deals
    for number, vole in enumerate(VOLES[1:]):
        told["vole", vole] = [s.voles[number] for s in sums], deals
    for name, place in payees(ruleset.rules.table.players):
        counts = [s.role_counts[place - SEATS] for s in sums] if place >= SEATS else deals
        told[PAID, name] = [s.moved[place] for s in sums], counts
    return told


def _endings(ruleset: RuleSet, sums: Sequence[SessionSums]) -> dict[str, list[tuple[int, ...]]]:
    """By bid and then by outcome, the deals of each session that ended so."""
    columns = zip(*(s.endings for s in sums), strict=True) if sums else repeat(())
    return {bid: list(islice(columns, len(OUTCOMES))) for bid in ruleset.rules.bids.names()}


def _in_all(rows: Sequence[Sequence[Amount]]) -> list[Any]:
    """Rows summed place by place."""
    return list(map(sum, zip(*rows, strict=True)))


@dataclass(slots=True)
class PairSums(Accumulator):
    """The sums of one pair: deals by stage of divergence, compared deals, and products of payments.

    ``CARRIED`` alone is counted of the divergent deals.  ``starts`` are of the sampled sessions.
    """

    deals: Moments = field(default_factory=Moments)
    shares: dict[str, Moments] = field(default_factory=dict)
    products: dict[str, Products] = field(default_factory=dict)
    starts: dict[str, Moments] = field(default_factory=lambda: {name: Moments() for name in STARTS})

    def add_starts(
        self,
        same: Sequence[int],
        stages: Mapping[str, Sequence[int]],
        paid: Sequence[int],
        left_out: Sequence[int],
    ) -> None:
        """The matched starts of sessions: those that diverge nowhere and at each stage, whose
        payments differ."""
        diverging, deals = _diverging(same, stages)
        counts = {**stages, DIVERGING: diverging, PAYMENTS_DIFFER: paid}
        added(self.starts, shares_of_deals(counts, deals))
        added(self.starts, {LEFT_OUT: Moments.of(left_out, list(map(add, deals, left_out)))})

    def add(
        self,
        same: Sequence[int],
        stages: Mapping[str, Sequence[int]],
        carried: Sequence[int],
        paid: Sequence[int],
    ) -> None:
        """Sessions under both, deal beside deal."""
        diverging, deals = _diverging(same, stages)
        self.deals.merge(Moments.of(deals, deals))
        counts = {**stages, DIVERGING: diverging, PAYMENTS_DIFFER: paid}
        added(self.shares, shares_of_deals(counts, deals))
        added(self.shares, {CARRIED: Moments.of(carried, diverging)})

    def add_products(self, a: Mapping[Key, Counted], b: Mapping[Key, Counted], scale: int) -> None:
        """What is paid in sessions under both."""
        zeros = [0] * max(len(totals) for totals, _ in a.values())
        for key in a.keys() | b.keys():
            if key[0] == PAID:
                found = Products.of(a.get(key, (zeros, zeros)), b.get(key, (zeros, zeros)), scale)
                added(self.products, {key[1]: found})


def _diverging(
    same: Sequence[int], stages: Mapping[str, Sequence[int]]
) -> tuple[list[int], list[int]]:
    """By session, the deals that diverge, and all that were held beside one another."""
    diverging = [sum(some) for some in zip(*stages.values(), strict=True)]
    return diverging, list(map(add, diverging, same))


@dataclass(slots=True)
class Accumulators(Accumulator):
    """The sums of a whole comparison: a table for each rule set, and a pair for each but the
    first."""

    tables: list[RuleSetSums]
    pairs: list[PairSums]
    sessions: int = 0
    effects: list[Effects] = field(default_factory=list)
    """For each pair, what the second rule set changes."""

    @classmethod
    def empty(cls, rule_sets: int) -> "Accumulators":
        """Before the first session."""
        others = range(rule_sets - 1)
        return cls(
            [RuleSetSums() for _ in range(rule_sets)],
            [PairSums() for _ in others],
            0,
            [Effects() for _ in others],
        )

    def share(self, table: int, kind: str, name: str) -> Moments:
        """How often something happened, of all deals."""
        return self._of_all(
            self.tables[table].keys.get((kind, name), Moments()), self.tables[table].deals
        )

    def pair_share(self, pair: int, name: str) -> Moments:
        """The share of compared deals that first diverge at this stage, that diverge, or whose
        payments differ."""
        found = self.pairs[pair].shares.get(name, Moments())
        return self._of_all(found, self.pairs[pair].deals)

    def carried_share(self, pair: int) -> Moments:
        """The share of divergent deals that began with different pools."""
        found = self.pairs[pair].shares.get(CARRIED, Moments())
        return Moments(self.sessions, found.total, found.count, found.tt, found.tc, found.cc)

    def _of_all(self, found: Moments, deals: Moments) -> Moments:
        return Moments(self.sessions, found.total, deals.count, found.tt, found.tc, deals.cc)

    def paid(self, table: int, name: str) -> Moments:
        """What a role or seat was paid."""
        found = self.tables[table].keys.get(("paid", name), Moments())
        return Moments(self.sessions, found.total, found.count, found.tt, found.tc, found.cc)

    def products(self, pair: int, name: str) -> Products:
        """What a role or seat was paid under both, session by session."""
        return self.pairs[pair].products.get(name, Products())
