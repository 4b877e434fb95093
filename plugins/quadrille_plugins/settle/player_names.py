"""The names of players: what is none, and one spelling for each, letters and their accents in one
piece."""

import unicodedata
from collections.abc import Mapping
from typing import Any

from quadrille_core.engine.result import RESERVED
from quadrille_core.errors import Problem, ResultError
from quadrille_core.harmless import one_line


def name_fault(name: object) -> Problem | None:
    """Why this cannot be a player's name; None when it can."""
    if not isinstance(name, str) or not name.strip():
        return Problem("Q207", "empty-name")
    if name != name.strip() or len(name) > 64 or not name.isprintable() or one_line(name) != name:
        return Problem("Q207", "unprintable-name", {"name": name})
    if name.lower() in RESERVED:
        return Problem("Q207", "name-of-account", {"name": name})
    return None


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
            raise ResultError.of("two-spellings", one=str(one))
        found[one] = composed_data(inner)
    return found
