"""Transfers as they are collected while a result is settled, and their reasons in words."""

from fractions import Fraction

from quadrille_core.engine.result import Transfer

ZERO = Fraction(0)


class Entries:
    """Collects transfers; payments of nothing are left out."""

    def __init__(self) -> None:
        self.transfers: list[Transfer] = []

    def pay(self, source: int, target: int, amount: Fraction, reason: str, rule: str) -> None:
        """Note a payment."""
        if amount:
            self.transfers.append(Transfer(source, target, amount, reason, rule))

    def balance(self, account: int) -> Fraction:
        """What has come in at an account, less what has gone out."""
        whole, rest = 0, ZERO  # nearly all amounts are whole, and fractions are slow to add
        for t in self.transfers:
            times = (t.target == account) - (t.source == account)
            if not times:
                continue
            if t.amount.denominator == 1:
                whole += times * t.amount.numerator
            else:
                rest += times * t.amount
        return rest + whole


def counted(reason: str, times: int) -> str:
    """A payment's reason, with how often it counts if that is more than once."""
    return reason if times == 1 else f"{reason}, counted {'double' if times == 2 else f'{times} times'}"


def beasts_words(times: int, size: Fraction) -> str:
    """A beast of some size, or several."""
    return f"a beast of {size}" if times == 1 else f"{times} times a beast of {size}"


def over_words(times: int) -> str:
    """How many times over something is paid."""
    return "twice over" if times == 2 else f"{times} times over"


def times_words(times: int) -> str:
    """What a loss does to the pool."""
    if times == 1:
        return "doubles the pool"
    return f"adds {'twice' if times == 2 else f'{times} times'} the pool"
