"""The differences of two rule sets in groups of which every coalition is a rule set.

A *coalition* has some groups as the second rule set has them, and the others as the first has them.
Groups that cannot be switched without each other are one.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import Any, Final

from quadrille_core import vocabulary
from quadrille_core.errors import Problem, UsageError, did_you_mean
from quadrille_core.frozen import frozen
from quadrille_core.profile import LocatedList, LocatedMap, Node, load_file
from quadrille_core.rules import RuleSet
from quadrille_core.ruleset import Compiled, Link
from quadrille_core.ruleset.mix import Mixed, mixed
from quadrille_core.stream import Purpose, Stream
from quadrille_core.vocabulary import matches
from quadrille_plugins.diff.differences import bids_of_one_side, rules_difference

ALL_UP_TO: Final = 8
"""Groups of which every coalition is compiled beforehand."""
TRIED: Final = 64
"""Coalitions of more groups that are tried besides those of one or two, and of all but these."""
MOST_NATURAL: Final = 16
"""Subjects by which differences are grouped, at most; where there are more, blocks of rules."""
MOST_GROUPS: Final = 40
MOST_PARTS: Final = 12
"""Points and rules that a group is split into, at most."""
LONGEST_NAME: Final = 60
ANNOUNCED: Final = "vole announced"
FAVOURITE: Final = "favourite"


@frozen
class Group:
    """Rules that are switched together, by a name; ``because`` says why, where they had to be."""

    name: str
    leaves: tuple[str, ...]
    because: tuple[Problem, ...] = ()


Coalition = frozenset[int]
"""The places of the groups that are as the second rule set has them."""


@dataclass
class Mixer:
    """The rule sets between two, each made once."""

    first: Compiled
    second: Compiled
    _known: dict[frozenset[str], Mixed] = field(default_factory=dict)

    def _of(self, groups: Sequence[Group], coalition: Coalition) -> Mixed:
        taken = frozenset(leaf for n in coalition for leaf in groups[n].leaves)
        if taken not in self._known:
            self._known[taken] = mixed(self.first, self.second, taken)
        return self._known[taken]

    def faults(self, groups: Sequence[Group], coalition: Coalition) -> list[Problem]:
        """The first fault of a coalition, if any."""
        found = self._of(groups, coalition)
        return found[:1] if isinstance(found, list) else []

    def rules(self, groups: Sequence[Group], coalition: Coalition) -> RuleSet:
        """The rule set of a coalition; raises UsageError where there is none, with what to put
        together."""
        found = self._of(groups, coalition)
        if not isinstance(found, list):
            return found()
        alone, needed = needs(self, groups, coalition)
        raise UsageError.of(
            "coalition-is-no-rule-set",
            names=[groups[n].name for n in sorted(alone)],
            needed=[groups[n].name for n in sorted(needed)],
            problem=found[0],
        )


def needs(
    mixer: Mixer, groups: Sequence[Group], coalition: Coalition
) -> tuple[Coalition, Coalition]:
    """Of a coalition that is no rule set the least part that is none either, and the least others
    without which it is none."""

    def plays(some: Coalition) -> bool:
        return not mixer.faults(groups, some)

    part = coalition
    for n in sorted(coalition):
        part = part if plays(part - {n}) else part - {n}
    others = frozenset(range(len(groups))) - part
    for n in sorted(others, key=lambda n: -len(groups[n].leaves)):
        others = others - {n} if plays(part | (others - {n})) else others
    return part, others


def coherent(mixer: Mixer, groups: Sequence[Group]) -> list[Group]:
    """The groups, those joined that cannot be switched without each other."""
    found = list(groups)
    while bad := next((c for c in tried(len(found)) if mixer.faults(found, c)), None):
        part, others = needs(mixer, found, bad)
        one = min(part, key=lambda n: (len(found[n].leaves), n))
        joined = sorted({one, *others})
        became = Group(
            name=" + ".join(found[n].name for n in joined),
            leaves=tuple(leaf for n in joined for leaf in found[n].leaves),
            because=(*(p for n in joined for p in found[n].because), *mixer.faults(found, part)),
        )
        found = [
            became if n == joined[0] else g for n, g in enumerate(found) if n not in joined[1:]
        ]
    return found


def tried(many: int) -> Iterator[Coalition]:
    """The coalitions that are compiled beforehand: of few groups all, of more those of one or two,
    of all but these, and some at random."""
    whole = frozenset(range(many))
    sizes = range(many + 1) if many <= ALL_UP_TO else (1, 2)
    for size in sizes:
        for some in combinations(range(many), size):
            yield frozenset(some)
            if many > ALL_UP_TO:
                yield whole - {*some}
    stream = Stream(0, many, 0, Purpose.READING)
    for _ in range(TRIED if many > ALL_UP_TO else 0):
        yield frozenset(n for n in whole if stream.below(2))


# --- which rules belong together ------------------------------------------------------------------


def natural(first: Compiled, second: Compiled) -> list[Group]:
    """The differences by what they are about: a bid that one side has, the favourite suit, the
    vole announced, a plugin's own rules, a point, a table; where these are many, by block."""
    differences = rules_difference(first, second)
    about = _subjects(first, second, bids_of_one_side(differences))
    for coarse in (False, True):
        found: dict[str, list[str]] = {}
        for d in differences:
            name = about(d.path, absent="absent" in d.statuses, coarse=coarse)
            found.setdefault(name, []).append(d.path)
        if len(found) <= MOST_NATURAL:
            break
    return [named(name, leaves) for name, leaves in found.items()]


