"""``quadrille --warmup``: what commands compile once for each processor and release is compiled
ahead.

What Python calls of the kernel's modules is compiled, with all that it calls; every function says
for which types.
"""

import time
from importlib.util import find_spec

import click

from quadrille_core.errors import UsageError
from quadrille_core.installation import install_hint
from quadrille_plugins.kernel.ready import ready


def warm_up() -> None:
    """Compile the fast engine and the solver, once for this processor, and say where they are kept.

    Raises UsageError without Numba.
    """
    if find_spec("numba") is None:
        raise UsageError.of("nothing-to-compile-numba-not", text=install_hint("fast"))
    began = time.monotonic()
    said = "found compiled" if ready() else "compiled"
    seconds = time.monotonic() - began

    from quadrille_plugins.kernel.cache import choose

    click.echo(f"the fast engine and the solver: {said} in {seconds:.1f} s\nkept in {choose()}")
