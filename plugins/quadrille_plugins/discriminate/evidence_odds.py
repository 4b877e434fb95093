"""Printed odds as evidence, of a patience won or of a contract played.

They are proved or counted exactly where that can be done, else judged by playing.  Games are played
one after another, and after each it is asked whether the printed odds can still be told from what
was counted.  To look so often costs nothing, for the bound holds at all times at once: with the
share of wins drawn evenly from 0 to 1, the chance that a true share p is ever so unlikely that
p^won (1-p)^lost falls below ``LEVEL`` times the mean of it over all shares, is at most ``LEVEL``
(Ville's inequality; the mean is a beta function).
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from math import lgamma, log
from typing import Any, Final

from quadrille_core.frozen import frozen
from quadrille_plugins.deal.players import make_bot
from quadrille_plugins.deal.session import play_session
from quadrille_plugins.discriminate.configurations import Game
from quadrille_plugins.discriminate.evidence_pieces import HOLDS, Answer, Piece, amount_text

LEVEL: Final = 0.001
"""How often at most a verdict by playing is wrong, for each set of rules."""


def excluded(share: float, won: int, lost: int) -> bool:
    """Whether this many wins and losses rule out a share of wins, valid at any stopping time."""
    if share <= 0 or share >= 1:
        return (won if share <= 0 else lost) > 0
    mean = lgamma(won + 1) + lgamma(lost + 1) - lgamma(won + lost + 2)
    return won * log(share) + lost * log(1 - share) < log(LEVEL) + mean


def _nothing(rules: Any, games: int, seed: int) -> tuple[Fraction | None, Iterator[bool]]:
    """The answer for a kind of game without a winner."""
    del rules, games, seed
    return None, iter(())


@frozen
class OddsPiece(Piece):
    """The share of games won, or of deals with a contract, lies between these two."""

    low: Fraction
    high: Fraction
    games: int
    seed: int
    wins: Callable[..., tuple[Fraction | None, Iterator[bool]]] | None = None
    """How games of this kind are won: ``hookspecs.GameKind.won``."""
    contract: str = ""
    player: str = ""

    def _asked(self, game: Game) -> Answer:
        if self.contract:
            return self._sequence(self._dealt(game), f"deals are {self.contract}")
        exact, played = (self.wins or _nothing)(game.rules, self.games, self.seed)
        if exact is not None:
            if self.low <= exact <= self.high:
                return HOLDS
            return Answer("fails", f"the odds are {amount_text(exact)}, which is exact")
        return self._sequence(played, "games are won")

    def _dealt(self, game: Game) -> Iterator[bool]:
        """Whether the contract was played, deal by deal, each the first of a session: none follows
        another."""
        bots = [make_bot(self.player)] * game.rules.table.players
        for number in range(self.games):
            (played,) = play_session(game, bots, seed=self.seed, session=number, deals=1)  # type: ignore[arg-type]
            result = played.deal.result()
            yield result is not None and result.contract == self.contract

    def _sequence(self, games: Iterator[bool], what: str) -> Answer:
        """Judge the odds by as few games as will do."""
        won = 0
        low, high = float(self.low), float(self.high)
        for number, this in enumerate(games):
            won += this
            lost = number + 1 - won
            below, above = excluded(low, won, lost), excluded(high, won, lost)
            inside = self.low * (number + 1) <= won <= self.high * (number + 1)
            told = f"{won} of {number + 1} {what}"
            if inside and (below or low <= 0) and (above or high >= 1):
                return Answer("holds", told)
            if not inside and (below if won < self.low * (number + 1) else above):
                return Answer("fails", told)
        return Answer("undecided", f"cannot be decided in so many: {won} of {self.games} {what}")
