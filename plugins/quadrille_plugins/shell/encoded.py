"""Data for a stream whose encoding may lack characters: escaped as the data's format does."""

import json
import re
from typing import Final, TextIO, cast

from quadrille_core.harmless import OBEYED
from quadrille_plugins.shell.terminal import beneath, takes_unicode

_NOT_ASCII: Final = re.compile("[^\\x00-\\x7e]")


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
