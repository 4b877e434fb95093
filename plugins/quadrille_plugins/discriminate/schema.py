"""The JSON Schema of a file of evidence: what books say happened, in pieces that readings are held against."""

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from quadrille_core.cards import PACK_SIZE
from quadrille_core.features import ask
from quadrille_core.hookspecs import EvidenceKind
from quadrille_core.profile import schema
from quadrille_core.profile.leaf_schema import IDENTIFIER, Schema, described, identifier

CARDS: Final = "^[^\\n]{0,200}$"
KINDS: Final[Mapping[str, str]] = {
    "settlement": "a deal's result with what it costs or earns",
    "comparison": "which of two results costs or earns more, or whether one comes to more than an amount",
    "table": "rows of a table of payments",
    "legal": "which cards of a hand may be played to a trick, and which may not",
    "deal": "a deal that was played, from the first bid to the last payment",
    "odds": "the odds of winning a patience as they were printed, or how often a contract is played",
    "holding": "the odds, as they were printed, that a partner holds at least one of some cards",
}
"""What a piece of evidence may be, in words."""

RELATIONS: Final = ("<", "<=", "=", ">=", ">")
RATIO: Final = "^[1-9][0-9]{0,3} to [1-9][0-9]{0,3}$"
"""Odds for and against, such as ``5 to 4``: numbers that a book would print, and small enough to reckon with."""

_KEYS: Final[Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "settlement": (("result", "expect"), ()),
    "comparison": (("of", "what", "first", "is"), ("second", "amount")),
    "table": (("rows",), ("pool",)),
    "legal": (("hand", "trump"), ("trick", "may", "may_not")),
    "deal": (("record",), ()),
    "odds": (("odds",), ("within", "games", "seed", "contract", "players")),
    "holding": (("one_of", "printed", "knowing"), ("within",)),
}
"""By kind: the keys that a piece must have, and those that it may have besides, after ``COMMON``."""

COMMON: Final = ("id", "kind", "source", "at", "note")


@cache
def brought() -> Mapping[str, EvidenceKind]:
    """The kinds that features bring, by name."""
    found = (kind for _, kinds in ask("quadrille_evidence") for kind in kinds)
    return {kind.name: kind for kind in found if kind.name not in KINDS}


def _text(doc: str, **of: Any) -> Schema:
    return {"description": doc, "type": "string", **of}


def _number(doc: str, **of: int) -> Schema:
    return {"description": doc, "type": "integer", **of}


