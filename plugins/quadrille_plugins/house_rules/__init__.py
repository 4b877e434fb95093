"""House rules: a commented file to start from, safe slips mended, rules that cannot act."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from quadrille_core.hookspecs import command_at, hookimpl

quadrille_command = command_at("quadrille_plugins.house_rules.command:new_command")


@hookimpl
def quadrille_fix() -> Callable[..., str]:
    """See ``hookspecs.Features``."""
    from quadrille_plugins.house_rules.fixing import fixed

    return fixed


@hookimpl
def quadrille_notes(compiled: Any) -> Mapping[str, str]:
    """See ``hookspecs.Features``."""
    from quadrille_plugins.house_rules.idle import idle

    return idle(compiled)


@hookimpl
def quadrille_warnings(compiled: Any) -> Sequence[str]:
    """See ``hookspecs.Features``."""
    from quadrille_plugins.house_rules.equal_losses import equal_losses

    warning = equal_losses(compiled)
    return () if warning is None else (warning,)
