"""The sums of ``studies.effects`` from what the kernel has played: arrays in, exact whole numbers out."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from quadrille_plugins.studies.accounts import ACCOUNTS, ROLE_SUMS, columns
from quadrille_plugins.studies.effects import (
    CARRIED,
    CARRIED_REVERSE,
    DIRECT,
    DIRECT_REVERSE,
    LOST,
    TOTAL,
    Effects,
    scaled,
)
from quadrille_plugins.studies.intervals import Accumulator

SEATS = 5
"""Columns of seats that the kernel has, whoever sits there."""


def places(players: int) -> list[int]:
    """The kernel's index of each column of ``accounts.columns``."""
    return [*range(players), *range(SEATS, SEATS + len(ROLE_SUMS) + len(ACCOUNTS))]


def moved(sums: Any) -> Any:
    """The kernel's movements by session: int64 (sessions, 14), in parts of a counter."""
    return sums["moved"]


def sums_of(difference: Any, lengths: Any) -> Any:
    """Sums over sessions of one estimand: object (14, 6) of Python ints, as ``effects.scaled`` takes a row of them.

    ``difference`` is int64 (sessions, 14) in parts of a counter, ``lengths`` the planned deals of each session.
    """
    import numpy as np

    found = np.zeros((difference.shape[1], 6), object)
    differs = difference != 0
    found[:, 5] = differs.sum(axis=0).tolist()
    some = differs.any(axis=1)
    # most powers are of nothing where rules differ in what is rare
    d, n = difference[some].astype(object), lengths[some].astype(object)
    if len(d):
        square = d * d
        found[:, 0], found[:, 1], found[:, 2] = d.sum(axis=0), square.sum(axis=0), (square * d).sum(axis=0)
        found[:, 3], found[:, 4] = (square * square).sum(axis=0), (d * n[:, None]).sum(axis=0)
    return found


@dataclass(slots=True)
class FastEffects(Accumulator):
    """One pair's sums in parts of a counter; ``effects`` converts them to counters."""

    sessions: int = 0
    deals: int = 0
    deals_squares: int = 0
    sums: dict[str, Any] = field(default_factory=dict)
    """By estimand, as ``sums_of`` has them."""
    lost: dict[str, Any] = field(default_factory=dict)
    """By direction, how many deals stood as the other rules cannot hold: by LOST."""
    replayed: dict[str, int] = field(default_factory=dict)
    reach: Any = 0
    """``Effects.reach`` of each column: int64 (14,)."""

    def merge(self, other: "FastEffects") -> None:
        """The sums of other sessions, and the farther reach of each column."""
        import numpy as np

        reach = np.maximum(self.reach, other.reach)
        Accumulator.merge(self, other)
        self.reach = reach

    def effects(self, players: int, scale: int) -> Effects:
        """The same in counters, by column."""
        found = Effects(self.sessions, self.deals, self.deals_squares)
        for estimand, sums in self.sums.items():
            found.changes[estimand] = {
                name: scaled(sums[place].tolist(), scale)
                for name, place in zip(columns(players), places(players), strict=True)
            }
        for name, place in zip(columns(players), places(players), strict=True):
            found.reach[name] = Fraction(int(self.reach[place]), scale)
        for direction, counts in self.lost.items():
            for kind, many in zip(LOST, counts.tolist(), strict=True):
                found.lost[direction, kind] = many
        found.replayed.update(self.replayed)
        return found


def effects_of(
    first: Any,
    second: Any,
    skip: Any,
    lengths: Any,
    forward: Any = None,
    reverse: Any = None,
    lost: Mapping[str, Any] | None = None,
) -> FastEffects:
    """The sums of sessions under two rule sets, those to skip left out; all are the kernel's ``sums``.

    ``forward`` are those of the first's deals replayed under the second, ``reverse`` of the second's under the first;
    ``lost`` is by direction what ``fast.replay`` counted.
    """
    import numpy as np

    kept = ~skip
    n = lengths[kept]
    a, b = moved(first)[kept], moved(second)[kept]
    differences = {TOTAL: b - a}
    found = FastEffects(len(n), int(n.sum()), int((n * n).sum()))
    found.reach = np.abs(np.concatenate([a, b, b - a])).max(axis=0, initial=0)
    for direction, carried, sums, own in (
        (DIRECT, CARRIED, forward, first),
        (DIRECT_REVERSE, CARRIED_REVERSE, reverse, second),
    ):
        if sums is None:
            continue
        r = moved(sums)[kept]
        differences[direction] = r - a if direction == DIRECT else b - r
        differences[carried] = b - a - differences[direction]
        found.replayed[direction] = int(own["deals"][kept].sum())
        if lost is not None:
            found.lost[direction] = lost[direction].view(np.int64).reshape(len(kept), -1)[kept].sum(axis=0)
    found.sums = {name: sums_of(d, n) for name, d in differences.items()}
    return found
