"""A deal with all cards open: every bid of every player, and par."""

from typing import Any

from quadrille_core.hookspecs import hookimpl


@hookimpl
def quadrille_command() -> Any:
    """See ``hookspecs.Features``."""
    from quadrille_plugins.solve.command import solve_command

    return solve_command
