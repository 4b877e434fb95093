"""The accumulators of a comparison: exact sums from which every mean, share and interval follows.

However many sessions there are, it stays of one size; sessions of either engine are added to it in
any order.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from operator import add

from quadrille_plugins.studies.accounts import Movements
from quadrille_plugins.studies.effects import Effects
from quadrille_plugins.studies.intervals import (
    Accumulator,
    Counted,
    Moments,
    Products,
    added,
    shares_of_deals,
)
from quadrille_plugins.studies.observe import Observed, SessionSums

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
    def of(cls, deals: Sequence[int], told: Mapping[Key, Counted], scale: int = 1) -> "RuleSetSums":
        """The counts of sessions with ``deals`` deals each; payments are in counters times
        ``scale``."""
        table = cls(Moments.of(deals, deals))
        for key, (totals, counts) in told.items():
            is_paid = key[0] == PAID
            if any(counts if is_paid else totals):
                table.keys[key] = Moments.of(totals, counts, scale if is_paid else 1)
        return table

    def add(self, sums: SessionSums) -> None:
        """One session."""
        self.merge(RuleSetSums.of([sums.deals], told_of(sums)))
        self.by_contract.update(sums.by_contract)
        added(self.squares, sums.squares)
        self.pool_before += sums.pool_before
        self.moved = added(self.moved, sums.moved)

    def names(self, kind: str) -> list[str]:
        """Everything of that kind that happened."""
        return sorted(name for k, name in self.keys if k == kind and self.keys[k, name].count)


def told_of(sums: SessionSums) -> dict[Key, Counted]:
    """What is counted of one session."""
    shares = (("contract", sums.contracts), ("outcome", sums.outcomes), ("vole", sums.voles))
    told: dict[Key, Counted] = {
        (k, name): ([n], [sums.deals]) for k, counts in shares for name, n in counts.items()
    }
    return {
        **told,
        **{(PAID, name): ([tally.total], [tally.count]) for name, tally in sums.payments.items()},
    }


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

    def add_products(
        self, a: Mapping[Key, Counted], b: Mapping[Key, Counted], scale: int = 1
    ) -> None:
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

    def add(self, seen: Observed) -> None:
        """One session of the readable engine."""
        self.sessions += 1
        for table, sums in zip(self.tables, seen.sums, strict=True):
            table.add(sums)
        for i, pair in enumerate(self.pairs):
            stages = {s: [seen.stages[i][s]] for s in STAGES}
            pair.add([seen.stages[i]["same"]], stages, [seen.carried[i]], [seen.paid[i]])
            pair.add_products(told_of(seen.sums[0]), told_of(seen.sums[i + 1]))
            self.effects[i].merge(seen.effects[i])
        for pair, starts in zip(self.pairs, seen.starts, strict=False):
            stages = {s: [starts.stages[s]] for s in STARTS[:4]}
            pair.add_starts([starts.stages["same"]], stages, [starts.paid], [starts.left_out])

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
