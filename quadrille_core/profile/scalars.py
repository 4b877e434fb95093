"""What a plain YAML scalar means, and which ones mean different things to different readers.

YAML 1.1 and 1.2 disagree on ``no``, ``017``, ``1:30`` and their like.  A profile is read by people
who cannot be asked to know either, so whatever the two versions read differently is refused with
the spelling that both read alike.
"""

import re
from fractions import Fraction
from typing import Any, Final

MAX_DIGITS: Final = 18
"""Digits an integer may have where nothing else is said; eighteen fit a signed integer of 64
bits."""

Scalar = str | int | bool | None

_WORDS: Final[dict[str, Scalar]] = {
    "": None,
    "~": None,
    "null": None,
    "Null": None,
    "NULL": None,
    "true": True,
    "True": True,
    "TRUE": True,
    "false": False,
    "False": False,
    "FALSE": False,
}

_OLD_BOOLEANS: Final[dict[str, bool]] = {
    word: meaning
    for meaning, lower in ((True, ("y", "yes", "on")), (False, ("n", "no", "off")))
    for base in lower
    for word in (base, base.capitalize(), base.upper())
}

_STARTS_A_NUMBER: Final = frozenset("+-.0123456789")

# Each of these matches in time linear in the length of the text; none comes out of a profile.
_DECIMAL: Final = re.compile(r"[-+]?[0-9]+")
_FLOAT: Final = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_UNDERSCORED: Final = r"(?:[0-9][0-9_]*(?:\.[0-9_]*)?|\.[0-9][0-9_]*)(?:[eE][-+]?[0-9]+)?"
_OTHERS: Final = {
    rf"[-+]?(?:0(?:x[0-9a-fA-F_]+|o[0-7_]+|b[01_]+)|{_UNDERSCORED})": "a number",
    r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?": "a number to base sixty",
    r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:.*)?": "a date",
    r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)": "a floating-point number",
}
"""What some readers of YAML take other texts for."""


class RefusedScalarError(ValueError):
    """A plain scalar that is refused: code, variant and data of the problem, and the spelling that
    mends it."""

    def __init__(self, code: str, variant: str, instead: str = "", **data: Any) -> None:
        super().__init__(code, variant)
        self.code = code
        self.variant = variant
        self.data = data
        self.instead = instead
        """What to write where the value is not meant as a text; empty when there is nothing to
        offer."""


def resolve_plain(text: str, max_digits: int) -> Scalar:
    """The value of a plain scalar in YAML 1.2's core schema; raises RefusedScalarError for a
    doubtful one."""
    if text in _WORDS:
        return _WORDS[text]
    if text in _OLD_BOOLEANS:
        meaning = "true" if _OLD_BOOLEANS[text] else "false"
        raise _doubtful(text, meaning, instead=meaning)
    if text[0] in _STARTS_A_NUMBER:
        return _number(text, max_digits)
    if text in ("=", "<<"):
        raise _doubtful(text, "a sign of its own")
    return text


def _doubtful(
    text: str, one: str, other: str = "a text", *, instead: str = ""
) -> RefusedScalarError:
    return RefusedScalarError("Q111", "doubtful", instead, value=text, one=one, other=other)


def _number(text: str, max_digits: int) -> Scalar:
    if _DECIMAL.fullmatch(text):
        return _integer(text, max_digits)
    if _FLOAT.fullmatch(text):
        raise RefusedScalarError("Q116", "floating-point", _exact(text), value=text)
    for pattern, kind in _OTHERS.items():
        if re.fullmatch(pattern, text):
            raise _doubtful(text, kind)
    return text


def _integer(text: str, max_digits: int) -> int:
    digits = text.lstrip("+-")
    if len(digits) > max_digits:
        raise RefusedScalarError("Q112", "digits", digits=len(digits), most=max_digits)
    if len(digits) > 1 and digits[0] == "0":
        octal = str(int(digits, 8)) if set(digits) <= set("01234567") else "a text"
        decimal = str(int(text))
        if octal == decimal:
            raise RefusedScalarError("Q111", "idle-zeros", decimal, value=text)
        raise _doubtful(text, octal, decimal, instead=decimal)
    return int(text)


def _exact(text: str) -> str:
    """The exact spelling of a floating-point number, or nothing when it would be unwieldy."""
    _, _, exponent = text.lower().partition("e")
    if len(text) > 12 or abs(int(exponent or 0)) > 9:
        return ""
    value = Fraction(text)
    return str(value) if value.denominator == 1 else f'"{value}"'
