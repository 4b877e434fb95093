"""The YAML parser's complaints in words that help someone who does not know its grammar."""

import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from quadrille_core.errors import Edit, Place, Problem, Replace
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
    if "tag" in f"{words} {error.context}":
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
    above = [
        n for n in range(place.line - 1, 0, -1) if source.lines[n - 1].partition("#")[0].strip()
    ]
    if problem.variant == "no-colon" and (line := _EQUALS.fullmatch(place.text.partition(" #")[0])):
        return replace(
            problem, variant="equals", hint=Replace(f"{line[1]}: {line[2]}", "write-code")
        )
    if problem.variant == "no-colon" and (line := _BARE.fullmatch(place.text)):
        return replace(problem, hint=Replace(f"{line[1]}: {line[2]}".rstrip(" "), "write-code"))
    if problem.variant == "no-key-here":
        return _of_two_colons(problem, place, source, above)
    if (
        problem.variant == "does-not-fit"
        and above
        and place.text[place.col - 1 : place.col].isalpha()
    ):
        indents = [
            len(text) - len(text.lstrip(" ")) for text in (source.lines[n - 1] for n in above)
        ]
        nearest = min(indents, key=lambda n: (abs(n - place.col + 1), indents.index(n)))
        return replace(problem, hint=Edit("indent", by=nearest))
    return problem


def _of_two_colons(problem: Problem, place: Place, source: SourceText, above: list[int]) -> Problem:
    """A colon where no key can be: of a line that lacks its own above, or of a text that is to be
    quoted."""
    before = place.text[: place.col - 1]
    if (
        above
        and ":" not in before
        and (line := _BARE.fullmatch(source.lines[above[0] - 1]))
        and not line[2]
    ):
        there = source.place(above[0], line.start(1) + 1)
        return Problem("Q105", "no-colon", {}, there, Replace(f"{line[1]}:", "write-code"))
    key, colon, value = place.text.partition(": ")
    if colon and key.strip() in before and not set(value) & set("\"'#{["):
        there = source.place(place.line, len(key) + 3)
        return replace(problem, place=there, hint=Replace(f'"{value.strip()}"', "write-code"))
    return problem


def _place(mark: Any, source: SourceText) -> Any:
    return source.place(mark.line + 1, mark.column + 1) if mark is not None else source.place(0, 0)
