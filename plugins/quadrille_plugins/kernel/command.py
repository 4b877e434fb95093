"""``quadrille warmup``, and the word that commands give before they compile: once for each processor and release.

What Python calls of the kernel's modules is compiled, with all that it calls; every function says for which types.
"""

import time
from importlib.util import find_spec

import click

from quadrille_core.errors import UsageError
from quadrille_core.installation import install_hint
from quadrille_core.report.blocks import Text
from quadrille_plugins.kernel.ready import ready
from quadrille_plugins.output.commands import emit, format_option


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
            help=f"{install_hint('fast')}; everything works without it, and more slowly",
        )
    began = time.monotonic()
    warm = ready()
    seconds = time.monotonic() - began

    from quadrille_plugins.kernel.cache import choose

    folder = choose()
    said = "found compiled" if warm else "compiled"
    emit(
        fmt,
        blocks=lambda: [Text(f"the fast engine and the solver: {said} in {seconds:.1f} s\nkept in {folder}")],
        data=lambda: {"compiled_now": not warm, "seconds": round(seconds, 3), "folder": str(folder)},
        rows=lambda: (("compiled_now", "seconds", "folder"), [(not warm, f"{seconds:.3f}", str(folder))]),
    )
    return 0
