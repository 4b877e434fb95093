"""What import-linter cannot see of the house's rules: the floors of a slice, and where the rules
may branch."""

import ast
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

import quadrille_plugins

from quadrille_core.vocabulary import leaves

PLUGINS = Path(quadrille_plugins.__path__[0])
SLICES = sorted(p.name for p in PLUGINS.iterdir() if (p / "__init__.py").exists())
SHARED = ("studies",)
"""Slices that are no study: what they show is there to be used."""
SHOWING = ("serve",)
"""Slices that show what reports show, in another form."""
PICTURES = ("pictures", "data", "listing")
"""Modules of the middle floor by another name than ``…report``."""


def floor(module: str) -> int:
    """2 commands, 1 reports, 0 what they are of."""
    return (
        2
        if module.endswith("command")
        else 1
        if module.endswith("report") or module in PICTURES
        else 0
    )


@cache
def modules() -> tuple[tuple[str, str, ast.Module], ...]:
    found = []
    for path in sorted(PLUGINS.rglob("*.py")):
        slice_, *rest = path.relative_to(PLUGINS).with_suffix("").parts
        if rest:
            found.append((slice_, ".".join(rest), ast.parse(path.read_text("utf-8"))))
    return tuple(found)


def imported(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """The slice and module of every import of a slice, those inside functions too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            parts = node.module.split(".")
            names = (
                [f"{node.module}.{a.name}" for a in node.names]
                if len(parts) == 2
                else [node.module]
            )
        elif isinstance(node, ast.Import):
            names = [a.name for a in node.names]
        else:
            continue
        for name in names:
            parts = name.split(".")
            if parts[0] == "quadrille_plugins" and len(parts) > 2:
                yield parts[1], ".".join(parts[2:])


def test_a_slice_has_its_command_above_its_report_above_its_study():
    """An ``__init__`` names the command to the hooks, and does so by import inside a function."""
    wrong = [
        f"{slice_}.{name} imports {other}"
        for slice_, name, tree in modules()
        if name != "__init__" and slice_ not in SHARED
        for of, other in imported(tree)
        if of == slice_ and floor(other) > floor(name)
    ]
    assert not wrong


def test_nobody_imports_the_command_or_report_of_another_slice():
    wrong = [
        f"{slice_}.{name} imports {of}.{other}"
        for slice_, name, tree in modules()
        for of, other in imported(tree)
        if of != slice_
        and (
            floor(other) == 2 or (floor(other) == 1 and of not in SHARED and slice_ not in SHOWING)
        )
    ]
    assert not wrong


COMPILED = {"kernel", "players", "seer", "solver"}


def test_only_the_fast_engine_its_players_and_the_solvers_import_numba():
    """The contract of the imports lists slices by name; this one holds for a new slice too."""
    compiled = set()
    for slice_, _, tree in modules():
        for node in ast.walk(tree):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            if {name.split(".")[0] for name in names} & {"numba", "llvmlite"}:
                compiled.add(slice_)
    assert compiled == COMPILED


LEAVES = {".".join(path.split(".")[:2]) for path in leaves()}
BRANCHES = {
    "studies.free_losses: favourite.source",
    "studies.lockstep: favourite.source",
    "ledger.reckoning: table.purse_empty",
    "matters.targeted_search: auction.unasked_trumps",
    "ledger.judge: loss.beast_size",
    "ledger.judge: multiplier.stake",
    "ledger.judge: stakes.unit_of",
    "solver.deals: favourite.source",
    "solver.deals: payments.matadors_counted",
    "solver.deals: vole.consultation",
}


def words_of(node: ast.expr) -> bool:
    """Whether this is a word, or several."""
    several = node.elts if isinstance(node, ast.Tuple | ast.Set | ast.List) else [node]
    return all(isinstance(one, ast.Constant) and isinstance(one.value, str) for one in several)


def branches(tree: ast.Module) -> Iterator[str]:
    """The leaves of rules that a module holds against a word, as paths."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and any(
            words_of(one) for one in (node.left, *node.comparators)
        ):
            asked = [node.left, *node.comparators]
        elif isinstance(node, ast.Match):
            asked = [node.subject]
        else:
            continue
        for one in asked:
            for pair in pairwise(ast.unparse(one).split(".")):
                if ".".join(pair) in LEAVES:
                    yield ".".join(pair)


def test_no_word_of_the_rules_is_branched_on_outside_the_engine_and_the_fast_engine_but_where_it_was():
    """What a word does to play or payments is said by the two interpreters; this list may only
    become shorter."""
    found = {
        f"{slice_}.{name}: {leaf}"
        for slice_, name, tree in modules()
        if slice_ != "kernel"
        for leaf in branches(tree)
    }
    assert found == BRANCHES
