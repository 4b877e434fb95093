"""The names of players: what is none, and one spelling for each, letters and their accents in one
piece."""

import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any, Final

from quadrille_core.engine.result import RESERVED
from quadrille_core.errors import Problem, ResultError
from quadrille_core.harmless import JOINERS, hidden
from quadrille_core.profile.naming import folded

LONGEST_NAME: Final = 64


def name_fault(name: object) -> Problem | None:
    """Why this cannot be a player's name; None when it can."""
    if not isinstance(name, str) or not name.strip():
        return Problem("Q207", "empty-name")
    if character := hidden(name):
        data = {"name": name, "character": f"U+{ord(character):04X}"}
        return Problem("Q207", "name-with-hidden-character", data)
    if name != name.strip():
        return Problem("Q207", "name-between-blanks", {"name": name})
    if len(name) > LONGEST_NAME:
        many = {"name": name, "many": len(name), "most": LONGEST_NAME}
        return Problem("Q207", "name-too-long", many)
    if name.lower() in RESERVED:
        return Problem("Q207", "name-of-account", {"name": name})
    return None


def player_meant(typed: str, names: Sequence[str]) -> str | None:
    """The one of these players whose name this is, accents and case apart; None for nobody, or
    several."""
    if typed in names:
        return typed
    for form in (likeness, folded):
        found = [name for name in names if form(name) == form(typed.strip())]
        if found:
            return found[0] if len(found) == 1 else None
    return None


def likeness(name: str) -> str:
    """The common form of names that players at a table could not distinguish."""
    return composed(composed(JOINERS.sub("", name)).casefold())


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
