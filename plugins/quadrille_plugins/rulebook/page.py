"""A rulebook made ready to be printed: terms explained, notes numbered, differences marked."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from quadrille_core import vocabulary
from quadrille_core.kinds import TRICKS
from quadrille_core.report.blocks import Table
from quadrille_core.ruleset import Compiled
from quadrille_plugins.output.values import identity_text, listed, pages_seen, short_title
from quadrille_plugins.rulebook import paying
from quadrille_plugins.rulebook.book import Head, Reader, Section, Sentence, Texts, write
from quadrille_plugins.rulebook.changes import Difference, Key, differences, sentences
from quadrille_plugins.rulebook.compose import Book, Glossing, compose, typeset, written
from quadrille_plugins.rulebook.example import Example, examples
from quadrille_plugins.rulebook.notes import NOTES_KEY, note
from quadrille_plugins.rulebook.words import number, short_units, table_amounts, unit_word


@dataclass(frozen=True, slots=True)
class Span:
    """A sentence as it is printed."""

    text: str
    differs: bool = False
    """Whether the other rule set says something else."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Sentences that share a note, or a row with its cells, as they are printed."""

    spans: tuple[Span, ...] = ()
    cells: tuple[str, ...] = ()
    note: int | None = None
    differs: bool = False

    @property
    def text(self) -> str:
        """The sentences."""
        return " ".join(span.text for span in self.spans)


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, a table where it has columns, or a list; a list of notes has their numbers."""

    head: str
    columns: tuple[str, ...]
    pieces: tuple[Piece, ...]
    is_list: bool = False


@dataclass(frozen=True, slots=True)
class Chapter:
    """A section as it is printed."""

    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """All that is printed."""

    title: str
    named: str
    other: str
    """The title of the rule set it is held against, with its accounts and its digest; empty without
    one."""
    sections: tuple[Chapter, ...]
    differences: tuple[Difference, ...] = ()
    examples: tuple[Example, ...] = ()
    notes: tuple[tuple[int, str], ...] = ()
    sources: tuple[tuple[str, str], ...] = ()
    short: bool = False
    """Whether it is the sheet for the table."""
    cite: str = ""
    """The last line, which says how to cite it; empty without one, as for guests."""

    def chapters(self) -> Iterator[Chapter]:
        """The sections, and what follows them."""
        yield from self.sections
        if self.examples:
            shown = [block for one in self.examples for block in _example(one)]
            yield Chapter("Examples", tuple(shown))
        if self.other and not self.short:
            changes = [d.told() for d in self.differences]
            yield Chapter(
                "Differences", (_text(DIFFERENCES_KEY if changes else "None."), _list(changes))
            )
        if self.notes:
            texts = [f"{text}." for _, text in self.notes]
            yield Chapter("Notes", (_text(NOTES_KEY), _list(texts, numbered=True)))
        if self.sources:
            sources = [f"{name}: {title}" for name, title in self.sources]
            yield Chapter("Sources", (_list(sources),))


DIFFERENCES_KEY: Final = (
    "In brackets: what the other rule set says → what this one says; a dash where it has no "
    "words. “Only here”: this one says it and the other does not; “only there”: the reverse."
)


def _text(text: str) -> Block:
    return Block("", (), (Piece((Span(text),)),))


def _list(texts: list[str], *, numbered: bool = False) -> Block:
    pieces = (Piece((Span(one),), note=n if numbered else None) for n, one in enumerate(texts, 1))
    return Block("", (), tuple(pieces), is_list=True)


def _example(example: Example) -> Iterator[Block]:
    yield _text(f"{example.title}.".upper())
    for block in example.blocks:
        if isinstance(block, Table):
            rows = tuple(Piece(cells=row) for row in block.rows)
            yield Block(block.title, block.columns, rows)
        else:
            yield _text(f"{block.text.replace(chr(10), '; ')}.")
    yield Block("", ("to see it again",), (Piece(cells=(example.command,)),))


def rulebook(compiled: Compiled, against: Compiled | None = None) -> Page:
    """The rulebook of a rule set, and how another differs from it."""
    book = compose(compiled)
    different = differences(book, compose(against)) if against is not None else {}
    numbers: dict[str, int] = {}

    def note_of(sentence: Sentence) -> int | None:
        text = note(compiled, sentence.cites)
        return numbers.setdefault(text, len(numbers) + 1) if text else None

    sections = tuple(_sections(book, Glossing(), note_of, different))
    return Page(
        title=typeset(compiled.title),
        named=_named(compiled),
        other=f"{typeset(against.title)}, {_named(against)}" if against is not None else "",
        sections=sections,
        differences=tuple(d for those in different.values() for d in those),
        examples=examples(compiled) if compiled.kind == TRICKS else (),
        notes=tuple((n, text) for text, n in numbers.items()),
        sources=tuple(_sources(compiled, book)),
    )


def _identity(compiled: Compiled) -> str:
    """The reference with its digest; of a file its name alone, since guests know nothing of the
    host's folders."""
    identity = compiled.identity
    return identity_text(replace(identity, profile=re.split(r"[/\\]", identity.profile)[-1]))


