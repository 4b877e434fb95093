"""Players: each decides from a view, the legal actions and a stream of randomness alone.

``registry`` maps the names that ``--players`` takes to factories; a bot's module is imported when the
bot is first made.
"""

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Final, cast

from quadrille_core.engine.view import Bot
from quadrille_core.errors import UsageError, did_you_mean

_WHERE: Final = {"random": "random_bot:RandomBot", "steady": "steady:SteadyBot", "seer": "seer:SeerBot"}

UNBOUNDED: Final = frozenset({"random"})
"""The bots that lose most games: in their sessions the pool would double without end, so each deal begins anew."""

SOLVING: Final = frozenset({"seer"})
"""The bots that want the solver, and so Numba."""


def _factory(where: str) -> Callable[[], Bot]:
    module, _, name = where.partition(":")

    def make() -> Bot:
        return cast("Bot", getattr(import_module(f"{__name__}.{module}"), name)())

    return make


registry: Final[Mapping[str, Callable[[], Bot]]] = MappingProxyType({n: _factory(w) for n, w in _WHERE.items()})
"""Every bot's name and its factory."""


def begins_anew(bots: Iterable[str]) -> bool:
    """Whether every deal of a session among these bots begins as a session does, with nothing but antes in the pool."""
    return not UNBOUNDED.isdisjoint(bots)


def make_bot(name: str) -> Bot:
    """A new bot of that name; raises UsageError when there is none."""
    if name not in registry:
        raise UsageError(f"there is no bot {name[:40]!r}", help=did_you_mean(name, registry, what="bots"))
    return registry[name]()
