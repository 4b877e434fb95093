"""A block of rules that is given one value: a payment for all, or the bids that are played."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from quadrille_core.errors import Problem
from quadrille_core.profile.located import LocatedMap
from quadrille_plugins.check.parent import Parent, parent_of
from quadrille_plugins.check.shapes import tree

_ONE_AMOUNT: Final = re.compile(r"rules\.(\S+) should be a mapping, not a whole number \((\d{1,18})\)")
_DOTTED: Final = re.compile(r"'([a-z_]+(?:\.[a-z_]+)+)' is no key in rules")
_PAIRS: Final = re.compile(r"rules\.\S+ should be a mapping, not a text \('((?:[a-z_-]+ \d+, *)+[a-z_-]+ \d+)'\)")
_IN_BRACKETS: Final = re.compile(r"\[((?:[\w-]+: *[^\[\]{},:]+, *)*[\w-]+: *[^\[\]{},:]+)\]")
_A_LIST: Final = re.compile(r"rules\.\S+ should be a mapping, not a list")
_BIDS: Final = "rules.bids should be a mapping, not a list"
_FORMS: Final = (_ONE_AMOUNT, _DOTTED, _PAIRS, _A_LIST)
_LONGEST: Final = 200
"""Characters of a line in which a list in brackets is looked for."""
_MOST: Final = 8
"""Rules that are written out for one value."""


def with_each(problems: list[Problem], path: Path) -> list[Problem]:
    """The errors of a file, those of blocks that are given one value with help that writes it for each rule below."""
    wanted = [p for p in problems if any(one.match(p.message) for one in _FORMS)]
    if not wanted or not isinstance(root := tree(path), LocatedMap) or (parent := parent_of(root, path)) is None:
        return problems
    helps = {id(p): _help(p, root, parent) for p in wanted}
    return [replace(p, help=helps[id(p)]) if helps.get(id(p)) else p for p in problems]


def _help(problem: Problem, root: LocatedMap, parent: Parent) -> str:
    if (pairs := _PAIRS.fullmatch(problem.message)) is not None:
        each = [pair.split() for pair in pairs[1].split(",")]
        if len({key for key, _ in each}) < len(each):
            return ""
        return f"write `{{{', '.join(f'{key}: {value}' for key, value in each)}}}`"
    if problem.message.endswith("should be a mapping, not a list") and problem.place is not None:
        inside = problem.place.text[problem.place.col - 1 :][:_LONGEST].strip()
        if (flow := _IN_BRACKETS.match(inside)) is not None:
            return f"write `{{{flow[1]}}}`"
    if problem.message == _BIDS:
        return _all_but(_at(root, ["bids"]), parent)
    if (found := _ONE_AMOUNT.fullmatch(problem.message)) is not None:
        text = _for_each(found[1], int(found[2]), parent)
        return f"name each: `{text}`" if text else ""
    found = _DOTTED.search(problem.message)
    steps = found[1].split(".") if found else []
    value = _at(root, [".".join(steps)])
    text = _for_each(".".join(steps), value, parent) if isinstance(value, int) and not isinstance(value, bool) else ""
    for step in reversed(steps[1:]):
        text = f"{{{step}: {text}}}"
    return f"name each: `{steps[0]}: {text}`" if value is not None and text.strip("{}").rpartition(": ")[2] else ""


def _for_each(block: str, value: int, parent: Parent) -> str:
    """A value for each rule of a table; empty where the block is none, or a long one."""
    below = parent.table(block)
    return f"{{{', '.join(f'{last}: {value}' for last in below)}}}" if 0 < len(below) <= _MOST else ""


def _all_but(listed: Any, parent: Parent) -> str:
    """The bids that are not in a list, as not played; nothing where the list has others than bids."""
    named = [str(one).replace("_", "-") for one in listed] if isinstance(listed, list) else []
    if not named or any(f"bids.{bid}.made" not in parent.compiled.origins for bid in named):
        return ""
    left_out = [bid for bid in parent.bids if bid not in named]
    text = ", ".join(f"{bid}: {{made: never}}" for bid in left_out)
    return f"say which are not played: `{{{text}}}`" if left_out else ""


def _at(root: LocatedMap, steps: list[str]) -> Any:
    plain: Any = root.to_plain().get("rules")
    for step in steps:
        plain = plain.get(step) if isinstance(plain, dict) else None
    return plain
