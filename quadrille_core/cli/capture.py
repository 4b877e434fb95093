"""Running a command from Python: its result is handed over instead of being printed."""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Final

from quadrille_core.report.answer import Progress
from quadrille_core.report.blocks import Block


@dataclass(slots=True)
class Capture:
    """What the command that runs in it has come to, as soon as it has."""

    progress: Progress | None = None
    text: str | None = None
    """What the command reads instead of standard input."""
    blocks: tuple[Block, ...] = ()
    data: Any = None
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[object, ...], ...] = ()
    found: tuple[str, ...] = ()
    """What a study found, in sentences."""
    draw: Callable[[], Sequence[tuple[str, str]]] = field(default=tuple)
    """Returns alternative text and SVG of each picture of a study."""
    done: bool = False

    def take(
        self,
        blocks: Callable[[], Sequence[Block]],
        data: Callable[[], Any],
        rows: Callable[[], tuple[Sequence[str], Sequence[Sequence[object]]]],
    ) -> None:
        """Keep a result; the arguments are those of ``output.commands.emit``."""
        columns, found = rows()
        self.data, self.blocks, self.done = data(), tuple(blocks()), True
        self.columns, self.rows = tuple(columns), tuple(map(tuple, found))


_running: Final[ContextVar[Capture | None]] = ContextVar("capture", default=None)


def captured() -> Capture | None:
    """Where results go instead of standard output; None on the command line."""
    return _running.get()


@contextlib.contextmanager
def capturing(progress: Progress | None = None, text: str | None = None) -> Iterator[Capture]:
    """Within this context results are kept, not printed; ``progress`` hears of it, and ``text`` is
    standard input."""
    found = Capture(progress, text)
    token = _running.set(found)
    try:
        yield found
    finally:
        _running.reset(token)
