"""Rows as CSV: no cell is taken for a formula by a spreadsheet."""

import csv
import io
import re
from collections.abc import Sequence
from typing import Final


def csv_text(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """CSV with a heading line, lines ended by a newline; values as they stand, but for text like a
    formula."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(harmless_row(columns))
    writer.writerows(harmless_row(row) for row in rows)
    return buffer.getvalue()


_LEADS: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""What a formula begins with in some spreadsheet or other, the wide forms too."""
_NUMBER: Final = re.compile(r"[+-]?\d+(\.\d+)?(e[+-]?\d+)?(/\d+)?", re.ASCII)


def harmless(value: object) -> object:
    """The value as a cell: numbers as they are, also in text; other text that may be a formula
    after an apostrophe.

    A carriage return becomes a newline, which alone is quoted: unquoted it would begin another row.
    """
    if not isinstance(value, str):
        return value
    text = value.replace("\r\n", "\n").replace("\r", "\n") if "\r" in value else value
    return f"'{text}" if text.startswith(_LEADS) and not _NUMBER.fullmatch(text) else text


def harmless_row(row: Sequence[object]) -> list[object]:
    """A row of such cells."""
    return [harmless(value) for value in row]
