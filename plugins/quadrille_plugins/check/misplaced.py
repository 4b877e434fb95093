"""A key under ``rules:`` that names no rule there: which rule may be meant that takes its value and acts."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from quadrille_core import vocabulary
from quadrille_core.errors import Place, Problem, QuadrilleError
from quadrille_core.features import idle_rules
from quadrille_core.profile.located import Located, LocatedList, LocatedMap, Node, shown
from quadrille_core.profile.words import in_digits
from quadrille_core.ruleset import Compiled, compile_reference
from quadrille_core.ruleset.reference import is_path
from quadrille_plugins.check.shapes import tree

_TIMES: Final = {
    **dict.fromkeys(("double", "doubled", "doubles", "twice", "twofold"), 2),
    **dict.fromkeys(("triple", "tripled", "treble", "thrice", "threefold"), 3),
    **dict.fromkeys(("quadruple", "fourfold"), 4),
}
"""Words that say how many times over something counts."""
_COSTS: Final = ("_times", "_adds")
"""How the names of rules end that say how many times over something is paid."""
_BLOCK: Final = re.compile(r"rules\.[\w-]+ should be a mapping, not a whole number \(\d+\)")
"""A block of rules that is called like a bid, and is given what is paid for it."""
ACTS, IDLE, SAME, MISFIT = "acts", "idle", "same", "misfit"
_MOST_KEYS: Final = 20
"""Keys of one file for which rules are looked for."""
_DEEPEST: Final = 3
"""Keys within keys, from the top, below which misplaced keys are looked for: ``rules``, ``bids``, a bid."""
_MOST: Final = 3
"""Rules that are proposed for one key."""


@dataclass(frozen=True, slots=True)
class _Misplaced:
    """A key that is none where it stands, with its value and the blocks that stand beside it."""

    path: tuple[str, ...]
    """Its place in the file, from the top."""
    value: Any
    blocks: frozenset[str]
    """The blocks of rules that the file has; none where it has no rules."""
    beside: frozenset[str]
    """The keys that stand with it in one block."""
    has_rules: bool
    place: Place


@dataclass(frozen=True, slots=True)
class _Parent:
    """What a file starts from, with the rules that it sets beside its faults."""

    name: str
    reference: str
    settings: Mapping[str, Any]
    compiled: Compiled

    @property
    def rules(self) -> list[str]:
        """The rules that are not kept for each bid: first those that say what something costs, then those stated."""
        found = [path for path in self.compiled.origins if "*" not in (vocabulary.pattern_of(path) or "*")]
        neutral = {path for path in found if self.compiled.origins[path].link.setter == "vocabulary"}
        return sorted(found, key=lambda path: (not path.endswith(_COSTS), path in neutral))

    def paid_for(self, bid: str, table: str = "") -> list[str]:
        """The rule of least steps that says what is paid for a bid: one of that name, or one that is stated."""
        last = f".{table}.{bid}" if table else f".{bid}"
        found = [p for p, o in self.compiled.origins.items() if p.endswith(last)]
        stated = found if table else [p for p in found if self.compiled.origins[p].link.setter != "vocabulary"]
        return sorted(stated, key=lambda p: p.count("."))[:1]

    def what_of(self, path: str, value: Any) -> str:
        """What becomes of a rule that is given a value: one of ACTS, IDLE, SAME and MISFIT."""
        try:
            changed = compile_reference(self.reference, readings={}, settings={**self.settings, path: value})
        except QuadrilleError:
            return MISFIT
        if path in idle_rules(changed):
            return IDLE
        return SAME if _values(changed)[path] == _values(self.compiled)[path] else ACTS


def with_rules_that_act(problems: list[Problem], path: Path) -> list[Problem]:
    """The errors of a file, those of misplaced keys with help that names a rule which takes the value and acts."""
    unknown = [p for p in problems if (p.code == "Q201" and _may_gain(p)) or _BLOCK.fullmatch(p.message)]
    if not unknown or not isinstance(root := tree(path), LocatedMap) or (parent := _parent(root, path)) is None:
        return problems
    found = {p: _told(p, one, parent) for p in unknown[:_MOST_KEYS] if (one := _at(p, root)) is not None}
    return [found.get(p, p) for p in problems]


def _told(problem: Problem, one: _Misplaced, parent: _Parent) -> Problem:
    """The error with better help if there is any, told at the key."""
    better = _help(one, parent)
    return replace(problem, place=one.place, help=better) if better and _is_better(better, problem.help) else problem


def _is_better(help: str, than: str) -> bool:
    """Whether help goes before what was proposed: what may be misspelt stands where no rule is proposed instead."""
    return help.startswith("did you mean ") or not than.startswith("did you mean ")


def _may_gain(problem: Problem) -> bool:
    """Whether the help proposes a place for the key, or nothing; a misspelling and a dotted path are help enough."""
    return not problem.help or problem.help.startswith(("put it under `", "`", "did you mean "))


def _text(root: LocatedMap, key: str) -> str:
    node = root.get(key)
    return node.value if isinstance(node, Located) and isinstance(node.value, str) else ""


def _parent(root: LocatedMap, path: Path) -> _Parent | None:
    """What the file starts from, with its plugins and the rules that it sets beside its faults; None if they clash."""
    extends, witness = _text(root, "extends"), _text(root, "default_witness")
    if not extends:
        return None
    name = str((path.parent / extends).resolve()) if is_path(extends) else extends
    name += f"@{witness}" if witness else ""
    plugins, rules = root.get("plugins"), root.get("rules")
    for use in plugins.to_plain() if isinstance(plugins, LocatedList) else ():
        if not isinstance(use, dict) or not isinstance(use.get("plugin"), str) or use.keys() - {"plugin", "with"}:
            return None
        given = use.get("with") or {}
        name += f"+{use['plugin']}" + (":" + ",".join(f"{k}={v}" for k, v in given.items()) if given else "")
    plain = rules.to_plain() if isinstance(rules, LocatedMap) else {}
    settings = {p: v for p, v in vocabulary.flatten(plain) if _fits(p, v)}
    try:
        return _Parent(extends, name, settings, compile_reference(name, readings={}, settings=settings))
    except QuadrilleError:
        return None


def _fits(path: str, value: Any) -> bool:
    """Whether that is a rule that may have such a value."""
    leaf = vocabulary.leaf_of(path)
    try:
        return leaf is not None and vocabulary.to_typed(leaf, value) is not None
    except vocabulary.MismatchError:
        return False


def _at(problem: Problem, root: LocatedMap) -> _Misplaced | None:
    """The key at an error's place, with a scalar for its value; None where it holds more than one value."""
    rules = root.get("rules")
    blocks = rules.entries if isinstance(rules, LocatedMap) else {}
    below: list[tuple[tuple[str, ...], Node | None]] = [((), root), (("rules",), rules)]
    for path, within in below:
        if not isinstance(within, LocatedMap):
            continue
        for key, node in within.items():
            place = within.key_place(key)
            if isinstance(node, Located) and problem.place in (place, node.place):
                return _Misplaced(
                    (*path, key), node.value, frozenset(blocks), frozenset(within.entries), rules is not None, place
                )
        if path and len(path) <= _DEEPEST:
            below += [((*path, key), node) for key, node in within.items()]
    return None


