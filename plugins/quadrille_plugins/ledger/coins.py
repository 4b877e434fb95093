"""Counters as they lie on a table: an amount in the coins that the rules give out, largest
first."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from quadrille_core.rules import Coin

TOLD: Final = ("rules", "plain")
"""How a ledger may tell amounts: in the coins of its rules, or in plain counters."""
BOTH: Final = "both"
"""How pages tell the first: with plain counters beside."""


@dataclass(frozen=True, slots=True)
class Denomination:
    """The kinds of counters a table plays with, the largest first; the last is worth one."""

    coins: tuple[Coin, ...]
    beside: bool = False
    """Whether plain counters stand beside an amount in several kinds of coins."""

    def text(self, amount: Fraction | int, *, sign: bool = False) -> str:
        """The amount in the fewest coins, a fraction of the smallest exactly.

        ``sign`` puts a plus before what is won; what is lost always has a true minus.
        """
        lead = "−" if amount.numerator < 0 else "+" if sign and amount.numerator > 0 else ""
        if len(self.coins) == 1 and amount.denominator == 1:
            return f"{lead}{abs(amount.numerator)}"
        whole, rest = divmod(abs(Fraction(amount)), 1)
        if len(self.coins) == 1:
            return lead + _mixed(whole, rest)
        parts = []
        for coin in self.coins[:-1]:
            count, whole = divmod(whole, coin.worth)
            if count:
                parts.append(f"{count} {coin.one if count == 1 else coin.many}")
        if whole or rest or not parts:
            smallest = self.coins[-1]
            few = 0 < whole + rest <= 1
            parts.append(f"{_mixed(whole, rest)} {smallest.one if few else smallest.many}")
        if self.beside and abs(Fraction(amount)) >= self.coins[-2].worth:
            parts.append(f"({lead}{_mixed(*divmod(abs(Fraction(amount)), 1))})")
        return lead + " ".join(parts)


def _mixed(whole: int, rest: Fraction) -> str:
    """``3 1/2``, ``3`` or ``1/2``: whole counters and the fraction left."""
    if not rest:
        return str(whole)
    fraction = f"{rest.numerator}/{rest.denominator}"
    return f"{whole} {fraction}" if whole else fraction


PLAIN: Final = Denomination((Coin(one="counter", many="counters", worth=1, each=0),))
"""Counters that are all alike."""


def denomination(coins: Sequence[Coin], *, beside: bool = False) -> Denomination:
    """Amounts in these coins, the smallest first as the rules name them; plain numbers without
    coins."""
    return Denomination(tuple(reversed(coins)), beside) if coins else PLAIN
