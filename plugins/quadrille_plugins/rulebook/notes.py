"""Numbered notes: which source says so, what was filled in where it is silent, what is a rule of
the house."""

import re
from collections.abc import Iterable, Mapping
from typing import Final

from quadrille_core.profile.records import FILLED
from quadrille_core.ruleset import Compiled, Origin
from quadrille_plugins.rulebook.book import Sentence

NOTES_KEY: Final = (
    "A note names who states the rule, and where. “Inferred”: it follows from what is said "
    "there. “Conjecture”: no text says so. “Filled”: the text named does not have the rule, and "
    "the reason for the choice is given."
)
"""What stands above the notes."""
_LAW: Final = re.compile(r"\bL(\d+)\b")
"""How the sources' laws are cited, such as L21."""
_ABSENT: Final[Mapping[str, str]] = {
    "silent": "is silent",
    "unseen": "was not read",
    "inapplicable": "has no such rule",
}


class Notes:
    """The notes of one book, numbered as they are first wanted; the same words are the same
    note."""

    def __init__(self, compiled: Compiled) -> None:
        self._compiled = compiled
        self._numbers: dict[str, int] = {}

    def of(self, sentence: Sentence) -> int | None:
        """The number of the note on a sentence; None where it states no rule that anyone has
        set."""
        text = note(self._compiled, sentence.cites)
        return self._numbers.setdefault(text, len(self._numbers) + 1) if text else None

    def listed(self) -> list[tuple[int, str]]:
        """Every note with its number."""
        return [(number, text) for text, number in self._numbers.items()]


def note(compiled: Compiled, paths: Iterable[str]) -> str:
    """What the origins of these rules come to, in a line."""
    plain: dict[str, list[str]] = {}
    inferred: dict[str, list[str]] = {}
    silent: dict[tuple[str, str], list[str]] = {}
    guessed: list[str] = []
    house: list[str] = []
    origins = compiled.origins
    wanted = frozenset(paths)
    for origin in (origins[path] for path in origins if path in wanted):
        if origin.link.setter == "vocabulary":
            continue
        if not origin.link.citations:
            house.append(_house(origin))
        for cite in origin.link.citations:
            why = (cite.filled or cite.note or origin.link.reason).strip().rstrip(".")
            if cite.status in FILLED:
                silent.setdefault((cite.source, cite.status), []).extend(why.split("; "))
            elif cite.status == "house":
                house.append(_house(origin))
            elif cite.status == "conjecture":
                where = f" from {_placed(cite.source, [cite.at])}" if cite.source else ""
                guessed.append(f"conjecture{where}{f': {why}' if why else ''}")
            else:
                kind = plain if cite.status == "attested" else inferred
                kind.setdefault(cite.source, []).extend(cite.at.split("; ") if cite.at else [])
    parts = [_placed(source, places) for source, places in plain.items()]
    parts += [f"inferred from {_placed(source, places)}" for source, places in inferred.items()]
    filled = [
        f"filled{f' where {source} {_ABSENT[status]}' if source else ''}: {'; '.join(_once(whys))}"
        for (source, status), whys in silent.items()
    ]
    return _LAW.sub(r"law \1", "; ".join(dict.fromkeys((*parts, *house, *guessed, *filled))))


def _once(texts: list[str]) -> list[str]:
    """The texts, those that differ in capitals alone once."""
    found: dict[str, str] = {}
    for text in texts:
        found.setdefault(text.casefold(), text)
    return list(found.values())


def _placed(source: str, places: list[str]) -> str:
    found = list(dict.fromkeys(places))
    return f"{source}: {', '.join(found)}" if found else source


def _house(origin: Origin) -> str:
    link = origin.link
    if link.setter == "setting":
        return "set by hand"
    return (
        f"house rule by the plugin {link.name}"
        if link.setter == "plugin"
        else f"house rule of {link.name}"
    )
