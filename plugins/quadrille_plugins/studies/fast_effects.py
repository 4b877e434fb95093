"""The sums of ``studies.effects`` from what the kernel has played: arrays in, exact fractions
out."""

from collections.abc import Mapping
from fractions import Fraction
from operator import mul
from typing import Any

from quadrille_plugins.studies.accounts import ACCOUNTS, ROLE_SUMS, columns
from quadrille_plugins.studies.effects import (
    CARRIED,
    CARRIED_REVERSE,
    DIRECT,
    DIRECT_REVERSE,
    LOST,
    TOTAL,
    DifferenceSums,
    Effects,
)

SEATS = 5
"""Columns of seats that the kernel has, whoever sits there."""


def places(players: int) -> list[int]:
    """The kernel's index of each column of ``accounts.columns``."""
    return [*range(players), *range(SEATS, SEATS + len(ROLE_SUMS) + len(ACCOUNTS))]


def moved(sums: Any) -> Any:
    """The kernel's movements by session: int64 (sessions, 14), in parts of a counter."""
    return sums["moved"]


def effects_of(
    first: Any,
    second: Any,
    skip: Any,
    lengths: Any,
    forward: Any = None,
    reverse: Any = None,
    lost: Mapping[str, Any] | None = None,
    *,
    players: int,
    scale: int,
) -> Effects:
    """The sums of sessions under two rule sets, those to skip left out; all are the kernel's
    ``sums``.

    ``forward`` are those of the first's deals replayed under the second, ``reverse`` of the
    second's under the first; ``lost`` is by direction what ``fast.replay`` counted.
    """
    import numpy as np

    kept, names, at = ~skip, columns(players), places(players)
    n = lengths[kept].tolist()
    a, b = moved(first)[kept][:, at], moved(second)[kept][:, at]
    differences = {TOTAL: b - a}
    found = Effects(len(n), sum(n), sum(map(mul, n, n)))
    farthest = np.abs(np.concatenate([a, b, b - a])).max(axis=0, initial=0).tolist()
    found.reach = {name: Fraction(far, scale) for name, far in zip(names, farthest, strict=True)}
    for direction, carried, sums, own in (
        (DIRECT, CARRIED, forward, first),
        (DIRECT_REVERSE, CARRIED_REVERSE, reverse, second),
    ):
        if sums is None:
            continue
        r = moved(sums)[kept][:, at]
        differences[direction] = r - a if direction == DIRECT else b - r
        differences[carried] = b - a - differences[direction]
        found.replayed[direction] = int(own["deals"][kept].sum())
        if lost is not None:
            counts = (
                lost[direction].view(np.int64).reshape(len(kept), -1)[kept].sum(axis=0).tolist()
            )
            found.lost.update(
                {(direction, kind): many for kind, many in zip(LOST, counts, strict=True)}
            )
    for estimand, difference in differences.items():
        found.changes[estimand] = {
            name: DifferenceSums.of(amounts, n, scale)
            for name, amounts in zip(names, difference.T.tolist(), strict=True)
        }
    return found
