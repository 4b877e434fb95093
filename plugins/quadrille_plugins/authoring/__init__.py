"""A new plugin of rules to start from, with its tests."""

from collections.abc import Mapping
from typing import Any

from quadrille_core.hookspecs import command_at, hookimpl

quadrille_command = command_at("quadrille_plugins.authoring.command:new_plugin_command")


@hookimpl
def quadrille_notes(compiled: Any) -> Mapping[str, str]:
    """See ``hookspecs.Features``."""
    from quadrille_plugins.authoring.unread import unread

    return unread(compiled)
