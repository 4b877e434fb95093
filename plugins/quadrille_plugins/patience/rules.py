"""The vocabulary of patience: what its rule sets can say, as frozen dataclasses.

As in the trick games every field that is no block is one rule.  No name of a block may be shared
with another kind of game, so that a rule path says by itself which kind it belongs to.
"""

from dataclasses import field
from typing import Literal

from quadrille_core.frozen import frozen_by_keyword
from quadrille_core.plugin_rules import PluginRules
from quadrille_core.rules import GameRules, leaf

Rank = Literal["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]


@frozen_by_keyword
class Stock:
    """The cards the game is played with."""

    packs: int = leaf("Packs of 52 cards that are shuffled together.", low=1, high=2)


@frozen_by_keyword
class Foundations:
    """What is built, on what, and which cards only adorn the table."""

    builds: tuple[tuple[Rank, ...], ...] = leaf(
        "The sequences built in each suit, once for each pack: of each its base card first, then "
        "rank by rank what is built on it."
    )
    bases: Literal["laid_out_first", "as_they_appear"] = leaf(
        "When the base cards are laid: all of them before the cards are shuffled, or each as it "
        "appears."
    )
    adornment: tuple[Rank, ...] = leaf(
        "Ranks that belong to no build and only adorn the table; nothing is built on them.",
        default=(),
    )
    adornment_laid: Literal["laid_out_first", "as_they_appear"] = leaf(
        "When the cards that adorn the table are laid: before the cards are shuffled, or each as "
        "it appears.",
        default="laid_out_first",
    )


@frozen_by_keyword
class Heap:
    """The heap of cards that could not be built as they were turned."""

    top: Literal["always", "never"] = leaf(
        "Whether the heap's top card may be built whenever it fits, or only a card as it is "
        "turned from the stock."
    )
    turns: int = leaf("How often the heap may be gathered to serve as stock again.", low=0, high=60)
    gathered: Literal["turned_over", "picked_up", "shuffled"] = leaf(
        "How the heap becomes the stock: turned over, so that the card laid on it first is dealt "
        "first again; picked up as it lies and dealt from the top, so that the card laid last is "
        "dealt first; or shuffled."
    )


@frozen_by_keyword
class PatienceRules:
    """A complete set of rules of a patience."""

    stock: Stock
    foundations: Foundations
    heap: Heap
    own: PluginRules = field(default_factory=PluginRules, metadata={"own": True})


@frozen_by_keyword
class PatienceRuleSet(GameRules[PatienceRules]):
    """Rules of a patience with their name."""
