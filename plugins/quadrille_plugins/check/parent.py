"""What a file of rules starts from, and what becomes of rules that are set there."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from quadrille_core import resources, vocabulary
from quadrille_core.errors import QuadrilleError
from quadrille_core.features import idle_rules
from quadrille_core.profile import load_file
from quadrille_core.profile.located import Located, LocatedList, LocatedMap, Node
from quadrille_core.profile.yaml_strict import FaultyTreeError
from quadrille_core.ruleset import Compiled, compile_reference
from quadrille_core.ruleset.reference import is_path

COSTS: Final = ("_times", "_adds")
"""How the names of rules end that say how many times over something is paid."""
TIMES: Final = {
    **dict.fromkeys(("double", "doubled", "doubles", "twice", "twofold"), 2),
    **dict.fromkeys(("triple", "tripled", "treble", "thrice", "threefold"), 3),
    **dict.fromkeys(("quadruple", "fourfold"), 4),
}
"""Words that say how many times over something counts."""
IS_NOT: Final = ("no", "none", "false", "off", "not", "without")
"""Words for a bid that is not played."""
ACTS, IDLE, SAME, MISFIT = "acts", "idle", "same", "misfit"


@dataclass(frozen=True, slots=True)
class Parent:
    """What a file starts from, with the rules that it sets beside its faults."""

    name: str
    reference: str
    settings: Mapping[str, Any]
    compiled: Compiled

    @property
    def rules(self) -> list[str]:
        """The rules that are not kept for each bid: first those that say what something costs, then
        those stated."""
        found = [
            path
            for path in self.compiled.origins
            if "*" not in (vocabulary.pattern_of(path) or "*")
        ]
        neutral = {
            path for path in found if self.compiled.origins[path].link.setter == "vocabulary"
        }
        return sorted(found, key=lambda path: (not path.endswith(COSTS), path in neutral))

    def paid_for(self, bid: str, table: str = "") -> list[str]:
        """The rule of least steps that says what is paid for a bid: one of that name, or one that
        is stated."""
        last = f".{table}.{bid}" if table else f".{bid}"
        found = [
            p
            for p in self.compiled.origins
            if p.endswith(last) and (vocabulary.pattern_of(p) or "").endswith("*")
        ]
        stated = (
            found
            if table
            else [p for p in found if self.compiled.origins[p].link.setter != "vocabulary"]
        )
        return sorted(stated, key=lambda p: p.count("."))[:1]

    def table(self, block: str) -> list[str]:
        """The last steps of the rules right below a block that say how much is paid, those of
        nothing left out."""
        origins = self.compiled.origins
        below = {
            path.removeprefix(f"{block}."): path for path in origins if path.startswith(f"{block}.")
        }
        amounts = {
            k: vocabulary.to_plain(origins[path].value) for k, path in below.items() if "." not in k
        }
        is_table = bool(amounts) and not any(
            isinstance(v, (bool, list, type(None))) for v in amounts.values()
        )
        return (
            [last for last, value in amounts.items() if value and not self.is_unplayed(last)]
            if is_table
            else []
        )

    def is_unplayed(self, bid: str) -> bool:
        """Whether that is a bid that nobody makes."""
        made = self.compiled.origins.get(f"bids.{bid}.made")
        return made is not None and made.value == "never"

    @property
    def bids(self) -> list[str]:
        """The bids that players make in turn."""
        made = {
            path: origin.value
            for path, origin in self.compiled.origins.items()
            if path.endswith(".made")
        }
        return [path.split(".")[1] for path, value in made.items() if value == "in_turn"]

    def what_of(self, path: str, value: Any) -> str:
        """What becomes of a rule that is given a value: one of ACTS, IDLE, SAME and MISFIT."""
        try:
            changed = compile_reference(
                self.reference, readings={}, settings={**self.settings, path: value}
            )
        except QuadrilleError:
            return MISFIT
        if path in idle_rules(changed):
            return IDLE
        return SAME if _values(changed)[path] == _values(self.compiled)[path] else ACTS


def parent_of(root: LocatedMap, path: Path) -> Parent | None:
    """What the file starts from, with its plugins and the rules that it sets beside its faults;
    None if they clash."""
    extends, witness = _text(root, "extends"), _text(root, "default_witness")
    name = str((path.parent / extends).resolve()) if is_path(extends) else extends
    name += f"@{witness}" if witness else ""
    plugins, rules = root.get("plugins"), root.get("rules")
    for use in plugins.to_plain() if isinstance(plugins, LocatedList) else ():
        if (
            not isinstance(use, dict)
            or not isinstance(use.get("plugin"), str)
            or use.keys() - {"plugin", "with"}
        ):
            return None
        given = use.get("with") or {}
        if not isinstance(given, dict):
            return None
        name += f"+{use['plugin']}" + (
            ":" + ",".join(f"{k}={v}" for k, v in given.items()) if given else ""
        )
    plain = rules.to_plain() if isinstance(rules, LocatedMap) else {}
    settings = {p: v for p, v in vocabulary.flatten(plain) if _fits(p, v)}
    for given, reference in (
        (extends, name),
        (resources.examples()[0],) * 2,
    ):  # a parent unknown may be named later
        try:
            return Parent(
                given,
                reference,
                settings,
                compile_reference(reference, readings={}, settings=settings),
            )
        except QuadrilleError:
            continue
    return None


def _fits(path: str, value: Any) -> bool:
    """Whether that is a rule that may have such a value."""
    leaf = vocabulary.leaf_of(path) if all(map(vocabulary.is_identifier, path.split("."))) else None
    try:
        return leaf is not None and vocabulary.to_typed(leaf, value) is not None
    except vocabulary.MismatchError:
        return False


def _text(root: LocatedMap, key: str) -> str:
    node = root.get(key)
    return node.value if isinstance(node, Located) and isinstance(node.value, str) else ""


def _values(compiled: Compiled) -> Mapping[str, Any]:
    return {path: vocabulary.to_plain(origin.value) for path, origin in compiled.origins.items()}


def tree(path: Path) -> Node | None:
    """What a file holds, as far as it can be read."""
    try:
        return load_file(path)
    except FaultyTreeError as e:
        return e.tree
    except QuadrilleError:
        return None
