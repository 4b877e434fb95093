"""What differs between two rulebooks: sentence by sentence and cell by cell, the words that changed
once."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from typing import Final

from quadrille_core.frozen import frozen
from quadrille_plugins.rulebook.book import Sentence
from quadrille_plugins.rulebook.compose import Book, typeset

Key = tuple[str, str, str]
"""Where a piece of text stands: section, paragraph, piece."""

ALIKE: Final = 0.5
"""How alike two sentences are, from 0 to 1, to be taken for one sentence that changed."""

_ENDS: Final = re.compile(r"(?<=\.) (?=[A-ZÉ“])")


@frozen
class Run:
    """Words that both books have (``old`` and ``new`` are equal), or the old ones and the new in
    their place."""

    old: str
    new: str


@frozen
class Difference:
    """One sentence or row of this book that the other book has differently, or that only one of
    them has."""

    section: str
    about: str
    """The paragraph's heading, or the row's."""
    mine: str
    theirs: str
    runs: tuple[Run, ...]


def sentences(text: str) -> list[str]:
    """The sentences of a text."""
    return _ENDS.split(text) if text else []


@frozen
class _Said:
    """A piece of text and its place."""

    section: str
    head: str
    columns: tuple[str, ...]
    sentence: Sentence


def differences(mine: Book, theirs: Book) -> dict[Key, tuple[Difference, ...]]:
    """What differs, by place, in the order of the first book; what only the other has stands after
    its section."""
    here, there = _by_key(mine), _by_key(theirs)
    alike = _same_rules(mine, theirs) if mine.bids() != theirs.bids() else None
    order = list(dict.fromkeys(s.key for book in (mine, theirs) for s in book.sections))
    found = {}
    for key in sorted(dict.fromkeys((*here, *there)), key=lambda k: order.index(k[0])):
        if changes := tuple(_changes(here.get(key), there.get(key), alike)):
            found[key] = changes
    return found


def _by_key(book: Book) -> dict[Key, _Said]:
    return {
        (s.key, p.key, x.key): _Said(s.title, ("" if p.columns else p.head), p.columns, x)
        for s in book.sections
        for p in s.paragraphs
        for x in p.sentences
    }


def _same_rules(mine: Book, theirs: Book) -> Callable[[Sentence, Sentence], bool]:
    """Whether two sentences rest on rules that both books have alike.

    Where one book has a bid more, a sentence on the others may need their names ("in Alliance") and
    say the same.
    """
    differing = {
        path
        for path in {*mine.values, *theirs.values}
        if mine.values.get(path) != theirs.values.get(path)
    }
    return lambda one, other: differing.isdisjoint((*one.cites, *other.cites))


def _changes(
    here: _Said | None, there: _Said | None, alike: Callable[[Sentence, Sentence], bool] | None
) -> Iterator[Difference]:
    said = here or there
    if said is None:
        return
    only_named = (
        alike is not None
        and here is not None
        and there is not None
        and alike(here.sentence, there.sentence)
    )
    if said.sentence.cells:
        mine, theirs = _row(here), _row(there)
        if mine != theirs:
            yield Difference(
                said.section, said.sentence.cells[0], mine, theirs, (Run(theirs, mine),)
            )
        return
    old = sentences(typeset(there.sentence.text)) if there else []
    new = sentences(typeset(here.sentence.text)) if here else []
    for before, after in _pairs(old, new):
        if before != after and not (only_named and before and after):
            yield Difference(said.section, said.head, after, before, _runs(before, after))


def _row(said: _Said | None) -> str:
    """The cells of a row below its first, each with its column."""
    if said is None:
        return ""
    named = zip(said.columns[1:], said.sentence.cells[1:], strict=True)
    return ", ".join(f"{cell} ({column})" for column, cell in named if cell != "–") or "nothing"


def _alike(a: str, b: str) -> float:
    return SequenceMatcher(None, a.split(), b.split(), autojunk=False).ratio()


def _pairs(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Every sentence with the one it took the place of; the empty text where there is none."""
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag == "equal":
            continue
        left, right = list(old[a:b]), list(new[c:d])
        if len(left) == len(right) == 1:
            yield left[0], right[0]
            continue
        for after in right:
            best = max(left, key=lambda before: _alike(before, after), default="")
            if best and _alike(best, after) >= ALIKE:
                left.remove(best)
                yield best, after
            else:
                yield "", after
        yield from ((before, "") for before in left)


def _runs(old: str, new: str) -> tuple[Run, ...]:
    """The words of both in order; all of them as one change where the two have little in common."""
    a, b = old.split(), new.split()
    matcher = SequenceMatcher(None, a, b, autojunk=False)
    if matcher.ratio() < ALIKE:
        return (Run(old, new),)
    runs: list[Run] = []
    for tag, i, j, k, m in matcher.get_opcodes():
        one = Run(" ".join(a[i:j]), " ".join(b[k:m]))
        if tag == "equal" and j - i < 2 and runs and j < len(a):
            runs[-1] = _joined(runs[-1], one)  # a word between two changes is told with them
        elif tag != "equal" and runs and runs[-1].old != runs[-1].new:
            runs[-1] = _joined(runs[-1], one)
        else:
            runs.append(one)
    return tuple(runs)


def _joined(a: Run, b: Run) -> Run:
    return Run(f"{a.old} {b.old}".strip(), f"{a.new} {b.new}".strip())


def joined(differences: Iterable[Difference]) -> Iterator[Difference]:
    """Sentences in a row that only one book has, as one difference."""
    last: Difference | None = None
    for one in differences:
        alone = last is not None and (last.section, last.about) == (one.section, one.about)
        if last is not None and alone and not (last.mine or one.mine):
            theirs = f"{last.theirs} {one.theirs}"
            last = replace(last, theirs=theirs, runs=(Run(theirs, ""),))
        elif last is not None and alone and not (last.theirs or one.theirs):
            mine = f"{last.mine} {one.mine}"
            last = replace(last, mine=mine, runs=(Run("", mine),))
        else:
            if last is not None:
                yield last
            last = one
    if last is not None:
        yield last


def told(difference: Difference, *, old: str = "[{} → ", new: str = "{}]") -> str:
    """The change in one line: ``puts [one counter → two counters] into the pool``; (–) stands for
    no words."""
    parts = [
        run.new if run.old == run.new else old.format(run.old or "–") + new.format(run.new or "–")
        for run in difference.runs
    ]
    return " ".join(parts)


def changed(differences: Mapping[Key, tuple[Difference, ...]], key: Key) -> frozenset[str]:
    """What this book says at that place and the other does not."""
    return frozenset(d.mine for d in differences.get(key, ()) if d.mine)
