"""Checks a file against its schema: all errors in one pass, each in plain words with its position.

jsonschema finds the faults; its messages are not used, since they quote whatever stands in the
file. Only here is jsonschema imported, and only when a file is checked.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any, Final

from quadrille_core.errors import (
    Edit,
    Hint,
    Place,
    PlaceAt,
    Problem,
    Replace,
    did_you_mean,
    nowhere,
)
from quadrille_core.features import installed
from quadrille_core.kinds import KINDS, TRICKS
from quadrille_core.profile import words
from quadrille_core.profile.located import Located, LocatedList, LocatedMap, Node, place_at, shown
from quadrille_core.profile.rule_paths import rule_places, takes
from quadrille_core.profile.schema import kinds, leaf_schema, schema_of, word_of
from quadrille_core.vocabulary import is_prefix, kind_of, leaf_of

MOST_SHOWN: Final = 200
MOST_FOUND: Final = 5000
"""Where the search for faults ends: no file within the limits deserves more."""

Path = tuple[str | int, ...]
Say = Callable[[], Problem]
Fault = tuple[Path, bool, Say]
"""Where a fault is in the tree, whether at the key, and the problem without a place."""
Pending = tuple[Place, Say]
"""A fault that is found and placed; what its problem is, is looked for only where it is shown."""


def validate(root: Node, kind: str | None = "profile") -> list[Problem]:
    """Every fault of a file's shape, in the order of the file; ``kind`` is one of
    ``schema.kinds()``.

    With kind None the file is taken for what it says it is.
    """
    return spoken(shape_faults(root, kind)[0])


def shape_faults(root: Node, kind: str | None) -> tuple[list[Pending], set[Path] | None]:
    """The faults of a file's shape, and every path with a fault at it or below it.

    In place of the paths stands None when the file is so little of that kind that its content says
    nothing.
    """
    if not isinstance(root, LocatedMap):
        return [
            (root.place, lambda: words.wrong_type((), root.to_plain(), {"type": "object"}))
        ], None
    wrong, kind = _kind(root, kind)
    if kind is None:
        return wrong, None
    # which leaves a plugin has is known once it is loaded, and held against them then
    own = {("rules", name) for name in plugin_blocks(root)} if kind == "profile" else set()
    faults = [
        f
        for f in _faults(root.to_plain(), _validator(kind))
        if f[0] not in own and not (wrong and f[0] == ("kind",))
    ]
    touched = {path[:depth] for path, _, _ in faults for depth in range(1, len(path) + 1)}
    return [
        *wrong,
        *((place_at(root, path, key=at_key), say) for path, at_key, say in faults),
    ], touched


def plugin_blocks(root: LocatedMap) -> set[str]:
    """The blocks below which plugins may have leaves of their own: those that the file names, and
    all installed."""
    uses = root.get("plugins")
    named = uses.to_plain() if isinstance(uses, LocatedList) else ()
    here = [
        use["plugin"]
        for use in named
        if isinstance(use, dict) and isinstance(use.get("plugin"), str)
    ]
    return {name for name in (*here, *installed()) if kind_of(name) is None}


def plain_faults(data: Any, kind: str, place: PlaceAt = nowhere) -> list[Problem]:
    """The faults of data that need not be in a text, at most MOST_SHOWN; ``place`` tells where a
    path stands."""
    found = [
        (say(), place(path, key=key))
        for path, key, say in _faults(data, _validator(kind))[:MOST_SHOWN]
    ]
    placed = [replace(problem, place=where) for problem, where in found]
    return list({(p.code, p.variant, repr(p.data), p.place): p for p in placed}.values())


def leaf_faults(pattern: str, node: Node, path: Path) -> list[Pending]:
    """The faults of one rule's value by its leaf's schema; ``path`` is what messages call it."""
    faults = _faults(node.to_plain(), _leaf_validator(pattern), path)
    return [(place_at(node, below[len(path) :], key=at_key), say) for below, at_key, say in faults]


def spoken(pending: Iterable[Pending]) -> list[Problem]:
    """The faults in the order of the file, none twice, at most MOST_SHOWN and then how many
    more."""
    ordered = sorted(pending, key=lambda fault: (fault[0].line, fault[0].col))
    problems: dict[tuple[str, str, str, Place], Problem] = {}
    for number, (place, say) in enumerate(ordered):
        if len(problems) == MOST_SHOWN:
            left = {"number": len(ordered) - number}
            more = "more-faults" if len(ordered) < MOST_FOUND else "at-least-more-faults"
            rest = Problem(say().code, more, left, Place(place.path))
            return [*problems.values(), rest]
        problem = replace(say(), place=place)
        problems.setdefault((problem.code, problem.variant, repr(problem.data), place), problem)
    return list(problems.values())


def _kind(root: LocatedMap, wanted: str | None) -> tuple[list[Pending], str | None]:
    """The schema to check the file against, or None, and what is wrong with ``kind``."""
    known = {word_of(name): name for name in kinds()}
    node = root.get("kind")
    if node is None:
        if wanted is None:
            unsaid = Problem("Q202", "no-kind", {"kinds": [f"`kind: {k}`" for k in known]})
            return [(root.place, lambda: unsaid)], None
        return [], wanted
    said = node.value if isinstance(node, Located) and isinstance(node.value, str) else None
    if wanted is None and said in known:
        return [], known[said]
    if wanted is not None and said == word_of(wanted):
        return [], wanted
    data = {"said": said or node.to_plain(), "wanted": None if wanted is None else word_of(wanted)}
    hint: Hint | None
    if wanted is None:
        variant, hint = "unknown-kind", did_you_mean(said or "", known)
    else:
        variant, hint = "another-kind", None
    problem = Problem("Q208", variant if said else f"{variant}-no-word", data, hint=hint)
    # What is plainly another kind of file is not told forty times over that it is none of this
    # kind.
    hopeless = said in known or wanted is None
    return [(node.place, lambda: problem)], None if hopeless else wanted


# --- jsonschema ------------------------------------------------------------------------------


@cache
def _validator_class() -> Any:
    """The validator of draft 2020-12 with three keywords of our own making.

    ``uniqueItems`` compares every pair in the original; ``required`` does not tell its caller which
    key it misses; and ``pattern`` takes a line break at the end for part of ``$``.
    """
    import re

    from jsonschema import Draft202012Validator, ValidationError, validators

    def unique(validator: Any, wanted: bool, instance: Any, schema: Any) -> Iterator[Any]:
        del validator, schema
        if not wanted or not isinstance(instance, list):
            return
        seen: set[tuple[type, Any]] = set()
        for index, item in enumerate(instance):
            # A collection in a list of words is a fault of its own.
            if isinstance(item, (str, int)):
                if (type(item), item) in seen:
                    yield ValidationError("repeated", validator_value=index)
                seen.add((type(item), item))

    def required(validator: Any, keys: list[str], instance: Any, schema: Any) -> Iterator[Any]:
        del validator, schema
        if isinstance(instance, dict):
            yield from (
                ValidationError("missing", validator_value=k) for k in keys if k not in instance
            )

    def pattern(validator: Any, wanted: str, instance: Any, schema: Any) -> Iterator[Any]:
        del validator, schema
        if isinstance(instance, str) and not re.fullmatch(wanted[1:-1], instance):
            yield ValidationError("malformed")

    keywords = {"uniqueItems": unique, "required": required, "pattern": pattern}
    return validators.extend(Draft202012Validator, keywords)  # type: ignore[no-untyped-call]


def _made(schema: Mapping[str, Any]) -> Any:
    import referencing

    # An empty registry: a schema that names another by its address must never be fetched.
    return _validator_class()(dict(schema), registry=referencing.Registry())


@cache
def _validator(kind: str) -> Any:
    return _made(schema_of(kind))


@cache
def _leaf_validator(pattern: str) -> Any:
    return _made(leaf_schema(pattern))


def _faults(plain: Any, validator: Any, prefix: Path = ()) -> list[Fault]:
    faults: list[Fault] = []
    for error in validator.iter_errors(plain):
        faults += _fault(error, prefix)
        if len(faults) >= MOST_FOUND:
            break
    return faults


def _fault(error: Any, prefix: Path) -> Iterator[Fault]:
    path: Path = (*prefix, *error.absolute_path)
    keyword, wanted, value = error.validator, error.validator_value, error.instance
    schema: Mapping[str, Any] = error.schema if isinstance(error.schema, dict) else {}
    if "propertyNames" in error.absolute_schema_path and keyword == "enum":
        if kind_of(value) is not None:  # a block of no kind is told as an unknown key
            yield (*path, value), True, partial(_of_another_kind, value, wanted)
    elif "propertyNames" in error.absolute_schema_path:
        yield (*path, value), True, partial(words.malformed, path, value, str(wanted), key=True)
    elif keyword == "additionalProperties":
        allowed = list(schema.get("properties", {}))
        for key in value:
            if key not in allowed:
                yield (*path, key), True, _unknown(path, key, allowed, value)
    elif keyword == "uniqueItems":
        index = int(str(wanted))
        yield (*path, index), False, partial(words.repeated, path, value[index])
    elif not _is_told_elsewhere(keyword, path, value, schema):
        make = _MADE.get(keyword)
        data = {"path": path, "keyword": keyword}
        say = partial(Problem, "Q203", "does-not-fit", data)
        if make is not None:
            say = partial(make, path, value, wanted, schema)
        yield path, keyword == "required", say


def _is_told_elsewhere(keyword: str, path: Path, value: Any, schema: Mapping[str, Any]) -> bool:
    """Whether another fault tells it: the key that has swallowed its value, the point that has no
    such reading, the type that is wrong to begin with."""
    if keyword == "type":
        is_reading = path[:-1] == ("readings",) and isinstance(value, int)
        return (value is None and ":" in str(path[-1:])) or is_reading
    return keyword in ("enum", "const") and "type" in schema and not isinstance(value, str)


_MADE: Final[Mapping[str, Callable[..., Problem]]] = {
    "required": lambda path, value, wanted, schema: words.missing_key(path, str(wanted)),
    "type": lambda path, value, wanted, schema: words.wrong_type(path, value, schema),
    "enum": lambda path, value, wanted, schema: words.not_allowed(path, value, wanted),
    "const": lambda path, value, wanted, schema: words.not_allowed(path, value, [wanted]),
    "pattern": lambda path, value, wanted, schema: words.malformed(path, value, str(wanted)),
    "minimum": lambda path, value, wanted, schema: words.out_of_range(path, value, schema),
    "maximum": lambda path, value, wanted, schema: words.out_of_range(path, value, schema),
    "minItems": lambda path, value, wanted, schema: words.wrong_length(path, wanted, "item"),
    "minProperties": lambda path, value, wanted, schema: words.wrong_length(path, wanted, "entry"),
    "minLength": lambda path, value, wanted, schema: words.empty_text(path),
}
"""The problem of each keyword of a schema."""


def _of_another_kind(block: str, allowed: Sequence[str]) -> Problem:
    """A block that belongs to another kind of game."""
    mine, other = kind_of(allowed[0]) or TRICKS, kind_of(block) or TRICKS
    data = {"block": block, "other": KINDS[other].article, "mine": KINDS[mine].article}
    return Problem("Q605", "other-game", {**data, "game": other})


def _nested(path: Path, key: str, value: Any, beside: Mapping[str, Any]) -> Hint | None:
    """How a dotted path is written as keys within keys, where it names a rule; None where it names
    none.

    ``beside`` is the mapping in which it stands: what it has of the same block is to stand
    together.
    """
    is_block = isinstance(value, (dict, list))
    for typed in (key, key.replace("-", "_")) if "." in key else ():
        steps = (
            typed.split(".") if path or key.startswith("rules.") else ["rules", *typed.split(".")]
        )
        named = ".".join([*map(str, path), *steps][1:])
        if leaf_of(named) is not None or (is_block and is_prefix(named)):
            break
    else:
        return None
    shared = _shared(steps, {k: v for k, v in beside.items() if k != key})
    if is_block:
        last = ".".join(steps[max(shared, 1) :])
        return Edit("under-one", tuple(steps[: max(shared, 1)]), (f"{last}:",))
    is_word = isinstance(value, str) and (
        value.isdecimal() or value.replace("-", "_").isidentifier()
    )
    text = shown(value, 80) if isinstance(value, str) and not is_word else str(value).lower()
    for step in reversed(steps[shared + 1 :]):
        text = f"{{{step}: {text}}}"
    text = f"{steps[shared]}: {text}"
    return (
        Edit("under-one", tuple(steps[:shared]), (text,)) if shared else Replace(text, "write-code")
    )


def _shared(steps: Sequence[str], beside: Mapping[str, Any]) -> int:
    """How many blocks of a dotted path stand beside it already, written out or dotted."""
    found, inner = 0, beside
    while found < len(steps) - 1 and isinstance(below := inner.get(steps[found]), dict):
        found, inner = found + 1, below
    for other in beside:
        same = 0
        for mine, theirs in zip(steps[:-1], other.split(".")[:-1], strict=False):
            if mine != theirs:
                break
            same += 1
        found = max(found, same)
    return found


def _unknown(path: Path, key: str, allowed: Sequence[str], within: Mapping[str, Any]) -> Say:
    return lambda: words.unknown_key(path, key, _meant(path, key, allowed, within))


def _meant(path: Path, key: str, allowed: Sequence[str], within: Mapping[str, Any]) -> Hint | None:
    """Where an unknown key belongs, how it is written, or which keys are near; None where that is
    not clear."""
    value = within[key]
    if path[:1] == ("plugins",) and len(path) == 2 and "plugin" not in within:
        hint = words.plugin_help(key, value)
    else:
        hint = _nested(path, key, value, within)
    if hint is None and (path[:1] == ("rules",) or "rules" in allowed):
        places = rule_places(key, _kind_beside(path, within))
        if places or "." in key:  # a near key beside it is no stand-in for another rule
            return _put_under(places, value)
    return hint or did_you_mean(key, allowed, what="the keys here are")


def _put_under(places: Sequence[Sequence[str]], value: Any) -> Hint | None:
    """The nearest of these places that take such a value, if it is one or two."""
    taking = [place for place in places if takes(place, value)]
    nearest = [place for place in taking if len(place) == min(map(len, taking))]
    ways = [Edit("under", ("rules", *blocks), (f"{last}:",)) for *blocks, last in nearest]
    if len(ways) == 2:
        return ways[0], ways[1]
    return ways[0] if len(ways) == 1 else None


def _kind_beside(path: Path, within: Mapping[str, Any]) -> str:
    """The kind of game of a block, or of what stands beside a key."""
    game = str(within.get("game"))
    found = (kind_of(str(block)) for block in path[1:2] or within)
    return game if game in KINDS else next(filter(None, found), TRICKS)
