"""What a unit and a basic stake are worth: the one place where amounts are rounded."""

import math
from fractions import Fraction

from quadrille_core.rules import Stakes


def unit_of(stakes: Stakes, pool: Fraction) -> Fraction:
    """The size of a unit when the pool, this deal's antes included, holds so much."""
    exact = pool * stakes.unit if stakes.unit_of == "stake" else stakes.unit
    if stakes.unit_rounding == "down":
        return Fraction(math.floor(exact))
    if stakes.unit_rounding == "up":
        return Fraction(math.ceil(exact))
    if stakes.unit_rounding == "nearest":
        return Fraction(math.floor(exact + Fraction(1, 2)))
    return exact


def basic_stake(stakes: Stakes, players: int) -> int:
    """What the antes of one deal come to."""
    return stakes.ante * players if stakes.ante_by == "each" else stakes.ante
