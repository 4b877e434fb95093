"""Numbers, cards and amounts in words."""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from math import ceil, floor
from typing import Any, Final

from quadrille_core.cards import COURTS, SUIT_LETTERS, SUITS
from quadrille_core.engine.amounts import basic_stake
from quadrille_core.rules import Stakes
from quadrille_plugins.rulebook.book import Reader
from quadrille_plugins.shell.values import capital, listed

_SMALL: Final = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
)
_TENS: Final = (
    "",
    "",
    "twenty",
    "thirty",
    "forty",
    "fifty",
    "sixty",
    "seventy",
    "eighty",
    "ninety",
)
_PARTS: Final = {
    2: ("half", "halves"),
    3: ("third", "thirds"),
    4: ("quarter", "quarters"),
    5: ("fifth", "fifths"),
}


def number(n: int) -> str:
    """A whole number in words up to a thousand, in digits beyond."""
    if n < 0 or n > 1000:
        return str(n)
    if n < 20:
        return _SMALL[n]
    if n < 100:
        return _TENS[n // 10] + (f"-{_SMALL[n % 10]}" if n % 10 else "")
    if n == 1000:
        return "one thousand"
    rest = n % 100
    return f"{_SMALL[n // 100]} hundred" + (f" and {number(rest)}" if rest else "")


def fraction(part: Fraction) -> str:
    """A share, such as ``a quarter`` or ``2/7``."""
    if part.denominator in _PARTS and part.numerator < part.denominator:
        one, many = _PARTS[part.denominator]
        if part.numerator == 1:
            return one if one == "half" else f"a {one}"
        return f"{number(part.numerator)} {many}"
    return number(part.numerator) if part.denominator == 1 else str(part)


def quantity(n: Fraction | int, one: str, many: str) -> str:
    """So many of a thing: ``two units``, ``half a unit``, ``one and a half units``."""
    n = Fraction(n)
    if n.denominator == 1:
        return f"{number(n.numerator)} {one if n == 1 else many}"
    whole, rest = int(n), n - int(n)
    if rest.denominator not in _PARTS:
        return f"{n} {many}"
    if not whole:
        text = fraction(rest)
        return f"half a {one}" if text == "half" else f"{text} of a {one}"
    text = "a half" if rest == Fraction(1, 2) else fraction(rest)
    return f"{number(whole)} and {text} {many}"


def times(n: int) -> str:
    """``once``, ``twice``, ``three times``."""
    return {1: "once", 2: "twice"}.get(n, f"{number(n)} times")


def rank_word(printed: str) -> str:
    """``ace`` for ``A``, ``ten`` for ``10``."""
    return COURTS.get(printed) or number(int(printed))


def card(text: str) -> str:
    """``the ace of spades`` for ``SA``."""
    return f"the {rank_word(text[1])} of {SUITS[SUIT_LETTERS.index(text[0])]}"


def cards(texts: Sequence[str]) -> str:
    """Several cards in words; both black aces by that name."""
    if set(texts) == {"SA", "CA"}:
        return "both black aces"
    return listed(card(t) for t in texts)


# --- amounts ----------------------------------------------------------------------------------


def coin(r: Reader) -> tuple[str, str]:
    """What the smallest counter is called, one and many."""
    coins = r.knows("table.coins") or []
    return (coins[0]["one"], coins[0]["many"]) if len(coins) == 1 else ("counter", "counters")


def counters(r: Reader, amount: Fraction | int) -> str:
    """An amount of counters in words, and in coins where it takes more than the smallest kind."""
    if r.points():
        return quantity(amount, "point", "points")
    plain = quantity(amount, *coin(r))
    coins = r.knows("table.coins") or []
    amount = Fraction(amount)
    if len(coins) < 2 or amount.denominator > 1 or amount < coins[1]["worth"]:
        return plain
    left, parts = int(amount), []
    for one in sorted(coins, key=lambda c: -c["worth"]):
        many, left = divmod(left, one["worth"])
        if many:
            parts.append(quantity(many, one["one"], one["many"]))
    return f"{plain} ({listed(parts)})"


def constant_unit(r: Reader) -> Fraction | None:
    """The worth of a unit in counters; None where it is a share of the stake."""
    if r.knows("stakes.unit_of") != "constant":
        return None
    # where points are written no sentence is about the unit: each amount states it
    size = Fraction(r("stakes.unit") if r.points() else r.knows("stakes.unit"))
    if size.denominator > 1:
        rounding: dict[str, Callable[[Any], int]] = {
            "down": floor,
            "up": ceil,
            "nearest": lambda s: floor(s + Fraction(1, 2)),
        }
        rounded = rounding.get(r.knows("stakes.unit_rounding"))
        return size if rounded is None else Fraction(rounded(size))
    return size


def units(r: Reader, amount: Fraction) -> str:
    """An amount of units: in counters where a unit is constant."""
    worth = constant_unit(r)
    return quantity(amount, "unit", "units") if worth is None else counters(r, amount * worth)


def short_units(r: Reader, amount: Fraction) -> str:
    """The same for a cell of a table, in figures; a dash for nothing."""
    worth = constant_unit(r)
    total = amount if worth is None else amount * worth
    return str(total) if total else "–"


def unit_word(r: Reader) -> str:
    """What the figures of a table are in."""
    if constant_unit(r) is None:
        return "units"
    return "points" if r.points() else coin(r)[1]


def antes(r: Reader) -> int:
    """What the antes of one deal put into the pool."""
    stakes = Stakes(
        ante_by=r.knows("stakes.ante_by"),
        ante=r.knows("stakes.ante"),
        dealer_adds=r.knows("stakes.dealer_adds"),
        unit_of="constant",
        unit=Fraction(1),
        unit_rounding="exact",
    )
    return basic_stake(stakes, r.knows("table.players"))


# --- bids -------------------------------------------------------------------------------------


def titles(r: Reader, bids: Iterable[str], last: str = "and") -> str:
    """The names of bids, listed."""
    return listed((r.title(b) for b in bids), last)


def grouped(
    r: Reader, bids: Sequence[str], say: Callable[[Reader, str], str], among: Sequence[str]
) -> str:
    """What is said of each bid, bids of which the same is said together; ``in every game`` where it
    holds of all.

    ``say`` begins with a small letter; ``among`` are the bids that a reader might think of.
    """
    found: dict[str, list[str]] = {}
    for bid in bids:
        found.setdefault(say(r, bid), []).append(bid)
    parts = []
    for text, those in found.items():
        if not text:
            continue
        alone = set(those) == set(among)
        parts.append(capital(text) if alone else f"In {titles(r, those)}, {text}")
    return " ".join(parts)
