"""What stands before each deal, and whether the records come to what was entered."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from quadrille_core.engine.carry import START, Carry, carry_under, remembers
from quadrille_core.errors import QuadrilleError
from quadrille_core.rules import Rules
from quadrille_plugins.ledger.deriving import DealStart, derive, favourite_after, has_favourite
from quadrille_plugins.ledger.frozen import FrozenRules
from quadrille_plugins.ledger.journal import DealRow, Journal
from quadrille_plugins.ledger.standing import NOTHING, DealTally, tally

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


def kept(rules: Rules, carry: Carry) -> Carry:
    """What of a carry the next deal depends on; the pool apart, which follows from the entries."""
    return carry if remembers(rules) else START


def differences(journal: Journal, rules_at: RulesAt) -> Iterator[str]:
    """Where the entries are not what the records come to under their rules, in words."""
    course = course_before(journal, rules_at, 1)
    for number, row in journal.deals.items():
        found, rules = journal.tallies[number], rules_at(row.rules).rules
        try:
            derived = derive(rules, course.begins(journal, rules, row), row.fact)
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
        course.move_on(journal, rules, row, found)
