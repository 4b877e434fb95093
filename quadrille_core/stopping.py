"""Ctrl-C, SIGTERM and SIGHUP: a study stops between two of its units, so that what it reports can be repeated.

The first signal stops it at once where it waits for a block, else before the next is asked for; a second one raises
KeyboardInterrupt wherever the program is, but never in the middle of loading a module: a library in C takes an
exception there for a broken installation, or swallows it.
"""

import atexit
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, Final, NoReturn

SIGNALS: Final = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
"""The signals that stop a study."""

THREAD: Final = "block"
"""What the names of threads begin with that play blocks of a study."""

_received: list[int] = []


class Stopped(KeyboardInterrupt):
    """A signal that ends the program asked for the end."""


def status() -> int:
    """The exit status of a program that was interrupted: 128 and the signal's number, 130 for Ctrl-C."""
    return 128 + int(_received[-1] if _received else signal.SIGINT)


def received() -> bool:
    """Whether one of the signals was received."""
    return bool(_received)


def still_playing() -> bool:
    """Whether blocks are still played that nobody waits for: in threads, or on a cluster that is taking its leave."""
    return "distributed" in sys.modules or any(t.name.startswith(THREAD) for t in threading.enumerate())


def forget() -> None:
    """Begin anew, as a program does."""
    _received.clear()


def _stop(number: int, frame: FrameType | None) -> None:
    _received.append(number)
    if _loads(frame) and _put_off(number):
        return
    raise Stopped


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
    """Have the signal sent again once nothing is loaded; False for a second one meanwhile, and where there is no timer.

    A timer rather than a thread: what was interrupted may hold the lock that starting a thread takes.
    """
    if _put_off_until or not hasattr(signal, "setitimer") or signal.getsignal(signal.SIGALRM) is not signal.SIG_DFL:
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
    """Have this done when the process ends, also where it ends at once."""
    _last.append(do)
    atexit.register(do)


def leave(status: int) -> NoReturn:
    """End the process at once, but for what is to be done at last."""
    for do in _last:
        with suppress(Exception):
            do()
    os._exit(status)


def end(number: int, frame: FrameType | None = None) -> NoReturn:
    """Answer a signal by ending the process at once, with a word on standard error and the status 128 + number."""
    del frame
    if sys.stderr is not None:
        with suppress(OSError):  # written past the stream, which may be in the middle of writing; it may be gone
            os.write(2, b"interrupted\n")
    leave(128 + number)


def listen(answer: Callable[[int, FrameType | None], object] = _stop) -> None:
    """Have the signals call ``answer``, by default to stop the program; one that is ignored, as by nohup, stays so."""
    if threading.current_thread() is not threading.main_thread():
        return
    for number in SIGNALS:
        if signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler, end, _stop):
            signal.signal(number, answer)


@contextmanager
def answered_by(handler: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """While this lasts, the signals call ``handler``, but for those that are ignored, and in the main thread alone."""
    before: dict[int, Any] = {}
    if threading.current_thread() is threading.main_thread():
        before = {n: h for n in SIGNALS if callable(h := signal.getsignal(n)) or h is signal.SIG_DFL}
    for number in before:
        signal.signal(number, handler)
    try:
        yield
    finally:
        for number, was in before.items():
            signal.signal(number, was)


class AloneDone(BaseException):
    """The one block that was to be played by itself has been: whatever the study does besides is left out."""


class Stopping:
    """Whether a study is to stop: because it was asked to, or because it repeats one that stopped there.

    ``limit`` is how many units the study repeats of one that was interrupted; None where it repeats none.
    """

    def __init__(self, limit: int | None = None) -> None:
        self.limit = limit
        self.done = 0
        """Units that were handed out."""
        self._asked = False
        self._waiting = False

    @property
    def left(self) -> int | None:
        """How many units may still be asked for; None where there is no limit."""
        return None if self.limit is None else self.limit - self.done

    def ask(self) -> None:
        """Have the study stop before its next unit."""
        self._asked = True

    def check(self) -> None:
        """To be called before another unit is begun or waited for: raises Stopped where the study is to stop."""
        if self._asked or (self.limit is not None and self.done >= self.limit):
            raise Stopped

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """While this lasts, a signal is answered at once."""
        self.check()
        self._waiting = True
        try:
            self.check()  # one that came in between
            yield
        finally:
            self._waiting = False

    @contextmanager
    def unit(self) -> Iterator[None]:
        """One unit of a study that is no block: begun unless the study is to stop, and counted when it is done."""
        with self.waiting():
            yield
        self.done += 1

    @contextmanager
    def deferring(self) -> Iterator[None]:
        """While this lasts, the first signal is answered where the study can stop."""

        def heard(number: int, frame: FrameType | None) -> None:
            again, self._asked = self._asked, True
            _received.append(number)
            if again or self._waiting:
                if _loads(frame) and _put_off(number):
                    self._asked = again  # it comes once more
                    return
                raise Stopped

        with answered_by(heard):
            yield
