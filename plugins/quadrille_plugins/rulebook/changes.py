"""What differs between two rulebooks: sentence by sentence and cell by cell."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher, get_close_matches
from typing import Final

from quadrille_plugins.rulebook.book import Paragraph, Sentence
from quadrille_plugins.rulebook.compose import Book, typeset

Key = tuple[str, str, str]
"""Where a piece of text stands: section, paragraph, piece."""

ALIKE: Final = 0.5
"""How alike two sentences are, from 0 to 1, to be taken for one sentence that changed."""

_ENDS: Final = re.compile(r"(?<=\.) (?=[A-ZÉ“])")


@dataclass(frozen=True, slots=True)
class Difference:
    """One sentence or row of this book that the other book has differently, or that only one of
    them has."""

    section: str
    about: str
    """The paragraph's heading, or the row's."""
    mine: str
    theirs: str

    def told(self) -> str:
        """The change in one line: ``puts [one counter → two counters] into the pool``; (–) stands
        for no words."""
        where = ", ".join(filter(None, (self.section, self.about)))
        if not self.theirs:
            return f"{where}; only here: {self.mine}"
        if not self.mine:
            return f"{where}; only there: {self.theirs}"
        old, new = self.theirs.split(), self.mine.split()
        matcher = SequenceMatcher(None, old, new, autojunk=False)
        if matcher.ratio() < ALIKE:
            return f"{where}: [{self.theirs} → {self.mine}]"
        words = [
            " ".join(new[k:m])
            if tag == "equal"
            else f"[{' '.join(old[i:j]) or '–'} → {' '.join(new[k:m]) or '–'}]"
            for tag, i, j, k, m in matcher.get_opcodes()
        ]
        return f"{where}: {' '.join(words)}"


def sentences(text: str) -> list[str]:
    """The sentences of a text."""
    return _ENDS.split(typeset(text)) if text else []


def differences(mine: Book, theirs: Book) -> dict[Key, tuple[Difference, ...]]:
    """What differs, by place, in the order of the first book; what only the other has stands after
    its section.

    Where one book has a bid more, a sentence on the others may need their names ("in Alliance") and
    say the same: of sentences that rest on rules which both books have alike, nothing is told.
    """
    here, there = (
        {(s.key, p.key, x.key): (s.title, p, x) for s, p, x in book.sentences()}
        for book in (mine, theirs)
    )
    order = list(dict.fromkeys(key[0] for key in (*here, *there)))
    paths = {*mine.values, *theirs.values}
    differing = {path for path in paths if mine.values.get(path) != theirs.values.get(path)}
    same_bids = mine.bids() == theirs.bids()
    found = {}
    for key in sorted(dict.fromkeys((*here, *there)), key=lambda k: order.index(k[0])):
        new, old = here.get(key), there.get(key)
        section, paragraph, x = new or there[key]
        cites = {path for one in (new, old) if one for path in one[2].cites}
        only_named = not same_bids and differing.isdisjoint(cites)
        about = x.cells[0] if x.cells else "" if paragraph.columns else paragraph.head
        changes = tuple(
            Difference(section, about, after, before)
            for before, after in _pairs(_told(old), _told(new))
            if not (only_named and before and after)
        )
        if changes:
            found[key] = changes
    return found


def _told(found: tuple[str, Paragraph, Sentence] | None) -> list[str]:
    """The sentences of a piece, or the cells of a row below its first, each with its column."""
    if found is None:
        return []
    _, paragraph, x = found
    if not x.cells:
        return sentences(x.text)
    named = zip(paragraph.columns[1:], x.cells[1:], strict=True)
    row = ", ".join(f"{cell} ({column})" for column, cell in named if cell != "–")
    return [row or "nothing"]


def _pairs(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Every sentence that changed with the one it took the place of; the empty text where there is
    none."""
    left = [before for before in old if before not in new]
    for after in new:
        if after not in old:
            best = left if len(old) == len(new) == 1 else get_close_matches(after, left, 1, ALIKE)
            left = [before for before in left if before not in best]
            yield "".join(best), after
    yield from ((before, "") for before in left)
