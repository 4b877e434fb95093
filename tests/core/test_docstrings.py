"""The code's own conventions: what a docstring names is there."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from quadrille_core.vocabulary import every_leaf

ROOT = Path(__file__).parents[2]
FOLDERS = ROOT / "quadrille_core", ROOT / "plugins" / "quadrille_plugins"
MODULES = {
    tuple(p.relative_to(folder.parent).with_suffix("").parts): p
    for folder in FOLDERS
    for p in sorted(folder.rglob("*.py"))
}
STEMS = {part for name in MODULES for part in name}
BLOCKS = {path.partition(".")[0] for path in every_leaf()}


def _named() -> Iterator[tuple[str, ...]]:
    """The dotted names that a docstring has in two backticks, and that begin with a module of ours."""
    for path in MODULES.values():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                for name in re.findall(r"``([a-z_]+(?:\.\w+)+)``", node.value):
                    parts = tuple(name.split("."))
                    if parts[0] in STEMS - BLOCKS and parts[-1] not in ("json", "pyi", "yaml"):
                        yield parts


def _is_there(parts: tuple[str, ...]) -> bool:
    """Whether a module ends so, or one that does has the rest as names."""
    for module, path in MODULES.items():
        package = module[:-1] if module[-1] == "__init__" else module
        for k in range(1, len(parts) + 1):
            if package[-k:] == parts[:k]:
                text = path.read_text("utf-8")
                if all(re.search(rf"\b{name}\b", text) for name in parts[k:]):
                    return True
    return False


def test_what_a_docstring_names_is_there():
    """A name of a module that was moved leads nowhere."""
    named = {*_named()}
    assert len(named) > 60
    assert sorted(".".join(n) for n in named if not _is_there(n)) == []
