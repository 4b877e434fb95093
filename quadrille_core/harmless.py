"""Foreign text made harmless: what a terminal would obey, and what nobody would see, is escaped.

Names and arguments in messages pass through here; whatever else is printed, through the streams of
the shell.
"""

from re import Match
from re import compile as _compile
from typing import Final
from unicodedata import bidirectional, combining

INVISIBLE: Final = "".join(
    (
        # Unicode 16.0, DerivedCoreProperties.txt: Default_Ignorable_Code_Point, all of it
        r"\xad",
        r"\u034f",
        r"\u061c",
        r"\u115f-\u1160",
        r"\u17b4-\u17b5",
        r"\u180b-\u180f",
        r"\u200b-\u200f",
        r"\u202a-\u202e",
        r"\u2060-\u206f",
        r"\u3164",
        r"\ufe00-\ufe0f",
        r"\ufeff",
        r"\uffa0",
        r"\ufff0-\ufff8",
        r"\U0001bca0-\U0001bca3",
        r"\U0001d173-\U0001d17a",
        r"\U000e0000-\U000e0fff",
        # what separates lines and paragraphs (Zl, Zp), and marks annotations (UnicodeData.txt)
        r"\u2028-\u2029",
        r"\ufff9-\ufffb",
    )
)
"""Characters without width and marks that turn the direction of writing, as a class of a regular
expression."""

OBEYED: Final = _compile(f"[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\ud800-\\udfff{INVISIBLE}]")
_OBEYED_OR_BREAKS: Final = _compile(f"[\\x00-\\x1f\\x7f-\\x9f\\ud800-\\udfff{INVISIBLE}]")
JOINERS: Final = _compile("[\u200c\u200d]")
"""The two characters without width that part or join the letters of some scripts (ZWNJ, ZWJ)."""
_VIRAMA: Final = 9
"""Unicode's class of the signs that join two consonants."""
_SHORT: Final = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def safe(text: str) -> str:
    """The text with characters that control or deceive a terminal escaped, as ``\x1b`` or
    ``\u202e``.

    Line breaks and tabs stay.
    """
    return text if text.isascii() and text.isprintable() else OBEYED.sub(_escaped, text)


def one_line(text: str) -> str:
    """The same with line breaks and tabs escaped too, for a name that must stay in its line."""
    return text if text.isascii() and text.isprintable() else _OBEYED_OR_BREAKS.sub(_escaped, text)


def hidden(text: str) -> str:
    """The first character of a text that nobody would see or that is none; empty where there is
    none."""
    plain = JOINERS.sub(lambda match: "" if _joins(match) else match.group(), text)
    return next((c for c in plain if not c.isprintable() or OBEYED.match(c)), "")


def _joins(match: Match[str]) -> bool:
    """Whether a joiner stands where writing needs it: behind a virama, or, to part them, between
    letters of Arabic script (RFC 5892, appendix A, but for the forms of the letters)."""
    text, at = match.string, match.start()
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    if not before or not after:
        return False
    parted = match.group() == "\u200c" and bidirectional(before) == bidirectional(after) == "AL"
    return parted or combining(before) == _VIRAMA


def _escaped(match: Match[str]) -> str:
    char = match.group()
    if JOINERS.match(char) and _joins(match):
        return char
    number = ord(char)
    if 0xDC80 <= number <= 0xDCFF:
        return f"\\x{number - 0xDC00:02x}"  # a byte of a file's name that is no text
    if number <= 0xFF:
        return _SHORT.get(char, f"\\x{number:02x}")
    return f"\\u{number:04x}" if number <= 0xFFFF else f"\\U{number:08x}"
