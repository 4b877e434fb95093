"""A loaded profile as frozen records: what the file says, each thing with its place, nothing yet
decided.

Shipped profiles are loaded without the schema, since tests have held them against it.  A shape that
cannot be converted is then held against it, and told as ever.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import fields, replace
from functools import cache, partial
from pathlib import Path
from typing import Any, Final, TypeVar, cast

from quadrille_core.errors import Place, Problem, ProfileError, QuadrilleError
from quadrille_core.hookspecs import AtLeast, later
from quadrille_core.profile.located import Located, LocatedList, LocatedMap, Node, kind_of
from quadrille_core.profile.naming import with_ids
from quadrille_core.profile.records import (
    FILLED,
    AnswerDoc,
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
    Sentence,
    Source,
    WitnessDoc,
    WitnessFile,
)
from quadrille_core.profile.rule_paths import conditions_of
from quadrille_core.profile.yaml_strict import (
    PROFILE_LIMITS,
    FaultyTreeError,
    Limits,
    load_file,
    load_text,
)
from quadrille_core.vocabulary import leaf_of, parse_amount

T = TypeVar("T")

check_profile: Final[Callable[[Node], list[Problem]]] = later(
    "quadrille_core.profile.paths:check_profile"
)
"""Every fault of a profile that shows without its parents and plugins: its shape, paths and
values."""
load_chain: Final[Callable[..., tuple[ProfileDoc, ...]]] = later(
    "quadrille_core.ruleset.reference:load_chain"
)
faults_of: Final[Callable[..., list[Problem]]] = later("quadrille_core.profile.validation:validate")
"""Every fault of a file's shape: a profile, bibliography, result or record; a file of kind None is
taken at its word."""


# --- loading ---------------------------------------------------------------------------------


def load_profile(
    path: str | os.PathLike[str], *, validate: bool = True, limits: Limits = PROFILE_LIMITS
) -> ProfileDoc:
    """The profile in that file.

    Raises UnreadableError when there is no text to read, ProfileError with every fault otherwise.
    ``validate=False`` leaves the schema out, for files that a test has held against it.
    """
    return _to_profile_from(lambda: load_file(path, limits=limits), validate=validate)


def parse_profile(text: str | bytes, name: str = "<text>", *, validate: bool = True) -> ProfileDoc:
    """The profile in a text that messages call by ``name``; raises as ``load_profile`` does."""
    return _to_profile_from(lambda: load_text(text, name), validate=validate)


def _to_profile_from(load: Callable[[], Node], *, validate: bool) -> ProfileDoc:
    """Read, check and convert a file; errors of YAML and of shape are reported together."""
    try:
        root = load()
    except FaultyTreeError as e:
        if not validate or e.tree is None:
            raise
        known = {(p.place.line, p.place.col) for p in e.problems if p.place}
        # what is missing may be there under a key that was refused
        further = [p for p in check_profile(e.tree) if p.place and p.code != "Q202"]
        found = [
            *e.problems,
            *(p for p in further if p.place and (p.place.line, p.place.col) not in known),
        ]
        raise ProfileError(
            sorted(found, key=lambda p: (p.place.line, p.place.col) if p.place else (0, 0))
        ) from None
    return to_profile(root, validate=validate)


def to_profile(root: Node, *, validate: bool = True) -> ProfileDoc:
    """The profile in a tree of located values; raises ProfileError with every fault.  Empty blocks
    may stand."""
    _without_empty(root, "rules", "readings", "plugins")
    if validate:
        if isinstance(root, LocatedMap):
            with_ids(root, partial(_titles_of_parents, root))
        problems = check_profile(root)
        if problems:
            raise ProfileError(problems)
    return _converted(root, "profile", _profile)


def _titles_of_parents(root: LocatedMap) -> dict[str, str]:
    """The titles of the bids that a profile inherits, by id; none where its parents cannot be
    read."""
    extends, above = root.get("extends"), Path(root.source.name).parent
    name = extends.value if isinstance(extends, Located) else None
    titles: dict[str, str] = {}
    with suppress(QuadrilleError):
        for doc in load_chain(name, above=above) if isinstance(name, str) else ():
            for rule in doc.rules:
                steps = rule.path.split(".")
                if len(steps) == 3 and (steps[0], steps[2]) == ("bids", "title"):
                    titles[steps[1]] = str(rule.value)
    return titles


def _without_empty(root: Node, *keys: str) -> None:
    """Take blocks out in which nothing stands yet."""
    blocks = root.entries if isinstance(root, LocatedMap) else {}
    for key in keys:
        if isinstance(node := blocks.get(key), Located) and node.value is None:
            del blocks[key]


def load_bibliography(path: str | os.PathLike[str], *, validate: bool = True) -> dict[str, Source]:
    """The sources of a bibliography by identifier; raises as ``load_profile`` does."""
    root = load_file(path)
    if validate:
        problems = faults_of(root, "bibliography")
        if problems:
            raise ProfileError(problems)
    return _converted(root, "bibliography", _sources)


def load_witness(path: str | os.PathLike[str]) -> WitnessFile:
    """The witness in that file; raises UnreadableError when there is no text to read, ProfileError
    with every fault otherwise."""
    root = load_file(path)
    _without_empty(root, "points", "cites")
    from quadrille_core.profile.paths import check_profile

    problems = check_profile(root, "witness")
    if problems:
        raise ProfileError(problems)
    return _converted(root, "witness", _witness_file)


def _converted(root: Node, kind: str, convert: Callable[[LocatedMap], T]) -> T:
    """What a tree of the right shape says; of any other, the faults that its schema finds."""
    try:
        return convert(_map(root))
    except (TypeError, KeyError, ValueError):
        problems = faults_of(root, kind)
        if not problems:
            raise
        raise ProfileError(problems) from None


# --- tree → records: TypeError, KeyError or ValueError for a tree of another shape -----------


def _map(node: Node) -> LocatedMap:
    if not isinstance(node, LocatedMap):
        raise TypeError(f"a mapping is wanted, not {kind_of(node.to_plain())}")
    return node


def _entries(parent: LocatedMap, key: str) -> Iterator[tuple[str, Node, Place]]:
    block = parent.get(key)
    for name, node in () if block is None else _map(block).items():
        yield name, node, _map(parent.entries[key]).key_place(name)


def _maps(parent: LocatedMap, key: str) -> Iterator[tuple[str, LocatedMap, Place]]:
    return ((name, _map(node), place) for name, node, place in _entries(parent, key))


def _items(parent: LocatedMap, key: str) -> Iterator[LocatedMap]:
    node = parent.get(key)
    if not isinstance(node, (LocatedList, type(None))):
        raise TypeError(f"{key} is no list")
    return (_map(item) for item in node or ())


def _plain(node: LocatedMap, key: str, kind: type[T], default: T) -> T:
    """The plain value of a key, which is of that type or left out."""
    value = node.get(key)
    if value is None:
        return default
    plain = value.to_plain()
    if type(plain) is not kind:
        raise TypeError(f"{key} is {kind_of(plain)}")
    return plain


def _text(node: LocatedMap, key: str) -> str:
    return _plain(node, key, str, "")


def _texts(node: LocatedMap, key: str) -> tuple[str, ...]:
    found: list[Any] = _plain(node, key, list, [])
    if not all(isinstance(text, str) for text in found):
        raise TypeError(f"{key} is no list of texts")
    return tuple(found)


def _place(node: LocatedMap, key: str) -> Place | None:
    value = node.get(key)
    return None if value is None else value.place


@cache
def _text_fields(kind: type) -> tuple[str, ...]:
    return tuple(f.name for f in fields(kind) if f.type is str)


def _said(kind: type[T], node: LocatedMap, **known: Any) -> T:
    """A record: its texts by the keys of their names, the rest as it is known."""
    names = [name for name in _text_fields(cast("type", kind)) if name not in known]
    missing = (
        {"id", "title"}
        if kind is ProfileDoc
        else {"question", "default"}
        if kind is PointDoc
        else set()
    )
    if absent := missing - known.keys() - node.entries.keys():
        raise KeyError(*absent)
    return kind(**{name: _text(node, name) for name in names}, **known)


def _choices(parent: LocatedMap, key: str) -> tuple[Choice, ...]:
    found = []
    for point, node, place in _entries(parent, key):
        if not isinstance(node, Located) or not isinstance(node.value, str | int):
            raise TypeError(f"{point}: the name of a reading is wanted")
        found.append(Choice(point, str(node.value), place))
    return tuple(found)


def _profile(root: LocatedMap) -> ProfileDoc:
    witnesses = tuple(
        _said(
            WitnessDoc,
            node,
            id=name,
            fills=_choices(node, "fills"),
            silent=_texts(node, "silent"),
            inapplicable=_texts(node, "inapplicable"),
            place=place,
        )
        for name, node, place in _maps(root, "witnesses")
    )
    spoken = {w.id: w.source for w in witnesses}
    cites = {path: (node, place) for path, node, place in _entries(root, "cites")}
    return _said(
        ProfileDoc,
        root,
        name=root.source.name,
        about=_text(root, "about").strip(),
        abstract=_plain(root, "abstract", bool, False),
        extends=_text(root, "extends") or None,
        extends_place=_place(root, "extends"),
        default_witness=_text(root, "default_witness") or None,
        default_witness_place=_place(root, "default_witness"),
        sources=_sources(root),
        witnesses=witnesses,
        plugins=tuple(_plugin(p) for p in _items(root, "plugins")),
        rules=tuple(rule for entry in _entries(root, "rules") for rule in _below(*entry)),
        cites={path: _cited(node) for path, (node, _) in cites.items()},
        cite_places={path: place for path, (_, place) in cites.items()},
        points=tuple(_point(*p, spoken, {}) for p in _maps(root, "points")),
        readings=_choices(root, "readings"),
        assumes=tuple(
            _said(ConstraintDoc, node, requires=_conditions(node, "that"), place=node.place)
            for node in _items(root, "assumes")
        ),
        constraints=tuple(
            _said(
                ConstraintDoc,
                node,
                when=_conditions(node, "when"),
                requires=_conditions(node, "requires"),
                excludes=_conditions(node, "excludes"),
                place=node.place,
            )
            for node in _items(root, "constraints")
        ),
        game=_text(root, "game") or None,
        game_place=_place(root, "game"),
        published=tuple(_published(p) for p in _items(root, "published")),
        place=root.place,
    )


def _sources(root: LocatedMap) -> dict[str, Source]:
    return {name: _source(name, node, place) for name, node, place in _maps(root, "sources")}


def _source(name: str, node: LocatedMap, place: Place) -> Source:
    return _said(
        Source,
        node,
        id=name,
        year=_plain(node, "year", int, 0) or None,
        until=_plain(node, "until", int, 0) or None,
        pages=_plain(node, "pages", dict, {}),
        descends=tuple(_plain(node, "descends", list, [])),
        place=place,
    )


def _witness_file(root: LocatedMap) -> WitnessFile:
    """A witness in a file of its own; its source bears its name."""
    name = _text(root, "id")
    sentences = {s.id: s for s in map(_sentence, _items(root, "sentences"))}
    cites = [(path, _map(node), place) for path, node, place in _entries(root, "cites")]
    return _said(
        WitnessFile,
        root,
        name=root.source.name,
        id=name,
        source=_source(name, _map(root.entries["source"]), _map(root).key_place("source")),
        sentences=tuple(sentences.values()),
        answers=tuple(
            answer for entry in _entries(root, "points") for answer in _answers(*entry, sentences)
        ),
        points=tuple(_point(*p, {name: name}, sentences) for p in _maps(root, "new_points")),
        cites={path: (_of_text(name, node, sentences),) for path, node, _ in cites},
        cite_places={path: place for path, _, place in cites},
        fills=_choices(root, "fills"),
        whole=_plain(root, "whole", bool, False),
        id_place=root.entries["id"].place,
        of_place=root.entries["of"].place,
        place=root.place,
    )


def _sentence(node: LocatedMap) -> Sentence:
    return _said(Sentence, node, id=_number(node.entries["s"]), place=node.place)


def _number(node: Node) -> str:
    if not isinstance(node, Located) or not isinstance(node.value, str | int):
        raise TypeError("the number of a sentence is wanted")
    return str(node.value)


def _where(node: LocatedMap, known: Mapping[str, Sentence]) -> tuple[str, tuple[str, ...]]:
    """Where something stands in a text, if that is told in one place, and its sentences."""
    named = node.get("s")
    items = named.items if isinstance(named, LocatedList) else [named] if named is not None else []
    numbers = tuple(map(_number, items))
    if isinstance(node.get("at"), LocatedMap):
        return "", numbers
    return _text(node, "at") or "; ".join(known[n].where for n in numbers), numbers


def _of_text(source: str, node: LocatedMap, known: Mapping[str, Sentence]) -> Citation:
    """A rule that a text tells as the profile has it, and where."""
    at, numbers = _where(node, known)
    (cite,) = _cited(node)
    return replace(cite, source=source, at=at, sentences=numbers)


def _answers(
    point: str, node: Node, place: Place, known: Mapping[str, Sentence]
) -> Iterator[AnswerDoc]:
    """What a witness says to a point: that it says nothing, or one or more readings."""
    if isinstance(node, Located):
        if node.value not in FILLED:
            raise ValueError(f"{point}: no absence")
        yield AnswerDoc(point=point, absence=str(node.value), place=place)
        return
    for one in node.items if isinstance(node, LocatedList) else (node,):
        entry = _map(one)
        at, numbers = _where(entry, known)
        yield _said(
            AnswerDoc,
            entry,
            at=at,
            sentences=numbers,
            point=point,
            absence="",
            reading=_text(entry, "reads"),
            sets=_sets(entry),
            status=_text(entry, "status") or "attested",
            place=entry.place,
        )


def _plugin(node: LocatedMap) -> PluginDoc:
    return PluginDoc(
        plugin=_text(node, "plugin"),
        parameters={name: value.to_plain() for name, value, _ in _entries(node, "with")},
        places={name: place for name, _, place in _entries(node, "with")},
        after=_texts(node, "after"),
        place=_place(node, "plugin") or node.place,
        drop=_plain(node, "drop", bool, False),
    )


def _below(path: str, node: Node, place: Place) -> Iterator[RuleValue]:
    """The rules at a path of the tree and below it, in the order of the file."""
    if isinstance(node, LocatedMap) and leaf_of(path) is None:
        # Recursion is safe: the depth of a tree was bounded when it was built.
        for name, inner in node.items():
            yield from _below(f"{path}.{name}", inner, node.key_place(name))
    else:
        yield RuleValue(path, node.to_plain(), place)


def _cited(node: Node) -> tuple[Citation, ...]:
    entries = map(_map, node.items if isinstance(node, LocatedList) else [node])
    return tuple(
        _said(
            Citation,
            e,
            status=_text(e, "status") or "attested",
            from_=_text(e, "from"),
            place=e.place,
        )
        for e in entries
    )


def _point(
    name: str,
    node: LocatedMap,
    place: Place,
    spoken: Mapping[str, str],
    known: Mapping[str, Sentence],
) -> PointDoc:
    readings = tuple(_reading(*r, spoken, known) for r in _maps(node, "readings"))
    return _said(PointDoc, node, id=name, readings=readings, place=place)


def _reading(
    name: str,
    node: LocatedMap,
    place: Place,
    spoken: Mapping[str, str],
    known: Mapping[str, Sentence],
) -> ReadingDoc:
    """A reading; one that names sentences is that of the text whose they are."""
    one_place, numbers = _where(node, known)
    witnesses, elsewhere = _texts(node, "witnesses"), _texts(node, "elsewhere")
    if numbers and not witnesses:
        witnesses = tuple(spoken)
    at = node.get("at")
    places = (
        {named: _text(at, named) for named, _ in at.items()} if isinstance(at, LocatedMap) else {}
    )
    return _said(
        ReadingDoc,
        node,
        id=name,
        sets=_sets(node),
        witnesses=witnesses,
        attested=tuple(
            Attestation(w, spoken.get(w, ""), places.get(w, one_place)) for w in witnesses
        ),
        elsewhere=tuple(Elsewhere(s, places.get(s, one_place)) for s in elsewhere),
        at=one_place,
        sentences=numbers,
        status=_text(node, "status") or ("attested" if witnesses or elsewhere else "conjecture"),
        place=place,
    )


def _sets(node: LocatedMap) -> tuple[RuleValue, ...]:
    return tuple(RuleValue(path, v.to_plain(), where) for path, v, where in _entries(node, "set"))


def _conditions(node: LocatedMap, key: str) -> tuple[Condition, ...]:
    found = []
    for path, value, place in _entries(node, key):
        allowed: tuple[Any, ...] = tuple(v.to_plain() for v in conditions_of(leaf_of(path), value))
        if isinstance(value, LocatedMap):
            allowed = tuple(AtLeast(least) for least in allowed)
        found.append(Condition(path, allowed, place))
    return tuple(found)


def _published(node: LocatedMap) -> PublishedDoc:
    share = parse_amount(_text(node, "odds"))
    if not 0 <= share <= 1:
        raise ProfileError.of("odds-no-share", place=_place(node, "odds"))
    return _said(PublishedDoc, node, odds=share, of=_conditions(node, "of"), place=node.place)
