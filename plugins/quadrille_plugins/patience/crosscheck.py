"""Faults of a patience that only the complete rules show."""

from collections.abc import Iterator
from typing import get_args

from quadrille_core.errors import Problem
from quadrille_core.ruleset.merge import Merge
from quadrille_plugins.patience.rules import Rank


def contradictions(merge: Merge) -> Iterator[Problem]:
    """Rules that cannot be played together; the leaves they speak of must all have values.

    Every rank stands in one place alone, so that a card that fits has one foundation to go to.
    """
    values = merge.values()

    builds, adornment = "foundations.builds", "foundations.adornment"
    if not values[builds]:
        yield merge.fault(builds, "nothing-built")
    seen: set[str] = set()
    for number, build in enumerate(values[builds], 1):
        if not build:
            yield merge.fault(builds, "empty-build", number=number)
        for rank in build:
            if rank in seen:
                yield merge.fault(builds, "built-twice", rank=rank)
            seen.add(rank)
    for rank in values[adornment]:
        if rank in seen:
            yield merge.fault(adornment, "built-and-adorns", rank=rank)
        seen.add(rank)
    lost = [rank for rank in get_args(Rank) if rank not in seen]
    if lost and values[builds]:
        yield merge.fault(builds, "no-foundation", ranks=lost)
