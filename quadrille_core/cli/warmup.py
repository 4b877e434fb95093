"""``quadrille warmup``, and the word that commands give before they compile: once for each processor and release.

What Python calls of the kernel's modules is compiled, with all that it calls; every function says for which types.
"""

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from typing import Final

import click

from quadrille_core.bots import SOLVING
from quadrille_core.cli.loading import uncollected
from quadrille_core.cli.options import emit, format_option
from quadrille_core.errors import UsageError
from quadrille_core.report.blocks import Text
from quadrille_core.stopping import answered_by, end

COLD: Final = "compiling the fast engine, once for this processor: about a minute"


def ready(*modules: str) -> bool:
    """To be called before the kernel is used: loads modules of it, or all; returns whether they were compiled before.

    Where they were not, says so and compiles all that commands call, the solver too, so that no later one has to.
    """
    with _interruptible():
        with uncollected():
            from quadrille_core import kernel
        from quadrille_core.kernel.cache import is_warm, listen, mark_warm
        from quadrille_core.kernel.compiled import load_ways_in
        from quadrille_core.kernel.kept import missing
        from quadrille_core.study.engines import compiled_mark

        listen(lambda text: click.echo(text, err=True))
        mark = compiled_mark()
        warm = is_warm(mark)
        if not warm:
            click.echo(COLD, err=True)
        with uncollected() if warm else nullcontext():  # compiling makes garbage, loading does not
            for name in modules if warm and modules else [m.name for m in iter_modules(kernel.__path__)]:
                load_ways_in(import_module(f"{kernel.__name__}.{name}"))
        if not warm and not missing:
            mark_warm(mark)
    return warm


def ready_for(bots: Iterable[str]) -> None:
    """The same for bots that solve hands; where Numba is not installed they say so themselves."""
    if SOLVING.intersection(bots) and find_spec("numba") is not None:
        ready("solver", "seer_bids", "seer_draw", "seer_play", "seer_solve", "steady_hands", "steady_values")


@contextmanager
def _interruptible() -> Iterator[None]:
    """End the process at once on Ctrl-C: an exception raised while LLVM calls back into Python crashes it.

    Nothing is under way that wants an end of its own: compiled code is kept function by function, each written whole.
    """

    with answered_by(end):
        yield


@click.command("warmup")
@format_option
def warmup_command(fmt: str) -> int:
    """Compile the fast engine and the solver, once for this processor.

    Until then studies play fewer deals, on the readable engine, or compile it by themselves where that is sooner done;
    what is compiled is kept until Quadrille or Numba changes, in $NUMBA_CACHE_DIR or the user's cache.
    """
    if find_spec("numba") is None:
        raise UsageError(
            "there is nothing to compile: Numba is not installed",
            help="pip install 'quadrille[fast]'; everything works without it, and more slowly",
        )
    began = time.monotonic()
    warm = ready()
    seconds = time.monotonic() - began
    from quadrille_core.kernel import CACHE

    said = "found compiled" if warm else "compiled"
    emit(
        fmt,
        blocks=lambda: [Text(f"the fast engine and the solver: {said} in {seconds:.1f} s\nkept in {CACHE}")],
        data=lambda: {"compiled_now": not warm, "seconds": round(seconds, 3), "folder": str(CACHE)},
        rows=lambda: (("compiled_now", "seconds", "folder"), [(not warm, f"{seconds:.3f}", str(CACHE))]),
    )
    return 0
