"""What was done in the earlier deals of a session, as its facts (``quadrille_core.facts``).

A simulated session, a replayed one and the ledger all count by ``Past.after``.  A deal that all
passed is a deal; cards dealt again after a misdeal are none.  Players are known by name, since they
keep it when the deal passes on; of who was never Hombre, every deal of the session is one since.
"""

from dataclasses import dataclass
from typing import Final, NamedTuple

from quadrille_core.facts import facts

Facts = tuple[tuple[str, tuple[int, ...]], ...]
"""Facts by name, each by seat; a fact of the deal has one number."""
OF_SESSION: Final = tuple(name for name, fact in facts().items() if fact.of_session)


class Deeds(NamedTuple):
    """What a player did in the deals so far."""

    games: int = 0
    solos: int = 0
    wins: int = 0
    losses: int = 0
    last: int = 0
    """The number of the last deal as Hombre, the first being 1; 0 where there is none."""


@dataclass(frozen=True, slots=True)
class Past:
    """The deals of a session so far."""

    deals: int = 0
    deeds: tuple[tuple[str, Deeds], ...] = ()
    """By player's name, in its order."""

    def after(self, hombre: str = "", *, alone: bool = False, won: bool = False) -> "Past":
        """With one more deal, in which this player was Hombre; or none, where all passed."""
        deals, deeds = self.deals + 1, dict(self.deeds)
        if hombre:
            had = deeds.get(hombre, Deeds())
            deeds[hombre] = Deeds(
                had.games + 1, had.solos + alone, had.wins + won, had.losses + (not won), deals
            )
        return Past(deals, tuple(sorted(deeds.items())))

    def before(self, players: tuple[str, ...]) -> Facts:
        """The facts of the session before the next deal, of these players by seat; none before the
        first."""
        if not self.deals:
            return ()
        known = dict(self.deeds)
        seats = [known.get(player, Deeds()) for player in players]
        counts = [*zip(*seats, strict=True)]
        since = tuple(self.deals - last for last in counts.pop())
        return tuple(zip(OF_SESSION, ((self.deals,), *counts, since), strict=True))


def past_of(before: Facts, players: tuple[str, ...]) -> Past:
    """The deals that ``Past.before`` told of."""
    if not before:
        return Past()
    (deals,), *counts, since = (numbers for _, numbers in before)
    seats = zip(*counts, (deals - lie for lie in since), strict=True)
    deeds = ((who, Deeds(*seat)) for who, seat in zip(players, seats, strict=True))
    return Past(deals, tuple(sorted((who, did) for who, did in deeds if did.games)))
