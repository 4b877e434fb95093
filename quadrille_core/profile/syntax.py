"""The YAML parser's complaints in words that help someone who does not know its grammar.

Only complaints of the parser written in Python come here (see ``yaml_strict``), so the wording does not
depend on whether libyaml is installed.
"""

import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from quadrille_core.errors import Problem
from quadrille_core.profile.located import SourceText, shown

_BARE = re.compile(r" *(?:- )?([A-Za-z][\w-]*) ?([^\s:#]*) *")  # a word, or a word and a value, and no colon


@cache
def _known() -> list[dict[str, Any]]:
    """The complaints, as ``syntax.yaml`` lists them."""
    import yaml

    known: list[dict[str, Any]] = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_bytes())
    return known


_EQUALS = re.compile(r" *(?:- )?([A-Za-z][\w-]*) ?= ?([^\s:#=]+) *")  # a word and a value, with an equals sign between


def syntax_problem(error: Any, source: SourceText) -> Problem:
    """The fault that PyYAML's own parser raised, as one Problem."""
    words = str(getattr(error, "problem", None) or "it cannot be parsed")
    mark = getattr(error, "problem_mark", None)
    opening = getattr(error, "context_mark", None)
    if "tag handle" in words or "tag" in str(getattr(error, "context", "")):
        return Problem(
            "Q109", "a tag begins with an exclamation mark", _place(mark, source), "quote the text, or remove the tag"
        )
    message, hint, at_opening = _in_our_words(words)
    if "is not closed" in message and opening is not None:
        message += f"; it opens at line {opening.line + 1}"
    mark = opening if at_opening and opening else mark
    return _as_typed(Problem("Q105", message, _place(mark, source), hint), source)


def _as_typed(problem: Problem, source: SourceText) -> Problem:
    """The fault with help that can be typed as it stands, where the lines around it show what was meant."""
    place = problem.place or source.place(0, 0)
    above = [n for n in range(place.line - 1, 0, -1) if source.lines[n - 1].partition("#")[0].strip()]
    if "no colon" in problem.message and (line := _EQUALS.fullmatch(place.text.partition(" #")[0])):
        message = "an equals sign stands where a colon belongs"
        return replace(problem, message=message, help=f"write `{line[1]}: {line[2]}`")
    if "no colon" in problem.message and (line := _BARE.fullmatch(place.text)):
        return replace(problem, help=f"write `{line[1]}: {line[2]}`".replace(": `", ":`"))
    if "where no key" in problem.message:
        before = place.text[: place.col - 1]
        if above and ":" not in before and (line := _BARE.fullmatch(source.lines[above[0] - 1])) and not line[2]:
            message, start = "a line that should be a key has no colon after it", line.start(1) + 1
            return Problem("Q105", message, source.place(above[0], start), f"write `{line[1]}:`")
        key, colon, value = place.text.partition(": ")
        if colon and key.strip() in before and not set(value) & set("\"'#{["):
            return replace(problem, place=source.place(place.line, len(key) + 3), help=f'write `"{value.strip()}"`')
    if "does not fit" in problem.message and above and place.text[place.col - 1 : place.col].isalpha():
        indents = [len(text) - len(text.lstrip(" ")) for text in (source.lines[n - 1] for n in above)]
        nearest = min(indents, key=lambda n: (abs(n - place.col + 1), indents.index(n)))
        return replace(problem, help=f"indent it by {nearest} blanks")
    return problem


def _in_our_words(words: str) -> tuple[str, str, bool]:
    for one in _known():
        part = one.get("part") or f"character {one['start']!r} that cannot start any token"
        if part in words:
            return one["says"], one.get("help", ""), "opening" in one
    return f"the YAML is malformed: {shown(words, 120).strip(chr(39) + chr(34))}", "", False


def _place(mark: Any, source: SourceText) -> Any:
    return source.place(mark.line + 1, mark.column + 1) if mark is not None else source.place(0, 0)
