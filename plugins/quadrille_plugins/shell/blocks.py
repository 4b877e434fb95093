"""A report as blocks of text and tables, printed for a person.

Data never passes through rich's markup, which would eat square brackets.  Off a terminal the width
is fixed, so that the same report is the same bytes anywhere.
"""

import io
import os
import re
import sys
from collections.abc import Iterator, Sequence
from textwrap import fill
from typing import Any, Final, TextIO

from quadrille_core.frozen import frozen
from quadrille_core.harmless import safe
from quadrille_plugins.shell.terminal import beneath

PLAIN_WIDTH: Final = 80


@frozen
class Table:
    """Rows under headings; columns named in ``right`` are aligned to the right."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: frozenset[str] = frozenset()
    whole: frozenset[str] = frozenset({"rule", "deal"})
    """Columns whose cells are not broken where they all fit; no part of a cell is ever left out."""

    def lines(
        self, console: Any, table: Any, rows: Sequence[Sequence[str]]
    ) -> Iterator[str] | None:
        """The lines of a table that lays itself out, from rich's with columns alone; None where
        rich is to do it."""
        del console, table, rows
        return None


@frozen
class Text:
    """A paragraph, printed verbatim."""

    text: str
    strong: bool = False
    on_page: str | None = None
    """What pages say instead, who have no shell; they leave out what is empty."""


Block = Table | Text


def print_blocks(blocks: Sequence[Block], out: TextIO | None = None) -> None:
    """Print to a terminal in its width and colours, elsewhere in a fixed width and none."""
    out = out or sys.stdout
    if out is None:
        raise OSError("standard output is closed")
    out = beneath(out)
    tty = out.isatty()
    if not tty and (text := _plain_text(blocks)) is not None:
        out.write(text)
        return
    from rich.console import Console
    from rich.text import Text as RichText

    buffer = io.StringIO()
    console = Console(
        file=out if tty else buffer,
        width=None if tty else _plain_width(),
        highlight=False,
        legacy_windows=False,
    )
    for number, block in enumerate(blocks):
        if number:
            console.print()
        if isinstance(block, Text):
            console.print(
                RichText(
                    _broken(safe(block.text), console.width), style="bold" if block.strong else ""
                )
            )
            continue
        if block.title:
            console.print(RichText(safe(block.title), style="bold"))
        text = "".join(
            ["".join(row) for row in block.rows]
        )  # of thousands of cells nearly all are safe
        shown = (
            block.rows if safe(text) == text else tuple(tuple(map(safe, row)) for row in block.rows)
        )
        while not _printed(block, shown, console):
            console.width += 20
    if not tty:
        out.write("\n".join(map(str.rstrip, buffer.getvalue().split("\n"))))


def _plain_text(blocks: Sequence[Block]) -> str | None:
    """Paragraphs as rich would print them off a terminal; None where there is a table, or a line
    for rich to break.

    Loading rich costs more than most answers.
    """
    width = _plain_width()
    paragraphs = []
    for block in blocks:
        if not isinstance(block, Text):
            return None
        lines = [line.rstrip() for line in _broken(safe(block.text), width).split("\n")]
        if any(len(line) > width or _NOT_PLAIN.search(line) for line in lines):
            return None
        paragraphs.append("\n".join(lines) + "\n")
    return "\n".join(paragraphs)


_NOT_PLAIN: Final = re.compile(
    r"[^ -~\u00a0-\u02ff\u2010-\u2027\u2190-\u22ff\u2500-\u257f\u2660-\u2667]"
)
"""Characters of which some are not one cell wide."""


def _printed(block: Table, rows: Sequence[Sequence[str]], console: Any) -> bool:
    """Print a table; False where a column came out narrower than one of its characters, which rich
    cannot break."""
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text as RichText

    table = RichTable(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    # rich cuts off what it may not break, where even that does not fit
    whole = [i for i, column in enumerate(block.columns) if column in block.whole]
    needed = sum(
        3 + max(len(line) for row in (block.columns, *rows) for line in row[i].split("\n"))
        for i in whole
    )
    fits = needed + 3 * (len(block.columns) - len(whole)) <= console.width
    widths = _widths(block, rows, console.width)
    for i, column in enumerate(block.columns):
        head = safe(column)
        table.add_column(
            RichText(_broken(head, widths[i], within=True) if widths else head),
            justify="right" if column in block.right else "left",
            overflow="fold",
            width=widths[i] if widths else None,
            no_wrap=fits and column in block.whole,
        )
    try:
        if (lines := block.lines(console, table, rows)) is not None:
            console.file.write("\n".join([*lines, ""]))
            return True
        for row in rows:
            cells = (
                [_broken(cell, width, within=True) for cell, width in zip(row, widths, strict=True)]
                if widths
                else row
            )
            table.add_row(*map(RichText, cells))
        console.print(table)
    except ValueError:
        return False
    return True


def _widths(block: Table, rows: Sequence[Sequence[str]], available: int) -> list[int]:
    """Widths that break no word, or words only within a path, for a table in which rich would break
    one; empty where it breaks none or none fit."""
    columns = list(zip(block.columns, *rows, strict=True))
    widths = [max(len(line) for cell in cells for line in cell.split("\n")) for cells in columns]
    least, parts = (
        [
            wide if c in block.whole else max(len(w) for cell in cells for w in apart.split(cell))
            for wide, cells, c in zip(widths, columns, block.columns, strict=True)
        ]
        for apart in (_WORDS, _PARTS)
    )
    # rich breaks a line at a no-break space, which stands between thousands
    broken = any("\N{NO-BREAK SPACE}" in cell for cells in columns for cell in cells)
    while sum(widths) + 3 * (len(columns) - 1) > available:
        widest = max(
            range(len(widths)), key=lambda i: widths[i] * (block.columns[i] not in block.whole)
        )
        broken |= widths[widest] <= least[widest]
        if not (can := [i for i in range(len(widths)) if widths[i] > least[i]]):
            if least == parts:
                return []
            least = parts
            continue
        widths[max(can, key=widths.__getitem__)] -= 1
    return widths if broken else []


_WORDS: Final = re.compile("[ \n]")
_PARTS: Final = re.compile(r"[ \n]|(?<=[A-Za-z][._-])(?=[A-Za-z])")
"""Where a word may be broken that does not fit: within a path, a rule's or a bid's name."""


def _broken(text: str, width: int, *, within: bool = False) -> str:
    """Lines of that width; a word that does not fit is broken ``within`` a path, or left whole."""
    return "\n".join(
        line
        for whole in text.split("\n")
        for words in fill(whole, width, break_long_words=False, break_on_hyphens=False).split("\n")
        for line in (_in_parts(words, width) if within and len(words) > width else [words])
    )


def _in_parts(word: str, width: int) -> list[str]:
    """A word that does not fit, broken within a path."""
    lines = [""]
    for part in _PARTS.split(word):
        if lines[-1] and len(lines[-1] + part) > width:
            lines.append("")
        lines[-1] += part
    return lines


def _plain_width() -> int:
    columns = os.environ.get("COLUMNS", "")
    return int(columns) if columns.isdigit() and 40 <= int(columns) <= 1000 else PLAIN_WIDTH
