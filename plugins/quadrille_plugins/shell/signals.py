"""A handler of its own for the signals that stop a study, within a context."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from quadrille_plugins.shell.stopping import SIGNALS


@contextmanager
def answered_by(
    handler: Callable[[int, FrameType | None], None] | signal.Handlers,
) -> Iterator[None]:
    """Within this context, in the main thread, signals call ``handler``, except those ignored
    before."""
    before: dict[int, Any] = {}
    if threading.current_thread() is threading.main_thread():
        before = {
            n: h for n in SIGNALS if callable(h := signal.getsignal(n)) or h is signal.SIG_DFL
        }
    for number in before:
        signal.signal(number, handler)
    try:
        yield
    finally:
        for number, was in before.items():
            signal.signal(number, was)
