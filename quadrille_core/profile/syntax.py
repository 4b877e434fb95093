"""The YAML parser's complaints in words that help someone who does not know its grammar."""

import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from quadrille_core.errors import Edit, Problem, Replace
from quadrille_core.profile.located import SourceText, shown

_BARE = re.compile(
    r" *(?:- )?([A-Za-z][\w-]*) ?([^\s:#]*) *"
)  # a word, or a word and a value, and no colon


@cache
def _known() -> list[dict[str, Any]]:
    """The complaints, as ``syntax.yaml`` lists them."""
    import yaml

    known: list[dict[str, Any]] = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_bytes())
    return known


_EQUALS = re.compile(
    r" *(?:- )?([A-Za-z][\w-]*) ?= ?([^\s:#=]+) *"
)  # a word and a value, with an equals sign between


def syntax_problem(error: Any, source: SourceText) -> Problem:
    """The fault that the parser raised, as one Problem."""
    words = str(getattr(error, "problem", None) or error)
    mark = getattr(error, "problem_mark", None)
    opening = getattr(error, "context_mark", None)
    place = _place(mark, source)
    if "tag" in f"{words} {getattr(error, 'context', '')}":
        return Problem("Q109", "exclamation-mark", place=place)
    one = next((row for row in _known() if row["part"] in words), None)
    if one is None:
        said = shown(words, 120).strip("'\"")
        return Problem("Q105", "malformed", {"said": said}, place)
    name, char = one["name"], place.text[place.col - 1 : place.col]
    if name == "reserved" and char == "\t":
        name = "tab"
    elif name == "does-not-fit" and place.text[: place.col - 1].strip():
        name = "text-goes-on"
    if "opening" in one:
        place = _place(opening, source)
    data = {"char": char, "line": opening.line + 1 if opening else 0}
    hint = Edit("no-tabs") if name == "tab" else None
    return _as_typed(Problem("Q105", name, data, place, hint), source)


def _as_typed(problem: Problem, source: SourceText) -> Problem:
    """The fault with help that can be typed as it stands, where the lines around it show what was
    meant."""
    place = problem.place or source.place(0, 0)
    if problem.variant == "no-colon" and (line := _EQUALS.fullmatch(place.text.partition(" #")[0])):
        return replace(
            problem, variant="equals", hint=Replace(f"{line[1]}: {line[2]}", "write-code")
        )
    if problem.variant == "no-colon" and (line := _BARE.fullmatch(place.text)):
        return replace(problem, hint=Replace(f"{line[1]}: {line[2]}".rstrip(" "), "write-code"))
    return problem


def _place(mark: Any, source: SourceText) -> Any:
    return source.place(mark.line + 1, mark.column + 1) if mark is not None else source.place(0, 0)
