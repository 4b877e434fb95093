"""A study once more by its manifest."""

from collections.abc import Sequence
from typing import Any

from quadrille_core.hookspecs import FileKind, command_at, hookimpl

quadrille_group = "Studies"
quadrille_command = command_at("quadrille_plugins.studies.command:rerun_command")


@hookimpl
def quadrille_files() -> Sequence[FileKind]:
    """See ``hookspecs.Features``."""
    return (FileKind(name="manifest"),)


@hookimpl
def quadrille_warnings(compiled: Any) -> Sequence[str]:
    """See ``hookspecs.Features``."""
    from quadrille_plugins.studies.free_losses import warning_of

    warning = warning_of(compiled)
    return () if warning is None else (warning.text(),)
