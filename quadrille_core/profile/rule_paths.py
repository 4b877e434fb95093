"""Looking rule paths up in the vocabulary, quickly and with patience for misspelling.

A path may have ``*`` for any bid; a citation's pattern may have it for any step.
"""

from difflib import get_close_matches
from functools import cache
from typing import Any, get_origin

from quadrille_core.errors import did_you_mean
from quadrille_core.profile.located import LocatedList, LocatedMap, Node
from quadrille_core.vocabulary import Leaf, MismatchError, every_leaf, is_identifier, to_typed

Trie = dict[str, Any]
AT_LEAST = "at_least"
"""The key of a condition that names the lowest number allowed."""
_LEAF = "."
"""The key under which a trie keeps the leaf that ends there; no step of a path is spelled so."""


@cache
def _trie() -> Trie:
    root: Trie = {}
    for pattern, leaf in every_leaf().items():
        node = root
        for step in pattern.split("."):
            node = node.setdefault(step, {})
        node[_LEAF] = leaf
    return root


def leaf_of(path: str) -> Leaf | None:
    """The leaf that a path names, ``*`` standing for any bid; None when it names none."""
    node = _trie()
    for step in path.split("."):
        below = node.get(step) or node.get("*")
        if not below:
            return None
        node = below
    leaf: Leaf | None = node.get(_LEAF)
    return leaf


def conditions_of(leaf: Leaf | None, node: Node) -> list[Node]:
    """The values that a condition names: those of a list, unless the list is itself the rule's value, or a bound."""
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
    """Whether a node is, by itself, a value of that leaf."""
    try:
        return leaf is not None and to_typed(leaf, node.to_plain()) is not None
    except MismatchError:
        return False


def _nodes_at(path: str) -> list[Trie]:
    """Every place of the vocabulary that a path or pattern leads to."""
    nodes = [_trie()]
    for step in path.split("."):
        if step == "*":
            nodes = [below for node in nodes for key, below in node.items() if key != _LEAF]
        else:
            nodes = [node.get(step) or node["*"] for node in nodes if step in node or (step and "*" in node)]
    return nodes


def names_anything(path: str) -> bool:
    """Whether a path or pattern names at least one rule or block."""
    steps = path.split(".")
    return all(s == "*" or is_identifier(s) for s in steps) and len(steps) < 12 and bool(_nodes_at(path))


def rules_below(path: str) -> list[str]:
    """What a block holds, as paths."""
    return [f"{path}.{step}" for node in _nodes_at(path)[:1] for step in node if step != _LEAF]


def suggestion(path: str) -> str:
    """The path as it was probably meant, mended at the first step that leads nowhere."""
    steps = path[:200].split(".")
    node = _trie()
    for index, step in enumerate(steps[:12]):
        below = node.get(step) or node.get("*")
        if below is None:
            known = [s for s in node if s != _LEAF]
            near = get_close_matches(step, known, n=3, cutoff=0.6)
            mended = [".".join([*steps[:index], name, *steps[index + 1 :]]) for name in near]
            whole = [p for p in mended if names_anything(p)]
            if whole or near:
                return "did you mean " + " or ".join(whole or [".".join([*steps[:index], n]) for n in near]) + "?"
            same = _same_name(steps[-1])
            return same or (did_you_mean(step, known, what="known here") if index else "")
        node = below
    return _same_name(steps[-1])


def _same_name(last: str) -> str:
    """The rules whose last step is that word: someone forgot the block."""
    found = [p for p in every_leaf() if p.rpartition(".")[2] == last and last != "*"]
    return "did you mean " + " or ".join(found[:3]) + "?" if found else ""
