"""Players: each decides from a view, the legal actions and a stream of randomness alone.

Who there is, features say (``hookspecs.Player``); a player's module is imported when one is first made.
"""

from collections.abc import Iterable, Mapping
from typing import Final, cast

from quadrille_core.errors import UsageError, did_you_mean
from quadrille_core.features import Asked, ask
from quadrille_core.hookspecs import Player
from quadrille_plugins.deal.view import Bot

BOTS: Final[Mapping[str, Player]] = Asked(lambda: (p for _, found in ask("quadrille_players") for p in found.items()))
"""Every player by name."""


def begins_anew(names: Iterable[str]) -> bool:
    """Whether with these players every deal starts from a fresh pool that holds only the antes."""
    return any(BOTS[name].begins_anew for name in names if name in BOTS)


def make_bot(name: str) -> Bot:
    """A new player of that name; raises UsageError for an unknown one."""
    if name not in BOTS:
        raise UsageError(f"there is no bot {name[:40]!r}", help=did_you_mean(name, BOTS, what="bots"))
    return cast("Bot", BOTS[name].make())


def compiled_player(names: Iterable[str]) -> str | None:
    """The compiled module of the one player who sits in every seat; None when seats differ or it has none."""
    found = {BOTS[name].compiled if name in BOTS else None for name in names}
    return found.pop() if len(found) == 1 else None


def ready(names: Iterable[str]) -> None:
    """Load or compile what these players need before they play."""
    for name in dict.fromkeys(names):
        player = BOTS.get(name)
        if player is not None and player.ready is not None:
            player.ready()
