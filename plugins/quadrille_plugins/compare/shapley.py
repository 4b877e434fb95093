"""Shapley values of a game of coalitions, and the interactions of two players: which coalitions are
valued, and with what weights.

The players are groups of rules; a coalition is a set of them as bits of a number.  The value of a
group is its Shapley value: what it adds to those before it, on average over all orders (Shapley
1953).  The interaction of two is Grabisch and Roubens's index (1999): what both add beyond what
each adds alone, on average over the coalitions of the others, all sizes alike.  *Blocks* are the
same groups joined to fewer: the value of a block is that of the game in which the blocks play.

A ``Scheme`` is one unbiased estimate of all of these.  ``all_coalitions`` has no error of its own;
``of_orders`` draws an order, and plays it also with every second pair of neighbours changed, and
both backwards: so each value is a mean of four, and the neighbours show their interactions.  Of few
blocks it plays every coalition, of more another order both ways.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from itertools import combinations
from math import factorial
from operator import or_
from typing import Final

from quadrille_core.frozen import frozen
from quadrille_core.stream import Stream

ORDERS: Final = 4
"""Orders of a scheme."""
PARTS: Final = 12
"""Parts of a weight, of which three blocks in all orders, and two, have whole ones."""
ALL_BLOCKS: Final = 3
"""Blocks of which all coalitions are no more than those of an order and of the same backwards, and
a few."""
Pair = tuple[int, int]
Blocks = tuple[tuple[int, ...], ...]


@frozen
class Step:
    """What a group or block adds to a coalition, and how much that weighs.

    ``player`` is the place of a group, or of a block after all groups; ``joins`` are its bits.
    """

    player: int
    before: int
    joins: int
    weight: int


@frozen
class Square:
    """Two groups beside a coalition, and how much that weighs."""

    pair: Pair
    before: int
    weight: int

    @property
    def corners(self) -> tuple[int, int, int, int]:
        """The coalition alone, with the first, with the second, with both."""
        one, other = (1 << n for n in self.pair)
        return self.before, self.before | one, self.before | other, self.before | one | other


@frozen
class Scheme:
    """One estimate: a value is the weighted sum of its steps divided by ``parts``, an interaction
    that of its squares."""

    players: int
    """Groups and blocks."""
    whole: int
    """The coalition of all."""
    steps: tuple[Step, ...]
    squares: tuple[Square, ...]
    parts: int

    @property
    def coalitions(self) -> tuple[int, ...]:
        """All that are valued, in order."""
        found = {0, self.whole}
        for step in self.steps:
            found |= {step.before, step.before | step.joins}
        for square in self.squares:
            found.update(square.corners)
        return tuple(sorted(found))


def all_coalitions(groups: int, blocks: Blocks = ()) -> Scheme:
    """Every coalition with its weight."""
    squares = [
        Square(pair, before, groups * factorial(len(some)) * factorial(groups - len(some) - 2))
        for pair in combinations(range(groups), 2)
        for some in _subsets([n for n in range(groups) if n not in pair])
        for before in [_joined(1 << n for n in some)]
    ]
    singly, jointly = _masks(groups, blocks)
    parts = factorial(groups)
    steps = [*_all_steps(singly, 0, parts), *_all_steps(jointly, groups, parts)]
    return Scheme(len(singly) + len(jointly), _joined(singly), tuple(steps), tuple(squares), parts)


def _masks(groups: int, blocks: Blocks) -> tuple[list[int], list[int]]:
    """The bits of each group, and of each block."""
    return [1 << n for n in range(groups)], [_joined(1 << n for n in b) for b in blocks]


def _joined(masks: Iterator[int] | Sequence[int]) -> int:
    return reduce(or_, masks, 0)


def _subsets(places: Sequence[int]) -> Iterator[tuple[int, ...]]:
    return (some for size in range(len(places) + 1) for some in combinations(places, size))


def _all_steps(masks: Sequence[int], first: int, parts: int) -> Iterator[Step]:
    """Every step of these players, which begin at place ``first``."""
    many = len(masks)
    for n, joins in enumerate(masks):
        for some in _subsets([m for m in range(many) if m != n]):
            weight = parts * factorial(len(some)) * factorial(many - len(some) - 1)
            before = _joined([masks[m] for m in some])
            yield Step(first + n, before, joins, weight // factorial(many))


def of_orders(groups: int, stream: Stream, blocks: Blocks = ()) -> Scheme:
    """The scheme of an order at random.

    Its pairs of neighbours begin at the first group or at the second, by lot, so that a pair comes
    after coalitions of all sizes alike.
    """
    order, begin = order_of(groups, stream), stream.below(2)
    return of_order(order, begin, blocks, order_of(len(blocks), stream))


def both_ways(order: Sequence[int], picked: Sequence[int]) -> Scheme:
    """What some groups alone add in an order and in the same backwards."""
    singly, _ = _masks(len(order), ())
    steps = (step for one in (order, order[::-1]) for step in _along(one, singly, 0, PARTS // 2))
    some = tuple(step for step in steps if step.player in picked)
    return Scheme(len(order), _joined(singly), some, (), PARTS)


def of_order(
    order: Sequence[int], begin: int, blocks: Blocks = (), coarse: Sequence[int] = ()
) -> Scheme:
    """An order, the same with neighbours changed from place ``begin`` on, and both backwards; of
    few blocks every coalition, of more the ``coarse`` order both ways."""
    groups, changed = len(order), list(order)
    for at in range(begin, groups - 1, 2):
        changed[at], changed[at + 1] = order[at + 1], order[at]
    singly, jointly = _masks(groups, blocks)
    steps = [
        step
        for one in (order, changed, order[::-1], changed[::-1])
        for step in _along(one, singly, 0, PARTS // ORDERS)
    ]
    if len(blocks) <= ALL_BLOCKS:
        steps += _all_steps(jointly, groups, PARTS)
    else:
        for one in (coarse, coarse[::-1]):
            steps += _along(one, jointly, groups, PARTS // 2)
    squares = []
    for one, first in ((order, begin), (order[::-1], (groups - begin) % 2)):
        for at in range(first, groups - 1, 2):
            n, m = sorted(one[at : at + 2])
            # one order in so many has two groups for neighbours that are changed
            weight = groups * PARTS // 2
            squares.append(Square((n, m), _joined([1 << k for k in one[:at]]), weight))
    return Scheme(groups + len(blocks), _joined(singly), tuple(steps), tuple(squares), PARTS)


def order_of(many: int, stream: Stream) -> list[int]:
    """So many groups in an order at random, which ``of_orders`` draws first."""
    order = list(range(many))
    stream.shuffle(order)
    return order


def _along(order: Sequence[int], masks: Sequence[int], first: int, weight: int) -> Iterator[Step]:
    """Each player of an order, joining those before."""
    before = 0
    for n in order:
        yield Step(first + n, before, masks[n], weight)
        before |= masks[n]


Worth = Mapping[int, Sequence[int]]
"""What each coalition is worth, by column."""


def values(scheme: Scheme, worth: Worth) -> list[list[int]]:
    """The values of every group and block by column, times ``parts``: those of the groups sum to
    what all are worth, and those of the blocks too."""
    columns = range(len(worth[0]))
    found = [[0 for _ in columns] for _ in range(scheme.players)]
    for step in scheme.steps:
        row, less, more = found[step.player], worth[step.before], worth[step.before | step.joins]
        for c in columns:
            row[c] += step.weight * (more[c] - less[c])
    return found


def interactions(scheme: Scheme, worth: Worth) -> dict[Pair, list[int]]:
    """The interactions of the pairs that were met by column, times ``parts``; of others nothing is
    added up."""
    found: dict[Pair, list[int]] = {}
    for square in scheme.squares:
        none, one, other, both = (worth[c] for c in square.corners)
        row = found.setdefault(square.pair, [0] * len(none))
        for c, (a, x, y, b) in enumerate(zip(none, one, other, both, strict=True)):
            row[c] += square.weight * (b - x - y + a)
    return found
