"""Counters as they lie on a table: an amount in the coins of a denomination, largest first."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Final

from quadrille_core.errors import UsageError, did_you_mean


@dataclass(frozen=True, slots=True)
class Coin:
    """One kind of counter and how many plain counters it is worth."""

    one: str
    many: str
    worth: int


@dataclass(frozen=True, slots=True)
class Denomination:
    """The kinds of counters a table plays with, the largest first; the last is worth one."""

    name: str
    coins: tuple[Coin, ...]
    source: str
    """Who tells of them; empty where nobody need."""

    def text(self, amount: Fraction, *, sign: bool = False) -> str:
        """The amount in the fewest coins, a fraction of the smallest exactly.

        ``sign`` puts a plus before what is won; what is lost always has a true minus.
        """
        lead = "−" if amount < 0 else "+" if sign and amount > 0 else ""
        whole, rest = divmod(abs(amount), 1)
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
        return lead + " ".join(parts)


def _mixed(whole: int, rest: Fraction) -> str:
    """``3 1/2``, ``3`` or ``1/2``: whole counters and the fraction left."""
    if not rest:
        return str(whole)
    fraction = f"{rest.numerator}/{rest.denominator}"
    return f"{whole} {fraction}" if whole else fraction


DENOMINATIONS: Final[Mapping[str, Denomination]] = MappingProxyType(
    {
        "plain": Denomination("plain", (Coin("counter", "counters", 1),), ""),
        "jettons": Denomination(
            "jettons",
            (Coin("mil", "mils", 100), Coin("fiche", "fiches", 10), Coin("jetton", "jettons", 1)),
            "parlett: Counters, reporting the book of 1752: each ten times the one below",
        ),
    }
)
"""The denominations that ``--coins`` takes.  A mil is also called a contrat."""


def denomination(name: str) -> Denomination:
    """The denomination of that name; raises UsageError when there is none."""
    if name not in DENOMINATIONS:
        raise UsageError(f"there are no coins {name[:40]!r}", help=did_you_mean(name, DENOMINATIONS, what="coins"))
    return DENOMINATIONS[name]
