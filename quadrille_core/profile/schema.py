"""The JSON Schemas of the files that users write, made from the vocabulary.

``python -m quadrille_core.profile.schema --write`` renews the files in ``schemas/``; a test holds that
they are what this module makes.  The descriptions are what an editor shows at a key.
"""

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from quadrille_core.features import ask
from quadrille_core.hookspecs import FileKind
from quadrille_core.kinds import KINDS as GAMES
from quadrille_core.kinds import TRICKS
from quadrille_core.profile.leaf_schema import (
    AMOUNT,
    IDENTIFIER,
    Schema,
    described,
    identifier,
    kinds_schema,
    rules_schema,
)
from quadrille_core.profile.rule_paths import AT_LEAST

DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"
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


STATUSES: Final = ("attested", "inferred", "silent", "conjecture", "house")
SUIT: Final = "^([Ss]pades|[Hh]earts|[Cc]lubs|[Dd]iamonds|[SHCDshcd♠♥♣♦♤♡♧♢]|none)$"
ODDS: Final = "^(0|[1-9][0-9]{0,5})/[1-9][0-9]{0,5}$"
EXTENDS: Final = "^([a-z][a-z0-9_-]{0,63}|.{1,500}\\.ya?ml)$"


def text(doc: str) -> Schema:
    """A text that is not empty."""
    return {"description": doc, "type": "string", "minLength": 1}


def mapping(doc: str, properties: Schema, required: Sequence[str] = ()) -> Schema:
    """A mapping with these keys and no others."""
    schema = described({"type": "object", "properties": properties, "additionalProperties": False}, doc)
    if required:
        schema["required"] = list(required)
    return schema


def _by_id(doc: str, entry: Schema, *, least: int = 0) -> Schema:
    schema = described({"type": "object", "propertyNames": {"pattern": IDENTIFIER}, "additionalProperties": entry}, doc)
    if least:
        schema["minProperties"] = least
    return schema


def listing(doc: str, entry: Schema, *, unique: bool = False) -> Schema:
    """A list of entries."""
    schema = described({"type": "array", "items": entry}, doc)
    if unique:
        schema["uniqueItems"] = True
    return schema


def _status() -> Schema:
    return _spoken() | {"default": "attested"}


def _spoken() -> Schema:
    return {
        "description": "How the source speaks: attested (says so), inferred (follows from what it says), silent "
        "(says nothing), conjecture (a modern guess), house (a rule of one's own).",
        "type": "string",
        "enum": list(STATUSES),
    }


def _source() -> Schema:
    return mapping(
        "One source: a book, an article, a page.",
        {
            "author": text("Who wrote it."),
            "title": text("Its title."),
            "year": {"description": "The year it appeared.", "type": "integer", "minimum": 1400, "maximum": 2200},
            "kind": {
                "description": "Primary (of the time), secondary (about it), or a house's own rules.",
                "type": "string",
                "enum": ["primary", "secondary", "house"],
            },
            "of": identifier("The source that this one reports."),
            "publisher": text("Who published it, and where."),
            "url": text("Where it can be read."),
            "note": text("What a reader should know of it."),
        },
        ["title"],
    )


def _citation() -> Schema:
    schema = mapping(
        "Where a rule comes from.",
        {
            "source": identifier("The source, by its identifier in a bibliography."),
            "at": text("Where in the source: a page, a heading, a law."),
            "status": _status(),
            "note": text("A remark on the passage."),
            "filled": text("Where the source is silent: what fills its silence, and why."),
            "from": identifier("Where the source is silent: the source that the filling was taken from."),
        },
    )
    own = {"properties": {"status": {"enum": ["conjecture", "house"]}}, "required": ["status"]}
    silent = {"properties": {"status": {"const": "silent"}}, "required": ["status"]}
    schema["allOf"] = [
        {"if": own, "else": {"required": ["source"]}},
        {"if": silent, "then": {"required": ["filled"]}},
    ]
    return schema


def _plain_value(doc: str, *, deep: bool = False) -> Schema:
    items: Schema = {"type": ["string", "integer", "boolean"]}
    if deep:
        items = {"type": ["string", "integer", "boolean", "array", "object", "null"]}
    return {"description": doc, "type": ["string", "integer", "boolean", "null", "array"], "items": items}


def _settings(doc: str) -> Schema:
    value = _plain_value("The rule's value.", deep=True)
    return {"description": doc, "type": "object", "additionalProperties": value}


