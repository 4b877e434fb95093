"""What plugins make of payments: ``engine.changes`` on integers.

Payments are made as they are ordered, and each is marked with the changes that may concern it.  Of
those that hold lines are made, which then stand in place of the payments.
"""

from numba import int64

from quadrille_core.engine.result import POOL
from quadrille_plugins.kernel.compiled import compiled
from quadrille_plugins.kernel.measures import CONDITION
from quadrille_plugins.kernel.record import CHANGES
from quadrille_plugins.kernel.shares import (
    NOBODY,
    OPTIONS,
    bounded,
    count,
    joined,
    odd_of,
    pay,
    place_of,
    seat_at,
    share,
)
from quadrille_plugins.kernel.state import LIMIT, MOST_TRANSFERS
from quadrille_plugins.kernel.words import ODD, ODD_COUNTERS


@compiled("void(rules, out, int64, int64)", **OPTIONS)
def mark(rules, out, row, first):
    """Note which changes may concern the payments of a row, from the ``first`` on."""
    for n in range(first, out.count):
        out.marks[n] = 0 if out.transfers[n].why == ODD_COUNTERS else rules.changed[row]


@compiled("int64(out, int64)", **OPTIONS)
def drop(out, of):
    """Take away the lines of one payment; returns what they came to."""
    kept = total = int64(0)
    for n in range(out.line_count):
        if out.lines[n].key % MOST_TRANSFERS == of:
            total += out.lines[n].amount
        else:
            out.lines[kept] = out.lines[n]
            kept += 1
    out.line_count = kept
    return total


@compiled("void(out, int64, int64, int64, int64, int64)", **OPTIONS)
def put(out, key, source, target, amount, why):
    """One more line, behind all of its key and lower ones; none for nothing."""
    at = out.line_count
    if amount == 0:
        return
    if amount >= LIMIT or at >= MOST_TRANSFERS:
        out.inexact = 1
        return
    out.line_count += 1
    while at > 0 and out.lines[at - 1].key > key:
        out.lines[at] = out.lines[at - 1]
        at -= 1
    line = out.lines[at]
    line.key, line.source, line.target, line.amount, line.why = key, source, target, amount, why


@compiled("boolean(out, int64, int64)", **OPTIONS)
def is_of(out, party, seat):
    """Whether a seat is of a party, if one is meant."""
    return party < 0 or place_of(out.parties[party], seat) >= 0


@compiled("void(rules, out, int64, int64)", **OPTIONS)
def multiply(rules, out, met, of):
    """The lines of one payment: what is paid further stands on a line of its own; what is less,
    alone on a new one."""
    paid = out.transfers[of]
    put(out, of, paid.source, paid.target, paid.amount, paid.why)
    if paid.source < 0 or paid.target < 0:
        return
    amount = shown = paid.amount
    through, in_parts = int64(1), False
    for n in range(rules.change_count):
        change = rules.changes[n]
        is_due = change.kind == CHANGES.FACTOR and met & out.marks[of] & (int64(1) << n)
        if not is_due or not is_of(out, change.payer, paid.source):
            continue
        if not is_of(out, change.payee, paid.target):
            continue
        amount, through = bounded(out, amount * change.times), through * change.through
        in_parts |= change.through > 1
        due = amount // through
        if in_parts and rules.stakes.odd_counters != ODD.EXACT:
            due = amount // (through * rules.scale) * rules.scale
        elif due * through != amount:
            out.inexact = 1
        if due < shown:
            drop(out, of)
            put(out, of, paid.source, paid.target, due, change.why)
        elif due > shown:
            behind = (n + 1) * MOST_TRANSFERS + of
            put(out, behind, paid.source, paid.target, due - shown, change.why)
        shown = due


@compiled("UniTuple(int64, 3)(rules, out, int64, int64, int64)", **OPTIONS)
def parts(rules, out, seats, amount, hombre):
    """As ``share``; one has all."""
    if count(seats) == 1:
        return amount, int64(0), int64(NOBODY)
    return share(rules, out, seats, amount, hombre)


