"""Features: each can be left out, a stranger can add one, and neither costs the rest anything."""

import json
import os
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest
from quadrille_plugins.shell import commands

import quadrille_core as q
from quadrille_core import DISTRIBUTION
from quadrille_core.diagnostics import SHELL
from quadrille_core.errors import UsageError
from quadrille_core.installation import install_hint

ROOT = Path(__file__).parents[2]
INSTALLED = commands.offers()
COPY = """
import sys
sys.meta_path[:] = [finder for finder in sys.meta_path if "ditable" not in repr(finder)]  # the copy, not the checkout
"""
PLAIN = f"""{COPY}
import contextlib, io, json
from quadrille_plugins.shell.main import run
done = []
for line in json.loads(sys.argv[1]):
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
        status = run(line)
    done.append((status, out.getvalue(), err.getvalue()))
print(json.dumps(done))
"""
RESULT = """\
rules: quanti-1822@parlett
players: [Anne, Beatrice, Charlotte, Dorothea]
pool: 12
contract: solo
trump: hearts
hombre: Anne
tricks: {Anne: 6, Beatrice: 2, Dorothea: 2}
matadors: 3
premiers: true
"""
WORK = {
    "show": ("show", "quanti-1822"),
    "explain": ("explain", "quanti-1822", "stakes.ante"),
    "settle": ("settle", "result.yaml"),
}
"""What wants no other feature."""
COMPARE = (
    "compare",
    "quanti-1822",
    "mediateur-1752",
    "--deals",
    "40",
    "--engine",
    "readable",
    "--workers",
    "1",
)
LOST = {
    "diff": (
        COMPARE,
        "Q508 the feature 'compare' (from quadrille-core 0.2.0) wants the feature 'diff'",
    ),
    "settle": (
        ("deal", "quanti-1822"),
        "Q508 the feature 'deal' (from quadrille-core 0.2.0) wants the feature 'settle'",
    ),
    "players": (("deal", "quanti-1822"), "Q802 there is no bot 'steady'"),
    "patience": (("show", "captive-queens"), "Q307"),
    "rerun": (
        COMPARE,
        "Q508 the feature 'compare' (from quadrille-core 0.2.0) wants the feature 'studies'",
    ),
    "kernel": (
        COMPARE,
        "Q508 the feature 'compare' (from quadrille-core 0.2.0) wants the feature 'kernel'",
    ),
    "solver": (
        (*COMPARE[:3], "--double-dummy"),
        "Q508 the feature 'compare' (from quadrille-core 0.2.0) wants the feature",
    ),
    "session": (("show", "quanti-1822", "--laws"), "Q508 the feature 'session' is not installed"),
    "seer": (("deal", "quanti-1822", "--players", "seer"), "Q802 there is no bot 'seer'"),
}
"""What is told without a feature that brings no command, or that others want."""


@pytest.fixture(scope="module")
def copied(tmp_path_factory):
    """A copy of what a wheel installs, with its papers."""
    site = tmp_path_factory.mktemp("site")
    leave = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "quadrille_core", site / "quadrille_core", ignore=leave)
    shutil.copytree(
        ROOT / "plugins" / "quadrille_plugins", site / "quadrille_plugins", ignore=leave
    )
    for shipped in ("variants", "schemas"):
        shutil.copytree(ROOT / shipped, site / "quadrille_core" / "_shipped" / shipped)
    papers = (
        Path(str(metadata.distribution(DISTRIBUTION).locate_file(".")))
        / "quadrille_core-0.2.0.dist-info"
    )
    shutil.copytree(papers, site / papers.name)
    (site / "result.yaml").write_text(RESULT, encoding="utf-8")
    return site


