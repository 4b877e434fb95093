"""What blocks of a study are: sessions in a row, laid out by the design alone."""

from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from typing import Final

from quadrille_core.frozen import frozen
from quadrille_plugins.studies.runner.plain import ASIDE

BLOCKS: Final = 64
"""Blocks that a large study has, at least."""
MOST_WORK: Final = 80_000
"""Deals of a block by the fast engine, at most, counted under each rule set: some tenths of a
second."""
FEWEST_WORK: Final = 1_280
"""The same where there is work for several: less is not worth sharing out."""
LISTED_WORK: Final = 10_000
"""The most where every deal is listed in a table: rows wait for their turn."""
SLOW_WORK: Final = 160
"""The most by the readable engine: about half a second."""


@frozen
class Sessions:
    """Sessions ``first`` and following, of ``lengths`` planned deals each.

    ``others`` are the rule sets played besides the first, ``table`` the players of a family, each
    by their places.
    """

    first: int
    lengths: tuple[int, ...]
    others: tuple[int, ...] = ()
    table: int = 0

    @property
    def units(self) -> int:
        """How many sessions."""
        return len(self.lengths)

    def holds(self, session: int, deal: int) -> bool:
        """Whether a deal belongs to these sessions."""
        place = session - self.first
        return 0 <= place < len(self.lengths) and 0 <= deal < self.lengths[place]

    def cut(self, units: int) -> "Sessions":
        """The first of them alone."""
        return replace(self, lengths=self.lengths[:units])

    def __str__(self) -> str:
        """In words."""
        last = self.first + len(self.lengths) - 1
        return f"sessions {self.first} to {last}" if self.lengths[1:] else f"session {self.first}"


@frozen
class Numbered:
    """Units ``first`` and following, ``count`` of them, such as deals or games."""

    first: int
    count: int
    what: str = field(default="units", metadata={ASIDE: True})

    @property
    def units(self) -> int:
        """How many."""
        return self.count

    @property
    def numbers(self) -> range:
        """The number of each."""
        return range(self.first, self.first + self.count)

    def cut(self, units: int) -> "Numbered":
        """The first of them alone."""
        return Numbered(self.first, units, self.what)

    def __str__(self) -> str:
        """In words."""
        return f"{self.what} {self.first} to {self.first + self.count - 1}"


def numbered(many: int, size: int, what: str) -> Iterator[Numbered]:
    """So many units in blocks of ``size``."""
    return (Numbered(first, min(size, many - first), what) for first in range(0, many, size))


def block_size(
    sessions: int, longest: int, rule_sets: int, *, slow: bool, listed: bool = False
) -> int:
    """Sessions of a block: by the work there is, never by who does it, so that a study has the same
    blocks anywhere.

    ``slow``: by the readable engine; ``listed``: with a row for every deal.
    """
    work = longest * rule_sets
    if slow:
        return max(1, min(sessions // BLOCKS, SLOW_WORK // work))
    most = (LISTED_WORK if listed else MOST_WORK) // work
    fewest = -(-FEWEST_WORK // work)
    return max(1, min(max(sessions // BLOCKS, min(fewest, sessions // 2)), most))


def in_blocks(
    lengths: Sequence[int], size: int, *, first: int = 0, others: Sequence[int] = (), table: int = 0
) -> Iterator[Sessions]:
    """Sessions ``first`` and following in blocks of ``size``; the last may be smaller."""
    for start in range(0, len(lengths), size):
        yield Sessions(first + start, tuple(lengths[start : start + size]), tuple(others), table)