@compiled("int64(result, out)", **OPTIONS)
def held(result, out):
    """What the pool holds by now."""
    total = result.pool
    for n in range(out.line_count):
        line = out.lines[n]
        total += line.amount if line.target == POOL else 0
        total -= line.amount if line.source == POOL else 0
    return total


@compiled("void(rules, result, out, change, int64)", **OPTIONS)
def redirect(rules, result, out, change, of):
    """Have others pay or be paid; where there is nobody of that party, it stays as it was."""
    source, hombre = out.transfers[of].source, result.hombre
    payers, payees = joined(0, source), joined(0, out.transfers[of].target)
    if change.payer >= 0:
        payers = out.parties[change.payer]
    if change.payee >= 0:
        payees = out.parties[change.payee]
    if count(payers) == 0 or count(payees) == 0:
        return
    each, over, whose = parts(rules, out, payers, drop(out, of), hombre)
    for one in range(count(payers)):
        payer = seat_at(payers, one)
        part = each + odd_of(rules, payers, over, whose, payer)
        if payer == POOL and source != POOL:  # which pays in turn, as long as it holds anything
            part = max(0, min(part, held(result, out)))
        to_each, rest, whose_rest = parts(rules, out, payees, part, hombre)
        for two in range(count(payees)):
            payee = seat_at(payees, two)
            if payer != payee:
                due = to_each + odd_of(rules, payees, rest, whose_rest, payee)
                put(out, of, payer, payee, due, change.why)
        if whose_rest == NOBODY and payer != POOL:
            put(out, of, payer, int64(POOL), rest, change.why)


@compiled("void(rules, result, out, int64, int64)", **OPTIONS)
def send(rules, result, out, met, of):
    """Redirect one payment by the first that means it: those that concern it say the same."""
    paid = out.transfers[of]
    between = paid.source >= 0 and paid.target >= 0
    drawn = paid.source == POOL and paid.target >= 0
    for n in range(rules.change_count):
        change = rules.changes[n]
        is_due = change.kind == CHANGES.REDIRECT and met & out.marks[of] & (int64(1) << n)
        if is_due and (drawn if change.from_pool else between):
            redirect(rules, result, out, change, of)
            return


@compiled("void(rules, out, int64)", **OPTIONS)
def cap(rules, out, n):
    """Give back what somebody pays the others beyond the most, of the last payment first."""
    change = rules.changes[n]
    for seat in range(5):
        out.over[seat] = -change.times
    for step in range(2 * out.line_count):
        forth = step < out.line_count
        line = out.lines[step if forth else 2 * out.line_count - 1 - step]
        if line.source < 0 or line.target < 0:
            continue
        if not out.marks[line.key % MOST_TRANSFERS] >> n & 1:
            continue
        if forth:
            out.over[line.source] += line.amount
            continue
        back = max(0, min(out.over[line.source], line.amount))
        out.over[line.source] -= back
        line.amount -= back
        pay(out, line.target, line.source, back, change.why)


@compiled("void(rules, result, out)", **OPTIONS)
def change_payments(rules, result, out):
    """Factors first, then redirects, then caps."""
    met, many = int64(0), out.count
    for n in range(rules.change_count):
        met |= (out.facts >> (CONDITION + rules.changes[n].condition) & 1) << n
    if not met:
        return
    out.line_count = 0
    for of in range(many):
        multiply(rules, out, met, of)
    for of in range(many):
        send(rules, result, out, met, of)
    out.count = 0
    for account in range(len(out.net)):
        out.net[account] = 0
    for n in range(out.line_count):
        line = out.lines[n]
        pay(out, line.source, line.target, line.amount, line.why)
    for n in range(rules.change_count):
        if rules.changes[n].kind == CHANGES.CAP and met >> n & 1:
            cap(rules, out, int64(n))
