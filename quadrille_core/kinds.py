"""The kinds of game that a profile can be of: each has a vocabulary of its own and what plays it.

All that reads, merges, cites, checks and compares rules works on any of them.  The blocks of one kind
share no name with those of another, so that a rule path belongs to one kind alone.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final

from quadrille_core.features import ask
from quadrille_core.hookspecs import GameKind
from quadrille_core.rules import Rules, RuleSet

TRICKS: Final = "tricks"


@cache
def _kinds() -> dict[str, GameKind]:
    found = {TRICKS: GameKind(name=TRICKS, article="a game of tricks", root=Rules, ruleset=RuleSet)}
    for _, kinds in ask("quadrille_kinds"):
        for kind in kinds:
            found.setdefault(kind.name, kind)
    return found


class _Kinds(Mapping[str, GameKind]):
    """The kinds, asked for when one is first wanted."""

    def __getitem__(self, name: str) -> GameKind:
        return _kinds()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(_kinds())

    def __len__(self) -> int:
        return len(_kinds())


KINDS: Final[Mapping[str, GameKind]] = _Kinds()
"""Every kind of game by its word; a profile that says none, and extends none that does, is of the first."""