def ran(site, *lines):
    """Status, output and errors of each command line, all in one process of the copy."""
    done = subprocess.run(
        [sys.executable, "-c", PLAIN, json.dumps(lines)],
        env={**os.environ, "PYTHONPATH": str(site)},
        cwd=site,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


def together(name):
    """The features that lie in the folder of one."""
    module = INSTALLED[name].installed.entry.value
    found = ((other, one.installed.entry.value) for other, one in INSTALLED.items())
    return [other for other, value in found if value == module or value.startswith(f"{module}.")]


@pytest.fixture
def without(copied, tmp_path):
    """A copy without one feature: neither its entry points nor its module or folder."""

    def make(name):
        site = tmp_path / "site"
        shutil.copytree(copied, site)
        module = INSTALLED[name].installed.entry.value
        path = site / module.replace(".", "/")
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.with_suffix(".py").unlink()
        papers = site / "quadrille_core-0.2.0.dist-info" / "entry_points.txt"
        lines = papers.read_text(encoding="utf-8").splitlines(keepends=True)
        gone = tuple(f"{one} = " for one in together(name))
        papers.write_text(
            "".join(line for line in lines if not line.startswith(gone)), encoding="utf-8"
        )
        return site

    return make


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.slow] * (n != "rerun")) for n in INSTALLED]
)
def test_every_feature_can_be_left_out(name, without):
    """The rest works, ``--help`` lists what is there, and whatever wants the missing one says
    so."""
    works = [line for work, line in WORK.items() if work not in together(name)]
    gone = [(name, "--help")] * INSTALLED[name].is_command
    lost, told = LOST.get(name, ((), ""))
    (_, listed, _), *done = ran(
        without(name), ("--help",), *works, *gone, *([lost] if lost else [])
    )
    worked, rest = done[: len(works)], done[len(works) :]
    assert [(status, err) for status, _, err in worked] == [(0, "")] * len(works)
    listed = listed.partition("Options:")[2]
    assert "\n  apparatus " in listed or name == "apparatus"
    assert f"\n  {name} " not in listed
    if gone:
        status, _, err = rest.pop(0)
        assert (status, f"there is no command {name!r}" in err) == (2, True)
    if lost:
        status, _, err = rest.pop(0)
        assert status in (1, 2)
        assert told in err
        assert "Traceback" not in err


GROUPS = {
    "Texts": "apparatus diff explain list rulebook show",
    "Studies": "compare discriminate matters rank rerun",
    "Table": "deal play serve session settle",
    "Developers": "check new",
}
FORMER = {old: now for one in INSTALLED.values() for old, now in one.former.items()}


def test_help_lists_eighteen_commands_in_four_groups(quadrille):
    found, group = {}, ""
    for line in quadrille("--help")[1].partition("--help")[2].splitlines():
        if line.endswith(":") and not line.startswith(" "):
            group = line[:-1]
        elif group and line[:2] == "  " and line[2:3] != " ":
            found.setdefault(group, []).append(line.split()[0])
    assert {name: " ".join(commands) for name, commands in found.items()} == GROUPS
    assert sum(map(len, found.values())) == 18


def test_every_former_command_is_known():
    gone = (
        "collate export legal new-plugin plugins profiles replay ruling solve tournament "
        "warmup witnesses"
    )
    assert sorted(FORMER) == gone.split()


@pytest.mark.parametrize("old", FORMER)
def test_a_former_command_names_the_present_one_and_does_nothing(old, quadrille):
    """What it names is a command or an option of the program that there is, with options that it
    has."""
    status, out, err = quadrille(old, "quanti-1822")
    assert (status, out) == (2, "")
    assert f"`quadrille {FORMER[old]}`" in err
    with pytest.raises(UsageError) as told:
        q.run(old)
    problem = told.value.problems[0]
    assert (problem.variant, problem.help) == ("former-name", "")
    assert SHELL.command(problem.data["now"]) == f"quadrille {FORMER[old]}"
    command, *words = FORMER[old].split()
    shown = quadrille(*(() if command.startswith("-") else (command,)), "--help")[1]
    assert all(word in shown for word in words if word.startswith("-"))
    assert command in shown


MISUSED = [
    ("deal", "quanti-1822", "--pool", "3"),
    ("deal", "quanti-1822", "--out", "new", "--solve"),
    ("deal", "--replay", "deal.json", "--seed", "2"),
    ("deal", "--replay", "deal.json", "--solve", "--deal", "2"),
    ("play", "quanti-1822", "--trump", "hearts"),
    ("play", "quanti-1822", "--hand", "SA", "--trump", "hearts", "--seed", "1"),
    ("compare", "quanti-1822", "mediateur-1752", "--length", "4"),
    ("compare", "quanti-1822", "--bots", "steady,random", "--double-dummy"),
    ("apparatus", "quanti-1822", "--graph", "new.svg"),
    ("apparatus", "--collate", "quanti-1822", "--grep", "ponto"),
    ("apparatus", "--collate", "--format", "bibtex"),
    ("new", "mine.yaml", "--bid"),
    ("new", "--plugin", "mine", "--from", "quanti-1822"),
    ("list", "plugins", "A18"),
    ("list", "--facts"),
    ("show", "quanti-1822", "ponto"),
]


