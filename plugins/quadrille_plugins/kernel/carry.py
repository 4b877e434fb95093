"""What a session carries from one deal to the next, as ``engine.carry`` has it, in a
``state.CARRY``.

A session begins with ``start``, a deal with ``staked`` and ``multiplier_of``, and ends with
``carried`` or, where all passed, ``redealt``.
"""

from quadrille_plugins.kernel.compiled import compiled
from quadrille_plugins.kernel.shares import OPTIONS
from quadrille_plugins.kernel.words import BEASTS, LOSSES, OUTCOME


@compiled("void(carry)", **OPTIONS)
def start(carry):
    """What a session begins with."""
    carry.pool = carry.losses = carry.standing = carry.waits = 0


@compiled("void(carry)", **OPTIONS)
def start_past(carry):
    """No deal before."""
    carry.deals = 0
    for chair in range(5):
        carry.games[chair] = carry.solos[chair] = carry.last_game[chair] = 0
        carry.games_won[chair] = carry.games_lost[chair] = 0


@compiled("void(rules, carry, int64, played)", **OPTIONS)
def note_past(rules, carry, number, record):
    """One more deal, the ``number``-th from 0, as ``engine.past.Past.after`` has it."""
    carry.deals += 1
    if record.outcome == OUTCOME.REDEALT:
        return
    chair = (number + record.hombre) % rules.table.players
    carry.games[chair] += 1
    carry.last_game[chair] = carry.deals
    if record.ally < 0:
        carry.solos[chair] += 1
    if record.outcome == OUTCOME.WON:
        carry.games_won[chair] += 1
    else:
        carry.games_lost[chair] += 1


@compiled("int64(rules, carry)", **OPTIONS)
def staked(rules, carry):
    """The pool once the antes of the next deal are in."""
    return carry.pool + rules.basic_stake


@compiled("int64(rules, carry)", **OPTIONS)
def multiplier_of(rules, carry):
    """How many times the next deal counts."""
    return carry.losses + 1 if rules.multiplier.after_losses == LOSSES.COUNTED else 1


@compiled("int64(carry)", **OPTIONS)
def beasts(carry):
    """Every beast not yet won."""
    return carry.standing + carry.waits


@compiled("int64(carry)", **OPTIONS)
def held(carry):
    """All counters on the table, in play or set aside."""
    total = carry.pool
    for number in range(carry.waits):
        total += carry.wait[number]
    return total


@compiled("void(rules, carry)", **OPTIONS)
def redealt(rules, carry):
    """All passed: the stakes stay where they are."""
    carry.pool = staked(rules, carry)


@compiled("void(carry, out, int64)", **OPTIONS)
def put_apart(carry, out, beast):
    """One more beast that waits, among the others by its size; it is inexact to have more than
    there are places."""
    place = carry.waits
    if place >= len(carry.wait):
        out.inexact = 1
        return
    while place > 0 and carry.wait[place - 1] < beast:
        carry.wait[place] = carry.wait[place - 1]
        place -= 1
    carry.wait[place] = beast
    carry.waits += 1


@compiled("void(rules, carry, out)", **OPTIONS)
def carried(rules, carry, out):
    """What the deal settled in ``out``, which began with ``c``, leaves to the next."""
    if out.outcome == OUTCOME.WON:
        carry.losses = 0
    elif not out.frozen:
        carry.losses += 1
    beast, pool = out.beast, out.pool_after
    if rules.counts_beasts:
        if out.pool_taken:
            carry.standing = 0
        if beast and rules.loss.beasts == BEASTS.WAIT:
            put_apart(carry, out, beast)
        elif beast:
            carry.standing += 1
    if rules.loss.beasts == BEASTS.WAIT:
        pool -= beast
        if carry.standing == 0 and carry.waits > 0:
            pool += carry.wait[0]
            carry.standing = 1
            carry.waits -= 1
            for number in range(carry.waits):
                carry.wait[number] = carry.wait[number + 1]
    carry.pool = pool
