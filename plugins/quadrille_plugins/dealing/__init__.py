"""A deal by bots: played, exported, replayed or solved."""

from collections.abc import Callable, Sequence
from typing import Any

from quadrille_core.hookspecs import FileKind, command_at, hookimpl, later

quadrille_group = "Table"
quadrille_former = {"export": "deal --out", "replay": "deal --replay", "solve": "deal --solve"}
quadrille_command = command_at("quadrille_plugins.dealing.command:deal_command")


@hookimpl
def quadrille_review() -> Callable[..., Any]:
    """See ``hookspecs.Features``."""
    return later("quadrille_plugins.dealing.review:review")


@hookimpl
def quadrille_files() -> Sequence[FileKind]:
    """See ``hookspecs.Features``."""
    faults = later("quadrille_plugins.dealing.named:faults_of_record")
    return FileKind(name="record", faults=faults), FileKind(name="columns")
