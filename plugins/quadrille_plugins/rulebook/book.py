"""A rulebook as data: sections, paragraphs and sentences, each with the leaves that it states.

A writer is a generator over a ``Reader``: it yields the head of a paragraph, then its sentences or
rows by key.  A sentence *cites* the leaves that were read as stated since the last one; what it
merely has to know, such as whether a bid is played at all, is not cited.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from quadrille_core.engine.amounts import adds_to_pool
from quadrille_core.engine.terms import in_points, may_announce_vole
from quadrille_core.rules import Rules
from quadrille_core.vocabulary import build, parse_amount

Cells = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Head:
    """The beginning of a paragraph, or of a table where it has columns."""

    key: str
    head: str = ""
    """A word or two in bold before the text, or the title of the table."""
    columns: Cells = ()


Said = Head | tuple[str, str | Cells]
Texts = Iterator[Said]
"""Heads, each with what stands below it: a key with a sentence, or with the cells of a row."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A piece of text that is written, cited and compared as one."""

    key: str
    text: str
    cells: Cells
    """Where the piece is a row of a table."""
    cites: frozenset[str]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Sentences in a row, or a table with its columns and title."""

    key: str
    head: str
    columns: Cells
    sentences: tuple[Sentence, ...]

    @property
    def text(self) -> str:
        """All of it in one line."""
        rows = (" | ".join(s.cells) if s.cells else s.text for s in self.sentences)
        return " ".join(filter(None, (self.head, *self.columns, *rows)))


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what stands below it."""

    key: str
    title: str
    paragraphs: tuple[Paragraph, ...]


class Reader:
    """The rules as plain values by path, which records what is stated of them."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.values = values
        self.cited: set[str] = set()

    @cached_property
    def rules(self) -> Rules:
        """The same rules as the engine has them, of which nothing is recorded."""
        return build(self.values)

    def __call__(self, path: str) -> Any:
        """The value of a rule that the text states; None where the rules have no such rule."""
        self.cited.add(path)
        return self.values.get(path)

    def knows(self, path: str) -> Any:
        """The value of a rule that the text depends on and does not itself state."""
        return self.values.get(path)

    def amount(self, path: str) -> Fraction:
        """The amount that a rule sets, stated; zero where there is none."""
        value = self(path)
        return parse_amount(value) if value is not None else Fraction(0)

    def is_paid(self, path: str) -> bool:
        """Whether anything is paid there, in favourite or out of it."""
        paths = (f"{table}.{path}" for table in self.tables)
        return any(self.knows(one) not in (None, 0) for one in paths)

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

    @cached_property
    def ladder(self) -> list[str]:
        """The bids made in turn, lowest first."""
        return [name for name, _ in self.rules.ladder()]

    @cached_property
    def forced(self) -> str | None:
        """The bid that falls on someone when all pass."""
        forced = self.rules.forced_bid()
        return forced[0] if forced else None

    @cached_property
    def played(self) -> list[str]:
        """Every bid that can become the game, the forced one first."""
        return ([self.forced] if self.forced else []) + self.ladder

    def with_(self, leaf: str, *values: Any) -> list[str]:
        """The bids that are played and have one of these values."""
        return [b for b in self.played if self.of(b, leaf) in values]

    @cached_property
    def allied(self) -> list[str]:
        """The bids that are played with an ally."""
        return self.with_("partner", "called")

    @cached_property
    def undertaken(self) -> list[str]:
        """The bids at which the vole may be undertaken in the play."""
        if self.knows("premiers.tricks") >= self.knows("table.hand_cards"):
            return []
        return [b for b in self.with_("may_undertake_vole", True) if not self.of(b, "is_vole")]

    @cached_property
    def before_lead(self) -> list[str]:
        """The bids at which the Hombre may announce the vole when the auction is over."""
        return [b for b in self.played if may_announce_vole(self.rules, self.rules.bids.of(b))]

    @cached_property
    def announcing(self) -> list[str]:
        """The bids at which the vole can be announced."""
        return [
            b
            for b in self.played
            if self.of(b, "is_vole")
            or (self.of(b, "made") == "in_turn" and self.of(b, "vole_with_bid") != "none")
            or b in self.before_lead
        ]

    @cached_property
    def voles(self) -> list[tuple[str, str]]:
        """The ways in which a vole can be played for, with their bids."""
        revealed = [b for b in self.ladder if self.of(b, "vole_with_bid").endswith("revealed")]
        return [
            *(("undertaken", b) for b in self.undertaken),
            *(("announced", b) for b in self.announcing),
            *(("revealed", b) for b in revealed),
        ]

    # --- payments --------------------------------------------------------------------------------

    @cached_property
    def points(self) -> bool:
        """Whether points are written instead of counters being paid."""
        return in_points(self.rules)

    @cached_property
    def tables(self) -> Cells:
        """The tables of payments that are used: out of favourite, and in it if it has its own."""
        if (
            self.knows("favourite.source") != "none"
            and any(path.startswith("payments.in_favourite.") for path in self.values)
            and self.with_("trump", "suit")
        ):
            return "payments", "payments.in_favourite"
        return ("payments",)

    @cached_property
    def beasts_of_pool(self) -> bool:
        """Whether a beast is as large as the stake."""
        return bool(self.knows("loss.beast_size") == "of_pool")

    @cached_property
    def losses_add(self) -> bool:
        """Whether a lost game adds anything to a pool."""
        return not self.points and adds_to_pool(self.rules)


Writer = Callable[[Reader], Texts]


def write(reader: Reader, said: Texts) -> tuple[Paragraph, ...]:
    """The paragraphs of a section; those that come out empty are left out."""
    found: list[tuple[Head, list[Sentence]]] = []
    for one in said:
        cites = frozenset(reader.cited)
        reader.cited.clear()
        if isinstance(one, Head):
            found.append((one, []))
        elif isinstance(one[1], tuple):
            found[-1][1].append(Sentence(one[0], "", one[1], cites))
        elif one[1]:
            found[-1][1].append(Sentence(one[0], one[1], (), cites))
    return tuple(
        Paragraph(head.key, head.head, head.columns, tuple(sentences))
        for head, sentences in found
        if sentences
    )
