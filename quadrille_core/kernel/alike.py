"""What becomes of deals that begin alike under two rule sets: whether they part, where first, and who gains by it.

``study.alike`` defines what is told here.  Sums of squares and products are in two parts, as in ``kernel.gather``.
"""

from numba import int64

from quadrille_core.kernel.compiled import compiled, way_in
from quadrille_core.kernel.gather import KEEP, PAID, Y_SEATS, add, keep, share, tell_session
from quadrille_core.kernel.session import part
from quadrille_core.kernel.shares import OPTIONS
from quadrille_core.tables import play_layout as at
from quadrille_core.tables import session_layout as of

STAKES, AUCTION, PLAY, SETTLEMENT, CARRYING, PARTED, OTHERWISE, WEIGHT = range(8)
"""Rows of a pair: deals that part first at the stakes, in the auction, in the play, at the settlement, in what is left
to the next deal; all that part, and those in which some player is paid otherwise, of those begun alike; and the
counters that move otherwise, antes among them, of those that part."""
KINDS = 8
D, DD, DN, DK, MOVED, W, WW, MOVED_WHOLE = 0, 1, 3, 5, 7, 8, 9, 11
EFFECT = 12
"""A row of a seat or role: what it gained in deals begun alike, its products with itself, with the deals begun alike
and with those that part, and the sessions in which it was not nothing; then the same of whole sessions."""


@compiled("int64(int64, int64)", **OPTIONS)
def lot(session, deal):
    """A number by which deals are drawn: ``study.alike.lot``."""
    x = (session * 0x9E3779B1 + deal * 0x85EBCA6B + 0x27D4EB2F) & 0xFFFFFFFF
    x = ((x ^ (x >> 15)) * 0x2C1B3C6D) & 0xFFFFFFFF
    x = ((x ^ (x >> 12)) * 0x297A2D39) & 0xFFFFFFFF
    return x ^ (x >> 15)


@compiled("boolean(int64[::1], int64[::1], boolean)", **OPTIONS)
def _begun_alike(a, b, left):
    """Whether two deals begin alike; ``left``: the favourite suit is what an earlier deal has left, under both."""
    return (
        a[of.POOL] == b[of.POOL]
        and a[of.TIMES] == b[of.TIMES]
        and a[of.BEASTS] == b[of.BEASTS]
        and (a[of.FAVOURITE] == b[of.FAVOURITE] or not left)
    )


@compiled("int64(int64[::1], int64, int64)", **OPTIONS)
def _ante(rules, seat, players):
    return rules[at.ANTE] if not rules[at.ANTE_BY_DEALER] or seat == players - 1 else int64(0)


@compiled("void(int64[::1], int64[::1], int64, int64, int64[::1])", **OPTIONS)
def _pay(rules, deal, sign, players, gained):
    """Add what one deal moved, by seat and, antes left out, by role."""
    for seat in range(players):
        gained[seat] += sign * (deal[of.NET + seat] - _ante(rules, int64(seat), players))
    if deal[of.OUTCOME] == of.REDEALT:
        return
    for seat in range(players):
        role = int64(0) if seat == deal[of.HOMBRE] else int64(1) if seat == deal[of.ALLY] else int64(2)
        gained[5 + role] += sign * deal[of.NET + seat]


@way_in(
    "void(int64[::1], int64[::1], int64[:, :, ::1], int64[:, :, ::1], int64[:, ::1], int64[:, ::1], int64[:, ::1],"
    "int64[:, ::1], boolean[::1], int64, int64[:, ::1], int64[:, ::1], int64[:, :, ::1], int64[::1], int64[::1])",
    **OPTIONS,
)
def gather_alike(
    rules, other, records, others, tape, tape_b, sums, sums_b, skip, first, rows, effects, kept, y, z
):  # fmt: skip
    """Hold sessions ``first`` … under two rule sets side by side, deal by deal that begins alike.

    ``rows`` is (KINDS, ROW), ``effects`` (PAID, EFFECT); ``kept`` (sessions, KEEP, 2) gets deals that part, by lot.
    """
    players = rules[at.PLAYERS]
    antes_differ = rules[at.ANTE] != other[at.ANTE] or rules[at.ANTE_BY_DEALER] != other[at.ANTE_BY_DEALER]
    first_trumps = int64(at.FAVOURITE_FIRST)
    left = rules[at.FAVOURITE_SOURCE] == first_trumps and other[at.FAVOURITE_SOURCE] == first_trumps
    for n in range(len(skip)):
        for place in range(KEEP):
            kept[n, place, 1] = -1
        if skip[n]:
            continue
        stakes = auction = play = settlement = carrying = trials = paid = weight = int64(0)
        gained = z[:PAID]
        gained[:] = 0
        both = min(sums[n, of.DEALS], sums_b[n, of.DEALS])
        for number in range(both):
            a, b = records[n, number], others[n, number]
            alike = _begun_alike(a, b, left)
            if not alike and number > 0:
                continue
            trials += 1
            _pay(other, b, int64(1), players, gained)
            _pay(rules, a, int64(-1), players, gained)
            stage = part(a, tape[n], b, tape_b[n])
            if not alike or antes_differ:
                stakes += 1
            elif stage == of.AT_AUCTION:
                auction += 1
            elif stage == of.AT_PLAY:
                play += 1
            elif stage == of.AT_SETTLEMENT:
                settlement += 1
            elif number + 1 < both:
                if _begun_alike(records[n, number + 1], others[n, number + 1], left):
                    continue
                carrying += 1
            elif sums[n, of.DEALS] != sums_b[n, of.DEALS]:
                carrying += 1
            else:
                continue
            otherwise = int64(0)
            for seat in range(players):
                antes = _ante(other, int64(seat), players) - _ante(rules, int64(seat), players)
                otherwise += abs(b[of.NET + seat] - a[of.NET + seat] - antes)
            paid += otherwise != 0
            weight += otherwise
            keep(kept[n], -lot(int64(first + n), int64(number)), int64(number))
        parted = stakes + auction + play + settlement + carrying
        counts = (stakes, auction, play, settlement, carrying, parted, paid)
        for kind in range(OTHERWISE + 1):
            share(rows[kind], counts[kind], trials)
        share(rows[WEIGHT], weight, parted)
        for key in range(PAID):
            change, row = gained[key], effects[key]
            row[D] += change
            add(row, int64(DD), change * change)
            add(row, int64(DN), change * trials)
            add(row, int64(DK), change * parted)
            row[MOVED] += change != 0
        tell_session(rules, sums[n], y)
        for key in range(PAID):
            gained[key] = -y[Y_SEATS + key]
        tell_session(other, sums_b[n], y)
        for key in range(PAID):
            change, row = gained[key] + y[Y_SEATS + key], effects[key]
            row[W] += change
            add(row, int64(WW), change * change)
            row[MOVED_WHOLE] += change != 0