def evidence() -> Schema:
    """The schema; those of an amount, a result and a record are those of the other files."""
    amount, result, record, odds = schema.amount(""), schema.result(), schema.record(), schema.ODDS
    worded, named = {"type": "string", "minLength": 1}, identifier()
    plain = {key: value for key, value in amount.items() if key != "description"}
    deal = {
        **result,
        "properties": {k: v for k, v in result["properties"].items() if k not in ("kind", "rules", "readings")},
        "required": [k for k in result["required"] if k != "rules"],
    }
    transfer = {
        "type": "object",
        "properties": {
            "from": {"description": "Who pays: a player, pool, vole pool or score.", **worded},
            "to": {"description": "Who is paid.", **worded},
            "amount": described(plain, "How much."),
        },
        "required": ["from", "to", "amount"],
        "additionalProperties": False,
    }
    expect = {
        "type": "object",
        "properties": {
            "outcome": {"description": "How the game ended.", "type": "string", "enum": ["won", "remise", "codille"]},
            "net": {
                "description": "What players won or lost by the deal, antes excluded; not all need be told.",
                "type": "object",
                "additionalProperties": plain,
            },
            "pool": described(plain, "What the pool held afterwards."),
            "transfers": schema.listing("Single payments, each of which must be made among others.", transfer),
        },
        "additionalProperties": False,
        "minProperties": 1,
    }
    every: Schema = {
        "id": identifier("What the piece is called."),
        "kind": {"description": "What it is evidence of.", "type": "string", "enum": [*KINDS, *brought()]},
        "source": identifier("Where it stands: a source of the bibliography, or of the profile's own."),
        "at": {"description": "Where in the source.", **worded},
        "note": {"description": "What it says there, and how it is understood.", **worded},
        "result": {**deal, "description": "The deal's result, as the settle command reads it."},
        "expect": {**expect, "description": "What the source says came of it."},
        "of": {"description": "Whose winnings are compared: hombre, ally, or a player by name.", **worded},
        "what": {"description": "What is compared.", "type": "string", "enum": ["gain", "loss"]},
        "first": {**deal, "description": "The result that is compared."},
        "is": {"description": "How it compares.", "type": "string", "enum": list(RELATIONS)},
        "second": {**deal, "description": "The result that it is compared with."},
        "amount": described(plain, "The amount that it is compared with."),
        "pool": described(plain, "The pool at which the rows are paid; twelve if left out."),
        "rows": {
            "description": "Rows: what is paid for, below payments; its units; and its units in favourite, if any.",
            "type": "array",
            "minItems": 1,
            "items": {"type": "array", "minItems": 2, "items": {"type": ["string", "integer", "null"]}},
        },
        "hand": _text("The cards in hand.", pattern=CARDS),
        "trick": _text("The cards played to the trick so far.", pattern=CARDS),
        "trump": {"description": "The trump suit, or none.", **worded},
        "may": _text("Cards that may be played.", pattern=CARDS),
        "may_not": _text("Cards that may not be played.", pattern=CARDS),
        "record": {**record, "description": "The deal, as the deal command prints it."},
        "contract": identifier("Of a game of tricks: the contract whose share of all deals is told."),
        "players": {"description": "Of a game of tricks: the bot that plays it; steady if left out.", **worded},
        "odds": _text("The share of games that are won, or of deals with that contract.", pattern=odds),
        "within": _text(
            "How far off the printed odds may be, as a share of all cases, below 1. If left out: "
            "nothing; of what a partner holds, no odds told in numbers as small may be nearer.",
            pattern=odds,
        ),
        "one_of": _number(
            "How many cards are named, none of which the asker holds, and none of which is the called "
            "card: the odds are that the partner has at least one of them.",
            minimum=1,
            maximum=PACK_SIZE,
        ),
        "printed": _text(
            "The odds in print, for and against: 5 to 4. They count as fine as they are written: "
            "10 to 8 has the same share and fits less.",
            pattern=RATIO,
        ),
        "knowing": _text(
            "What the asker knows of the partner's hand: nothing, or that the called card is in it, "
            "which the caller does even before it is known who the partner is.",
            enum=["nothing", "called_card"],
        ),
        "games": _number("The most games that are played to find out.", minimum=1, maximum=100_000),
        "seed": _number("The seed of the shuffles.", minimum=0),
    }
    every = {**{key: dict(one) for kind in brought().values() for key, one in kind.keys.items()}, **every}
    branches = []
    for kind, (needed, besides) in (*_KEYS.items(), *((k.name, (tuple(k.keys), ())) for k in brought().values())):
        keys = (*COMMON, *needed, *besides)
        then = {"properties": dict.fromkeys(keys, True), "additionalProperties": False, "required": list(needed)}
        branches.append({"if": {"properties": {"kind": {"const": kind}}, "required": ["kind"]}, "then": then})
    piece: Schema = {
        "description": "One piece of evidence.",
        "type": "object",
        "properties": every,
        "additionalProperties": False,
        "required": ["id", "kind", "source", "at"],
        "allOf": branches,
    }
    return {
        "type": "object",
        "description": "Evidence: what books say happened, for readings to be held against.",
        "properties": {
            "kind": {"description": "What this file is.", "const": "evidence"},
            "title": {"description": "What the evidence is, in a line.", **worded},
            "about": {"description": "What it is taken from, and what it can prove.", **worded},
            "rules": schema.text("The rule set whose points are to be settled: PROFILE[@WITNESS][+PLUGIN…]."),
            "readings": {
                "description": "Readings that are not asked about.",
                "type": "object",
                "propertyNames": {"pattern": IDENTIFIER},
                "additionalProperties": named,
            },
            "points": {
                **schema.listing(
                    "The points that are left open; all points in dispute if left out.", named, unique=True
                ),
                "minItems": 1,
            },
            "evidence": {**schema.listing("The pieces.", piece), "minItems": 1},
        },
        "additionalProperties": False,
        "required": ["kind", "rules", "evidence"],
    }
