"""The JSON Schema of a game of patience that was played."""

from quadrille_core.profile.leaf_schema import Schema
from quadrille_core.profile.schema import listing, mapping


def record() -> Schema:
    """The schema."""
    number: Schema = {"type": ["integer", "null"], "minimum": 0, "maximum": 2**64 - 1}
    cards = {"type": "string"}
    properties: Schema = {
        "kind": {"description": "What this file is.", "const": "patience"},
        "rules": {
            "description": "The rule set the game was played by: its name, or its identity with the digest.",
            "type": ["string", "object"],
            "minLength": 1,
        },
        "seed": {"description": "The seed of the shuffle.", **number},
        "game": {"description": "The game's number among those of the seed.", **number},
        "stocks": {**listing("The stock of each passage, first card dealt first.", cards), "minItems": 1},
        "steps": listing("What became of each card turned, in order.", {"type": "string", "minLength": 1}),
        "left": {"description": "The heap at the end, the card laid on it first first.", "type": "string"},
        "won": {"description": "Whether the game was won.", "type": "boolean"},
    }
    return mapping("A game of patience that was played, to be replayed.", properties, ["kind", "rules", "stocks"])
