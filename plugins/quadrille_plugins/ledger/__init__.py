"""The ledger of a real table: who pays whom, deal by deal."""

from typing import Any

from quadrille_core.hookspecs import hookimpl


@hookimpl
def quadrille_command() -> Any:
    """See ``hookspecs.Features``."""
    from quadrille_plugins.ledger.command import session_command

    return session_command
