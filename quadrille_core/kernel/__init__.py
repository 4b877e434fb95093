"""The fast engine and the solver, compiled with Numba: nothing here is imported until it is asked for."""
