"""What a session carries from one deal to the next, and the only place where it is carried.

A simulated session and the ledger of a real table both begin a deal by ``staked`` and
``multiplier_of`` and end it by ``carried``, so that the two cannot part.

* A game lost "by remise or codille" lengthens a row of losses and a game that "is won" ends it
  (older article,
  Variations).  A redeal is no game, and a vole announced and missed whose stake is left frozen is
  neither won nor doubled (Parlett, Penalties for a lost vole): the row stands as it was.
* Beasts that wait (``loss.beasts: wait``, a conjecture) come into play when no beast lies in the
  pool, at the end of
  the deal that took the last one: one at a time, the largest first.  So the first beast of all
  never waits.  A lost game makes one beast ("becomes the Beast", later article), however many times
  a codille counts it.
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil
from typing import Final

from quadrille_core.cards import Suit
from quadrille_core.engine.amounts import antes, counts_beasts, table_stake
from quadrille_core.engine.past import Past
from quadrille_core.engine.result import Result, Settlement
from quadrille_core.frozen import frozen_by_keyword
from quadrille_core.rules import Rules
from quadrille_core.stream import Purpose, Stream

ZERO: Final = Fraction(0)


@frozen_by_keyword
class Carry:
    """The state that one deal leaves to the next."""

    pool: Fraction = Fraction(0)
    """The pool, without the antes of the deal to come."""
    losses: int = 0
    """Games lost in a row."""
    standing: int = 0
    """Beasts that lie in the pool, where the rules count them."""
    waiting: tuple[Fraction, ...] = ()
    """Beasts put apart, the largest first."""
    past: Past = Past()
    """The deals so far, where the rules ask for facts of the session."""

    @property
    def beasts(self) -> int:
        """Every beast not yet won."""
        return self.standing + len(self.waiting)

    @property
    def held(self) -> Fraction:
        """All counters on the table, in play or set aside."""
        return self.pool + sum(self.waiting, Fraction(0))


START: Final = Carry()
"""What a session begins with."""


def remembers(rules: Rules) -> bool:
    """Whether a session has any state besides the pool."""
    counts = rules.multiplier.after_losses == "counted" or counts_beasts(rules)
    return counts or bool(rules.own.session_facts())


def staked(rules: Rules, carry: Carry) -> Fraction:
    """The pool once the antes of the next deal are in."""
    return carry.pool + table_stake(rules)


def multiplier_of(rules: Rules, carry: Carry) -> int:
    """How many times the next deal counts."""
    return carry.losses + 1 if rules.multiplier.after_losses == "counted" else 1


def carried(
    rules: Rules, carry: Carry, settlement: Settlement | None, result: Result | None = None
) -> Carry:
    """What a deal that began with ``carry`` leaves to the next; no settlement means that all
    passed.

    Without the ``result`` of a deal that was played it is not known who was Hombre.
    """
    past = carry.past
    if rules.own.session_facts():
        past = past_after(past, settlement, result)
    if settlement is None:
        return replace(carry, pool=staked(rules, carry), past=past)
    losses = carry.losses
    if settlement.outcome == "won":
        losses = 0
    elif not settlement.frozen:
        losses += 1
    standing, waiting = _beasts(rules, carry, settlement)
    pool = settlement.pool_after
    if rules.loss.beasts == "wait":
        pool -= settlement.beast
        if not standing and waiting:
            pool, standing, waiting = pool + waiting[0], 1, waiting[1:]
    return Carry(pool=pool, losses=losses, standing=standing, waiting=waiting, past=past)


def carry_under(rules: Rules, carry: Carry) -> Carry:
    """What a deal by other rules left, as these know it: beasts that may not wait come into play,
    and what is not counted is forgotten."""
    losses = carry.losses if rules.multiplier.after_losses == "counted" else 0
    past = carry.past if rules.own.session_facts() else Past()
    if counts_beasts(rules) and rules.loss.beasts == "wait":
        return replace(carry, losses=losses, past=past)
    standing = carry.beasts if counts_beasts(rules) else 0
    return Carry(pool=carry.held, losses=losses, standing=standing, past=past)


def past_after(past: Past, settlement: Settlement | None, result: Result | None) -> Past:
    """The deals of a session with one more, so ended."""
    if settlement is None or result is None:
        return past.after()
    hombre = result.players[result.hombre]
    return past.after(hombre, alone=result.ally is None, won=settlement.outcome == "won")


def _beasts(rules: Rules, carry: Carry, settlement: Settlement) -> tuple[int, tuple[Fraction, ...]]:
    """How many beasts lie in the pool after a deal, and which wait, before the next comes into
    play."""
    if not counts_beasts(rules):
        return 0, ()
    standing = 0 if settlement.pool_taken else carry.standing
    if not settlement.beast:
        return standing, carry.waiting
    if rules.loss.beasts == "wait":
        return standing, tuple(sorted((*carry.waiting, settlement.beast), reverse=True))
    return standing + 1, carry.waiting


def antes_of(rules: Rules, chairs: Sequence[int]) -> tuple[Fraction, ...]:
    """What each chair puts into the pool before a deal."""
    by_chair = dict(zip(chairs, antes(rules.stakes, len(chairs)), strict=True))
    return tuple(Fraction(by_chair[chair]) for chair in range(len(chairs)))


def refills_of(rules: Rules, holdings: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """What each player takes from the box after a deal: the fewest purses that leave no balance
    negative."""
    if rules.table.purse_empty != "refill":
        return (ZERO,) * len(holdings)
    purse = rules.table.purse
    return tuple(Fraction(purse * max(0, ceil(-held / purse))) for held in holdings)


def session_over(rules: Rules, holdings: Sequence[Fraction]) -> bool:
    """Whether a deal that leaves these holdings ends the session before its time."""
    return rules.table.purse_empty == "session_ends" and any(held < 0 for held in holdings)


def favourite_suit(
    rules: Rules, *, seed: int, session: int, deal: int, first_trumps: Suit | None
) -> Suit | None:
    """The favourite suit of a deal; ``first_trumps`` are those of the session's first deal that had
    any."""
    match rules.favourite.source:
        case "fixed":
            return rules.favourite.suit
        case "first_trumps":
            return first_trumps
        case "drawn_each_session":
            return Suit(Stream(seed, session, 0, Purpose.FAVOURITE).below(4))
        case "drawn_each_deal":
            return Suit(Stream(seed, session, deal, Purpose.FAVOURITE).below(4))
        case _:
            return None


def chairs_of(deal: int, players: int) -> tuple[int, ...]:
    """The chair in each seat, eldest first, in the deal of that number (from 0)."""
    return tuple((deal + seat) % players for seat in range(players))
