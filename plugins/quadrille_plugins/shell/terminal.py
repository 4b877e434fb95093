"""Output streams that take any text: what a terminal would obey is escaped, what an encoding lacks
is spelled out.

This is the one place where text from files, names and arguments is made harmless.  Commands print
what they like; the streams that ``spelled_out`` sets up escape control characters, marks that turn
the direction of writing and characters without width, and write in ASCII what the encoding of the
stream does not have.
"""

import codecs
import io
import json
import os
import select
import sys
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from re import compile as _compile
from shutil import get_terminal_size
from textwrap import TextWrapper
from typing import Any, Final, TextIO, cast

from quadrille_core.harmless import OBEYED, safe

_PLAIN: Final = {
    **dict.fromkeys("\u2212\u2010\u2011\u2012\u2013─━╌╴╶╸╺", "-"),
    **dict.fromkeys("│┃╎", "|"),
    **dict.fromkeys("┌┐└┘├┤┬┴┼╇╈┿╪", "+"),
    **dict.fromkeys("\u2018\u2019\u201a\u2032", "'"),
    **dict.fromkeys("“”„″", '"'),
    **dict.fromkeys("\u00a0\u2009\u202f\u2007", " "),
    "—": "--",
    "…": "...",
    "→": "->",
    "←": "<-",
    "↔": "<->",
    "×": "x",
    "·": "*",
    "•": "*",
    "±": "+/-",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    "≈": "~",
    "½": "1/2",
    "¼": "1/4",
    "¾": "3/4",
    "«": "<<",
    "»": ">>",
    "♠": "S",
    "♥": "H",
    "♣": "C",
    "♦": "D",
    "♤": "S",
    "♡": "H",
    "♧": "C",
    "♢": "D",
    "æ": "ae",
    "Æ": "AE",
    "œ": "oe",
    "Œ": "OE",
    "ß": "ss",
    "ø": "o",
    "Ø": "O",
    "ł": "l",
    "Ł": "L",
    "§": "par.",
}
"""What is written for a character that an encoding lacks and that is no letter of ASCII with an
accent."""

_WHOLE: Final = _compile(r"`[^`]*`|^ *\d* \| .*|^help: quadrille .*|(?<=: )quadrille [^;]*")
_ERRORS: Final = "quadrille-spelled-out"


def filled(text: str) -> str:
    """A message in lines as wide as the terminal of stderr, or COLUMNS; elsewhere, for programs, as
    it is.

    Commands to copy and the lines of a file that it shows are not broken.
    """
    if not os.environ.get("COLUMNS") and (sys.stderr is None or not sys.stderr.isatty()):
        return text
    kept = [_WHOLE.sub(lambda m: m[0].replace(" ", "\0"), line) for line in text.split("\n")]
    wrapper = TextWrapper(
        get_terminal_size().columns, "", "    ", break_long_words=False, break_on_hyphens=False
    )
    return "\n".join(map(wrapper.fill, kept)).replace("\0", " ")


def _spell(error: UnicodeError) -> tuple[str, int]:
    """What an encoding writes for the characters it lacks (an error handler of ``codecs``)."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    return "".join(_in_ascii(c) for c in lacking), error.end


def _in_ascii(char: str) -> str:
    if char in _PLAIN:
        return _PLAIN[char]
    bare = unicodedata.normalize("NFKD", char)
    letters = "".join(c for c in bare if not unicodedata.combining(c))
    if letters and letters.isascii() and letters.isprintable():
        return letters
    if unicodedata.combining(char):
        return ""
    return char.encode("ascii", "backslashreplace").decode("ascii")


codecs.register_error(_ERRORS, _spell)


class _Spelled:
    """A stream that takes any text, wrapping one that does not."""

    # every character is taken; click would open a stream of its own beside one in ASCII
    encoding = "utf-8"
    errors = "strict"

    def __init__(self, beneath: TextIO) -> None:
        self.beneath = beneath

    def write(self, text: str) -> int:
        """Write the text escaped; returns how many characters of it were taken."""
        beneath, raw = self.beneath, getattr(self.beneath, "buffer", None)
        if not isinstance(raw, io.RawIOBase):
            beneath.write(safe(text))
            return len(text)
        # told to have no buffer, Python takes a write that a stop cuts short, as Ctrl-Z does, for a
        # whole one
        left = memoryview(
            safe(text)
            .replace("\n", os.linesep)
            .encode(beneath.encoding, beneath.errors or "strict")
        )
        while left:
            if (
                written := raw.write(left)
            ) is None:  # it takes nothing now, and does not wait by itself
                select.select([], [raw], [])
            left = left[written or 0 :]
        return len(text)

    def writelines(self, lines: Any) -> None:
        """Write each of the texts."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:  # flush, isatty, fileno …
        if (
            name == "buffer"
        ):  # on a Windows console click would write there, past what is escaped here
            raise AttributeError(name)
        return getattr(self.beneath, name)


def beneath(stream: TextIO) -> TextIO:
    """The underlying stream, which takes escape sequences: for code that draws and escapes by
    itself."""
    return stream.beneath if isinstance(stream, _Spelled) else stream


def takes_unicode(stream: TextIO | None) -> bool:
    """Whether a stream writes every character as itself."""
    name = None if stream is None else getattr(beneath(stream), "encoding", None)
    try:
        return name is None or codecs.lookup(name).name in (
            "utf-8",
            "utf-16",
            "utf-32",
            "utf-8-sig",
        )
    except LookupError:
        return False


def _over(stream: Any) -> Any:
    return stream if stream is None or isinstance(stream, _Spelled) else _Spelled(stream)


@contextmanager
def spelled_out() -> Iterator[None]:
    """Within this context, standard output and error take any text, whatever their encoding."""
    before = sys.stdout, sys.stderr
    errors: list[tuple[Any, str]] = []
    for stream in before:
        if hasattr(stream, "reconfigure"):
            errors.append((stream, stream.errors or "strict"))
            stream.reconfigure(errors=_ERRORS)
    sys.stdout, sys.stderr = map(_over, before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
        for stream, was in errors:
            with suppress(OSError, ValueError):
                stream.reconfigure(errors=was)


def abandon_output() -> None:
    """Keep the interpreter from complaining, at exit, of what it can no longer write."""
    if sys.stdout is not None:
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


_NOT_ASCII: Final = _compile("[^\\x00-\\x7e]")


def for_stream(text: str, form: str, stream: TextIO | None) -> str:
    """The data in an encoding the stream can write, with missing characters escaped as the format
    does.

    ``form`` is json, csl or tei; in any other, which has no escapes of its own, it is ``\\u2212``.
    In JSON what a terminal would obey is escaped too.
    """
    unicode = takes_unicode(stream)
    if form in ("json", "csl"):
        return (OBEYED if unicode else _NOT_ASCII).sub(lambda m: json.dumps(m.group())[1:-1], text)
    if unicode:
        return text
    if form == "tei":
        return text.encode("ascii", "xmlcharrefreplace").decode("ascii")
    encoding = getattr(beneath(cast("TextIO", stream)), "encoding", "ascii")
    return text.encode(encoding, "backslashreplace").decode(encoding)
