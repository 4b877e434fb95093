"""Which readings survive the evidence, which piece excludes each of the others, and which points
are linked.

Every piece of evidence is put to every configuration of readings that compiles, without going
through them: see ``configurations``.  What survives is the set at which all pieces hold.
"""

from collections.abc import Hashable, Mapping, Sequence
from functools import cached_property
from itertools import combinations as choose
from math import comb
from typing import Any, Final

from quadrille_core.frozen import frozen
from quadrille_plugins.discriminate.configurations import ConfigurationSpace
from quadrille_plugins.discriminate.diagram import Cube
from quadrille_plugins.discriminate.evidence import Evidence
from quadrille_plugins.discriminate.evidence_pieces import Piece, Word
from quadrille_plugins.discriminate.validity import Validity

MOST_SETS: Final = 12
"""Minimal sets of pieces that are told."""
MOST_TRIED: Final = 6000
"""Sets of one size that are tried before one minimal set is looked for by itself."""


@frozen
class Minimal:
    """Sets of pieces, each of which does it alone and could do without none of its pieces."""

    sets: tuple[tuple[int, ...], ...]
    complete: bool
    """Whether there are no others."""


@frozen
class LinkedPoints:
    """Points whose readings only stand together: which ones do."""

    points: tuple[int, ...]
    by_rules: bool
    """Whether they hang together already by what compiles, without any evidence."""
    standing: tuple[Cube, ...]
    """The configurations of their readings that survive, as disjoint cubes."""
    count: int


