"""How many points of a rule set are filled for the witness that is followed, and as who has it."""

from collections import Counter
from collections.abc import Collection, Iterable
from typing import Any

from quadrille_core.frozen import frozen
from quadrille_core.ruleset import Compiled
from quadrille_core.ruleset.provenance import Because

BY_FILLING: tuple[Because, ...] = ("filling", "default")
"""Why a reading is in force on which the witness is silent and which nobody has chosen."""


@frozen
class Filled:
    """The open points of a rule set, those filled for its witness, and how many of these another
    witness has so.

    ``like`` lists the other witnesses that attest a reading so filled in, the one with most first.
    """

    points: int
    filled: int
    like: tuple[tuple[str, int], ...]

    def __str__(self) -> str:
        """``24 of 48 points filled, 15 of them as WITNESS has it``."""
        text = f"{self.filled} of {self.points} points filled"
        return text + "".join(f", {count} of them as {name} has it" for name, count in self.like)

    def to_plain(self) -> dict[str, Any]:
        """The same as plain data."""
        return {"points": self.points, "filled": self.filled, "as": dict(self.like)}


def fillings(compiled: Compiled) -> Filled | None:
    """How many of the open points are filled for the witness; None where no witness is followed."""
    if compiled.identity.witness is None:
        return None
    silent = (s for s in compiled.points if s.silent and s.because in BY_FILLING)
    return filled_in(len(compiled.points), [s.reading.witnesses for s in silent])


def filled_in(points: int, readings: Iterable[Collection[str]]) -> Filled:
    """Count the fillings of so many points: of each, the witnesses that attest the reading filled
    in."""
    found = list(readings)
    like = Counter(name for names in found for name in names)
    return Filled(
        points, len(found), tuple(sorted(like.items(), key=lambda pair: (-pair[1], pair[0])))
    )
