"""An amount divided among several, and what becomes of the counters that will not divide: the one place.

Where an amount comes out whole, everybody has an equal part and ``stakes.odd_counters`` has nothing to say.
Where it does not, ``exact`` divides it all the same, in fractions; otherwise everybody has the whole counters
of an equal part, and what is over, less than a counter for each, is *odd*:

* ``hombre``: to Hombre, or from Hombre; where Hombre has no part in it, as ``eldest``.
* ``eldest``: a counter each, from the eldest on; a fraction, if the amount had one, goes to the next.
* ``pool``: to nobody and from nobody; it stays, or falls, into the pool.

Each is a reading of the point ``odd_counters``, ``hombre`` that of the period books, which speak of halves alone.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import Final

from quadrille_core.rules import OddCounters

ZERO: Final = Fraction(0)


@dataclass(frozen=True, slots=True)
class Shares:
    """Equal parts, and what was over: who has how much of it, and what nobody has."""

    each: Fraction
    odd: tuple[tuple[int, Fraction], ...]
    """Seats that have more than an equal part, and how much more."""
    left: Fraction
    """What stays in the pool, or is not put into it."""

    def of(self, seat: int) -> Fraction:
        """All that one seat has."""
        return self.each + sum(amount for s, amount in self.odd if s == seat)


def share(rule: Callable[[], OddCounters], seats: Sequence[int], amount: Fraction, hombre: int | None = None) -> Shares:
    """Divide an amount among seats, who are told from the eldest on or sorted here.

    The rule for odd counters is asked only where there are some, so that it is known where it matters.
    """
    exact = amount / len(seats)
    if exact.denominator == 1 or (how := rule()) == "exact":
        return Shares(exact, (), ZERO)
    each = Fraction(floor(exact))
    over = amount - each * len(seats)
    if how == "pool":
        return Shares(each, (), over)
    if how == "hombre" and hombre is not None and hombre in seats:
        return Shares(each, ((hombre, over),), ZERO)
    odd = []
    for seat in sorted(seats):
        part = min(Fraction(1), over)
        if part:
            odd.append((seat, part))
        over -= part
    return Shares(each, tuple(odd), ZERO)
