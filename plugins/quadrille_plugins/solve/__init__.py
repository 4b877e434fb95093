"""A deal with all cards open: every bid of every player, par, and what each decision of a played deal cost."""

from collections.abc import Callable
from typing import Any

from quadrille_core.hookspecs import command_at, hookimpl, later

quadrille_command = command_at("quadrille_plugins.solve.command:solve_command")


@hookimpl
def quadrille_review() -> Callable[..., Any]:
    """See ``hookspecs.Features``."""
    return later("quadrille_plugins.solve.review:review")
