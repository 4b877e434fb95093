"""The course of a patience: the readable engine, which is the definition of the rules.

Cards are turned one by one from the stock.  A card that fits is built at once, and then the heap's
top card for as long as it fits, where the rules let it be built; a card that does not fit goes to
the heap. When the stock is out the heap is gathered, as often as the rules allow.

Nobody chooses anything.  Every rank has one place in its suit, so a card fits on one foundation, or
on two that show the same card, between which there is nothing to choose.  That a card must be built
as soon as it fits is the rule; ``docs/decisions/014-patience.md`` says when holding it back could
have helped.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Final

from quadrille_core.frozen import frozen
from quadrille_core.stream import Purpose, Stream
from quadrille_plugins.patience.cards import PACK, card_of, format_card, rank_of
from quadrille_plugins.patience.rules import PatienceRules

BASE: Final = 52
"""What lies below a base card, and below a card that adorns the table: always there, once for every
pack."""

Gather = Callable[[list[int], int], Sequence[int]]
"""Makes a stock, first card dealt first, of a heap, first card laid first; also told which turn
this is, from 1."""


@frozen
class Layout:
    """What the rules make of the cards."""

    packs: int
    below: tuple[int, ...]
    """For every card the one it is built on, or BASE."""
    laid_first: frozenset[int]
    """The cards that are laid out, all copies of them, before the rest is shuffled."""

    def built_at_first(self) -> list[int]:
        """How many copies of every card lie on the table before the first is turned; and of BASE,
        one a pack."""
        return [self.packs if card in self.laid_first else 0 for card in PACK] + [self.packs]

    def stock(self, order: Iterable[int]) -> list[int]:
        """The stock that a shuffled order of all the packs leaves when the cards laid out first are
        taken from it."""
        return [card for card in order if card not in self.laid_first]


def layout_of(rules: PatienceRules) -> Layout:
    """The layout of the rules."""
    below, first = [BASE] * 52, set()
    adornment, builds = rules.foundations.adornment, rules.foundations.builds
    for suit in range(4):
        for build in builds:
            for lower, upper in pairwise(build):
                below[card_of(suit, upper)] = card_of(suit, lower)
    for card in PACK:
        if rank_of(card) in adornment:
            laid = rules.foundations.adornment_laid == "laid_out_first"
        else:
            laid = below[card] == BASE and rules.foundations.bases == "laid_out_first"
        if laid:
            first.add(card)
    return Layout(rules.stock.packs, tuple(below), frozenset(first))


@frozen
class Step:
    """One thing that happens: a card is turned and built or laid on the heap, or the heap's top
    card is built."""

    passage: int
    """Which time the stock is gone through, from 1."""
    card: int
    to: str
    """``built``, ``heap``, or ``built from the heap``."""

    def text(self) -> str:
        """The step in a record."""
        return f"{self.passage}: {format_card(self.card)} {self.to}"


@frozen
class PatienceGame:
    """One game as played."""

    won: bool
    stocks: tuple[tuple[int, ...], ...]
    """The stock of each passage, first card dealt first."""
    left: tuple[int, ...]
    """The heap at the end, first card laid first."""
    steps: tuple[Step, ...] = ()


def play(
    rules: PatienceRules,
    layout: Layout,
    stock: Sequence[int],
    gather: Gather,
    *,
    keep_steps: bool = True,
) -> PatienceGame:
    """Play one game from a stock; with ``keep_steps`` the result has every step and every passage's
    stock."""
    below, built = layout.below, layout.built_at_first()
    top_too = rules.heap.top == "always"
    steps: list[Step] = []
    stocks: list[tuple[int, ...]] = []
    heap: list[int] = []
    for passage in range(1, rules.heap.turns + 2):
        if keep_steps:
            stocks.append(tuple(stock))
        heap = []
        for card in stock:
            if built[card] < built[below[card]]:
                built[card] += 1
                if keep_steps:
                    steps.append(Step(passage, card, "built"))
                while top_too and heap and built[heap[-1]] < built[below[heap[-1]]]:
                    built[heap[-1]] += 1
                    if keep_steps:
                        steps.append(Step(passage, heap[-1], "built from the heap"))
                    heap.pop()
            else:
                heap.append(card)
                if keep_steps:
                    steps.append(Step(passage, card, "heap"))
        if not heap:
            break
        if passage <= rules.heap.turns:
            stock = gather(heap, passage)
    return PatienceGame(not heap, tuple(stocks), tuple(heap), tuple(steps))


def shuffled_packs(packs: int, seed: int, game: int) -> list[int]:
    """All the packs in the order that seed and game give; rule sets with as many packs get the
    same."""
    cards = [card for card in PACK for _ in range(packs)]
    Stream(seed, game, 0, Purpose.DEAL).shuffle(cards)
    return cards


def gatherer(rules: PatienceRules, seed: int, game: int) -> Gather:
    """How the heap is gathered by these rules; where it is shuffled, seed, game and turn say
    how."""

    def turned_over(heap: list[int], turn: int) -> Sequence[int]:
        del turn
        return heap

    def picked_up(heap: list[int], turn: int) -> Sequence[int]:
        del turn
        return heap[::-1]

    def shuffled(heap: list[int], turn: int) -> Sequence[int]:
        cards = sorted(heap)
        Stream(seed, game, turn, Purpose.DEAL).shuffle(cards)
        return cards

    ways: dict[str, Gather] = {
        "turned_over": turned_over,
        "picked_up": picked_up,
        "shuffled": shuffled,
    }
    return ways[rules.heap.gathered]


def play_game(rules: PatienceRules, seed: int, game: int) -> PatienceGame:
    """Play game number N of a seed, with every step."""
    layout = layout_of(rules)
    stock = layout.stock(shuffled_packs(rules.stock.packs, seed, game))
    return play(rules, layout, stock, gatherer(rules, seed, game))
