"""Counters as they lie on a table: an amount in the coins that the rules give out, largest
first."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from quadrille_core.frozen import frozen
from quadrille_core.rules import Coin
from quadrille_plugins.ledger.words import word

TOLD: Final = ("rules", "plain")
"""How a ledger may tell amounts: in the coins of its rules, or in plain counters."""
BOTH: Final = "both"
"""How pages tell the first: with plain counters beside."""


@frozen
class Denomination:
    """The kinds of counters a table plays with, the largest first; the last is worth one."""

    coins: tuple[Coin, ...]
    beside: bool = False
    """Whether plain counters stand beside an amount in several kinds of coins."""

    def text(self, amount: Fraction | int, *, sign: bool = False) -> str:
        """The amount in the fewest coins, a fraction of the smallest exactly.

        ``sign`` puts a plus before what is won; what is lost always has a true minus.
        """
        told = self._unsigned(abs(Fraction(amount)))
        if self.beside and abs(Fraction(amount)) >= self.coins[-2].worth:
            plain = PLAIN.text(amount, sign=sign)
            return f"{_signed(amount, told, sign)} {word('beside', amount=plain)}"
        return _signed(amount, told, sign)

    def _unsigned(self, amount: Fraction) -> str:
        whole, rest = divmod(amount, 1)
        if len(self.coins) == 1:
            return _mixed(whole, rest)
        parts = []
        for coin in self.coins[:-1]:
            count, whole = divmod(whole, coin.worth)
            if count:
                unit = coin.one if count == 1 else coin.many
                parts.append(word("so-many", amount=count, unit=unit))
        if whole or rest or not parts:
            smallest = self.coins[-1]
            unit = smallest.one if 0 < whole + rest <= 1 else smallest.many
            parts.append(word("so-many", amount=_mixed(whole, rest), unit=unit))
        return " ".join(parts)


def _signed(amount: Fraction | int, told: str, sign: bool) -> str:
    if amount.numerator < 0:
        return word("lost", amount=told)
    return word("won", amount=told) if sign and amount.numerator > 0 else told


def _mixed(whole: int, rest: Fraction) -> str:
    """``3 1/2``, ``3`` or ``1/2``: whole counters and the fraction left."""
    if not rest:
        return str(whole)
    fraction = f"{rest.numerator}/{rest.denominator}"
    return word("whole-and-part", whole=whole, part=fraction) if whole else fraction


_COUNTER: Final = Coin(one=word("counter", 1), many=word("counter", 2), worth=1, each=0)
PLAIN: Final = Denomination((_COUNTER,))
"""Counters that are all alike."""


def denomination(coins: Sequence[Coin], *, beside: bool = False) -> Denomination:
    """Amounts in these coins, the smallest first as the rules name them; plain numbers without
    coins."""
    return Denomination(tuple(reversed(coins)), beside and len(coins) > 1) if coins else PLAIN
