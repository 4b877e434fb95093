"""One spelling for each text: Unicode writes an é in two ways, and whoever bears it is one player."""

import unicodedata
from collections.abc import Mapping
from typing import Any

from quadrille_core.errors import Problem, ResultError


def composed(text: str) -> str:
    """The text with letters and their accents in one piece (Unicode's NFC)."""
    return unicodedata.normalize("NFC", text)


def composed_data(value: Any) -> Any:
    """The same for every text in JSON data, keys too.

    Raises ResultError when two keys of one mapping are then the same.
    """
    if isinstance(value, str):
        return composed(value)
    if isinstance(value, list | tuple):
        return [composed_data(v) for v in value]
    if not isinstance(value, Mapping):
        return value
    found: dict[Any, Any] = {}
    for key, inner in value.items():
        one = composed_data(key)
        if one in found:
            message = f"{str(one)[:40]!r} stands twice, in two spellings of the same letters"
            raise ResultError([Problem("Q107", message, None, "name it once")])
        found[one] = composed_data(inner)
    return found
