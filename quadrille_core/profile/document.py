"""A loaded profile as frozen records: what the file says, each thing with its place, nothing yet decided.

Shipped profiles are loaded without the schema, since tests have held them against it; the conversion
must therefore bear any shape, and reports one that it cannot convert.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from quadrille_core.errors import Place, Problem, ProfileError
from quadrille_core.hookspecs import AtLeast
from quadrille_core.profile.located import Located, LocatedList, LocatedMap, Node, kind_of
from quadrille_core.profile.records import (
    AssumeDoc,
    Attestation,
    Choice,
    Citation,
    Condition,
    ConstraintDoc,
    Elsewhere,
    PluginDoc,
    PointDoc,
    ProfileDoc,
    PublishedDoc,
    ReadingDoc,
    RuleValue,
    Source,
    WitnessDoc,
)
from quadrille_core.profile.rule_paths import conditions_of, leaf_of
from quadrille_core.profile.yaml_strict import PROFILE_LIMITS, FaultyTreeError, Limits, load_file, load_text
from quadrille_core.vocabulary import MismatchError, parse_amount

__all__ = [
    "AssumeDoc",
    "Attestation",
    "Choice",
    "Citation",
    "Condition",
    "ConstraintDoc",
    "Elsewhere",
    "PluginDoc",
    "PointDoc",
    "ProfileDoc",
    "PublishedDoc",
    "ReadingDoc",
    "RuleValue",
    "Source",
    "WitnessDoc",
    "load_bibliography",
    "load_profile",
    "parse_profile",
    "to_profile",
]

# --- loading ---------------------------------------------------------------------------------


def load_profile(path: str | os.PathLike[str], *, validate: bool = True, limits: Limits = PROFILE_LIMITS) -> ProfileDoc:
    """The profile in that file.

    Raises UnreadableError when there is no text to read, ProfileError with every fault otherwise.
    ``validate=False`` leaves the schema out, for files that a test has held against it.
    """
    return _to_profile_from(lambda: load_file(path, limits=limits), validate=validate)


def parse_profile(text: str | bytes, name: str = "<text>", *, validate: bool = True) -> ProfileDoc:
    """The profile in a text that messages call by ``name``; raises as ``load_profile`` does."""
    return _to_profile_from(lambda: load_text(text, name), validate=validate)


def _to_profile_from(load: Callable[[], Node], *, validate: bool) -> ProfileDoc:
    """Read, check and convert; faults of the YAML and of the shape are told together."""
    try:
        root = load()
    except FaultyTreeError as e:
        if not validate or e.tree is None:
            raise
        from quadrille_core.profile.paths import check_profile

        known = {(p.place.line, p.place.col) for p in e.problems if p.place}
        # what is missing may be there under a key that was refused
        further = [p for p in check_profile(e.tree) if p.place and p.code != "Q202"]
        found = [*e.problems, *(p for p in further if p.place and (p.place.line, p.place.col) not in known)]
        raise ProfileError(sorted(found, key=lambda p: (p.place.line, p.place.col) if p.place else (0, 0))) from None
    return to_profile(root, validate=validate)


def to_profile(root: Node, *, validate: bool = True) -> ProfileDoc:
    """The profile in a tree of located values; raises ProfileError with every fault."""
    if validate:
        from quadrille_core.profile.paths import check_profile

        problems = check_profile(root)
        if problems:
            raise ProfileError(problems)
    reader = _Reader()
    doc = reader.profile(reader.as_map(root, "the file"))
    if reader.problems:
        raise ProfileError(reader.problems)
    return doc


def load_bibliography(path: str | os.PathLike[str], *, validate: bool = True) -> dict[str, Source]:
    """The sources of a bibliography by identifier; raises as ``load_profile`` does."""
    root = load_file(path)
    if validate:
        from quadrille_core.profile.validation import validate as held_against_schema

        problems = held_against_schema(root, "bibliography")
        if problems:
            raise ProfileError(problems)
    reader = _Reader()
    sources = reader.sources(reader.as_map(root, "the file"))
    if reader.problems:
        raise ProfileError(reader.problems)
    return sources


# --- tree → records --------------------------------------------------------------------------


class _Reader:
    """Turns nodes into records, noting every node of the wrong kind and going on with a stand-in."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def wrong(self, node: Node, what: str, expected: str) -> None:
        message = f"{what} should be {expected}, not {kind_of(node.to_plain())}"
        self.problems.append(Problem("Q203", message, node.place))

    def as_map(self, node: Node | None, what: str) -> LocatedMap | None:
        if node is None or isinstance(node, LocatedMap):
            return node
        self.wrong(node, what, "a mapping")
        return None

    def entries(self, parent: LocatedMap | None, key: str) -> Iterator[tuple[str, Node, Place]]:
        block = self.as_map(parent.get(key) if parent is not None else None, key)
        if block is not None:
            for name, node in block.items():
                yield name, node, block.key_place(name)

    def maps(self, parent: LocatedMap | None, key: str) -> Iterator[tuple[str, LocatedMap, Place]]:
        for name, node, place in self.entries(parent, key):
            block = self.as_map(node, name)
            if block is not None:
                yield name, block, place

    def items(self, parent: LocatedMap | None, key: str) -> Iterator[LocatedMap]:
        node = parent.get(key) if parent is not None else None
        if node is None:
            return
        if not isinstance(node, LocatedList):
            self.wrong(node, key, "a list")
            return
        for item in node:
            block = self.as_map(item, f"an item of {key}")
            if block is not None:
                yield block

    def text(self, parent: LocatedMap | None, key: str, *, needed: bool = False) -> str:
        node = parent.get(key) if parent is not None else None
        if isinstance(node, Located) and isinstance(node.value, str):
            return node.value
        if node is not None:
            self.wrong(node, key, "a text")
        elif needed and parent is not None:
            self.problems.append(Problem("Q202", f"{key} is missing", parent.place))
        return ""

    def flag(self, parent: LocatedMap | None, key: str) -> bool:
        node = parent.get(key) if parent is not None else None
        if node is not None and not isinstance(node.to_plain(), bool):
            self.wrong(node, key, "true or false")
        return node is not None and node.to_plain() is True

    def texts(self, parent: LocatedMap, key: str) -> tuple[str, ...]:
        node = parent.get(key)
        if node is None:
            return ()
        plain = node.to_plain()
        if isinstance(plain, list) and all(isinstance(p, str) for p in plain):
            return tuple(plain)
        self.wrong(node, key, "a list of texts")
        return ()

    def choices(self, parent: LocatedMap | None, key: str) -> tuple[Choice, ...]:
        found = []
        for point, node, place in self.entries(parent, key):
            if isinstance(node, Located) and isinstance(node.value, str):
                found.append(Choice(point, node.value, place))
            else:
                self.wrong(node, point, "the name of a reading")
        return tuple(found)

    # One method for each record.

    def profile(self, root: LocatedMap | None) -> ProfileDoc:
        sources = self.sources(root)
        witnesses = tuple(self.witness(*w) for w in self.maps(root, "witnesses"))
        spoken = {w.id: w.source for w in witnesses}
        cites, cite_places = self.cites(root)
        return ProfileDoc(
            name=root.source.name if root is not None else "",
            id=self.text(root, "id", needed=True),
            title=self.text(root, "title", needed=True),
            version=self.text(root, "version"),
            about=self.text(root, "about").strip(),
            abstract=self.flag(root, "abstract"),
            extends=self.text(root, "extends") or None,
            extends_place=_place(root, "extends"),
            default_witness=self.text(root, "default_witness") or None,
            default_witness_place=_place(root, "default_witness"),
            sources=sources,
            witnesses=witnesses,
            plugins=tuple(self.plugin(p) for p in self.items(root, "plugins")),
            rules=tuple(self.rules(root)),
            cites=cites,
            cite_places=cite_places,
            points=tuple(self.point(*p, spoken) for p in self.maps(root, "points")),
            readings=self.choices(root, "readings"),
            assumes=tuple(self.assumption(a) for a in self.items(root, "assumes")),
            constraints=tuple(self.constraint(c) for c in self.items(root, "constraints")),
            game=self.text(root, "game") or None,
            game_place=_place(root, "game"),
            published=tuple(self.published(p) for p in self.items(root, "published")),
            place=root.place if root is not None else Place(""),
        )

    def sources(self, root: LocatedMap | None) -> dict[str, Source]:
        return {name: self.source(name, node, place) for name, node, place in self.maps(root, "sources")}

    def source(self, name: str, node: LocatedMap, place: Place) -> Source:
        year = node.get("year")
        plain: Any = year.to_plain() if year is not None else None
        if year is not None and (not isinstance(plain, int) or isinstance(plain, bool)):
            self.wrong(year, "year", "a whole number")
            plain = None
        return Source(
            id=name,
            author=self.text(node, "author"),
            title=self.text(node, "title"),
            year=plain,
            kind=self.text(node, "kind"),
            of=self.text(node, "of"),
            publisher=self.text(node, "publisher"),
            url=self.text(node, "url"),
            note=self.text(node, "note"),
            place=place,
        )

    def witness(self, name: str, node: LocatedMap, place: Place) -> WitnessDoc:
        return WitnessDoc(
            id=name,
            source=self.text(node, "source", needed=True),
            title=self.text(node, "title"),
            note=self.text(node, "note"),
            fills=self.choices(node, "fills"),
            place=place,
        )

    def plugin(self, node: LocatedMap) -> PluginDoc:
        parameters = {name: value.to_plain() for name, value, _ in self.entries(node, "with")}
        return PluginDoc(
            plugin=self.text(node, "plugin", needed=True),
            parameters=parameters,
            after=self.texts(node, "after"),
            place=_place(node, "plugin") or node.place,
            drop=self.flag(node, "drop"),
        )

    def rules(self, root: LocatedMap | None) -> Iterator[RuleValue]:
        """The tree of rules as paths, in the order of the file."""
        for name, node, place in self.entries(root, "rules"):
            yield from self.below(name, node, place)

    def below(self, path: str, node: Node, place: Place) -> Iterator[RuleValue]:
        if isinstance(node, LocatedMap) and leaf_of(path) is None:
            # Recursion is safe: the depth of a tree was bounded when it was built.
            for name, inner in node.items():
                yield from self.below(f"{path}.{name}", inner, node.key_place(name))
        else:
            yield RuleValue(path, node.to_plain(), place)

    def cites(self, root: LocatedMap | None) -> tuple[dict[str, tuple[Citation, ...]], dict[str, Place]]:
        cites: dict[str, tuple[Citation, ...]] = {}
        places: dict[str, Place] = {}
        for path, node, place in self.entries(root, "cites"):
            places[path] = place
            entries = node.items if isinstance(node, LocatedList) else [node]
            found = [self.as_map(entry, f"the citation of {path[:60]}") for entry in entries]
            cites[path] = tuple(self.citation(entry) for entry in found if entry is not None)
        return cites, places

    def citation(self, node: LocatedMap) -> Citation:
        return Citation(
            self.text(node, "source"),
            self.text(node, "at"),
            self.text(node, "status") or "attested",
            note=self.text(node, "note"),
            filled=self.text(node, "filled"),
            from_=self.text(node, "from"),
            place=node.place,
        )

    def point(self, name: str, node: LocatedMap, place: Place, spoken: Mapping[str, str]) -> PointDoc:
        return PointDoc(
            id=name,
            question=self.text(node, "question", needed=True),
            note=self.text(node, "note"),
            default=self.text(node, "default", needed=True),
            readings=tuple(self.reading(*r, spoken) for r in self.maps(node, "readings")),
            place=place,
        )

    def reading(self, name: str, node: LocatedMap, place: Place, spoken: Mapping[str, str]) -> ReadingDoc:
        witnesses, elsewhere = self.texts(node, "witnesses"), self.texts(node, "elsewhere")
        at = node.get("at")
        places: dict[str, str] = {}
        if isinstance(at, LocatedMap):
            places = {named: self.text(at, named) for named, _ in at.items()}
        one_place = "" if isinstance(at, LocatedMap) else self.text(node, "at")
        return ReadingDoc(
            id=name,
            sets=tuple(RuleValue(path, value.to_plain(), where) for path, value, where in self.entries(node, "set")),
            title=self.text(node, "title"),
            witnesses=witnesses,
            attested=tuple(Attestation(w, spoken.get(w, ""), places.get(w, one_place)) for w in witnesses),
            elsewhere=tuple(Elsewhere(s, places.get(s, one_place)) for s in elsewhere),
            at=one_place,
            status=self.text(node, "status") or ("attested" if witnesses or elsewhere else "conjecture"),
            certainty=self.text(node, "certainty"),
            note=self.text(node, "note"),
            place=place,
        )

    def conditions(self, node: LocatedMap, key: str) -> tuple[Condition, ...]:
        found = []
        for path, value, place in self.entries(node, key):
            allowed: tuple[Any, ...] = tuple(v.to_plain() for v in conditions_of(leaf_of(path), value))
            if isinstance(value, LocatedMap):
                allowed = tuple(AtLeast(least) for least in allowed)
            found.append(Condition(path, allowed, place))
        return tuple(found)

    def assumption(self, node: LocatedMap) -> AssumeDoc:
        return AssumeDoc(
            that=self.conditions(node, "that"),
            reason=self.text(node, "reason"),
            source=self.text(node, "source"),
            place=node.place,
        )

    def constraint(self, node: LocatedMap) -> ConstraintDoc:
        return ConstraintDoc(
            when=self.conditions(node, "when"),
            requires=self.conditions(node, "requires"),
            excludes=self.conditions(node, "excludes"),
            reason=self.text(node, "reason"),
            source=self.text(node, "source"),
            place=node.place,
        )

    def published(self, node: LocatedMap) -> PublishedDoc:
        odds = node.get("odds")
        plain: Any = odds.to_plain() if odds is not None else ""
        try:
            share = parse_amount(plain)
        except MismatchError:
            share = Fraction(-1)
        if not 0 <= share <= 1:
            self.wrong(odds or node, "odds", 'a share of the games, such as "2/5"')
        return PublishedDoc(
            odds=share,
            source=self.text(node, "source", needed=True),
            at=self.text(node, "at"),
            of=self.conditions(node, "of"),
            note=self.text(node, "note"),
            place=node.place,
        )


def _place(node: LocatedMap | None, key: str) -> Place | None:
    value = node.get(key) if node is not None else None
    return value.place if value is not None else None
