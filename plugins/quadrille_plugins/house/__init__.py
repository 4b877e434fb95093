"""A commented file for house rules of your own."""

from typing import Any

from quadrille_core.hookspecs import hookimpl


@hookimpl
def quadrille_command() -> Any:
    """See ``hookspecs.Features``."""
    from quadrille_plugins.house.command import new_command

    return new_command