def _conditions(doc: str, *, bounds: bool = True) -> Schema:
    value = _plain_value("The value, or a list of those allowed.", deep=True)
    if bounds:
        value["description"] = "The value, or a list of those allowed, or at_least: the lowest number allowed."
        value["type"] = [*value["type"], "object"]
        value["properties"] = {AT_LEAST: {"description": "The lowest number allowed.", "type": "integer"}}
        value |= {"required": [AT_LEAST], "additionalProperties": False}
    return {"description": doc, "type": "object", "minProperties": 1, "additionalProperties": value}


def _reading() -> Schema:
    schema = mapping(
        "One way to read a disputed passage.",
        {
            "set": _settings("The rules this reading sets: dotted paths and values."),
            "title": text("The reading in a few words."),
            "witnesses": listing("The witnesses that attest it.", identifier(), unique=True),
            "elsewhere": listing("The sources besides them that have it.", identifier(), unique=True),
            "at": {
                "description": "Where in the source; or, with several, a mapping from witness or source to place.",
                "type": ["string", "object"],
                "minLength": 1,
                "propertyNames": {"pattern": IDENTIFIER},
                "additionalProperties": {"type": "string", "minLength": 1},
            },
            "status": _spoken(),
            "certainty": {
                "description": "How sure the reading is.",
                "type": "string",
                "enum": ["high", "medium", "low"],
            },
            "note": text("The argument for it, or a remark."),
        },
        ["set"],
    )
    schema["properties"]["status"]["description"] += " Unsaid, attested where anybody is named, else conjecture."
    nobody = {
        "properties": {"status": {"enum": ["attested", "inferred"]}, "witnesses": {"maxItems": 0}},
        "required": ["status"],
    }
    # An empty list names nobody either.
    schema |= {"if": nobody, "then": {"required": ["elsewhere"], "properties": {"elsewhere": {"minItems": 1}}}}
    return schema


def _profile_properties() -> Schema:
    point = mapping(
        "A point on which the sources disagree, or which they leave open.",
        {
            "question": text("What is disputed, as a question."),
            "note": text("What a reader should know of it."),
            "default": identifier("The reading in force when nobody chooses."),
            "readings": _by_id("The readings, by identifier.", {"$ref": "#/$defs/reading"}, least=1),
        },
        ["question", "default", "readings"],
    )
    witness = mapping(
        "A witness: one source's answers to every point.",
        {
            "source": identifier("The source that speaks."),
            "title": text("The witness's name in print."),
            "note": text("What a reader should know of it."),
            "fills": _by_id(
                "For points on which the witness is silent, or gives two readings: the reading to play.", identifier()
            ),
        },
        ["source"],
    )
    plugin = mapping(
        "A plugin that shapes these rules.",
        {
            "plugin": identifier("The plugin's name."),
            "with": _by_id("Its parameters.", _plain_value("A value, or a list of values.")),
            "after": listing("Plugins whose rules this one may override.", identifier(), unique=True),
            "drop": {
                "description": "Whether a plugin that a parent profile names does nothing here and brings no bids.",
                "type": "boolean",
                "default": False,
            },
        },
        ["plugin"],
    )
    assumption = mapping(
        "Something that must stay true in every profile that extends this one.",
        {
            "that": _conditions("Rule paths (* for any bid) and the value, or list of values, each must keep."),
            "reason": text("Why the rules make no sense otherwise."),
            "source": identifier("The source that says so."),
        },
        ["that", "reason"],
    )
    constraint = mapping(
        "Options that go together, or that do not.",
        {
            "when": _conditions("The rules as they must be for the constraint to speak."),
            "requires": _conditions("What must then be so."),
            "excludes": _conditions("What must then not be so."),
            "reason": text("Why."),
            "source": identifier("The source that says so."),
        },
        ["when", "reason"],
    )
    published = mapping(
        "Odds of winning that a source gives for the game.",
        {
            "odds": {
                "description": "The share of games won, as a fraction in quotes.",
                "type": "string",
                "pattern": ODDS,
            },
            "source": identifier("The source that gives them."),
            "at": text("Where in the source."),
            "of": _conditions("The rules they are given for, as far as the source says: path and value.", bounds=False),
            "note": text("A remark on them."),
        },
        ["odds", "source", "at"],
    )
    constraint["if"] = {"required": ["requires"]}
    constraint["else"] = {"required": ["excludes"]}
    return {
        "kind": {"description": "What this file is.", "const": "profile"},
        "game": {
            "description": "The kind of game, which decides what rules there are; a profile that extends another "
            "is of the same kind.",
            "type": "string",
            "enum": list(GAMES),
            "default": TRICKS,
        },
        "id": identifier("The profile's name on the command line."),
        "title": text("The profile's name in print."),
        "version": text("The profile's version, in quotes."),
        "abstract": {
            "description": "Whether the profile only serves to be extended.",
            "type": "boolean",
            "default": False,
        },
        "extends": {
            "description": "The profile whose rules this one changes: a shipped name, or a path ending in .yaml, "
            "read from this file's folder.",
            "type": "string",
            "pattern": EXTENDS,
        },
        "about": text("What these rules are, in a paragraph."),
        "default_witness": identifier("The witness followed when none is named."),
        "sources": _by_id("Sources beyond the shared bibliography, by identifier.", {"$ref": "#/$defs/source"}),
        "witnesses": _by_id("The witnesses, by identifier.", witness),
        "plugins": listing("The plugins that shape these rules, in order.", plugin),
        "rules": rules_schema(),
        "cites": {
            "description": "Where the rules come from, by rule path, block, or pattern with * for any bid.",
            "type": "object",
            "additionalProperties": {
                "type": ["object", "array"],
                "allOf": [
                    {"if": {"type": "array"}, "then": {"minItems": 1, "items": {"$ref": "#/$defs/citation"}}},
                    {"if": {"type": "object"}, "then": {"$ref": "#/$defs/citation"}},
                ],
            },
        },
        "points": _by_id("The points in dispute, by identifier.", point),
        "readings": _by_id("Readings chosen for points that a parent profile states.", identifier()),
        "assumes": listing("What must stay true for these rules to make sense.", assumption),
        "constraints": listing("Options that go, or do not go, together.", constraint),
        "published": listing("Odds of winning that sources give.", published),
    }


