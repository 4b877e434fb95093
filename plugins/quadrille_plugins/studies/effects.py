"""What a second rule set changes: three estimands, as exact sums of paired sessions.

For each column of ``studies.accounts``, in counters a session, the second rule set less the first:

* ``total``: a session under the second less the same session, on the same cards, under the first.
* ``direct``: every deal of the first's session replayed under the second from the same standing
  (``studies.direct``),
  less the deal as it was; summed over the session.
* ``carried``: total less direct, session by session.
* ``direct_reverse``, ``carried_reverse``: the same from the other side: every deal of the second's
  session, less the
  same replayed under the first.

A *session* is the sampling unit.  Sums keep one size however many sessions there are, and merge in
any order.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import repeat
from operator import mul, sub
from typing import Final

from quadrille_plugins.studies.accounts import ACCOUNTS, ROLE_SUMS, ZERO, columns
from quadrille_plugins.studies.distribution import Spread
from quadrille_plugins.studies.intervals import Accumulator, Amount, product

TOTAL, DIRECT, CARRIED, DIRECT_REVERSE, CARRIED_REVERSE = ESTIMANDS = (
    "total", "direct", "carried", "direct_reverse", "carried_reverse",
)  # fmt: skip
SPREAD: Final = (*ROLE_SUMS[:3], *ACCOUNTS)
"""The columns of which the distribution over sessions is told."""
LOST: Final = ("multiplier", "beasts", "waiting", "any")
"""What of a standing another rule set cannot hold: that a deal counts several times, its beasts,
those put apart."""


@dataclass(slots=True)
class DifferenceSums(Accumulator):
    """Sums over sessions of one column's difference D, and of the deals n that a session was
    planned to have.

    ``total`` Σ D, ``squares`` Σ D², ``cubes`` Σ D³, ``fourths`` Σ D⁴, ``by_deals`` Σ D·n,
    ``differing`` sessions with D ≠ 0; the sums of n are in ``Effects``.
    """

    total: Fraction = field(default_factory=Fraction)
    squares: Fraction = field(default_factory=Fraction)
    cubes: Fraction = field(default_factory=Fraction)
    fourths: Fraction = field(default_factory=Fraction)
    by_deals: Fraction = field(default_factory=Fraction)
    differing: int = 0

    @classmethod
    def of(
        cls, amounts: Sequence[Amount], deals: Sequence[int], scale: int = 1
    ) -> "DifferenceSums":
        """The sums of sessions, whose differences are in counters times ``scale``."""
        some = [(d, n) for d, n in zip(amounts, deals, strict=True) if d]
        if not some:
            return cls()
        differing, planned = zip(*some, strict=True)
        squares = list(map(mul, differing, differing))
        return cls(
            Fraction(sum(differing), scale),
            Fraction(sum(squares), scale**2),
            Fraction(product(squares, differing), scale**3),
            Fraction(product(squares, squares), scale**4),
            Fraction(product(differing, planned), scale),
            len(some),
        )


Rows = Sequence[Sequence[Amount]]
"""What sessions moved, each by column of ``studies.accounts``."""


@dataclass(slots=True)
class Effects(Accumulator):
    """One pair of rule sets: ``changes[estimand][column]``, over ``sessions``.

    ``deals`` is Σ n and ``deals_squares`` Σ n².  By direction, ``replayed`` counts the deals
    replayed, and ``lost`` by LOST those whose standing the other rule set cannot hold.
    """

    sessions: int = 0
    deals: int = 0
    deals_squares: int = 0
    changes: dict[str, dict[str, DifferenceSums]] = field(default_factory=dict)
    lost: Counter[tuple[str, str]] = field(default_factory=Counter)
    replayed: Counter[str] = field(default_factory=Counter)
    reach: dict[str, Fraction] = field(default_factory=dict)
    """By column, the largest sum that a session moved under either rule set, or that differed
    between them."""
    spreads: dict[int, dict[str, Spread]] = field(default_factory=dict)
    """The distribution of total differences, by planned deals of a session and of ``SPREAD``."""

    def merge(self, other: "Effects") -> None:
        """The sums of other sessions, and the farther reach of each column."""
        reach = {
            **self.reach,
            **{c: max(self.reach.get(c, far), far) for c, far in other.reach.items()},
        }
        Accumulator.merge(self, other)
        self.reach = reach

    @classmethod
    def of(
        cls,
        players: int,
        lengths: Sequence[int],
        first: Rows,
        second: Rows,
        forward: Rows | None = None,
        reverse: Rows | None = None,
        scale: int = 1,
    ) -> "Effects":
        """The sums of sessions of N planned deals each, from what they moved under two rule sets,
        in counters times ``scale``.

        ``forward`` are those of the first's deals replayed under the second, ``reverse`` those of
        the second's under the first.
        """
        names, total = columns(players), _less(second, first)
        differences = {TOTAL: total}
        if forward is not None:
            differences |= {DIRECT: _less(forward, first), CARRIED: _less(second, forward)}
        if reverse is not None:
            back = {DIRECT_REVERSE: _less(second, reverse), CARRIED_REVERSE: _less(reverse, first)}
            differences |= back
        found = cls(len(lengths), sum(lengths), sum(map(mul, lengths, lengths)))
        for estimand, rows in differences.items():
            amounts = zip(*rows, strict=True) if rows else repeat(())
            found.changes[estimand] = {
                name: DifferenceSums.of(column, lengths, scale)
                for name, column in zip(names, amounts, strict=False)
            }
        for name, column in zip(names, zip(*first, *second, *total, strict=True), strict=False):
            found.reach[name] = Fraction(max(map(abs, column)), scale)
        for length in sorted(set(lengths)):
            some = [row for row, n in zip(total, lengths, strict=True) if n == length]
            found.spreads[length] = {
                name: Spread.of([row[names.index(name)] for row in some], scale) for name in SPREAD
            }
        return found

    def can_spread(self, lengths: Sequence[int], columns: Sequence[str] = SPREAD) -> bool:
        """Whether the distributions can be of sessions of these lengths."""
        many = Counter(lengths)
        return self.spreads.keys() == many.keys() and all(
            spreads.keys() == {*columns} and all(one.holds(many[n]) for one in spreads.values())
            for n, spreads in self.spreads.items()
        )


def _less(a: Rows, b: Rows) -> list[list[Amount]]:
    return [list(map(sub, x, y)) for x, y in zip(a, b, strict=True)]


def reaches(seen: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """How much a session could move each column, from the most that it was seen to:
    ``sequences.PayeeSums.reach``.

    What one seat was seen to move another could.  What is left in a pool at the end of a session is
    mostly nothing, and seldom as much as players win: theirs is its reach.  Antes are of deals
    played or redealt, so that each of the two may be both.
    """
    seats = max(most for column, most in seen.items() if column.startswith("seat "))
    antes = seen["redealt"] + seen["antes"]
    least = {**dict.fromkeys(ACCOUNTS, seats), "redealt": antes, "antes": antes}
    return {
        column: seats if column.startswith("seat ") else max(most, least.get(column, ZERO))
        for column, most in seen.items()
    }
