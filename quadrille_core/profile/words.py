"""What a schema's complaint is: its code and variant, what is wrong of what, and the hint that
mends it."""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any, Final

from quadrille_core.cards import SUITS, format_card, format_suit, parse_card, parse_suit
from quadrille_core.errors import (
    DidYouMean,
    Edit,
    Hint,
    NotationError,
    Problem,
    Replace,
    did_you_mean,
)
from quadrille_core.features import installed
from quadrille_core.profile.located import kind_of, shown
from quadrille_core.profile.schema import (
    AMOUNT,
    BROUGHT,
    CARD,
    EXTENDS,
    IDENTIFIER,
    ODDS,
    SUIT,
)

_TYPES: Final = {
    "object": "a mapping",
    "array": "a list",
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "null": "nothing",
}
# a key and its value, wrongly parted: by a colon alone, a blank alone, an equals sign or a no-break
# space
_RUN_TOGETHER: Final = re.compile(r"([a-z][a-z0-9_-]*)(?:: ?|[ \xa0]|:\xa0| ?= ?)([^\s:,=]+)")
_NOTHING: Final = frozenset(("none", "nothing", "nobody", "no", "-", ""))
_NUMBERS: Final = tuple(
    "zero one two three four five six seven eight nine ten eleven twelve".split()  # noqa: SIM905 - one line, not 13
)
_COMMA: Final = re.compile(r"(-?[0-9]{1,6}),([0-9]{1,6})")
_YES: Final = frozenset(("yes", "y", "on", "true", "1"))
_NO: Final = frozenset(("no", "n", "off", "false", "0"))


def unknown_key(path: Sequence[str | int], key: str, hint: Hint | None) -> Problem:
    """A key that the schema does not know, with what it may stand for."""
    if told := _run_together(key):
        return told
    return Problem("Q201", "unknown-key", {"path": path, "key": key}, hint=hint)


def _run_together(text: str) -> Problem | None:
    """A key and its value with something else between them than a colon and a blank; None for any
    other text."""
    if (pair := parted(text)) is None:
        return None
    return Problem(
        "Q207",
        "equals" if "=" in text else "no-blank",
        {"key": text},
        hint=Replace(pair, "write-code"),
    )


def parted(text: str) -> str | None:
    """A key and its value, wrongly parted, with a colon and a blank between them; None for any
    other text."""
    pair = _RUN_TOGETHER.fullmatch(text)
    return f"{pair[1]}: {pair[2]}" if pair else None


_MISSING: Final = {
    "elsewhere": "speaks-for-nobody",
    "excludes": "no-demand",
    "kind": "missing-kind",
}
"""Keys whose want is told in other words."""
_FIRST: Final = {"title": "title: Rules of our table", "id": "id: our-rules"}
"""What may be typed for a key that every file begins with."""


def missing_key(path: Sequence[str | int], key: str) -> Problem:
    """A key that must be there and is not."""
    data = {"path": path, "key": key}
    if key == "filled" and path and path[0] == "cites":
        return Problem("Q409", "not-filled", data)
    if key in _MISSING:
        return Problem("Q202", _MISSING[key], data)
    hint = Edit("add", lines=(_FIRST[key],)) if key in _FIRST and not path else None
    return Problem("Q202", "missing-key", data, hint=hint)


def wrong_type(path: Sequence[str | int], value: object, schema: Mapping[str, Any]) -> Problem:
    """A value of another type than the schema's."""
    types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    hint = _plugins_help(path, value) or type_help(value, types, schema)
    data = {
        "path": path,
        "value": value,
        "types": types,
        "expected": _expected(types, schema),
        "found": _found(value),
    }
    return Problem("Q203", _unlike(path, value, types), data, hint=hint)


def _unlike(path: Sequence[str | int], value: object, types: Sequence[str]) -> str:
    """How a value is of another type than the schema's: the variant."""
    if value is None:
        return "no-keys-below" if "object" in types else "no-value-after-colon"
    if path and path[-1] == "year" and isinstance(value, str):
        return "no-single-year"
    return "truth-for-a-word" if isinstance(value, bool) and "string" in types else "wrong-type"


def _expected(types: Sequence[str], schema: Mapping[str, Any]) -> str:
    if schema.get("pattern") == AMOUNT:
        return 'a whole number, or a fraction in quotes such as "9/2"'
    if "enum" in schema:
        return "a word"
    names = [_TYPES[t] for t in types if t != "null"] or ["nothing"]
    return ", ".join(names[:-1]) + (" or " if len(names) > 1 else "") + names[-1]


