"""Players: each decides from a view, the legal actions and a stream of randomness alone.

Who there is, features say (``hookspecs.Player``); a player's module is imported when one is first
made.  A player is named by a *spec*, ``NAME[:PARAMETER=VALUE…]``, which only this module reads.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, cast

from quadrille_core.errors import UsageError, did_you_mean
from quadrille_core.features import LazyMapping, ask
from quadrille_core.frozen import frozen
from quadrille_core.hookspecs import Player, PlayerParameter
from quadrille_plugins.deal.view import Bot

BOTS: Final[Mapping[str, Player]] = LazyMapping(
    lambda: (player for _, found in ask("quadrille_players") for player in found.items())
)
"""Every player by name."""
_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,9}")


@frozen
class Named:
    """A player as a spec names it; its text is the one spelling: values that differ from the
    default, in order."""

    name: str
    player: Player
    values: Mapping[str, int | str]
    """The value of every parameter that the player declares."""

    def __str__(self) -> str:
        """The spec."""
        declared = self.player.parameters.items()
        said = (
            f":{p}={_written(self.values[p])}"
            for p, one in declared
            if self.values[p] != one.default
        )
        return "".join((self.name, *said))


def named(spec: str, *, also: Iterable[str] = ()) -> Named:
    """The player of a spec; raises UsageError.  ``also`` are other words that might have been
    meant."""
    name, *said = spec.split(":")
    if name not in BOTS:
        raise UsageError.of("no-bot", did_you_mean(name, (*BOTS, *also), what="bots"), name=name)
    player, given = BOTS[name], dict[str, int | str]()
    for one in said:
        parameter, _, value = one.partition("=")
        if parameter not in player.parameters:
            raise UsageError.of(
                "bot-without-parameter",
                did_you_mean(parameter, player.parameters, what="parameters"),
                name=name,
                parameter=parameter,
            )
        if parameter in given:
            raise UsageError.of("bot-parameter-twice", name=name, parameter=parameter)
        given[parameter] = _read(name, parameter, value, player.parameters[parameter])
    return Named(
        name, player, {p: given.get(p, one.default) for p, one in player.parameters.items()}
    )


def spelt(spec: str, *, also: Iterable[str] = ()) -> str:
    """The one spelling of a spec; raises UsageError as ``named`` does."""
    return str(named(spec, also=also))


def seated(bots: Sequence[str], players: int) -> tuple[str, ...]:
    """The bot of each seat: one for all, or one for each; raises UsageError for another number, or
    an unknown bot."""
    if len(bots) not in (1, players):
        raise UsageError.of("other-number-of-bots", bots=len(bots), players=players)
    there = tuple(map(spelt, bots))
    return there * players if len(there) == 1 else there


def family() -> tuple[str, ...]:
    """Specs of players that stand for how else one may play, as the players themselves list
    them."""
    return tuple(spec for player in BOTS.values() for spec in player.family)


def manners(spec: str) -> list[str]:
    """In what a player differs from the usual one of that name, such as ``how boldly one bids``."""
    found = named(spec)
    declared = found.player.parameters.items()
    return [one.manner or f"its {p}" for p, one in declared if found.values[p] != one.default]


def _read(name: str, parameter: str, value: str, declared: PlayerParameter) -> int | str:
    choices = declared.choices
    if isinstance(choices, range):
        number = int(value) if _NUMBER.fullmatch(value) else None
        if number in choices:
            return cast("int", number)
        ends = f"from {_written(choices[0])} to {_written(choices[-1])}"
        such = f"{name}:{parameter}={_written(choices[-1])}"
        data = {"name": name, "parameter": parameter, "value": value, "ends": ends, "such": such}
        raise UsageError.of("bot-wants-a-number", **data)
    if value in choices:
        return value
    hint = did_you_mean(value, choices, what=parameter)
    raise UsageError.of("bot-cannot-have", hint, name=name, parameter=parameter, value=value)


def _written(value: int | str) -> str:
    return f"{value:+d}" if isinstance(value, int) and value else str(value)


def _known(specs: Iterable[str]) -> list[Player]:
    """The players of these specs, each once; none of a name that nobody has."""
    return [
        BOTS[name]
        for name in dict.fromkeys(spec.partition(":")[0] for spec in specs)
        if name in BOTS
    ]


def begins_anew(specs: Iterable[str]) -> bool:
    """Whether with these players every deal starts from a fresh pool that holds only the antes."""
    return any(player.begins_anew for player in _known(specs))


def make_bot(spec: str) -> Bot:
    """A new player of that spec; raises UsageError for an unknown one."""
    found = named(spec)
    return cast("Bot", found.player.make(**found.values))


def ready(specs: Iterable[str]) -> None:
    """Load or compile what these players need before they play."""
    for player in _known(specs):
        if player.ready is not None:
            player.ready()
