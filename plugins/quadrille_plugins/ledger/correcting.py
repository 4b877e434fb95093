"""Corrections: a deal recorded anew, and all later deals that this changes."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from quadrille_core.errors import PlaceAt, Problem, ResultError, nowhere
from quadrille_plugins.ledger.deriving import derive
from quadrille_plugins.ledger.entering import add_record, reverse
from quadrille_plugins.ledger.frozen import FrozenRules
from quadrille_plugins.ledger.journal import DealRow, Journal
from quadrille_plugins.ledger.reckoning import course_before, kept
from quadrille_plugins.ledger.standing import ZERO, DealTally, tally
from quadrille_plugins.ledger.store import Store


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


def resettle(
    store: Store,
    journal: Journal,
    frozen: FrozenRules,
    act: int,
    changed: DealRow,
    place: PlaceAt,
) -> tuple[dict[int, DealTally], tuple[Change, ...]]:
    """Write ``changed`` in place of what its deal was, and settle anew the later deals that begin
    differently; returns the tallies that are new, and the changes.

    Raises ResultError for the deal given, or a later one, that then cannot have been.
    """
    rules = frozen.rules
    old, new = (course_before(journal, rules, changed.number) for _ in range(2))
    tallies: dict[int, DealTally] = {}
    changes: list[Change] = []
    for number in range(changed.number, journal.count + 1):
        was, old_tally = journal.deals[number], journal.tallies[number]
        row = changed if number == changed.number else was
        record, carry = was.id, old_tally.carry
        movements = journal.movements_of(number)
        begins = new.begins(journal, rules, number, row.dealer)
        if row is changed or begins != old.begins(journal, rules, number, was.dealer):
            try:
                derived = derive(rules, begins, row.fact, place if row is changed else nowhere)
            except ResultError as e:
                if row is changed:
                    raise
                raise ResultError(_of_deal(number, p) for p in e.problems) from None
            carry = kept(rules, derived.carry)
            if row is changed or (derived.movements, derived.outcome) != (movements, was.outcome):
                reverse(store, act, was, journal.entries_of(was))
                record = add_record(store, act, number, row.dealer, row.fact, derived, frozen)
                movements = derived.movements
        found = tally(record, new.before, movements, carry)
        if found != old_tally:
            tallies[number] = found
        if record != was.id:
            changes.append(_change(journal, number, found, derived.outcome))
        old.move_on(rules, was.fact, old_tally)
        new.move_on(rules, row.fact, found)
    return tallies, tuple(changes)


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
