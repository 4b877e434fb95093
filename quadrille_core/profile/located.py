"""Values that know where they stand: what the YAML parser hands to all others.

A file becomes a tree of three kinds of node.  Each knows its line and column (from 1); a mapping
also knows where its keys stand, because a fault is often the key's and not the value's.  The depth
of a tree is bounded when it is built, so walking one by recursion is safe.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from re import compile as _compile
from typing import Any, Final

from quadrille_core.diagnostics import Place, kind_of, shown
from quadrille_core.frozen import frozen

__all__ = [
    "Located",
    "LocatedList",
    "LocatedMap",
    "Mark",
    "Node",
    "Path",
    "SourceText",
    "Step",
    "kind_of",
    "place_at",
    "shown",
]

Step = str | int
Path = Sequence[Step]

LONGEST_LINE: Final = 4000
"""A longer line is not given to messages: nobody would read it, and two hundred faults would each
comb through it."""

_BREAK: Final = _compile(r"\r\n|\n|\r")


class SourceText:
    """The text of one file under the name messages call it by; its lines are cut on first need."""

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.text = text

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the file without their line breaks."""
        return _BREAK.split(self.text)

    def place(self, line: int, col: int) -> Place:
        """The place of that line and column, with the text of its line if it is not too long; line
        0 is the file."""
        text = self.lines[line - 1] if 0 < line <= len(self.lines) else ""
        return Place(self.name, line, col if line else 0, text if len(text) <= LONGEST_LINE else "")

    def place_of(self, offset: int) -> Place:
        """The place of a character by its offset in the text."""
        before = _BREAK.split(self.text[:offset])
        return self.place(len(before), len(before[-1]) + 1)


@frozen
class Mark:
    """A line and a column, both from 1."""

    line: int
    col: int


class _Placed:
    """What stands in a file."""

    __slots__ = ()
    source: SourceText
    mark: Mark

    @property
    def place(self) -> Place:
        """Where the value begins."""
        return self.source.place(self.mark.line, self.mark.col)


@dataclass(frozen=True, slots=True, eq=False)
class Located(_Placed):
    """A scalar (text, integer, boolean or nothing) and its position."""

    value: str | int | bool | None
    source: SourceText
    mark: Mark

    def to_plain(self) -> Any:
        """The bare value."""
        return self.value


@dataclass(frozen=True, slots=True, eq=False)
class LocatedList(_Placed):
    """A list of nodes and where it begins."""

    items: list["Node"]
    source: SourceText
    mark: Mark

    def to_plain(self) -> list[Any]:
        """The list as plain data."""
        return [item.to_plain() for item in self.items]

    def __iter__(self) -> Iterator["Node"]:
        """The items in order."""
        return iter(self.items)

    def __len__(self) -> int:
        """How many items the list has."""
        return len(self.items)


@dataclass(frozen=True, slots=True, eq=False)
class LocatedMap(_Placed):
    """A mapping from words to nodes, in the order of the file, with the place of every key."""

    entries: dict[str, "Node"]
    source: SourceText
    mark: Mark
    keys: dict[str, Mark] = field(default_factory=dict)

    def key_place(self, key: str) -> Place:
        """The position of a key, or of the mapping when it lacks the key."""
        mark = self.keys.get(key, self.mark)
        return self.source.place(mark.line, mark.col)

    def get(self, key: str) -> "Node | None":
        """The value of a key; None for a missing key."""
        return self.entries.get(key)

    def items(self) -> Iterator[tuple[str, "Node"]]:
        """Pairs of key and value, in order."""
        return iter(self.entries.items())

    def __contains__(self, key: object) -> bool:
        """Whether the mapping has that key."""
        return key in self.entries

    def __len__(self) -> int:
        """How many keys the mapping has."""
        return len(self.entries)

    def to_plain(self) -> dict[str, Any]:
        """The mapping as plain data."""
        return {key: value.to_plain() for key, value in self.entries.items()}


Node = Located | LocatedMap | LocatedList


def _child(node: Node, step: Step) -> Node | None:
    if isinstance(node, LocatedMap):
        return node.entries.get(step) if isinstance(step, str) else None
    if isinstance(node, LocatedList) and isinstance(step, int) and 0 <= step < len(node.items):
        return node.items[step]
    return None


def place_at(root: Node, path: Path, *, key: bool = False) -> Place:
    """Where the value at a path begins, or (``key``) the key that leads to it.

    A path that leads nowhere gives the place of the last node it passes: what is missing is missing
    there.
    """
    node, parent, last = root, root, None
    for step in path:
        child = _child(node, step)
        if child is None:
            return node.place
        parent, node, last = node, child, step
    if key and isinstance(parent, LocatedMap) and isinstance(last, str):
        return parent.key_place(last)
    return node.place