def _found(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    found = kind_of(value)
    return f"{found} ({shown(value, 40)})" if isinstance(value, (str, int)) else found


def _plugins_help(path: Sequence[str | int], value: object) -> Hint | None:
    """How a list of plugins is written, where something else stands for it or for one of them."""
    if path[:1] != ("plugins",) or len(path) > 2:
        return None
    if isinstance(value, str):
        items = ", ".join(
            f"{{plugin: {name.strip()}}}" for name in shown(value, 80).strip("'").split(",")
        )
        return Replace(items if len(path) == 2 else f"[{items}]", "write-code")
    if not isinstance(value, Mapping) or len(path) > 1:
        return None
    return Edit("each-as-plugin" if value and set(value) <= set(installed()) else "hyphen")


def type_help(value: object, types: Sequence[str], schema: Mapping[str, Any]) -> Hint | None:
    """How a value is written as one of the schema's types, if that can be."""
    if "object" in types and isinstance(value, str) and (pair := parted(value)):
        return Replace(pair, "write-code")
    if isinstance(value, str) and (hint := _plain_help(value, types, schema)):
        return hint
    if "array" in types and not isinstance(value, Mapping):
        return Replace(f"[{shown(value, 40).strip(chr(39))}]", "brackets")
    if "string" in types and isinstance(value, (bool, int)):
        return _quoting(value, schema)
    return None


def _plain_help(value: str, types: Sequence[str], schema: Mapping[str, Any]) -> Hint | None:
    """What a text is to be where another type is wanted."""
    word = value.strip().lower()
    if "boolean" in types and word in _YES | _NO:
        return Replace("true" if word in _YES else "false")
    if "integer" in types and len(value) <= 18 and value.isascii() and word.isdigit():
        return Replace(word, "without-quotes")
    if "integer" in types and (number := in_digits(value)):
        return Replace(number)
    if "array" in types and not schema.get("minItems") and word in _NOTHING:
        return Replace("[]", "empty-list")
    return None


def in_digits(text: str) -> str:
    """A number in words, or a decimal fraction with a comma, as it is written here; empty for any
    other text.

    A comma before three digits may part thousands, and is left alone.
    """
    if text.strip().lower() in _NUMBERS:
        return str(_NUMBERS.index(text.strip().lower()))
    if not (parts := _COMMA.fullmatch(text.strip())) or len(parts[2]) == 3:
        return ""
    value = Fraction(f"{parts[1]}.{parts[2]}")
    return str(value) if value.denominator == 1 else f'"{value}"'


def plugin_help(key: str, value: object) -> Hint | None:
    """How a plugin is named, where something else stands for the key ``plugin``; None where none is
    meant."""
    if isinstance(value, str) and value in installed():
        return DidYouMean(key, ("plugin",))
    if key in installed() and isinstance(value, Mapping):
        return Edit("as-plugin", lines=(f"plugin: {key}",))
    return None


def _quoting(value: int, schema: Mapping[str, Any]) -> Hint | None:
    choices = schema.get("enum", ())
    if choices:
        return did_you_mean(shown(value), [str(c) for c in choices], what="allowed")
    return None if isinstance(value, bool) else Replace(f"'{value}'", "quote")


def not_allowed(path: Sequence[str | int], value: object, choices: Sequence[object]) -> Problem:
    """A word that is not among those allowed."""
    words = [str(c) for c in choices if c is not None]
    code = "Q207" if set(SUITS) <= set(words) else "Q204"
    hint: Hint = did_you_mean(str(value), words) or DidYouMean(str(value), ())
    if isinstance(hint, DidYouMean) and not hint.words:
        hint = DidYouMean(str(value), (), tuple(sorted(words) if hint.known else words), "allowed")
    if code == "Q207" and isinstance(value, str):
        with suppress(NotationError):
            hint = Replace(format_suit(parse_suit(value[:20])))
    return Problem(code, "not-allowed", {"path": path, "value": value}, hint=hint)


_MALFORMED: Final[Mapping[str, str]] = {
    SUIT: "suit",
    EXTENDS: "profile",
    ODDS: "share",
}
"""By the pattern that a text does not fit: the variant."""


def malformed(path: Sequence[str | int], value: str, pattern: str, *, key: bool = False) -> Problem:
    """A text that is no card, suit, amount, identifier or odds."""
    if key and (told := _run_together(value)):
        return told
    data: dict[str, Any] = {"path": path, "value": value, "is_key": key}
    data["subject"] = Problem("Q207", "the-key" if key else "the-value", {**data})
    hint: Hint | None
    if pattern == IDENTIFIER:
        variant, hint = "identifier", _identifier_hint(path, value)
    elif pattern == AMOUNT:
        number = in_digits(value)
        variant, hint = "amount", Replace(number) if number else None
    elif pattern == CARD:
        variant, hint = "card", None
        try:
            hint = Replace(format_card(parse_card(value[:20])))
        except NotationError as e:
            data["why"], hint = e.problems[0], e.problems[0].hint
    elif pattern in _MALFORMED:
        variant, hint = _MALFORMED[pattern], None
    elif found := next(
        (kind.patterns[pattern] for kind in BROUGHT.values() if pattern in kind.patterns), None
    ):
        variant, hint = "brought", None
        data |= {"what": found[0], "mend": found[1]}
    else:
        variant, hint = "malformed", None
    return Problem("Q207", variant, data, hint=hint)


def _identifier_hint(path: Sequence[str | int], value: str) -> DidYouMean | None:
    """An identifier that is near; points and readings join their words by underscores."""
    join = "_" if path and path[0] in ("points", "new_points", "fills", "readings") else "-"
    fold = re.sub(r"[^\w-]+", join, value.strip().lower()).strip("-_")
    return DidYouMean(value, (fold,)) if re.fullmatch(IDENTIFIER, fold) else None


def out_of_range(path: Sequence[str | int], value: object, schema: Mapping[str, Any]) -> Problem:
    """A number below or above its bounds."""
    low, high = schema.get("minimum"), schema.get("maximum")
    variant = (
        "other-value"
        if low is not None and low == high
        else "too-low"
        if high is None
        else "out-of-range"
    )
    return Problem("Q205", variant, {"path": path, "value": value, "low": low, "high": high})


def wrong_length(path: Sequence[str | int], least: int, what: str) -> Problem:
    """A list or mapping with too few entries."""
    variant = "empty" if least == 1 else "too-short"
    return Problem("Q206", variant, {"path": path, "what": what})


def repeated(path: Sequence[str | int], value: object) -> Problem:
    """The error of a repeated list item."""
    return Problem("Q206", "repeated", {"path": path, "value": value}, hint=Edit("keep-one"))


def empty_text(path: Sequence[str | int]) -> Problem:
    """A text without a letter."""
    return Problem("Q203", "empty-text", {"path": path})
