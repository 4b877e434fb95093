"""Play with all cards open: what the solver says of hands under a rule set, asked once and kept."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final, Literal

from quadrille_core.cards import Card, Suit
from quadrille_core.engine.deal import Hands
from quadrille_core.engine.forcing import follow
from quadrille_core.engine.ranking import ranking
from quadrille_core.errors import UsageError
from quadrille_core.frozen import frozen
from quadrille_core.installation import install_hint
from quadrille_core.rules import Bid, CardOrder, Forcing, Rules

if TYPE_CHECKING:
    from quadrille_plugins.solver.solve import Position, Solver

Line = tuple[tuple[int, Card], ...]
"""Cards played, by seat."""


def require_solver() -> None:
    """Raise UsageError where the solver's compiler is not installed."""
    if find_spec("numba") is None:
        raise UsageError.of("solving-without-numba", text=install_hint("fast"))


@cache
def the_solver() -> "Solver":
    """The solver of this process."""
    require_solver()
    from quadrille_plugins.solver.solve import Solver

    return Solver()


def matter(rules: Rules, bid: Bid) -> tuple[int, ...]:
    """Where no trick is to be made, the numbers of tricks that decide how the game is paid; else
    none.

    To count on is of no use there, and may take very long.
    """
    if bid.goal != "none":
        return ()
    return (
        (1,) if bid.ends_when_lost or bid.lost_as == "remise" else (1, rules.loss.remise_short + 1)
    )


@frozen
class Question:
    """Hands from the first lead on, under these trumps; ``side`` is the mask of Hombre's side by
    seats.

    ``thresholds`` are the tricks to tell apart where the side wants none; empty where it wants as
    many as can be.
    """

    hands: Hands
    trump: Suit
    leader: int
    side: int
    thresholds: tuple[int, ...] = ()


def each_card(
    at: "Position", cards: Iterable[Card], made: int, thresholds: Sequence[int]
) -> Iterator[tuple[Card, "Position", int, list[bool]]]:
    """Each card with the position after it, the tricks of the side by then, and of each number of
    tricks whether the side cannot avoid it."""
    order, solver = ranking(at.order, at.trump), the_solver()
    for card in cards:
        hands = tuple(tuple(c for c in h if c != card) for h in at.hands)
        trick, leader, now = (*at.trick, card), at.leader, made
        if len(trick) == len(hands):
            leader, trick = (leader + order.winner(trick)) % len(hands), ()
            now += at.side >> leader & 1
        after = replace(at, hands=hands, trick=trick, leader=leader)
        may = after.tricks > 0
        yield (
            card,
            after,
            now,
            [n <= now or (may and solver.at_least(after, n - now)) for n in thresholds],
        )


class OpenPlay:
    """Answers under one order of the cards and one duty to follow; raises UsageError without
    Numba."""

    def __init__(self, order: CardOrder, forcing: Forcing) -> None:
        self.order: Final = order
        self.forcing: Final = forcing
        self._solver: Final = the_solver()
        self._tricks: dict[Question, int] = {}
        self._lines: dict[Question, Line] = {}

    def _position(self, q: Question) -> "Position":
        from quadrille_plugins.solver.solve import Position

        objective: Literal["most", "fewest"] = "fewest" if q.thresholds else "most"
        return Position(self.order, self.forcing, q.trump, q.hands, q.leader, q.side, objective)

    def tricks(self, q: Question) -> int:
        """The tricks that the side makes; for a side that avoids tricks, the most it cannot
        avoid."""
        if q not in self._tricks:
            position = self._position(q)
            if q.thresholds:
                self._tricks[q] = max(
                    (n for n in q.thresholds if self._solver.at_least(position, n)), default=0
                )
            else:
                self._tricks[q] = self._solver.exact(position)
        return self._tricks[q]

    def of_each(self, questions: Sequence[Question], *, whole: bool) -> list[int]:
        """The tricks of each, exact for the best, and for all of them if ``whole``; else some
        number no better."""
        found = [self.tricks(questions[0])]
        best = found[0]
        for q in questions[1:]:
            if (
                whole
                or q.thresholds
                or q in self._tricks
                or self._solver.at_least(self._position(q), best + 1)
            ):
                found.append(self.tricks(q))
                best = max(best, found[-1])
            else:
                found.append(best)
        return found

    def line(self, q: Question) -> Line:
        """One best line to the end; of equally good cards the one of lowest index."""
        if q not in self._lines:
            position = self._position(q)
            self._lines[q] = (
                self._avoiding(position, q) if q.thresholds else self._solver.line(position)
            )
        return self._lines[q]

    def _avoiding(self, start: "Position", q: Question) -> Line:
        """A line in which nobody gives away whether, and how far, tricks can be avoided."""
        follows = follow(start.forcing, start.trump)
        answers = [self._solver.at_least(start, n) for n in q.thresholds]
        position, made, line = start, 0, []
        while position.tricks:
            turn = position.turn
            cards = sorted(follows.legal(position.hands[turn], position.trick))
            ways = each_card(position, cards, made, q.thresholds)
            card, position, made, _ = next(way for way in ways if way[3] == answers)
            line.append((turn, card))
        return tuple(line)

    def winners(self, q: Question) -> tuple[int, ...]:
        """Who wins each trick of the best line."""
        cards, size, order = self.line(q), len(q.hands), ranking(self.order, q.trump)
        starts = range(0, len(cards), size)
        return tuple(
            cards[at + order.winner([c for _, c in cards[at : at + size]])][0] for at in starts
        )
