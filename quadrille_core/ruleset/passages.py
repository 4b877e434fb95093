"""What each text says of the rules, in our words: the passages shipped with the profiles."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, cast

from quadrille_core import resources, vocabulary
from quadrille_core.frozen import frozen_by_keyword
from quadrille_core.profile.yaml_strict import load_file


@frozen_by_keyword
class Bearing:
    """Rules (patterns) with the values that a passage gives them, under readings by point."""

    sets: Mapping[str, Any]
    readings: Mapping[str, str]


@frozen_by_keyword
class Passage:
    """One statement of a text."""

    source: str
    at: str
    """The section and the number of the sentence in it."""
    says: str
    """In our words, never in the text's own."""
    bears: tuple[Bearing, ...]
    law: int | None = None
    """The number of the law that it is, in a section of numbered laws."""

    def to_plain(self) -> dict[str, str]:
        """The same as plain data."""
        return {"source": self.source, "at": self.at, "says": self.says}


@cache
def passages_of(source: str) -> tuple[Passage, ...]:
    """Every passage of a text that bears on a rule; none of a text that is not shipped."""
    path = resources.variants() / "passages" / f"{source}.yaml"
    if not path.is_file():
        return ()
    return tuple(_passages(cast("Mapping[str, Any]", load_file(path).to_plain())))


def passages() -> Iterator[Passage]:
    """Every passage that bears on a rule, text by text."""
    for path in sorted((resources.variants() / "passages").glob("*.yaml")):
        yield from passages_of(path.stem)


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
                law=passage["s"] if "label" in section else None,
                bears=tuple(
                    Bearing(sets=b["sets"], readings=b.get("reading", {}))
                    for b in (passage, *passage.get("also", ()))
                    if "sets" in b
                ),
            )


def gives(pattern: str, value: Any, path: str, other: Any) -> bool:
    """Whether a value for a rule, or for all under a pattern, is the other for a path."""
    if not (vocabulary.matches(pattern, path) or pattern == path):
        return False
    leaf = vocabulary.leaf_at(path)
    return bool(vocabulary.canonical(leaf, value) == vocabulary.canonical(leaf, other))
