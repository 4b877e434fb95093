"""Every combination of a set that is kept as a diagram, one by one: only for sets that are known to
be small."""

from itertools import product


def picks_of(space, node):
    sizes = space.diagrams.sizes
    for cube, value in space.diagrams.cubes(node):
        if value is True:
            fixed = dict(cube)
            yield from product(
                *((fixed[n],) if n in fixed else range(size) for n, size in enumerate(sizes))
            )
