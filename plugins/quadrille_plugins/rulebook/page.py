"""A rulebook made ready to be printed: terms explained, notes numbered, differences marked."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial

from quadrille_core import vocabulary
from quadrille_core.frozen import frozen
from quadrille_core.kinds import TRICKS
from quadrille_core.ruleset import Compiled
from quadrille_plugins.rulebook import at_table, bidding, further, losing, paying, playing
from quadrille_plugins.rulebook.book import (
    Draft,
    Part,
    Reader,
    Row,
    Section,
    Sentence,
    draft,
    write,
)
from quadrille_plugins.rulebook.changes import (
    Difference,
    Key,
    changed,
    differences,
    joined,
    sentences,
)
from quadrille_plugins.rulebook.compose import Book, Glossing, compose, typeset
from quadrille_plugins.rulebook.example import Example, examples
from quadrille_plugins.rulebook.notes import Notes
from quadrille_plugins.rulebook.words import number, short_units, unit_word
from quadrille_plugins.shell.values import identity_text, listed, pages_seen, short_title


@frozen
class Span:
    """A sentence as it is printed."""

    text: str
    differs: bool
    """Whether the other rule set says something else."""


@frozen
class Piece:
    """Sentences that share a note, or a row with its cells, as they are printed."""

    spans: tuple[Span, ...]
    cells: tuple[str, ...]
    note: int | None
    differs: bool

    @property
    def text(self) -> str:
        """The sentences."""
        return " ".join(span.text for span in self.spans)


@frozen
class Block:
    """A paragraph, or a table where it has columns."""

    head: str
    columns: tuple[str, ...]
    pieces: tuple[Piece, ...]


@frozen
class Chapter:
    """A section as it is printed."""

    title: str
    blocks: tuple[Block, ...]


@frozen
class Page:
    """All that is printed."""

    title: str
    named: str
    other: str
    """The title of the rule set it is held against, with its accounts and its digest; empty without
    one."""
    sections: tuple[Chapter, ...]
    differences: tuple[Difference, ...]
    examples: tuple[Example, ...]
    notes: tuple[tuple[int, str], ...]
    sources: tuple[tuple[str, str], ...]
    short: bool = False
    """Whether it is the sheet for the table."""
    cite: str = ""
    """The last line, which says how to cite it; empty without one, as for guests."""


def rulebook(compiled: Compiled, against: Compiled | None = None) -> Page:
    """The rulebook of a rule set, and how another differs from it."""
    book = compose(compiled)
    other = None if against is None else compose(against)
    different = differences(book, other) if other is not None else {}
    glossing, notes = Glossing(), Notes(compiled)
    sections = tuple(_sections(book, glossing, notes.of, different))
    return Page(
        title=typeset(compiled.title),
        named=_named(compiled),
        other=f"{typeset(against.title)}, {_named(against)}" if against is not None else "",
        sections=sections,
        differences=tuple(joined(d for those in different.values() for d in those)),
        examples=examples(compiled) if compiled.kind == TRICKS else (),
        notes=tuple(notes.listed()),
        sources=tuple(_sources(compiled, book)),
    )


def _identity(compiled: Compiled) -> str:
    """The reference with its digest; of a file its name alone, since guests know nothing of the
    host's folders."""
    identity = compiled.identity
    return identity_text(replace(identity, profile=re.split(r"[/\\]", identity.profile)[-1]))


def _named(compiled: Compiled) -> str:
    """Whose accounts these are, and the reference with its digest."""
    titles = {
        name: re.sub("^The ", "the ", typeset(w.title)) for name, w in compiled.witnesses.items()
    }
    followed = compiled.identity.witness
    seen = {
        pages_seen(compiled.sources.get(w.source))
        for name, w in compiled.witnesses.items()
        if followed in (None, "", name)
    }
    name = "; ".join([_identity(compiled), *sorted(seen - {""})])
    if compiled.identity.witness in titles:
        return f"after {titles[compiled.identity.witness]}: {name}"
    if len(titles) > 1:
        return f"between {listed(titles.values())}: {name}"
    return f"after {next(iter(titles.values()))}: {name}" if titles else name


