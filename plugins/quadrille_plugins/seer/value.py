"""What hands are worth to ``seer`` when all is seen: tricks by the solver, payments by the rules'
own settlement.

Nothing here knows a contract by its name, nor what any rule set is called: the bid's fields say
what is played for, ``settle`` says what comes of it, and the solver plays under the very duty to
follow suit.
"""

import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from quadrille_core.cards import NO_TRUMP, Card, Suit
from quadrille_core.engine.actions import BidSpec
from quadrille_core.engine.deal import names
from quadrille_core.engine.ranking import unbroken_matadors
from quadrille_core.engine.result import Result
from quadrille_core.engine.settle import due, settle
from quadrille_core.engine.terms import (
    first_tricks_are_hombres,
    most_matadors,
    pays_adversaries_matadors,
    times_counted,
    vole_level,
)
from quadrille_core.errors import UsageError
from quadrille_core.installation import install_hint
from quadrille_core.rules import Bid, Rules, VoleLevel
from quadrille_plugins.deal.view import View
from quadrille_plugins.players.steady_measured import measured

if TYPE_CHECKING:
    from quadrille_plugins.solver.solve import Objective, Solver

Hands = tuple[tuple[Card, ...], ...]
_SIXTEEN: Final = 16
_local = threading.local()


def solver() -> "Solver":
    """This thread's solver; raises UsageError without Numba."""
    if not hasattr(_local, "solver"):
        try:
            from quadrille_plugins.solver.solve import Solver
        except ModuleNotFoundError as e:
            if e.name is None or e.name.partition(".")[0] not in ("numba", "llvmlite", "numpy"):
                raise
            raise UsageError.of("seer-without-numba", text=install_hint("fast")) from None
        _local.solver = Solver()
    found: Solver = _local.solver
    return found


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

    @property
    def side(self) -> int:
        """Hombre and their ally as a mask of seats."""
        return 1 << self.hombre | (0 if self.ally is None else 1 << self.ally)

    def at(self, won: Sequence[int], *, straight: bool, vole: VoleLevel) -> "Game":
        """The same game in the middle of the play."""
        return replace(self, made=tuple(won), straight=straight, vole=vole)

    def undertaken(self) -> "Game":
        """The same game with the vole undertaken."""
        return replace(self, vole="undertaken")


_Paid = dict[tuple[Game, int, bool], tuple[Fraction, ...]]


def _payments(view: View) -> _Paid:
    """A cache of settlements: all decisions of one deal need much the same payments."""
    deal = (view.pool, view.multiplier, view.favourite)
    known = getattr(_local, "payments", None)
    if known is None or known[0] is not view.rules or known[1] != deal:
        known = _local.payments = view.rules, deal, {}
    found: _Paid = known[2]
    return found


class Judge:
    """Payments of one deal under its rules, and its positions solved."""

    def __init__(self, view: View) -> None:
        self.view: Final = view
        self.rules: Final[Rules] = view.rules
        self.seats: Final = len(view.players)
        self.size: Final = view.rules.table.hand_cards
        self._solver: Final = solver()
        self._paid: Final = _payments(view)

    # --- tricks
    #   ------------------------------------------------------------------------------------

    def objective(self, bid: Bid) -> "Objective":
        """The goal of Hombre's side in tricks."""
        return "fewest" if bid.goal == "none" else "most"

    def tricks(self, hands: Hands, game: Game, leader: int) -> int:
        """The tricks that Hombre's side makes of those to come, all playing as well as can be."""
        from quadrille_plugins.solver.solve import Position

        rules, objective = self.rules, self.objective(self.rules.bids.of(game.spec.bid))
        return self._solver.exact(
            Position(rules.cards, rules.forcing, game.trump, hands, leader, game.side, objective)
        )

    def enough(self, bid: Bid) -> int:
        """How many tricks more than one make a difference to a game of no tricks: a codille; 0
        where none do."""
        return (
            0 if bid.ends_when_lost or bid.lost_as == "remise" else self.rules.loss.remise_short + 1
        )

    def ready(self, side: int, trump: Suit, bid: Bid) -> int:
        """Make the solver ready for a side (a mask of seats); where the kernel finds its memory."""
        rules = self.rules
        return self._solver.prepare(
            rules.cards, rules.forcing, trump, self.seats, side, self.objective(bid)
        )

    # --- payments
    #   ----------------------------------------------------------------------------------

    def game(
        self, hands: Hands, spec: BidSpec, hombre: int, trump: Suit, *, ally: int | None = None,
        surrendered: int | None = None,
    ) -> Game:  # fmt: skip
        """The game that these hands, as they are when the play begins, make of a contract."""
        bid, pay = self.rules.bids.of(spec.bid), self.rules.payments
        side = (hombre,) if ally is None else (hombre, ally)

        def held(seats: Sequence[int]) -> int:
            if trump == NO_TRUMP:
                return 0
            count = unbroken_matadors({c for s in seats for c in hands[s]}, trump)
            return min(count, most_matadors(pay, trump))

        others = [s for s in range(self.seats) if s not in side and pays_adversaries_matadors(pay)]
        return Game(
            spec=spec,
            hombre=hombre,
            trump=trump,
            ally=ally,
            surrendered=surrendered,
            matadors=held(side if pay.matadors_held_by == "side" else (hombre,)),
            against=held(others) if others else 0,
            made=(0,) * self.seats,
            vole=vole_level(bid, spec.vole),
        )

    def worth(self, game: Game, more: int, *, over: bool = False) -> tuple[Fraction, ...]:
        """What each seat gets if the side makes N more tricks, its share of the remaining pool
        included.

        ``over``: the play ends here, whatever tricks are left.
        """
        key = (game, more, over)
        known = self._paid.get(key)
        if known is None:
            known = self._paid[key] = self._worth(game, more, over=over)
        return known

    def _worth(self, game: Game, more: int, *, over: bool) -> tuple[Fraction, ...]:
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
            vole = self._worth(replace(game, vole="undertaken"), more, over=True)
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
