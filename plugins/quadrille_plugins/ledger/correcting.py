"""Corrections: a deal recorded anew, and all later deals that this changes."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from quadrille_core.errors import PlaceAt, Problem, ResultError, nowhere
from quadrille_core.frozen import frozen
from quadrille_plugins.ledger.deriving import DealStart, derive
from quadrille_plugins.ledger.entering import add_record, reverse
from quadrille_plugins.ledger.journal import DealRow, Journal
from quadrille_plugins.ledger.reckoning import RulesAt, course_before, kept
from quadrille_plugins.ledger.schema import POOL
from quadrille_plugins.ledger.standing import NOTHING, ZERO, DealTally, tally
from quadrille_plugins.ledger.store import Store


@frozen
class Change:
    """How a correction changed one deal: before, after, and the pool after it."""

    number: int
    before: str
    """Its outcome as it stood; empty where it was not recorded."""
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
    rules_at: RulesAt,
    act: int,
    sequence: Sequence[DealRow],
    changed: DealRow | None = None,
    place: PlaceAt = nowhere,
) -> tuple[dict[int, DealTally], tuple[Change, ...]]:
    """Write the deals as they now follow one another, and settle anew those that begin
    differently.

    ``sequence`` holds every deal once, ``changed`` among them as it is to be recorded; a new one
    has no record yet.  Returns the tallies that are new, by number, and the changes.  Raises
    ResultError for the deal given, or a later one, that then cannot have been.
    """
    first = next(
        n
        for n, row in enumerate(sequence, 1)
        if row is changed or row.place != journal.deals[n].place
    )
    begun = dict(_as_they_began(journal, rules_at, first))
    course = course_before(journal, rules_at, first)
    tallies: dict[int, DealTally] = {}
    changes: list[Change] = []
    for number, row in enumerate(sequence[first - 1 :], first):
        frozen = rules_at(row.rules)
        rules, begins = frozen.rules, course.begins(journal, frozen.rules, row)
        was, former = journal.by_place.get(row.place), begun.get(row.place)
        old = NOTHING if was is None else journal.tallies[was.number]
        record, carry, outcome = row.id, old.carry, row.outcome
        movements = () if was is None else journal.movements_of(was.number)
        if row is changed or begins != former:
            try:
                derived = derive(rules, begins, row.fact, place if row is changed else nowhere)
            except ResultError as e:
                if row is changed:
                    raise
                raise ResultError(_of_deal(number, p) for p in e.problems) from None
            carry = kept(rules, derived.carry)
            if row is changed or (derived.movements, derived.outcome) != (movements, outcome):
                if was is not None:
                    reverse(store, act, journal.entries_of(was))
                record = add_record(store, act, row, derived, frozen)
                movements, outcome = derived.movements, derived.outcome
        found = tally(record, course.before, movements, carry)
        if found != old:
            tallies[number] = found
        if record != row.id or row is changed:
            changes.append(_change(journal, number, was, old, found, outcome))
        course.move_on(journal, rules, row, found)
    return tallies, tuple(changes)


def _as_they_began(
    journal: Journal, rules_at: RulesAt, first: int
) -> Iterator[tuple[int, DealStart]]:
    """What each deal from that number on began with as it stands, by its place in the file."""
    course = course_before(journal, rules_at, first)
    for number in range(first, journal.count + 1):
        row = journal.deals[number]
        rules = rules_at(row.rules).rules
        yield row.place, course.begins(journal, rules, row)
        course.move_on(journal, rules, row, journal.tallies[number])


def _of_deal(number: int, problem: Problem) -> Problem:
    data = {"deal": number, "problem": problem}
    return Problem(problem.code, "of-deal", data, problem.place)


def _change(
    journal: Journal,
    number: int,
    was: DealRow | None,
    old: DealTally,
    new: DealTally,
    outcome: str,
) -> Change:
    difference = {a: new.net.get(a, ZERO) - old.net.get(a, ZERO) for a in journal.players()}
    return Change(
        number,
        "" if was is None else was.outcome,
        outcome,
        {a: d for a, d in difference.items() if d},
        new.pool - new.net.get(POOL, ZERO) if was is None else old.pool,
        new.pool,
    )
