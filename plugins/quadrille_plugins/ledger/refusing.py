"""What a command on a ledger names and must be there: a deal, who sits on a chair, a reason, a
session not yet over."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from quadrille_core.errors import LedgerError, Option, Problem, UsageError
from quadrille_core.rules import Rules
from quadrille_plugins.ledger.journal import DealRow, Fact, Journal
from quadrille_plugins.settle.answers import player_named
from quadrille_plugins.settle.fund import fund_rules
from quadrille_plugins.settle.player_names import composed, likeness, name_fault

_LONGEST_NOTE: Final = 200


def check_note(fact: Fact) -> None:
    """Raise UsageError for a reason that is too long, or more than a line."""
    if len(fact.note) > _LONGEST_NOTE or not fact.note.isprintable():
        raise UsageError.of("reason-too-long", longest_note=_LONGEST_NOTE)


def chair_of(journal: Journal, name: str, number: int) -> int:
    """The chair a player sits on in a deal; by their name in any case, or its beginning.

    Raises UsageError when none, or several, sit there by such a name.
    """
    names = [journal.accounts[a] for a in journal.seated(number)]
    return names.index(player_named(composed(name), names))


def row_of(journal: Journal, number: int) -> DealRow:
    """The record of a deal as it holds; raises UsageError where there is no such deal."""
    if number not in journal.deals:
        count = journal.count
        variant = "no-deal-of-that-number" if count else "no-deal-recorded"
        raise UsageError.of(variant, number=number, count=count)
    return journal.deals[number]


def refuse_when_ended(journal: Journal, path: Path) -> None:
    """Raise LedgerError once the session has ended: an end stays, since payments may have been made
    by it."""
    if journal.ended:
        raise LedgerError.of("session-ended", place=path)


def refuse_when_over(journal: Journal) -> None:
    """Raise LedgerError where somebody could not pay, and the rules end the session by that."""
    if poor := journal.cannot_pay():
        names = " and ".join(journal.accounts[a] for a in poor)
        raise LedgerError.of("could-not-pay", names=names, count=journal.count)


def refuse_fund(rules: Rules) -> None:
    """Raise UsageError for rules that draw on a fund beside the pool: a ledger keeps none."""
    if drawn := tuple(fund_rules(rules)):
        options = tuple(Option("set", f"{path}=0") for path in drawn)
        raise UsageError.of("rules-draw-on-fund", drawn=drawn[0], options=options)


def check_name(name: str, others: Iterable[str] = ()) -> None:
    """Raise UsageError for a name that no player may bear at this table."""
    fault = name_fault(name)
    if fault is None and (name.lower() == "box" or name[0] in "=+-@"):
        fault = Problem("Q207", "name-of-box-or-formula", {"name": name})
    if fault:
        raise UsageError(fault)
    for other in others:
        if likeness(other) == likeness(name):
            raise UsageError.of("name-taken", name=name)
