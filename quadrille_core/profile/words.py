"""What a schema's complaint says to its reader: code, sentence and help, never more than a line of each.

Nothing here quotes more than sixty characters of a file, whatever stands in it.
"""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any, Final

from quadrille_core.cards import SUITS, format_card, format_suit, parse_card, parse_suit
from quadrille_core.errors import NotationError, did_you_mean
from quadrille_core.features import installed
from quadrille_core.profile.located import kind_of, shown
from quadrille_core.profile.schema import (
    AMOUNT,
    AMOUNT_HINT,
    BROUGHT,
    CARD,
    EXTENDS,
    IDENTIFIER,
    IDENTIFIER_HINT,
    ODDS,
    SUIT,
)

Words = tuple[str, str, str]
"""Code, message, help."""

_TYPES: Final = {
    "object": "a mapping",
    "array": "a list",
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "null": "nothing",
}
# a key and its value, wrongly parted: by a colon alone, a blank alone, an equals sign or a no-break space
_RUN_TOGETHER: Final = re.compile(r"([a-z][a-z0-9_-]*)(?:: ?|[ \xa0]|:\xa0| ?= ?)([^\s:,=]+)")
_NOTHING: Final = frozenset(("none", "nothing", "nobody", "no", "-", ""))
_NUMBERS: Final = tuple(
    "zero one two three four five six seven eight nine ten eleven twelve".split()  # noqa: SIM905 - one line, not 13
)
_PARTS: Final = {"half": '"1/2"', "a half": '"1/2"', "a quarter": '"1/4"', "quarter": '"1/4"', "third": '"1/3"'}
_COMMA: Final = re.compile(r"(-?[0-9]{1,6}),([0-9]{1,6})")
_YES: Final = frozenset(("yes", "y", "on", "true", "1"))
_NO: Final = frozenset(("no", "n", "off", "false", "0"))


def label(path: Sequence[str | int], width: int = 60) -> str:
    """A path as messages name it (``bids.solo.rank``, ``plugins[0].after``), cut from the left when long."""
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        else:
            text += ("." if text else "") + _printable(step[:width])
    return text if len(text) <= width else "…" + text[1 - width :]


def _printable(text: str) -> str:
    return "".join(c if c.isprintable() else "?" for c in text)


def unknown_key(path: Sequence[str | int], key: str, allowed: Sequence[str], *, elsewhere: str = "") -> Words:
    """A key that the schema does not know, with the nearest ones that it does."""
    if told := _run_together(f"the key {shown(key)}", key):
        return told
    where = f" in {label(path)}" if path else ""
    return "Q201", f"{shown(key)} is no key{where}", elsewhere or did_you_mean(key, allowed, what="the keys here are")


def _run_together(subject: str, text: str) -> Words | None:
    """A key and its value with something else between them than a colon and a blank; None for any other text."""
    if (pair := _RUN_TOGETHER.fullmatch(text)) is None:
        return None
    if "=" in text:
        return "Q207", f"{subject} has an equals sign for its colon", f"write `{pair[1]}: {pair[2]}`"
    return "Q207", f"{subject} has no blank after its colon", f"write `{pair[1]}: {pair[2]}`"


def missing_key(path: Sequence[str | int], key: str) -> Words:
    """A key that must be there and is not."""
    where = label(path) or "the file"
    if key == "filled" and path and path[0] == "cites":
        hint = "add `filled:`, what is played instead and why"
        return "Q409", f"{where} calls a source silent or unseen and does not say what is played instead", hint
    if key == "elsewhere":
        hint = "name who says it, under `witnesses:` or `elsewhere:`, or say `status: conjecture`"
        return "Q202", f"{where} has a text that speaks, and names none", hint
    if key == "excludes":
        return "Q202", f"{where} has neither requires nor excludes", "say what the constraint requires, or excludes"
    hint = "the first line says what the file is: `kind: profile`" if key == "kind" else f"add `{key}:`"
    return "Q202", f"{where} has no {key}", hint


def wrong_type(path: Sequence[str | int], value: object, schema: Mapping[str, Any]) -> Words:
    """A value of another type than the schema's."""
    types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    if schema.get("pattern") == AMOUNT:
        expected = AMOUNT_HINT
    elif "enum" in schema:
        expected = "a word"
    else:
        names = [_TYPES[t] for t in types if t != "null"] or ["nothing"]
        expected = ", ".join(names[:-1]) + (" or " if len(names) > 1 else "") + names[-1]
    found = kind_of(value)
    if isinstance(value, (str, int)) and not isinstance(value, bool):
        found += f" ({shown(value, 40)})"
    elif isinstance(value, bool):
        found = "true" if value else "false"
    hint = _plugins_help(path, value) or _type_help(value, types, schema)
    return "Q203", f"{label(path) or 'the file'} should be {expected}, not {found}", hint


def _plugins_help(path: Sequence[str | int], value: object) -> str:
    """How a list of plugins is written, where something else stands for it or for one of them."""
    if path[:1] != ("plugins",) or len(path) > 2:
        return ""
    if isinstance(value, str):
        items = ", ".join(f"{{plugin: {name.strip()}}}" for name in shown(value, 80).strip("'").split(","))
        return f"write `{items}`" if len(path) == 2 else f"write `[{items}]`"
    if not isinstance(value, Mapping) or len(path) > 1:
        return ""
    if value and set(value) <= set(installed()):
        return "write each as `- plugin: NAME`, and its parameters below `with:`"
    return "begin it with a hyphen, `- plugin: NAME`"


