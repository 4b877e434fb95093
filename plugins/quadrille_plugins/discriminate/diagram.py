"""Functions of many choices at once, kept as decision diagrams, so that astronomically many cases
are counted exactly.

A *choice* is one of a few options; a *function* gives a value to every configuration of options.
It is kept as a reduced, ordered, multi-valued decision diagram: a rooted graph in which every node
asks for one choice, choices are asked in one fixed order, nodes that make no difference are left
out, and like nodes are the same node.  Two functions are therefore equal when, and only when, they
are the same node; and a choice that a function does not depend on does not occur in it.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import reduce, wraps
from math import prod
from typing import Any, Final, TypeVar, cast

from quadrille_core.errors import UsageError

Cube = tuple[tuple[int, int], ...]
"""A set of configurations: the choices that are fixed, each with its option; all others are
free."""

MOST_NODES: Final = 2_000_000
"""Where a diagram is given up: by then it holds some hundred megabytes."""


F = TypeVar("F", bound=Callable[..., Any])


def once(method: F) -> F:
    """The method, its results kept by all that it is given but operations, for which their names
    stand."""

    @wraps(method)
    def known(self: Any, *given: Any) -> Any:
        key = (method.__name__, *(g for g in given if not callable(g)))
        if key not in self._memo:
            self._memo[key] = method(self, *given)
        return self._memo[key]

    return cast("F", known)


class Diagrams:
    """All functions of some choices; a function is the number of its node."""

    def __init__(self, sizes: Sequence[int]) -> None:
        """``sizes``: how many options each choice has."""
        self.sizes: Final = tuple(sizes)
        self._nodes: list[tuple[int, Any]] = []
        # each node: the choice it asks for and the node of each option; or the number of choices,
        # and a value
        self._known: dict[tuple[int, Any], int] = {}
        self._memo: dict[Hashable, Any] = {}
        self.false: Final = self.value(False)
        self.true: Final = self.value(True)

    def _node(self, level: int, content: Any) -> int:
        key = (level, content)
        found = self._known.get(key)
        if found is None:
            if len(self._nodes) >= MOST_NODES:
                raise UsageError.of("too-entangled")
            found = self._known[key] = len(self._nodes)
            self._nodes.append(key)
        return found

    def value(self, value: Hashable) -> int:
        """The function that has this value everywhere; values of different types are different."""
        return self._node(len(self.sizes), (type(value), value))

    def is_value(self, node: int) -> bool:
        """Whether the function has one value everywhere."""
        return self._nodes[node][0] == len(self.sizes)

    def value_of(self, node: int) -> Any:
        """That one value."""
        return self._nodes[node][1][1]

    def make(self, choice: int, options: tuple[int, ...]) -> int:
        """The function that goes on by the option of a choice; the options depend on later choices
        alone."""
        return options[0] if all(o == options[0] for o in options) else self._node(choice, options)

    def _below(self, node: int, choice: int, option: int) -> int:
        level, content = self._nodes[node]
        below: int = content[option] if level == choice else node
        return below

    @once
    def choose(self, choice: int, options: tuple[int, ...]) -> int:
        """The same where the options may depend on any choice."""
        if all(o == options[0] for o in options):
            return options[0]
        top = min(choice, *(self._nodes[o][0] for o in options))
        if top == choice:
            return self.make(top, tuple(self._below(o, choice, n) for n, o in enumerate(options)))
        below = (tuple(self._below(o, top, n) for o in options) for n in range(self.sizes[top]))
        return self.make(top, tuple(self.choose(choice, some) for some in below))

    def is_option(self, choice: int, option: int) -> int:
        """True where the choice has that option."""
        return self.cube(((choice, option),))

    def cube(self, cube: Cube) -> int:
        """True in the cube, false elsewhere."""
        node = self.true
        for choice, option in sorted(cube, reverse=True):
            node = self.make(
                choice,
                tuple(node if n == option else self.false for n in range(self.sizes[choice])),
            )
        return node

    @once
    def apply(self, name: str, op: Callable[[Any, Any], Hashable], one: int, two: int) -> int:
        """The pointwise result of an operation on two functions; ``name`` is its cache key."""
        if self.is_value(one) and self.is_value(two):
            return self.value(op(self.value_of(one), self.value_of(two)))
        top = min(self._nodes[one][0], self._nodes[two][0])
        below = (
            (self._below(one, top, n), self._below(two, top, n)) for n in range(self.sizes[top])
        )
        return self.make(top, tuple(self.apply(name, op, *both) for both in below))

    def both(self, one: int, two: int) -> int:
        """True where both are."""
        if self.false in (one, two):
            return self.false
        if one in (self.true, two):
            return two
        return (
            one
            if two == self.true
            else self.apply("and", lambda a, b: a and b, *sorted((one, two)))
        )

    def either(self, one: int, two: int) -> int:
        """True where one of them is."""
        if self.true in (one, two):
            return self.true
        if one in (self.false, two):
            return two
        return (
            one if two == self.false else self.apply("or", lambda a, b: a or b, *sorted((one, two)))
        )

    def all_of(self, nodes: Sequence[int]) -> int:
        """True where all are."""
        return reduce(self.both, nodes, self.true)

    @once
    def map(self, name: Hashable, op: Callable[[Any], Hashable], node: int) -> int:
        """The function with every value mapped; ``name`` is the mapping's cache key."""
        level, content = self._nodes[node]
        if self.is_value(node):
            return self.value(op(self.value_of(node)))
        return self.make(level, tuple(self.map(name, op, o) for o in content))

    @once
    def fixed(self, node: int, choice: int, option: int) -> int:
        """The function with one choice fixed; it no longer depends on that choice."""
        level, content = self._nodes[node]
        if level >= choice:
            return self._below(node, choice, option)
        return self.make(level, tuple(self.fixed(o, choice, option) for o in content))

    @once
    def without(self, node: int, choices: frozenset[int]) -> int:
        """True where some option of these choices makes the function true (existential
        quantification)."""
        level, content = self._nodes[node]
        if self.is_value(node) or not any(c >= level for c in choices):
            return node
        parts = tuple(self.without(o, choices) for o in content)
        return (
            reduce(self.either, parts, self.false) if level in choices else self.make(level, parts)
        )

    def onto(self, node: int, choices: frozenset[int]) -> int:
        """What remains of a set when only these choices are asked for."""
        return self.without(node, frozenset(range(len(self.sizes))) - choices)

    @once
    def support(self, node: int) -> frozenset[int]:
        """The choices that a function depends on."""
        level, content = self._nodes[node]
        if self.is_value(node):
            return frozenset()
        return frozenset({level}).union(*(self.support(o) for o in dict.fromkeys(content)))

    def counts(self, node: int) -> dict[Any, int]:
        """How many configurations have each value, exactly."""
        level, found = self._counts(node)
        return {value: count * prod(self.sizes[:level]) for value, count in found.items()}

    @once
    def _counts(self, node: int) -> tuple[int, Mapping[Any, int]]:
        """The level of a node, and how many configurations of the choices from there on have each
        value."""
        level, content = self._nodes[node]
        if self.is_value(node):
            return level, {self.value_of(node): 1}
        tally: Counter[Any] = Counter()
        for option in content:
            below, found = self._counts(option)
            times = prod(self.sizes[level + 1 : below])
            tally.update({value: count * times for value, count in found.items()})
        return level, tally

    def count(self, node: int) -> int:
        """How many configurations make it true."""
        return sum(n for value, n in self.counts(node).items() if value is True)

    def cubes(self, node: int) -> Iterator[tuple[Cube, Any]]:
        """The function as disjoint cubes, each with its value, in the order of the choices."""
        level, content = self._nodes[node]
        if self.is_value(node):
            yield (), self.value_of(node)
            return
        for option, below in enumerate(content):
            for cube, value in self.cubes(below):
                yield ((level, option), *cube), value

    def pick(self, node: int, wanted: Sequence[int]) -> tuple[int, ...] | None:
        """A configuration that makes the function true, with as many preferred options as possible;
        else None."""
        if node == self.false:
            return None
        picked = list(wanted)
        while not self.is_value(node):
            level, content = self._nodes[node]
            order = (picked[level], *(n for n in range(self.sizes[level]) if n != picked[level]))
            picked[level] = next(n for n in order if content[n] != self.false)
            node = content[picked[level]]
        return tuple(picked)
