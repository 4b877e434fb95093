"""What a comparison by play and one by par have in common: names, heads, tables."""

from collections.abc import Sequence
from typing import Any

from quadrille_core.ruleset import Compiled
from quadrille_plugins.diff.differences import differences_json
from quadrille_plugins.shell.values import Json, names_beside
from quadrille_plugins.studies.values import estimate_json, percent, ruleset_text

COLUMNS = ("section", "rules", "against", "name", "mean", "low", "high", "count")
"""Of the numbers in long form."""


class SideBySide:
    """Rule sets beside one another: ``summaries`` have one each, ``pairs`` the first with each of
    the others."""

    __slots__ = ()
    summaries: Any
    pairs: Any

    @property
    def compiled(self) -> list[Compiled]:
        """The rule sets."""
        return [s.compiled for s in self.summaries]

    @property
    def names(self) -> list[str]:
        """What they are called."""
        return names_beside(self.compiled)

    def called(self, pair: Any) -> tuple[str, str]:
        """What the two of a pair are called."""
        return self.names[pair.first], self.names[pair.second]

    def heads(self) -> str:
        """The heading of each."""
        named = zip(self.names, self.compiled, strict=True)
        return "\n".join(ruleset_text(compiled, f"{name}: ") for name, compiled in named)

    def rules_diff(self) -> list[Json]:
        """The rules in which each pair differs, as JSON."""
        return [
            {**d, "rules": [p.first, p.second]}
            for p in self.pairs
            for d in differences_json(p.rules_diff)
        ]


def share_rows(summaries: Sequence[Any], of: str, prefix: str = "") -> tuple[tuple[str, ...], ...]:
    """A row for each thing that happened under some rule set: its share under each, with the
    interval."""
    shares = [{x.name: percent(x.share) for x in getattr(s, of)} for s in summaries]
    return tuple(
        (prefix + n, *(s.get(n, "–") for s in shares))
        for n in dict.fromkeys(n for s in shares for n in s)
    )


def estimate_row(
    section: str, rules: str, against: str, name: str, e: Any, count: int
) -> tuple[object, ...]:
    """An estimate under ``COLUMNS``; its ends are empty where it has no interval."""
    j = {k: "" if v is None else v for k, v in estimate_json(e).items()}
    return section, rules, against, name, j["mean"], j["low"], j["high"], count
