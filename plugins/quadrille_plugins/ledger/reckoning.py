"""What stands before each deal, whether the records come to what was entered, and corrections: a
deal recorded anew, and all later deals that this changes."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from quadrille_core.engine.carry import START, Carry, carry_under, remembers
from quadrille_core.errors import PlaceAt, Problem, QuadrilleError, ResultError, nowhere
from quadrille_core.frozen import frozen
from quadrille_core.rules import Rules
from quadrille_plugins.ledger.deriving import DealStart, derive, favourite_after, has_favourite
from quadrille_plugins.ledger.entering import add_record, reverse
from quadrille_plugins.ledger.frozen import FrozenRules
from quadrille_plugins.ledger.journal import DealRow, Journal
from quadrille_plugins.ledger.schema import POOL
from quadrille_plugins.ledger.standing import NOTHING, ZERO, DealTally, tally
from quadrille_plugins.ledger.store import Store

RulesAt = Callable[[int], FrozenRules]
"""The rules of a deal, by the command that brought them."""


@dataclass(slots=True)
class Course:
    """What stands before a deal: what the one before came to, the favourite suit of the session,
    what each account holds, by whose digest the rules were the last that counted."""

    held: dict[int, Fraction]
    before: DealTally = NOTHING
    favourite: str | None = None
    digest: str = ""

    def begins(self, journal: Journal, rules: Rules, row: DealRow) -> DealStart:
        """What this deal, or entry by hand, starts from."""
        accounts = row.seats or journal.players()
        refilled = rules.table.purse_empty == "refill"
        named = journal.rules_at(row.rules)
        carry = self.before.carry
        if self.digest not in ("", named["identity"]["digest"]):
            carry = carry_under(rules, carry)
        return DealStart(
            accounts,
            tuple(journal.accounts[a] for a in accounts),
            carry,
            self.favourite if has_favourite(rules) else None,
            str(named["reference"]),
            named["identity"].get("readings", {}),
            tuple(self.held[a] for a in accounts) if refilled and row.seats else (),
            "".join(journal.accounts[a] for _, a in row.out),
        )

    def move_on(self, journal: Journal, rules: Rules, row: DealRow, found: DealTally) -> None:
        """Go on to the next deal."""
        self.before = found
        self.favourite = favourite_after(rules, self.favourite, row.fact)
        self.digest = journal.rules_at(row.rules)["identity"]["digest"]
        for gained in (found.net, found.given):
            for account, amount in gained.items():
                self.held[account] += amount


def course_before(journal: Journal, rules_at: RulesAt, number: int) -> Course:
    """What stands before the deal of that number, by all that were recorded before it."""
    course = Course(journal.purses_at_first)
    for earlier in range(1, number):
        row = journal.deals[earlier]
        course.move_on(journal, rules_at(row.rules).rules, row, journal.tallies[earlier])
    return course


def deals_from(
    journal: Journal, rules_at: RulesAt, first: int = 1
) -> Iterator[tuple[DealRow, Rules, DealStart]]:
    """Each deal from that number on, as it stands: its rules, and what it begins with."""
    course = course_before(journal, rules_at, first)
    for number in range(first, journal.count + 1):
        row = journal.deals[number]
        rules = rules_at(row.rules).rules
        yield row, rules, course.begins(journal, rules, row)
        course.move_on(journal, rules, row, journal.tallies[number])


def kept(rules: Rules, carry: Carry) -> Carry:
    """What of a carry the next deal depends on; the pool apart, which follows from the entries."""
    return carry if remembers(rules) else START


def differences(journal: Journal, rules_at: RulesAt) -> Iterator[str]:
    """Where the entries are not what the records come to under their rules, in words."""
    for row, rules, begins in deals_from(journal, rules_at):
        number = row.number
        try:
            derived = derive(rules, begins, row.fact)
        except QuadrilleError as e:
            reason = e.problems[0].message
            yield f"deal {number} cannot have been as it is recorded: {reason}"
        else:
            carry = kept(rules, derived.carry)
            if derived.movements != journal.movements_of(number):
                yield f"deal {number} moves other counters by the rules than were entered"
            elif derived.outcome != row.outcome:
                yield f"deal {number} has another outcome by the rules than was recorded"
            elif (
                tally(row.id, journal.tally_before(number), derived.movements, carry)
                != journal.tallies[number]
            ):
                yield f"deal {number} left something else to the next than is certified"


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
    changed: DealRow | None,
    place: PlaceAt,
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
    begun = {row.place: begins for row, _, begins in deals_from(journal, rules_at, first)}
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