def _sections(
    book: Book,
    glossing: Glossing,
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
            pieces = tuple(
                _piece(s, glossing, number, changed(different, (section.key, p.key, s.key)))
                for s, number in zip(p.sentences, numbers, strict=True)
            )
            blocks.append(Block(p.head, p.columns, pieces))
        yield Chapter(section.title, tuple(blocks))


def _piece(s: Sentence, glossing: Glossing, note: int | None, new: frozenset[str]) -> Piece:
    spans = tuple(Span(glossing(text), typeset(text) in new) for text in sentences(s.text))
    return Piece(spans, s.cells, note, bool(new))


def _sources(compiled: Compiled, book: Book) -> Iterator[tuple[str, str]]:
    cited = {
        cite.source
        for _, _, s in book.sentences()
        for path in s.cites
        if path in compiled.origins
        for cite in compiled.origins[path].link.citations
    }
    for name in sorted(cited):
        if name in compiled.sources:
            yield name, short_title(compiled.sources[name])


# --- the sheet --------------------------------------------------------------------------------


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
        sections=tuple(_sections(book, Glossing(told=True), lambda _: None, different)),
        differences=(),
        examples=(),
        notes=(),
        sources=(),
        short=True,
    )


def _on_a_sheet(compiled: Compiled) -> Book:
    values = vocabulary.dump(compiled.game_of(TRICKS).rules)
    r = Reader(values)
    writers = (
        ("bids", "Contracts, the lowest first", _contracts),
        ("tricks", "Matadors, premiers and the vole", _tricks),
        ("paid", "Payments", _paid),
        ("lost", "A lost game", _lost),
        ("vole", "What the vole pays", further.vole_payments),
    )
    found = [Section(key, title, write(r, writer(r))) for key, title, writer in writers]
    return Book(compiled, tuple(section for section in found if section.paragraphs), values)


def _contracts(r: Reader) -> Iterator[Draft]:
    paid = paying.some(paying.worth(r, f"premium.{b}") for b in r.played())
    rows: list[Part] = [partial(_contract, bid, paid=paid) for bid in r.played()]
    columns = [
        "game",
        "you play",
        "tricks",
        "trumps by",
        *([f"premium, {unit_word(r)}"] if paid else []),
    ]
    yield draft(
        "contracts",
        *rows,
        columns=[*columns, "in favourite"] if paid and paying.favoured(r) else columns,
    )
    favourite = [bidding.found] if r.knows("favourite.source") != "none" else []
    yield draft("order", bidding.all_pass, *favourite)


def _after_exchange(cards: int) -> str:
    return f"alone, after an exchange{f' of {number(cards)} cards' if cards > 1 else ''}"


def _contract(bid: str, r: Reader, *, paid: bool) -> Row:
    with_ally = r.of(bid, "partner") == "called"
    how = (
        "with an ally"
        if with_ally
        else _after_exchange(r.of(bid, "cards_asked"))
        if r.of(bid, "exchange")
        else "alone"
    )
    goal = {"at_least": number(r.of(bid, "tricks")), "all": "all", "none": "none"}[
        r.of(bid, "goal")
    ]
    by = r.of(bid, "trump_by") if with_ally else "hombre"
    names = {"hombre": "Hombre", "ally": "ally", "hombre_or_ally": "either"}[by]
    cells = [r.title(bid), how, goal, "no trumps" if r.of(bid, "trump") == "none" else names]
    if paid:
        cells.append(short_units(r, r.amount(f"payments.premium.{bid}")))
    if paid and paying.favoured(r):
        cells.append(short_units(r, r.amount(f"payments.in_favourite.premium.{bid}")))
    return Row(tuple(cells))


def _tricks(r: Reader) -> Iterator[Draft]:
    """Which cards are matadors, what premiers are, and what undertakes the vole."""
    if r.with_("trump", "suit"):
        yield draft("matadors", at_table.top_trumps)
    yield at_table.order(r, "Red cards, the highest first: the small ones run upside down", "red")
    yield draft("premiers", playing.premiers, playing.undertaking)


def _paid(r: Reader) -> Iterator[Draft]:
    yield draft("stake", at_table.ante, at_table.unit)
    yield draft("won", paying.pool_won, paying.payers)
    yield draft("bonus", paying.matadors, paying.first_tricks)


def _lost(r: Reader) -> Iterator[Draft]:
    yield draft("which", playing.remise_and_codille)
    yield draft(
        "cost",
        losing.bearers,
        losing.additions,
        losing.penalty,
        losing.beasts,
        losing.sweep,
        losing.lost_items,
    )
