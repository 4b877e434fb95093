"""A deal's result: all that settlement needs to know of what happened, and no more."""

from fractions import Fraction
from typing import Final

from quadrille_core.cards import Suit
from quadrille_core.frozen import frozen, frozen_by_keyword
from quadrille_core.rules import PayItem, VoleLevel


@frozen_by_keyword
class Result:
    """One deal's result, players by seat from the eldest (0) to the dealer (last).

    ``tricks`` counts each seat's tricks.  After a claim the tricks not played are not counted, so
    their sum may be less than the hand.  ``matadors`` counts unbroken top trumps, from Spadille
    down, of Hombre's side (or of whoever the rules say must hold them), at most four.
    ``vole`` is how the vole was played for; whether it was made, the tricks say.
    """

    players: tuple[str, ...]
    pool: Fraction
    contract: str
    trump: Suit
    """The trump suit, or NO_TRUMP."""
    hombre: int
    tricks: tuple[int, ...]
    favourite: Suit | None = None
    ally: int | None = None
    surrendered: int | None = None
    """Who handed over the called card, where cards were exchanged; of several the first."""
    also_surrendered: tuple[int, ...] = ()
    """Who handed over each further card."""
    matadors: int = 0
    adversary_matadors: int = 0
    """The same count for the adversaries together, where the rules pay them for it."""
    premiers: bool = False
    """Whether premiers are to be paid; ``terms.earns_premiers`` says when they are."""
    vole: VoleLevel = "none"
    claims: tuple[PayItem, ...] = ()
    """What Hombre's side claimed in time; it matters only for items that the rules want claimed."""
    multiplier: int = 1
    """How many times the game counts, for games lost before it."""
    beasts: int = 0
    """How many beasts stand when the deal begins, where that matters."""
    incidents: tuple[tuple[str, int], ...] = ()
    """Irregularities for which a plugin has a payment, each with the seat of the offender."""
    facts: tuple[tuple[str, tuple[int, ...]], ...] = ()
    """Facts that the rules ask for (``quadrille_core.facts``), each by seat; one of the deal is one
    number."""

    def side(self) -> tuple[int, ...]:
        """Hombre's seat, and the ally's when there is one."""
        return (self.hombre,) if self.ally is None else (self.hombre, self.ally)

    def adversaries(self) -> tuple[int, ...]:
        """The seats against Hombre, eldest first."""
        return tuple(s for s in range(len(self.players)) if s not in self.side())

    def givers(self) -> tuple[int, ...]:
        """Who handed over each called card, in the order of the calls; a seat stands once for each
        card."""
        return () if self.surrendered is None else (self.surrendered, *self.also_surrendered)

    def side_tricks(self) -> int:
        """Tricks made by Hombre's side."""
        return sum(self.tricks[s] for s in self.side())


@frozen
class Transfer:
    """One payment: from and to a seat (0 …), the pool (``POOL``), the vole pool, the score or the
    fund."""

    source: int
    target: int
    amount: Fraction
    reason: str
    rule: str
    """The rule path that orders the payment."""


@frozen
class Lapse:
    """An item that was earned and not claimed in time, and so is not paid."""

    item: PayItem
    amount: Fraction
    """What each who owed it would have paid."""
    reason: str
    rule: str
    """The rule path that wants it claimed."""


RESERVED = ("pool", "vole pool", "score", "fund")
"""What payments call the accounts that are nobody's; no player may bear these names."""


ODD: Final = "stakes.odd_counters"
"""The rule by which counters that will not divide are given or left."""
POOL = -1
VOLE_POOL = -2
SCORE = -3
FUND = -4
"""Where counters are paid: the fund beside the pool, from which some payments are drawn and which
no deal feeds."""


@frozen
class Settlement:
    """What a deal's result costs and earns; the transfers alone reproduce the rest.

    ``outcome`` is won, remise or codille.  ``net`` is by seat, antes excluded.
    """

    outcome: str
    transfers: tuple[Transfer, ...]
    net: tuple[Fraction, ...]
    pool_before: Fraction
    pool_after: Fraction
    vole: str
    """``none``, ``won`` or ``lost``."""
    frozen: bool = False
    """Whether the pool was left standing, the game being neither won nor paid for."""
    beast: Fraction = Fraction(0)
    """What a lost game put into the pool."""
    pool_taken: bool = False
    """Whether all of the pool was won or shared; a fixed draw that leaves some of it leaves the
    beasts in it."""
    lapsed: tuple[Lapse, ...] = ()
    """What was earned and not claimed in time."""
    undivided: tuple[tuple[Fraction, str, str], ...] = ()
    """Counters of the pool, or due to it, that would not divide; what became of them, and the rule
    that says so."""
