"""What is generated is as ``python tools/regenerate.py`` would write it now."""

import re
import subprocess
import sys

import pytest
import regenerate
from documents import ROOT

ELSEWHERE = {
    "documents",  # command by command: test_docs.py
    "json-keys",  # command by command: test_json_keys.py
    "situations",  # plays deals for minutes: .ci/run
}
SLOW = {"costs", "examples"}


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(n, marks=[pytest.mark.slow] * (n in SLOW))
        for n in regenerate.GENERATED
        if n not in ELSEWHERE
    ],
)
def test_nothing_that_is_generated_is_stale(name):
    """Nobody edited it by hand, and nothing that it is made of has changed since."""
    assert [str(path) for path in regenerate.stale(name)] == [], (
        f"run python tools/regenerate.py {name}"
    )


@pytest.fixture
def one(monkeypatch, tmp_path):
    """A single generated file, which says ``old`` and should say ``new``."""
    path = tmp_path / "page.md"
    path.write_text("old")
    monkeypatch.setattr(regenerate, "GENERATED", {"page": lambda: {path: "new"}})
    return path


def test_a_check_tells_what_is_stale_and_writes_nothing(one, capsys):
    assert (regenerate.main(["--check"]), one.read_text()) == (1, "old")
    assert str(one) in capsys.readouterr().out


def test_what_is_stale_is_written_once(one, capsys):
    assert (regenerate.main(["page"]), one.read_text()) == (0, "new")
    capsys.readouterr()
    assert (regenerate.main(["page"]), regenerate.main(["--check"]), capsys.readouterr().out) == (
        0,
        0,
        "",
    )


def test_every_tool_is_in_the_index():
    """Who opens the folder finds what each script does; none that is gone is named."""
    tools = ROOT / "tools"
    named = re.findall(r"^\| `(\w+\.py)`", (tools / "README.md").read_text(), re.MULTILINE)
    assert sorted(named) == sorted(path.name for path in tools.glob("*.py"))


@pytest.mark.slow
def test_every_tool_can_be_imported():
    """What a tool takes of the product is still there, also where no other test runs it."""
    names = sorted(path.stem for path in (ROOT / "tools").glob("*.py"))
    subprocess.run(
        [sys.executable, "-c", f"import {', '.join(names)}"], cwd=ROOT / "tools", check=True
    )
