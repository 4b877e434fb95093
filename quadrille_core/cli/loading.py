"""Loading code without searching it for garbage: what is imported stays."""

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar


@contextmanager
def uncollected() -> Iterator[None]:
    """Put off the search for garbage: while modules are loaded it took a seventh of a command's time."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


typed: ContextVar[Sequence[str]] = ContextVar("typed", default=())
"""The command line, without the name of the program."""
