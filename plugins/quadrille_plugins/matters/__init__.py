"""Whether a disputed reading makes a difference: none, none found, or which."""

from typing import Any

from quadrille_core.hookspecs import hookimpl


@hookimpl
def quadrille_command() -> Any:
    """See ``hookspecs.Features``."""
    from quadrille_plugins.matters.command import matters_command

    return matters_command
