"""What was done in the earlier deals of a session, as its facts (``quadrille_core.facts``).

A simulated session, a replayed one and the ledger all count by ``Past.after``.  A deal that all
passed is a deal; cards dealt again after a misdeal are none.  Players are known by name, since they
keep it when the deal passes on; of who was never Hombre, every deal of the session is one since.
"""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from quadrille_core.facts import MOST_COUNTED, facts
from quadrille_core.frozen import frozen

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


@frozen
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


class Contradiction(NamedTuple):
    """A fact of a session that cannot be what it is told to be."""

    fact: str
    seat: int | None
    """Whose it is; None for what the deal or all seats together have."""
    number: int
    least: int
    most: int
    by: str
    """The facts that leave it no more than that; empty where no session has so many."""


def contradictions(told: Mapping[str, tuple[int, ...]]) -> list[Contradiction]:
    """What cannot be of these facts of a session; those not told contradict none."""
    known = {name: told[name] for name in OF_SESSION if name in told}
    beyond = [
        Contradiction(
            name, None if facts()[name].of == "deal" else seat, number, 0, MOST_COUNTED, ""
        )
        for name, numbers in known.items()
        for seat, number in enumerate(numbers)
        if not 0 <= number <= MOST_COUNTED
    ]
    deals = known.pop("deals_before", (None,))[0]
    seats = [dict(zip(known, had, strict=True)) for had in zip(*known.values(), strict=True)]
    return beyond or [*_of_all(seats, deals), *_of_seats(seats, deals)]


def _games(had: Mapping[str, int]) -> int:
    """How many games a player had, or had at least where that is not told."""
    ended = had.get("wins_before", 0) + had.get("losses_before", 0)
    return had.get("games_before", max(ended, had.get("solos_before", 0)))


def _of_all(seats: list[dict[str, int]], deals: int | None) -> Iterator[Contradiction]:
    """Each deal had one Hombre at most."""
    games = sum(map(_games, seats))
    if deals is not None and games > deals:
        name = next(name for name in OF_SESSION if name in seats[0])
        yield Contradiction(name, None, games, 0, deals, "deals_before")


def _of_seats(seats: list[dict[str, int]], deals: int | None) -> Iterator[Contradiction]:
    for seat, had in enumerate(seats):
        games, lost = _games(had), had.get("losses_before", 0)
        for name in ("solos_before", "wins_before", "losses_before"):
            if had.get(name, 0) > games:
                yield Contradiction(name, seat, had[name], 0, games, "games_before")
        won, is_told = had.get("wins_before", 0), {"wins_before", "losses_before"} <= {*had}
        if is_told and won + lost != games and max(won, lost) <= games:
            by = "games_before, losses_before"
            yield Contradiction("wins_before", seat, won, games - lost, games - lost, by)
        since = had.get("deals_since_hombre")
        if since is not None and deals is not None and games <= deals:
            never = had.get("games_before") == 0
            least, most = deals if never else 0, deals - games
            if not least <= since <= most:
                by = "deals_before, games_before"
                yield Contradiction("deals_since_hombre", seat, since, least, most, by)