def _named(compiled: Compiled) -> str:
    """Whose accounts these are, and the reference with its digest."""
    followed = compiled.identity.witness
    accounts = {
        name: witness
        for name, witness in compiled.witnesses.items()
        if followed not in compiled.witnesses or name == followed
    }
    titles = [re.sub("^The ", "the ", typeset(w.title)) for w in accounts.values()]
    seen = {pages_seen(compiled.sources.get(w.source)) for w in accounts.values()}
    name = "; ".join([_identity(compiled), *sorted(seen - {""})])
    between = "between" if len(titles) > 1 else "after"
    return f"{between} {listed(titles)}: {name}" if titles else name


def _sections(
    book: Book,
    glossing: Callable[[str], str],
    note_of: Callable[[Sentence], int | None],
    different: Mapping[Key, tuple[Difference, ...]],
) -> Iterator[Chapter]:
    for section in book.sections:
        blocks = []
        for p in section.paragraphs:
            numbers = [note_of(s) for s in p.sentences]
            for place in range(len(numbers) - 1):
                if not p.columns and numbers[place] == numbers[place + 1]:
                    numbers[place] = None  # the note stands behind the last of them
            pieces = []
            for s, n in zip(p.sentences, numbers, strict=True):
                new = {d.mine for d in different.get((section.key, p.key, s.key), ()) if d.mine}
                spans = tuple(Span(glossing(one), one in new) for one in sentences(s.text))
                pieces.append(Piece(spans, s.cells, n, bool(new)))
            blocks.append(Block(p.head, p.columns, tuple(pieces)))
        yield Chapter(section.title, tuple(blocks))


def _sources(compiled: Compiled, book: Book) -> Iterator[tuple[str, str]]:
    cited = {
        cite.source
        for _, _, s in book.sentences()
        for path in s.cites
        if path in compiled.origins
        for cite in compiled.origins[path].link.citations
    }
    for name in sorted(cited & set(compiled.sources)):
        yield name, short_title(compiled.sources[name])


# --- the sheet --------------------------------------------------------------------------------

_SHEET: Final = {
    "Matadors, premiers and the vole": ("trumps", "premiers", "undertaking"),
    "Payments": ("stake", "unit", "pool", "matadors"),
    "A lost game": ("lost", "bearers", "beast", "items"),
    "What the vole pays": ("vole_pool", "vole_table", "vole_lost"),
}
"""Which paragraphs of the rulebook stand on the sheet."""


def sheet(compiled: Compiled, against: Compiled | None = None) -> Page:
    """One page for the table: the contracts in order, matadors and premiers, what a game pays and
    costs.

    What another rule set has differently is marked.
    """
    book = _on_a_sheet(compiled)
    different = differences(book, _on_a_sheet(against)) if against is not None else {}
    return Page(
        title=typeset(compiled.title),
        named=_identity(compiled),
        other=f"{typeset(against.title)}, {_identity(against)}" if against is not None else "",
        sections=tuple(_sections(book, str, lambda _: None, different)),
        short=True,
    )


def _on_a_sheet(compiled: Compiled) -> Book:
    values = vocabulary.dump(compiled.game_of(TRICKS).rules)
    r = Reader(values)
    found = {p.key: p for section in written(values) for p in section.paragraphs}
    contracts = (*write(r, _contracts(r)), found["all_pass"])
    sections = [
        Section(title, title, tuple(found[key] for key in keys if key in found))
        for title, keys in _SHEET.items()
    ]
    bids = Section("bids", "Contracts, the lowest first", contracts)
    return Book(compiled, (bids, *(s for s in sections if s.paragraphs)), values)


def _contracts(r: Reader) -> Texts:
    paid = "premium" in paying.earning(r)
    premium = (f"premium, {unit_word(r)}", "in favourite")[: len(r.tables)] if paid else ()
    yield Head("contracts", columns=("game", "you play", "tricks", "trumps by", *premium))
    for bid in r.played:
        with_ally = r.of(bid, "partner") == "called"
        exchanged = ", after an exchange" if r.of(bid, "exchange") else ""
        goal = r.of(bid, "goal")
        by = r.of(bid, "trump_by").replace("_", " ") if with_ally else "hombre"
        yield (
            bid,
            (
                r.title(bid),
                "with an ally" if with_ally else f"alone{exchanged}",
                number(r.of(bid, "tricks")) if goal == "at_least" else goal,
                "no trumps" if r.of(bid, "trump") == "none" else by,
                *(table_amounts(r, f"premium.{bid}", short_units) if paid else ()),
            ),
        )
