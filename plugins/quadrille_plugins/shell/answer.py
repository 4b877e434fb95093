"""What a command came to, as a record: it is printed, or handed over in Python, by whoever called
the command."""

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from io import StringIO
from typing import Any, Final

import click

from quadrille_core.errors import Command
from quadrille_core.frozen import frozen
from quadrille_plugins.shell.blocks import Block, Text, print_blocks
from quadrille_plugins.shell.cells import csv_text

FORMAT: Final = "quadrille.format"
"""Where the context of a command keeps the format that was asked for."""


Progress = Callable[[int, int], object]
"""Called with how many units are done, and how many there are at most."""
IN_A_SHELL: Final = "__in_a_shell__"
"""The mark of a command that waits for its user."""


@frozen
class Caller:
    """Python, where it calls a command."""

    line: Command
    """What is called, as a shell would call it."""
    progress: Progress | None = None
    text: str | None = None
    """What the command reads instead of standard input."""


def caller() -> Caller | None:
    """Who called the command from Python; None on the command line."""
    context = click.get_current_context(silent=True)
    return None if context is None else context.find_object(Caller)


def _nothing() -> None:
    """What is to be done where nothing is."""


@dataclass(slots=True, kw_only=True)
class Answer:
    """What a command came to; each form of it is made when it is wanted."""

    blocks: Callable[[], Sequence[Block]]
    """For a person."""
    data: Callable[[], Any]
    """Plain data, as JSON has them."""
    rows: Callable[[], tuple[Sequence[str], Sequence[Sequence[object]]]]
    """Columns and rows."""
    texts: Mapping[str, Callable[[], str]] = field(default_factory=dict)
    """What is printed as it is in a format, by the format's name: one that no other command has, or
    ``table`` for lines that must not be broken."""
    found: Callable[[], Sequence[str]] = tuple
    """What was found, in sentences, of a study or of rules that are looked up."""
    pictures: Callable[[], Sequence[tuple[str, str]]] = tuple
    """Alternative text and SVG of each picture."""
    status: int = 0
    """The exit status."""
    after: Callable[[], object] = _nothing
    """What is to be done once it was shown, also where showing it failed: a study writes its
    files."""
    around: Callable[[], AbstractContextManager[object]] = nullcontext
    """The context in which it is shown."""
    context: click.Context = field(default_factory=click.get_current_context, repr=False)
    """That of the command, which the forms may ask."""

    def text(self, fmt: str) -> str:
        """What is printed in a format where there is no terminal."""
        if fmt in self.texts:
            return self.texts[fmt]()
        if fmt == "json":
            return json.dumps(self.data(), ensure_ascii=False, indent=2) + "\n"
        if fmt == "csv":
            return csv_text(*self.rows())
        buffer = StringIO()
        print_blocks(self.blocks(), buffer)
        return buffer.getvalue()

    @classmethod
    def of_text(cls, text: str, data: Mapping[str, Any], status: int = 0) -> "Answer":
        """A text that is printed as it is, and the data that it speaks of."""
        ended = text if text[-1:] in ("", "\n") else f"{text}\n"
        return cls(
            blocks=lambda: [Text(text.rstrip("\n"))],
            data=lambda: {"text": text, **data},
            rows=lambda: (("line",), [(line,) for line in text.splitlines()]),
            texts={"table": lambda: ended},
            status=status,
        )
