"""Making the fast engine ready: loaded, or compiled once for each processor and release."""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from importlib import import_module
from pathlib import Path
from typing import Final

import click

from quadrille_core.cli.internal import uncollected
from quadrille_core.stopping import end
from quadrille_core.terminal import filled
from quadrille_plugins.output.signals import answered_by

COLD_PLAYER: Final = "compiling the player for the fast engine, once for this processor: about a quarter of a minute"
COLD: Final = "compiling the fast engine, once for this processor: about a minute"


def ready(*modules: str) -> bool:
    """To be called before the kernel is used: loads modules of it, or all; returns whether they were compiled before.

    Where they were not, says so and compiles all that commands call, the solver too, so that no later one has to; but
    players that ``quadrille --warmup`` leaves out only when they are to play.
    """
    with _interruptible():
        with uncollected():
            from quadrille_plugins.kernel.cache import is_warm, listen, mark_warm, ways_in
        from quadrille_plugins.kernel.compiled import load_ways_in
        from quadrille_plugins.kernel.kept import missing

        listen(lambda text: click.echo(filled(text), err=True))
        mark, common = compiled_mark(), ways_in()
        warm = is_warm(mark)
        cold = [name for name in modules if name not in common and not is_warm(mark, name)]
        if not warm:
            click.echo(filled(COLD), err=True)
        elif cold:
            click.echo(filled(COLD_PLAYER), err=True)
        with uncollected() if warm and not cold else nullcontext():  # compiling makes garbage, loading does not
            for name in modules if warm and modules else dict.fromkeys((*common, *modules)):
                load_ways_in(import_module(name))
        if not missing:
            for name in ([] if warm else [""]) + cold:
                mark_warm(mark, name)
    return warm and not cold


@contextmanager
def _interruptible() -> Iterator[None]:
    """End the process at once on Ctrl-C: an exception raised while LLVM calls back into Python crashes it.

    Nothing is under way that wants an end of its own: compiled code is kept function by function, each written whole.
    """

    with answered_by(end):
        yield


def is_compiled(*modules: str) -> bool:
    """Whether the kernel, and these modules of it, have been compiled before, for this processor."""
    from quadrille_plugins.kernel.cache import is_warm, ways_in

    mark = compiled_mark()
    return is_warm(mark) and all(is_warm(mark, name) for name in set(modules).difference(ways_in()))


def compiled_mark() -> Path:
    """The folder that notes that everything is compiled."""
    from quadrille_plugins.kernel.cache import choose

    return choose()
