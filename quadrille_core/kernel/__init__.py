"""The fast engine and the solver, compiled with Numba: nothing here is imported until it is asked for.

Compiled code is kept in a folder of its own for each state of the sources: a function's code holds that of all it
calls, whatever file they are written in.
"""

from quadrille_core.kernel.cache import choose

CACHE = choose()
"""Where compiled code is kept."""
