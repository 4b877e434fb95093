"""The table of witnesses and the list of facts, as they stand in ``variants/witnesses``.

A cell is evidence of practice.  It sets no rule, and changes no point of another text.
"""

from collections.abc import Collection, Iterator, Mapping
from functools import cache
from typing import Any, Final

from quadrille_core import resources
from quadrille_core.frozen import frozen, frozen_by_keyword
from quadrille_core.profile import load_file
from quadrille_core.profile.document import load_bibliography
from quadrille_core.profile.records import Source
from quadrille_core.vocabulary import matches

MARKS: Final[Mapping[str, str]] = {
    "agrees": "+",
    "new": "N",
    "silent": "o",
    "inapplicable": "–",
    "unseen": "·",
}
"""What a text does for a question, with its mark in the table."""
SPEAKS: Final = ("agrees", "new")


@frozen_by_keyword
class Fact:
    """One thing that a text says."""

    number: str
    source: str
    at: str
    says: str
    """In our words."""
    figure: bool
    """Whether it has a figure."""
    state: str
    """``represented``, ``table``, ``refused`` or ``not encoded``."""
    why: str
    """Why it is refused or not encoded."""
    rest: str
    """What of it no rule has, though it is represented."""
    places: tuple[Mapping[str, str], ...]
    """What represents it."""


@frozen_by_keyword
class Cell:
    """What one text says of one question."""

    text: str
    state: str
    """One of ``MARKS``."""
    says: str = ""
    facts: tuple[str, ...] = ()
    at: str = ""
    """The places in this text of its own facts; empty where they are another's that it
    translates."""
    of: str = ""
    """The game of which it is said, where that is not Quadrille for four."""
    readings: Mapping[str, str]
    """The readings that it bears out, by point of the profiles."""


@frozen
class Question:
    """A question, with a cell for each text of the table."""

    id: str
    asks: str
    cells: tuple[Cell, ...]
    rules: tuple[str, ...] = ()
    """The rules that answer it, where the readings of its cells do not tell; ``*`` for any bid."""


def _plain(name: str) -> Any:
    return load_file(resources.variants() / "witnesses" / name).to_plain()


@cache
def facts() -> Mapping[str, Fact]:
    """Every fact by its number."""
    data = _plain("facts.yaml")
    reasons = data["reasons"]
    return {
        number: Fact(
            number=number,
            source=one.get("source", source),
            at=one["at"],
            says=one["says"],
            figure=one["figure"],
            state=one["state"],
            why=reasons.get(one.get("why", ""), one.get("why", "")),
            rest=one.get("rest", ""),
            places=tuple(one.get("in", ())),
        )
        for source, own in data["facts"].items()
        for number, one in own.items()
    }


@cache
def questions() -> tuple[Question, ...]:
    """Every question in the order of the table."""
    data = _plain("points.yaml")
    return tuple(
        Question(
            name,
            one["asks"],
            tuple(_cell(text, one.get("texts", {}).get(text)) for text in data["texts"]),
            tuple(one.get("rules", ())),
        )
        for name, one in data["points"].items()
    )


def texts() -> tuple[str, ...]:
    """The texts of the table."""
    return tuple(cell.text for cell in questions()[0].cells)


def _cell(text: str, said: Mapping[str, Any] | None) -> Cell:
    if said is None:
        return Cell(text=text, state="unseen", readings={})
    named = tuple(said.get("facts", ()))
    return Cell(
        text=text,
        state=said["as"],
        says=str(said["says"]),
        facts=named,
        at="; ".join(facts()[number].at for number in named if facts()[number].source == text),
        of=said.get("of", ""),
        readings=said.get("reading", {}),
    )


def bearing_out(point: str, reading: str) -> Iterator[Cell]:
    """The cells of the table that bear out a reading of a point."""
    for question in questions():
        yield from (cell for cell in question.cells if cell.readings.get(point) == reading)


def questions_on(point: str, paths: Collection[str]) -> list[Question]:
    """The questions that a point answers: a text bears out one of its readings, or it decides a
    rule of the question."""
    return [
        q
        for q in questions()
        if any(point in cell.readings for cell in q.cells)
        or any(matches(pattern, path) for pattern in q.rules for path in paths)
    ]


@cache
def shelf() -> Mapping[str, Source]:
    """The shared bibliography."""
    return load_bibliography(resources.bibliography(), validate=False)
