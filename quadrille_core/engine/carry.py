"""What a session carries from one deal to the next, and the only place where it is carried.

A simulated session and the ledger of a real table both begin a deal by ``staked`` and ``multiplier_of`` and end
it by ``carried``, so that the two cannot part.

What no source decides, and is decided here:

* Only a game that is won ends a row of losses, and only one lost by remise or codille lengthens it.  A redeal, and a
  vole announced and missed whose stake is left frozen, are neither: the row stands as it was.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from quadrille_core.engine.result import Settlement
from quadrille_core.engine.units import basic_stake
from quadrille_core.rules import Rules


@dataclass(frozen=True, slots=True, kw_only=True)
class Carry:
    """What one deal leaves to the next."""

    pool: Fraction = Fraction(0)
    """The pool, without the antes of the deal to come."""
    losses: int = 0
    """Games lost in a row."""


START: Final = Carry()
"""What a session begins with."""


def remembers(rules: Rules) -> bool:
    """Whether a session carries anything besides the pool."""
    return rules.multiplier.after_losses == "counted"


def staked(rules: Rules, carry: Carry) -> Fraction:
    """The pool once the antes of the next deal are in."""
    return carry.pool + basic_stake(rules.stakes, rules.table.players)


def multiplier_of(rules: Rules, carry: Carry) -> int:
    """How many times the next deal counts."""
    return carry.losses + 1 if rules.multiplier.after_losses == "counted" else 1


def carried(rules: Rules, carry: Carry, settlement: Settlement | None) -> Carry:
    """What a deal that began with ``carry`` leaves to the next; no settlement means that all passed."""
    if settlement is None:
        return Carry(pool=staked(rules, carry), losses=carry.losses)
    losses = carry.losses
    if settlement.outcome == "won":
        losses = 0
    elif not settlement.frozen:
        losses += 1
    return Carry(pool=settlement.pool_after, losses=losses)
