"""House rules, or a plugin of rules, to start from."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from quadrille_core.hookspecs import Mended, command_at, hookimpl

quadrille_group = "Developers"
quadrille_former = {"new-plugin": "new --plugin"}
quadrille_command = command_at("quadrille_plugins.house_rules.command:new_command")


@hookimpl
def quadrille_fix() -> Callable[..., Mended]:
    """See ``hookspecs.Features``."""
    from quadrille_plugins.house_rules.fixing import fixed

    return fixed


@hookimpl
def quadrille_notes(compiled: Any) -> Mapping[str, str]:
    """See ``hookspecs.Features``."""
    from quadrille_plugins.house_rules.idle import idle
    from quadrille_plugins.house_rules.unread import unread

    return {**idle(compiled), **unread(compiled)}


@hookimpl
def quadrille_warnings(compiled: Any) -> Sequence[str]:
    """See ``hookspecs.Features``."""
    from quadrille_plugins.house_rules.warnings import equal_losses, falling_premiums, idle_changes

    found = (equal_losses(compiled), falling_premiums(compiled), idle_changes(compiled))
    return [warning for warning in found if warning is not None]
