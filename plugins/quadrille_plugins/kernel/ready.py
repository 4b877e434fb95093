"""Making the fast engine ready: loaded, or compiled once for each processor and release."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import click

from quadrille_core.errors import UsageError
from quadrille_core.installation import install_hint
from quadrille_plugins.kernel.mixed import kernel_of
from quadrille_plugins.shell.internal import uncollected
from quadrille_plugins.shell.signals import answered_by
from quadrille_plugins.shell.stopping import end
from quadrille_plugins.shell.terminal import filled

COLD: Final = "compiling for the fast engine, once for this processor"
LINKING: Final = 0.4
"""What it takes to link, optimise and emit a function in its unit, against 1 for its intermediate
code."""
WATCHED: Final = 3.0
"""Seconds of compiling from which the rest is forecast, and which it must exceed to be told."""


class CompilingForecast:
    """How long compiling still takes, by the work that is done and the time that took.

    Work is counted in bytes of bytecode, so that what is forecast follows the machine and what else
    runs on it.
    """

    def __init__(self, ways_in: Sequence[Any], clock: Callable[[], float] = time.monotonic) -> None:
        """``ways_in`` are the compiled functions that will be loaded."""
        self._clock, self._began = clock, clock()
        self._reached = {function: function.reached() for function in ways_in}
        self._all = self._left()
        self.forecast: float | None = None
        """Seconds that were forecast."""

    def _left(self) -> float:
        """The work that is left, and what is under way with it."""
        waiting = [function for function in self._reached if not function.is_loaded]
        below = {g for f in waiting for g in self._reached[f] - {f} if not g.is_intermediate}
        linked: int = sum(g.size for f in waiting for g in self._reached[f])
        lowered: int = sum(f.size for f in (*waiting, *below))
        return lowered + LINKING * linked

    def look(self) -> None:
        """Say once, as soon as it can be judged, how long it takes; nothing of a few seconds."""
        passed = self._clock() - self._began
        if self.forecast is not None or passed < WATCHED:
            return
        left = self._left()
        self.forecast = passed * left / (self._all - left) if left < self._all else None
        if self.forecast is not None and self.forecast > WATCHED:
            click.echo(f"compiling takes about {self.forecast:.0f} s more", err=True)


def ready(*modules: str) -> bool:
    """To be called before the kernel is used: load modules of it, or all; return whether they were
    compiled before.

    Where they were not, says so and compiles what Python calls of them.
    """
    with _interruptible():
        with uncollected():
            from quadrille_plugins.kernel.cache import is_warm, listen, mark_warm, ways_in
        from quadrille_plugins.kernel.compiled import announced_to, load_ways_in, ways_in_of
        from quadrille_plugins.kernel.kept import missing

        listen(lambda text: click.echo(filled(text), err=True))
        mark, wanted = compiled_mark(), modules or tuple(ways_in())
        cold = [name for name in wanted if not is_warm(mark, name)]
        if not cold:
            with uncollected():  # compiling makes garbage, loading does not
                for name in wanted:
                    load_ways_in(kernel_of(name))
            return True
        click.echo(filled(COLD), err=True)
        found = [kernel_of(name) for name in wanted]
        forecast = CompilingForecast(
            [function for module in found for function in ways_in_of(module)]
        )
        with announced_to(forecast.look):
            for name, module in zip(wanted, found, strict=True):
                load_ways_in(module)
                if not missing:
                    mark_warm(mark, name)
    return False


@contextmanager
def _interruptible() -> Iterator[None]:
    """End the process at once on Ctrl-C: an exception raised while LLVM calls back into Python
    crashes it.

    Nothing is under way that wants an end of its own: compiled code is kept function by function,
    each written whole.
    """

    with answered_by(end):
        yield


def is_compiled(*modules: str) -> bool:
    """Whether these modules of the kernel, or all, have been compiled before, for this
    processor."""
    from quadrille_plugins.kernel.cache import is_warm, ways_in

    mark = compiled_mark()
    return all(is_warm(mark, name) for name in modules or ways_in())


def compiled_mark() -> Path:
    """The folder that notes what is compiled."""
    from quadrille_plugins.kernel.cache import choose

    return choose()


def warm_up() -> None:
    """Compile the fast engine and the solver, once for this processor, and say where they are kept.

    Raises UsageError without Numba.
    """
    if find_spec("numba") is None:
        raise UsageError.of("nothing-to-compile", text=install_hint("fast"))
    began = time.monotonic()
    said = "found compiled" if ready() else "compiled"
    seconds, place = time.monotonic() - began, compiled_mark()
    click.echo(f"the fast engine and the solver: {said} in {seconds:.1f} s\nkept in {place}")
