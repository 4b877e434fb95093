"""The kinds of game that a profile can be of: each has a vocabulary of its own and a room that plays it.

All that reads, merges, cites, checks and compares rules works on any of them.  The blocks of one kind
share no name with those of another, so that a rule path belongs to one kind alone.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from quadrille_core.patience.rules import PatienceRules, PatienceRuleSet
from quadrille_core.rules import GameRules, Rules, RuleSet


@dataclass(frozen=True, slots=True)
class GameKind:
    """A kind of game."""

    name: str
    """The word by which a profile says it is of this kind (``game:``)."""
    article: str
    """The kind in a sentence."""
    root: type
    """The dataclass at the root of its vocabulary."""
    ruleset: type[GameRules[Any]]
    """Its rules with their name."""


TRICKS: Final = "tricks"
PATIENCE: Final = "patience"

KINDS: Final[Mapping[str, GameKind]] = MappingProxyType(
    {
        TRICKS: GameKind(TRICKS, "a game of tricks", Rules, RuleSet),
        PATIENCE: GameKind(PATIENCE, "a patience", PatienceRules, PatienceRuleSet),
    }
)
"""Every kind of game by its word; a profile that says none, and extends none that does, is of the first."""
