"""Who got how much: the movements of a deal or session in two partitions, each of which sums to
zero.

The *columns* are: every seat, its antes taken off; the players by role; and the accounts that are
nobody's.

* ``seats``: the seats, the pool, the vole's pool, the score and the fund that no text feeds.
* ``roles``: the same accounts, and what all players got together as the Hombre, as the ally, as
  adversaries (a sum over
  all of them), in deals that were redealt (their antes), and as antes of the deals that were
  played.

A refill of a purse from the box is a loan: it is no movement here, for the player or for the box.
Amounts are in counters.
"""

from fractions import Fraction
from typing import Final

from quadrille_core.engine.deal_record import SEATS

ROLE_SUMS: Final = ("hombre", "ally", "adversaries", "redealt", "antes")
"""What players get together in each role; ``redealt`` and ``antes`` are antes, of deals redealt and
of deals played."""
ANTES: Final = frozenset({"redealt", "antes"})
ACCOUNTS: Final = ("pool", "vole pool", "score", "fund")
"""What is nobody's."""
IF_MOVED: Final = frozenset({"fund"})
"""Columns that answers leave out where nothing moves in them: nearly no rules have such an
account."""
ZERO: Final = Fraction(0)

Movements = tuple[Fraction, ...]
"""What was moved, column by column."""


def seats(players: int) -> tuple[str, ...]:
    """The columns of the seats, eldest hand first, dealer last."""
    return tuple(f"seat {s}" for s in range(players))


def columns(players: int) -> tuple[str, ...]:
    """All columns in their order: seats, roles, accounts."""
    return *seats(players), *ROLE_SUMS, *ACCOUNTS


def partitions(players: int) -> dict[str, tuple[str, ...]]:
    """The columns of each partition; their movements sum to zero, deal by deal."""
    return {"seats": (*seats(players), *ACCOUNTS), "roles": (*ROLE_SUMS, *ACCOUNTS)}


def places(players: int) -> list[int]:
    """The place of each column in ``SessionSums.moved``."""
    return [*range(players), *range(SEATS, SEATS + len(ROLE_SUMS) + len(ACCOUNTS))]
