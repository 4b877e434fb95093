"""What the note of a command says besides its object: the key of the form that caused it, and which
command it takes back.

Key and deal are written in one transaction: neither is there without the other, whenever the
program is killed, so that a form sent twice is recorded once.
"""

import re
from typing import Final

from quadrille_core.errors import LedgerError, UsageError
from quadrille_plugins.ledger.journal import Journal, Transaction

KEY: Final = re.compile(r"[0-9a-f]{32}")
_NOTE: Final = re.compile(r"(?:; )?(?:form ([0-9a-f]{32}))?(?:; )?(?:undoes command ([0-9]+))?")


class SentBeforeError(LedgerError):
    """A form whose key is in the ledger: what it says has been recorded."""

    code = "Q911"


def noted(key: str, note: str = "") -> str:
    """The note of a command with the key of its form; raises UsageError for what is no key."""
    if key and not KEY.fullmatch(key):
        raise UsageError.of("form-key-malformed")
    return "; ".join(filter(None, (f"form {key}" if key else "", note)))


def _noted(journal: Journal, act: Transaction) -> tuple[str | None, str | None]:
    """The key of its form and the command that it takes back, as a command's note says."""
    about = re.compile("deal [0-9]+")
    if act.kind == "substitute" and all(e.act != act.id for e in journal.events):
        # so written before there were events: names may hold any words
        about = re.compile(re.escape(" for ".join(_sat_down(journal, act))))
    found = _NOTE.fullmatch(about.sub("", act.note, count=1))
    return (found[1], found[2]) if found else (None, None)


def _sat_down(journal: Journal, act: Transaction) -> tuple[str, str]:
    """Who sat down by a command, and who had the chair before, as they were called then."""
    at, one = next((n, s) for n, s in enumerate(journal.sittings) if s.act == act.id)
    former = next(s for s in reversed(journal.sittings[:at]) if s.chair == one.chair)
    called = journal.named_at(act.id)
    return called[one.account], called[former.account]


def sent_by(journal: Journal, key: str) -> Transaction | None:
    """The command that a form with this key caused; None where it caused none."""
    acts = (act for act in journal.transactions if key and key in act.note)
    return next((act for act in acts if _noted(journal, act)[0] == key), None)


def deal_of(journal: Journal, act: Transaction) -> int | None:
    """The number of the deal that a command recorded or changed; None where it was about none."""
    return next((row.number for row in journal.rows if row.act == act.id), None)


def taken_back_by(journal: Journal) -> dict[int, int]:
    """Which command took back which."""
    undoing = ((act.id, _noted(journal, act)[1]) for act in journal.transactions)
    return {int(undone): act for act, undone in undoing if undone}


def last_standing(journal: Journal) -> Transaction | None:
    """The last command that was not taken back; None where none was given since the start."""
    back = taken_back_by(journal)
    done = {*back, *back.values()}
    acts = [act for act in journal.transactions if act.id not in done]
    return acts[-1] if acts[-1].kind != "start" else None


def changed_since(what: str) -> LedgerError:
    """The error for a form that saw the ledger as it no longer is."""
    return LedgerError.of("changed-meanwhile", what=what)
