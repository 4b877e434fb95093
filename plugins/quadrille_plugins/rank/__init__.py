"""The disputed points of a rule set by how much their readings matter."""

from typing import Any

from quadrille_core.hookspecs import hookimpl


@hookimpl
def quadrille_command() -> Any:
    """See ``hookspecs.Features``."""
    from quadrille_plugins.rank.command import rank_command

    return rank_command
