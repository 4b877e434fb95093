"""What each text says of a rule or a reading, in our words: the passages that are shipped with the
profiles."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

from quadrille_core import resources, vocabulary
from quadrille_core.profile import load_file
from quadrille_core.profile.records import ReadingDoc
from quadrille_core.ruleset import Compiled


@dataclass(frozen=True, slots=True, kw_only=True)
class Bearing:
    """Rules (patterns) with the values that a passage gives them, under readings by point."""

    sets: Mapping[str, Any]
    readings: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """One statement of a text."""

    source: str
    at: str
    """The section and the number of the sentence in it."""
    says: str
    """In our words, never in the text's own."""
    bears: tuple[Bearing, ...]

    def to_plain(self) -> dict[str, str]:
        """The same as plain data."""
        return {"source": self.source, "at": self.at, "says": self.says}


@cache
def passages() -> tuple[Passage, ...]:
    """Every passage that bears on a rule, text by text."""
    return tuple(
        passage
        for path in sorted((resources.variants() / "passages").glob("*.yaml"))
        for passage in _passages(cast("Mapping[str, Any]", load_file(path).to_plain()))
    )


def _passages(text: Mapping[str, Any]) -> Iterator[Passage]:
    for section in text.get("sections", ()):
        label = section.get("label", "sentence ")
        for passage in section["passages"]:
            if "sets" not in passage:
                continue
            number = f"{label}{str(passage['s']).replace('-', '–')}"
            yield Passage(
                source=text["source"],
                at=number if label == "L" else f"{section['at']}, {number}",
                says=passage["says"],
                bears=tuple(
                    Bearing(sets=b["sets"], readings=b.get("reading", {}))
                    for b in (passage, *passage.get("also", ()))
                    if "sets" in b
                ),
            )


def of_reading(point: str, reading: ReadingDoc, compiled: Compiled) -> tuple[Passage, ...]:
    """What the texts that have a reading say there."""
    sources = {name for name, _ in reading.elsewhere}
    sources |= {
        compiled.witnesses[w].source if w in compiled.witnesses else w for w in reading.witnesses
    }
    shipped = (
        p
        for p in passages()
        if p.source in sources and any(_says(b, point, reading) for b in p.bears)
    )
    own = (
        Passage(source=witness.source, at=sentence.where, says=sentence.text, bears=())
        for witness in compiled.witnesses.values()
        for sentence in witness.says.get((point, reading.id), ())
    )
    return (*shipped, *own)


def _says(bearing: Bearing, point: str, reading: ReadingDoc) -> bool:
    """Whether a bearing names the reading, or names no reading of its point and gives a rule the
    reading's value."""
    if point in bearing.readings:
        return bearing.readings[point] == reading.id
    return any(
        vocabulary.pattern_of(s.path) is not None and _same(pattern, value, s.path, s.value)
        for s in reading.sets
        for pattern, value in bearing.sets.items()
    )


def _same(pattern: str, value: Any, path: str, other: Any) -> bool:
    if not (vocabulary.matches(pattern, path) or pattern == path):
        return False
    leaf = vocabulary.leaf_at(path)
    return bool(vocabulary.canonical(leaf, value) == vocabulary.canonical(leaf, other))


def of_rule(pattern: str) -> tuple[Passage, ...]:
    """What the texts say of a rule: of a pattern, or of one rule by its path."""
    return tuple(
        p for p in passages() if any(_bears(known, pattern) for b in p.bears for known in b.sets)
    )


def _bears(known: str, pattern: str) -> bool:
    return vocabulary.matches(known, pattern) or vocabulary.matches(pattern, known)
