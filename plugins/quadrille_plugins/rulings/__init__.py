"""What the laws order in an irregularity, and who pays whom."""

from collections.abc import Callable, Sequence
from typing import Any

from quadrille_core.hookspecs import FileKind, command_at, hookimpl

quadrille_command = command_at("quadrille_plugins.rulings.command:ruling_command")


@hookimpl
def quadrille_laws() -> Callable[[Any, str], None]:
    """See ``hookspecs.Features``."""
    from quadrille_plugins.rulings.listing import show_laws

    return show_laws


@hookimpl
def quadrille_files() -> Sequence[FileKind]:
    """See ``hookspecs.Features``."""
    return (FileKind(name="laws"),)
