"""Which program played a block: a study is not gone on with, nor sent to workers, by another."""

import shutil
from importlib import import_module

import pytest
from quadrille_plugins.shell.program import program_digest


@pytest.mark.parametrize("package", ["quadrille_core", "quadrille_plugins"])
def test_the_programs_digest_is_of_every_file_of_the_core_and_of_the_slices(
    package, tmp_path, monkeypatch
):
    """Wherever they lie; a word more in the last of them makes another program."""
    module, digest = import_module(package), program_digest.__wrapped__
    before, copy = digest(), tmp_path / package
    shutil.copytree(module.__path__[0], copy, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(module.__spec__, "submodule_search_locations", [str(copy)])
    assert digest() == before
    last = sorted(copy.rglob("*.py"))[-1]
    last.write_text(last.read_text("utf-8") + "# one word\n", "utf-8")
    assert digest() != before
