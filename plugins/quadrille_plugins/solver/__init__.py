"""The solver: deals with all cards open."""

from collections.abc import Sequence

from quadrille_core.hookspecs import hookimpl


@hookimpl
def quadrille_compiled() -> Sequence[str]:
    """See ``hookspecs.Features``."""
    return ("quadrille_plugins.solver.solve",)
