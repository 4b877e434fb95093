"""What a comparison adds up over sessions: sums of totals, counts and their products, exact and of a fixed size.

A *key* is something that is told of each session: a total and the count of deals it was counted in.  The sums of a key
are a row of ``ROW`` numbers: total, count, and the sums of their squares and products, each in two parts
(``low + 2**31 * high``).
"""

from numba import int64

from quadrille_plugins.kernel.compiled import compiled, way_in
from quadrille_plugins.kernel.session import ante_of, first_difference, lost_of
from quadrille_plugins.kernel.shares import OPTIONS
from quadrille_plugins.kernel.state import AT_AUCTION, AT_PLAY, AT_SETTLEMENT, ROLES, SAME

LOW = 0x7FFFFFFF
TOTAL, COUNT, TT, TC, CC = 0, 1, 2, 4, 6
ROW = 8
CROSS_TT, CROSS_TC, CROSS_CT, CROSS_CC = 0, 2, 4, 6
"""A row of two rule sets' products, the first's total or count named first."""

Y_DEALS, Y_SEATS, Y_ROLES, Y_COUNTS, Y_VOLES, Y_OUTCOMES, Y_BIDS = 0, 1, 6, 9, 12, 14, 18
"""What is told of a session: deals, the movements of seats, payments and counts of roles, and then deals by what became
of them."""
PAID = 8
"""The first keys: five seats, then three roles; the others are shares of deals."""
KEEP = 3
"""Examples that a session offers."""
SAME_PAID = 1 << 60
"""What is added to the size of an example in which payments are the same: it comes after all others."""
STAGES, CARRIED, DIVERGING, PAYMENTS_DIFFER = 4, 4, 5, 6
"""Keys of a pair: deals that diverge nowhere, in the auction, in the play and at the settlement; those that began with
another pool, of the divergent deals; all that diverge; and those whose payments differ."""
AT_STAKES, STARTS_DIVERGING, STARTS_PAID, LEFT_OUT, STARTS_SESSIONS, STARTS = 0, 4, 5, 6, 7, 8
"""Rows of replayed deals: matched starts that diverge first at the stakes, then (as ``state.AT_AUCTION`` …) in the
auction, in the play and at the settlement; all that diverge; those whose payments differ; of all deals, those whose
state the other rules cannot hold; and the total of the last row is the number of sessions.  How many rows there are."""
LARGEST = 1 << 31


@compiled("void(int64[::1], int64, int64)", **OPTIONS)
def add(row, place, product):
    """Add a product to its high and low parts."""
    row[place] += product & LOW
    row[place + 1] += product >> 31


@compiled("void(rules, sums, int64[::1])", **OPTIONS)
def emit_session(rules, sums, y):
    """Reduce a session's sums to the accumulator keys."""
    y[:] = 0
    y[Y_DEALS] = sums.deals
    for seat in range(5):
        y[Y_SEATS + seat] = sums.moved[seat]
    for role in range(3):
        y[Y_ROLES + role] = sums.moved[ROLES + role]
        y[Y_COUNTS + role] = sums.role_counts[role]
    y[Y_VOLES], y[Y_VOLES + 1] = sums.voles[0], sums.voles[1]
    bids = rules.bid_count
    for bid in range(bids):
        for outcome in range(3):
            many = sums.endings[bid, outcome]
            y[Y_BIDS + bid] += many
            y[Y_OUTCOMES + outcome] += many
    y[Y_OUTCOMES + 3] = sums.redealt


@compiled("int64(int64[::1], int64)", **OPTIONS)
def _total(y, key):
    return y[Y_SEATS + key] if key < PAID else y[Y_VOLES + key - PAID]


@compiled("int64(int64[::1], int64)", **OPTIONS)
def _count(y, key):
    return y[Y_COUNTS + key - 5] if 5 <= key < PAID else y[Y_DEALS]


@way_in("void(rules, sums[::1], boolean[::1], int64[:, ::1], int64[::1])", **OPTIONS)
def gather(rules, sums, skip, rows, y):
    """Add sessions to the rows of all keys; those to skip are left out."""
    keys = PAID + (Y_BIDS - Y_VOLES) + rules.bid_count
    for n in range(len(skip)):
        if skip[n]:
            continue
        emit_session(rules, sums[n], y)
        for key in range(keys):
            total, count, row = _total(y, int64(key)), _count(y, int64(key)), rows[key]
            row[TOTAL] += total
            row[COUNT] += count
            add(row, int64(TT), total * total)
            add(row, int64(TC), total * count)
            add(row, int64(CC), count * count)


@compiled("void(int64[::1], int64, int64)", **OPTIONS)
def share(row, total, count):
    """Add one session's total and count of a key to its row."""
    row[TOTAL] += total
    row[COUNT] += count
    add(row, int64(TT), total * total)
    add(row, int64(TC), total * count)
    add(row, int64(CC), count * count)


@compiled("int64(played, played, int64)", **OPTIONS)
def _weight(a, b, players):
    """The sum over players of the absolute payment differences."""
    weight = int64(0)
    for seat in range(players):
        weight += abs(a.net[seat] - b.net[seat])
    return weight


