"""Bots ranked under a rule set, with intervals."""

from typing import Any

from quadrille_core.hookspecs import hookimpl


@hookimpl
def quadrille_command() -> Any:
    """See ``hookspecs.Features``."""
    from quadrille_plugins.tournament.command import tournament_command

    return tournament_command
