"""A record of its own file, or in a line of a file of JSON lines, such as `deal --out` writes."""

import json
import os
import stat
import sys
from pathlib import Path
from typing import IO, Any, Final

from quadrille_core.errors import (
    Command,
    Option,
    Phrase,
    Place,
    UnreadableError,
    UsageError,
)
from quadrille_core.files import note_read
from quadrille_core.profile import RECORD_LIMITS, load_file, load_text
from quadrille_plugins.output.commands import read_input

MOST: Final = RECORD_LIMITS.bytes
"""Bytes of a record, at most."""


def read_record(name: str, number: int | None) -> Any:
    """The record in a file, or in its line of that number, as located values; ``-`` is standard
    input.

    Raises UnreadableError for a file of several records where no line is named, and UsageError for
    a line that it does not have.
    """
    if name == "-":
        return _from_input(number)
    try:
        regular = stat.S_ISREG(os.stat(name).st_mode)
    except (OSError, ValueError):
        regular = False
    if not regular:
        return load_file(Path(name), limits=RECORD_LIMITS)  # says why it cannot be read
    note_read(name)
    try:
        with open(name, "rb") as file:
            if number is not None:
                return _line(file, name, number)
            if _several(file.readline(MOST), file.read(MOST)):
                raise _not_one(name)
    except OSError:
        pass
    return load_file(Path(name), limits=RECORD_LIMITS)


def _from_input(number: int | None) -> Any:
    if sys.stdin is None or not hasattr(sys.stdin, "buffer"):
        return read_input("-")
    if number is not None:
        return _line(sys.stdin.buffer, "-", number)
    text = sys.stdin.buffer.read(MOST + 1)
    first, _, rest = text.partition(b"\n")
    if _several(first, rest):
        raise _not_one("-")
    return load_text(text, "<stdin>", limits=RECORD_LIMITS)


def _several(first: bytes, rest: bytes) -> bool:
    """Whether a line is a whole JSON object and something stands after it."""
    try:
        return bool(rest.strip()) and isinstance(json.loads(first), dict)
    except (ValueError, RecursionError):
        return False


def _not_one(name: str) -> UnreadableError:
    line = Option("line", "1")
    how = Phrase("one-by-its-line", {"line": line})
    if name != "-":
        how = Phrase(
            "one-by-its-line-typed", {"replay": Command("deal", (), (Option("replay", name), line))}
        )
    return UnreadableError.of("many-records", how, place=Place("<stdin>" if name == "-" else name))


def _line(file: IO[bytes], name: str, number: int) -> Any:
    """The record in a line; what stands before it is read and forgotten."""
    place = "<stdin>" if name == "-" else name
    line, at = b"", 0
    while at < number:
        line = file.readline(MOST + 1)
        if not line:
            have = f"{at} line{'' if at == 1 else 's'}"
            raise UsageError(
                f"{place} has {have}, and no line {number}",
                help=Phrase("the-last-is-option", {"option": Option("line", str(at))})
                if at
                else "",
            )
        if len(line) > MOST:
            break  # not one of our records, which load_text says
        at += 1
    return load_text(line.rstrip(), f"{place} (line {number})", limits=RECORD_LIMITS)
