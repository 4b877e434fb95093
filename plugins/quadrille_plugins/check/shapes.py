"""Help for values of a wrong shape: what is typed instead where they stand, by the rule that they are for."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import Final

from quadrille_core import vocabulary
from quadrille_core.errors import Place, Problem, QuadrilleError
from quadrille_core.profile import load_file
from quadrille_core.profile.located import Located, LocatedList, LocatedMap, Node
from quadrille_core.profile.schema import leaf_schema, schema_of
from quadrille_core.profile.words import in_digits
from quadrille_core.profile.yaml_strict import FaultyTreeError
from quadrille_core.ruleset import load_chain
from quadrille_plugins.check.head import help_of_head
from quadrille_plugins.check.parent import Parent, parent_of
from quadrille_plugins.check.uses import plugin_use

_NO_MAPPING: Final = re.compile(r"rules\.(\S+) should be a mapping, not (?:a text \('([^']*)'\)|(false|true))")
_A_LIST: Final = re.compile(r"((?:rules|readings)(?:\.\S+)?) should be a mapping, not a list")
_TEXT_FOR_NUMBER: Final = re.compile(r"a whole number, not a text \('([A-Za-z]+)'\)")
_COUNTED: Final = re.compile(r"(?:a whole number, not a text \(|payments\.\S+: )'([\w,]+) +[a-z]+'")
_BEFORE_A_SIGN: Final = re.compile(r"'([^',;]*[^',;\s])\s*([,;])'")
_NO: Final = re.compile(
    r"should be .*, not false$|not a text \('(?:no|none|never|nothing)'\)"
    r"|'(?:no|none|never|nothing)' is no exact amount"
)
_COMMA: Final = re.compile(r"a whole number, not a text \('(\d{1,6}),(\d{1,2})'\)")
_UPPER: Final = re.compile(r"'([A-Za-z][A-Za-z0-9_-]*)' is no identifier")
_BLANKS: Final = re.compile(r"the key '([^']+ [^']+)' (?:has no blank after its colon|is no identifier)")
TIMES: Final = {
    **dict.fromkeys(("double", "doubled", "doubles", "twice", "twofold"), 2),
    **dict.fromkeys(("triple", "tripled", "treble", "thrice", "threefold"), 3),
    **dict.fromkeys(("quadruple", "fourfold"), 4),
}
"""Words that say how many times over something counts."""
IS_NOT: Final = ("no", "none", "false", "off", "not", "without")
"""Words for a bid that is not played."""
_NO_READING: Final = re.compile(r"point '([^']+)' has no reading '(\d{1,3})'")
_ON_ONE_LINE: Final = re.compile(r"((?:[a-z][a-z0-9_-]*: *)+)([^\s:#{}\[\]\"']+) *(?:#.*)?")


def with_help_that_fits(problems: list[Problem], path: Path) -> list[Problem]:
    """The errors of a file, those of values of a wrong shape with help that can be typed where they stand."""
    root = tree(path) if problems else None
    # once for all errors, of which there may be hundreds
    parent = cache(lambda: parent_of(root, path) if isinstance(root, LocatedMap) else None)
    told = [
        _nested(p) if p.code == "Q105" else replace(p, help=_help(p, path, root, parent) or p.help)
        for p in map(_named, problems)
    ]
    return _with_lists(told, root.get("rules")) if isinstance(root, LocatedMap) else told


def _named(problem: Problem) -> Problem:
    """An error that finds no blank after the colon of a key which has one in itself, in words that are true."""
    found = _BLANKS.fullmatch(problem.message)
    if found is None or problem.place is None or not _has_colon(found[1], problem.place):
        return problem
    return replace(problem, message=f"the key '{found[1]}' is no identifier")


def tree(path: Path) -> Node | None:
    """What a file holds, as far as it can be read."""
    try:
        return load_file(path)
    except FaultyTreeError as e:
        return e.tree
    except QuadrilleError:
        return None


def _help(problem: Problem, path: Path, root: Node | None, parent: Callable[[], Parent | None]) -> str:
    """What to type, where it is more than the error itself says; else empty."""
    if problem.place is None:
        return ""
    is_text = problem.code == "Q203" and " should be a mapping, not a text" in problem.message
    if is_text and (braces := _in_braces(problem, problem.place)):
        return braces
    if problem.code == "Q203" and (found := _NO_MAPPING.fullmatch(problem.message)) is not None:
        return _only_rule_with(found[1], found[2] or found[3], parent)
    if problem.code == "Q111" and (found := re.match("'([a-z]+)'", problem.message)) is not None:
        value = _for_no(problem, root) if found[1].lower() in IS_NOT else ""
        return f"write {value}" if value else _only_rule_with(".".join(_path_at(problem, root)), found[1], parent)
    is_told = problem.help.startswith("write `{")
    if problem.code == "Q203" and not is_told and (found := _A_LIST.fullmatch(problem.message)) is not None:
        return _without_hyphens(root, found[1].split("."))
    if "plugin" in problem.message and (use := plugin_use(problem, root)):
        return use
    if head := help_of_head(problem, root):
        return head
    if (found := _BLANKS.fullmatch(problem.message)) is not None:
        return _one_word(found[1], problem, parent)
    if problem.code in ("Q203", "Q207") and (value := _for_no(problem, root)):
        return f"write {value}"
    if problem.message.startswith("rules.") and "a list, not a text ('all')" in problem.message:
        leaf = vocabulary.leaf_of(problem.message.partition(" ")[0].removeprefix("rules."))
        words = leaf_schema(leaf.pattern)["items"].get("enum", ()) if leaf is not None else ()
        return f"write `[{', '.join(words)}]`" if words else ""
    if (found := _TEXT_FOR_NUMBER.search(problem.message)) and found[1].lower() in TIMES:
        times = TIMES[found[1].lower()]
        rule = ".".join(_path_at(problem, root))
        # to double what is there and to add it twice are different things
        return (
            f"a whole number; `quadrille explain {rule}` says of what" if rule.endswith("_adds") else f"write {times}"
        )
    if (found := _COUNTED.search(problem.message)) and (
        number := found[1] if found[1].isdigit() else in_digits(found[1])
    ):
        return f"write {number}"
    if (sign := _BEFORE_A_SIGN.search(problem.message)) is not None:
        return _without_sign(problem, sign[1], "comma" if sign[2] == "," else "semicolon")
    if (found := _COMMA.search(problem.message)) is not None:
        part = Fraction(f"{found[1]}.{found[2]}")
        return _whole(replace(problem, help=f'write "{part}"'), root)
    if (found := _UPPER.search(problem.message)) is not None and found[1].lower() != found[1]:
        return f"did you mean {found[1].lower()}?"
    if problem.code == "Q116":
        return _whole(problem, root)
    if problem.code == "Q402" and (found := _NO_READING.fullmatch(problem.message)) is not None:
        return _reading_that_sets(found[1], int(found[2]), path)
    return ""


def _has_colon(key: str, place: Place) -> bool:
    """Whether a key stands there with a colon after it, in quotes or without."""
    at = place.text[place.col - 1 :]
    return re.match(rf"[\"']?{re.escape(key)}[\"']? *:", at) is not None


def _in_braces(problem: Problem, place: Place) -> str:
    """A rule or reading with its value as a mapping in braces, where the line has a key before it."""
    found = re.fullmatch(r"write `([^`{]+)`", problem.help)
    return f"write `{{{found[1]}}}`" if found and place.text[: place.col - 1].rstrip().endswith(":") else ""


def _only_rule_with(block: str, value: str, parent: Callable[[], Parent | None]) -> str:
    """The one rule of a block that has such a value, with it; a bid that is none is never made, one that is in turn."""
    if vocabulary.leaf_of(f"{block}.made") is not None:
        if value.lower() in ("yes", "true", "on"):
            is_played = (rules := parent()) is not None and not rules.is_unplayed(block.rpartition(".")[2])
            return "it is played as it stands: leave the line out" if is_played else "write `{made: in_turn}`"
        value = "never" if value.lower() in IS_NOT else value
    below = (f"{block}.{pattern.rpartition('.')[2]}" for pattern in vocabulary.every_leaf())
    leaves = {path: leaf for path in below if (leaf := vocabulary.leaf_of(path)) is not None}
    taking = [path.rpartition(".")[2] for path, leaf in leaves.items() if value in leaf.choices()]
    return f"write `{{{taking[0]}: {value}}}`" if len(taking) == 1 else ""


def _for_no(problem: Problem, root: Node | None) -> str:
    """What a rule has for no, where it has words or a list: ``never``, ``none`` or an empty list."""
    if problem.code != "Q111" and not _NO.search(problem.message):
        return ""
    leaf = vocabulary.leaf_of(".".join(_path_at(problem, root)))
    if leaf is None:
        return ""
    if not leaf.choices() and leaf_schema(leaf.pattern)["type"] != "array":
        takes_none = leaf_schema(leaf.pattern)["type"] != "boolean" and not leaf_schema(leaf.pattern).get("minimum")
        return "0" if takes_none else ""
    is_list = leaf_schema(leaf.pattern)["type"] == "array" and not leaf_schema(leaf.pattern).get("minItems")
    return "`[]`" if is_list else next((word for word in ("never", "none") if word in leaf.choices()), "")


def _one_word(key: str, problem: Problem, parent: Callable[[], Parent | None]) -> str:
    """A key with blanks as it is written here; what has no colon after it is none."""
    if problem.place is None or not _has_colon(key, problem.place):
        return ""
    known = {step for pattern in vocabulary.every_leaf() for step in pattern.split(".")}
    known |= set(schema_of("profile")["properties"])
    if (rules := parent()) is not None:
        known |= {step for rule in rules.compiled.origins for step in rule.split(".")}
        known |= {state.point.id for state in rules.compiled.points}
    found = [word for word in (key.replace(" ", "_"), key.replace(" ", "-")) if word in known]
    return f"did you mean {found[0]}?" if found else "a key is one word, with `_` or `-` for blanks"


def _without_sign(problem: Problem, word: str, sign: str) -> str:
    """A value without the comma or semicolon after it, where it is one that the rule takes."""
    fits = (
        problem.help.startswith((f"did you mean {word}?", f"did you mean {word} or"))
        or problem.help.endswith(f"; {word}, say")
        or (word.isdigit() and ("a whole number" in problem.message or "exact amount" in problem.message))
        or (word in ("true", "false") and "true or false" in problem.message)
    )
    return f"write it without the {sign}: {word}" if fits else ""


def _with_lists(problems: list[Problem], rules: Node | None) -> list[Problem]:
    """The errors where the words of a list stand in braces without brackets, as one with help: it goes in brackets."""
    helps: dict[Place, tuple[str, str]] = {}
    idle: set[Place] = set()
    for block in _maps(rules):
        entries = [(key, node.to_plain()) for key, node in block.items()]
        for at, (key, value) in enumerate(entries):
            more = [k for k, _ in takewhile(lambda entry: entry[1] is None, entries[at + 1 :])]
            if not more or not isinstance(value, str) or not _words_of(key) >= {value, *more}:
                continue
            listed = f"[{', '.join((value, *more))}]"
            helps[block.key_place(key)] = helps[block.entries[key].place] = (key, listed)
            idle |= {place for k in more for place in (block.key_place(k), block.entries[k].place)}
    return [_bracketed(p, *helps[p.place]) if p.place in helps else p for p in problems if p.place not in idle]


def _bracketed(problem: Problem, key: str, listed: str) -> Problem:
    if problem.code == "Q203":
        return replace(problem, help=f"put all in brackets: {listed}")
    blocks = problem.help.removeprefix(f"`{key}` belongs under ")
    return (
        replace(problem, help=f"did you mean `{key}: {listed}` under {blocks}?") if blocks != problem.help else problem
    )


def _words_of(key: str) -> set[str]:
    """What the lists of rules of that name may have in them, where that is one word of several."""
    schemas = [leaf_schema(p) for p in vocabulary.every_leaf() if p.rpartition(".")[2] == key]
    return {word for schema in schemas if schema["type"] == "array" for word in schema["items"].get("enum", ())}


def _maps(node: Node | None) -> Iterator[LocatedMap]:
    if isinstance(node, LocatedMap):
        yield node
        for below in node.entries.values():
            yield from _maps(below)


def _without_hyphens(root: Node | None, steps: Sequence[str]) -> str:
    node = root
    for step in steps:
        node = node.get(step) if isinstance(node, LocatedMap) else None
    items = node.to_plain() if isinstance(node, LocatedList) else []
    if not items or not all(isinstance(item, dict) and item for item in items):
        return ""
    key, value = next(iter(items[0].items()))
    first = f"{key}:" if isinstance(value, (dict, list)) else f"{key}: {value}"
    return f"write each without its hyphen: `{first}`"


def _whole(problem: Problem, root: Node | None) -> str:
    """The whole numbers next to a decimal fraction, where the rule takes no other."""
    path = _path_at(problem, root)
    if (leaf := vocabulary.leaf_of(".".join(path))) is None:
        return ""
    schema = leaf_schema(leaf.pattern)
    found = re.match(r'write "(-?\d+/\d+)"', problem.help)
    if schema["type"] != "integer" or found is None:
        return ""
    below = Fraction(found[1]).__floor__()
    low, high = schema.get("minimum", below), schema.get("maximum", below + 1)
    fitting = [str(number) for number in (below, below + 1) if low <= number <= high]
    return f"write {' or '.join(fitting)}; {path[-1]} is a whole number" if fitting else ""


def _path_at(problem: Problem, root: Node | None) -> tuple[str, ...]:
    """The rule whose value stands where an error is; empty where none does."""
    rules = root.get("rules") if isinstance(root, LocatedMap) else None
    at = (problem.line, problem.col)
    return next((p for p, node in _scalars(rules, ()) if (node.mark.line, node.mark.col) == at), ())


def _scalars(node: Node | None, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Located]]:
    if isinstance(node, Located):
        yield path, node
    elif isinstance(node, LocatedMap):
        for key, below in node.items():
            yield from _scalars(below, (*path, key))


def _nested(problem: Problem) -> Problem:
    """An error of syntax, where several keys of a rule stand in one line with help to write them in braces."""
    place = problem.place
    before = re.match(r" *[a-z][a-z0-9_-]*: +", place.text) if place else None
    if "where no key can be" not in problem.message or place is None or before is None:
        return problem
    if (found := _ON_ONE_LINE.fullmatch(place.text, before.end())) is None:
        return problem
    keys = [key.strip() for key in found[1].split(":")[:-1]]
    steps = [key for key in (before[0].strip(" :"), *keys) if key != "rules"]
    if not any(_leads_to(steps, pattern.split(".")) for pattern in vocabulary.every_leaf()):
        return problem
    text = found[2]
    for key in reversed(keys):
        text = f"{{{key}: {text}}}"
    return replace(problem, place=replace(place, col=before.end() + 1), help=f"write `{text}`")


def _leads_to(steps: list[str], pattern: list[str]) -> bool:
    """Whether keys are the last steps of a rule, of which a bid may be any."""
    last = pattern[-len(steps) :]
    return len(last) == len(steps) and all(one in (step, "*") for one, step in zip(last, steps, strict=True))


def _reading_that_sets(point: str, value: int, path: Path) -> str:
    """The one reading of a point by which a rule has that number."""
    name = str(path)
    try:
        points = [p for doc in load_chain(name if "/" in name else f"./{name}") for p in doc.points if p.id == point]
    except QuadrilleError:
        return ""
    readings = {r.id: r for one in points for r in one.readings}
    setting = [r.id for r in readings.values() if any(one.value == value for one in r.sets)]
    return f"did you mean {setting[0]}? readings: {', '.join(readings)}" if len(setting) == 1 else ""
