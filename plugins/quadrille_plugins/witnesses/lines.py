"""Lines of tradition: texts that descend from one another, or report the same text, are one line
and one vote."""

from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase

from quadrille_core.profile.records import Source

Placed = tuple[str, str]
"""A source and where in it; the place is empty where it is not known."""


def ancestry(source: str, at: str, shelf: Mapping[str, Source]) -> frozenset[str]:
    """The source and every text that it reports or descends from.

    A descent that is recorded of some places only counts where ``at`` names one of them, or no
    place is known: a vote too few is safer than one too many.
    """
    found, waiting = set[str](), [(source, at)]
    while waiting:
        name, place = waiting.pop()
        if name in found:
            continue
        found.add(name)
        known = shelf.get(name)
        if known is None:
            continue
        descents = [
            d["from"] for d in known.descends if not place or _names(d.get("at", ""), place)
        ]
        waiting += [(one, "") for one in (known.of, known.via, *descents) if one]
    return frozenset(found)


def _names(parts: str, place: str) -> bool:
    """Whether one of these parts, between bars and with a shell's wildcards, is in a place."""
    return any(fnmatchcase(place, f"*{part}*") for part in parts.split("|"))


def lines_of(named: Iterable[Placed], shelf: Mapping[str, Source]) -> list[tuple[str, ...]]:
    """The sources in groups, one for each independent line, in the order in which each line is
    first named."""
    lines: list[tuple[list[str], set[str]]] = []
    for source, at in named:
        own = ancestry(source, at, shelf)
        joined = [line for line in lines if line[1] & own]
        if not joined:
            lines.append(([source], set(own)))
            continue
        names, known = joined[0]
        for other in joined[1:]:
            names += other[0]
            known |= other[1]
            lines.remove(other)
        names += [] if source in names else [source]
        known |= own
    return [tuple(names) for names, _ in lines]


def elsewhere_text(
    elsewhere: Iterable[Placed], own: Iterable[Placed], shelf: Mapping[str, Source]
) -> str:
    """How many independent lines have a reading besides its own witnesses; empty for none.

    Such as ``elsewhere: 2 independent lines (one-text, its-copy; another)``.  A line to which a
    witness of the reading belongs is no further vote, and stands apart.
    """
    mine = frozenset[str]().union(*(ancestry(source, at, shelf) for source, at in own))
    apart: list[Placed] = []
    same: list[str] = []
    for source, at in elsewhere:
        if ancestry(source, at, shelf) & mine:
            same.append(source)
        else:
            apart.append((source, at))
    lines = lines_of(apart, shelf)
    parts = []
    if lines:
        many = "lines" if len(lines) > 1 else "line"
        parts.append(
            f"{len(lines)} independent {many} ({'; '.join(', '.join(names) for names in lines)})"
        )
    if same:
        parts.append(f"in the line of its witness: {', '.join(dict.fromkeys(same))}")
    return f"elsewhere: {'; '.join(parts)}" if parts else ""
