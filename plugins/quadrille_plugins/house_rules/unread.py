"""Leaves of plugins that nothing reads: whoever sets one changes the digest, and no game."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from quadrille_core.plugin_rules import RECORDS
from quadrille_core.ruleset import Compiled
from quadrille_core.ruleset.compile import draft
from quadrille_core.ruleset.merge import Merge
from quadrille_core.ruleset.reference import parse_reference

_LEAVES: Final = ("amount", "factor", "when", "rule")
WHY: Final = "no record of its plugin rests on it, and no hook reads it"


class _View(Mapping[str, Any]):
    """The rules as a plugin sees them; notes the paths that are read."""

    def __init__(self, real: Mapping[str, Any], read: set[str]) -> None:
        self._real, self._read = real, read

    def __getitem__(self, path: str) -> Any:
        self._read.add(path)
        return self._real[path]

    def __iter__(self) -> Iterator[str]:
        return iter(self._real)

    def __len__(self) -> int:
        return len(self._real)


class _Merge(Merge):
    """A merge that notes what plugins read."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.read: set[str] = set()

    def view(self) -> Mapping[str, Any]:
        """As of any merge."""
        return _View(super().view(), self.read)


def unread(compiled: Compiled) -> dict[str, str]:
    """Leaves that plugins of the rules declare and nothing reads, by path, and why they cannot
    act."""
    own = getattr(compiled.game.rules, "own", None)
    if own is None or not own.values:
        return {}
    records = [record for kind in RECORDS.values() for record in own.all(kind)]
    rest = {getattr(record, name, "") for record in records for name in _LEAVES}
    left = [path for path, _ in own.values if path not in rest]
    if not left:
        return {}
    known, merge = compiled.identity, _Merge(compiled.kind)
    settings = {path: json.loads(value) for path, value in known.settings}
    readings, reference = dict(known.readings), parse_reference(known.reference)
    drawn = draft(compiled.chain, reference, readings=readings, settings=settings, merge=merge)
    constraints = [one for doc in compiled.chain for one in doc.constraints]
    asked = {c.path for one in constraints for c in (*one.when, *one.requires, *one.excludes)}
    for demand, _, _ in drawn.plugging.demands:
        asked |= {*demand.when, *demand.requires, *demand.excludes}
    return {path: WHY for path in left if path not in merge.read | asked}