def _profile() -> Schema:
    schema = mapping(
        "A profile: the rules of one variant, where they come from, and what is disputed.",
        _profile_properties(),
        ["kind", "id", "title"],
    )
    schema["allOf"] = kinds_schema()
    schema["$defs"] = {"source": _source(), "citation": _citation(), "reading": _reading()}
    return schema


def _bibliography() -> Schema:
    properties: Schema = {
        "kind": {"description": "What this file is.", "const": "bibliography"},
        "sources": _by_id("The sources, by identifier.", _source()),
    }
    return mapping("A bibliography that profiles cite from.", properties, ["kind", "sources"])


def amount(doc: str) -> Schema:
    """An amount of counters."""
    return {"description": doc, "type": ["integer", "string"], "pattern": AMOUNT}


def _suit(doc: str) -> Schema:
    return {"description": doc, "type": ["string", "null"], "pattern": SUIT}


def _player(doc: str) -> Schema:
    return {"description": doc, "type": ["string", "null"], "minLength": 1}


def result() -> Schema:
    """A deal's result."""
    times: Schema = {"type": "integer", "minimum": 1, "maximum": 1000}
    properties: Schema = {
        "kind": {"description": "What this file is; may be left out.", "const": "result"},
        "rules": text("The rule set: PROFILE[@WITNESS][+PLUGIN…]."),
        "readings": _by_id("Readings chosen by hand.", identifier()),
        "players": listing("The players, eldest first, dealer last.", {"type": "string", "minLength": 1}, unique=True),
        "pool": amount("What the pool held, this deal's antes included."),
        "contract": text("The bid that was played."),
        "trump": _suit("The trump suit; left out where there is none."),
        "favourite": _suit("The favourite suit, where the rules have one that is drawn."),
        "hombre": {**_player("Who played the game."), "type": "string"},
        "ally": _player("The ally; `none` or left out where Hombre called her own card, or plays alone by the bid."),
        "surrendered": _player("Who gave up the called card, where cards are exchanged."),
        "tricks": {
            "description": "Tricks made, by player; who is left out took none.",
            "type": "object",
            "additionalProperties": {"type": "integer"},
        },
        "matadors": {"description": "Unbroken top trumps of Hombre's side, at the start.", "type": "integer"},
        "adversary_matadors": {"description": "The same of the adversaries, where they are paid.", "type": "integer"},
        "premiers": {"description": "Whether premiers were made by those whom the rules pay.", "type": "boolean"},
        "vole": {
            "description": "How the vole was played for.",
            "type": "string",
            "enum": ["none", "undertaken", "announced", "revealed"],
        },
        "multiplier": {"description": "How many times the game counts, for games lost before it.", **times},
        "beasts": {
            "description": "How many beasts stand, where the rules give them a size of their own.",
            "type": "integer",
            "minimum": 0,
            "maximum": 100,
        },
        "claims": listing(
            "What was claimed in time, where the rules want claims made.",
            {"type": "string", "enum": ["premium", "matadors", "premiers", "vole"]},
        ),
        "incidents": _by_id(
            "Irregularities that a plugin has payments for, and who did it: a player, or a list of them.",
            {"type": ["string", "array"], "items": {"type": "string", "minLength": 1}},
        ),
    }
    required = ["rules", "players", "pool", "contract", "hombre", "tricks"]
    return mapping("One deal's result, to be settled.", properties, required)


