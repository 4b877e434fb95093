"""The key of a form, kept in the note of the command that it caused, so that a form sent twice is
recorded once.

Key and deal are written in one transaction: neither is there without the other, whenever the
program is killed.
"""

import re
from typing import Final

from quadrille_core.errors import LedgerError, Problem, UsageError
from quadrille_plugins.ledger.journal import Journal, Transaction

KEY: Final = re.compile(r"[0-9a-f]{32}")
_NOTED: Final = re.compile(r"(?:^|; )form ([0-9a-f]{32})(?:; undoes command [0-9]+)?$")
"""At the end of a note, which the program writes; before it may stand names, which hold any
words."""


class SentBeforeError(LedgerError):
    """A form whose key is in the ledger: what it says has been recorded."""

    code = "Q911"


def noted(key: str, note: str = "") -> str:
    """The note of a command with the key of its form; raises UsageError for what is no key."""
    if key and not KEY.fullmatch(key):
        raise UsageError("the key of a form is 32 hexadecimal digits")
    return "; ".join(filter(None, (f"form {key}" if key else "", note)))


def sent_by(journal: Journal, key: str) -> Transaction | None:
    """The command that a form with this key caused; None where it caused none."""
    if not key:
        return None
    acts = (act for act in reversed(journal.transactions) if key in act.note)
    return next(
        (act for act in acts if (found := _NOTED.search(act.note)) and found[1] == key), None
    )


def deal_of(journal: Journal, act: Transaction) -> int | None:
    """The number of the deal that a command recorded or changed; None where it was about none."""
    if act.kind in ("correct", "reverse"):
        return int(act.note.removeprefix("deal ").split(";")[0])
    return next((row.number for row in reversed(journal.rows) if row.act == act.id), None)


def refuse_repetition(journal: Journal, key: str) -> None:
    """Raise SentBeforeError where a form with this key has been recorded."""
    if sent_by(journal, key) is not None:
        raise SentBeforeError(
            Problem.text(
                "Q911", "this form was recorded already", None, "nothing is recorded twice"
            )
        )


def refuse_stale(journal: Journal, last_act: int | None) -> None:
    """Raise LedgerError where the last command is not the one that a form has seen."""
    if last_act not in (None, journal.transactions[-1].id):
        raise changed_since("something was recorded")


def changed_since(what: str) -> LedgerError:
    """The error for a form that saw the ledger as it no longer is."""
    return LedgerError(
        Problem.text("Q912", f"{what} in the meantime", None, "look at the ledger as it stands now")
    )
