"""What a command on a ledger names and must be there: a deal, who sits on a chair, a reason, a
session not yet over."""

from pathlib import Path
from typing import Final

from quadrille_core.engine.result import composed
from quadrille_core.errors import LedgerError, Phrase, Place, Problem, UsageError
from quadrille_plugins.ledger.journal import DealRow, Fact, Journal
from quadrille_plugins.settle.answers import player_named

_LONGEST_NOTE: Final = 200


def check_note(fact: Fact) -> None:
    """Raise UsageError for a reason that is too long, or more than a line."""
    if len(fact.note) > _LONGEST_NOTE or not fact.note.isprintable():
        raise UsageError(f"a reason is one line of at most {_LONGEST_NOTE} characters")


def chair_of(journal: Journal, name: str, number: int) -> int:
    """The chair a player sits on in a deal; by their name in any case, or its beginning.

    Raises UsageError when none, or several, sit there by such a name.
    """
    names = [journal.accounts[a] for a in journal.seated(number)]
    return names.index(player_named(composed(name), names))


def row_of(journal: Journal, number: int) -> DealRow:
    """The record of a deal as it holds; raises UsageError where there is no such deal."""
    if number not in journal.deals:
        count = journal.standing.deals
        known = f"deals are numbered 1 to {count}" if count else "no deal has been recorded"
        raise UsageError(f"there is no deal {number}", help=known)
    return journal.deals[number]


def refuse_when_ended(journal: Journal, path: Path) -> None:
    """Raise LedgerError once the session has ended: an end stays, since payments may have been made
    by it."""
    if journal.ended:
        hint = "an end cannot be undone: start another session in a new file"
        raise LedgerError(
            Problem.text(
                "Q906", "the session has ended; nothing is recorded after", Place(str(path)), hint
            )
        )


def refuse_when_over(journal: Journal) -> None:
    """Raise LedgerError where somebody could not pay, and the rules end the session by that."""
    if poor := journal.cannot_pay():
        names = " and ".join(journal.accounts[a] for a in poor)
        message = (
            f"{names} could not pay in deal {journal.standing.deals}, and by these rules "
            "that ends the session"
        )
        raise LedgerError(Problem.text("Q909", message, None, Phrase("end-or-correct")))
