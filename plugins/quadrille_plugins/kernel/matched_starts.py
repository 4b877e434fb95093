"""Matched starts under two rule sets: whether they diverge, and where first.

``matters.matched_starts`` defines what is told here.
"""

from numba import int64

from quadrille_plugins.kernel.accumulate import KEEP, keep
from quadrille_plugins.kernel.compiled import compiled, way_in
from quadrille_plugins.kernel.session import first_difference
from quadrille_plugins.kernel.shares import OPTIONS
from quadrille_plugins.kernel.state import AT_SETTLEMENT, SAME
from quadrille_plugins.kernel.words import SOURCE

STAKES, CARRYING, TRIALS, PAID, WEIGHT = range(AT_SETTLEMENT + 1, AT_SETTLEMENT + 6)
"""After the stages of play at which matched starts first diverge: at the stakes, and in what is
left to the next deal; all matched starts; those in which payments differ; and the payment
differences of divergent deals, antes among them."""
KINDS = WEIGHT + 1


@compiled("int64(int64, int64)", **OPTIONS)
def sampling_key(session, deal):
    """The pseudo-random key by which deals are sampled: ``matters.matched_starts.sampling_key``."""
    x = (session * 0x9E3779B1 + deal * 0x85EBCA6B + 0x27D4EB2F) & 0xFFFFFFFF
    x = ((x ^ (x >> 15)) * 0x2C1B3C6D) & 0xFFFFFFFF
    x = ((x ^ (x >> 12)) * 0x297A2D39) & 0xFFFFFFFF
    return x ^ (x >> 15)


@compiled("boolean(played, played, boolean)", **OPTIONS)
def _is_matched(a, b, left):
    """Whether two deals are a matched start; ``left``: earlier deals decide the favourite suit
    under both."""
    return (
        a.pool == b.pool
        and a.times == b.times
        and a.beasts == b.beasts
        and (a.favourite == b.favourite or not left)
    )


@way_in(
    "void(rules, rules, played[:, ::1], played[:, ::1], int64[:, ::1], int64[:, ::1], sums[::1], "
    "sums[::1], boolean[::1], int64, int64[:, ::1], int64[:, :, ::1])",
    **OPTIONS,
)
def count_matched(
    rules, other, records, others, tape, tape_b, sums, sums_b, skip, first, counts, kept
):  # fmt: skip
    """Count the matched starts of sessions ``first`` … under two rule sets.

    ``counts`` is (sessions, KINDS); ``kept`` (sessions, KEEP, 2) gets divergent deals, by lot.
    """
    players = rules.table.players
    antes_differ = False
    for seat in range(players):
        antes_differ |= rules.antes[seat] != other.antes[seat]
    left = (
        rules.favourite.source == SOURCE.FIRST_TRUMPS
        and other.favourite.source == SOURCE.FIRST_TRUMPS
    )
    for n in range(len(skip)):
        for place in range(KEEP):
            kept[n, place, 1] = -1
        if skip[n]:
            continue
        both = min(sums[n].deals, sums_b[n].deals)
        for number in range(both):
            a, b = records[n, number], others[n, number]
            alike = _is_matched(a, b, left)
            if not alike and number > 0:
                continue
            counts[n, TRIALS] += 1
            stage = first_difference(a, tape[n], b, tape_b[n])
            if not alike or antes_differ:
                stage = int64(STAKES)
            elif stage == SAME:
                if number + 1 < both:
                    alike = _is_matched(records[n, number + 1], others[n, number + 1], left)
                else:
                    alike = sums[n].deals == sums_b[n].deals
                if alike:
                    continue
                stage = int64(CARRYING)
            counts[n, stage] += 1
            difference = int64(0)
            for seat in range(players):
                antes = other.antes[seat] - rules.antes[seat]
                difference += abs(b.net[seat] - a.net[seat] - antes)
            counts[n, PAID] += difference != 0
            counts[n, WEIGHT] += difference
            keep(kept[n], -sampling_key(int64(first + n), int64(number)), int64(number))
