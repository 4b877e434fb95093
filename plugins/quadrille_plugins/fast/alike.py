"""What becomes of deals that begin alike under two rule sets: whether they part, and where first.

``study.alike`` defines what is told here.  Sums of squares and products are in two parts, as in ``kernel.gather``.
"""

from numba import int64

from quadrille_plugins.fast.compiled import compiled, way_in
from quadrille_plugins.fast.gather import KEEP, keep, share
from quadrille_plugins.fast.session import ante_of, part
from quadrille_plugins.fast.shares import OPTIONS
from quadrille_plugins.fast.state import AT_AUCTION, AT_PLAY, AT_SETTLEMENT
from quadrille_plugins.fast.words import SOURCE

STAKES, AUCTION, PLAY, SETTLEMENT, CARRYING, PARTED, OTHERWISE, WEIGHT = range(8)
"""Rows of a pair: deals that part first at the stakes, in the auction, in the play, at the settlement, in what is left
to the next deal; all that part, and those in which some player is paid otherwise, of those begun alike; and the
counters that move otherwise, antes among them, of those that part."""
KINDS = 8


@compiled("int64(int64, int64)", **OPTIONS)
def lot(session, deal):
    """A number by which deals are drawn: ``study.alike.lot``."""
    x = (session * 0x9E3779B1 + deal * 0x85EBCA6B + 0x27D4EB2F) & 0xFFFFFFFF
    x = ((x ^ (x >> 15)) * 0x2C1B3C6D) & 0xFFFFFFFF
    x = ((x ^ (x >> 12)) * 0x297A2D39) & 0xFFFFFFFF
    return x ^ (x >> 15)


@compiled("boolean(played, played, boolean)", **OPTIONS)
def _begun_alike(a, b, left):
    """Whether two deals begin alike; ``left``: the favourite suit is what an earlier deal has left, under both."""
    return a.pool == b.pool and a.times == b.times and a.beasts == b.beasts and (a.favourite == b.favourite or not left)


@way_in(
    "void(rules, rules, played[:, ::1], played[:, ::1], int64[:, ::1], int64[:, ::1], sums[::1], sums[::1],"
    " boolean[::1], int64, int64[:, ::1], int64[:, :, ::1])",
    **OPTIONS,
)
def gather_alike(
    rules, other, records, others, tape, tape_b, sums, sums_b, skip, first, rows, kept
):  # fmt: skip
    """Hold sessions ``first`` … under two rule sets side by side, deal by deal that begins alike.

    ``rows`` is (KINDS, ROW); ``kept`` (sessions, KEEP, 2) gets deals that part, by lot.
    """
    players = rules.table.players
    antes_differ = rules.stakes.ante != other.stakes.ante or rules.stakes.ante_by != other.stakes.ante_by
    left = rules.favourite.source == SOURCE.FIRST_TRUMPS and other.favourite.source == SOURCE.FIRST_TRUMPS
    for n in range(len(skip)):
        for place in range(KEEP):
            kept[n, place, 1] = -1
        if skip[n]:
            continue
        stakes = auction = play = settlement = carrying = trials = paid = weight = int64(0)
        both = min(sums[n].deals, sums_b[n].deals)
        for number in range(both):
            a, b = records[n, number], others[n, number]
            alike = _begun_alike(a, b, left)
            if not alike and number > 0:
                continue
            trials += 1
            stage = part(a, tape[n], b, tape_b[n])
            if not alike or antes_differ:
                stakes += 1
            elif stage == AT_AUCTION:
                auction += 1
            elif stage == AT_PLAY:
                play += 1
            elif stage == AT_SETTLEMENT:
                settlement += 1
            elif number + 1 < both:
                if _begun_alike(records[n, number + 1], others[n, number + 1], left):
                    continue
                carrying += 1
            elif sums[n].deals != sums_b[n].deals:
                carrying += 1
            else:
                continue
            otherwise = int64(0)
            for seat in range(players):
                antes = ante_of(other, int64(seat)) - ante_of(rules, int64(seat))
                otherwise += abs(b.net[seat] - a.net[seat] - antes)
            paid += otherwise != 0
            weight += otherwise
            keep(kept[n], -lot(int64(first + n), int64(number)), int64(number))
        parted = stakes + auction + play + settlement + carrying
        counts = (stakes, auction, play, settlement, carrying, parted, paid)
        for kind in range(OTHERWISE + 1):
            share(rows[kind], counts[kind], trials)
        share(rows[WEIGHT], weight, parted)
