"""A block of rules that is given one value: a payment for all, or the bids that are played."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from quadrille_core.errors import Hint, Problem, Replace
from quadrille_core.profile.located import LocatedMap
from quadrille_plugins.check.parent import Parent, parent_of, tree

_DOTTED: Final = re.compile(r"[a-z_]+(?:\.[a-z_]+)+")
_PAIRS: Final = re.compile(r"(?:[a-z_-]+ \d+, *)+[a-z_-]+ \d+")
_IN_BRACKETS: Final = re.compile(r"\[((?:[\w-]+: *[^\[\]{},:]+, *)*[\w-]+: *[^\[\]{},:]+)\]")
_LONGEST: Final = 200
"""Characters of a line in which a list in brackets is looked for."""
_MOST: Final = 8
"""Rules that are written out for one value."""


def with_each(problems: list[Problem], path: Path) -> list[Problem]:
    """The errors of a file, those of blocks that are given one value with help that writes it for
    each rule below."""
    wanted = [
        p
        for p in problems
        if p.variant in ("wrong-type", "unknown-key") and p.data["path"][:1] == ("rules",)
    ]
    if (
        not wanted
        or not isinstance(root := tree(path), LocatedMap)
        or (parent := parent_of(root, path)) is None
    ):
        return problems
    hints = {id(p): _hint(p, root, parent) for p in wanted}
    return [replace(p, hint=hints.get(id(p)) or p.hint) for p in problems]


def _hint(problem: Problem, root: LocatedMap, parent: Parent) -> Hint | None:
    if problem.variant == "unknown-key":
        return (
            _of_dotted(problem.data["key"], root, parent)
            if problem.data["path"] == ("rules",)
            else None
        )
    path, value = problem.data["path"], problem.data["value"]
    if problem.data["types"][0] != "object" or len(path) < 2:
        return None
    if isinstance(value, str) and _PAIRS.fullmatch(value):
        each = [pair.split() for pair in value.split(",")]
        if len({key for key, _ in each}) < len(each):
            return None
        return Replace(f"{{{', '.join(f'{key}: {amount}' for key, amount in each)}}}", "write-code")
    if isinstance(value, list):
        inside = (
            problem.place.text[problem.place.col - 1 :][:_LONGEST].strip() if problem.place else ""
        )
        if (flow := _IN_BRACKETS.match(inside)) is not None:
            return Replace(f"{{{flow[1]}}}", "write-code")
        return _all_but(value, parent) if path == ("rules", "bids") else None
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        text = _for_each(".".join(path[1:]), value, parent)
        return Replace(text, "name-each") if text else None
    return None


def _of_dotted(key: str, root: LocatedMap, parent: Parent) -> Hint | None:
    """One amount at a dotted path, for each rule of the table that it names."""
    value = root.to_plain()["rules"].get(key)
    if not _DOTTED.fullmatch(key) or not isinstance(value, int) or isinstance(value, bool):
        return None
    text, steps = _for_each(key, value, parent), key.split(".")
    if not text:
        return None
    for step in reversed(steps[1:]):
        text = f"{{{step}: {text}}}"
    return Replace(f"{steps[0]}: {text}", "name-each")


def _for_each(block: str, value: int, parent: Parent) -> str:
    """A value for each rule of a table; empty where the block is none, or a long one."""
    below = parent.table(block)
    return (
        f"{{{', '.join(f'{last}: {value}' for last in below)}}}" if 0 < len(below) <= _MOST else ""
    )


def _all_but(listed: list[Any], parent: Parent) -> Hint | None:
    """The bids that are not in a list, as not played; None where the list has others than bids."""
    named = [str(one).replace("_", "-") for one in listed]
    if not named or any(f"bids.{bid}.made" not in parent.compiled.origins for bid in named):
        return None
    text = ", ".join(f"{bid}: {{made: never}}" for bid in parent.bids if bid not in named)
    return Replace(f"{{{text}}}", "not-played") if text else None
