"""The YAML parser's complaints in words that help someone who does not know its grammar.

Only complaints of the parser written in Python come here (see ``yaml_strict``), so the wording does
not depend on whether libyaml is installed.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from quadrille_core.errors import Edit, Phrase, Place, Problem, Replace
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
    """The fault that PyYAML's own parser raised, as one Problem."""
    words = str(getattr(error, "problem", None) or "it cannot be parsed")
    mark = getattr(error, "problem_mark", None)
    opening = getattr(error, "context_mark", None)
    if "tag handle" in words or "tag" in str(getattr(error, "context", "")):
        return Problem("Q109", "exclamation-mark", place=_place(mark, source))
    one = next((row for row in _known() if _is_of(row, words)), None)
    if one is None:
        said = shown(words, 120).strip("'\"")
        return Problem("Q105", "malformed", {"said": said}, _place(mark, source))
    place = _place(opening if "opening" in one and opening else mark, source)
    name = one["name"]
    is_open = "unclosed" in one and opening is not None
    opens = Phrase("opens", {"line": opening.line + 1}) if is_open and opening else None
    return _as_typed(Problem("Q105", name, {"opens": opens}, place, _HINTS.get(name)), source)


_HINTS = {"tab": Edit("no-tabs")}
"""Hints that can be done to the file."""


def _is_of(row: Mapping[str, Any], words: str) -> bool:
    part = row.get("part") or f"character {row['start']!r} that cannot start any token"
    return part in words


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
