"""Looking rule paths up in the vocabulary, quickly and with patience for misspelling.

A path may have ``*`` for any bid; a citation's pattern may have it for any step.
"""

from collections.abc import Sequence
from difflib import get_close_matches
from typing import get_origin

from quadrille_core.errors import DidYouMean, did_you_mean
from quadrille_core.profile.located import LocatedList, LocatedMap, Node
from quadrille_core.vocabulary import (
    LEAF,
    Leaf,
    MismatchError,
    every_leaf,
    is_identifier,
    leaf_of,
    leaves,
    to_typed,
    trie,
    tries_at,
)

AT_LEAST = "at_least"
"""The key of a condition that names the lowest number allowed."""


def conditions_of(leaf: Leaf | None, node: Node) -> list[Node]:
    """The values that a condition names: those of a list, unless the list is itself the rule's
    value, or a bound."""
    if isinstance(node, LocatedMap):
        bound = node.get(AT_LEAST)
        return [] if bound is None else [bound]
    if not isinstance(node, LocatedList):
        return [node]
    takes_lists = leaf is not None and get_origin(leaf.type) is tuple
    if takes_lists and not (node.items and all(_is_whole(leaf, item) for item in node.items)):
        return [node]
    return list(node.items)


def _is_whole(leaf: Leaf | None, node: Node) -> bool:
    """Whether a node itself is a value of that leaf."""
    try:
        return leaf is not None and to_typed(leaf, node.to_plain()) is not None
    except MismatchError:
        return False


def names_anything(path: str) -> bool:
    """Whether a path or pattern names at least one rule or block."""
    steps = path.split(".")
    return (
        all(s == "*" or is_identifier(s) for s in steps)
        and len(steps) < 12
        and bool(tries_at(path))
    )


def rules_below(path: str) -> list[str]:
    """The rule paths below a block."""
    return [f"{path}.{step}" for node in tries_at(path)[:1] for step in node if step != LEAF]


def rule_places(key: str, kind: str) -> list[tuple[str, ...]]:
    """The paths of that kind of game that end in a key, dotted or not, which names a rule or a
    block of rules."""
    typed = tuple(key.split("."))
    found: dict[tuple[str, ...], None] = {}
    for steps in (pattern.split(".") for pattern in leaves(kind) if typed[0] in pattern):
        at = steps.index(typed[0]) if typed[0] in steps else len(steps)
        named = steps[at : at + len(typed)]
        if len(named) == len(typed) and all(
            want in ("*", step) for want, step in zip(named, typed, strict=True)
        ):
            found[(*steps[:at], *typed)] = None
    return list(found)


def takes(place: Sequence[str], value: object) -> bool:
    """Whether the rule or block at a path may be given such a value; no path with ``*`` is."""
    leaf = leaf_of(".".join(place))
    if "*" in place or leaf is None:
        return "*" not in place and isinstance(value, dict)
    try:  # a word that is misspelt is told where it belongs
        return not isinstance(value, (dict, list)) or to_typed(leaf, value) is not None
    except MismatchError:
        return False


def suggestion(path: str) -> DidYouMean | None:
    """The path as probably meant, corrected at the first unknown step."""
    steps = path[:200].split(".")
    node = trie()
    for index, step in enumerate(steps[:12]):
        below = node.get(step) or node.get("*")
        if below is None:
            known = [s for s in node if s != LEAF]
            near = get_close_matches(step, known, n=3, cutoff=0.6)
            mended = [".".join([*steps[:index], name, *steps[index + 1 :]]) for name in near]
            whole = [p for p in mended if names_anything(p)]
            if whole or near:
                return DidYouMean(
                    path, tuple(whole or [".".join([*steps[:index], n]) for n in near])
                )
            same = _same_name(steps[-1])
            return same or (did_you_mean(step, known, what="known here") if index else None)
        node = below
    return _same_name(steps[-1])


def _same_name(last: str) -> DidYouMean | None:
    """The rules whose last step is that word: someone forgot the block."""
    found = [p for p in every_leaf() if p.rpartition(".")[2] == last and "*" not in p]
    return DidYouMean(last, tuple(found[:3])) if found else None
