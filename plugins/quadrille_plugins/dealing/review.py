"""What each decision of a deal cost whoever made it, with all cards open.

A decision is compared with the best that could be done instead, everybody playing and declaring as
well as can be from there on and seeing all cards.  The difference is what it cost, in counters with
an equal share of what stays in the pool, as ``solver.par`` reckons.  At the table nobody sees all
cards: a decision that cost much may have been right.

* *Bids* are judged by the tree of the auction, *trumps, calls and gifts* by ``DealSolver``.
* *Cards* are compared by the tricks they leave; the engine settles each number of tricks.
  Cards that leave as many tricks are equally good, though premiers may hang on them.
* *The vole* is judged by what each answer pays.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from threading import Lock
from typing import Final

from quadrille_core.engine.actions import Action, not_none
from quadrille_core.engine.deal import DealSetup
from quadrille_core.engine.result import Settlement
from quadrille_core.engine.settle import settle
from quadrille_core.engine.table import Deal
from quadrille_core.frozen import frozen
from quadrille_core.rules import RuleSet
from quadrille_plugins.solver.deals import DealSolver, Declared, kept
from quadrille_plugins.solver.open_play import each_card, matter, require_solver, the_solver
from quadrille_plugins.solver.par import Contract, outcomes

DECLARED: Final = ("trump", "invite", "call", "give")
_ONE: Final = Lock()
"""One review at a time: the solver's memory is that of the process."""


@frozen
class Decision:
    """One decision: the number of the action in the deal (from 1), what was done, what was best,
    what it cost."""

    number: int
    done: Action
    best: Action
    cost: Fraction


def review(
    ruleset: RuleSet, setup: DealSetup, actions: Sequence[Action], seat: int | None
) -> tuple[Decision, ...]:
    """Every decision of a seat that had a choice; of every seat where it is None.

    Raises UsageError without Numba, and for rules that the solver does not solve.
    """
    require_solver()
    with _ONE:
        return tuple(_Review(ruleset, setup, tuple(actions), seat).decisions())


class _Review:
    def __init__(
        self, ruleset: RuleSet, setup: DealSetup, actions: tuple[Action, ...], seat: int | None
    ) -> None:
        self.ruleset, self.setup, self.actions, self.seat = ruleset, setup, actions, seat
        self.solved = DealSolver(ruleset, setup)

    def decisions(self) -> Iterator[Decision]:
        deal = Deal(self.ruleset, self.setup)
        tree = self.solved.tree()
        worth = None
        state = len(tree.states) - 1
        for number, action in enumerate(self.actions, 1):
            choices = deal.legal()
            seat = not_none(deal.turn)
            mine = self.seat in (None, seat) and len(choices) > 1
            if deal.phase == "auction":
                _, spoken, leads_to = tree.states[state]
                if mine:
                    if worth is None:
                        worth = outcomes(tree, self.solved.worth)
                    yield self._best(number, action, spoken, [worth(to)[seat] for to in leads_to])
                state = leads_to[spoken.index(action)]
            elif mine and deal.phase == "declare":
                yield self._best(
                    number, action, choices, [self._declared(deal, a) for a in choices]
                )
            elif mine and deal.phase == "play":
                yield self._card(number, deal, action)
            elif mine:
                after = [(*self.actions[: number - 1], a) for a in choices]
                yield self._best(number, action, choices, [kept(self._end(a), seat) for a in after])
            deal.apply(action)

    @staticmethod
    def _best(
        number: int, done: Action, choices: Sequence[Action], worth: Sequence[Fraction]
    ) -> Decision:
        best = max(worth)
        was = worth[choices.index(done)]
        return Decision(
            number, done, done if was == best else choices[worth.index(best)], best - was
        )

    def _declared(self, deal: Deal, action: Action) -> Fraction:
        d = not_none(deal.declaration)
        contract = Contract(d.hombre, d.spec, deal.auction.named, deal.forced)
        before: Declared = tuple((s, a) for s, a in deal.actions if a.kind in DECLARED)
        seat = not_none(deal.turn)
        return self.solved.declared(contract, (*before, (seat, action))).worth[seat]

    # --- cards ---------------------------------------------------------------------------------

    def _card(self, number: int, deal: Deal, done: Action) -> Decision:
        left = self._tricks(deal)
        others = {tricks: card for card, tricks in reversed(left.items()) if tricks != left[done]}
        if not others:
            return Decision(number, done, done, Fraction(0))
        before, seat = self.actions[: number - 1], not_none(deal.turn)
        worth = {card: kept(self._end((*before, card)), seat) for card in (done, *others.values())}
        best = max(
            worth, key=worth.__getitem__
        )  # what was done comes first, and so stands where none is better
        return Decision(number, done, best, worth[best] - worth[done])

    @staticmethod
    def _wants_most(deal: Deal) -> bool:
        return not_none(deal.bid).goal != "none"

    def _tricks(self, deal: Deal) -> dict[Action, int]:
        """What each card leaves: the tricks to come of Hombre's side; where none is to be made, how
        far it is lost."""
        from quadrille_plugins.solver.solve import Objective, Position

        rules, most = deal.rules, self._wants_most(deal)
        side = sum(1 << s for s in deal.side())
        hands = tuple(tuple(sorted(h)) for h in deal.hands)
        trump, trick = not_none(deal.trump), tuple(deal.trick)
        want: Objective = "most" if most else "fewest"
        at = Position(rules.cards, rules.forcing, trump, hands, deal.leader, side, want, trick)
        legal = {a.card: a for a in deal.legal() if a.card is not None}
        if most:
            values = the_solver().values(at)
            return {a: values[card] for card, a in legal.items()}
        made, needs = sum(deal.won[s] for s in deal.side()), matter(rules, not_none(deal.bid))
        return {legal[c]: sum(sure) for c, _, _, sure in each_card(at, legal, made, needs)}

    def _end(self, actions: Sequence[Action]) -> Settlement:
        """The settlement when all play as well as can be from here, of equally good cards the
        first."""
        deal = Deal(self.ruleset, self.setup)
        for action in actions:
            deal.apply(action)
        said = tuple(actions)
        while deal.turn is not None:
            choices, seat = deal.legal(), deal.turn
            if deal.phase == "vole":
                ways = [self._end((*said, a)) for a in choices]
                return max(ways, key=lambda s: kept(s, seat))
            action = choices[0]
            if len(choices) > 1:
                left = self._tricks(deal)
                wants = max if (deal.turn in deal.side()) == self._wants_most(deal) else min
                action = wants(left, key=left.__getitem__)
            deal.apply(action)
            said = (*said, action)
        return settle(deal.rules, not_none(deal.result()))
