"""Whether games of a patience are won, as evidence asks."""

from collections.abc import Iterator
from fractions import Fraction

from quadrille_plugins.patience.game import gatherer, layout_of, play, shuffled_packs
from quadrille_plugins.patience.proof import exact_odds
from quadrille_plugins.patience.rules import PatienceRules


def won(rules: PatienceRules, games: int, seed: int) -> tuple[Fraction | None, Iterator[bool]]:
    """The share of games won where it is known exactly, and games of a seed one by one."""
    return exact_odds(rules), _played(rules, games, seed)


def _played(rules: PatienceRules, games: int, seed: int) -> Iterator[bool]:
    layout = layout_of(rules)
    for number in range(games):
        order = shuffled_packs(rules.stock.packs, seed, number)
        yield play(
            rules, layout, layout.stock(order), gatherer(rules, seed, number), keep_steps=False
        ).won
