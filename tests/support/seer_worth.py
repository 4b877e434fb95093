"""What tricks to come are worth to ``seer``, by the rules' own settlement: the compiled answer is
held to it."""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from quadrille_plugins.deal.view import View
from quadrille_plugins.players.steady_measured import measured

from quadrille_core.cards import Suit
from quadrille_core.engine.actions import BidSpec
from quadrille_core.engine.deal import names
from quadrille_core.engine.result import Result
from quadrille_core.engine.settle import due, settle
from quadrille_core.engine.terms import first_tricks_are_hombres, times_counted
from quadrille_core.rules import Bid, Rules, VoleLevel

_SIXTEEN: Final = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """A contract with all that settlement needs except the tricks to come."""

    spec: BidSpec
    hombre: int
    trump: Suit
    ally: int | None = None
    surrendered: int | None = None
    matadors: int = 0
    against: int = 0
    made: tuple[int, ...] = ()
    """Tricks made so far, by seat."""
    straight: bool = True
    """Whether Hombre's side made all of them."""
    vole: VoleLevel = "none"


class Judge:
    """Payments of one deal under its rules."""

    def __init__(self, view: View) -> None:
        self.view: Final = view
        self.rules: Final[Rules] = view.rules
        self.seats: Final = len(view.players)
        self.size: Final = view.rules.table.hand_cards

    def worth(self, game: Game, more: int, *, over: bool = False) -> tuple[Fraction, ...]:
        """What each seat gets if the side makes N more tricks, its share of the remaining pool
        included.

        ``over``: the play ends here, whatever tricks are left.
        """
        bid = self.rules.bids.of(game.spec.bid)
        total = more + sum(game.made[s] for s in self._side(game))
        likely = self._premiers(game, bid, total)
        found = [Fraction(0)] * self.seats
        for premiers, share in ((True, likely), (False, _SIXTEEN - likely)):
            if share:
                for seat, net in enumerate(self._settled(game, bid, more, premiers, over=over)):
                    found[seat] += net * share / _SIXTEEN
        best = tuple(found)
        # whoever can make every trick may yet undertake to, until premiers are made and the vole is
        # decided upon
        open_yet = (
            bid.may_undertake_vole
            and game.straight
            and sum(game.made) < self.rules.premiers.tricks < self.size
        )
        if open_yet and not over and total == self.size and game.vole == "none":
            vole = self.worth(replace(game, vole="undertaken"), more, over=True)
            best = max(best, vole, key=lambda paid: paid[game.hombre])
        return best

    def _side(self, game: Game) -> tuple[int, ...]:
        return (game.hombre,) if game.ally is None else (game.hombre, game.ally)

    def _premiers(self, game: Game, bid: Bid, total: int) -> int:
        """Of sixteen games, those in which premiers are paid."""
        first, played = self.rules.premiers.tricks, sum(game.made)
        if not bid.premiers or not game.straight or total < first:
            return 0
        hombres = first_tricks_are_hombres(self.rules) and game.ally is not None
        if played >= first:
            return _SIXTEEN if not hombres or game.made[game.hombre] >= first else 0
        if hombres and game.made[game.hombre] < played:
            return 0
        of16 = measured(self.seats).premiers_of_16[total]
        return of16 // 2 if hombres else of16

    def _settled(
        self, game: Game, bid: Bid, more: int, premiers: bool, *, over: bool
    ) -> tuple[Fraction, ...]:
        rules = self.rules
        tricks = list(game.made)
        others = [s for s in range(self.seats) if s not in self._side(game)]
        left = 0 if over else self.size - sum(game.made)
        if bid.ends_when_lost and more + sum(tricks[s] for s in self._side(game)):
            more = left = 1
        own = more if game.ally is None else (2 * more + 1) // 3
        tricks[game.hombre] += own
        if game.ally is not None:
            tricks[game.ally] += more - own
        for n in range(max(0, left - more)):
            tricks[others[n % len(others)]] += 1
        result = Result(
            players=names(self.seats),
            pool=self.view.pool,
            contract=game.spec.bid,
            trump=game.trump,
            favourite=self.view.favourite,
            hombre=game.hombre,
            ally=game.ally,
            surrendered=game.surrendered,
            tricks=tuple(tricks),
            matadors=game.matadors,
            adversary_matadors=game.against,
            premiers=premiers,
            vole=game.vole,
            multiplier=times_counted(rules, self.view.multiplier),
        )
        if bid.claimed:
            result = replace(
                result, claims=tuple(i for i in due(rules, result) if i in bid.claimed)
            )
        settlement = settle(rules, result)
        # what stays in the pool is not lost: every player has an equal prospect of winning it later
        prospect = settlement.pool_after / self.seats
        return tuple(net + prospect for net in settlement.net)
