"""Faults of a patience that only the complete rules show."""

from collections.abc import Iterator
from typing import get_args

from quadrille_core.errors import Place, Problem
from quadrille_core.ruleset.merge import Merge
from quadrille_plugins.patience.rules import Rank


def contradictions(merge: Merge) -> Iterator[Problem]:
    """Rules that cannot be played together; the leaves they speak of must all have values.

    Every rank stands in one place alone, so that a card that fits has one foundation to go to.
    """
    values = merge.values()

    def place(path: str) -> Place | None:
        chain = merge.chains.get(path)
        return chain[-1].place if chain else None

    builds, adornment = "foundations.builds", "foundations.adornment"
    if not values[builds]:
        yield Problem.text("Q606", "nothing is built", place(builds), 'name the builds, such as [[A, "2", "3"]]')
    seen: set[str] = set()
    for number, build in enumerate(values[builds], 1):
        if not build:
            yield Problem.text("Q606", f"build {number} holds no card", place(builds), "its base card stands first")
        for rank in build:
            if rank in seen:
                yield Problem.text("Q606", f"rank {rank} is built in two places", place(builds), "give it one place")
            seen.add(rank)
    for rank in values[adornment]:
        if rank in seen:
            message = f"rank {rank} is built, and adorns the table"
            yield Problem.text("Q606", message, place(adornment), "take it out of one of the two")
        seen.add(rank)
    lost = [rank for rank in get_args(Rank) if rank not in seen]
    if lost and values[builds]:
        message = f"no foundation takes {', '.join(lost)}, so that no game could be won"
        yield Problem.text("Q606", message, place(builds), "build them, or name them in foundations.adornment")