def _help(one: _Misplaced, parent: _Parent) -> str:
    """What may be meant; empty where the help that is there leads to a rule that acts, or nothing is known."""
    key = one.path[-1].replace("-", "_")
    exact = [p for p in parent.rules if _last(p) == key]
    alike = [p for p in parent.rules if p not in exact and set(key.split("_")) <= set(_last(p).split("_"))]
    value, times = _meant(one.value)
    paid = parent.paid_for(one.path[2], key) if one.path[:2] == ("rules", "bids") and len(one.path) > _DEEPEST else []
    if not exact and not paid and isinstance(value, int) and not isinstance(value, bool):
        paid = parent.paid_for(one.path[-1])
    if paid:
        return f"did you mean {_proposal(paid[0], value, one)}?"
    if not exact and not alike:
        return ""
    if len(exact) == 1 and not times and parent.what_of(exact[0], value) != IDLE:
        return ""  # it is proposed already; and what is wrong with its value is told where it belongs
    acting = [p for p in exact if parent.what_of(p, value) == ACTS]
    acting = acting or [p for p in alike if parent.what_of(p, value) == ACTS]
    if times:  # the word says how many times, and so do these
        acting = [p for p in acting if p.endswith("_times")] or [p for p in acting if p.endswith(_COSTS)]
    if acting:
        return f"did you mean {' or '.join(_proposal(p, value, one) for p in acting[:_MOST])}?"
    typed = shown(one.value, 40)
    return f"no rule of {parent.name} for {key} takes {typed} and acts: try `quadrille explain {key}`"


def _last(path: str) -> str:
    return path.rpartition(".")[2]


def _meant(value: Any) -> tuple[Any, bool]:
    """A value as a rule has it, and whether it says how many times."""
    if not isinstance(value, str):
        return value, False
    word = re.sub(r"[\s-]+", " ", value.strip().lower())
    if (found := re.fullmatch(r"(?:x ?)?(\d{1,2})(?: ?x| times)?", word)) is not None:
        return int(found[1]), True
    if word.endswith(" times") and (number := in_digits(word.removesuffix(" times"))).isdigit():
        return int(number), True
    if word in _TIMES:
        return _TIMES[word], True
    number = in_digits(word)
    return (int(number), False) if number.isdigit() else (value, False)


def _values(compiled: Compiled) -> Mapping[str, Any]:
    return {path: vocabulary.to_plain(origin.value) for path, origin in compiled.origins.items()}


def _proposal(path: str, value: Any, one: _Misplaced) -> str:
    """A rule as it is typed instead of the key: in its place, or below a block that is there already."""
    *blocks, last = ("rules", *path.split("."))
    text = f"{last}: {str(value).lower() if isinstance(value, bool) else value}"
    *above, _ = one.path
    has_its_place = above == blocks[: len(above)] and len(above) > 1
    is_there = blocks[len(above)] in one.beside if has_its_place and above != blocks else blocks[1] in one.blocks
    if above == blocks:
        return f"`{text}`"
    if (len(above) > 1 and not has_its_place) or (above and is_there) or (not above and one.has_rules):
        return f"`{text}` under " + ", ".join(f"`{block}:`" for block in blocks[bool(above) :])
    for block in reversed(blocks[len(above) + 1 :]):
        text = f"{block}: {{{text}}}"
    return f"`{blocks[len(above)]}: {{{text}}}`"
