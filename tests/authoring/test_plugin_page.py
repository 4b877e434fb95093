"""The page on writing plugins, the scaffold, and the kit for their tests."""

import os
import re
import subprocess
import sys
from pathlib import Path

import documents
import pytest
from quadrille_plugins.authoring.command import scaffold
from support.plugin import install, playable

from quadrille_core import hookspecs
from quadrille_core.cli.main import run
from quadrille_core.ruleset import compile_reference

PAGE = documents.ROOT / "docs" / "plugins.md"


def shell(commands, folder, site):
    """Run commands as a page shows them, where pip installs into a folder beside them."""
    bin_folder = Path(sys.executable).parent
    env = {**os.environ, "PIP_TARGET": str(site), "PIP_NO_INDEX": "1", "PYTHONPATH": str(site)}
    env |= {"PATH": f"{bin_folder}:{env['PATH']}", "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(["bash", "-ec", commands], cwd=folder, env=env, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_the_example_of_the_page_installs_and_runs_as_it_stands_there(tmp_path):
    """In an empty folder: the files that the page shows, and then its commands, to the letter."""
    text = PAGE.read_text()
    for name, content in documents.files(text).items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content)
    blocks = re.findall(r"^```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    done = shell("".join(blocks), tmp_path, tmp_path / "site")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "club.bonus = 5" in done.stdout
    assert "2 passed" in done.stdout
    assert "1 file checked, no errors" in done.stdout


def test_the_scaffold_writes_what_the_page_shows(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run(["new-plugin", "club"]) == 0
    shown = documents.files(PAGE.read_text())
    for name, text in scaffold("club").items():
        assert (tmp_path / "quadrille-club" / name).read_text() == text == shown[f"quadrille-club/{name}"]


@pytest.mark.slow
def test_a_scaffold_passes_its_own_tests(tmp_path):
    done = shell("quadrille new-plugin fines-of-ours here", tmp_path, tmp_path / "site")
    assert done.returncode == 0, done.stderr
    install(tmp_path / "here", tmp_path / "site")
    done = shell("pytest -q here", tmp_path, tmp_path / "site")
    assert "2 passed" in done.stdout, done.stdout


@pytest.mark.parametrize("name", ["Club", "my_club", "casco", "payments", "../x"])
def test_a_name_that_is_none_or_is_taken_is_refused(tmp_path, monkeypatch, name, capsys):
    monkeypatch.chdir(tmp_path)
    assert run(["new-plugin", name]) == 2
    assert "help" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_a_folder_that_holds_something_is_left_alone(tmp_path):
    (tmp_path / "x").write_text("mine")
    assert run(["new-plugin", "club", str(tmp_path)]) == 2
    assert [p.name for p in tmp_path.iterdir()] == ["x"]


@pytest.mark.parametrize("name", ["preference.py", "evidence.py"])
def test_the_page_shows_the_modules_that_are_tested_here(name):
    source = Path(__file__).parents[1] / "thirdparty" / "quadrille_club" / name
    assert source.read_text() in PAGE.read_text()


def test_the_page_lists_every_hook():
    for hooks in (hookspecs.Hooks, hookspecs.Features):
        for name in (n for n in dir(hooks) if n.startswith("quadrille_")):
            assert f"| `{name}` |" in PAGE.read_text(), name


def test_the_list_of_ranks_is_that_of_the_bids_that_are_shipped():
    ranks = {}
    for name in playable():
        for path, origin in compile_reference(name).origins.items():
            if path.startswith("bids.") and path.endswith(".rank"):
                ranks[path.split(".")[1]] = origin.value
    shown = re.findall(r"^\| (\d+) \| ([a-z-]+) \|$", PAGE.read_text(), re.MULTILINE)
    assert shown == [(str(rank), bid) for bid, rank in sorted(ranks.items(), key=lambda r: r[1])]
