"""How columns, seats and rule sets are named in studies."""

from fractions import Fraction

from quadrille_plugins.lab.values import decimal


def letter(index: int) -> str:
    """What a rule set is called in a comparison: A, B, … Z, AA, AB, …"""
    before, last = divmod(index, 26)
    return (letter(before - 1) if before else "") + chr(ord("A") + last)


def role_name(key: str, players: int) -> str:
    """A role or seat in words; seats count from the eldest hand to the dealer."""
    if not key.startswith("seat "):
        return {"hombre": "Hombre", "ally": "ally", "adversary": "an adversary"}[key]
    number = int(key.removeprefix("seat "))
    return "eldest hand" if number == 0 else "dealer" if number == players - 1 else f"seat {number + 1}"


def column_name(name: str, players: int) -> str:
    """A column of ``lab.accounts`` in words."""
    return _COLUMNS.get(name) or role_name(name, players)


_COLUMNS = {
    "hombre": "the Hombre",
    "ally": "the ally",
    "adversaries": "the adversaries together",
    "redealt": "antes of deals redealt",
    "antes": "antes of deals played",
    "pool": "pool",
    "vole pool": "vole's pool",
    "score": "score",
}


ANEW = (
    "Random bots lose most games, and the pool would double without end: it is reset before each deal, and nothing is "
    "carried from one to the next."
)


def amount_text(value: Fraction) -> str:
    """A size in print: exact where it is a whole number."""
    return str(value) if value.denominator == 1 else decimal(value, 2)
