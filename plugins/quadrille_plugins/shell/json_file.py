"""JSON that a study wrote, read back from a file: nothing of it is trusted."""

import json
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from quadrille_core.errors import Place, UnreadableError
from quadrille_core.profile.yaml_strict import read_bytes
from quadrille_plugins.shell.values import Json

MOST_BYTES: Final = 32 * 1024 * 1024
"""The size of such a file, at most."""
LONGEST_SAID: Final = 120
"""Characters of a fault that are shown."""
_GZIP: Final = b"\x1f\x8b"
"""How a file begins that is compressed by gzip."""


def json_bytes(path: str | Path) -> bytes:
    """The bytes of a file, unpacked where it is compressed by gzip; raises UnreadableError."""
    data = read_bytes(path, max_bytes=MOST_BYTES)
    if not data.startswith(_GZIP):
        return data
    unpacking = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        text = unpacking.decompress(data, MOST_BYTES + 1)
    except zlib.error:
        raise UnreadableError.of("manifest-damaged", place=path) from None
    if len(text) > MOST_BYTES:
        raise UnreadableError.of("manifest-too-large", place=path, most_bytes=MOST_BYTES // 1024)
    if not unpacking.eof:
        raise UnreadableError.of("manifest-cut-short", place=path)
    return text


def read_json(path: str | Path) -> Any:
    """What stands in a file of JSON, no key twice and nothing that is no number; raises
    UnreadableError."""
    place = Place(str(path))
    try:
        text = json_bytes(path).decode("utf-8")
    except UnicodeDecodeError:
        raise UnreadableError.of("manifest-not-utf-8", place=place) from None
    try:
        return json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
    except RecursionError:
        raise UnreadableError.of("json-too-deep", place=place) from None
    except ValueError as e:
        said = str(e)[:LONGEST_SAID]
        raise UnreadableError.of("no-json", place=place, said=said) from None


def _once(pairs: Sequence[tuple[str, Any]]) -> Json:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return found


def _no_number(text: str) -> Any:
    raise ValueError(f"{text} is no number")
