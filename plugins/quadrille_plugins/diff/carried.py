"""What groups of the rules that differ carry, from the file of an attribution.

The file is JSON: what ``compare --attribute`` prints as such, or the manifest that it writes.
"""

from collections.abc import Mapping, Sequence
from math import isfinite
from pathlib import Path
from typing import Any, Final

from quadrille_core.errors import Place, UnreadableError, UsageError
from quadrille_core.frozen import frozen
from quadrille_core.ruleset import Compiled
from quadrille_plugins.diff.differences import Part, RuleDifference
from quadrille_plugins.shell.json_file import read_json
from quadrille_plugins.shell.values import Json

WHOSE: Final[Mapping[str, str]] = {
    "hombre": "the Hombre's",
    "ally": "the ally's",
    "adversaries": "the adversaries' joint",
}
"""By column of whom the groups are told to carry a difference."""
GROUPED: Final = ("group", "mean", "low", "high")
NO_GROUP: Final = ("", "", "", "")
LONGEST: Final = 10_000
"""Characters of a text, at most."""


@frozen
class Figure:
    """Counters a session, with the ends of the interval where there is one."""

    mean: float
    low: float | None
    high: float | None

    def __str__(self) -> str:
        """``+116.0 (+105.2 to +126.9)``."""
        ends = "" if None in (self.low, self.high) else f" ({self.low:+.1f} to {self.high:+.1f})"
        return f"{self.mean:+.1f}{ends}".replace("-", "−")

    def to_json(self) -> Json:
        """As it was read."""
        return {"mean": self.mean, "low": self.low, "high": self.high}


@frozen
class Group:
    """Rules that are switched together, and what they carry."""

    name: str
    rules: tuple[str, ...]
    carries: Figure

    def to_cells(self) -> tuple[str, ...]:
        """Behind each of its rules in CSV: the columns ``GROUPED``."""
        ends = (self.carries.low, self.carries.high)
        return self.name, *("" if n is None else str(n) for n in (self.carries.mean, *ends))


@frozen
class Carried:
    """An attribution as far as rules are listed by it; the heaviest group is first."""

    role: str
    """A key of ``WHOSE``: of whose difference the groups are told."""
    total: Figure
    session_deals: int
    bots: tuple[str, ...]
    groups: tuple[Group, ...]

    def told(self) -> str:
        """What was attributed."""
        return (
            f"Of {WHOSE[self.role]} {self.total} counters in a session of {self.session_deals} "
            f"deals each group of rules carries what stands beside its name "
            f"(by {', '.join(dict.fromkeys(self.bots))})."
        )

    def parts(self, differences: Sequence[RuleDifference]) -> list[Part]:
        """The rules that differ by the groups that have some of them, then those of none."""
        left = {d.path: d for d in differences}
        found = []
        for group in self.groups:
            if rules := [left.pop(path) for path in group.rules if path in left]:
                found.append(Part(f"{group.name}: {group.carries}", tuple(rules), group.to_cells()))
        return [*found, Part("in no group", tuple(left.values()), NO_GROUP)] if left else found

    def to_json(self) -> Json:
        """The same as JSON."""
        return {
            "role": self.role,
            **self.total.to_json(),
            "session_deals": self.session_deals,
            "bots": [*self.bots],
            "groups": [
                {"name": g.name, "rules": [*g.rules], **g.carries.to_json()} for g in self.groups
            ],
        }


def read_carried(file: Path, first: Compiled, second: Compiled) -> Carried:
    """The attribution in a file.

    Raises UnreadableError for a file that holds none, and UsageError for one of other rule sets.
    """
    data = read_json(file)
    found = data.get("results") if isinstance(data, dict) and "results" in data else data
    try:
        digests, carried = _read(found)
    except (KeyError, TypeError, ValueError, OverflowError):
        raise UnreadableError.of("no-attribution", place=Place(str(file))) from None
    mine = [c.identity.digest for c in (first, second)]
    if digests != mine:
        variant = "attribution-back" if digests == mine[::-1] else "attribution-of-others"
        raise UsageError.of(variant, place=Place(str(file)))
    return carried


def _read(found: Any) -> tuple[list[str], Carried]:
    """The digests of both rule sets, and what is attributed; raises KeyError, TypeError or
    ValueError for anything else."""
    role, design = _text(found["leading"]), found["design"]
    if role not in WHOSE:
        raise ValueError(role)
    groups = [
        Group(_text(g["name"]), tuple(map(_text, g["rules"])), _figure(g["by_column"][role]))
        for g in found["groups"]
    ]
    rules = [rule for group in groups for rule in group.rules]
    if len(set(rules)) < len(rules):
        raise ValueError("a rule is in two groups")
    carried = Carried(
        role,
        _figure(found["total"]["by_column"][role]),
        int(_number(design["session_deals"])),
        tuple(map(_text, design["bots"])),
        tuple(sorted(groups, key=lambda g: -abs(g.carries.mean))),
    )
    return [_text(one["digest"]) for one in found["rules"]], carried


def _text(value: Any) -> str:
    if not isinstance(value, str) or len(value) > LONGEST:
        raise TypeError(value)
    return value


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        raise TypeError(value)
    return value


def _figure(found: Any) -> Figure:
    low, high = (None if found[end] is None else _number(found[end]) for end in ("low", "high"))
    return Figure(_number(found["mean"]), low, high)
