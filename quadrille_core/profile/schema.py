"""The JSON Schemas of the files that users write: those in ``schemas/``, with what the vocabulary
has to say.

What does not depend on the vocabulary stands in the files themselves.  The tree of rules in that of
a profile, and the kinds of game, are made here from the kinds that are installed;
``python tools/regenerate.py`` puts them into the files.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass
from fractions import Fraction
from functools import cache
from typing import Any, Final, Literal, cast, get_args, get_origin

from quadrille_core.cards import SUITS, Card, Suit
from quadrille_core.features import FeatureError, LazyMapping, ask
from quadrille_core.hookspecs import FileKind
from quadrille_core.kinds import KINDS, TRICKS
from quadrille_core.kinds import KINDS as GAMES
from quadrille_core.resources import schemas
from quadrille_core.vocabulary import Leaf, blocks_of, every_leaf, fields_of

Schema = dict[str, Any]

# All patterns begin with ^ and end with $, and mean the whole text (see ``validation``).
IDENTIFIER: Final = "^[a-z][a-z0-9_-]{0,63}$"
AMOUNT: Final = "^-?[0-9]{1,18}(/0{0,17}[1-9][0-9]{0,17})?$"
SUIT: Final = "^([Ss]pades|[Hh]earts|[Cc]lubs|[Dd]iamonds|[SHCDshcd♠♥♣♦♤♡♧♢]|none)$"
ODDS: Final = "^(0|[1-9][0-9]{0,5})/[1-9][0-9]{0,5}$"
EXTENDS: Final = "^([a-z][a-z0-9_-]{0,63}|.{1,500}\\.ya?ml)$"
CARD: Final = "^[SHCDshcd♠♥♣♦♤♡♧♢][AKQJakqj2-7]$"


def described(schema: Schema, doc: str) -> Schema:
    """The schema with a description, first, as a reader of the file wants it."""
    return {"description": doc, **schema} if doc else schema


def _value(hint: Any, leaf: Leaf) -> Schema:
    origin, inner = get_origin(hint), get_args(hint)
    if type(None) in inner:
        schema = _value(next(a for a in inner if a is not type(None)), leaf)
        schema["type"] = [schema["type"], "null"]
        if "enum" in schema:
            schema["enum"] = [*schema["enum"], None]
        return schema
    if origin is Literal:
        return {"type": "string", "enum": list(inner)}
    if origin is tuple:
        return _list(inner[0], leaf)
    if hint is Fraction:
        return {"type": ["integer", "string"], "pattern": AMOUNT, **_bounds(leaf)}
    if hint is int:
        return {"type": "integer", **_bounds(leaf)}
    simple: dict[Any, Schema] = {
        bool: {"type": "boolean"},
        str: {"type": "string", "minLength": 1},
        Card: {"type": "string", "pattern": CARD},
        Suit: {"type": "string", "enum": list(SUITS)},
    }
    if is_dataclass(hint):
        return _entry(cast("type", hint))
    if hint not in simple:
        raise AssertionError(f"the vocabulary uses a type that the schema does not know: {hint}")
    return simple[hint]


def _list(item: Any, leaf: Leaf) -> Schema:
    schema: Schema = {"type": "array", "items": _value(item, leaf)}
    if item is int:
        # The one list of numbers is a packet: of no cards, or of more than a hand, it is none.
        schema["items"] = {"type": "integer", "minimum": 1, "maximum": 10}
        schema["minItems"] = 1
    elif get_origin(item) is not tuple:
        schema["uniqueItems"] = True
    return schema


def _entry(kind: type) -> Schema:
    """The schema of a record in a list: every key, each with its description."""
    properties = {}
    for f in fields_of(kind):
        doc, low, high = (f.metadata[key] for key in ("doc", "low", "high"))
        properties[f.name] = described(
            _value(f.type, Leaf("", f.type, doc, None, low, high, None)), doc
        )
        if f.type is str:
            properties[f.name]["maxLength"] = high
        elif f.type is Suit:
            properties[f.name]["enum"].append("none")
    required = list(properties)
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


def _bounds(leaf: Leaf) -> Schema:
    bounds = {"minimum": leaf.low, "maximum": leaf.high}
    return {name: value for name, value in bounds.items() if value is not None}


@cache
def leaf_schema(pattern: str) -> Mapping[str, Any]:
    """The schema of the leaf with that pattern."""
    leaf = every_leaf()[pattern]
    schema = described(_value(leaf.type, leaf), leaf.doc)
    if leaf.has_default:
        schema["default"] = leaf.default_plain()
    return schema


def rules_schema() -> Schema:
    """The schema of a partial tree of rules: every block and leaf may be left out, none may be
    misspelt.

    It holds the blocks of every kind of game; ``kinds_schema`` says which of them a profile may
    have.
    """
    docs = block_docs()
    root = _block("The rules, block by block; which blocks there are depends on the kind of game.")
    for pattern, leaf in every_leaf().items():
        steps = pattern.split(".")
        block = root
        for depth, step in enumerate(steps):
            if depth == len(steps) - 1:
                below = dict(leaf_schema(pattern))
            else:
                path = ".".join(steps[: depth + 1])
                below = _block(docs.get(path, ""), nullable=path == leaf.optional_block)
            if step == "*":
                if block["additionalProperties"] is False:
                    del block["properties"]
                    block["propertyNames"] = {"pattern": IDENTIFIER}
                    block["additionalProperties"] = below
                block = block["additionalProperties"]
            else:
                block = block["properties"].setdefault(step, below)
    return root


def kinds_schema() -> list[Schema]:
    """For each kind of game: a profile of that kind has blocks of that kind's vocabulary only.

    What a profile that says nothing of its kind is of, its parent decides; without one it is of the
    first.
    """
    found: list[Schema] = []
    for kind in KINDS:
        said: Schema = {"properties": {"game": {"const": kind}}, "required": ["game"]}
        if kind == TRICKS:
            unsaid: Schema = {"properties": {"game": False, "extends": False}}
            said = {"if": {"required": ["game"]}, "then": said, "else": unsaid}
        names = {"enum": list(blocks_of(kind))}
        found.append({"if": said, "then": {"properties": {"rules": {"propertyNames": names}}}})
    return found


def _block(doc: str, *, nullable: bool = False) -> Schema:
    kind: Any = ["object", "null"] if nullable else "object"
    return described({"type": kind, "properties": {}, "additionalProperties": False}, doc)


@cache
def block_docs() -> Mapping[str, str]:
    """What each block of rules is about, by its pattern: the first line of its dataclass's
    docstring."""
    docs: dict[str, str] = {}
    waiting: list[tuple[type, str]] = [(kind.root, "") for kind in KINDS.values()]
    while waiting:
        cls, path = waiting.pop()
        docs[path] = " ".join((cls.__doc__ or "").partition("\n\n")[0].split())
        for f in fields_of(cls):
            below = f"{path}.{f.name}" if path else f.name
            if f.item is not None:
                docs[below] = "One entry for each bid, by the bid's identifier."
                below += ".*"
            if f.block:
                waiting.append((f.item or f.hint, below))
    return docs


OURS: Final = ("profile", "witness", "bibliography", "result", "record")
"""The core's own files that have a schema.  A record says ``kind: deal``, and a result need not say
what it is."""


BROUGHT: Final[Mapping[str, FileKind]] = LazyMapping(
    lambda: sorted(((k.name, k) for k in _files()), key=lambda one: one[0])
)
"""The kinds of files that features bring, by name."""


def _files() -> Iterator[FileKind]:
    return (kind for _, kinds in ask("quadrille_files") for kind in kinds if kind.name not in OURS)


def kinds() -> tuple[str, ...]:
    """Every kind of file that has a schema."""
    return (*OURS, *BROUGHT)


def word_of(name: str) -> str:
    """What such a file says after ``kind:``."""
    return "deal" if name == "record" else name


def written(name: str) -> Schema:
    """The schema of that name in ``schemas/``, as it is written there, without its head."""
    try:
        whole: Schema = json.loads((schemas() / f"{name}.schema.json").read_bytes())
    except FileNotFoundError:
        raise FeatureError.of("no-schema", name=name) from None
    return {key: value for key, value in whole.items() if key not in ("$schema", "title")}


def _profile() -> Schema:
    schema = written("profile")
    schema["properties"]["game"]["enum"] = list(GAMES)
    schema["properties"]["rules"] = rules_schema()
    return schema | {"allOf": kinds_schema()}


def _witness() -> Schema:
    """A witness in a file of its own: its source and points are those of a bibliography and a
    profile, whose readings may name its sentences."""
    schema, profile = written("witness"), written("profile")
    schema["properties"]["source"] = profile["$defs"]["source"]
    schema["properties"]["new_points"] = profile["properties"]["points"]
    schema["$defs"]["reading"] = profile["$defs"]["reading"]
    schema["$defs"]["reading"]["properties"]["s"] = schema["$defs"]["answer"]["properties"]["s"]
    return schema


def _any_file() -> Schema:
    """A schema for files of any kind, for editors that take one schema for a folder."""
    branches = [
        {
            "if": {"properties": {"kind": {"const": word_of(name)}}, "required": ["kind"]},
            "then": {"$ref": f"{name}.schema.json"},
        }
        for name in kinds()
    ]
    known = {"description": "What this file is.", "enum": [word_of(name) for name in kinds()]}
    return {
        "type": "object",
        "properties": {"kind": known},
        "required": ["kind"],
        "allOf": branches,
    }


@cache
def schema_of(name: str) -> Schema:
    """The JSON Schema of a kind of file, one of ``kinds``, or of any by its ``kind`` (``file``).

    The schema is shared: do not change it.
    """
    made = {"profile": _profile, "witness": _witness, "file": _any_file} | {
        kind.name: kind.schema for kind in BROUGHT.values()
    }
    make = made.get(name)
    schema = written(name) if make is None else make()
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Quadrille: {name}",
        **schema,
    }
