"""``python -m quadrille_core`` typed in a folder of somebody else's: nothing that lies there is
run."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TRAP = """\
import pathlib
pathlib.Path(__file__).with_suffix(".ran").touch()
raise SystemExit("a module of the folder ran")
"""
SHADOWS = (
    "yaml",
    "click",
    "json",
    "rich",
    "pluggy",
    "jsonschema",
    "numpy",
    "numba",
    "fractions",
    "decimal",
    "gc",
    "random",
    "csv",
    "sqlite3",
    "multiprocessing",
    "pickle",
    "concurrent",
    "hashlib",
    "tempfile",
    "typing",
    "dataclasses",
    "attr",
)
"""Modules that the program imports, its own dependencies and Python's, but for what Python has
loaded by then."""


def started(folder: Path, *line: str, **environ: str) -> subprocess.CompletedProcess[str]:
    """``python -m quadrille_core`` with that folder as the current one."""
    environ = {
        k: v
        for k, v in {**os.environ, **environ}.items()
        if k not in ("PYTHONSAFEPATH", "PYTHONPATH")
    }
    return subprocess.run(
        [sys.executable, "-m", "quadrille_core", *line],
        cwd=folder,
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )


def test_no_module_of_the_folder_stands_in_for_one_that_is_imported(tmp_path):
    for name in SHADOWS:
        (tmp_path / f"{name}.py").write_text(TRAP)
    (tmp_path / "mine.yaml").write_text(
        "kind: profile\nid: mine\ntitle: Mine\nextends: quanti-1822\n"
    )
    line = [
        "compare",
        "mine.yaml",
        "mediateur-1752",
        "--deals",
        "8",
        "--engine",
        "readable",
        "--workers",
        "2",
    ]
    found = started(tmp_path, *line)
    assert (found.returncode, found.stderr) == (0, "")
    assert "deals" in found.stdout
    assert list(tmp_path.glob("*.ran")) == []


@pytest.mark.parametrize("papers", ["added-1.dist-info", "added.egg-info"])
def test_no_plugin_of_the_folder_is_run(papers, tmp_path):
    (tmp_path / "added.py").write_text(TRAP)
    (tmp_path / papers).mkdir()
    (tmp_path / papers / "METADATA").write_text("Metadata-Version: 2.1\nName: added\nVersion: 1\n")
    (tmp_path / papers / "PKG-INFO").write_text("Metadata-Version: 2.1\nName: added\nVersion: 1\n")
    (tmp_path / papers / "entry_points.txt").write_text("[quadrille]\nadded = added\n")
    assert "added" not in started(tmp_path, "list", "plugins", "--format", "json").stdout
    found = started(tmp_path, "show", "quanti-1822+added")
    assert "plugin 'added' is not installed" in found.stderr
    assert list(tmp_path.glob("*.ran")) == []


def test_the_package_itself_imports_nothing(tmp_path):
    """It is imported before ``__main__`` can shut the folder out."""
    script = (
        "import sys; before = set(sys.modules); import quadrille_core; "
        "print(sorted(set(sys.modules) - before))"
    )
    found = subprocess.run(
        [sys.executable, "-P", "-c", script], capture_output=True, text=True, check=True
    )
    assert found.stdout.strip() == "['quadrille_core']"


def test_a_folder_that_is_on_the_path_for_another_reason_stays_there(tmp_path):
    """``PYTHONPATH`` is the user's own word; only what Python adds unasked is taken away."""
    probe = (
        "import runpy, sys; sys.argv = ['quadrille', '--version']; before = list(sys.path)\n"
        "try: runpy.run_module('quadrille_core', run_name='__main__')\n"
        "except SystemExit: pass\n"
        "print(sys.path == before)"
    )
    found = subprocess.run(
        [sys.executable, "-P", "-c", probe],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.splitlines()[-1] == "True"


def test_workers_that_python_starts_anew_shut_the_folder_out_too(tmp_path):
    """Where workers are not forked, each is a Python of its own, and looks into the current folder
    first."""
    (tmp_path / "struct.py").write_text(TRAP)
    (tmp_path / "selectors.py").write_text(TRAP)
    script = (
        "import multiprocessing\n"
        "if __name__ == '__main__':\n"
        "    multiprocessing.set_start_method('spawn')\n"
        "    from quadrille_plugins.shell.main import main\n"
        "    line = 'compare quanti-1822 --bots steady,random --deals 8 --length 4 --workers 2'\n"
        "    main(line.split())\n"
    )
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "start.py").write_text(script)
    found = subprocess.run(
        [sys.executable, "elsewhere/start.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (found.returncode, list(tmp_path.glob("*.ran"))) == (0, []), found.stderr
