"""The kernel of those who sit at a table, by name: a player's module, or one built of several
players' modules."""

from collections.abc import Iterable
from functools import cache
from importlib import import_module
from types import SimpleNamespace
from typing import Any, Final

_MIXED: Final = "mixed"
_JOINED: Final = "+"
"""Stands between names of modules, none of which has such a sign."""


def mixed_name(modules: Iterable[str]) -> str:
    """The name of the kernel in which players of these modules sit at one table."""
    return _JOINED.join([_MIXED, *sorted(set(modules))])


def modules_of(name: str) -> list[str]:
    """The players' modules that a kernel is built of, in the order of its branches; none where it
    is a player's own."""
    return name.split(_JOINED)[1:]


@cache
def kernel_of(name: str) -> Any:
    """The compiled functions that Python calls: ``play_sessions`` and ``replay_sessions``."""
    modules = modules_of(name)
    if not modules:
        return import_module(name)
    from quadrille_plugins.kernel.session import sessions_of
    from quadrille_plugins.kernel.slot import mixed_of
    from quadrille_plugins.kernel.table import table_of

    player = mixed_of(name, [import_module(one).play_sessions.player for one in modules])
    return SimpleNamespace(**sessions_of(player, table_of(player))._asdict())
