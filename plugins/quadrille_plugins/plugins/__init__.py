"""The plugins that are installed, with their versions."""

from typing import Any

from quadrille_core.hookspecs import command_at, hookimpl

quadrille_command = command_at("quadrille_plugins.plugins.command:plugins_command")


@hookimpl
def quadrille_python() -> Any:
    """See ``hookspecs.Features``."""
    from quadrille_plugins.plugins import python

    return python
