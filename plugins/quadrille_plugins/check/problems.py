"""Every fault of a file, by what it is, and notes on the rules that a profile makes."""

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, TypeVar

from quadrille_core import resources
from quadrille_core.errors import (
    Command,
    Edit,
    Option,
    Problem,
    QuadrilleError,
    UnreadableError,
    did_you_mean,
)
from quadrille_core.features import ask
from quadrille_core.profile import RECORD_LIMITS, load_file, validate
from quadrille_core.profile.document import to_profile
from quadrille_core.profile.located import Located, LocatedList, LocatedMap, Node
from quadrille_core.profile.records import PointDoc, ProfileDoc, ReadingDoc
from quadrille_core.profile.schema import kinds, word_of
from quadrille_core.profile.yaml_strict import FaultyTreeError
from quadrille_core.registry import Registry
from quadrille_core.ruleset import Compiled, Reference, compile_chain, load_chain
from quadrille_core.ruleset.reference import is_path
from quadrille_plugins.check.inherited import at_own_rules
from quadrille_plugins.check.shapes import with_help_that_fits
from quadrille_plugins.check.witness import of_witness
from quadrille_plugins.shell.idle_rules import idle_rules, stopped_rules

N = TypeVar("N", bound=Node)
_OF_A_RESULT: Final = frozenset(("contract", "hombre", "players", "pool", "tricks"))
"""Keys of which a result has two at least, and a profile none: a result need not say what it is."""
_LACKS_MOST = 20
"""Rules without a value of which a file is taken to lack what it should start from."""
_UNKNOWN = ("Q301", "Q405", "Q501", "Q506")
_UNKNOWN_OF_PARENT = ("Q401", "Q402", "Q403", "Q604")
"""Errors of what is named and is not there, in the file alone, and in what it starts from."""
MOST_POINTS = 40
"""Points of one file, and readings of one point, that are tried one by one."""


def problems_of(path: Path) -> tuple[list[Problem], bool, list[str]]:
    """Every fault of one file, and of the rules that a profile makes; whether it could be read;
    warnings and notes."""
    if not is_path(str(path)) and not path.exists():
        show = Command("show", (str(path),))
        variant = "no-file" if path.suffix else "no-file-but-name"
        return [Problem("Q306", variant, {"path": str(path)[:60], "show": show})], True, []
    if path.suffix == ".jsonl":
        line = (Option("replay", str(path)), Option("line", "1"))
        how = Command("deal", (), line, "one-by-its-line")
        several = UnreadableError.of("many-records", how, place=path)
        return list(several.problems), False, []
    root, refused = tree(path)
    kind = other_kind(root)
    if kind == "witness":
        found, notes = of_witness(path)
        return found, True, notes
    if root is not None and kind is not None and not (kind == "manifest" and refused):
        return faults_of(root, kind, refused), True, []
    if path.suffix == ".json" and path.exists() and (kind or not _says_kind(root)):
        syntax = [p for p in refused if p.code == "Q105"]
        rerun = Command("rerun", (str(path),))
        no_kind = Problem("Q306", "no-kind-to-check", {"path": str(path)[:60], "rerun": rerun})
        return syntax or [no_kind], True, []
    notes = []
    try:
        found, notes = _of_rules(load_chain(_as_path(path)))
    except UnreadableError as e:
        return list(e.problems), False, []
    except QuadrilleError as e:
        found = [*e.problems, *_further(e.problems, root, path)]
    return [with_help_that_fits(p, root) for p in _without_parent(found, root)], True, notes


def _of_rules(chain: tuple[ProfileDoc, ...]) -> tuple[list[Problem], list[str]]:
    """What is wrong with the rules of a chain, by every witness and reading; warnings and notes."""
    leaf, registry = chain[-1], Registry()
    found: list[Problem] = []
    warnings: list[str] = []
    notes: dict[str, str] = {}
    judged: set[str] = set()
    in_use: Compiled | None = None
    for witness in dict.fromkeys([None, *(w.id for doc in chain for w in doc.witnesses)]):
        reference = Reference(leaf.id, witness)
        # house rules are played as they are, whoever else is a witness of their parent
        of_parent = witness is not None and not leaf.witnesses
        try:
            compiled = compile_chain(chain, reference, readings={}, settings={}, registry=registry)
        except UnreadableError:
            raise
        except QuadrilleError as e:
            if of_parent and judged:
                note = f"note: with {witness} as witness these rules cannot be played: {_first(e)}"
                notes.setdefault(f"by {witness}", note)
            else:
                found += [p for p in _at_own_rules(e, chain, reference) if p not in found]
            continue
        in_use = in_use or compiled
        if leaf.abstract or compiled.identity.digest in judged:
            continue
        judged.add(compiled.identity.digest)
        told = ask("quadrille_warnings", compiled=compiled)
        warnings += [f"warning: {warning}" for _, several in told for warning in several]
        if not of_parent:  # what holds by default is not repeated for a witness
            notes = _notes(compiled, named=witness is not None) | notes
    # what the default already shows would come again with every reading
    found = found or _of_readings(chain, in_use, registry)
    return found, warnings + list(notes.values())


