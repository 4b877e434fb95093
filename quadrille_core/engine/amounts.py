"""Sums of counters: what a unit, a stake and a beast come to, what is divided and what is odd,
payments as collected.

Where an amount comes out whole, everybody has an equal part and ``stakes.odd_counters`` has nothing
to say. Where it does not, ``exact`` divides it all the same, in fractions; otherwise everybody has
the whole counters of an equal part, and what is over, less than a counter for each, is *odd*:

* ``hombre``: to Hombre, or from Hombre; where Hombre has no part in it, as ``eldest``.
* ``eldest``: a counter each, from the eldest on; a fraction, if the amount had one, goes to the
  next.
* ``pool``: to nobody and from nobody; it stays, or falls, into the pool.

Each is a reading of the point ``odd_counters``, ``hombre`` that of the period books, which speak of
halves alone.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import ceil, floor
from typing import Final

from quadrille_core.engine.result import RESERVED, Transfer
from quadrille_core.frozen import frozen
from quadrille_core.rules import Loss, OddCounters, Rules, Stakes

ZERO: Final = Fraction(0)


@frozen
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


def share(
    rule: Callable[[], OddCounters],
    seats: Sequence[int],
    amount: Fraction,
    hombre: int | None = None,
) -> Shares:
    """Divide an amount among seats, who are told from the eldest on or sorted here.

    The rule for odd counters is asked only where there are some, so that it is known where it
    matters.
    """
    if amount.denominator == 1 and amount.numerator % len(seats) == 0:
        return Shares(Fraction(amount.numerator // len(seats)), (), ZERO)
    exact = amount / len(seats)
    if (how := rule()) == "exact":
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


def unit_of(stakes: Stakes, pool: Fraction) -> Fraction:
    """The size of a unit when the pool, this deal's antes included, holds so much."""
    exact = pool * stakes.unit if stakes.unit_of == "stake" else stakes.unit
    if exact.denominator == 1:
        return exact
    if stakes.unit_rounding == "down":
        return Fraction(floor(exact))
    if stakes.unit_rounding == "up":
        return Fraction(ceil(exact))
    if stakes.unit_rounding == "nearest":
        return Fraction(floor(exact + Fraction(1, 2)))
    return exact


def basic_stake(stakes: Stakes, players: int) -> int:
    """What the antes of one deal come to."""
    return sum(antes(stakes, players))


def table_stake(rules: Rules) -> int:
    """The same at the table of these rules."""
    return basic_stake(rules.stakes, rules.table.players)


def antes(stakes: Stakes, players: int) -> tuple[int, ...]:
    """What each seat puts into the pool before a deal, the dealer's last."""
    own = stakes.ante if stakes.ante_by == "each" else 0
    return (*[own] * (players - 1), stakes.ante + stakes.dealer_adds)


def counts_beasts(rules: Rules) -> bool:
    """Whether beasts are counted one by one: they have a size of their own, or wait."""
    return rules.loss.beast_size != "of_pool" or beasts_wait(rules)


def beasts_wait(rules: Rules) -> bool:
    """Whether a beast lies apart until the one before it was taken."""
    return rules.loss.beasts == "wait"


def beast(loss: Loss, standing: int) -> int:
    """The beast of a game that is lost while so many stand, where beasts have a size of their
    own."""
    if loss.beast_size == "doubling":
        return loss.beast_first << standing
    return loss.beast_first * (1 if loss.beast_size == "always_first" else standing + 1)


def adds_to_pool(rules: Rules) -> bool:
    """Whether a lost game adds to the pool, or the multiplied game to come stands instead of it."""
    return rules.multiplier.after_losses == "none" or rules.multiplier.loss_adds == "also"


def stake_times(rules: Rules, times: int) -> int:
    """How many times over a lost game adds to the pool, when it counts ``times``; 1 where its stake
    stays single."""
    return times if times > 1 and rules.multiplier.stake != "single" else 1


def beast_base(loss: Loss, rule: str, stake: Fraction, standing: int) -> tuple[Fraction, str]:
    """What the beast is a multiple of, and the rule that says so: the stake by ``rule``, or a size
    of its own."""
    if loss.beast_size == "of_pool":
        return stake, rule
    return Fraction(beast(loss, standing)), "loss.beast_size"


class Entries:
    """Collects transfers; payments of nothing are left out."""

    def __init__(self) -> None:
        self.transfers: list[Transfer] = []

    def pay(self, source: int, target: int, amount: Fraction, reason: str, rule: str) -> None:
        """Note a payment."""
        if amount:
            self.transfers.append(Transfer(source, target, amount, reason, rule))

    def balances(self, seats: int) -> list[Fraction]:
        """What has come in less what has gone out, by account: seats first, then others, so that
        ``[POOL]`` is one."""
        accounts = seats + len(RESERVED)
        whole, rest = [0] * accounts, [ZERO] * accounts
        for t in self.transfers:
            # nearly all amounts are whole, and fractions are slow to add
            if t.amount.denominator == 1:
                whole[t.target] += t.amount.numerator
                whole[t.source] -= t.amount.numerator
            else:
                rest[t.target] += t.amount
                rest[t.source] -= t.amount
        return [r + w if r else Fraction(w) for w, r in zip(whole, rest, strict=True)]


def counted(reason: str, times: int) -> str:
    """A payment's reason, with how often it counts if that is more than once."""
    return (
        reason
        if times == 1
        else f"{reason}, counted {'double' if times == 2 else f'{times} times'}"
    )
