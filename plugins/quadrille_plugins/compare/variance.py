"""Of the variance of what a player wins, what goes with who plays, with the cards, and the rest.

Estimands.  Draw a session, one of its hands (a deal and a seat; or a chair through all deals) and,
evenly, which of a pair of players plays it, against the other.  Y is what is won, in standard
deviations of what is won with a hand of this session: so each session counts alike, where else a
rare one with a huge pool would hold most of the variance.  With the difference d of both players'
means, the covariance C of what both win with the same hand, and their paired difference D:

    Var(Y) = d²/4 + C + ½ Var(D)

The first goes with who plays: it is the variance of the mean given the player.  The second goes
with the cards: it is what two plays of the same hand have in common, and may be negative, where one
loses by the cards with which the other wins.  The rest goes with neither alone: which player can
use which cards, and what the others do.  Of several pairs each part is summed before shares are
taken, as if the pair too were drawn.

The session is the unit of sampling; errors are a jackknife's, over sessions.  A square cannot be
below zero, so that the interval of the first share comes from the length g of the vector of the
pairs' d / (2 sd(Y)): an error vector's length is at most t times the root of its summed variances
(Székely and Bakirov 2003), and the length of g errs by no more.  g² is too large by that sum on
average, which is taken off, down to zero.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import fsum, sqrt
from typing import Final

from quadrille_core.frozen import frozen
from quadrille_plugins.studies.intervals import FEWEST_SESSIONS, Estimate, t_quantile

UNITS: Final = ("deal", "session")
"""Of what the variance is told: of a hand in a deal, of a chair in a whole session."""
PARTS: Final = ("player", "cards", "rest")

Products = tuple[Fraction, Fraction, Fraction]
"""A session's sums over hands, or chairs: the squares of either player's winnings, and the products
of both."""
Row = Sequence[float]
"""The same of a session in its standard deviations, behind the number of hands and both players'
totals: six sums, all 0 where nothing varies."""


def rows_of(
    hands: int, chairs: int, totals: Sequence[Fraction], products: Sequence[Products]
) -> dict[str, Row]:
    """By unit the row of a session: how many hands each of two played in how many chairs, what they
    won, and the products by unit."""
    xx, yy, _ = products[0]
    variance = (xx + yy) / (2 * hands) - (sum(totals) / (2 * hands)) ** 2
    if variance <= 0:
        return {unit: [0.0] * 6 for unit in UNITS}
    unit_of = [sqrt(variance)] * 2 + [float(variance)] * 3
    return {
        unit: [float(many), *(float(a) / by for a, by in zip([*totals, *of], unit_of, strict=True))]
        for unit, many, of in zip(UNITS, (hands, chairs), products, strict=True)
    }


@frozen
class VarianceShares:
    """The shares of the variance, each with its 95 % interval; together they are 1."""

    player: Estimate
    cards: Estimate
    rest: Estimate


def shares_of(pairs: Sequence[Sequence[Row]]) -> VarianceShares | None:
    """The shares over these pairs, each given by its sessions, the same for all; None where nothing
    varies."""
    wholes = [[fsum(column) for column in zip(*rows, strict=True)] for rows in pairs]
    found = _figures(wholes)
    if found is None:
        return None
    *gaps, cards = found
    plain, sessions = fsum(g * g for g in gaps), len(pairs[0])
    spreads = _jackknife(list(_without_each(pairs, wholes)))
    errors = [0.0] * len(PARTS) if spreads is None else [*spreads]
    player = max(0.0, plain - errors[0])
    reach = None
    if spreads is not None and sessions >= FEWEST_SESSIONS:
        reach = [t_quantile(sessions - 1) * sqrt(error) for error in errors]
    count = sum(int(whole[0]) for whole in wholes)

    def told(mean: float, low: float, high: float) -> Estimate:
        known = reach is not None
        return Estimate(
            Fraction(mean), low if known else None, high if known else None, count, sessions
        )

    of_g, of_cards, of_rest = reach or [0.0] * len(PARTS)
    rest = 1 - player - cards
    return VarianceShares(
        told(player, max(0.0, sqrt(plain) - of_g) ** 2, min(1.0, sqrt(plain) + of_g) ** 2),
        told(cards, max(-1.0, cards - of_cards), min(1.0, cards + of_cards)),
        told(rest, max(0.0, rest - of_rest), min(2.0, rest + of_rest)),
    )


def _figures(pairs: Sequence[Sequence[float]]) -> list[float] | None:
    """Of the sums of pairs: the difference of each in units of 2 sd(Y), then the share of the
    cards; None where nothing varies."""
    gaps, together, total = [], [], []
    for n, x, y, xx, yy, xy in pairs:
        if n <= 0:
            return None
        gaps.append((x - y) / n)
        together.append(xy / n - x / n * (y / n))
        total.append((xx + yy) / (2 * n) - ((x + y) / (2 * n)) ** 2)
    whole = fsum(total)
    if whole <= 0:
        return None
    return [*(gap / (2 * sqrt(whole)) for gap in gaps), fsum(together) / whole]


def _without_each(
    pairs: Sequence[Sequence[Row]], wholes: Sequence[Row]
) -> Iterator[list[float] | None]:
    """The figures without one session, for each."""
    for rows in zip(*pairs, strict=True) if len(pairs[0]) > 1 else ():
        yield _figures(
            [
                [a - b for a, b in zip(whole, row, strict=True)]
                for whole, row in zip(wholes, rows, strict=True)
            ]
        )


def _jackknife(left: Sequence[list[float] | None]) -> tuple[float, float, float] | None:
    """The variances of the vector of differences, summed, of the cards' share and of the rest; None
    where one session holds all that varies."""
    found = [one for one in left if one is not None]
    if not found or len(found) < len(left):
        return None
    sessions = len(found)

    def spread(values: Sequence[float]) -> float:
        mean = fsum(values) / sessions
        return fsum((one - mean) ** 2 for one in values) * (sessions - 1) / sessions

    gaps = fsum(spread(values) for values in list(zip(*found, strict=True))[:-1])
    rests = [1 - one[-1] - fsum(g * g for g in one[:-1]) for one in found]
    return gaps, spread([one[-1] for one in found]), spread(rests)
