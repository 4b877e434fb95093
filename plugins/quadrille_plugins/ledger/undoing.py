"""Which command is the last that stands, when some were taken back by later ones."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from quadrille_plugins.ledger.journal import DealRow, Journal, Transaction

_UNDOES: Final = re.compile(r"(?:^|; )undoes command ([0-9]+)$")
"""In a command's note: which command it takes back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Last:
    """The last command that stands, and what it changed."""

    id: int
    deal: int = 0
    """The deal that it recorded, corrected or took back."""
    before: DealRow | None = None
    """What was recorded of that deal before; None where nothing was."""
    swap: tuple[str, str] | None = None
    """Who sat down by it, and who had the chair before; None where it changed a deal."""


def last_standing(journal: Journal, acts: Sequence[int]) -> Last | None:
    """The last command that was not taken back; None where none was given since the start.

    ``acts`` are the commands by which each of the journal's sittings came about.
    """
    undoing = {
        t.id: undone
        for t in journal.transactions
        if (undone := _undone_by(t, journal, acts)) is not None
    }
    last = next(
        (t for t in reversed(journal.transactions) if t.id not in {*undoing, *undoing.values()}),
        None,
    )
    if last is None or last.kind == "start":
        return None
    if last.kind == "substitute":
        return Last(id=last.id, swap=_sat_down(journal, acts.index(last.id)))
    if last.kind in ("correct", "reverse"):
        number = int(last.note.removeprefix("deal ").split(";")[0])
    else:
        number = next(row for row in reversed(journal.rows) if row.act == last.id).number
    before = [row for row in journal.records_of(number) if row.act < last.id]
    return Last(id=last.id, deal=number, before=before[-1] if before else None)


def _sat_down(journal: Journal, sitting: int) -> tuple[str, str]:
    """Who sat down, and who had the chair before."""
    one = journal.sittings[sitting]
    former = next(
        before for before in reversed(journal.sittings[:sitting]) if before.chair == one.chair
    )
    return journal.accounts[one.account], journal.accounts[former.account]


def _undone_by(act: Transaction, journal: Journal, acts: Sequence[int]) -> int | None:
    """The command that this one takes back, as its note says; None where it takes none back."""
    note = act.note
    if act.kind == "substitute":  # names may hold any words
        new, old = _sat_down(journal, acts.index(act.id))
        note = note.removeprefix(f"{new} for {old}")
    found = _UNDOES.search(note)
    return None if found is None else int(found[1])
