"""Rank correlation: Kendall's tau-b of two orders of the same things, and which change places."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import sqrt


def tau_b(a: Sequence[Fraction | float], b: Sequence[Fraction | float]) -> float | None:
    """Kendall's tau-b of two lists of values: 1 for the same order, −1 for the opposite; ties count
    for neither.

    None where one of them orders nothing (Kendall 1945).
    """
    concordant = discordant = only_a = only_b = 0
    for (x, v), (y, w) in combinations(zip(a, b, strict=True), 2):
        one, other = (x > y) - (x < y), (v > w) - (v < w)
        concordant += one * other > 0
        discordant += one * other < 0
        only_a += one == 0 and other != 0
        only_b += other == 0 and one != 0
    ordered = concordant + discordant
    of = (ordered + only_a) * (ordered + only_b)
    return (concordant - discordant) / sqrt(of) if of else None


@dataclass(frozen=True, slots=True)
class PlaceChange:
    """Something whose place differs between two orders, both counted from 1; None without
    weight."""

    name: str
    first: int | None
    second: int | None


def places(values: Mapping[str, Fraction | float]) -> dict[str, int | None]:
    """The place of each, the largest first; equals share the foremost of their places, and what is
    0 has none."""
    return {
        name: 1 + sum(other > value for other in values.values()) if value else None
        for name, value in values.items()
    }


def place_changes(
    a: Mapping[str, Fraction | float], b: Mapping[str, Fraction | float]
) -> tuple[PlaceChange, ...]:
    """What changes places between two orders, the largest change first; things without a place come
    last."""
    first, second = places(a), places(b)
    found = [
        PlaceChange(name, first[name], second[name])
        for name in a
        if name in b and first[name] != second[name]
    ]
    behind = len(a) + 1

    def way(m: PlaceChange) -> int:
        return abs((m.first or behind) - (m.second or behind))

    return tuple(sorted(found, key=lambda m: (-way(m), m.first or behind, m.name)))
