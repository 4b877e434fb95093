"""Corrections: a deal recorded anew, and all later deals that this changes."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from quadrille_core.errors import Problem, ResultError
from quadrille_plugins.ledger.deriving import derive, favourite_after, session_favourite
from quadrille_plugins.ledger.entering import add_record, reverse
from quadrille_plugins.ledger.frozen import FrozenRules
from quadrille_plugins.ledger.journal import DealRow, Journal
from quadrille_plugins.ledger.reckoning import kept, situation_of
from quadrille_plugins.ledger.standing import ZERO, DealTally, tally
from quadrille_plugins.ledger.store import Store
from quadrille_plugins.settle.possible import Locate


@dataclass(frozen=True, slots=True)
class Change:
    """How a correction changed one deal: before, after, and the pool after it."""

    number: int
    before: str
    after: str
    difference: Mapping[int, Fraction]
    """By how much more, or less, each player now has by this deal; whoever has the same is left
    out."""
    pool_before: Fraction
    pool_after: Fraction
    """The pool when the deal was over: as it stood, and as it stands."""


@dataclass(slots=True)
class _Track:
    """The state before each deal, on the original or on the corrected track."""

    before: DealTally
    favourite: str | None
    held: dict[int, Fraction]

    def move_on(self, tally: DealTally, frozen: FrozenRules, row: DealRow) -> None:
        self.before = tally
        self.favourite = favourite_after(frozen.rules, self.favourite, row.fact)
        for account in tally.net.keys() | tally.given.keys():
            self.held[account] += tally.held_by(account)

    def leads_where(self, other: "_Track", *, purses: bool) -> bool:
        """Whether all later deals go the same from here as from the other; ``purses`` when they may
        be refilled."""
        ours, theirs = ((t.pool, t.stood, t.beasts, t.carry) for t in (self.before, other.before))
        return (
            ours == theirs
            and self.favourite == other.favourite
            and (not purses or self.held == other.held)
        )


@dataclass(frozen=True, slots=True)
class Resettled:
    """What a correction comes to: the tallies that are new, the changes, the favourite suit of the
    session."""

    tallies: Mapping[int, DealTally]
    changes: tuple[Change, ...]
    favourite: str | None


def held_before(journal: Journal, number: int) -> dict[int, Fraction]:
    """What every account held when a deal began."""
    held = dict(journal.balances)
    for later in (journal.tallies[n] for n in range(number, journal.standing.deals + 1)):
        for account in later.net.keys() | later.given.keys():
            held[account] -= later.held_by(account)
    return held


def resettle(
    store: Store,
    journal: Journal,
    frozen: FrozenRules,
    act: int,
    changed: DealRow,
    place: Locate | None,
) -> Resettled:
    """Write ``changed`` in place of what its deal was, and settle anew the later deals that begin
    differently.

    It stops at the first deal from which on everything is as it was.  Raises ResultError for the
    deal given, or a later one, that then cannot have been.
    """
    first, purses = changed.number, frozen.rules.table.purse_empty == "refill"
    favourite = session_favourite(frozen.rules, (journal.deals[n].fact for n in range(1, first)))
    held = held_before(journal, first)
    old = _Track(journal.tally_before(first), favourite, dict(held))
    new = _Track(journal.tally_before(first), favourite, dict(held))
    tallies: dict[int, DealTally] = {}
    changes: list[Change] = []
    for number in range(first, journal.standing.deals + 1):
        if number > first and new.leads_where(old, purses=purses):
            return Resettled(tallies, tuple(changes), journal.standing.favourite)
        was = journal.deals[number]
        row = changed if number == first else was
        begins, began = (
            situation_of(journal, number, r.dealer, t.before.carry, t.favourite, frozen, t.held)
            for r, t in ((row, new), (was, old))
        )
        stays = number > first and begins == began
        if stays:
            found = tally(
                was.id, new.before, journal.movements_of(number), journal.tallies[number].carry
            )
        else:
            try:
                derived = derive(frozen.rules, begins, row.fact, place if number == first else None)
            except ResultError as e:
                if number == first:
                    raise
                raise ResultError(_of_deal(number, p) for p in e.problems) from None
            entered = journal.movements_of(number)
            stays = (
                number > first and derived.movements == entered and derived.outcome == was.outcome
            )
            record = was.id
            if not stays:
                reverse(store, act, was, journal.entries_of(was))
                record = add_record(store, act, number, row.dealer, row.fact, derived, frozen)
            found = tally(record, new.before, derived.movements, kept(frozen, derived.carry))
            if not stays:
                changes.append(_change(journal, number, found, derived.outcome))
        tallies[number] = found
        old.move_on(journal.tallies[number], frozen, was)
        new.move_on(found, frozen, row)
    return Resettled(tallies, tuple(changes), new.favourite)


def _of_deal(number: int, problem: Problem) -> Problem:
    data = {"deal": number, "problem": problem}
    return Problem(problem.code, "of-deal", data, problem.place)


def _change(journal: Journal, number: int, new: DealTally, outcome: str) -> Change:
    old = journal.tallies[number]
    difference = {a: new.net.get(a, ZERO) - old.net.get(a, ZERO) for a in journal.players()}
    return Change(
        number,
        journal.deals[number].outcome,
        outcome,
        {a: d for a, d in difference.items() if d},
        old.pool,
        new.pool,
    )
