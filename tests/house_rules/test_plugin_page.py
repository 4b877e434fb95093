"""The page on writing plugins, the scaffold, and the kit for their tests."""

import json
import os
import re
import subprocess
import sys
import sysconfig
import tomllib
from fractions import Fraction
from pathlib import Path
from typing import get_args

import documents
import pytest
import record_fields
from quadrille_plugins.house_rules import plugin_command as command
from quadrille_plugins.house_rules.plugin_command import scaffold
from quadrille_plugins.house_rules.testing import changed, compiled, transfers
from quadrille_plugins.shell.main import run
from support.plugin import SOLO, make_plugin, playable, quadrille

from quadrille_core import hookspecs
from quadrille_core.installation import install_hint
from quadrille_core.ruleset import compile_reference
from quadrille_core.slips import slip_of

PAGE = documents.ROOT / "docs" / "plugins.md"


def playable_with_solo():
    return [name for name in playable() if "bids.solo.title" in compile_reference(name).origins]


def typed(commands, folder):
    """Run commands as they are shown, without an index, in an environment of its own that sees the
    program."""
    home = folder / "env"
    if not home.exists():
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(home)], check=True)
        site = next(home.glob("lib/python*/site-packages"))
        theirs = sysconfig.get_path("purelib")
        (site / "program.pth").write_text(f"import site; site.addsitedir({theirs!r})\n")
        for name, module in {
            "pip": "pip",
            "pytest": "pytest",
            "quadrille": "quadrille_core",
        }.items():
            script = home / "bin" / name
            script.write_text(f'#!/bin/sh\nexec {home}/bin/python -m {module} "$@"\n')
            script.chmod(0o755)
    env = {**os.environ, "PIP_NO_INDEX": "1", "PATH": f"{home / 'bin'}:{os.environ['PATH']}"}
    env.pop("PYTHONPATH", None)
    return subprocess.run(
        ["bash", "-ec", commands], cwd=folder, env=env, capture_output=True, text=True, check=False
    )


