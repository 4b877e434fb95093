"""What can be said of a patience without sampling: that it cannot lose, that it can, and exact
odds.

**Cannot lose.**  ``guarantee`` counts what every shuffle and every gathering must yield.  Say that
of a build the first *s* ranks are on the table in all their copies when a passage begins.  In the
passage every card not yet built is turned, so every missing copy of the next rank is turned while
what it is built on is there: it is built.  So each passage adds at least one rank to each build
that is not complete.  And where the heap's top card may always be built: if at a passage's end no
build lacks more than its last rank, every card in the heap fits.  Its top card, too, which would
then have been built; so the heap is empty.

**Can lose.**  A game that was played and lost is proof enough; ``lost_order`` looks for one where
chance finds none.

**Exact odds.**  With one pack, and the heap's top card out of play, a build's cards are built in
the same passages whatever lies between them.  The orders of different builds' cards in a shuffle
are independent, so the odds are a product over builds, each counted exactly.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import factorial
from typing import Final

from quadrille_core.frozen import frozen
from quadrille_core.stream import Purpose, Stream
from quadrille_plugins.patience.game import gatherer, layout_of, play, shuffled_packs
from quadrille_plugins.patience.rules import PatienceRules

TRIES: Final = 4000
"""Games that the search for a lost one plays."""


@frozen
class Guarantee:
    """What every game comes to, however the cards lie."""

    lengths: tuple[int, ...]
    """The cards of each build."""
    sure: tuple[tuple[int, ...], ...]
    """How many ranks of each build are sure to be complete: before the first passage, and after
    each."""
    emptied: bool
    """Whether the last passage is the last because whatever is left in the heap fits."""

    @property
    def passages(self) -> int:
        """The passages after which every game is won."""
        return len(self.sure) - 1


def guarantee(rules: PatienceRules) -> Guarantee:
    """The passages that are enough for every shuffle and every gathering; see above for the
    argument."""
    lengths = tuple(len(build) for build in rules.foundations.builds)
    laid = 1 if rules.foundations.bases == "laid_out_first" else 0
    sure = [tuple(min(laid, length) for length in lengths)]
    emptied = False
    while sure[-1] != lengths:
        after = tuple(min(n + 1, length) for n, length in zip(sure[-1], lengths, strict=True))
        if after != lengths and rules.heap.top == "always":
            emptied = all(length - n <= 1 for n, length in zip(after, lengths, strict=True))
        sure.append(lengths if emptied else after)
    return Guarantee(lengths, tuple(sure), emptied)


def cannot_lose(rules: PatienceRules) -> bool:
    """Whether it is proved that no game is lost; False says only that this argument does not prove
    it."""
    return guarantee(rules).passages <= rules.heap.turns + 1


def argument(rules: PatienceRules) -> list[str]:
    """The proof that no game is lost, in sentences; empty without one."""
    found = guarantee(rules)
    allowed = rules.heap.turns + 1
    if found.passages > allowed:
        return []
    longest = max(range(len(found.lengths)), key=lambda i: found.lengths[i])
    length, first = found.lengths[longest], found.sure[0][longest]
    counts = ", ".join(str(first + n) for n in range(found.passages + 1))
    every = (
        "Every passage turns every card not built yet, the next of each build among them, which "
        "then fits: each passage adds a card at least to every build that lacks one."
    )
    lines = [
        every,
        (
            f"A build of {length} so holds at least {counts} cards, before the first passage and "
            "after each."
        ),
    ]
    if found.emptied:
        lines.append(
            f"At the end of passage {found.passages} no build lacks more than its last card, so "
            "every card in the heap fits, its top card too; that one would have been built, so "
            "there is no heap."
        )
    lines.append(f"{_passages(found.passages)} enough, and {allowed} allowed.")
    return lines


def _passages(number: int) -> str:
    return "One passage is" if number == 1 else f"{number} passages are"


# --- exact odds -------------------------------------------------------------------------------


def exact_odds(rules: PatienceRules) -> Fraction | None:
    """The exact share of shuffles that are won, where it can be counted build by build; None
    elsewhere."""
    if cannot_lose(rules):
        return Fraction(1)
    if rules.heap.top == "always" or rules.stock.packs != 1:
        return None
    laid = 1 if rules.foundations.bases == "laid_out_first" else 0
    odds = Fraction(1)
    for build in rules.foundations.builds:
        odds *= _build_odds(len(build) - laid, rules.heap.turns + 1, rules.heap.gathered) ** 4
    return odds


def _build_odds(cards: int, passages: int, gathered: str) -> Fraction:
    """The odds that N cards, to be built in one order, all come within this many passages."""
    if gathered == "shuffled":
        return _shuffled_odds(cards, passages)
    if cards == 0:
        return Fraction(1)
    # by (passage in which the last card was built, its place among those built so far): the orders
    # of these
    ways = {(1, 1): 1}
    for known in range(1, cards):
        following: dict[tuple[int, int], int] = {}
        for (passage, place), count in ways.items():
            forward = gathered == "turned_over" or passage % 2 == 1
            for new in range(1, known + 2):
                comes_after = new > place
                key = (passage if comes_after == forward else passage + 1, new)
                if key[0] <= passages:
                    following[key] = following.get(key, 0) + count
        ways = following
    return Fraction(sum(ways.values()), factorial(cards))


def _shuffled_odds(cards: int, passages: int) -> Fraction:
    """The same where each passage reshuffles the remaining cards."""
    odds = [Fraction(0)] * (cards + 1)
    odds[0] = Fraction(1)
    for _ in range(passages):
        # of so many left, exactly k are built when they lie in order and the next does not follow
        # them
        odds = [
            sum(
                (
                    (Fraction(1, factorial(k)) - (Fraction(1, factorial(k + 1)) if k < left else 0))
                    * odds[left - k]
                    for k in range(1, left + 1)
                ),
                Fraction(1 if left == 0 else 0),
            )
            for left in range(cards + 1)
        ]
    return odds[cards]


# --- a lost game -------------------------------------------------------------------------------


def lost_order(rules: PatienceRules, seed: int, tries: int = TRIES) -> tuple[int, ...] | None:
    """An order of the packs with which the game is lost, found by making orders worse; None if none
    is found.

    Where the heap is shuffled, it is shuffled as in game 0 of the seed.
    """
    layout, gather = layout_of(rules), gatherer(rules, seed, 0)

    def left(order: Sequence[int]) -> int:
        return len(play(rules, layout, layout.stock(order), gather, keep_steps=False).left)

    def depth(order: Sequence[int]) -> int:
        """How many cards are left after each passage, added up: what a worse order has more of."""
        return sum(map(len, play(rules, layout, layout.stock(order), gather).stocks))

    stream = Stream(seed, 0, 0, Purpose.PLAY)
    order = shuffled_packs(rules.stock.packs, seed, 0)
    worst = depth(order)
    for _ in range(tries):
        if left(order):
            return tuple(order)
        a, b = stream.below(len(order)), stream.below(len(order))
        card = order.pop(a)
        order.insert(b, card)
        now = depth(order)
        if now < worst:
            order.insert(a, order.pop(b))
        else:
            worst = now
    return tuple(order) if left(order) else None
