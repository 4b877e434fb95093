"""Dependency traces: which rules a deal read, so that what no differing rule changes need not be
played again.

What comes of a deal depends on nothing but the rules that were read in its course
(``engine.consulted``).  Under a second rule set that agrees on all of these, the same deal, with
the same actions, therefore goes the same way to the last payment, and it need not be played to know
so.  A deal is traced once, whatever it is then held against.
"""

from collections.abc import Callable, Hashable
from typing import Final, TypeVar

from quadrille_core.rules import RuleSet
from quadrille_plugins.settle.consulted import noted_for, trace
from quadrille_plugins.studies.lockstep import Couple

T = TypeVar("T")

WHOLE: Final = ("table", "cards", "forcing")
"""Blocks that every deal reads: any difference in them counts as read."""

Unaffected = Callable[[Hashable], bool]
"""Whether the deal of that key read none of the rules that differ."""


class Traces:
    """The dependency traces of deals under one rule set, by a key that determines the deal and its
    actions."""

    def __init__(self, ruleset: RuleSet) -> None:
        """None yet."""
        self._ruleset = ruleset
        self._bits: dict[str, int] = {}
        self._read: dict[Hashable, int] = {}

    def __contains__(self, key: Hashable) -> bool:
        return key in self._read

    def run(self, key: Hashable, play: Callable[[RuleSet], T]) -> T:
        """What ``play`` returns of a stand-in for the rule set; what it reads of it is noted under
        the key."""
        rules, notes = trace(self._ruleset.rules, whole=WHOLE)
        found = play(RuleSet(identity=self._ruleset.identity, rules=rules))
        self._read[key] = self._mask(notes)
        notes.clear()  # tables of the engine may hold on to the stand-in
        return found

    def unaffected_by(self, couple: Couple) -> Unaffected:
        """A test whether the deal of a key is the same under the second rule set of a couple.

        The first is the one traced.  Raises KeyError for a key that was not.
        """
        mine, theirs = couple.values
        paths: set[str] = set()
        for (
            path
        ) in couple.leaves:  # one that only one of them has comes and goes with the block it is in
            paths.update(noted_for(path, comes_and_goes=path not in mine or path not in theirs))
        mask = self._mask(paths)
        return lambda key: not self._read[key] & mask

    def _mask(self, paths: set[str]) -> int:
        found = 0
        for path in paths:
            found |= 1 << self._bits.setdefault(path, len(self._bits))
        return found
