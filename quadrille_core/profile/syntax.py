"""The YAML parser's complaints in words that help someone who does not know its grammar.

Only complaints of the parser written in Python come here (see ``yaml_strict``), so the wording does not
depend on whether libyaml is installed.
"""

from functools import cache
from pathlib import Path
from typing import Any

from quadrille_core.errors import Problem
from quadrille_core.profile.located import SourceText, shown


@cache
def _known() -> list[dict[str, Any]]:
    """The complaints, as ``syntax.yaml`` lists them."""
    import yaml

    known: list[dict[str, Any]] = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_bytes())
    return known


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
    return Problem("Q105", message, _place(opening if at_opening and opening else mark, source), hint)


def _in_our_words(words: str) -> tuple[str, str, bool]:
    for one in _known():
        part = one.get("part") or f"character {one['start']!r} that cannot start any token"
        if part in words:
            return one["says"], one.get("help", ""), "opening" in one
    return f"the YAML is malformed: {shown(words, 120).strip(chr(39) + chr(34))}", "", False


def _place(mark: Any, source: SourceText) -> Any:
    return source.place(mark.line + 1, mark.column + 1) if mark is not None else source.place(0, 0)
