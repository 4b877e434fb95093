"""Payments of the kernel's settlement: seats, amounts divided among them, and transfers written
down.

It does what ``engine.amounts`` does, on integers.  Every amount is in parts of
a counter, and none is below 0.  What will not divide evenly into parts where the rules would divide
it all the same, or grows to ``state.LIMIT``, sets ``out.inexact``: the settlement is then
worthless, and the readable engine must make it.

Several seats in their order are one integer: how many there are in the lowest byte, then four bits
each; an account that is nobody's may stand for a seat.
"""

from typing import Any, Final

from numba import int64, uint64

from quadrille_plugins.kernel.compiled import compiled
from quadrille_plugins.kernel.state import LIMIT, MOST_TRANSFERS
from quadrille_plugins.kernel.words import ODD, ODD_COUNTERS, ODD_HALF

OPTIONS: Final[dict[str, Any]] = {
    "cache": True,
    "nogil": True,
    "error_model": "numpy",
    "_nrt": False,
}
"""How everything here is compiled: no divisor is ever 0, and arrays are the caller's, so that they
need no counting of references, which would take four fifths of the time."""
INLINED: Final[dict[str, Any]] = {**OPTIONS, "forceinline": True}
"""The same for what is small and called often: it is written into its callers."""
NOBODY = -1
IN_TURN = -2
"""Who has odd counters: a counter each, from the eldest on."""


# --- seats


@compiled("int64(int64, int64)", **OPTIONS)
def joined(seats, seat):
    """The seats, and one more."""
    many = seats & 15
    return (seats | (seat & 15) << (8 + 4 * many)) + 1


@compiled("int64(int64)", **OPTIONS)
def count(seats):
    """How many seats there are."""
    return seats & 15


@compiled("int64(int64, int64)", **OPTIONS)
def seat_at(seats, place):
    """The seat in that place, from 0."""
    return ((seats >> (8 + 4 * place) & 15) ^ 8) - 8


@compiled("int64(int64, int64)", **OPTIONS)
def place_of(seats, seat):
    """The place of a seat, or -1 when it is not among them."""
    for place in range(count(seats)):
        if seat_at(seats, place) == seat:
            return place
    return -1


# --- amounts


@compiled("int64(int64, int64)", **OPTIONS)
def quotient(amount, by):
    """How many times the one is in the other, both being positive."""
    return int64(uint64(amount) // uint64(by))


@compiled("int64(out, int64)", **OPTIONS)
def bounded(out, amount):
    """The amount, if it is one that can be worked with."""
    if amount >= LIMIT:
        out.inexact = 1
        return 0
    return amount


@compiled("int64(out, int64, int64)", **OPTIONS)
def exactly(out, amount, by):
    """The amount through a number that must go into it."""
    if by == 1:
        return amount
    part = quotient(amount, by)
    if part * by != amount:
        out.inexact = 1
    return part


@compiled("UniTuple(int64, 3)(rules, out, int64, int64, int64)", **OPTIONS)
def share(rules, out, seats, amount, hombre):
    """Divide an amount: what each of the seats has, what is over, and who has that.

    ``engine.amounts.share`` says by which rule.
    """
    many, how, scale = count(seats), rules.stakes.odd_counters, rules.scale
    if how == ODD.EXACT:
        return exactly(out, amount, many), 0, NOBODY
    each = quotient(amount, many * scale) * scale
    over = amount - each * many
    if over == 0 or how == ODD.POOL:
        return each, over, NOBODY
    if how == ODD.HOMBRE and place_of(seats, hombre) >= 0:
        return each, over, hombre
    return each, over, IN_TURN


@compiled("int64(rules, int64, int64, int64, int64)", **OPTIONS)
def odd_of(rules, seats, over, whose, seat):
    """What one of the seats has of what is over."""
    if whose != IN_TURN:
        return over if seat == whose else 0
    elder = 0
    for place in range(count(seats)):
        elder += seat_at(seats, place) < seat
    return max(0, min(rules.scale, over - elder * rules.scale))


@compiled("UniTuple(int64, 2)(rules, out, int64)", **OPTIONS)
def halves(rules, out, amount):
    """Half the amount, and the offset that alternates the odd counter."""
    half, scale = amount >> 1, rules.scale
    if amount & 1:
        out.inexact = 1
    # whole counters stay whole: the odd one falls to either by turns
    return half, (scale >> 1 if half % scale == scale >> 1 else 0)


@compiled("int64(rules, int64)", **OPTIONS)
def next_odd(rules, more):
    """The offset of the next adversary: the odd counter is the other ally's by turns, or Hombre's
    again."""
    return -more if rules.payments.odd_half == ODD_HALF.BY_TURNS else more


# --- transfers


@compiled("void(out, int64, int64, int64, int64)", **OPTIONS)
def pay(out, source, target, amount, why):
    """Note a payment; payments of nothing, or to oneself, are left out."""
    if amount == 0 or source == target:
        return
    number = out.count
    if amount >= LIMIT or number >= MOST_TRANSFERS:
        out.inexact = 1
        return
    transfer = out.transfers[number]
    transfer.source, transfer.target, transfer.amount, transfer.why = source, target, amount, why
    out.net[source] -= amount
    out.net[target] += amount
    out.count = number + 1


@compiled("void(out, int64, int64, int64, int64, boolean)", **OPTIONS)
def move(out, outer, inner, amount, why, turned):
    """From the one to the other, or turned round."""
    if turned:
        pay(out, inner, outer, amount, why)
    else:
        pay(out, outer, inner, amount, why)


@compiled("int64(rules, out, int64, int64, int64, int64, int64, boolean)", **OPTIONS)
def divide(rules, out, pool, seats, amount, why, hombre, turned):
    """Divide what a pool gives, or turned round what it gets, among seats; returns how much was
    moved."""
    each, over, whose = share(rules, out, seats, amount, hombre)
    for place in range(count(seats)):
        move(out, pool, seat_at(seats, place), each, why, turned)
    if over == 0:
        return amount
    if whose == NOBODY:
        return amount - over
    for seat in range(5):
        if place_of(seats, seat) >= 0:
            move(out, pool, seat, odd_of(rules, seats, over, whose, seat), ODD_COUNTERS, turned)
    return amount
