"""What a point, rule, bid or word of the game is."""

from collections.abc import Sequence
from typing import Any

from quadrille_core.hookspecs import FileKind, command_at, hookimpl

quadrille_group = "Texts"
quadrille_command = command_at("quadrille_plugins.lookup.command:explain_command")
"""``quadrille explain``: where a value comes from, and what a rule, a point, a bid or a word is."""


@hookimpl
def quadrille_finder() -> Any:
    """See ``hookspecs.Features``."""
    from quadrille_plugins.lookup import answer

    return answer


@hookimpl
def quadrille_files() -> Sequence[FileKind]:
    """See ``hookspecs.Features``."""
    return tuple(FileKind(name=name) for name in ("glossary", "meanings"))
