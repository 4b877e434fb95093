"""The sums of ``studies.effects`` from what the kernel has played: arrays in, exact fractions
out."""

from collections.abc import Mapping
from typing import Any

from quadrille_plugins.studies.accounts import ACCOUNTS, ROLE_SUMS
from quadrille_plugins.studies.effects import (
    DIRECT,
    DIRECT_REVERSE,
    LOST,
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

    kept, at = ~skip, places(players)
    moves = [
        None if sums is None else moved(sums)[kept][:, at].tolist()
        for sums in (first, second, forward, reverse)
    ]
    a, b, again, back = moves
    found = Effects.of(players, lengths[kept].tolist(), a or [], b or [], again, back, scale)
    for direction, sums, own in ((DIRECT, forward, first), (DIRECT_REVERSE, reverse, second)):
        if sums is not None:
            found.replayed[direction] = int(own["deals"][kept].sum())
        if sums is not None and lost is not None:
            counted = lost[direction].view(np.int64).reshape(len(kept), -1)[kept].sum(axis=0)
            pairs = zip(LOST, counted.tolist(), strict=True)
            found.lost.update({(direction, kind): many for kind, many in pairs})
    return found
