"""Old ids of disputed points, from ``variants/points/renamed.yaml``: whoever reads an id asks here for the present one.

An old id may be that of another point in other profiles; so what it stands for depends on the points there are.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from quadrille_core import resources
from quadrille_core.errors import Place, Problem, ProfileError
from quadrille_core.profile.document import PointDoc, ProfileDoc
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


def with_present_ids(chain: tuple[ProfileDoc, ...]) -> tuple[ProfileDoc, ...]:
    """The chain, root first, where every point has its present id: one stated anew by an old id replaces its parents'.

    Two points are the same where they set some rule in common; a point of other rules keeps its id.  Raises
    ProfileError (Q107) where one file states a point by both ids, and (Q401) where the old id is that of two of the
    parents' points.
    """
    known: dict[str, PointDoc] = {}
    found = []
    for doc in chain:
        points: dict[str, PointDoc] = {}
        for point in doc.points:
            name = point.id
            if name in renamed() and name not in known:
                name = current(name, [n for n, p in known.items() if rules_of(p) & rules_of(point)])
            if name != point.id and doc.point(name) is not None:
                raise ProfileError(twice(name, [point.id, name], point.place))
            points[name] = point if name == point.id else replace(point, id=name)
        changed = [p.id for p in doc.points] != list(points)
        found.append(replace(doc, points=tuple(points.values())) if changed else doc)
        known |= points
    return tuple(found)


def rules_of(point: PointDoc) -> set[str]:
    """Every rule that some reading of a point sets."""
    return {path for reading in point.readings for path, _, _ in reading.sets}


def twice(point: str, names: Iterable[str], place: Place | None = None) -> Problem:
    """The fault of one mapping that names a point by several of its ids."""
    both = " and ".join(repr(name) for name in dict.fromkeys(names))
    return Problem("Q107", f"{both} name the same point", place, f"keep one of them; {point} is its present id")
