"""Help for values of a wrong shape: what is typed instead where they stand, by the rule that they
are for."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import Final

from quadrille_core import vocabulary
from quadrille_core.errors import (
    Command,
    DidYouMean,
    Edit,
    Hint,
    Phrase,
    Place,
    Problem,
    QuadrilleError,
    Replace,
)
from quadrille_core.profile.located import Located, LocatedList, LocatedMap, Node
from quadrille_core.profile.schema import leaf_schema, schema_of
from quadrille_core.profile.words import in_digits
from quadrille_core.ruleset import load_chain
from quadrille_plugins.check.head import help_of_head
from quadrille_plugins.check.misplaced import rule_hint
from quadrille_plugins.check.parent import IS_NOT, TIMES, Parent, parent_of, tree
from quadrille_plugins.check.uses import plugin_use

_COUNTED: Final = re.compile(r"([\w,]+) +[a-z]+")
_BEFORE_A_SIGN: Final = re.compile(r"([^',;]*[^',;\s])\s*([,;])")
_NOTHING: Final = ("no", "none", "never", "nothing")
_COMMA: Final = re.compile(r"(\d{1,6}),(\d{1,2})")
_UPPER: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_BLANKS: Final = re.compile(r"[^']+ [^']+")
_FRACTION: Final = re.compile(r'"(-?\d+/\d+)"')
_ON_ONE_LINE: Final = re.compile(r"((?:[a-z][a-z0-9_-]*: *)+)([^\s:#{}\[\]\"']+) *(?:#.*)?")


def with_help_that_fits(problems: list[Problem], path: Path) -> list[Problem]:
    """The errors of a file, those of values of a wrong shape with a hint that can be typed where
    they stand."""
    root = tree(path) if problems else None
    # once for all errors, of which there may be hundreds
    parent = cache(lambda: parent_of(root, path) if isinstance(root, LocatedMap) else None)
    told = [
        _nested(p) if p.code == "Q105" else replace(p, hint=_hint(p, path, root, parent) or p.hint)
        for p in map(_named, problems)
    ]
    return _with_lists(told, root.get("rules")) if isinstance(root, LocatedMap) else told


def _named(problem: Problem) -> Problem:
    """An error that finds no blank after the colon of a key which has one in itself, as what it
    is."""
    key = problem.data.get("key", "")
    if problem.variant != "no-blank" or problem.place is None or not _BLANKS.fullmatch(key):
        return problem
    if not _has_colon(key, problem.place):
        return problem
    data = {"subject": Phrase("the-key", {"key": key}), "value": key, "is_key": True}
    return replace(problem, variant="identifier", data=data)


def _wanted(problem: Problem) -> list[str]:
    """The types of value that a rule takes, null apart; empty where the error is of something
    else."""
    return [one for one in problem.data.get("types", ()) if one != "null"]


def _hint(
    problem: Problem, path: Path, root: Node | None, parent: Callable[[], Parent | None]
) -> Hint | None:
    """What to type, where it is more than the error itself says; else None."""
    if problem.place is None:
        return None
    if problem.variant == "wrong-type" and _wanted(problem) == ["object"]:
        return _for_a_mapping(problem, problem.place, root, parent)
    if problem.variant == "doubtful":
        return _for_a_word(problem, root, parent)
    if hint := plugin_use(problem, root) or help_of_head(problem, root):
        return hint
    value = problem.data.get("value", problem.data.get("key"))
    if problem.variant == "identifier" and problem.data["is_key"] and _BLANKS.fullmatch(value):
        return _one_word(value, problem, parent)
    if problem.code in ("Q203", "Q207") and (word := _for_no(problem, root)):
        return word
    if problem.code == "Q402" and str(problem.data.get("reading")).isdigit():
        return _reading_that_sets(problem.data["point"], int(problem.data["reading"]), path)
    if problem.code == "Q116":
        return _whole(problem.hint, _path_at(problem, root))
    return _for_a_text(problem, value, root) if isinstance(value, str) else None


def _for_a_mapping(
    problem: Problem, place: Place, root: Node | None, parent: Callable[[], Parent | None]
) -> Hint | None:
    """What to type where keys are wanted, and something else stands."""
    path, value = problem.data["path"], problem.data["value"]
    if isinstance(value, str) and (braces := _in_braces(problem.hint, place)):
        return braces
    if path[:1] == ("rules",) and len(path) > 1 and isinstance(value, str | bool):
        word = value if isinstance(value, str) else str(value).lower()
        return _only_rule_with(".".join(map(str, path[1:])), word, parent)
    is_told = isinstance(problem.hint, Replace) and problem.hint.value.startswith("{")
    if path[:1] in (("rules",), ("readings",)) and isinstance(value, list) and not is_told:
        return _without_hyphens(root, path)
    return plugin_use(problem, root)


def _for_a_word(
    problem: Problem, root: Node | None, parent: Callable[[], Parent | None]
) -> Hint | None:
    """What to type for a word that is refused since it is a truth to some readers."""
    word = problem.data["value"]
    if not re.fullmatch("[a-z]+", word):
        return None
    if word in IS_NOT and (value := _for_no(problem, root)):
        return value
    return _only_rule_with(".".join(_path_at(problem, root)), word, parent)


def _for_a_text(problem: Problem, value: str, root: Node | None) -> Hint | None:
    """What to type for a text: all words of a list, a number, the text without a sign after it, or
    in small letters."""
    wanted, path = _wanted(problem), problem.data.get("path", ())
    if wanted == ["array"] and value == "all" and path[:1] == ("rules",):
        leaf = vocabulary.leaf_of(".".join(path[1:]))
        words = leaf_schema(leaf.pattern)["items"].get("enum", ()) if leaf is not None else ()
        return Replace(f"[{', '.join(words)}]", "write-code") if words else None
    is_whole = wanted == ["integer"]
    if is_whole and value.lower() in TIMES:
        rule = ".".join(_path_at(problem, root))
        # to double what is there and to add it twice are different things
        explain = Phrase("whole-number-of", {"explain": Command("explain", (rule,))})
        return explain if rule.endswith("_adds") else Replace(str(TIMES[value.lower()]))
    counted = _COUNTED.fullmatch(value) if is_whole or problem.variant == "amount" else None
    if counted and (number := counted[1] if counted[1].isdigit() else in_digits(counted[1])):
        return Replace(number)
    if (sign := _BEFORE_A_SIGN.fullmatch(value)) is not None:
        return _without_sign(problem, sign[1], "comma" if sign[2] == "," else "semicolon")
    if is_whole and (found := _COMMA.fullmatch(value)) is not None:
        part = Fraction(f"{found[1]}.{found[2]}")
        return _whole(Replace(f'"{part}"'), _path_at(problem, root))
    if problem.variant == "identifier" and _UPPER.fullmatch(value) and value.lower() != value:
        return DidYouMean(value, (value.lower(),))
    return None


def _has_colon(key: str, place: Place) -> bool:
    """Whether a key stands there with a colon after it, in quotes or without."""
    at = place.text[place.col - 1 :]
    return re.match(rf"[\"']?{re.escape(key)}[\"']? *:", at) is not None


def _in_braces(hint: Hint | None, place: Place) -> Hint | None:
    """A rule or reading with its value as a mapping in braces, where the line has a key before
    it."""
    is_pair = isinstance(hint, Replace) and hint.how == "write-code" and "{" not in hint.value
    if (
        not is_pair
        or not isinstance(hint, Replace)
        or not place.text[: place.col - 1].rstrip().endswith(":")
    ):
        return None
    return replace(hint, value=f"{{{hint.value}}}")


def _only_rule_with(block: str, value: str, parent: Callable[[], Parent | None]) -> Hint | None:
    """The one rule of a block that has such a value, with it; a bid that is none is never made, one
    that is in turn."""
    if vocabulary.leaf_of(f"{block}.made") is not None:
        if value.lower() in ("yes", "true", "on"):
            is_played = (rules := parent()) is not None and not rules.is_unplayed(
                block.rpartition(".")[2]
            )
            return (
                Phrase("played-as-it-stands")
                if is_played
                else Replace("{made: in_turn}", "write-code")
            )
        value = "never" if value.lower() in IS_NOT else value
    below = (f"{block}.{pattern.rpartition('.')[2]}" for pattern in vocabulary.every_leaf())
    leaves = {path: leaf for path in below if (leaf := vocabulary.leaf_of(path)) is not None}
    taking = [path.rpartition(".")[2] for path, leaf in leaves.items() if value in leaf.choices()]
    return Replace(f"{{{taking[0]}: {value}}}", "write-code") if len(taking) == 1 else None


def _for_no(problem: Problem, root: Node | None) -> Hint | None:
    """What a rule has for no, where it has words or a list: ``never``, ``none`` or an empty
    list."""
    value = problem.data.get("value")
    says_no = value is False if problem.variant == "wrong-type" else False
    if (
        problem.code != "Q111"
        and not says_no
        and not (isinstance(value, str) and value in _NOTHING)
    ):
        return None
    leaf = vocabulary.leaf_of(".".join(_path_at(problem, root)))
    if leaf is None:
        return None
    schema = leaf_schema(leaf.pattern)
    if schema["type"] == "array":
        return None if schema.get("minItems") else Replace("[]", "write-code")
    if not leaf.choices():
        takes_none = schema["type"] != "boolean" and not schema.get("minimum")
        return Replace("0") if takes_none else None
    word = next((word for word in ("never", "none") if word in leaf.choices()), None)
    return Replace(word) if word else None


def _one_word(key: str, problem: Problem, parent: Callable[[], Parent | None]) -> Hint | None:
    """A key with blanks as it is written here; what has no colon after it is none."""
    if problem.place is None or not _has_colon(key, problem.place):
        return None
    known = {step for pattern in vocabulary.every_leaf() for step in pattern.split(".")}
    known |= set(schema_of("profile")["properties"])
    if (rules := parent()) is not None:
        known |= {step for rule in rules.compiled.origins for step in rule.split(".")}
        known |= {state.point.id for state in rules.compiled.points}
    found = [word for word in (key.replace(" ", "_"), key.replace(" ", "-")) if word in known]
    return DidYouMean(key, (found[0],)) if found else Phrase("one-word")


def _without_sign(problem: Problem, word: str, sign: str) -> Hint | None:
    """A value without the comma or semicolon after it, where it is one that the rule takes."""
    match problem.hint:
        case DidYouMean(words=(first, *_)) if first == word:
            fits = True
        case Phrase(variant="identifier-such-as", data={"such": such}) if such == word:
            fits = True
        case _:
            takes_number = problem.variant == "amount" or "integer" in _wanted(problem)
            is_truth = word in ("true", "false") and "boolean" in _wanted(problem)
            fits = (word.isdigit() and takes_number) or is_truth
    return Replace(word, f"without-{sign}") if fits else None


def _with_lists(problems: list[Problem], rules: Node | None) -> list[Problem]:
    """The errors where the words of a list stand in braces without brackets, as one with help: it
    goes in brackets."""
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
    return [
        _bracketed(p, *helps[p.place]) if p.place in helps else p
        for p in problems
        if p.place not in idle
    ]


def _bracketed(problem: Problem, key: str, listed: str) -> Problem:
    if problem.code == "Q203":
        return replace(problem, hint=Replace(listed, "all-in-brackets"))
    if not isinstance(problem.hint, Edit) or problem.hint.how != "belongs":
        return problem
    return replace(problem, hint=rule_hint([(f"{key}: {listed}", problem.hint.under)]))


def _words_of(key: str) -> set[str]:
    """What the lists of rules of that name may have in them, where that is one word of several."""
    schemas = [leaf_schema(p) for p in vocabulary.every_leaf() if p.rpartition(".")[2] == key]
    return {
        word
        for schema in schemas
        if schema["type"] == "array"
        for word in schema["items"].get("enum", ())
    }


def _maps(node: Node | None) -> Iterator[LocatedMap]:
    if isinstance(node, LocatedMap):
        yield node
        for below in node.entries.values():
            yield from _maps(below)


def _without_hyphens(root: Node | None, steps: Sequence[str]) -> Hint | None:
    node = root
    for step in steps:
        node = node.get(step) if isinstance(node, LocatedMap) else None
    items = node.to_plain() if isinstance(node, LocatedList) else []
    if not items or not all(isinstance(item, dict) and item for item in items):
        return None
    key, value = next(iter(items[0].items()))
    first = f"{key}:" if isinstance(value, (dict, list)) else f"{key}: {value}"
    return Edit("without-hyphens", lines=(first,))


def _whole(hint: Hint | None, path: tuple[str, ...]) -> Hint | None:
    """The whole numbers next to a decimal fraction, where the rule takes no other."""
    leaf = vocabulary.leaf_of(".".join(path))
    if (
        leaf is None
        or not isinstance(hint, Replace)
        or (found := _FRACTION.fullmatch(hint.value)) is None
    ):
        return None
    schema = leaf_schema(leaf.pattern)
    if schema["type"] != "integer":
        return None
    below = Fraction(found[1]).__floor__()
    low, high = schema.get("minimum", below), schema.get("maximum", below + 1)
    fitting = [str(number) for number in (below, below + 1) if low <= number <= high]
    data = {"several": fitting, "key": path[-1]}
    return Replace(fitting[0], "whole-number", data=data) if fitting else None


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
    """An error of syntax, where several keys of a rule stand in one line with help to write them in
    braces."""
    place = problem.place
    before = re.match(r" *[a-z][a-z0-9_-]*: +", place.text) if place else None
    if problem.variant != "no-key-here" or place is None or before is None:
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
    return replace(
        problem, place=replace(place, col=before.end() + 1), hint=Replace(text, "write-code")
    )


def _leads_to(steps: list[str], pattern: list[str]) -> bool:
    """Whether keys are the last steps of a rule, of which a bid may be any."""
    last = pattern[-len(steps) :]
    return len(last) == len(steps) and all(
        one in (step, "*") for one, step in zip(last, steps, strict=True)
    )


def _reading_that_sets(point: str, value: int, path: Path) -> Hint | None:
    """The one reading of a point by which a rule has that number."""
    name = str(path)
    try:
        points = [
            p
            for doc in load_chain(name if "/" in name else f"./{name}")
            for p in doc.points
            if p.id == point
        ]
    except QuadrilleError:
        return None
    readings = {r.id: r for one in points for r in one.readings}
    setting = [r.id for r in readings.values() if any(one.value == value for one in r.sets)]
    return (
        DidYouMean(str(value), (setting[0],), tuple(readings), "readings")
        if len(setting) == 1
        else None
    )
