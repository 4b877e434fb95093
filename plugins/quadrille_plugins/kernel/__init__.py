"""The fast engine: a rule set as arrays, and the rules compiled with Numba."""

from collections.abc import Sequence

from quadrille_core.hookspecs import hookimpl, later

quadrille_former = {"warmup": "--warmup"}

warm_up = later("quadrille_plugins.kernel.ready:warm_up")
"""Compile all of it, and say where it is kept."""


@hookimpl
def quadrille_compiled() -> Sequence[str]:
    """See ``hookspecs.Features``."""
    return tuple(f"quadrille_plugins.kernel.{name}" for name in ("session", "follow"))
