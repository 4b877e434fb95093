"""Plugins from outside: made on the spot, or installed from a folder, and the command line that
finds them."""

import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

from quadrille_core import resources
from quadrille_core.profile import load_profile

PREAMBLE = """\
from quadrille_core.hookspecs import *

@hookimpl
def quadrille_describe():
    return About(title="t", summary="s")

"""
LEAF = "@hookimpl\ndef quadrille_leaves():\n    return [{}]\n"
"""A plugin's hook that declares this leaf, to stand after ``PREAMBLE``."""
INSTALL = [
    sys.executable,
    "-m",
    "pip",
    "install",
    "-q",
    "--no-deps",
    "--no-build-isolation",
    "--no-index",
]


def install(source: Path, target: Path) -> Path:
    """The distribution in a folder, really installed by pip into another."""
    subprocess.run(
        [*INSTALL, "--target", str(target), str(source)], check=True, stdout=subprocess.DEVNULL
    )
    return target


def quadrille(*args, path, cwd, check=True):
    """Run the command line in a process that has the folder ``path`` on its path."""
    env = {**os.environ, "PYTHONPATH": str(path)}
    code = "from quadrille_plugins.shell.main import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, *args],
        env=env,
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
    )
    assert not check or done.returncode == 0, done.stderr
    return done


def make_plugin(folder: Path, name: str, code: str) -> None:
    """A plugin as pip would leave it: a module and the metadata of a distribution."""
    module = f"{name.replace('-', '_')}_module"
    (folder / f"{module}.py").write_text(dedent(code))
    info = folder / f"{module}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: dist-{name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[quadrille]\n{name} = {module}\n")


SOLO = {
    "players": ["A", "B", "C", "D"],
    "pool": 12,
    "contract": "solo",
    "trump": "hearts",
    "hombre": "A",
    "tricks": {"A": 6, "B": 2, "D": 2},
}


def child(folder, extends, plugins="[]", rules="{}", more="", name="child"):
    """A profile that extends another, as a path."""
    path = folder / f"{name}.yaml"
    head = f"kind: profile\nid: {name}\ntitle: T\nextends: {extends}\n"
    path.write_text(f"{head}plugins: {plugins}\nrules: {rules}\n{more}")
    return str(path)


def playable():
    """The shipped profiles that can be played."""
    paths = resources.shipped_profiles()
    return [name for name, path in paths.items() if not load_profile(path, validate=False).abstract]
