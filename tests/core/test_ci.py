"""What is left out of the README's test command is run by `.ci/run`, and whatever fails there stops
it.

The machinery itself is run with stand-ins for Python, pip and the tools, which note how they are
called.
"""

import os
import re
import shutil
import stat
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from support.slow import LISTED

ROOT = Path(__file__).resolve().parents[2]
STAND_IN = """#!/bin/sh
printf '%s %s\\n' "$(basename "$0")" "$*" >> "$NOTED"
case "$(basename "$0") $*" in
  "python3 -m venv "*)
    mkdir -p "$3/bin"
    for tool in python pip ruff mypy lint-imports quadrille; do cp "$0" "$3/bin/$tool"; done ;;
  *"$FAILS"*) exit "$STATUS" ;;
esac
"""
FAST, SLOW = (
    'pytest -q -n auto --dist loadfile -m "not slow"',
    "pytest -q -n auto --dist worksteal -m slow",
)


@pytest.fixture
def ci(tmp_path):
    """Runs `.ci/run` on stand-ins, the one so called with a status of its own; returns its status
    and all calls."""
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "run", tmp_path / ".ci" / "run")
    shutil.copy(ROOT / "README.md", tmp_path)
    for manifest in (ROOT / "docs" / "studies").glob("*/*.json*"):
        to = tmp_path / manifest.relative_to(ROOT)
        to.parent.mkdir(parents=True, exist_ok=True)
        to.touch()
    programs = tmp_path / "programs"
    programs.mkdir()
    stand_in = programs / "python3"
    stand_in.write_text(STAND_IN)
    stand_in.chmod(stand_in.stat().st_mode | stat.S_IXUSR)

    def run(fails="nothing at all", status=1):
        noted = tmp_path / "noted"
        noted.unlink(missing_ok=True)
        environment = {
            **os.environ,
            "PATH": f"{programs}:{os.environ['PATH']}",
            "NOTED": str(noted),
            "FAILS": fails,
            "STATUS": str(status),
            "TMPDIR": str(tmp_path),
        }
        done = subprocess.run(
            [tmp_path / ".ci" / "run"],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        return done.returncode, noted.read_text().splitlines()

    return run


def test_the_readme_leaves_out_the_slow_tests_and_says_so_itself():
    """The command names the marker; the configuration, which other tools inherit, leaves nothing
    out."""
    configured = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["pytest"][
        "ini_options"
    ]
    command = re.search(
        r"<!-- command: tests -->\n```sh\n(.*)\n```", (ROOT / "README.md").read_text()
    )[1]
    assert command.endswith(FAST)
    assert "-m" not in configured["addopts"].split()
    assert "slow" not in configured["addopts"]
    assert [m for m in configured["markers"] if m.startswith("slow:")]


def test_what_is_listed_as_slow_is_there():
    """A test that is renamed would become fast again unnoticed; its parameters are looked at by
    conftest."""
    for file, names in LISTED.items():
        there = set(re.findall(r"^def (test_\w+)", (ROOT / file).read_text("utf-8"), re.MULTILINE))
        assert names.keys() <= there, file


@pytest.mark.skipif(sys.platform == "win32", reason="a shell script")
def test_ci_runs_the_fast_tests_then_the_linters_the_site_the_slow_ones_and_all_else(ci):
    _, noted = ci()
    told = [
        line.removeprefix("python -m ") for line in noted if line.startswith("python -m pytest")
    ]
    assert told == [FAST.replace('"', ""), SLOW]
    called = "\n".join(noted)
    for tools in (LINTERS, ["sphinx -q -W"]):  # side by side
        for last in (SLOW, "quadrille rerun"):  # these too
            wanted = ["pip install", FAST.replace('"', ""), *tools, last]
            at = [called.index(text) for text in wanted]
            assert at == sorted(at)
    studies = (ROOT / "docs" / "studies").glob("*/*.json*")
    assert all(f"rerun {path.relative_to(ROOT)}" in called for path in studies)


LINTERS = ("ruff check", "ruff format", "mypy", "lint-imports", "tools/regenerate.py")
INSTALLING = ("pip wheel", "pip install", "python3 -m venv")
BESIDE = {
    **dict.fromkeys(LINTERS, ("sphinx",)),
    "sphinx": LINTERS,
    "-m slow": ("quadrille rerun", *INSTALLING),
    "quadrille rerun": ("-m slow", *INSTALLING),
    "pip wheel": ("-m slow", "quadrille rerun"),
}
"""What runs side by side with what."""


@pytest.mark.skipif(sys.platform == "win32", reason="a shell script")
@pytest.mark.parametrize(
    ("fails", "status"),
    [
        ("-m not slow", 1),
        ("-m not slow", 5),  # pytest's own, where it collects nothing
        ("-m slow", 1),
        ("-m slow", 5),
        ("pip install", 1),
        ("ruff check", 1),
        ("mypy", 1),
        ("lint-imports", 1),
        ("sphinx", 2),
        ("quadrille rerun", 1),
        ("pip wheel", 1),
    ],
)
def test_what_fails_stops_it(ci, fails, status):
    """Nothing but what runs beside it is called after what has failed, and its status is that of
    the whole."""
    code, noted = ci(fails, status)
    assert code == status
    after = noted[next(n for n, line in enumerate(noted) if fails in line) + 1 :]
    assert [
        line for line in after if not any(one in line for one in (fails, *BESIDE.get(fails, ())))
    ] == []