def record() -> Schema:
    """The record of a deal of tricks."""
    count: Schema = {"type": ["integer", "null"], "minimum": 0}
    properties: Schema = {
        "kind": {"description": "What this file is.", "const": "deal"},
        "rules": {
            "description": "The rule set the deal was played by: its name, or its identity with the digest.",
            "type": ["string", "object"],
            "minLength": 1,
        },
        "seed": {"description": "The seed of the session.", "type": ["integer", "null"]},
        "session": {"description": "The session's number.", **count},
        "deal": {"description": "The deal's number in its session.", **count},
        "players": listing("The players, eldest first, dealer last.", {"type": "string", "minLength": 1}, unique=True),
        "pool": amount("What the pool held, antes included."),
        "multiplier": {
            "description": "How many times the deal counts, for games lost before it; once if left out.",
            "type": ["integer", "null"],
            "minimum": 1,
            "maximum": 1000,
        },
        "beasts": {
            "description": "How many beasts stood when the deal began; none if left out.",
            "type": ["integer", "null"],
            "minimum": 0,
            "maximum": 100,
        },
        "packets": {
            **listing("The packets dealt by.", {"type": "integer", "minimum": 1, "maximum": 10}),
            "type": ["array", "null"],
        },
        "favourite": _suit("The favourite suit of the deal."),
        "hands": listing("The hands by seat, cards separated by blanks.", {"type": "string", "minLength": 1}),
        "actions": listing("What was bid, called and played, in order.", {"type": "string", "minLength": 1}),
        "events": {"description": "What followed from the actions; not read.", "type": "array"},
        "result": {"description": "The result, as the settle command reads it.", "type": ["object", "null"]},
        "outcome": {"description": "How the deal ended: won, remise or codille.", "type": ["string", "null"]},
        "transfers": {"description": "The payments.", "type": "array"},
        "net": {"description": "What each player won or lost.", "type": "object"},
        "pool_after": amount("What the pool held after the payments."),
    }
    return mapping("A deal that was played, to be replayed.", properties, ["kind", "rules", "pool", "hands", "actions"])


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
    makers: dict[str, Callable[[], Schema]] = {
        "profile": _profile,
        "bibliography": _bibliography,
        "result": result,
        "record": record,
        "file": _any_file,
        **{kind.name: kind.schema for kind in brought().values()},
    }
    return {"$schema": DRAFT, "title": f"Quadrille: {name}", **makers[name]()}


def schema_text(name: str) -> str:
    """A schema as it stands in its file."""
    return json.dumps(schema_of(name), indent=1, ensure_ascii=False) + "\n"


def write_schemas(folder: Path) -> list[Path]:
    """Write every schema to the folder; returns the files that changed."""
    changed = []
    for name in (*kinds(), "file"):
        path = folder / f"{name}.schema.json"
        text = schema_text(name)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            changed.append(path)
    return changed


def main(arguments: Sequence[str]) -> int:
    """Write the schemas (``--write [FOLDER]``), or print the one that is named."""
    say: Any = sys.stdout.write
    if arguments and arguments[0] == "--write":
        folder = Path(arguments[1]) if len(arguments) > 1 else Path(__file__).resolve().parents[2] / "schemas"
        for path in write_schemas(folder):
            say(f"wrote {path}\n")
        return 0
    if len(arguments) == 1 and arguments[0] in (*kinds(), "file"):
        say(schema_text(arguments[0]))
        return 0
    sys.stderr.write(f"usage: python -m {__spec__.name} --write [FOLDER] | {' | '.join((*kinds(), 'file'))}\n")
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
