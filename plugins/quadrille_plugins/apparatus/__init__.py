"""The points in dispute: readings, witnesses, silences; also as TEI and bibliography."""

from typing import Any

from quadrille_core.hookspecs import hookimpl


@hookimpl
def quadrille_command() -> Any:
    """See ``hookspecs.Features``."""
    from quadrille_plugins.apparatus.command import apparatus_command

    return apparatus_command
