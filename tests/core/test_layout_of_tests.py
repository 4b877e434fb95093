"""What the tests keep to, so that whoever changes a module knows what is held: its public names."""

import ast
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parents[1]
STILL = {
    "quadrille_plugins.shell.main._leave",
    "quadrille_plugins.kernel.cache._file_of",
}
"""Private names that tests used when this was first held; the list may only become shorter."""


def private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


def private_uses(tree: ast.Module) -> Iterator[str]:
    """Private names that are imported, or taken of a module of ours that is."""
    ours: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{a.name}" for a in node.names if private(a.name))
            if node.module.startswith("quadrille_"):
                ours.update(
                    {a.asname or a.name: node.module for a in node.names if a.name.islower()}
                )
        elif isinstance(node, ast.Import):
            ours.update(
                {
                    a.asname: a.name
                    for a in node.names
                    if a.asname and a.name.startswith("quadrille_")
                }
            )
    modules = {
        name
        for name, of in ours.items()
        if is_module(f"{of}.{name}") or (is_module(of) and of.endswith(name))
    }
    for node in ast.walk(tree):
        named = (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and private(node.attr)
        )
        if named and node.value.id in modules:
            yield f"{ours[node.value.id]}.{node.value.id}.{node.attr}"


def is_module(name: str) -> bool:
    """Whether a name of ours is that of a module, by its file."""
    path = Path(*name.split("."))
    roots = (TESTS.parent, TESTS.parent / "plugins")
    return any(
        (root / path).with_suffix(".py").exists() or (root / path / "__init__.py").exists()
        for root in roots
    )


def test_no_private_name_of_a_module_is_used():
    found = {
        str(path.relative_to(TESTS)): {*private_uses(ast.parse(path.read_text("utf-8")))}
        for path in sorted(TESTS.rglob("*.py"))
        if "benchmarks" not in path.parts
    }
    assert {path: sorted(names - STILL) for path, names in found.items() if names - STILL} == {}
    assert set().union(*found.values()) == STILL  # what is no longer used leaves the list
