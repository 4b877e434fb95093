"""What the laws order in an irregularity, and who pays whom."""

from typing import Any

from quadrille_core.hookspecs import hookimpl


@hookimpl
def quadrille_command() -> Any:
    """See ``hookspecs.Features``."""
    from quadrille_plugins.rulings.command import ruling_command

    return ruling_command


@hookimpl
def quadrille_laws(compiled: Any, fmt: str) -> bool:
    """See ``hookspecs.Features``."""
    from quadrille_plugins.rulings.listing import show_laws

    show_laws(compiled, fmt)
    return True
