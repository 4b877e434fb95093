"""The accumulators of a comparison: exact sums from which every mean, share and interval follows.

However many sessions there are, it stays of one size; sessions of either engine are added to it in any order.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from quadrille_plugins.studies.accounts import Movements
from quadrille_plugins.studies.effects import Effects
from quadrille_plugins.studies.intervals import Accumulator, Moments, Products, Tally, added
from quadrille_plugins.studies.observe import Observed, SessionSums, Starts

STAGES = ("auction", "play", "settlement")
CARRIED, DIVERGING, PAYMENTS_DIFFER = "carried", "diverging", "payments differ"
LEFT_OUT = "left out"
STARTS = ("stakes", *STAGES, DIVERGING, PAYMENTS_DIFFER, LEFT_OUT)
"""Shares of matched starts; the last is one of all deals that were replayed."""
NOTHING = Tally(Fraction(0), 0)

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

    def add(self, sums: SessionSums) -> None:
        """One session."""
        self.deals.add(sums.deals, sums.deals)
        for kind, counts in (("contract", sums.contracts), ("outcome", sums.outcomes), ("vole", sums.voles)):
            for name, many in counts.items():
                self.keys.setdefault((kind, name), Moments()).add(many, sums.deals)
        for name, tally in sums.payments.items():
            self.keys.setdefault(("paid", name), Moments()).add(tally.total, tally.count)
        self.by_contract.update(sums.by_contract)
        added(self.squares, sums.squares)
        self.pool_before += sums.pool_before
        self.moved = added(self.moved, sums.moved)

    def names(self, kind: str) -> list[str]:
        """Everything of that kind that happened."""
        return sorted(name for k, name in self.keys if k == kind and self.keys[k, name].count)


@dataclass(slots=True)
class PairSums(Accumulator):
    """The sums of one pair: deals by stage of divergence, compared deals, and products of payments.

    ``CARRIED`` alone is counted of the divergent deals.  ``starts`` are of the sampled sessions.
    """

    deals: Moments = field(default_factory=Moments)
    shares: dict[str, Moments] = field(default_factory=dict)
    products: dict[str, Products] = field(default_factory=dict)
    starts: dict[str, Moments] = field(default_factory=lambda: {name: Moments() for name in STARTS})

    def add_starts(self, starts: Starts) -> None:
        """The matched starts of one session."""
        deals = starts.stages.total()
        diverging = {DIVERGING: deals - starts.stages["same"], PAYMENTS_DIFFER: starts.paid}
        for name, many in {**{s: starts.stages[s] for s in STARTS[:4]}, **diverging}.items():
            self.starts[name].add(many, deals)
        self.starts[LEFT_OUT].add(starts.left_out, deals + starts.left_out)

    def add(self, stages: Mapping[str, int], carried: int, paid: int, a: SessionSums, b: SessionSums) -> None:
        """One session under both."""
        deals = sum(stages.values())
        self.deals.add(deals, deals)
        same = stages.get("same", 0)
        counts = {**{s: stages.get(s, 0) for s in STAGES}, DIVERGING: deals - same, PAYMENTS_DIFFER: paid}
        for name, many in counts.items():
            self.shares.setdefault(name, Moments()).add(many, deals)
        self.shares.setdefault(CARRIED, Moments()).add(carried, deals - same)
        for name in a.payments.keys() | b.payments.keys():
            products = self.products.setdefault(name, Products())
            products.add(a.payments.get(name, NOTHING), b.payments.get(name, NOTHING))


@dataclass(slots=True)
class Accumulators(Accumulator):
    """The sums of a whole comparison: a table for each rule set, and a pair for each but the first."""

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
            [RuleSetSums() for _ in range(rule_sets)], [PairSums() for _ in others], 0, [Effects() for _ in others]
        )

    def add(self, seen: Observed) -> None:
        """One session of the readable engine."""
        self.sessions += 1
        for table, sums in zip(self.tables, seen.sums, strict=True):
            table.add(sums)
        for i, pair in enumerate(self.pairs):
            pair.add(seen.stages[i], seen.carried[i], seen.paid[i], seen.sums[0], seen.sums[i + 1])
            self.effects[i].merge(seen.effects[i])
        for pair, starts in zip(self.pairs, seen.starts, strict=False):
            pair.add_starts(starts)

    def share(self, table: int, kind: str, name: str) -> Moments:
        """How often something happened, of all deals."""
        return self._of_all(self.tables[table].keys.get((kind, name), Moments()), self.tables[table].deals)

    def pair_share(self, pair: int, name: str) -> Moments:
        """The share of compared deals that first diverge at this stage, that diverge, or whose payments differ."""
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
