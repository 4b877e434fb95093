"""A record of its own file, or in a line of a file of JSON lines, such as `deal --out` writes."""

import sys
from pathlib import Path
from typing import IO, Any, Final

from quadrille_core.errors import (
    Command,
    Option,
    Place,
    UnreadableError,
    UsageError,
)
from quadrille_core.profile import RECORD_LIMITS, load_file, load_text
from quadrille_core.resources import note_read
from quadrille_plugins.shell.options import read_input

MOST: Final = RECORD_LIMITS.bytes
"""Bytes of a record, at most."""


def read_record(name: str, number: int | None) -> Any:
    """The record in a file, or in its line of that number, as located values; ``-`` is standard
    input.

    Raises UnreadableError for a file of JSON lines where no line is named, and UsageError for a
    line that it does not have.
    """
    if number is None and name.endswith(".jsonl"):
        line = Option("line", "1")
        how = Command("deal", (), (Option("replay", name), line), "one-by-its-line")
        raise UnreadableError.of("many-records", how, place=Place(name))
    if number is None or (name == "-" and sys.stdin is None):
        return read_input(name)
    if name == "-":
        return _line(sys.stdin.buffer, name, number)
    note_read(name)
    try:
        with open(name, "rb") as file:
            return _line(file, name, number)
    except OSError:
        return load_file(Path(name), limits=RECORD_LIMITS)  # says why it cannot be read


def _line(file: IO[bytes], name: str, number: int) -> Any:
    """The record in a line; what stands before it is read and forgotten."""
    place = "<stdin>" if name == "-" else name
    line, at = b"", 0
    while at < number:
        line = file.readline(MOST + 1)
        if not line:
            lines = f"{at} line{'' if at == 1 else 's'}"
            data: dict[str, Any] = {"file": place, "lines": lines, "number": number}
            if not at:
                raise UsageError.of("no-line-at-all", **data)
            raise UsageError.of("no-such-line", **data, last=Option("line", str(at)))
        if len(line) > MOST:
            break  # not one of our records, which load_text says
        at += 1
    is_part = not line.startswith(b"{") or line.strip() == b"{"
    if is_part and len(line) <= MOST:
        whole = Command("deal", (), (Option("replay", name),))
        raise UsageError.of("no-record-in-line", whole, file=place, number=number)
    return load_text(line.rstrip(), f"{place} (line {number})", limits=RECORD_LIMITS)
