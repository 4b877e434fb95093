"""A key under ``rules:`` that names no rule there: which rule may be meant that takes its value and
acts."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from quadrille_core.errors import Command, DidYouMean, Edit, Hint, Phrase, Place, Problem, Replace
from quadrille_core.profile.located import Located, LocatedMap, Node
from quadrille_core.profile.words import in_digits
from quadrille_plugins.check.parent import ACTS, IDLE, IS_NOT, TIMES, Parent, parent_of, tree

_REFUSED: Final = re.compile(r"[\w-]+: *(no|off)\b", re.IGNORECASE)
"""A key with a word that is refused, since it is false to some readers of YAML."""
_MOST_KEYS: Final = 20
"""Keys of one file for which rules are looked for."""
_DEEPEST: Final = 3
"""Keys within keys, from the top, below which misplaced keys are looked for: ``rules``, ``bids``, a
bid."""
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


def with_rules_that_act(problems: list[Problem], path: Path) -> list[Problem]:
    """The errors of a file, those of misplaced keys with help that names a rule which takes the
    value and acts."""
    unknown = [p for p in problems if _may_gain(p) or _is_given_a_payment(p)]
    if (
        not unknown
        or not isinstance(root := tree(path), LocatedMap)
        or (parent := parent_of(root, path)) is None
    ):
        return problems
    found = {
        p: _told(p, one, parent) for p in unknown[:_MOST_KEYS] if (one := _at(p, root)) is not None
    }
    return [found.get(p, p) for p in problems]


def _told(problem: Problem, one: _Misplaced, parent: Parent) -> Problem:
    """The error with a better hint if there is any, told at the key."""
    better = _hint(one, parent)
    # what may be misspelt stands where no rule is proposed instead
    is_better = isinstance(better, Replace) or (better is not None and not _is_meant(problem.hint))
    return replace(problem, place=one.place, hint=better) if is_better else problem


def _is_meant(hint: Hint | None) -> bool:
    """Whether a hint names words that may be meant."""
    return isinstance(hint, DidYouMean) and bool(hint.words)


def _may_gain(problem: Problem) -> bool:
    """Whether the hint proposes a place for the key, or nothing; a misspelling and a dotted path
    are help enough."""
    if problem.code != "Q201":
        return problem.code == "Q111"  # `no` may be said of a bid
    match problem.hint:
        case Edit(how="under" | "belongs") | Phrase(variant="name-the-plugin"):
            return True
    return problem.hint is None or _is_meant(problem.hint)


def _is_given_a_payment(problem: Problem) -> bool:
    """Whether a bid, or a block called like one, is given what is paid for it, or that it is not
    played.

    Or a word or number of times is given for a list of what is paid.
    """
    path, value = problem.data.get("path", ()), problem.data.get("value")
    if problem.variant != "wrong-type" or path[:1] != ("rules",) or value is True:
        return False
    if "array" in problem.data["types"]:
        is_text = isinstance(value, str) and re.fullmatch(r"[\w -]+", value) is not None
        return str(path[-1]).endswith("_pays") and (is_text or isinstance(value, int))
    is_bid = len(path) == (3 if path[1:2] == ("bids",) else 2)
    is_word = isinstance(value, int) or (
        isinstance(value, str) and re.fullmatch("[a-z]+", value) is not None
    )
    return problem.data["types"][0] == "object" and is_bid and is_word


def _at(problem: Problem, root: LocatedMap) -> _Misplaced | None:
    """The key at an error's place, with a scalar for its value; None where it holds more than one
    value."""
    rules = root.get("rules")
    blocks = rules.entries if isinstance(rules, LocatedMap) else {}
    below: list[tuple[tuple[str, ...], Node | None]] = [((), root), (("rules",), rules)]
    for path, within in below:
        if not isinstance(within, LocatedMap):
            continue
        for key, node in within.items():
            place = within.key_place(key)
            inner = (
                node.entries.values()
                if isinstance(node, LocatedMap) and "{" in place.text[place.col :]
                else ()
            )
            is_value = isinstance(node, Located) or (
                len(inner) == 1 and all(isinstance(n, Located) for n in inner)
            )
            if is_value and problem.place in (place, node.place):
                named, beside = frozenset(blocks), frozenset(within.entries)
                value = node.to_plain()
                if value is None and (word := _REFUSED.match(place.text, place.col - 1)):
                    value = word[1]
                return _Misplaced((*path, key), value, named, beside, rules is not None, place)
        if path and len(path) <= _DEEPEST:
            below += [((*path, key), node) for key, node in within.items()]
    return None


def _hint(one: _Misplaced, parent: Parent) -> Hint | None:
    """What may be meant; None where the hint that is there leads to a rule that acts, or nothing is
    known."""
    key = one.path[-1].replace("-", "_")
    if isinstance(one.value, dict):
        return _turned_round(one, parent)
    if _is_not_played(one, parent):
        return _proposals([f"bids.{_bid(key)}.made"], "never", one)
    if one.value is None or one.value in ("no", "off", "No", "NO"):
        return None  # a word that is refused as a value, and no bid
    value, times = _meant(one.value)
    exact = [p for p in parent.rules if _last(p) == key]
    if key.endswith("_pays") and len(exact) == 1 and isinstance(value, int):
        times, key, exact = True, key.removesuffix("_pays"), []
    is_number = isinstance(value, int) and not isinstance(value, bool)
    if one.path[:-1] == ("rules",) and (
        block := _of_block(key, value, parent, is_number=is_number and not exact)
    ):
        return block
    paid = (
        parent.paid_for(one.path[2], key)
        if one.path[:2] == ("rules", "bids") and len(one.path) > _DEEPEST
        else []
    )
    if not exact and not paid and is_number:
        paid = parent.paid_for(one.path[-1])
    return (
        _proposals(paid[:1], value, one) if paid else _acting(key, exact, value, times, one, parent)
    )


def _of_block(key: str, value: Any, parent: Parent, *, is_number: bool) -> Hint | None:
    """A reading that stands among the rules, or one amount for a table of payments."""
    if reading := _reading(key, value, parent):
        return rule_hint([(f"{key}: {reading}", ("readings",))])
    below = parent.table(f"payments.{key}") if is_number else []
    each = ", ".join(f"{last}: {value}" for last in below)
    return rule_hint([(f"{key}: {{{each}}}", ("payments",))]) if below else None


def _acting(
    key: str, exact: list[str], value: Any, times: bool, one: _Misplaced, parent: Parent
) -> Hint | None:
    """Rules by that name, or by a like one, that take the value and act."""
    alike = [
        p
        for p in parent.rules
        if p not in exact and set(key.split("_")) <= set(_last(p).split("_"))
    ]
    if not exact and not alike:
        return None
    if len(exact) == 1 and not times and parent.what_of(exact[0], value) != IDLE:
        # it is proposed already; and what is wrong with its value is told where it belongs
        return None
    acting = [p for p in exact if parent.what_of(p, value) == ACTS]
    acting = acting or [p for p in alike if parent.what_of(p, value) == ACTS]
    if times:  # the word says how many times, and so do these
        acting = [
            p for p in acting if p.endswith("_times")
        ]  # what is added twice to what is there is three times it
    if acting:
        return _proposals(acting[:_MOST], value, one)
    explain = Command("explain", (key,))
    return Phrase(
        "none-acts", {"parent": parent.name, "key": key, "value": one.value, "explain": explain}
    )


def _proposals(paths: Sequence[str], value: Any, one: _Misplaced) -> Replace:
    return rule_hint([_proposal(path, value, one) for path in paths])


def rule_hint(proposals: Sequence[tuple[str, tuple[str, ...]]]) -> Replace:
    """The first of some rules, each with the blocks below which it stands."""
    words = [
        Phrase(
            "rule-under" if under else "rule-here",
            {"rule": text, "under": [f"`{block}:`" for block in under]},
        )
        for text, under in proposals
    ]
    return Replace(proposals[0][0], "rule", proposals[0][1], data={"several": words})


def _reading(key: str, value: Any, parent: Parent) -> str:
    """The reading of that name of a point of that name; empty where there is none."""
    point = next((state.point for state in parent.compiled.points if state.point.id == key), None)
    return (
        value
        if point is not None and isinstance(value, str) and point.reading(value) is not None
        else ""
    )


def _is_not_played(one: _Misplaced, parent: Parent) -> bool:
    """Whether a bid stands outside the bids, with a word for that it is not played."""
    says_no = one.value is False or (isinstance(one.value, str) and one.value.lower() in IS_NOT)
    is_bid = f"bids.{_bid(one.path[-1])}.made" in parent.compiled.origins
    return (
        says_no and is_bid and one.path[:-1] in ((), ("rules",))
    )  # elsewhere it is a payment that is none


def _bid(key: str) -> str:
    return key.replace("_", "-")


def _turned_round(one: _Misplaced, parent: Parent) -> Hint | None:
    """A payment below its bid, the bid standing where no bid can: the other way round."""
    ((table, value),) = one.value.items()
    paid = parent.paid_for(one.path[-1], table)
    return _proposals(paid[:1], value, one) if paid else None


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
    if word in TIMES:
        return TIMES[word], True
    number = in_digits(word)
    return (int(number), False) if number.isdigit() else (value, False)


def _proposal(path: str, value: Any, one: _Misplaced) -> tuple[str, tuple[str, ...]]:
    """A rule as it is typed instead of the key: in its place, or below blocks that are there
    already."""
    *blocks, last = ("rules", *path.split("."))
    text = f"{last}: {str(value).lower() if isinstance(value, bool) else value}"
    *above, _ = one.path
    has_its_place = above == blocks[: len(above)] and len(above) > 1
    is_there = (
        blocks[len(above)] in one.beside
        if has_its_place and above != blocks
        else blocks[1] in one.blocks
    )
    if above == blocks:
        return text, ()
    if (
        (len(above) > 1 and not has_its_place)
        or (above and is_there)
        or (not above and one.has_rules)
    ):
        return text, tuple(blocks[bool(above) :])
    for block in reversed(blocks[len(above) + 1 :]):
        text = f"{block}: {{{text}}}"
    return f"{blocks[len(above)]}: {{{text}}}", ()
