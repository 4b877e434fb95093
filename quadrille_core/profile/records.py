"""What a profile says, as frozen records: each thing with its place, nothing yet decided."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final, NamedTuple

from quadrille_core.errors import Place


class RuleValue(NamedTuple):
    """One rule as a profile or a reading sets it."""

    path: str
    value: Any
    place: Place


class Choice(NamedTuple):
    """One reading chosen for a point."""

    point: str
    reading: str
    place: Place


class Attestation(NamedTuple):
    """One witness that attests a reading: the witness, its source if this file names it, and where
    in it."""

    witness: str
    source: str
    at: str


class Elsewhere(NamedTuple):
    """A source from outside the profile's witnesses that has a reading, and where in it."""

    source: str
    at: str


class Condition(NamedTuple):
    """A rule path, with ``*`` for any bid, and the plain values it may have, or an ``AtLeast``."""

    path: str
    allowed: tuple[Any, ...]
    place: Place


FILLED: Final = ("silent", "unseen", "inapplicable")
"""Statuses of a rule that the text does not give: the value is a filling."""


@dataclass(frozen=True, slots=True)
class Citation:
    """Where a rule comes from: a source, the place in it, and how the source speaks."""

    source: str
    at: str = ""
    status: str = "attested"
    note: str = field(default="", kw_only=True)
    filled: str = field(default="", kw_only=True)
    """Where the source is silent, unseen or has no such rule: what is played instead, and why."""
    from_: str = field(default="", kw_only=True)
    """The source that the filling was taken from."""
    certainty: str = field(default="", kw_only=True)
    place: Place | None = field(default=None, kw_only=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One entry of a bibliography."""

    id: str
    author: str = ""
    editor: str = ""
    title: str = ""
    year: int | None = None
    kind: str = ""
    of: str = ""
    via: str = ""
    """The source through which alone this one, unseen, is known."""
    publisher: str = ""
    publisher_place: str = ""
    medium: str = ""
    """``print`` or ``web``."""
    url: str = ""
    seen: str = ""
    """Which revision was seen, or on what date; empty where that is not recorded."""
    language: str = ""
    """As ISO 639 has it."""
    licence: str = ""
    note: str = ""
    pages: Mapping[str, Any] = field(default_factory=dict)
    """Of a text read in part: the pages ``seen``, how many are ``known`` to treat of the game, and
    ``whole``, the places that were read to their end."""
    descends: tuple[Mapping[str, str], ...] = ()
    """The texts that it rests on: ``from`` which, ``how``, by what ``evidence``; ``at`` and
    ``places`` say where."""
    place: Place | None = None

    @property
    def absence(self) -> str:
        """What it means that nothing is cited from it: ``silent``, or ``unseen`` for a text read in
        part."""
        return (
            "unseen"
            if self.pages and len(self.pages["seen"]) != self.pages.get("known")
            else "silent"
        )

    @property
    def testimonium(self) -> str:
        """The unseen text that this source reports or is reported of; empty where the source itself
        was seen."""
        return self.of or (self.id if self.via else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class WitnessDoc:
    """A witness, and what fills the points that it does not answer."""

    id: str
    source: str
    title: str
    note: str
    fills: tuple[Choice, ...]
    silent: tuple[str, ...] = ()
    """Of a text read in part: the points of which the place was read whole, and says nothing."""
    inapplicable: tuple[str, ...] = ()
    """The points that its game cannot have."""
    place: Place

    def absence(self, point: str, source: Source | None) -> str:
        """Why it does not answer a point: ``silent``, ``unseen`` or ``inapplicable``."""
        if point in self.inapplicable:
            return "inapplicable"
        return "silent" if source is None or point in self.silent else source.absence


@dataclass(frozen=True, slots=True, kw_only=True)
class PluginDoc:
    """A plugin that the profile names, with its parameters."""

    plugin: str
    parameters: Mapping[str, Any]
    after: tuple[str, ...]
    place: Place | None
    """Where it is named; nowhere, when a user adds it by hand."""
    drop: bool = False
    """Whether it is inherited and is to do nothing here."""
    places: Mapping[str, Place] = field(default_factory=dict)  # of each parameter


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingDoc:
    """One reading of a point in dispute."""

    id: str
    sets: tuple[RuleValue, ...]
    title: str
    witnesses: tuple[str, ...]
    attested: tuple[Attestation, ...]
    elsewhere: tuple[Elsewhere, ...]
    at: str
    """Where in the source, when the file gives one place for all witnesses and sources; empty
    otherwise."""
    status: str
    """How they speak; where the file names nobody and says nothing, a conjecture."""
    certainty: str
    note: str
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class PointDoc:
    """A point in dispute."""

    id: str
    question: str
    note: str
    default: str
    readings: tuple[ReadingDoc, ...]
    place: Place

    def reading(self, name: str) -> ReadingDoc | None:
        """The reading of that name, or None."""
        return next((r for r in self.readings if r.id == name), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConstraintDoc:
    """Options that go, or do not go, together; of an assumption, what it requires."""

    when: tuple[Condition, ...] = ()
    requires: tuple[Condition, ...]
    excludes: tuple[Condition, ...] = ()
    reason: str
    source: str
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedDoc:
    """Odds of winning that a source gives, and the rules it gives them for."""

    odds: Fraction
    source: str
    at: str
    of: tuple[Condition, ...]
    note: str
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ProfileDoc:
    """One profile as its file states it; equal to itself alone."""

    name: str
    """The file, as messages name it."""
    id: str
    title: str
    version: str
    about: str
    abstract: bool
    extends: str | None
    extends_place: Place | None
    default_witness: str | None
    default_witness_place: Place | None
    sources: Mapping[str, Source]
    witnesses: tuple[WitnessDoc, ...]
    plugins: tuple[PluginDoc, ...]
    rules: tuple[RuleValue, ...]
    cites: Mapping[str, tuple[Citation, ...]]
    cite_places: Mapping[str, Place]
    """Where each key of ``cites`` stands."""
    points: tuple[PointDoc, ...]
    readings: tuple[Choice, ...]
    assumes: tuple[ConstraintDoc, ...]
    """What must stay true in every profile that extends this one."""
    constraints: tuple[ConstraintDoc, ...]
    place: Place
    game: str | None = None
    """The kind of game, where the file says it."""
    game_place: Place | None = None
    published: tuple[PublishedDoc, ...] = ()

    def witness(self, name: str) -> WitnessDoc | None:
        """The witness of that name, or None."""
        return next((w for w in self.witnesses if w.id == name), None)

    def point(self, name: str) -> PointDoc | None:
        """The point of that name, or None."""
        return next((p for p in self.points if p.id == name), None)