def split(mixer: Mixer, groups: Sequence[Group], place: int) -> list[Group]:
    """The groups with one of them taken apart into points and rules, as far as these can be
    switched alone; the same where they cannot, or are many."""
    whole = groups[place]
    found: dict[str, list[str]] = {}
    for leaf in whole.leaves:
        found.setdefault(_point(mixer.first, mixer.second, leaf) or leaf, []).append(leaf)
    if not 1 < len(found) <= MOST_PARTS:
        return list(groups)
    apart = [named(name, leaves) for name, leaves in found.items()]
    return coherent(mixer, [*groups[:place], *apart, *groups[place + 1 :]])


def _links(first: Compiled, second: Compiled, path: str) -> list[Link]:
    """Who set a rule last, on each side that has it."""
    chains = (one.drawn.merge.chains for one in (first, second))
    return [some[path][-1] for some in chains if path in some]


def _point(first: Compiled, second: Compiled, path: str) -> str | None:
    """The disputed point that decides a rule on either side."""
    links = _links(first, second, path)
    return next((x.name.partition("=")[0] for x in links if x.setter == "reading"), None)


def blocks_of(groups: Sequence[Group]) -> dict[str, tuple[int, ...]]:
    """The groups joined by the block that most of their rules are of; nothing where that joins
    none, or all."""
    found: dict[str, list[int]] = {}
    for n, group in enumerate(groups):
        tops = [leaf.partition(".")[0] for leaf in group.leaves]
        found.setdefault(max(dict.fromkeys(tops), key=tops.count), []).append(n)
    few = 1 < len(found) < len(groups)
    return {top: tuple(some) for top, some in found.items()} if few else {}


def named(name: str, leaves: Sequence[str]) -> Group:
    """A group by its subject; by its rule where it has one alone."""
    return Group(name if len(leaves) > 1 else leaves[0], tuple(leaves))


def _subjects(
    first: Compiled, second: Compiled, one_sided: Mapping[str, Any]
) -> Callable[..., str]:
    """What a rule is about, by its path, and whether one side has no such rule."""
    own = {path.partition(".")[0] for one in (first, second) for path in one.drawn.merge.own}

    def bid_of(bid: str) -> str:
        """A bid of one side, by its plugin where that has rules of its own."""
        brought = [
            x.name for x in _links(first, second, f"bids.{bid}.rank") if x.setter == "plugin"
        ]
        return next((name for name in brought if name in own), f"bids.{bid}")

    def subject(path: str, *, absent: bool, coarse: bool) -> str:
        steps = path.split(".")
        if vocabulary.kind_of(path) is None:
            return steps[0]
        if FAVOURITE in steps[0] or FAVOURITE in steps[1]:
            return FAVOURITE
        bid = next((s for s in (steps[1], steps[-1]) if s in one_sided), None)
        is_vole = any(x.value is True for x in _links(first, second, f"bids.{bid}.is_vole"))
        announced = _is_announced(steps) and not is_vole
        if bid is not None and not announced and (steps[0] == "bids" or absent):
            return bid_of(bid)
        if announced:
            return ANNOUNCED
        table = _table(steps)
        return table.split(".")[0] if coarse else _point(first, second, path) or table

    return subject


def _is_announced(steps: Sequence[str]) -> bool:
    return (
        not {"announced", "revealed"}.isdisjoint(steps)
        or steps[-1] in ("vole_with_bid", "vole_before_lead")
        or any(step.startswith("announced") for step in steps)
    )


def _table(steps: Sequence[str]) -> str:
    """The table of payments, the rule of bids, or the block that a rule stands in."""
    if steps[0] == "payments":
        return "vole" if steps[1].startswith("vole") else f"payments.{steps[1].split('_')[0]}"
    return f"bids.*.{steps[2]}" if steps[0] == "bids" else steps[0]


# --- groups of a file -----------------------------------------------------------------------------


def grouped(rest: Sequence[Group], file: Path) -> list[Group]:
    """The groups of a file, then what these leave of the others.

    The file maps names to lists of rules, each a path or what stands above it, ``*`` for any bid.
    Raises UsageError, placed, for what is no such file, names no rule that differs, or one twice.
    """
    root = load_file(file)
    if not isinstance(root, LocatedMap) or not len(root):
        raise UsageError.of("groups-no-mapping", place=root.place)
    leaves = [leaf for group in rest for leaf in group.leaves]
    taken: dict[str, str] = {}
    found = []
    for name, node in root.items():
        if not name.strip() or not name.isprintable() or len(name) > LONGEST_NAME:
            raise UsageError.of("group-name", place=root.key_place(name), most=LONGEST_NAME)
        found.append(Group(name, tuple(_named(name, node, leaves, taken))))
    left = [
        named(group.name, some)
        for group in rest
        if (some := [leaf for leaf in group.leaves if leaf not in taken])
    ]
    return [*found, *(replace(g, name=f"{g.name} (rest)") if g.name in root else g for g in left)]


def _named(name: str, node: Node, leaves: Sequence[str], taken: dict[str, str]) -> Iterator[str]:
    """The rules of one group of a file, noted in ``taken``."""
    if not isinstance(node, LocatedList) or not len(node.items):
        raise UsageError.of("group-no-list", place=node.place, name=name)
    for item in node.items:
        prefix = item.to_plain()
        own = [leaf for leaf in leaves if isinstance(prefix, str) and matches(prefix, leaf)]
        if not own:
            hint = did_you_mean(str(prefix), leaves, what="rules that differ")
            raise UsageError.of(
                "group-names-no-rule", hint, place=item.place, prefix=str(prefix)[:80], name=name
            )
        for leaf in own:
            if leaf in taken:
                raise UsageError.of(
                    "rule-in-two-groups", place=item.place, leaf=leaf, first=taken[leaf], name=name
                )
            taken[leaf] = name
            yield leaf
