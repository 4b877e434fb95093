"""Paragraphs in lines that fit a terminal of 80 columns; no name, path or command is broken."""

from textwrap import wrap
from typing import Final

WIDTH: Final = 80


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
