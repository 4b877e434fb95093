"""One deal's result: every payment with its reason."""

from collections.abc import Sequence

from quadrille_core.hookspecs import FileKind, command_at, hookimpl, later

quadrille_group = "Table"
quadrille_command = command_at("quadrille_plugins.settle.command:settle_command")


@hookimpl
def quadrille_files() -> Sequence[FileKind]:
    """See ``hookspecs.Features``."""
    return (
        FileKind(name="result", faults=later("quadrille_plugins.settle.command:faults_of_result")),
    )
