"""Quadrille: the variant rules of an 18th-century card game, as data that can be cited and played."""

# no import: with `python -m` this is read before __main__ can take the current folder off the path
__version__ = "0.1.0"
PROJECT = "quadrille"
"""The pluggy project and the entry-point group of plugins."""
