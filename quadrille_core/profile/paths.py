"""Checks of rule paths against the vocabulary, which JSON Schema cannot express.

``set``, ``that``, ``when``, ``requires`` and ``excludes`` name rules by dotted paths; ``cites``
names rules, blocks or patterns.  Here each path is looked up and each value held against its leaf.
"""

from collections.abc import Iterator
from functools import partial
from itertools import chain, islice

from quadrille_core.errors import Place, Problem
from quadrille_core.profile.located import LocatedList, LocatedMap, Node
from quadrille_core.profile.rule_paths import conditions_of, names_anything, rules_below, suggestion
from quadrille_core.profile.validation import (
    MOST_FOUND,
    Path,
    Pending,
    Say,
    leaf_faults,
    plugin_blocks,
    shape_faults,
    spoken,
)
from quadrille_core.vocabulary import Leaf, MismatchError, is_identifier, leaf_of, to_typed


def check_profile(root: Node, kind: str = "profile") -> list[Problem]:
    """Every fault of a profile, or of a witness's file, that shows without parents and plugins: its
    shape, paths and values."""
    faults, touched = shape_faults(root, kind)
    if touched is None or not isinstance(root, LocatedMap):
        return spoken(faults)
    return spoken([*faults, *_path_faults(root, touched)])


def _path_faults(root: LocatedMap, touched: set[Path]) -> Iterator[Pending]:
    """The errors of paths and values, except at or above an error already known."""
    found = chain(
        _rules(root),
        _cites(root),
        _years(root),
        _sentences(root),
        *(_settings(block, at, wild) for block, at, wild in _blocks(root)),
    )
    own = plugin_blocks(root)
    held = (f for f in found if f[0] not in touched and _block_named(f[0]) not in own)
    return islice(((place, say) for _, place, say in held), MOST_FOUND)


def _block_named(path: Path) -> str:
    """The block of the rule that a key names by its dotted path; none in the tree of rules
    itself."""
    return (
        ""
        if path[0] == "rules"
        else str(path[1] if path[0] == "cites" else path[-1]).partition(".")[0]
    )


# --- where paths stand -----------------------------------------------------------------------


def _entries(node: Node | None) -> Iterator[tuple[str, Node]]:
    if isinstance(node, LocatedMap):
        yield from node.items()


def _below(node: Node | None, key: str) -> Node | None:
    return node.get(key) if isinstance(node, LocatedMap) else None


def _blocks(root: LocatedMap) -> Iterator[tuple[LocatedMap, Path, bool]]:
    """Every mapping whose keys are rule paths, where it is, and whether its values are
    conditions."""
    for reading, at in _readings(root):
        block = _below(reading, "set")
        if isinstance(block, LocatedMap):
            yield block, (*at, "set"), False
    for name, keys in (
        ("assumes", ("that",)),
        ("constraints", ("when", "requires", "excludes")),
        ("published", ("of",)),
    ):
        entries = root.get(name)
        for index, entry in enumerate(entries if isinstance(entries, LocatedList) else ()):
            for key in keys:
                block = _below(entry, key)
                if isinstance(block, LocatedMap):
                    yield block, (name, index, key), True


def _readings(root: LocatedMap) -> Iterator[tuple[Node, Path]]:
    """Every reading of a profile's points, of a witness's own, and of its answers to others."""
    for key in ("points", "new_points"):
        for name, point in _entries(root.get(key)):
            for reading, node in _entries(_below(point, "readings")):
                yield node, (key, name, "readings", reading)
            if isinstance(point, LocatedList):
                yield from ((node, (key, name, number)) for number, node in enumerate(point))
            else:
                yield point, (key, name)


# --- the checks ------------------------------------------------------------------------------


Found = tuple[Path, Place, Say]


def _rules(root: LocatedMap) -> Iterator[Found]:
    rules = root.get("rules")
    waiting: list[tuple[Path, LocatedMap]] = [((), rules)] if isinstance(rules, LocatedMap) else []
    while waiting:
        above, block = waiting.pop()
        for key, node in block.items():
            steps = (*above, key)
            path = ".".join(map(str, steps))
            leaf = leaf_of(path)
            if leaf is not None:
                yield from (
                    (("rules", *steps), *fault) for fault in _mismatch(leaf, node, f"rules.{path}")
                )
            elif isinstance(node, LocatedMap):
                waiting.append((steps, node))


