"""Which readings survive what books say happened."""

from collections.abc import Sequence

from quadrille_core.hookspecs import FileKind, command_at, hookimpl, later

quadrille_group = "Studies"
quadrille_command = command_at("quadrille_plugins.discriminate.command:discriminate_command")


@hookimpl
def quadrille_files() -> Sequence[FileKind]:
    """See ``hookspecs.Features``."""
    odds = ("is no odds", "write 5 to 4, each number whole and from 1 to 9999")
    return (
        FileKind(
            name="evidence",
            schema=later("quadrille_plugins.discriminate.schema:evidence"),
            faults=later("quadrille_plugins.discriminate.command:faults_of_evidence"),
            patterns={"^[1-9][0-9]{0,3} to [1-9][0-9]{0,3}$": odds},
        ),
    )