@pytest.mark.slow
def test_the_example_of_the_page_installs_and_runs_as_it_stands_there(tmp_path):
    """In an empty folder: the files that the page shows, and then its commands, to the letter."""
    text = PAGE.read_text()
    for name, content in documents.files(text).items():
        if name.startswith("quadrille-seven-alone"):
            continue  # which a command of the page writes
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content)
    blocks = re.findall(r"^```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    done = typed("".join(blocks), tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "club.bonus = 5" in done.stdout
    assert "bids.seven.tricks" in done.stdout
    assert "3 passed" in done.stdout
    assert "4 passed" in done.stdout
    assert "bids.seven-alone.title" in done.stdout
    assert "1 file checked, no errors" in done.stdout


def test_the_first_three_plugins_of_the_page_do_what_it_says(tmp_path, monkeypatch):
    """A bid, a card that nothing forces, and a payment for what was captured; each is a few
    lines."""
    shown = documents.files(PAGE.read_text())
    plugins = tomllib.loads(shown["quadrille-ours/pyproject.toml"])["project"]["entry-points"]
    for name, module in plugins["quadrille"].items():
        text = shown[f"quadrille-ours/{module}.py"]
        assert len([line for line in text.splitlines() if line]) <= 15, name
        make_plugin(tmp_path, name, text)
    monkeypatch.syspath_prepend(str(tmp_path))
    own = {path.partition(".")[0]: path for path in changed("quanti-1822", "quanti-1822+kings")}
    assert set(own) == {"kings"}
    seven = compiled("quanti-1822+seven")
    told = [transfers(seven, SOLO | {"contract": "seven", "tricks": n}) for n in (7, 6)]
    assert [paid[1][:3] for paid in told] == [("B", "A", 15), ("A", "B", 15)]
    (free,) = changed("quanti-1822", "quanti-1822+free-basto").values()
    assert {cell["card"] for cell in free[1]} == {"CA"}


def test_the_scaffold_writes_what_the_page_shows(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run(["new", "--plugin", "club"]) == 0
    shown = documents.files(PAGE.read_text())
    for name, text in scaffold("club").items():
        assert (
            (tmp_path / "quadrille-club" / name).read_text()
            == text
            == shown[f"quadrille-club/{name}"]
        )
    name = "quadrille_seven_alone.py"
    assert scaffold("seven-alone", bid=True)[name] == shown[f"quadrille-seven-alone/{name}"]


def test_every_example_of_a_plugin_asks_for_this_distribution_and_no_other(tmp_path):
    """A stranger's package in the index bears the program's former name: pip would download it."""
    own = tomllib.loads((documents.ROOT / "pyproject.toml").read_text())["project"]["name"]
    shown = documents.files(PAGE.read_text())["quadrille-club/pyproject.toml"]
    made = [scaffold("club")["pyproject.toml"], scaffold("club", bid=True)["pyproject.toml"], shown]
    made.append(scaffold("club", bot=True)["pyproject.toml"])
    made.append((documents.ROOT / "tests/thirdparty/pyproject.toml").read_text())
    assert {tuple(tomllib.loads(text)["project"]["dependencies"]) for text in made} == {(own,)}
    texts = [*documents.ROOT.glob("docs/**/*.md"), *documents.ROOT.glob("plugins/**/*.txt")]
    assert not [
        p.name for p in texts if re.search(r"""dependencies = \[["']quadrille["']""", p.read_text())
    ]


def test_what_is_printed_names_a_path_and_needs_no_index(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert run(["new", "--plugin", "club"]) == 0
    printed = capsys.readouterr().out
    assert "install --no-build-isolation --no-deps -e ./quadrille-club" in printed


def test_where_nothing_builds_a_plugin_the_extra_is_named_first(monkeypatch):
    monkeypatch.setattr(command, "find_spec", lambda module: None)
    assert command.next_steps(Path("here"), "quadrille show")[0] == install_hint("author")


@pytest.mark.slow
def test_what_is_printed_works_as_typed_without_an_index(tmp_path):
    for option in ("", " --bid"):
        done = typed(f"quadrille new --plugin new{'-bid' if option else ''}{option}", tmp_path)
        assert done.returncode == 0, done.stderr
        assert len(done.stdout.splitlines()) == 4
        done = typed("\n".join(done.stdout.splitlines()[1:]), tmp_path)
        assert done.returncode == 0, done.stdout + done.stderr
        assert f"{4 if option else 3} passed" in done.stdout
    module = tmp_path / "quadrille-new-bid" / "quadrille_new_bid.py"
    text = module.read_text("utf-8")
    assert text.count('tricks=rules["bids.solo.tricks"]') == 1
    module.write_text(text.replace('tricks=rules["bids.solo.tricks"]', "tricks=8"), "utf-8")
    done = typed("pytest quadrille-new-bid", tmp_path)
    assert "4 passed" in done.stdout, (
        "its own tests follow the number of tricks that its author chooses"
    )


def test_a_scaffold_with_a_bid_and_a_payment_passes_its_own_tests(tmp_path):
    """Its bonus is the bid's alone, and its premium one unit more than the solo's."""
    files = scaffold("eight-alone", bid=True, payment=True)
    make_plugin(tmp_path, "eight-alone", files["quadrille_eight_alone.py"])
    (tmp_path / "test_eight_alone.py").write_text(files["test_eight_alone.py"])
    env = {**os.environ, "PYTHONPATH": str(tmp_path)}
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "test_eight_alone.py",
    ]
    done = subprocess.run(
        command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False
    )
    assert "5 passed" in done.stdout, done.stdout + done.stderr
    assert run(["new", "--plugin", "eight-alone", str(tmp_path / "new"), "--bid", "--payment"]) == 0
    assert {p.name: p.read_text() for p in (tmp_path / "new").iterdir()} == files


def test_a_scaffold_with_a_bid_has_no_rule_that_was_not_asked_for(tmp_path):
    """It copies the rows of the solo, so no table of a favourite suit comes up where the profile
    has none."""
    text = scaffold("seven-alone", bid=True)["quadrille_seven_alone.py"]
    make_plugin(tmp_path, "seven-alone", text)
    for profile in playable_with_solo():
        done = quadrille(
            "show", f"{profile}+seven-alone", "--format", "json", path=tmp_path, cwd=tmp_path
        )
        leaves = json.loads(done.stdout)["leaves"]
        paths = {p for p in leaves if "seven-alone" in p}
        before = {
            p.replace(".solo", ".seven-alone")
            for p in compile_reference(profile).origins
            if ".solo" in p
        }
        assert paths == before
        for table, more in (
            ("payments.premium", 1),
            ("payments.in_favourite.premium", 2),
        ):  # in both, or it is cheaper
            if f"{table}.solo" in leaves:
                own, solos = (
                    Fraction(leaves[f"{table}.{bid}"]["value"]) for bid in ("seven-alone", "solo")
                )
                assert own == solos + more, (profile, table)


@pytest.mark.parametrize("name", ["Club", "my_club", "casco", "payments", "../x"])
def test_a_name_that_is_none_or_is_taken_is_refused(tmp_path, monkeypatch, name, capsys):
    monkeypatch.chdir(tmp_path)
    assert run(["new", "--plugin", name]) == 2
    assert "help" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["solo", "alliance"])
def test_a_bid_that_there_is_gets_no_scaffold(tmp_path, monkeypatch, name, capsys):
    """Its tests would fail at once; a plugin of that name without a bid is another matter."""
    monkeypatch.chdir(tmp_path)
    assert run(["new", "--plugin", name, "--bid"]) == 2
    assert "is taken, by a bid of" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
    assert run(["new", "--plugin", name]) == 0


def test_a_bot_is_written_and_no_rules_go_with_it(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert run(["new", "--plugin", "bold", "--bot", "here"]) == 0
    assert {p.relative_to("here").as_posix() for p in Path("here").rglob("*.*")} == {
        *scaffold("bold", bot=True)
    }
    assert "--players bold" in capsys.readouterr().out
    for taken in ("steady", "compare"):
        assert run(["new", "--plugin", taken, "--bot"]) == 2
    assert run(["new", "--plugin", "other", "--bot", "--bid"]) == 2
    assert "--bid" in capsys.readouterr().err


def test_a_folder_that_holds_something_is_left_alone(tmp_path):
    (tmp_path / "x").write_text("mine")
    assert run(["new", "--plugin", "club", str(tmp_path)]) == 2
    assert [p.name for p in tmp_path.iterdir()] == ["x"]


@pytest.mark.parametrize("name", ["preference.py", "evidence.py"])
def test_the_page_shows_the_modules_that_are_tested_here(name):
    source = Path(__file__).parents[1] / "thirdparty" / "quadrille_club" / name
    assert source.read_text() in PAGE.read_text()


def test_the_table_of_records_names_every_record_that_a_hook_may_return():
    named = {name for names in record_fields.MEANS for name in names.split(", ")}
    assert {kind.__name__ for kind in get_args(hookspecs.Override)} | {"About", "OwnLeaf"} <= named


def test_the_payment_that_the_page_gives_as_an_example_is_one():
    """As a call with the records' own names; nothing in it is refused."""
    found = re.findall(r"`(PaymentRow\(reason=.*?\)\))`", PAGE.read_text("utf-8"))
    (row,) = [eval(text, {"PaymentRow": hookspecs.PaymentRow}) for text in found]  # noqa: S307
    assert slip_of(row, "quadrille_payments") is None


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