@pytest.mark.parametrize("line", MISUSED, ids=" ".join)
def test_what_belongs_to_another_use_of_a_command_is_refused(
    line, quadrille, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    status, out, err = quadrille(*line)
    assert (status, out, err[:5]) == (2, "", "Q802 ")
    assert "\nhelp: " in err
    assert list(tmp_path.iterdir()) == []


def test_help_imports_no_feature():
    code = (
        "import sys\nfrom quadrille_plugins.shell.main import run\nrun(['--help'])\n"
        "print({m.split('.')[1] for m in sys.modules if m.startswith('quadrille_plugins.')})"
    )
    told = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    assert all(f"\n  {f.name} " in told for f in commands.commands())
    assert told.splitlines()[-1] == "{'shell'}"


def test_a_strangers_feature_is_a_command_and_one_that_is_broken_costs_nothing(copied, tmp_path):
    """It brings a command and a player; another raises when it is imported, and is named where it
    is wanted."""
    site = tmp_path / "site"
    shutil.copytree(copied, site)
    strangers = {
        "greet": '"""Say good evening."""\n\nimport click\n\nfrom quadrille_core.hookspecs '
        "import hookimpl\n\n\n@hookimpl\ndef quadrille_command():\n    return "
        'click.Command("greet", callback=lambda: print("hello"))\n',
        "broken": '"""Never work."""\n\nraise RuntimeError("not today")\n\n\ndef '
        "quadrille_command():\n    pass\n",
    }
    for name, text in strangers.items():
        (site / f"of_a_stranger_{name}").mkdir()
        (site / f"of_a_stranger_{name}" / "__init__.py").write_text(text)
        papers = site / f"stranger_{name}-1.0.dist-info"
        papers.mkdir()
        (papers / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: stranger-{name}\nVersion: 1.0\n"
        )
        (papers / "entry_points.txt").write_text(
            f"[quadrille.features]\n{name} = of_a_stranger_{name}\n"
        )
    lines = (("--help",), ("greet",), ("broken",), WORK["settle"], ("deal", "quanti-1822"))
    (_, listed, _), greeted, (status, _, err), *others = ran(site, *lines)
    strange = listed.partition("\nOther commands:\n")[2]
    assert "  greet " in strange
    assert "Say good evening." in listed
    assert greeted[1] == "hello\n"
    assert status == 2
    assert err.startswith(
        "Q508 the feature 'broken' (from stranger-broken 1.0) cannot be loaded: RuntimeError"
    )
    assert [other[0] for other in others] == [0, 0]


def test_where_no_feature_is_installed_the_reader_is_told_to_install_them(copied, tmp_path):
    site = tmp_path / "site"
    shutil.copytree(copied, site)
    papers = site / "quadrille_core-0.2.0.dist-info" / "entry_points.txt"
    papers.write_text(papers.read_text().split("[quadrille.features]")[0])
    ((status, _, err),) = ran(site, ("compare", "quanti-1822", "mediateur-1752"))
    assert status == 2
    assert err.endswith(f"their features are not installed: {install_hint()}\n")


@pytest.mark.parametrize("way", ["python -m", "q.load"])
def test_where_the_shell_is_not_installed_the_reader_is_told_to_install_it(way, copied, tmp_path):
    """The core imports no shell: it finds one by its entry points, or says that there is none."""
    site = tmp_path / "site"
    shutil.copytree(copied, site)
    papers = site / "quadrille_core-0.2.0.dist-info" / "entry_points.txt"
    papers.write_text(papers.read_text().split("[quadrille.interface]")[0])
    started = {
        "python -m": "import runpy; runpy.run_module('quadrille_core', run_name='__main__')",
        "q.load": "import quadrille_core as q\n"
        "try: q.load('quanti-1822')\n"
        "except q.FeatureError as e: sys.exit(str(e))",
    }
    done = subprocess.run(
        [sys.executable, "-c", f"{COPY}\n{started[way]}"],
        env={**os.environ, "PYTHONPATH": str(site)},
        cwd=site,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == {"python -m": 2, "q.load": 1}[way]
    assert done.stderr == f"Q508 the feature 'shell' is not installed\nhelp: {install_hint()}\n"