@compiled("boolean(rules, rules, played, played, int64)", **OPTIONS)
def _payments_differ(rules, other, a, b, players):
    """Whether some player gets or pays another amount, antes among it."""
    for seat in range(players):
        if a.net[seat] - ante_of(rules, int64(seat)) != b.net[seat] - ante_of(other, int64(seat)):
            return True
    return False


@compiled("int64(played, played, int64)", **OPTIONS)
def _size(a, b, players):
    """The pools of an example: ``Example.ease`` in one number, but for session and deal."""
    return a.pool + b.pool + (int64(0) if _weight(a, b, players) else int64(SAME_PAID))


@compiled("void(int64[:, ::1], int64, int64)", **OPTIONS)
def keep(kept, weight, number):
    """Keep the weightiest deals of a session, the earlier of equals: a row has a weight and the number, -1 for none."""
    place = KEEP
    while place > 0 and (kept[place - 1, 1] < 0 or kept[place - 1, 0] < weight):
        place -= 1
    for later in range(KEEP - 1, place, -1):
        kept[later, 0], kept[later, 1] = kept[later - 1, 0], kept[later - 1, 1]
    if place < KEEP:
        kept[place, 0], kept[place, 1] = weight, number


@way_in(
    "void(rules, rules, played[:, ::1], played[:, ::1], int64[:, ::1], int64[:, ::1], sums[::1], sums[::1],"
    " boolean[::1], int64[:, ::1], int64[:, ::1], int64[:, :, ::1], int64[::1], int64[::1])",
    **OPTIONS,
)
def accumulate_pair(
    rules, other, records, others, tape, tape_b, sums, sums_b, skip, stages, cross, kept, y, z
):  # fmt: skip
    """Accumulate paired sessions under two rule sets: where deals diverge, and products of their sums.

    ``stages`` has a row for each key of a pair, ``cross`` one for each seat and role, ``kept`` (sessions, KEEP, 2) gets
    the plainest divergent deals.
    """
    players = rules.table.players
    for n in range(len(skip)):
        for place in range(KEEP):
            kept[n, place, 1] = -1
        if skip[n]:
            continue
        carried = paid = int64(0)
        same = auction = play = settlement = int64(0)
        for number in range(min(sums[n].deals, sums_b[n].deals)):
            a, b = records[n, number], others[n, number]
            paid += _payments_differ(rules, other, a, b, players)
            stage = first_difference(a, tape[n], b, tape_b[n])
            if stage == SAME:
                same += 1
                continue
            auction += stage == AT_AUCTION
            play += stage == AT_PLAY
            settlement += stage == AT_SETTLEMENT
            carried += a.pool != b.pool
            keep(kept[n], -_size(a, b, players), int64(number))
        diverged = (same, auction, play, settlement)
        deals = same + auction + play + settlement
        for stage in range(STAGES):
            share(stages[stage], diverged[stage], deals)
        share(stages[CARRIED], carried, deals - same)
        share(stages[DIVERGING], deals - same, deals)
        share(stages[PAYMENTS_DIFFER], paid, deals)
        emit_session(rules, sums[n], y)
        emit_session(other, sums_b[n], z)
        for key in range(PAID):
            t, c, u, d = _total(y, int64(key)), _count(y, int64(key)), _total(z, int64(key)), _count(z, int64(key))
            add(cross[key], int64(CROSS_TT), t * u)
            add(cross[key], int64(CROSS_TC), t * d)
            add(cross[key], int64(CROSS_CT), c * u)
            add(cross[key], int64(CROSS_CC), c * d)


@way_in(
    "void(rules, rules, played[:, ::1], played[:, ::1], int64[:, ::1], int64[:, ::1], sums[::1], boolean[::1],"
    " int64, int64, int64[:, ::1])",
    **OPTIONS,
)
def accumulate_replayed(
    rules, other, records, replayed, tape, tape_b, sums, skip, first, every, rows
):  # fmt: skip
    """Accumulate the deals of sessions ``first`` … and their replays under other rules: ``studies.observe.starts_of``.

    Of these sessions those whose number ``every`` divides.  ``rows`` is (STARTS, ROW).
    """
    players = rules.table.players
    antes_differ = False
    for seat in range(players):
        antes_differ |= ante_of(rules, int64(seat)) != ante_of(other, int64(seat))
    for n in range(len(skip)):
        if skip[n] or (first + n) % every:
            continue
        stakes = auction = play = settlement = paid = left_out = int64(0)
        for number in range(sums[n].deals):
            a, b = records[n, number], replayed[n, number]
            times, there, apart = lost_of(other, rules, a)
            if times or there or apart:
                left_out += 1
                continue
            paid += _payments_differ(rules, other, a, b, players)
            if antes_differ:
                stakes += 1
                continue
            stage = first_difference(a, tape[n], b, tape_b[n])
            auction += stage == AT_AUCTION
            play += stage == AT_PLAY
            settlement += stage == AT_SETTLEMENT
        counts = (stakes, auction, play, settlement, stakes + auction + play + settlement, paid)
        for kind in range(LEFT_OUT):
            share(rows[kind], counts[kind], sums[n].deals - left_out)
        share(rows[LEFT_OUT], left_out, sums[n].deals)
        rows[STARTS_SESSIONS, TOTAL] += 1
