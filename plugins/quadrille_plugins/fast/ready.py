"""Making the fast engine ready: loaded, or compiled once for each processor and release."""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from importlib import import_module
from pathlib import Path
from typing import Final

import click

from quadrille_core.cli.loading import uncollected
from quadrille_core.stopping import answered_by, end

COLD: Final = "compiling the fast engine, once for this processor: about a minute"


def ready(*modules: str) -> bool:
    """To be called before the kernel is used: loads modules of it, or all; returns whether they were compiled before.

    Where they were not, says so and compiles all that commands call, the solver too, so that no later one has to.
    """
    with _interruptible():
        with uncollected():
            from quadrille_plugins.fast.cache import is_warm, listen, mark_warm, ways_in
        from quadrille_plugins.fast.compiled import load_ways_in
        from quadrille_plugins.fast.kept import missing

        listen(lambda text: click.echo(text, err=True))
        mark = compiled_mark()
        warm = is_warm(mark)
        if not warm:
            click.echo(COLD, err=True)
        with uncollected() if warm else nullcontext():  # compiling makes garbage, loading does not
            for name in modules if warm and modules else ways_in():
                load_ways_in(import_module(name))
        if not warm and not missing:
            mark_warm(mark)
    return warm


@contextmanager
def _interruptible() -> Iterator[None]:
    """End the process at once on Ctrl-C: an exception raised while LLVM calls back into Python crashes it.

    Nothing is under way that wants an end of its own: compiled code is kept function by function, each written whole.
    """

    with answered_by(end):
        yield


def is_compiled() -> bool:
    """Whether the kernel has been compiled before, by this installation and for this processor."""
    from quadrille_plugins.fast.cache import is_warm

    return is_warm(compiled_mark())


def compiled_mark() -> Path:
    """The folder that notes that everything is compiled."""
    from quadrille_plugins.fast.cache import choose

    return choose()
