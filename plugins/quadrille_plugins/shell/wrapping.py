"""Paragraphs in lines that fit a terminal of 80 columns; no name, path or command is broken."""

import re
from collections.abc import Iterator
from textwrap import wrap
from typing import Final

WIDTH: Final = 80
_WORD: Final = re.compile(r"""(?:'[^']*'|"[^"]*"|[^\s'"])+""")
"""A word as a shell reads it; quotes may hold blanks."""


def filled(text: str, indent: int = 0, more: int = 2) -> list[str]:
    """A paragraph in lines: indented, what follows the first line by so much more."""
    begin, then = " " * indent, " " * (indent + more)
    return wrap(
        text,
        WIDTH,
        initial_indent=begin,
        subsequent_indent=then,
        break_long_words=False,
        break_on_hyphens=False,
    )


def listed(rows: list[tuple[str, str]], indent: int = 2) -> Iterator[str]:
    """Names with what they are beside them; below them where a name is long."""
    width = max((len(name) for name, _ in rows if len(name) <= 30), default=0)
    for name, text in rows:
        if len(name) > width:
            yield " " * indent + name
            yield from filled(text, indent + width + 2, 0)
            continue
        lines = filled(text, indent + width + 2, 0) or [""]
        yield (" " * indent + name.ljust(width) + lines[0][indent + width :]).rstrip()
        yield from lines[1:]


def proposed(lead: str, command: str) -> list[str]:
    """A command to be typed behind what leads to it; below it where a line does not hold both."""
    whole = f"{lead} {command}"
    return [whole] if len(whole) <= WIDTH else [*filled(lead), *command_lines(command, 2)]


def command_lines(command: str, indent: int = 0) -> list[str]:
    """A command to be typed, as one line or, where it is too long, in lines behind whose backslash
    a shell reads on."""
    begin, then = " " * indent, " " * (indent + 2)
    if len(begin + command) <= WIDTH:
        return [begin + command]
    first, *rest = _parts(command)
    lines = [begin + first]
    for part in rest:
        if len(f"{lines[-1]} {part} \\") <= WIDTH:
            lines[-1] += f" {part}"
        else:
            lines[-1] += " \\"
            lines.append(then + part)
    return lines


def _parts(command: str) -> list[str]:
    """The words of a command, each option together with its value."""
    parts: list[str] = []
    for word in _WORD.findall(command):
        if (
            parts
            and parts[-1].startswith("--")
            and " " not in parts[-1]
            and not word.startswith("-")
        ):
            parts[-1] += f" {word}"
        else:
            parts.append(word)
    return parts
