"""Rule paths in a profile, held against the vocabulary: what a JSON Schema cannot say.

``set``, ``that``, ``when``, ``requires`` and ``excludes`` name rules by dotted paths; ``cites`` names
rules, blocks or patterns.  Here each path is looked up and each value held against its leaf.
"""

from collections.abc import Iterable, Iterator

from quadrille_core.errors import Problem
from quadrille_core.profile.located import LocatedList, LocatedMap, Node, shown
from quadrille_core.profile.rule_paths import conditions_of, leaf_of, names_anything, rules_below, suggestion
from quadrille_core.profile.validation import Path, capped, leaf_problems, validate
from quadrille_core.vocabulary import Leaf, MismatchError, is_identifier, to_typed


def check_profile(root: Node) -> list[Problem]:
    """Every fault of a profile that shows without its parents and plugins: its shape, paths and values."""
    shape = validate(root, "profile")
    if any(p.code == "Q208" for p in shape) or not isinstance(root, LocatedMap):
        return shape
    return capped([*shape, *check_paths(root, known=shape)])


def check_paths(root: LocatedMap, *, known: Iterable[Problem] = ()) -> list[Problem]:
    """The faults of rule paths and of the values they are given, in the order of the file.

    A value at which ``known`` already finds fault is passed over.
    """
    faulty = {(p.place.line, p.place.col) for p in known if p.place}
    problems = [*_rules(root), *_cites(root)]
    for block, conditional in _blocks(root):
        problems += _settings(block, conditional=conditional)
    return capped(p for p in problems if not p.place or (p.place.line, p.place.col) not in faulty)


# --- where paths stand -----------------------------------------------------------------------


def _entries(node: Node | None) -> Iterator[tuple[str, Node]]:
    if isinstance(node, LocatedMap):
        yield from node.items()


def _items(node: Node | None) -> Iterator[LocatedMap]:
    if isinstance(node, LocatedList):
        yield from (item for item in node if isinstance(item, LocatedMap))


def _blocks(root: LocatedMap) -> Iterator[tuple[LocatedMap, bool]]:
    """Every mapping whose keys are rule paths, and whether its values are conditions."""
    for _, point in _entries(root.get("points")):
        readings = point.get("readings") if isinstance(point, LocatedMap) else None
        for _, reading in _entries(readings):
            block = reading.get("set") if isinstance(reading, LocatedMap) else None
            if isinstance(block, LocatedMap):
                yield block, False
    for name, keys in (("assumes", ("that",)), ("constraints", ("when", "requires", "excludes"))):
        for entry in _items(root.get(name)):
            for key in keys:
                block = entry.get(key)
                if isinstance(block, LocatedMap):
                    yield block, True


# --- the checks ------------------------------------------------------------------------------


def _rules(root: LocatedMap) -> Iterator[Problem]:
    rules = root.get("rules")
    waiting: list[tuple[str, LocatedMap]] = [("", rules)] if isinstance(rules, LocatedMap) else []
    while waiting:
        prefix, block = waiting.pop()
        for key, node in block.items():
            path = prefix + key
            leaf = leaf_of(path)
            if leaf is not None:
                yield from _mismatch(leaf, node, path)
            elif isinstance(node, LocatedMap):
                waiting.append((f"{path}.", node))


def _settings(block: LocatedMap, *, conditional: bool) -> Iterator[Problem]:
    for path, node in block.items():
        leaf = leaf_of(path)
        fault = _path_fault(path, leaf, wild=conditional)
        if fault is not None:
            yield Problem(fault[0], fault[1], block.key_place(path), fault[2])
        elif leaf is not None:
            for value in conditions_of(leaf, node) if conditional else [node]:
                named: Path = (path,)
                found = leaf_problems(leaf.pattern, value, named)
                yield from found or _mismatch(leaf, value, path)


def _mismatch(leaf: Leaf, node: Node, path: str) -> Iterator[Problem]:
    """The fault of a value that the schema passes and the vocabulary does not."""
    try:
        to_typed(leaf, node.to_plain())
    except MismatchError as e:
        said = str(e)
        codes = {"expected a number from": "Q205", "expected one of": "Q204", "expected each item once": "Q206"}
        code = next((c for start, c in codes.items() if said.startswith(start)), "")
        if not code:
            code = "Q207" if "card" in said or "suit" in said or "fraction" in said else "Q203"
        yield Problem(code, f"{path} cannot be {shown(node.to_plain())}", node.place, said)


def _path_fault(path: str, leaf: Leaf | None, *, wild: bool) -> tuple[str, str, str] | None:
    """Code, message and help for a path that names no rule, or that may not be written so here."""
    if leaf is None:
        if names_anything(path):
            hint = "name one of its rules: " + ", ".join(rules_below(path)[:6])
            return "Q605", f"{shown(path)} is a block of rules, not a rule", hint
        return "Q605", f"no rule is called {shown(path)}", suggestion(path)
    for have, want in zip(path.split("."), leaf.pattern.split("."), strict=True):
        if want == "*" and have == "*" and not wild:
            return "Q605", f"{shown(path)} names no single rule", "a reading sets the rules of bids one by one"
        if want == "*" and have != "*" and not is_identifier(have):
            return "Q207", f"{shown(have)} cannot name a bid", "use small letters, digits and hyphens"
    return None


def _cites(root: LocatedMap) -> Iterator[Problem]:
    cites = root.get("cites")
    if not isinstance(cites, LocatedMap):
        return
    for path, _ in cites.items():
        if not names_anything(path):
            yield Problem("Q605", f"no rule or block is called {shown(path)}", cites.key_place(path), suggestion(path))
