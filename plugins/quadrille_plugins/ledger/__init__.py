"""The ledger of a real table; what the laws order."""

from collections.abc import Callable, Sequence
from typing import Any

from quadrille_core.hookspecs import FileKind, command_at, hookimpl

quadrille_group = "Table"
quadrille_former = {"ruling": "session ruling"}
quadrille_command = command_at("quadrille_plugins.ledger.command:session_command")


@hookimpl
def quadrille_laws() -> Callable[[Any], Any]:
    """See ``hookspecs.Features``."""
    from quadrille_plugins.ledger.laws_report import show_laws

    return show_laws


@hookimpl
def quadrille_files() -> Sequence[FileKind]:
    """See ``hookspecs.Features``."""
    return FileKind(name="laws"), FileKind(name="words")
