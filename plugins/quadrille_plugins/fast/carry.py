"""What a session carries from one deal to the next, as ``engine.carry`` has it, in ``c`` (``tables.layout``).

A session begins with ``start``, a deal with ``staked`` and ``multiplier_of``, and ends with ``carried`` or, where all
passed, ``redealt``.
"""

from quadrille_plugins.fast import layout as at
from quadrille_plugins.fast.compiled import compiled
from quadrille_plugins.fast.shares import OPTIONS


@compiled("void(int64[::1])", **OPTIONS)
def start(c):
    """What a session begins with."""
    for place in range(at.C_WAIT):
        c[place] = 0


@compiled("int64(int64[::1], int64[::1])", **OPTIONS)
def staked(money, c):
    """The pool once the antes of the next deal are in."""
    return c[at.C_POOL] + money[at.M_BASIC_STAKE]


@compiled("int64(int64[::1], int64[::1])", **OPTIONS)
def multiplier_of(money, c):
    """How many times the next deal counts."""
    return c[at.C_LOSSES] + 1 if money[at.M_LOSSES_COUNTED] else 1


@compiled("int64(int64[::1])", **OPTIONS)
def beasts(c):
    """Every beast that nobody has won yet."""
    return c[at.C_STANDING] + c[at.C_WAITS]


@compiled("int64(int64[::1])", **OPTIONS)
def held(c):
    """All the counters on the table, in play or apart."""
    total = c[at.C_POOL]
    for number in range(c[at.C_WAITS]):
        total += c[at.C_WAIT + number]
    return total


@compiled("void(int64[::1], int64[::1])", **OPTIONS)
def redealt(money, c):
    """All passed: the stakes stay where they are."""
    c[at.C_POOL] = staked(money, c)


@compiled("void(int64[::1], int64[::1], int64)", **OPTIONS)
def put_apart(c, out, beast):
    """One more beast that waits, among the others by its size; it is inexact to have more than there are places."""
    place = c[at.C_WAITS]
    if place >= at.MOST_WAITING:
        out[at.O_INEXACT] = 1
        return
    while place > 0 and c[at.C_WAIT + place - 1] < beast:
        c[at.C_WAIT + place] = c[at.C_WAIT + place - 1]
        place -= 1
    c[at.C_WAIT + place] = beast
    c[at.C_WAITS] += 1


@compiled("void(int64[::1], int64[::1], int64[::1])", **OPTIONS)
def carried(money, c, out):
    """What the deal settled in ``out``, which began with ``c``, leaves to the next."""
    if out[at.O_OUTCOME] == at.WON:
        c[at.C_LOSSES] = 0
    elif not out[at.O_FROZEN]:
        c[at.C_LOSSES] += 1
    beast, pool = out[at.O_BEAST], out[at.O_POOL_AFTER]
    if money[at.M_COUNTS_BEASTS]:
        if out[at.O_POOL_TAKEN]:
            c[at.C_STANDING] = 0
        if beast and money[at.M_BEASTS_WAIT]:
            put_apart(c, out, beast)
        elif beast:
            c[at.C_STANDING] += 1
    if money[at.M_BEASTS_WAIT]:
        pool -= beast
        if c[at.C_STANDING] == 0 and c[at.C_WAITS] > 0:
            pool += c[at.C_WAIT]
            c[at.C_STANDING] = 1
            c[at.C_WAITS] -= 1
            for number in range(c[at.C_WAITS]):
                c[at.C_WAIT + number] = c[at.C_WAIT + number + 1]
    c[at.C_POOL] = pool
