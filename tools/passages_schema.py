"""The shape of the files in ``variants/passages``."""

NO_RULE = {
    "history": "tells of the game's history or of its players",
    "remark": "remarks on the game, on other texts or on its own",
    "example": "is an example of the rule before it",
    "conduct": "asks for manners, which neither engine nor payments know",
    "untold": "names a rule without telling it",
    "unplayed": "tells a rule that is not played here",
}
"""Why a sentence is no rule."""

_TEXT = {"type": "string", "minLength": 3}
_BEARS = {
    "rules": {**_TEXT, "description": "The rule set, as on the command line."},
    "reading": {"type": "object", "minProperties": 1, "additionalProperties": _TEXT},
    "sets": {
        "type": "object",
        "minProperties": 1,
        "description": "Rule paths, * for any bid, and their values.",
    },
}
SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "additionalProperties": False,
    "required": ["source", "sections"],
    "properties": {
        "source": _TEXT,
        "rules": {**_TEXT, "description": "The rule set spoken of where a passage names none."},
        "sections": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/section"}},
    },
    "$defs": {
        "section": {
            "type": "object",
            "additionalProperties": False,
            "required": ["at", "sentences", "passages"],
            "properties": {
                "at": {**_TEXT, "description": "The section as citations name it."},
                "also": {
                    "type": "array",
                    "items": _TEXT,
                    "description": "Other names that citations give it.",
                },
                "label": {
                    "type": "string",
                    "description": "What stands before the number of a sentence, law or row.",
                },
                "rules": _TEXT,
                "note": _TEXT,
                "sentences": {"type": "integer", "minimum": 1},
                "passages": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/passage"}},
            },
        },
        "bears": {
            "type": "object",
            "additionalProperties": False,
            "required": ["sets"],
            "properties": _BEARS,
        },
        "passage": {
            "type": "object",
            "additionalProperties": False,
            "required": ["s", "says"],
            "properties": {
                "s": {"type": ["integer", "string"], "pattern": "^[0-9]+-[0-9]+$", "minimum": 1},
                "says": _TEXT,
                **_BEARS,
                "also": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/bears"}},
                "fixed": {
                    "type": "array",
                    "minItems": 1,
                    "items": {"type": "string", "pattern": "^[a-z_/]+[.]py::"},
                },
                "law": {"type": ["integer", "string"], "minimum": 1},
                "tests": {"type": "array", "minItems": 1, "uniqueItems": True, "items": _TEXT},
                "no_rule": {"enum": list(NO_RULE)},
                "note": _TEXT,
            },
            "oneOf": [
                {
                    "required": ["no_rule"],
                    "not": {"anyOf": [{"required": [k]} for k in ("sets", "fixed", "law")]},
                },
                {
                    "required": ["tests"],
                    "anyOf": [
                        {"required": ["sets"]},
                        {"required": ["fixed"]},
                        {"required": ["law"]},
                    ],
                },
            ],
            "dependentRequired": {"reading": ["sets"], "also": ["sets"]},
            "if": {"properties": {"no_rule": {"const": "unplayed"}}, "required": ["no_rule"]},
            "then": {"required": ["note"]},
        },
    },
}
"""A sentence has a rule with a test, or a reason why it is none; nothing third."""

WITHOUT_SCHEMA = {
    "type": "object",
    "additionalProperties": False,
    "required": ["rules"],
    "properties": {
        "rules": {
            "type": "object",
            "additionalProperties": {
                "type": "object",
                "additionalProperties": False,
                "required": ["status", "why"],
                "properties": {"status": {"enum": ["house", "conjecture", "silent"]}, "why": _TEXT},
            },
        }
    },
}
