"""A new plugin of rules to start from, with its tests."""

from typing import Any

from quadrille_core.hookspecs import hookimpl


@hookimpl
def quadrille_command() -> Any:
    """See ``hookspecs.Features``."""
    from quadrille_plugins.authoring.command import new_plugin_command

    return new_plugin_command