def _type_help(value: object, types: Sequence[str], schema: Mapping[str, Any]) -> str:
    if "object" in types and isinstance(value, str) and (pair := _RUN_TOGETHER.fullmatch(value)):
        return f"write `{pair[1]}: {pair[2]}`"
    if value is None:
        how = "indent the lines that belong under it" if "object" in types else "write a value after the colon"
        return f"{how}, or remove the key"
    if isinstance(value, str):
        if "boolean" in types and value.strip().lower() in _YES | _NO:
            return "write true" if value.strip().lower() in _YES else "write false"
        if "integer" in types and len(value) <= 18 and value.isascii() and value.strip().isdigit():
            return f"write it without quotes: {value.strip()}"
        if "integer" in types and (number := in_digits(value)):
            return f"write {number}"
        if "array" in types and not schema.get("minItems") and value.strip().lower() in _NOTHING:
            return "write `[]`, an empty list"
    if "array" in types and not isinstance(value, Mapping):
        return f"put it in brackets: [{shown(value, 40).strip(chr(39))}]"
    if "string" in types and isinstance(value, (bool, int)):
        return _quoting(value, schema)
    return ""


def in_digits(text: str) -> str:
    """A number in words, or a decimal fraction with a comma, as it is written here; empty for any other text.

    A comma before three digits may part thousands, and is left alone.
    """
    word = text.strip().lower()
    if word in _NUMBERS:
        return str(_NUMBERS.index(word))
    if (parts := _COMMA.fullmatch(word)) and len(parts[2]) != 3:
        value = Fraction(f"{parts[1]}.{parts[2]}")
        return str(value) if value.denominator == 1 else f'"{value}"'
    return _PARTS.get(word, "")


def plugin_help(key: str, value: object) -> str:
    """How a plugin is named, where something else stands for the key ``plugin``; empty where none is meant."""
    if isinstance(value, str) and value in installed():
        return "did you mean plugin?"
    if key in installed() and isinstance(value, Mapping):
        return f"write `plugin: {key}`, and its parameters below `with:`"
    return ""


def _quoting(value: int, schema: Mapping[str, Any]) -> str:
    choices = schema.get("enum", ())
    if isinstance(value, bool) or choices:
        return did_you_mean(shown(value), [str(c) for c in choices], what="allowed") if choices else "write a word"
    return f"quote it: '{value}'"


def not_allowed(path: Sequence[str | int], value: object, choices: Sequence[object]) -> Words:
    """A word that is not among those allowed."""
    words = [str(c) for c in choices if c is not None]
    code = "Q207" if set(SUITS) <= set(words) else "Q204"
    hint = did_you_mean(str(value), words, what="allowed") or "allowed: " + ", ".join(words)
    if code == "Q207" and isinstance(value, str):
        with suppress(NotationError):
            hint = f"write {format_suit(parse_suit(value[:20]))}"
    return code, f"{label(path)} cannot be {shown(value)}", hint


def malformed(path: Sequence[str | int], value: str, pattern: str, *, key: bool = False) -> Words:
    """A text that is no card, suit, amount, identifier or odds."""
    subject = f"the key {shown(value)}" if key else f"{label(path)}: {shown(value)}"
    if key and (told := _run_together(subject, value)):
        return told
    if pattern == IDENTIFIER:
        fold = "".join(c if c.isalnum() else "-" for c in value.strip().lower()).strip("-")
        offered = f"; {fold}, say" if fold.isascii() and fold[:1].isalpha() and 0 < len(fold) <= 40 else ""
        return "Q207", f"{subject} is no identifier", IDENTIFIER_HINT + offered
    if pattern == AMOUNT:
        number = in_digits(value)
        return "Q207", f"{subject} is no exact amount", f"write {number}" if number else AMOUNT_HINT
    if pattern == CARD:
        return "Q207", f"{subject} is no card", _card_help(value)
    if pattern == SUIT:
        return "Q207", f"{subject} is no suit", "the suits are " + ", ".join(SUITS)
    if pattern == EXTENDS:
        return "Q207", f"{subject} names no profile", "give a shipped profile, or the path of a file ending in .yaml"
    if pattern == ODDS:
        return "Q207", f"{subject} is no share", "write a fraction such as 2/5, neither number above 999999"
    for kind in BROUGHT.values():
        if pattern in kind.patterns:
            what, how = kind.patterns[pattern]
            return "Q207", f"{subject} {what}", how
    return "Q207", f"{subject} is malformed", ""


def _card_help(value: str) -> str:
    try:
        return f"write {format_card(parse_card(value[:20]))}"
    except NotationError as e:
        return e.problems[0].help


def out_of_range(path: Sequence[str | int], value: object, schema: Mapping[str, Any]) -> Words:
    """A number below or above its bounds."""
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None and low == high:
        bounds = f"it must be {low}"
    elif high is None:
        bounds = f"it must be at least {low}"
    else:
        bounds = f"it must lie between {low} and {high}"
    return "Q205", f"{label(path)} cannot be {shown(value)}", bounds


def wrong_length(path: Sequence[str | int], least: int, what: str) -> Words:
    """A list or mapping with too few entries."""
    return (
        "Q206",
        f"{label(path)} is empty" if least == 1 else f"{label(path)} is too short",
        f"give at least one {what}",
    )


def repeated(path: Sequence[str | int], value: object) -> Words:
    """The error of a repeated list item."""
    return "Q206", f"{shown(value)} stands twice in {label(path)}", "keep one of them"


def empty_text(path: Sequence[str | int]) -> Words:
    """A text without a letter."""
    return "Q203", f"{label(path)} is an empty text", "write the text, or remove the key"
