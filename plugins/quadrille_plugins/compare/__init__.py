"""The same deals under several rule sets: what differs, how often, who pays."""

from typing import Any

from quadrille_core.hookspecs import hookimpl


@hookimpl
def quadrille_command() -> Any:
    """See ``hookspecs.Features``."""
    from quadrille_plugins.compare.command import compare_command

    return compare_command
