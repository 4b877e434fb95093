"""Which program played a block: a study is not gone on with, nor sent to workers, by another."""

import shutil
from importlib import import_module

import pytest
from quadrille_plugins.shell.program import program_digest

FILES = {
    "quadrille_core": [
        "vocabulary.py",
        "messages.yaml",
        "profile/syntax.yaml",
        "ruleset/contradictions.yaml",
    ],
    "quadrille_plugins": [
        "witnesses/__init__.py",
        "lookup/meanings.yaml",
        "players/steady_measured.json",
        "shell/shipped_effects.json",
        "serve/templates/table.html",
    ],
}


@pytest.mark.parametrize("package", FILES)
def test_the_programs_digest_is_of_every_file_of_the_core_and_of_the_slices(
    package, tmp_path, monkeypatch
):
    """Wherever they lie; a blank more in one makes another program, and caches and the profiles
    that a wheel has make none."""
    module, digest = import_module(package), program_digest.__wrapped__
    before, copy = digest(), tmp_path / package
    shutil.copytree(module.__path__[0], copy, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(module.__spec__, "submodule_search_locations", [str(copy)])
    for beside in ("_shipped/variants", "__pycache__", ".cache"):
        (copy / beside).mkdir(parents=True)
        (copy / beside / "beside.yaml").write_text("a: 1\n", "utf-8")
    assert digest() == before
    found = {before}
    for name in FILES[package]:
        (copy / name).write_text((copy / name).read_text("utf-8") + " ", "utf-8")
        found.add(digest())
    assert len(found) == 1 + len(FILES[package])
