"""Tables of thousands of rows as plain lines: laid out as rich lays them out, a hundred times as
fast.

Rich measures and wraps every cell as styled text, half a millisecond for a row.  Here it is asked
for the widths of the columns alone, by a table of the longest cells; only cells that do not fit are
wrapped, by rich's own rule.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from quadrille_core.report.blocks import Table

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table as RichTable

LONG: Final = 200
"""Rows from which on a table is laid out here."""
_PAD: Final = 1
"""Blanks on either side of a cell, but for the outer sides of a table."""
_RULE: Final = "─"
_NARROW: Final = re.compile("[ -~\xa1-\xac\xae-\u02ff\u2013\u2192\u2212]*")
"""A line of characters that are each one column wide, which covers nearly all; others are measured
by rich."""


@dataclass(frozen=True, slots=True)
class LongTable(Table):
    """A table that may have thousands of rows."""

    def lines(
        self, console: "Console", table: "RichTable", rows: Sequence[Sequence[str]]
    ) -> Iterator[str] | None:
        """See ``report.blocks.Table``."""
        if len(rows) <= LONG:
            return None
        table.add_row(
            *(max(dict.fromkeys(column), key=_widest) for column in zip(*rows, strict=True))
        )
        return table_lines(console, table, self.columns, rows)


def _widest(cell: str) -> int:
    if _NARROW.fullmatch(cell):
        return len(cell)
    from rich.cells import cell_len

    return max(cell_len(line) for line in cell.split("\n"))


def table_lines(
    console: "Console", table: "RichTable", columns: Sequence[str], rows: Sequence[Sequence[str]]
) -> Iterator[str]:
    """The lines of a table of text, without blanks at their ends.

    ``table`` is the table as rich has it, with one row, of the longest cells; its columns say how
    they are aligned, and whether they are broken.
    """
    # Widths are those of cells with their padding, which the first has on its right and the last on
    # its left alone.
    available = console.options.update(max_width=console.options.max_width - table._extra_width)
    widths = table._calculate_column_widths(console, available)
    last = len(columns) - 1
    inner = [width - _PAD * ((i > 0) + (i < last)) for i, width in enumerate(widths)]
    right = [column.justify == "right" for column in table.columns]
    whole = [column.no_wrap for column in table.columns]
    # Each column with what stands around it: the first has no blank before it, the last none
    # behind.
    laid = [
        _Column(console, w, " " * _PAD * (i > 0), " " * (_PAD + 1) * (i < last), right[i], whole[i])
        for i, w in enumerate(inner)
    ]
    blank = [column.broken("")[0] for column in laid]
    heading = [column.broken(name) for column, name in zip(laid, columns, strict=True)]
    height = max(map(len, heading))  # headings stand at the foot of their line
    yield from _across(
        [(b,) * (height - len(cell)) + cell for b, cell in zip(blank, heading, strict=True)], blank
    )
    yield _RULE * (sum(widths) + last)
    cells = [column.all(part) for column, part in zip(laid, zip(*rows, strict=True), strict=True)]
    for row in zip(*cells, strict=True):
        yield from _across(row, blank)


def _across(cells: Sequence[tuple[str, ...]], blank: Sequence[str]) -> Iterator[str]:
    """The lines of one row, whose cells may be of several lines each."""
    height = max(map(len, cells))
    if height == 1:
        yield "".join([cell[0] for cell in cells]).rstrip()
        return
    for i in range(height):
        yield "".join(
            [cell[i] if i < len(cell) else b for cell, b in zip(cells, blank, strict=True)]
        ).rstrip()


@dataclass(frozen=True, slots=True)
class _Column:
    """A column of so many characters, with what stands around its cells."""

    console: "Console"
    width: int
    before: str
    after: str
    right: bool
    whole: bool

    def all(self, cells: Sequence[str]) -> list[tuple[str, ...]]:
        """Every cell broken; most columns say the same few things many times."""
        known: dict[str, tuple[str, ...]] = {}
        return [known.get(cell) or known.setdefault(cell, self.broken(cell)) for cell in cells]

    def broken(self, cell: str) -> tuple[str, ...]:
        """A cell broken into lines of exactly the column's width."""
        if len(cell) <= self.width and cell.isascii() and cell.isprintable():
            line = cell.rstrip().rjust(self.width) if self.right else cell.ljust(self.width)
            return (self.before + line + self.after,)
        simple = _simple_cell(cell, self.width, self.right, self.whole)
        lines = simple or _wrapped(self.console, cell, self.width, self.right, self.whole)
        return tuple([self.before + line + self.after for line in lines])


def _simple_cell(cell: str, width: int, right: bool, whole: bool) -> list[str]:
    """The same for characters that are each one column wide; empty where one is not, or a word does
    not fit."""
    found = []
    for line in cell.split("\n"):
        if not _NARROW.fullmatch(line) or (
            len(line) > width and (whole or "  " in line or line != line.strip())
        ):
            return []
        for text in [line] if len(line) <= width else _broken(line, width):
            if len(text) > width:
                return []
            found.append(text.rstrip().rjust(width) if right else text.ljust(width))
    return found


def _broken(line: str, width: int) -> list[str]:
    found, at = [], ""
    for word in line.split(" "):
        if at and len(at) + 1 + len(word) <= width:
            at += f" {word}"
        elif at:
            found.append(at)
            at = word
        else:
            at = word
    return [*found, at]


def _wrapped(
    console: "Console", cell: str, width: int, right: bool, whole: bool
) -> tuple[str, ...]:
    from rich.cells import set_cell_size
    from rich.text import Text

    lines = Text(cell).wrap(
        console, width, justify="right" if right else "left", overflow="fold", no_wrap=whole
    )
    return tuple(set_cell_size(line.plain, width) for line in lines)
