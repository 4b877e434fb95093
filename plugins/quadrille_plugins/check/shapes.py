"""Help for values of a wrong shape: what is typed instead where they stand, by the rule that they are for."""

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Final

from quadrille_core import vocabulary
from quadrille_core.errors import Place, Problem, QuadrilleError
from quadrille_core.profile import load_file
from quadrille_core.profile.located import Located, LocatedList, LocatedMap, Node
from quadrille_core.profile.schema import leaf_schema
from quadrille_core.profile.yaml_strict import FaultyTreeError
from quadrille_core.ruleset import load_chain

_NO_MAPPING: Final = re.compile(r"rules\.(\S+) should be a mapping, not a text \('([^']*)'\)")
_NO_READING: Final = re.compile(r"point '([^']+)' has no reading '(\d{1,3})'")
_ON_ONE_LINE: Final = re.compile(r"((?:[a-z][a-z0-9_-]*: *)+)([^\s:#{}\[\]\"']+) *(?:#.*)?")


def with_help_that_fits(problems: list[Problem], path: Path) -> list[Problem]:
    """The errors of a file, those of values of a wrong shape with help that can be typed where they stand."""
    return [_nested(p) if p.code == "Q105" else replace(p, help=_help(p, path) or p.help) for p in problems]


def tree(path: Path) -> Node | None:
    """What a file holds, as far as it can be read."""
    try:
        return load_file(path)
    except FaultyTreeError as e:
        return e.tree
    except QuadrilleError:
        return None


def _help(problem: Problem, path: Path) -> str:
    """What to type, where it is more than the error itself says; else empty."""
    if problem.place is None:
        return ""
    is_text = problem.code == "Q203" and " should be a mapping, not a text" in problem.message
    if is_text and (braces := _in_braces(problem, problem.place)):
        return braces
    if problem.code == "Q203" and (found := _NO_MAPPING.fullmatch(problem.message)) is not None:
        return _only_rule_with(found[1], found[2])
    if problem.code == "Q203" and problem.message == "readings should be a mapping, not a list":
        return _without_hyphens(tree(path))
    if problem.code == "Q116":
        return _whole(problem, tree(path))
    if problem.code == "Q402" and (found := _NO_READING.fullmatch(problem.message)) is not None:
        return _reading_that_sets(found[1], int(found[2]), path)
    return ""


def _in_braces(problem: Problem, place: Place) -> str:
    """A rule or reading with its value as a mapping in braces, where the line has a key before it."""
    found = re.fullmatch(r"write `([^`{]+)`", problem.help)
    return f"write `{{{found[1]}}}`" if found and place.text[: place.col - 1].rstrip().endswith(":") else ""


def _only_rule_with(block: str, value: str) -> str:
    """The one rule of a block that has such a value, with it."""
    below = (f"{block}.{pattern.rpartition('.')[2]}" for pattern in vocabulary.every_leaf())
    leaves = {path: leaf for path in below if (leaf := vocabulary.leaf_of(path)) is not None}
    taking = [path.rpartition(".")[2] for path, leaf in leaves.items() if value in leaf.choices()]
    return f"write `{{{taking[0]}: {value}}}`" if len(taking) == 1 else ""


def _without_hyphens(root: Node | None) -> str:
    node = root.get("readings") if isinstance(root, LocatedMap) else None
    items = node.to_plain() if isinstance(node, LocatedList) else []
    if not items or not all(isinstance(item, dict) and item for item in items):
        return ""
    point, reading = next(iter(items[0].items()))
    return f"write each without its hyphen: `{point}: {reading}`"


def _whole(problem: Problem, root: Node | None) -> str:
    """The whole numbers next to a decimal fraction, where the rule takes no other."""
    rules = root.get("rules") if isinstance(root, LocatedMap) else None
    at = (problem.line, problem.col)
    path = next((p for p, node in _scalars(rules, ()) if (node.mark.line, node.mark.col) == at), ())
    if (leaf := vocabulary.leaf_of(".".join(path))) is None:
        return ""
    schema = leaf_schema(leaf.pattern)
    found = re.match(r'write "(-?\d+/\d+)"', problem.help)
    if schema["type"] != "integer" or found is None:
        return ""
    below = Fraction(found[1]).__floor__()
    low, high = schema.get("minimum", below), schema.get("maximum", below + 1)
    fitting = [str(number) for number in (below, below + 1) if low <= number <= high]
    return f"write {' or '.join(fitting)}; {path[-1]} is a whole number" if fitting else ""


def _scalars(node: Node | None, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Located]]:
    if isinstance(node, Located):
        yield path, node
    elif isinstance(node, LocatedMap):
        for key, below in node.items():
            yield from _scalars(below, (*path, key))


def _nested(problem: Problem) -> Problem:
    """An error of syntax, where several keys of a rule stand in one line with help to write them in braces."""
    place = problem.place
    before = re.match(r" *[a-z][a-z0-9_-]*: +", place.text) if place else None
    if "where no key can be" not in problem.message or place is None or before is None:
        return problem
    if (found := _ON_ONE_LINE.fullmatch(place.text, before.end())) is None:
        return problem
    keys = [key.strip() for key in found[1].split(":")[:-1]]
    steps = [key for key in (before[0].strip(" :"), *keys) if key != "rules"]
    if not any(_leads_to(steps, pattern.split(".")) for pattern in vocabulary.every_leaf()):
        return problem
    text = found[2]
    for key in reversed(keys):
        text = f"{{{key}: {text}}}"
    return replace(problem, place=replace(place, col=before.end() + 1), help=f"write `{text}`")


def _leads_to(steps: list[str], pattern: list[str]) -> bool:
    """Whether keys are the last steps of a rule, of which a bid may be any."""
    last = pattern[-len(steps) :]
    return len(last) == len(steps) and all(one in (step, "*") for one, step in zip(last, steps, strict=True))


def _reading_that_sets(point: str, value: int, path: Path) -> str:
    """The one reading of a point by which a rule has that number."""
    name = str(path)
    try:
        points = [p for doc in load_chain(name if "/" in name else f"./{name}") for p in doc.points if p.id == point]
    except QuadrilleError:
        return ""
    readings = {r.id: r for one in points for r in one.readings}
    setting = [r.id for r in readings.values() if any(one.value == value for one in r.sets)]
    return f"did you mean {setting[0]}? readings: {', '.join(readings)}" if len(setting) == 1 else ""
