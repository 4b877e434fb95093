"""Ctrl-C, SIGTERM and SIGHUP raise KeyboardInterrupt wherever the program is, but not while a
module is loaded.

A library in C takes an exception there for a broken installation, or swallows it.
"""

import atexit
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import Final, NoReturn

SIGNALS: Final = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
"""The signals that stop a study."""

THREAD: Final = "block"
"""What the names of threads begin with that play blocks of a study."""

_received: list[int] = []


class Stopped(KeyboardInterrupt):
    """A signal that ends the program asked for the end."""


def status() -> int:
    """The exit status of a program that was interrupted: 128 and the signal's number, 130 for
    Ctrl-C."""
    return 128 + int(_received[-1] if _received else signal.SIGINT)


def received() -> bool:
    """Whether one of the signals was received."""
    return bool(_received)


def still_playing() -> bool:
    """Whether blocks nobody waits for still run, in threads or on a cluster that is shutting
    down."""
    return "distributed" in sys.modules or any(
        t.name.startswith(THREAD) for t in threading.enumerate()
    )


def forget() -> None:
    """Begin anew, as a program does."""
    _received.clear()


def heard(number: int, frame: FrameType | None, *, stops: bool = True) -> bool:
    """Note a signal and, if it ``stops``, raise Stopped; True where it is put off instead, and
    comes once more."""
    _received.append(number)
    if stops and _loads(frame) and _put_off(number):
        return True
    if stops:
        raise Stopped
    return False


def _loads(frame: FrameType | None) -> bool:
    """Whether a module is being loaded in this frame or in one that called it."""
    while frame is not None:
        if frame.f_code.co_filename == _IMPORT:
            return True
        frame = frame.f_back
    return False


_IMPORT: Final = "<frozen importlib._bootstrap>"
_EVERY: Final = 0.01
LONGEST: Final = 1.0
"""Seconds for which a signal is put off at most: a plugin may never have done loading."""
_put_off_until: list[float] = []


def _put_off(number: int) -> bool:
    """Send the signal again after the import in progress; False for a second signal, or without
    timers.

    A timer rather than a thread: what was interrupted may hold the lock that starting a thread
    takes.
    """
    if (
        _put_off_until
        or not hasattr(signal, "setitimer")
        or signal.getsignal(signal.SIGALRM) is not signal.SIG_DFL
    ):
        return False
    _put_off_until.append(time.monotonic() + LONGEST)

    def again(alarm: int, frame: FrameType | None) -> None:
        late = time.monotonic() > _put_off_until[0]
        if _loads(frame) and not late:
            signal.setitimer(signal.ITIMER_REAL, _EVERY)
            return
        signal.signal(alarm, signal.SIG_DFL)
        _put_off_until.clear()
        if late:
            raise Stopped
        signal.raise_signal(number)  # to whatever answers it by now

    signal.signal(signal.SIGALRM, again)
    signal.setitimer(signal.ITIMER_REAL, _EVERY)
    return True


_last: Final[list[Callable[[], object]]] = []


def at_last(do: Callable[[], object]) -> None:
    """Register a function to run when the process ends, even by ``leave``."""
    _last.append(do)
    atexit.register(do)


def leave(status: int) -> NoReturn:
    """End the process at once, after the functions registered by ``at_last``."""
    for do in _last:
        with suppress(Exception):
            do()
    os._exit(status)


def end(number: int, frame: FrameType | None = None) -> NoReturn:
    """End the process at once with a message on standard error and the status 128 + number."""
    del frame
    if sys.stderr is not None:
        with suppress(
            OSError
        ):  # written past the stream, which may be in the middle of writing; it may be gone
            os.write(2, b"interrupted\n")
    leave(128 + number)


def listen(answer: Callable[[int, FrameType | None], object] = heard) -> None:
    """Route the signals to ``answer``, by default to stop the program; a signal ignored before
    stays ignored."""
    if threading.current_thread() is not threading.main_thread():
        return
    for number in SIGNALS:
        if signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler, end, heard):
            signal.signal(number, answer)


class Done(BaseException):
    """All that was asked for is done, in the middle of a command: whatever it does besides is left
    out."""
