"""Tables of thousands of rows as plain lines: laid out as rich lays them out, a hundred times as fast.

Rich measures and wraps every cell as styled text, half a millisecond for a row.  Here it is asked for the widths of
the columns alone, by a table of the longest cells; only cells that do not fit are wrapped, by rich's own rule.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
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
"""A line of characters that are each one column wide, which covers nearly all; others are measured by rich."""


@dataclass(frozen=True, slots=True)
class LongTable(Table):
    """A table that may have thousands of rows."""

    def lines(self, console: "Console", table: "RichTable", rows: Sequence[Sequence[str]]) -> Iterator[str] | None:
        """See ``report.blocks.Table``."""
        if len(rows) <= LONG:
            return None
        table.add_row(*(max(column, key=_widest) for column in zip(*rows, strict=True)))
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

    ``table`` is the table as rich has it, with one row, of the longest cells; its columns say how they are aligned,
    and whether they are broken.
    """
    # Widths are those of cells with their padding, which the first has on its right and the last on its left alone.
    room = console.options.update(max_width=console.options.max_width - table._extra_width)
    widths = table._calculate_column_widths(console, room)
    last = len(columns) - 1
    inner = [width - _PAD * ((i > 0) + (i < last)) for i, width in enumerate(widths)]
    right = [column.justify == "right" for column in table.columns]
    whole = [column.no_wrap for column in table.columns]
    # Each column with what stands around it: the first has no blank before it, the last none behind.
    kinds = [(w, " " * _PAD * (i > 0), " " * (_PAD + 1) * (i < last)) for i, w in enumerate(inner)]
    blank = [before + " " * width + after for width, before, after in kinds]

    def lines(row: Sequence[str], *, low: bool = False) -> Iterator[str]:
        cells = [_cell(console, cell, *kind, r, w) for cell, kind, r, w in zip(row, kinds, right, whole, strict=True)]
        height = max(map(len, cells))
        if height == 1:
            yield "".join([cell[0] for cell in cells]).rstrip()
            return
        for i, cell in enumerate(cells):
            if missing := (blank[i],) * (height - len(cell)):
                cells[i] = missing + cell if low else cell + missing  # headings stand at the foot of their line
        for parts in zip(*cells, strict=True):
            yield "".join(parts).rstrip()

    yield from lines(columns, low=True)
    yield _RULE * (sum(widths) + last)
    for row in rows:
        yield from lines(row)


def _cell(
    console: "Console", cell: str, width: int, before: str, after: str, right: bool, whole: bool
) -> tuple[str, ...]:
    """A cell broken into lines of exactly ``width``, with what stands around it."""
    return _simple_cell(cell, width, before, after, right, whole) or tuple(
        before + line + after for line in _wrapped(console, cell, width, right, whole)
    )


@lru_cache(4096)
def _simple_cell(cell: str, width: int, before: str, after: str, right: bool, whole: bool) -> tuple[str, ...]:
    """The same for characters that are each one column wide; empty where one is not, or a word does not fit."""
    found = []
    for line in cell.split("\n"):
        if not _NARROW.fullmatch(line) or (len(line) > width and (whole or "  " in line or line != line.strip())):
            return ()
        for text in [line] if len(line) <= width else _broken(line, width):
            if len(text) > width:
                return ()
            found.append(before + (text.rstrip().rjust(width) if right else text.ljust(width)) + after)
    return tuple(found)


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


def _wrapped(console: "Console", cell: str, width: int, right: bool, whole: bool) -> tuple[str, ...]:
    from rich.cells import set_cell_size
    from rich.text import Text

    lines = Text(cell).wrap(console, width, justify="right" if right else "left", overflow="fold", no_wrap=whole)
    return tuple(set_cell_size(line.plain, width) for line in lines)
