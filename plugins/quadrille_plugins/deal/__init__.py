"""Play a deal by bots and print its record."""

from collections.abc import Sequence

from quadrille_core.hookspecs import FileKind, command_at, hookimpl, later

quadrille_command = command_at("quadrille_plugins.deal.command:deal_command")


@hookimpl
def quadrille_files() -> Sequence[FileKind]:
    """See ``hookspecs.Features``."""
    return (FileKind(name="record", faults=later("quadrille_plugins.deal.record:faults_of_record")),)
