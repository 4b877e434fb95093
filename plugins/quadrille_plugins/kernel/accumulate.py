"""What a comparison counts of each session under two rule sets; ``studies.accumulators`` adds
sessions up."""

from numba import int64

from quadrille_plugins.kernel.compiled import compiled, way_in
from quadrille_plugins.kernel.session import first_difference, lost_of
from quadrille_plugins.kernel.shares import OPTIONS
from quadrille_plugins.kernel.state import AT_SETTLEMENT, SAME

KEEP = 3
"""Examples that a session offers."""
SAME_PAID = 1 << 60
"""What is added to the size of an example in which payments are the same: it comes after all
others."""
CARRIED, PAID = AT_SETTLEMENT + 1, AT_SETTLEMENT + 2
"""After the stages at which deals diverge, ``SAME`` among them: of the divergent deals those that
began with another pool, and the deals in which payments differ."""
COUNTS = PAID + 1
STAKES, STARTS_PAID, LEFT_OUT = AT_SETTLEMENT + 1, AT_SETTLEMENT + 2, AT_SETTLEMENT + 3
"""The same of replayed deals: matched starts that diverge at the stakes, those in which payments
differ, and the deals whose state the other rules cannot hold."""
STARTS = LEFT_OUT + 1
LARGEST = 1 << 31


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
        if a.net[seat] - rules.antes[seat] != b.net[seat] - other.antes[seat]:
            return True
    return False


@compiled("int64(played, played, int64)", **OPTIONS)
def _size(a, b, players):
    """The pools of an example: ``Example.ease`` in one number, but for session and deal."""
    return a.pool + b.pool + (int64(0) if _weight(a, b, players) else int64(SAME_PAID))


@compiled("void(int64[:, ::1], int64, int64)", **OPTIONS)
def keep(kept, weight, number):
    """Keep the weightiest deals of a session, the earlier of equals: a row has a weight and the
    number, -1 for none."""
    place = KEEP
    while place > 0 and (kept[place - 1, 1] < 0 or kept[place - 1, 0] < weight):
        place -= 1
    for later in range(KEEP - 1, place, -1):
        kept[later, 0], kept[later, 1] = kept[later - 1, 0], kept[later - 1, 1]
    if place < KEEP:
        kept[place, 0], kept[place, 1] = weight, number


@way_in(
    "void(rules, rules, played[:, ::1], played[:, ::1], int64[:, ::1], int64[:, ::1], sums[::1], "
    "sums[::1], boolean[::1], int64[:, ::1], int64[:, :, ::1])",
    **OPTIONS,
)
def count_pair(
    rules, other, records, others, tape, tape_b, sums, sums_b, skip, counts, kept
):  # fmt: skip
    """Count where the deals of each session diverge under two rule sets.

    ``counts`` is (sessions, COUNTS), ``kept`` (sessions, KEEP, 2) gets the plainest divergent
    deals.
    """
    players = rules.table.players
    for n in range(len(skip)):
        for place in range(KEEP):
            kept[n, place, 1] = -1
        if skip[n]:
            continue
        for number in range(min(sums[n].deals, sums_b[n].deals)):
            a, b = records[n, number], others[n, number]
            counts[n, PAID] += _payments_differ(rules, other, a, b, players)
            stage = first_difference(a, tape[n], b, tape_b[n])
            counts[n, stage] += 1
            if stage != SAME:
                counts[n, CARRIED] += a.pool != b.pool
                keep(kept[n], -_size(a, b, players), int64(number))


@way_in(
    "void(rules, rules, played[:, ::1], played[:, ::1], int64[:, ::1], int64[:, ::1], sums[::1], "
    "boolean[::1], int64[:, ::1])",
    **OPTIONS,
)
def count_replayed(
    rules, other, records, replayed, tape, tape_b, sums, skip, counts
):  # fmt: skip
    """Count the deals of each session beside their replays under other rules:
    ``studies.observe.starts_of``.

    ``counts`` is (sessions, STARTS).
    """
    players = rules.table.players
    antes_differ = False
    for seat in range(players):
        antes_differ |= rules.antes[seat] != other.antes[seat]
    for n in range(len(skip)):
        if skip[n]:
            continue
        for number in range(sums[n].deals):
            a, b = records[n, number], replayed[n, number]
            times, there, apart = lost_of(other, rules, a)
            if times or there or apart:
                counts[n, LEFT_OUT] += 1
                continue
            counts[n, STARTS_PAID] += _payments_differ(rules, other, a, b, players)
            stage = int64(STAKES) if antes_differ else first_difference(a, tape[n], b, tape_b[n])
            counts[n, stage] += 1
