"""Which readings survive what books say happened, and what would decide."""

from collections.abc import Sequence
from typing import Any

from quadrille_core.hookspecs import FileKind, hookimpl


@hookimpl
def quadrille_command() -> Any:
    """See ``hookspecs.Features``."""
    from quadrille_plugins.discriminate.command import discriminate_command

    return discriminate_command


@hookimpl
def quadrille_files() -> Sequence[FileKind]:
    """See ``hookspecs.Features``."""

    def schema() -> dict[str, Any]:
        from quadrille_plugins.discriminate.schema import evidence

        return evidence()

    odds = ("is no odds", "write 5 to 4, each number whole and from 1 to 9999")
    return (FileKind(name="evidence", schema=schema, patterns={"^[1-9][0-9]{0,3} to [1-9][0-9]{0,3}$": odds}),)
