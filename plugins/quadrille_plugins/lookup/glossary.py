"""The glossary: the words of the game and of the studies, from their file."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from quadrille_core.frozen import frozen_by_keyword
from quadrille_core.profile.naming import glossary_file


@frozen_by_keyword
class Costs:
    """The question what such a game costs."""

    asks: str
    """The question, such as ``what a codille costs``."""
    result: Mapping[str, Any]
    """What is true of such a game: fields of a settlement, each with its value."""


@frozen_by_keyword
class Term:
    """A word, what it means in our words, and the texts that use it, each with the place in it."""

    name: str
    field: str
    """``game`` or ``studies``."""
    means: str
    also: tuple[str, ...] = ()
    """Other words for it."""
    sources: tuple[tuple[str, str], ...] = ()
    costs: Costs | None = None
    """What is asked of it, where it is a word for what becomes of a game."""

    def to_plain(self) -> dict[str, object]:
        """The same as plain data."""
        return {
            "term": self.name,
            "also": list(self.also),
            "field": self.field,
            "means": self.means,
            "sources": {source: {"at": at} for source, at in self.sources},
        }


@cache
def alike() -> Mapping[str, str]:
    """Each word that a search takes for others, with the first of its group."""
    return {word: group[0] for group in glossary_file()["alike"] for word in group}


@cache
def glossary() -> Mapping[str, Term]:
    """Every word by its name, in the order of the file."""
    fields = {field: glossary_file()[field] for field in ("studies", "game")}
    return {
        name: Term(
            name=name,
            field=field,
            means=entry["means"],
            also=tuple(entry.get("also", ())),
            sources=tuple(entry.get("sources", {}).items()),
            costs=Costs(**entry["costs"]) if "costs" in entry else None,
        )
        for field, entries in fields.items()
        for name, entry in entries.items()
    }


def terms_in(text: str) -> list[tuple[str, str]]:
    """The words of the game in a text, each as it stands there, also in the plural, with what it
    means; in the order of the file."""
    found = []
    for term in glossary().values():
        names = "|".join(re.sub("y$", "(?:y|ie)", name) for name in (term.name, *term.also))
        met = re.search(rf"\b(?:{names})s?\b", text, re.IGNORECASE)
        if met and term.field == "game":
            found.append((met[0], term.means))
    return found
