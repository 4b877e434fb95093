"""Old ids of disputed points, from ``variants/points/renamed.yaml``: whoever reads an id asks here for the present one.

An old id may be that of another point in other profiles; so what it stands for depends on the points there are.
"""

from collections.abc import Collection, Iterable, Mapping
from functools import cache
from typing import Any

from quadrille_core import resources
from quadrille_core.errors import Problem, ProfileError
from quadrille_core.profile.yaml_strict import load_file


@cache
def renamed() -> Mapping[str, tuple[str, ...]]:
    """Every old id with those that stand for it now."""
    raw: Any = load_file(resources.renamed_points()).to_plain()
    return {str(old): tuple(map(str, new)) for old, new in raw.items()}


def current(name: str, points: Collection[str]) -> str:
    """The id of the point that a name stands for among these; the name itself where it stands for none.

    Raises ProfileError (Q401) where it once named two of them.
    """
    if name in points:
        return name
    found = [new for new in renamed().get(name, ()) if new in points]
    if len(found) > 1:
        both = " and ".join(found)
        raise ProfileError(Problem("Q401", f"{name!r} is an old id of several points here: {both}", help="name one"))
    return found[0] if found else name


def old_names(points: Iterable[str]) -> tuple[str, ...]:
    """The old ids that still stand for one of these points, and are no point of them."""
    known = set(points)
    return tuple(old for old, new in renamed().items() if old not in known and known & set(new))


def same_readings(one: Mapping[str, str], other: Mapping[str, str]) -> bool:
    """Whether two choices of readings of one profile are the same, old ids or new."""

    def meets(point: str, reading: str, among: Mapping[str, str]) -> bool:
        names = {point, *renamed().get(point, ())}
        return any(r == reading and names & {p, *renamed().get(p, ())} for p, r in among.items())

    return len(one) == len(other) and all(meets(p, r, other) for p, r in one.items())
