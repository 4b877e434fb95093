"""The YAML parser's complaints in words that help someone who does not know its grammar.

Only complaints of the parser written in Python come here (see ``yaml_strict``), so the wording does not
depend on whether libyaml is installed.
"""

from typing import Any, Final

from quadrille_core.errors import Problem
from quadrille_core.profile.located import SourceText, shown

_CANNOT_START: Final = {
    "\t": ("a tab stands where only blanks may", "write blanks instead of the tab"),
    "%": ("a plain text cannot begin with %", "quote the text"),
    "@": ("a plain text cannot begin with @", "quote the text"),
    "`": ("a plain text cannot begin with `", "quote the text"),
}

# Part of the parser's own words, what we say, how to mend it, and whether the opening is the better place.
_KNOWN: Final = (
    (
        "mapping values are not allowed",
        "a colon stands where no key can be",
        "quote the text if the colon belongs to it, or check the indentation",
        False,
    ),
    (
        "found unexpected end of stream",
        "a quotation mark is never closed",
        "close it, or double it if it belongs to the text",
        True,
    ),
    ("found unexpected document separator", "a quoted text is broken off by a line of dashes or dots", "", False),
    (
        "could not find expected ':'",
        "a line that should be a key has no colon after it",
        "write `key: value`, with a blank after the colon",
        True,
    ),
    (
        "but got '?'",
        "a question mark ends a plain text in brackets or braces",
        "quote the text",
        False,
    ),
    ("expected ',' or ']'", "a list in brackets goes wrong here or is not closed", "close it with ]", False),
    ("expected ',' or '}'", "a mapping in braces goes wrong here or is not closed", "close it with }", False),
    (
        "but found '<scalar>'",
        "a text goes on where it should have ended",
        "quote the whole text; an apostrophe inside single quotes is doubled",
        False,
    ),
    (
        "expected <block end>",
        "this line does not fit the lines before it",
        "check its indentation",
        False,
    ),
    (
        "sequence entries are not allowed",
        "a dash stands where no list can begin",
        "put the list on lines of its own",
        False,
    ),
    ("mapping keys are not allowed", "a question mark stands where no key can begin", "quote the text", False),
    ("found unknown escape character", "an unknown escape in double quotes", "write \\\\ for a backslash", False),
    ("expected escape sequence", "a broken escape in double quotes", "write \\\\ for a backslash", False),
    (
        "expected chomping or indentation",
        "a > or | is followed by text on its line",
        "begin the text on the next line",
        False,
    ),
    (
        "expected a comment or a line break",
        "a > or | is followed by text on its line",
        "begin the text on the next line",
        False,
    ),
    ("expected the node content", "a value is missing here", "write the value, or null for none", False),
    (
        "expected '<document start>'",
        "text stands outside the one document",
        "check the indentation of this line",
        False,
    ),
)


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
    for part, message, hint, at_opening in _KNOWN:
        if part in words:
            return message, hint, at_opening
    if "cannot start any token" in words:
        for char, (message, hint) in _CANNOT_START.items():
            if f"character {char!r} " in words:
                return message, hint, False
    return f"the YAML is malformed: {shown(words, 120).strip(chr(39) + chr(34))}", "", False


def _place(mark: Any, source: SourceText) -> Any:
    return source.place(mark.line + 1, mark.column + 1) if mark is not None else source.place(0, 0)