def _settings(block: LocatedMap, at: Path, wild: bool) -> Iterator[Found]:
    """Faults of a mapping from paths to values; ``wild`` where its values are conditions and may be
    lists."""
    for path, node in block.items():
        leaf = leaf_of(path)
        if leaf is None or _misnamed(path, leaf, wild=wild):
            yield (*at, path), block.key_place(path), partial(_path_problem, path, leaf)
            continue
        for value in conditions_of(leaf, node) if wild else [node]:
            faults = leaf_faults(leaf.pattern, value, (path,)) or _mismatch(leaf, value, path)
            yield from (((*at, path), *fault) for fault in faults)


def _mismatch(leaf: Leaf, node: Node, path: str) -> Iterator[Pending]:
    """The fault of a value that the schema may pass and the vocabulary does not."""
    try:
        to_typed(leaf, node.to_plain())
    except MismatchError as e:
        yield node.place, partial(_mismatch_problem, path, node, e)


def _mismatch_problem(path: str, node: Node, error: MismatchError) -> Problem:
    data = {"path": (path,), "value": node.to_plain(), "why": error.problem}
    return Problem(error.code, "not-allowed", data)


def _misnamed(path: str, leaf: Leaf, *, wild: bool) -> bool:
    """Whether a path that leads to a rule does so by what is no bid."""
    pairs = zip(path.split("."), leaf.pattern.split("."), strict=True)
    return any(
        want == "*" and not (wild if have == "*" else is_identifier(have)) for have, want in pairs
    )


def _path_problem(path: str, leaf: Leaf | None) -> Problem:
    data = {"path": path}
    if leaf is None:
        if names_anything(path):
            return Problem(
                "Q605",
                "block",
                {**data, "rules": rules_below(path)[:6]},
            )
        return Problem("Q605", "no-rule", data, hint=suggestion(path))
    if "*" in path.split("."):
        return Problem("Q605", "no-single-rule", data)
    pairs = zip(path.split("."), leaf.pattern.split("."), strict=True)
    bid = next(have for have, want in pairs if want == "*" and not is_identifier(have))
    return Problem("Q207", "no-bid-name", {"bid": bid})


def _cites(root: LocatedMap) -> Iterator[Found]:
    cites = root.get("cites")
    if isinstance(cites, LocatedMap):
        for path, _ in cites.items():
            if not names_anything(path):
                unknown = Problem("Q605", "no-rule-or-block", {"path": path}, hint=suggestion(path))
                yield ("cites", path, ""), cites.key_place(path), partial(_same, unknown)


def _years(root: LocatedMap) -> Iterator[Found]:
    """Sources that end before they begin."""
    named = (((*("sources", name),), node) for name, node in _entries(root.get("sources")))
    for path, source in (*named, (("source",), root.get("source"))):
        year, until = _below(source, "year"), _below(source, "until")
        if until is None:
            continue
        if year is None:
            alone = partial(Problem, "Q205", "until-without-year", {"path": (*path, "until")})
            yield (*path, "until"), until.place, alone
            continue
        first, last = year.to_plain(), until.to_plain()
        if type(first) is type(last) is int and last < first:
            data = {"path": (*path, "until"), "year": first, "until": last}
            yield (*path, "until"), until.place, partial(Problem, "Q205", "before-the-year", data)


def _sentences(root: LocatedMap) -> Iterator[Found]:
    """Sentences of a text that stand twice, or are named and are not there."""
    listed, known = root.get("sentences"), set[str]()
    for index, node in enumerate(listed if isinstance(listed, LocatedList) else ()):
        number = _below(node, "s")
        said = "" if number is None else str(number.to_plain())
        if said in known:
            twice = partial(Problem, "Q410", "sentence-twice", {"number": said[:40]})
            yield ("sentences", index), node.place, twice
        known.add(said)
    cites = ((node, ("cites", path)) for path, node in _entries(root.get("cites")))
    for one, at in (*_readings(root), *cites) if root.get("of") is not None else ():
        named = _below(one, "s")
        numbers = named.items if isinstance(named, LocatedList) else [named]
        for number in numbers:
            said = "" if number is None else str(number.to_plain())
            if number is not None and said not in known:
                none = partial(Problem, "Q410", "no-such-sentence", {"number": said[:40]})
                yield (*at, "s"), number.place, none


def _same(problem: Problem) -> Problem:
    return problem
