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
    """Something that stands elsewhere in another order: both places, counted from 1."""

    name: str
    first: int
    second: int


def places(values: Mapping[str, Fraction | float]) -> dict[str, int]:
    """The place of each, the largest first; equals share the foremost of their places."""
    return {name: 1 + sum(other > value for other in values.values()) for name, value in values.items()}


def moved(a: Mapping[str, Fraction | float], b: Mapping[str, Fraction | float]) -> tuple[Moved, ...]:
    """What changes place between two orders, what moves furthest first."""
    first, second = places(a), places(b)
    found = [Moved(name, first[name], second[name]) for name in a if name in b and first[name] != second[name]]
    return tuple(sorted(found, key=lambda m: (-abs(m.first - m.second), m.first, m.name)))
