"""The JSON Schemas of the files that users write: those in ``schemas/``, with what the vocabulary has to say.

What does not depend on the vocabulary stands in the files themselves.  The tree of rules in that of a profile, and the
kinds of game, are made here from the kinds that are installed; ``python tests/schemas.py`` puts them into the files.
"""

import json
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from quadrille_core.features import ask
from quadrille_core.hookspecs import FileKind
from quadrille_core.kinds import KINDS as GAMES
from quadrille_core.profile.leaf_schema import Schema, kinds_schema, rules_schema
from quadrille_core.resources import schemas

OURS: Final = ("profile", "bibliography", "result", "record")
"""The core's own files that have a schema.  A record says ``kind: deal``, and a result need not say what it is."""


@cache
def brought() -> Mapping[str, FileKind]:
    """The kinds of files that features bring, by name."""
    found: dict[str, FileKind] = {}
    for _, kinds in ask("quadrille_files"):
        for kind in kinds:
            if kind.name not in OURS:
                found.setdefault(kind.name, kind)
    return MappingProxyType(dict(sorted(found.items())))


def kinds() -> tuple[str, ...]:
    """Every kind of file that has a schema."""
    return (*OURS, *brought())


def word_of(name: str) -> str:
    """What such a file says after ``kind:``."""
    return "deal" if name == "record" else name


def written(name: str) -> Schema:
    """The schema of that name in ``schemas/``, as it is written there, without its head."""
    whole: Schema = json.loads((schemas() / f"{name}.schema.json").read_bytes())
    return {key: value for key, value in whole.items() if key not in ("$schema", "title")}


def _profile() -> Schema:
    schema = written("profile")
    schema["properties"]["game"]["enum"] = list(GAMES)
    schema["properties"]["rules"] = rules_schema()
    return schema | {"allOf": kinds_schema()}


def _any_file() -> Schema:
    """The schema of whichever file it is, for an editor that is told one schema for a whole folder."""
    branches = [
        {
            "if": {"properties": {"kind": {"const": word_of(name)}}, "required": ["kind"]},
            "then": {"$ref": f"{name}.schema.json"},
        }
        for name in kinds()
    ]
    known = {"description": "What this file is.", "enum": [word_of(name) for name in kinds()]}
    return {"type": "object", "properties": {"kind": known}, "required": ["kind"], "allOf": branches}


@cache
def schema_of(name: str) -> Schema:
    """The JSON Schema of a kind of file, one of ``kinds``, or of any by its ``kind`` (``file``).

    The schema is shared: do not change it.
    """
    made = {"profile": _profile, "file": _any_file} | {kind.name: kind.schema for kind in brought().values()}
    make = made.get(name)
    schema = written(name) if make is None else make()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": f"Quadrille: {name}", **schema}
