"""Numbers, cards and amounts in words."""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any, Final

from quadrille_core.cards import SUIT_LETTERS, SUITS
from quadrille_core.engine.amounts import unit_of
from quadrille_plugins.output.values import listed
from quadrille_plugins.rulebook.book import Reader

_NUMBERS: Final = (
    *("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve"),
)
_PARTS: Final = {
    Fraction(1, 2): "half",
    Fraction(1, 3): "a third of",
    Fraction(1, 4): "a quarter of",
}
RANKS: Final = {"A": "ace", "K": "king", "Q": "queen", "J": "knave"} | {
    str(n): _NUMBERS[n] for n in range(2, 11)
}


def number(n: int) -> str:
    """A whole number in words up to twelve, in digits beyond."""
    return _NUMBERS[n] if 0 <= n < len(_NUMBERS) else str(n)


def part(share: Fraction) -> str:
    """A share of something, such as ``a quarter of`` or ``2/7 of``."""
    return _PARTS.get(share, f"{share} of")


def quantity(n: Fraction | int, one: str, many: str) -> str:
    """So many of a thing: ``two units``, ``half a unit``, ``3/2 units``."""
    n = Fraction(n)
    if n < 1 and n.denominator > 1:
        return f"{part(n)} a {one}"
    many = one if n == 1 else many
    return f"{number(n.numerator) if n.denominator == 1 else n} {many}"


def times(n: int) -> str:
    """``once``, ``twice``, ``three times``."""
    return {1: "once", 2: "twice"}.get(n, f"{number(n)} times")


def card(text: str) -> str:
    """``the ace of spades`` for ``SA``."""
    return f"the {RANKS[text[1:]]} of {SUITS[SUIT_LETTERS.index(text[0])]}"


def capital(text: str) -> str:
    """The text with its first letter large."""
    return text[:1].upper() + text[1:]


# --- amounts ----------------------------------------------------------------------------------


def coin(r: Reader) -> tuple[str, str]:
    """What the smallest counter is called, one and many."""
    coins = r.knows("table.coins") or []
    return (coins[0]["one"], coins[0]["many"]) if len(coins) == 1 else ("counter", "counters")


def counters(r: Reader, amount: Fraction | int) -> str:
    """An amount of counters, or of points, in words."""
    return quantity(amount, *(("point", "points") if r.points else coin(r)))


def constant_unit(r: Reader) -> Fraction | None:
    """The worth of a unit in counters; None where it is a share of the stake."""
    if r.points:
        r("stakes.unit")  # no sentence is about the unit where points are written
    if r.knows("stakes.unit_of") != "constant":
        return None
    return unit_of(r.rules.stakes, Fraction(0))


def units(r: Reader, amount: Fraction) -> str:
    """An amount of units: in counters where a unit is constant."""
    worth = constant_unit(r)
    return quantity(amount, "unit", "units") if worth is None else counters(r, amount * worth)


def short_units(r: Reader, amount: Fraction) -> str:
    """The same for a cell of a table, in figures; a dash for nothing."""
    worth = constant_unit(r)
    return str(amount if worth is None else amount * worth) if amount else "–"


def unit_word(r: Reader) -> str:
    """What the figures of a table are in."""
    if constant_unit(r) is None:
        return "units"
    return "points" if r.points else coin(r)[1]


def table_amounts(r: Reader, path: str, show: Callable[[Reader, Fraction], str]) -> list[str]:
    """What each table that is used has there; no game without trumps is in favourite."""
    suited = r.of(path.rpartition(".")[2], "trump") != "none"
    return [
        show(r, r.amount(f"{table}.{path}")) if suited or table == "payments" else "–"
        for table in r.tables
    ]


def worth(r: Reader, path: str) -> str:
    """The amount of units at a path in words."""
    amount = r.amount(path)
    return units(r, amount) if amount else "nothing"


def much(r: Reader, path: str) -> str:
    """An amount of units in words, and the one in favourite if it is another."""
    found = [worth(r, f"{table}.{path}") for table in r.tables]
    return found[0] if len(set(found)) == 1 else f"{found[0]} ({found[1]} in favourite)"


# --- bids -------------------------------------------------------------------------------------


def titles(r: Reader, bids: Iterable[str], last: str = "and") -> str:
    """The names of bids, listed."""
    return listed((r.title(b) for b in bids), last)


def grouped(
    r: Reader, bids: Sequence[str], say: Callable[[str], str], among: Sequence[str] | None = None
) -> str:
    """What is said of each bid, bids of which the same is said together.

    ``say`` begins with a small letter; ``among`` are the bids that a reader might think of:
    where it holds of them all, none is named.
    """
    found: dict[Any, list[str]] = {}
    for bid in bids:
        found.setdefault(say(bid), []).append(bid)
    return " ".join(
        capital(text) if set(those) == set(among or bids) else f"In {titles(r, those)}, {text}"
        for text, those in found.items()
        if text
    )
