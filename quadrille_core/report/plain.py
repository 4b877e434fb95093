"""Long tables as plain lines: laid out as rich lays them out, a hundred times as fast.

Rich measures and wraps every cell as styled text, half a millisecond for a row.  Here it is asked for the widths of
the columns alone, by a table of the longest cells; only cells that do not fit are wrapped, by rich's own rule.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table as RichTable

LONG: Final = 200
"""Rows from which on a table is laid out here."""
_PAD: Final = 1
"""Blanks on either side of a cell, but for the outer sides of a table."""
_RULE: Final = "─"


def longest(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """For each column the cell with the longest line."""
    cells = zip(*rows, strict=True) if rows else ([""] for _ in columns)
    return [max(column, key=_widest) for column in cells]


@lru_cache(4096)
def _widest(cell: str) -> int:
    from rich.cells import cell_len

    return max((cell_len(line) for line in cell.split("\n")), default=0)


def table_lines(
    console: "Console", table: "RichTable", columns: Sequence[str], rows: Sequence[Sequence[str]]
) -> Iterator[str]:
    """The lines of a table of text, without blanks at their ends.

    ``table`` is the table as rich has it, with a row of the ``longest`` cells; its columns say how they are aligned,
    and whether they are broken.
    """
    # Widths are those of cells with their padding, which the first has on its right and the last on its left alone.
    room = console.options.update(max_width=console.options.max_width - table._extra_width)
    widths = table._calculate_column_widths(console, room)
    last = len(columns) - 1
    inner = [width - _PAD * ((i > 0) + (i < last)) for i, width in enumerate(widths)]
    right = [column.justify == "right" for column in table.columns]
    whole = [column.no_wrap for column in table.columns]
    before = [" " * _PAD * (i > 0) for i in range(len(columns))]
    after = [" " * _PAD * (i < last) + " " * (i < last) for i in range(len(columns))]

    def lines(row: Sequence[str], *, low: bool = False) -> Iterator[str]:
        cells = [_cell(console, cell, width, r, w) for cell, width, r, w in zip(row, inner, right, whole, strict=True)]
        height = max(len(cell) for cell in cells)
        if low:  # headings stand at the foot of their line
            cells = [(" " * width,) * (height - len(cell)) + cell for cell, width in zip(cells, inner, strict=True)]
        for n in range(height):
            parts = (
                b + (cell[n] if n < len(cell) else " " * width) + a
                for b, cell, width, a in zip(before, cells, inner, after, strict=True)
            )
            yield "".join(parts).rstrip()

    yield from lines(columns, low=True)
    yield _RULE * (sum(widths) + last)
    for row in rows:
        yield from lines(row)


def _cell(console: "Console", cell: str, width: int, right: bool, whole: bool) -> tuple[str, ...]:
    """A cell broken into lines of exactly ``width``."""
    return _simple_cell(cell, width, right, whole) or _wrapped(console, cell, width, right, whole)


@lru_cache(4096)
def _simple_cell(cell: str, width: int, right: bool, whole: bool) -> tuple[str, ...]:
    """The same for characters that are each one column wide; empty where one is not, or a word does not fit."""
    from rich.cells import cell_len

    found = []
    for line in cell.split("\n"):
        if cell_len(line) != len(line) or (len(line) > width and (whole or "  " in line or line != line.strip())):
            return ()
        for text in [line] if len(line) <= width else _broken(line, width):
            if len(text) > width:
                return ()
            found.append(text.rstrip().rjust(width) if right else text.ljust(width))
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
