"""A rulebook as data: sections, paragraphs and sentences, each with the leaves that its text was
written from.

Writers see the rules through ``Reader``, which records what they read.  A sentence *rests on* every
leaf that was read while it was written; it *cites* those that it states, as opposed to those that a
sentence merely has to know, such as whether a bid is played at all or what a unit is.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from quadrille_core.frozen import frozen
from quadrille_core.vocabulary import parse_amount

Part = Callable[["Reader"], "str | Row"]
"""Writes one piece of a paragraph; the empty text where there is nothing to say."""


@frozen
class Row:
    """A row of a table: its cells, the first of which heads it."""

    cells: tuple[str, ...]


@frozen
class Sentence:
    """A piece of text that is written, cited and compared as one."""

    key: str
    text: str
    cells: tuple[str, ...] = ()
    """Where the piece is a row of a table."""
    cites: frozenset[str] = frozenset()
    rests_on: frozenset[str] = frozenset()


@frozen
class Paragraph:
    """Sentences in a row, or a table with its columns and title."""

    key: str
    sentences: tuple[Sentence, ...]
    rests_on: frozenset[str]
    head: str = ""
    """A word or two in bold before the text, or the title of the table."""
    columns: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """All of it in one line."""
        rows = (" | ".join(s.cells) if s.cells else s.text for s in self.sentences)
        return " ".join(filter(None, (self.head, *self.columns, *rows)))


@frozen
class Section:
    """A heading and what stands below it."""

    key: str
    title: str
    paragraphs: tuple[Paragraph, ...]


@frozen
class Draft:
    """A paragraph to be written: its parts by key, in order."""

    key: str
    parts: tuple[tuple[str, Part], ...]
    head: str = ""
    columns: tuple[str, ...] = ()


@dataclass
class Reader:
    """The rules as plain values by path, which records what is read of them."""

    values: Mapping[str, Any]
    cited: set[str] = field(default_factory=set)
    known: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Find the bids and the blocks once."""
        self._blocks = {
            path[:at] for path in self.values for at, sign in enumerate(path) if sign == "."
        }
        self._named = [
            p.split(".")[1] for p in self.values if p.startswith("bids.") and p.endswith(".title")
        ]

    def __call__(self, path: str) -> Any:
        """The value of a rule that the text states; None where the rules have no such rule."""
        self.cited.add(path)
        return self.values.get(path)

    def knows(self, path: str) -> Any:
        """The value of a rule that the text depends on and does not itself state."""
        self.known.add(path)
        return self.values.get(path)

    def elsewhere(self, say: Callable[["Reader"], Any]) -> Any:
        """What is said in another place: this sentence depends on all that is read for it, and
        states none of it."""
        cited = set(self.cited)
        found = say(self)
        self.known |= self.cited - cited
        self.cited = cited
        return found

    def amount(self, path: str) -> Fraction:
        """The amount that a rule sets; zero where there is none."""
        value = self(path)
        return parse_amount(value) if value is not None else Fraction(0)

    def below(self, prefix: str) -> bool:
        """Whether the rules have anything below that path."""
        return prefix in self._blocks

    def own_records(self, kind: str) -> list[str]:
        """Where plugins keep records of a kind."""
        return [p for p in self.values if p.count(".") == 1 and p.endswith(f".{kind}")]

    def took(self) -> tuple[frozenset[str], frozenset[str]]:
        """What was cited and what was known since this was last asked."""
        found = frozenset(self.cited), frozenset(self.known)
        self.cited, self.known = set(), set()
        return found

    # --- bids ------------------------------------------------------------------------------------

    def bid(self, bid: str, leaf: str) -> Any:
        """A rule of one bid, stated."""
        return self(f"bids.{bid}.{leaf}")

    def of(self, bid: str, leaf: str) -> Any:
        """A rule of one bid, known."""
        return self.knows(f"bids.{bid}.{leaf}")

    def title(self, bid: str) -> str:
        """What the bid is called."""
        return str(self.of(bid, "title"))

    def named(self) -> list[str]:
        """Every bid of the rules, played or not."""
        return self._named

    def ladder(self) -> list[str]:
        """The bids made in turn, lowest first."""
        return sorted(
            (b for b in self.named() if self.of(b, "made") == "in_turn"),
            key=lambda b: self.of(b, "rank"),
        )

    def forced(self) -> str | None:
        """The bid that falls on someone when all pass."""
        if self.knows("auction.all_pass") != "forced_bid":
            return None
        return next((b for b in self.named() if self.of(b, "made") == "when_all_pass"), None)

    def played(self) -> list[str]:
        """Every bid that can become the game, the forced one first."""
        forced = self.forced()
        return ([forced] if forced else []) + self.ladder()

    def with_(self, leaf: str, *values: Any) -> list[str]:
        """The bids that are played and have one of these values."""
        return [b for b in self.played() if self.of(b, leaf) in values]

    def calling(self) -> list[str]:
        """The bids at which a card is called."""
        return [
            b for b in self.played() if self.of(b, "partner") == "called" or self.of(b, "exchange")
        ]

    def allied(self) -> list[str]:
        """The bids that are played with an ally."""
        return self.with_("partner", "called")

    def points(self) -> bool:
        """Whether points are written instead of counters being paid."""
        return bool(self.knows("score.kept") == "points")


def draft(key: str, *parts: Part, head: str = "", columns: Iterable[str] = ()) -> Draft:
    """A paragraph of these writers, each under its own name."""
    named = []
    for part in parts:
        name = getattr(part, "__name__", "") or part.func.__name__  # type: ignore[attr-defined]
        given = ".".join(str(a) for a in getattr(part, "args", ()) if not isinstance(a, Mapping))
        named.append((f"{name}.{given}" if given else name, part))
    return Draft(key, tuple(named), head, tuple(columns))


def write(reader: Reader, drafts: Iterator[Draft]) -> tuple[Paragraph, ...]:
    """The paragraphs of a section; those that come out empty are left out."""
    found = []
    chosen: frozenset[str] = frozenset()  # what decided which paragraphs there are
    reader.took()
    for one in drafts:
        chosen = chosen.union(*reader.took())
        rests, sentences = chosen, []
        for key, part in one.parts:
            made = part(reader)
            cites, known = reader.took()
            rests |= cites | known
            if isinstance(made, Row):
                sentences.append(Sentence(key, "", made.cells, cites, cites | known))
            elif made:
                sentences.append(Sentence(key, made, (), cites, cites | known))
        if sentences:
            found.append(Paragraph(one.key, tuple(sentences), rests, one.head, one.columns))
    return tuple(found)
