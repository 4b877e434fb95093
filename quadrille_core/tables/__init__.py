"""A rule set as arrays of integers: what the kernel runs and the solver searches.  Needs NumPy."""
