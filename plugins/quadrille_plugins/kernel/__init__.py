"""Compile the fast engine and the solver, once for this processor."""

from collections.abc import Sequence
from typing import Any

from quadrille_core.hookspecs import hookimpl


@hookimpl
def quadrille_command() -> Any:
    """See ``hookspecs.Features``."""
    from quadrille_plugins.kernel.command import warmup_command

    return warmup_command


@hookimpl
def quadrille_compiled() -> Sequence[str]:
    """See ``hookspecs.Features``."""
    return tuple(f"quadrille_plugins.kernel.{name}" for name in ("session", "follow", "accumulate", "matched_starts"))
