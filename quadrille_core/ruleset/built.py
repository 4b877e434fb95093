"""Rules from a merge that lacks nothing, and the digest that is their identity."""

import json
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from hashlib import sha256
from typing import Any

from quadrille_core import vocabulary
from quadrille_core.rules import PluginUse
from quadrille_core.ruleset.merge import Merge


def build_rules(merge: Merge) -> Any:
    """The rules of a merge that lacks nothing, with the bids in the order of the ladder."""
    values = merge.values()
    own = {path: values.pop(path) for path in list(values) if vocabulary.kind_of(path) is None}
    order = {b: (values[f"bids.{b}.rank"], b) for b in merge.bids()}
    return vocabulary.build_of(merge.kind, _by_bid(values, order, merge.kind) | own)


def _by_bid(values: Mapping[str, Any], order: Mapping[str, tuple[int, str]], kind: str) -> dict[str, Any]:
    """The same leaves with the bids, and the rows kept bid by bid, in the order of the ladder."""

    def key(path: str) -> tuple[Any, ...]:
        block, bid, position = _stands(kind, path)
        return (block, order.get(bid, (0, "")), position)

    return {path: values[path] for path in sorted(values, key=key)}


@lru_cache(maxsize=8192)
def _stands(kind: str, path: str) -> tuple[int, str, int]:
    """Where a leaf stands: the place of its block, the bid that it is of or nothing, and the place of its pattern."""
    positions, blocks = _positions(kind)
    pattern = vocabulary.pattern_of(path) or path
    bid = path.split(".")[pattern.split(".").index("*")] if "*" in pattern else ""
    return blocks[pattern.split("*")[0]], bid, positions[pattern]


@cache
def _positions(kind: str) -> tuple[Mapping[str, int], Mapping[str, int]]:
    """The places of all patterns, and of the blocks that they are in."""
    positions = {pattern: i for i, pattern in enumerate(vocabulary.leaves(kind))}
    blocks: dict[str, int] = {}
    for pattern in positions:
        blocks.setdefault(pattern.split("*")[0], len(blocks))
    return positions, blocks


def digest(
    values: Mapping[str, Any], plugins: Sequence[PluginUse], neutral_then: Mapping[str, Any] | None = None
) -> str:
    """The identity of merged rules: SHA-256 over their canonical JSON with plugin names and versions.

    It does not depend on the order of keys, nor on names, titles, witnesses or citations.  A leaf at its neutral
    value is left out, so that a digest in print stays true when the vocabulary gains a mechanic.  ``neutral_then``
    gives other neutral values of some rules, for a digest taken when they had those.
    """
    then = neutral_then or {}

    def counts(path: str, value: Any) -> bool:
        neutral = then[path] == value if path in then else _neutral(path, value)
        return not neutral and not path.endswith(".title")

    used = sorted([p.name, p.package, p.version, *map(list, p.parameters)] for p in plugins)
    rules = {path: value for path, value in values.items() if counts(path, value)}
    return sha256(canonical_json({"rules": rules, "plugins": used}).encode()).hexdigest()


def _neutral(path: str, value: Any) -> bool:
    if vocabulary.kind_of(path) is None:  # a plugin's own: whoever reads a ledger need not have it
        return False
    known = _neutral_values()
    pattern = vocabulary.leaf_at(path).pattern
    return pattern in known and known[pattern] == value


@cache
def _neutral_values() -> Mapping[str, Any]:
    """The neutral value of every rule that has one, by pattern."""
    return {pattern: leaf.default_plain() for pattern, leaf in vocabulary.every_leaf().items() if leaf.has_default}


def canonical_json(value: Any) -> str:
    """Plain data as JSON, in one spelling whatever the order of keys."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
