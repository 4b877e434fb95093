"""The JSON Schema of a file of evidence: the reports of books, in pieces that are checked against
readings."""

from collections.abc import Mapping
from functools import cache

from quadrille_core.features import ask
from quadrille_core.hookspecs import EvidenceKind
from quadrille_core.profile.schema import Schema, written


def _piece(schema: Schema) -> Schema:
    piece: Schema = schema["properties"]["evidence"]["items"]
    return piece


@cache
def brought() -> Mapping[str, EvidenceKind]:
    """The kinds that features bring, by name."""
    ours = {
        branch["if"]["properties"]["kind"]["const"]
        for branch in _piece(written("evidence"))["allOf"]
    }
    found = (kind for _, kinds in ask("quadrille_evidence") for kind in kinds)
    return {kind.name: kind for kind in found if kind.name not in ours}


def evidence() -> Schema:
    """The schema as it is written, with the kinds that features bring; results and records are
    those of their files."""
    schema, result, record = written("evidence"), written("result"), written("record")
    deal = {
        # a book tells whose the tricks were; a number alone is for who settles at a table
        "properties": {
            **{
                k: v
                for k, v in result["properties"].items()
                if k not in ("kind", "rules", "readings")
            },
            "tricks": by_player(result["properties"]["tricks"]),
        },
        "required": [k for k in result["required"] if k != "rules"],
    }
    piece = _piece(schema)
    every = piece["properties"]
    for key in ("result", "first", "second"):
        every[key] |= deal
    every["record"] = record | {"description": every["record"]["description"]}
    for kind in brought().values():
        piece["properties"] = {key: dict(one) for key, one in kind.keys.items()} | piece[
            "properties"
        ]
        every["kind"]["enum"].append(kind.name)
        then = {
            "properties": dict.fromkeys(("id", "kind", "source", "at", "note", *kind.keys), True),
            "additionalProperties": False,
            "required": list(kind.keys),
        }
        said = {"properties": {"kind": {"const": kind.name}}, "required": ["kind"]}
        piece["allOf"].append({"if": said, "then": then})
    return schema


def by_player(tricks: Schema) -> Schema:
    """The schema of tricks that are told of each player."""
    rest = {k: v for k, v in tricks.items() if k != "minimum"}
    return {
        **rest,
        "type": "object",
        "description": tricks["description"].partition(". A number")[0] + ".",
    }
