"""The schema of a manifest: what a study was asked, by which rules, and what it found."""

from typing import Any, Final

from quadrille_core.profile.leaf_schema import Schema, described

FORM: Final = 1
"""The form of manifests that this version writes and reads."""
SHA256: Final = "^[0-9a-f]{64}$"
PLAIN: Final = "^[^\\x00-\\x1f\\x7f-\\x9f\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]+$"
"""Text that a terminal shows as it stands: a manifest may be a stranger's."""
LONGEST: Final = 4096
"""Characters of a parameter or a path, at most."""


def _mapping(doc: str, properties: Schema, *, required: bool = True) -> Schema:
    schema = described({"type": "object", "properties": properties, "additionalProperties": False}, doc)
    return {**schema, "required": list(properties)} if required else schema


def _text(doc: str, longest: int = LONGEST) -> Schema:
    return {"description": doc, "type": "string", "pattern": PLAIN, "minLength": 1, "maxLength": longest}


def _digest(doc: str) -> Schema:
    return {"description": doc, "type": "string", "pattern": SHA256}


def _list(doc: str, items: Schema, most: int) -> Schema:
    return {"description": doc, "type": "array", "items": items, "maxItems": most}


def _words(doc: str, *kinds: str) -> Schema:
    return described(
        {"type": "object", "additionalProperties": {"type": ["string", *kinds]}, "maxProperties": 1000}, doc
    )


def manifest_schema() -> dict[str, Any]:
    """The schema, to be completed with its draft and title."""
    plain = ["string", "number", "boolean"]
    given: Schema = {"type": [*plain, "array"], "maxLength": LONGEST, "maxItems": 1000}
    given["items"] = {"type": plain, "maxLength": LONGEST}
    plugin = _mapping(
        "A plugin that shaped the rules.",
        {
            "name": _text("Its name.", 200),
            "version": _text("Its version.", 200),
            "package": {"description": "The package it comes from.", "type": "string", "maxLength": 200},
            "parameters": _words("Its parameters that differ from their defaults.", "boolean", "integer"),
        },
    )
    rule_set = _mapping(
        "A rule set of the study.",
        {
            "reference": _text("The rule set as it is named on the command line."),
            "profile": _text("The profile: its name, or its path as it was given."),
            "witness": {"description": "The witness, if one was chosen.", "type": ["string", "null"], "maxLength": 200},
            "readings": _words("The readings chosen by hand, by point."),
            "settings": described(
                {"type": "object", "maxProperties": 1000}, "The rules set by hand, by path, each as a plain value."
            ),
            "plugins": _list("The plugins that shaped the rules, with their versions.", plugin, 100),
            "digest": _digest("The digest of the rules."),
            "rules": described(
                {"type": "object", "maxProperties": 10_000}, "Every rule by its path, to tell which of them differ."
            ),
        },
    )
    file = _mapping(
        "A file that the study read.",
        {"path": _text("Its path as it was given."), "sha256": _digest("The SHA-256 of its bytes.")},
    )
    schema = _mapping(
        "A manifest: what a study was asked, by which rules, and what it found, so that it can be run again.",
        {
            "kind": {"description": "What this file is.", "const": "manifest"},
            "form": {"description": "The form of the manifest.", "type": "integer", "minimum": 1, "maximum": 1_000_000},
            "program": _mapping(
                "What made it.",
                {
                    "name": {"description": "Its name.", "const": "quadrille"},
                    "version": _text("Its version.", 200),
                },
            ),
            "command": {"description": "The study.", "type": "string", "pattern": "^[a-z][a-z-]{0,31}$"},
            "parameters": described(
                {
                    "type": "object",
                    "additionalProperties": given,
                    "propertyNames": {"pattern": "^[a-z][a-z0-9_]{0,63}$"},
                    "maxProperties": 100,
                },
                "What the study was asked, by the name of each parameter, defaults too; not what it cannot depend on.",
            ),
            "seed": {"description": "The seed of the deals.", "type": ["integer", "null"], "minimum": 0},
            "bots": _list("Who plays.", {"type": "string", "maxLength": 200}, 1000),
            "finished": {
                "description": "Whether the study was finished, and not interrupted.",
                "type": "boolean",
            },
            "stopped_after": {
                "description": "Of a study that was interrupted, how many of its sessions, games or configurations "
                "were finished by then, and findings looked at closer.",
                "type": "integer",
                "minimum": 1,
            },
            "files": _list("The files that were read, profiles among them, but for those that are shipped.", file, 200),
            "rule_sets": _list("The rule sets, in the order they were named.", rule_set, 1000),
            "results_sha256": _digest("The SHA-256 of the results as JSON without blanks, in UTF-8."),
            "results": {"description": "What was found, as --format json prints it.", "type": ["object", "array"]},
        },
    )
    schema["required"].remove("stopped_after")
    return schema