def _of_readings(
    chain: tuple[ProfileDoc, ...], in_use: Compiled | None, registry: Registry
) -> list[Problem]:
    """What is wrong with the first reading that cannot be."""
    reference = Reference(chain[-1].id, None)
    for point in chain[-1].points[:MOST_POINTS]:
        for reading in point.readings[:MOST_POINTS]:
            readings = {point.id: reading.id}
            if in_use is not None and _in_force(in_use, point, reading):
                continue
            try:
                compile_chain(chain, reference, readings=readings, settings={}, registry=registry)
            except QuadrilleError as e:
                if found := _at_own_rules(e, chain, reference):
                    return found
    return []


def _in_force(compiled: Compiled, point: PointDoc, reading: ReadingDoc) -> bool:
    """Whether a reading is in force and every rule has the value that it gives it."""
    chosen, _ = compiled.drawn.choices.of(point)
    return chosen is reading and all(
        path in compiled.origins and compiled.value_of(path) == value
        for path, value, _ in reading.sets
    )


def _at_own_rules(
    error: QuadrilleError, chain: tuple[ProfileDoc, ...], reference: Reference
) -> list[Problem]:
    """The errors of a rule set, told at rules of the file; not that a file is abstract."""
    moved = at_own_rules(error.problems, chain, reference)
    return [p for p in moved if not (chain[-1].abstract and p.code == "Q305")]


def _further(problems: Sequence[Problem], root: Node | None, path: Path) -> list[Problem]:
    """What the sound rest of a file names in vain: a parent, witness, point, plugin, source or
    bid."""
    if not isinstance(root, LocatedMap):
        return []
    sound = _sound(root, {(p.line, p.col) for p in problems})
    if isinstance(uses := root.get("plugins"), LocatedList):
        sound.entries["plugins"] = _with_bare_names(uses, sound.entries.get("plugins"))
    for key in ("id", "title"):
        sound.entries.setdefault(key, Located(path.stem, root.source, root.mark))
    told = {p.line for p in problems}
    codes = (*_UNKNOWN, *(_UNKNOWN_OF_PARENT if "extends" in sound.entries else ()))
    try:
        chain = load_chain(_as_path(path), to_profile(sound))
        compile_chain(chain, Reference(chain[-1].id, None), readings={}, settings={})
    except QuadrilleError as e:
        return [
            p
            for p in e.problems
            if p.code in codes and p.path == str(path) and (p.line not in told or p.code == "Q501")
        ]
    return []


def _with_bare_names(uses: LocatedList, sound: Node | None) -> LocatedList:
    """The sound items of ``plugins``; a bare name is meant as that of a plugin."""
    bare = [use for use in uses if isinstance(use, Located) and isinstance(use.value, str)]
    named = [LocatedMap({"plugin": u}, u.source, u.mark, {"plugin": u.mark}) for u in bare]
    return replace(uses, items=[*named, *(sound if isinstance(sound, LocatedList) else ())])


def _sound(node: N, faulty: Set[tuple[int, int]]) -> N:
    """What is read without the entries and items in which something is at fault."""
    if isinstance(node, LocatedMap):
        marks = {key: (node.keys[key], value.mark) for key, value in node.items()}
        entries = {
            key: _sound(value, faulty)
            for key, value in node.items()
            if not any((mark.line, mark.col) in faulty for mark in marks[key])
        }
        return replace(node, entries=entries)
    if isinstance(node, LocatedList):
        items = [i for i in node if (i.mark.line, i.mark.col) not in faulty]
        return replace(node, items=[_sound(item, faulty) for item in items])
    return node


def _as_path(path: Path) -> str:
    """A file as a profile's name says that it is one."""
    name = str(path)
    return name if "/" in name else f"./{name}"


def _without_parent(problems: list[Problem], root: Node | None) -> list[Problem]:
    """The errors of a file; where it starts from nothing and lacks most rules, that is said
    once."""
    lacking = [p for p in problems if (p.code, p.variant) == ("Q601", "no-value")]
    if len(lacking) < _LACKS_MOST or not isinstance(root, LocatedMap) or "extends" in root.entries:
        return problems
    hint = Edit("add", lines=(f"extends: {resources.examples()[0]}",))
    one = Problem("Q202", "no-parent", {"number": len(lacking)}, root.key_place("kind"), hint)
    return [one, *(p for p in problems if p not in lacking)]


