"""What the laws order in an irregularity, and who pays whom."""

from collections.abc import Sequence
from typing import Any

from quadrille_core.hookspecs import FileKind, command_at, hookimpl

quadrille_command = command_at("quadrille_plugins.rulings.command:ruling_command")


@hookimpl
def quadrille_laws(compiled: Any, fmt: str) -> bool:
    """See ``hookspecs.Features``."""
    from quadrille_plugins.rulings.listing import show_laws

    show_laws(compiled, fmt)
    return True


@hookimpl
def quadrille_files() -> Sequence[FileKind]:
    """See ``hookspecs.Features``."""
    return (FileKind(name="laws"),)
