"""The kinds of game that a profile can name: each has its own vocabulary and its own player.

All that reads, merges, cites, checks and compares rules works on any of them.  The blocks of one
kind share no name with those of another, so that a rule path belongs to one kind alone.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from quadrille_core.features import LazyMapping, ask
from quadrille_core.hookspecs import GameKind
from quadrille_core.rules import Rules, RuleSet

TRICKS: Final = "tricks"


def _kinds() -> Iterator[tuple[str, GameKind]]:
    yield TRICKS, GameKind(name=TRICKS, article="a game of tricks", root=Rules, ruleset=RuleSet)
    yield from ((kind.name, kind) for _, kinds in ask("quadrille_kinds") for kind in kinds)


KINDS: Final[Mapping[str, GameKind]] = LazyMapping(_kinds)
"""Every kind of game by its word; a profile that says none, and extends none that does, is of the
first."""