def tree(path: Path) -> tuple[Node | None, Sequence[Problem]]:
    """What a file holds, as far as it can be read, and what of its YAML is refused."""
    try:
        return load_file(path, limits=RECORD_LIMITS), ()
    except FaultyTreeError as e:
        return e.tree, e.problems
    except QuadrilleError as e:
        return None, e.problems


def _notes(compiled: Compiled, *, named: bool) -> dict[str, str]:
    """The rules of this file that cannot act, by path and reason; ``named`` says under which
    rules."""
    stopped = idle_rules(compiled)
    under = f" under {compiled.identity.reference}" if named else ""
    own = {rule.path for rule in compiled.chain[-1].rules}
    of_parents = _stopped_here(compiled, own)
    return {
        f"{why} {len(paths)}": f"note: {_several(paths)} of its parents cannot act{under} any "
        f"more: {why}"
        for why, paths in of_parents.items()
    } | {
        f"{rule.path} {stopped[rule.path]}": (
            f"note: line {rule.place.line}: {rule.path} cannot act{under}: {stopped[rule.path]}"
        )
        for rule in compiled.chain[-1].rules
        if rule.path in stopped and rule.place is not None
    }


def _stopped_here(compiled: Compiled, own: set[str]) -> Mapping[str, list[str]]:
    """The rules of parents that this file leaves no occasion, by the reason; none for a file
    without a parent."""
    if len(compiled.chain) < 2:
        return {}
    try:
        same = Reference(compiled.chain[-2].id, compiled.identity.witness)
        parent = compile_chain(compiled.chain[:-1], same, readings={}, settings={})
    except QuadrilleError:
        return {}  # an abstract parent is not played by itself, nor by a witness of the child alone
    return stopped_rules(parent, compiled, own)


def _first(error: QuadrilleError) -> str:
    problem = error.problems[0]
    return (
        problem.message
        if len(error.problems) == 1
        else f"{problem.message}, and {len(error.problems) - 1} more"
    )


def _several(paths: Sequence[str]) -> str:
    told = min(
        paths, key=lambda path: path.endswith(".title")
    )  # a title says least of what is gone
    return f"{told} and {len(paths) - 1} more rules" if len(paths) > 1 else told


# --- files that are no profile -----------------------------------------------------------------


def other_kind(root: Node | None) -> str | None:
    """The kind of a file that is no profile: what it says, or nearly says, else by its keys; None
    of a profile."""
    if not isinstance(root, LocatedMap):
        return None
    said = root.get("kind")
    known = {word_of(name): name for name in kinds()}
    word = str(said.value) if isinstance(said, Located) else ""
    if word not in known and (near := did_you_mean(word, known)) is not None and near.words:
        word = near.words[0]
    if word in known:
        return None if word == "profile" else known[word]
    return "result" if len(_OF_A_RESULT & root.entries.keys()) > 1 else None


def _says_kind(root: Node | None) -> bool:
    return isinstance(root, LocatedMap) and "kind" in root


def faults_of(root: Node, kind: str, refused: Sequence[Problem] = ()) -> list[Problem]:
    """What of the YAML is ``refused``, then the faults of what a file says under the rules that it
    names, and of its shape where its reader says nothing."""
    marks = {(p.line, p.col) for p in refused}
    # what is missing, or impossible by it, may be there and be refused
    hidden = ("Q202", "Q701", "Q703") if refused else ()

    def told(problems: Iterable[Problem]) -> list[Problem]:
        return [p for p in problems if p.code not in hidden and (p.line, p.col) not in marks]

    of_reader = told(p for faults in _beyond_shape(kind) for p in faults(root))
    read = {_entry_of(p, root) for p in of_reader}
    shape = [p for p in told(validate(root, kind)) if _entry_of(p, root) not in read]
    found = [*refused, *of_reader, *shape]
    return sorted(dict.fromkeys(found), key=lambda p: (p.line, p.col))


def _entry_of(problem: Problem, root: Node) -> str | None:
    """The key of the file below which a fault stands, or which is missing; None for the whole."""
    if problem.code == "Q202" and "key" in problem.data:
        return str([*problem.data.get("path", ()), problem.data["key"]][0])
    keys = root.keys.items() if isinstance(root, LocatedMap) else ()
    before = [key for key, mark in keys if (mark.line, mark.col) <= (problem.line, problem.col)]
    return before[-1] if before else None


def _beyond_shape(kind: str) -> Iterable[Callable[[Any], Iterable[Problem]]]:
    return (
        one.faults
        for _, several in ask("quadrille_files")
        for one in several
        if one.name == kind and one.faults
    )
