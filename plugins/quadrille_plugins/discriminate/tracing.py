"""Merges of rules that note what is looked at: what plugins read, and what the compiler's checks
read."""

from collections.abc import Iterator, Mapping
from typing import Any

from quadrille_core.ruleset.merge import Merge, frozen
from quadrille_core.ruleset.provenance import Link
from quadrille_plugins.shell.values import Json


class TracedView(Mapping[str, Any]):
    """The rules in force as plugins see them; records every rule they read."""

    def __init__(self, merge: "TracedMerge") -> None:
        self._merge = merge

    def __getitem__(self, path: str) -> Any:
        self._merge.read.add(path)
        by_hand = self._merge.own_by_hand()
        return frozen(by_hand[path] if path in by_hand else self._merge.chains[path][-1].value)

    def __contains__(self, path: object) -> bool:
        self._merge.read.add(str(path))
        return path in self._merge.chains

    def __iter__(self) -> Iterator[str]:
        self._merge.listed = True
        return iter(list(self._merge.chains))

    def __len__(self) -> int:
        self._merge.listed = True
        return len(self._merge.chains)


class TracedMerge(Merge):
    """A merge that records which rules plugins read, and whether they listed the rules."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.read: set[str] = set()
        self.listed = False

    def view(self) -> Mapping[str, Any]:
        """What plugins look at, noted."""
        return TracedView(self)


class TracedMapping(dict[str, Any]):
    """A mapping by rule path that records which rules are read or tested, and whether it was
    listed."""

    def __init__(self, of: Json) -> None:
        super().__init__(of)
        self.read: set[str] = set()
        self.asked: set[str] = set()
        self.listed = False

    def __getitem__(self, path: str) -> Any:
        self.read.add(path)
        return super().__getitem__(path)

    def get(self, path: str, default: Any = None) -> Any:
        """As of any mapping; the rule is noted as read."""
        self.read.add(path)
        return super().get(path, default)

    def __contains__(self, path: object) -> bool:
        self.asked.add(str(path))
        return super().__contains__(path)

    def __iter__(self) -> Iterator[str]:
        self.listed = True
        return super().__iter__()

    def items(self) -> Any:
        """As of any mapping; every rule is noted as read."""
        self.read.update(super().keys())
        return super().items()

    def values(self) -> Any:
        """As of any mapping; every rule is noted as read."""
        self.read.update(super().keys())
        return super().values()

    def keys(self) -> Any:
        """As of any mapping; it is noted that which rules there are was asked."""
        self.listed = True
        return super().keys()


class TracedRules(Merge):
    """The rules of a configuration as the compiler's checks see them; records every rule they
    read."""

    def __init__(self, kind: str, values: Json) -> None:
        super().__init__(kind)
        self.noted = (
            TracedMapping(values),
            TracedMapping({p: [Link(v, "profile", "", 0)] for p, v in values.items()}),
        )
        self.chains = self.noted[1]

    def values(self) -> Json:
        """The plain values, noted as they are read."""
        return self.noted[0]