class Discrimination:
    """Evidence checked against every configuration."""

    def __init__(self, space: ConfigurationSpace, evidence: Evidence) -> None:
        self.space: Final = space
        self.evidence: Final = evidence
        self.pieces: Final[Sequence[Piece]] = evidence.pieces
        self.valid: Final = Validity(space).valid()
        """True for the configurations that the compiler lets stand."""
        diagrams = space.diagrams
        self.answers: Final = tuple(self._answers(n, piece) for n, piece in enumerate(self.pieces))
        """What each piece is answered, by configuration; False where a configuration does not
        compile."""
        self.holds: Final = tuple(diagrams.map("stands", _stands, a) for a in self.answers)
        self.survivors: Final = diagrams.all_of([self.valid, *self.holds])

    def _answers(self, number: int, piece: Piece) -> int:
        diagrams = self.space.diagrams
        what = f"evidence {piece.id!r}"
        first, *rest = (self.space.ask_rules(self.valid, part, what=what) for part in piece.parts())
        found = diagrams.map(("part", number), lambda v: v if v is False else (v,), first)
        for place, other in enumerate(rest):
            found = diagrams.apply(f"parts {number} {place}", _joined, found, other)
        return diagrams.map(
            ("judge", number), lambda v: v if v is False else piece.judge(*v), found
        )

    # --- counting
    #   ---------------------------------------------------------------------------------------

    @cached_property
    def started(self) -> int:
        """How many configurations compile."""
        return self.space.diagrams.count(self.valid)

    @cached_property
    def remaining(self) -> int:
        """How many configurations survive."""
        return self.space.diagrams.count(self.survivors)

    def with_reading(self, node: int, point: int, reading: int) -> int:
        """The subset in which a point has that reading."""
        diagrams = self.space.diagrams
        return diagrams.both(node, diagrams.is_option(point, reading))

    def counts(self, point: int) -> tuple[int, ...]:
        """How many survivors have each reading of a point."""
        diagrams = self.space.diagrams
        return tuple(
            diagrams.count(self.with_reading(self.survivors, point, n))
            for n in range(diagrams.sizes[point])
        )

    def compiles(self, point: int, reading: int) -> bool:
        """Whether any configuration with that reading compiles."""
        return self.with_reading(self.valid, point, reading) != self.space.diagrams.false

    def words(self, piece: int) -> dict[Word, int]:
        """In how many compiling configurations a piece holds, fails, is refused, or is
        undecided."""
        counted = self.space.diagrams.counts(
            self.space.diagrams.map("word", _word, self.answers[piece])
        )
        return {
            word: counted[word]
            for word in ("holds", "fails", "refused", "undecided")
            if word in counted
        }

    def said(self, piece: int, point: int, reading: int) -> str:
        """How a configuration with that reading, as near as possible to the one in use, differs
        from a piece."""
        diagrams = self.space.diagrams
        failing = diagrams.map(
            "fails", lambda v: v is not False and not _stands(v), self.answers[piece]
        )
        wanted = list(self.space.base)
        wanted[point] = reading
        pick = diagrams.pick(self.with_reading(failing, point, reading), wanted)
        return "" if pick is None else str(self.space.at(self.answers[piece], pick)[1])

    @cached_property
    def undecided(self) -> tuple[int, ...]:
        """Pieces that some survivor leaves undecided."""
        diagrams = self.space.diagrams
        return tuple(
            n
            for n, answer in enumerate(self.answers)
            if diagrams.both(self.survivors, diagrams.map("undecided", _is_undecided, answer))
            != diagrams.false
        )

    # --- who fells what
    #   -----------------------------------------------------------------------------------

    def felled_by(self, point: int, reading: int) -> Minimal:
        """The smallest sets of pieces that leave no configuration with that reading."""
        return self.minimal(self.with_reading(self.valid, point, reading))

    @cached_property
    def contradictions(self) -> Minimal:
        """Where nothing survives, the minimal sets of pieces that contradict one another."""
        if self.remaining:
            return Minimal((), True)
        return self.minimal(self.valid)

    def minimal(self, among: int) -> Minimal:
        """Minimal sets of pieces that together hold nowhere in a set, in order of their size.

        All of them, unless they are too many to be told or to be looked for: then some, of the
        smallest size first.
        """
        diagrams = self.space.diagrams
        parts = {n: diagrams.both(among, h) for n, h in enumerate(self.holds)}
        parts = {n: p for n, p in parts.items() if p != among}
        if (
            among == diagrams.false
            or diagrams.all_of(list(parts.values()) or [among]) != diagrams.false
        ):
            return Minimal((), True)
        found: list[tuple[int, ...]] = []
        for size in range(1, len(parts) + 1):
            left = [n for n in parts if (n,) not in found]
            if size > 1 and self._together(parts, left) != diagrams.false:
                return Minimal(tuple(found), True)
            if comb(len(left), size) > MOST_TRIED:
                return Minimal(tuple(found) or (self._shrunk(parts),), False)
            for pieces in choose(left, size):
                if any(set(smaller) <= set(pieces) for smaller in found):
                    continue
                if self._together(parts, pieces) == diagrams.false:
                    found.append(pieces)
                    if len(found) > MOST_SETS:
                        return Minimal(tuple(found[:MOST_SETS]), False)
        return Minimal(tuple(found), True)

    def _together(self, parts: Mapping[int, int], pieces: Sequence[int]) -> int:
        return self.space.diagrams.all_of([parts[n] for n in pieces])

    def _shrunk(self, parts: Mapping[int, int]) -> tuple[int, ...]:
        """One minimal set, found by dropping whatever is not needed."""
        kept = list(parts)
        for n in list(parts):
            without = [k for k in kept if k != n]
            if without and self._together(parts, without) == self.space.diagrams.false:
                kept = without
        return tuple(kept)

    # --- what stands together
    #   -------------------------------------------------------------------------------

    @cached_property
    def blocks(self) -> tuple[LinkedPoints, ...]:
        """The smallest groups of points whose readings survive only in certain configurations."""
        if not self.remaining:
            return ()
        diagrams = self.space.diagrams
        before = self._groups(self.valid)
        found = []
        for group in self._groups(self.survivors):
            standing = diagrams.onto(self.survivors, group)
            cubes = tuple(cube for cube, value in diagrams.cubes(standing) if value is True)
            free = [s for n, s in enumerate(diagrams.sizes) if n not in group]
            count = diagrams.count(standing)
            for size in free:
                count //= size
            by_rules = group in before and diagrams.onto(self.valid, group) == standing
            found.append(LinkedPoints(tuple(sorted(group)), by_rules, cubes, count))
        return tuple(sorted(found, key=lambda b: b.points))

    def _groups(self, node: int) -> list[frozenset[int]]:
        """The choices of a set in groups that are independent of one another; those that are so
        alone are left out."""
        diagrams = self.space.diagrams
        alone = {n: diagrams.onto(node, frozenset({n})) for n in diagrams.support(node)}
        whole, groups = node, []
        left = sorted(alone)
        for size in range(1, len(left) + 1):
            for group in choose(left, size):
                if not set(group) <= set(left):
                    continue
                own = diagrams.onto(whole, frozenset(group))
                if diagrams.both(own, diagrams.without(whole, frozenset(group))) == whole:
                    left = [n for n in left if n not in group]
                    whole = diagrams.without(whole, frozenset(group))
                    if size > 1:
                        groups.append(frozenset(group))
            if not left:
                break
            if comb(len(left), size + 1) > MOST_TRIED:
                groups.append(frozenset(left))  # told as one, though it may fall into several
                break
        return groups


def _joined(one: Any, two: Any) -> Hashable:
    return False if one is False or two is False else (*one, two)


def _stands(answer: Any) -> bool:
    return answer is not False and answer[0] in ("holds", "undecided")


def _word(answer: Any) -> Hashable:
    return False if answer is False else answer[0]


def _is_undecided(answer: Any) -> bool:
    return answer is not False and answer[0] == "undecided"
