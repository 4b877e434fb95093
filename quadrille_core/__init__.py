"""Quadrille: the variant rules of an 18th-century card game, as data that can be cited and played."""

from typing import Final

__version__: Final = "0.1.0"
