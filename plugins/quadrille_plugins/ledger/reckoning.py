"""What stands before each deal, and whether the records come to what was entered."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from quadrille_core.engine.carry import START, Carry, remembers
from quadrille_core.errors import QuadrilleError
from quadrille_core.rules import Rules
from quadrille_plugins.ledger.deriving import DealStart, derive, favourite_after
from quadrille_plugins.ledger.journal import Fact, Journal
from quadrille_plugins.ledger.standing import NOTHING, DealTally, tally


@dataclass(slots=True)
class Course:
    """What stands before a deal: what the one before came to, the favourite suit of the session,
    what each account holds."""

    held: dict[int, Fraction]
    before: DealTally = NOTHING
    favourite: str | None = None

    def begins(self, journal: Journal, rules: Rules, number: int, dealer: int) -> DealStart:
        """What a deal of that number and dealer's chair starts from."""
        accounts = journal.seats(number, dealer)
        refilled = rules.table.purse_empty == "refill"
        return DealStart(
            accounts,
            tuple(journal.accounts[a] for a in accounts),
            self.before.carry,
            self.favourite,
            str(journal.session["reference"]),
            journal.session["identity"].get("readings", {}),
            tuple(self.held[a] for a in accounts) if refilled else (),
        )

    def move_on(self, rules: Rules, fact: Fact, found: DealTally) -> None:
        """Go on to the next deal."""
        self.before = found
        self.favourite = favourite_after(rules, self.favourite, fact)
        for gained in (found.net, found.given):
            for account, amount in gained.items():
                self.held[account] += amount


def course_before(journal: Journal, rules: Rules, number: int) -> Course:
    """What stands before the deal of that number, by all that were recorded before it."""
    course = Course(journal.purses_at_first)
    for earlier in range(1, number):
        course.move_on(rules, journal.deals[earlier].fact, journal.tallies[earlier])
    return course


def kept(rules: Rules, carry: Carry) -> Carry:
    """What of a carry the next deal depends on; the pool apart, which follows from the entries."""
    return carry if remembers(rules) else START


def differences(journal: Journal, rules: Rules) -> Iterator[str]:
    """Where the entries are not what the records come to under the rules, in words."""
    course = course_before(journal, rules, 1)
    for number, row in journal.deals.items():
        found = journal.tallies[number]
        try:
            derived = derive(rules, course.begins(journal, rules, number, row.dealer), row.fact)
        except QuadrilleError as e:
            reason = e.problems[0].message
            yield f"deal {number} cannot have been as it is recorded: {reason}"
        else:
            carry = kept(rules, derived.carry)
            if derived.movements != journal.movements_of(number):
                yield f"deal {number} moves other counters by the rules than were entered"
            elif derived.outcome != row.outcome:
                yield f"deal {number} has another outcome by the rules than was recorded"
            elif tally(row.id, course.before, derived.movements, carry) != found:
                yield f"deal {number} left something else to the next than is certified"
        course.move_on(rules, row.fact, found)
