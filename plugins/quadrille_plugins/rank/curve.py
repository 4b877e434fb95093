"""The specification curve: what every sampled configuration changes against the rule set itself, in
order."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from quadrille_plugins.rank.effects import MEASURES, PAYMENTS, Sure, Switch, over_sessions
from quadrille_plugins.rank.space import Configuration, Space

ACCOUNT: Final = "hombre"
"""The account of payments by which configurations are sorted."""


@dataclass(frozen=True, slots=True)
class Specification:
    """A configuration with the signed total change of every account, by measure, against the rule
    set itself.

    ``choices`` are the readings in which it differs from the rule set, by point.
    """

    choices: Mapping[str, str]
    changes: Mapping[str, Mapping[str, Sure]]


Curve = tuple[Specification, ...]


def curve_of(space: Space, found: Sequence[tuple[Configuration, Mapping[str, Switch]]]) -> Curve:
    """The configurations, each with its switch from the rule set on the same deals; the lowest
    change first."""
    told = [
        Specification(
            {
                space.names[p]: space.reading(p, place)
                for p, place in enumerate(configuration)
                if place != space.origin[p]
            },
            {m: over_sessions([switch[m]]).signed for m in MEASURES},
        )
        for configuration, switch in found
    ]
    return tuple(sorted(told, key=lambda s: (change_of(s).value, tuple(s.choices.items()))))


def change_of(specification: Specification) -> Sure:
    """The change that configurations are sorted by."""
    return specification.changes[PAYMENTS].get(ACCOUNT, Sure(0.0))
