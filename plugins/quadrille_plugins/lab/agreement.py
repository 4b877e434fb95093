"""How far two orders of the same things agree: Kendall's tau-b, and what changes place."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import sqrt


def tau_b(a: Sequence[Fraction | float], b: Sequence[Fraction | float]) -> float | None:
    """Kendall's tau-b of two lists of values: 1 for the same order, −1 for the opposite; ties count for neither.

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
class Moved:
    """Something that stands elsewhere in another order: both places, counted from 1; None where it has no weight."""

    name: str
    first: int | None
    second: int | None


def places(values: Mapping[str, Fraction | float]) -> dict[str, int | None]:
    """The place of each, the largest first; equals share the foremost of their places, and what is 0 has none."""
    return {
        name: 1 + sum(other > value for other in values.values()) if value else None for name, value in values.items()
    }


def moved(a: Mapping[str, Fraction | float], b: Mapping[str, Fraction | float]) -> tuple[Moved, ...]:
    """What changes place between two orders, what moves furthest first; to have no place is to stand behind all."""
    first, second = places(a), places(b)
    found = [Moved(name, first[name], second[name]) for name in a if name in b and first[name] != second[name]]
    behind = len(a) + 1

    def way(m: Moved) -> int:
        return abs((m.first or behind) - (m.second or behind))

    return tuple(sorted(found, key=lambda m: (-way(m), m.first or behind, m.name)))
