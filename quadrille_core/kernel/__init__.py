"""The fast engine and the solver, compiled with Numba: nothing here is imported until it is asked for.

Compiled code is kept in a folder of its own for each state of the sources: Numba itself looks at a function's own
file alone, and would go on using code compiled from what other files said before.
"""

from quadrille_core.kernel.cache import choose

CACHE = choose()
"""Where compiled code is kept."""
