"""A bot from outside, as ``quadrille new --plugin bidder --bot`` writes it: what it needs of the
kernel, and that it plays alike by both engines."""

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from quadrille_plugins.house_rules.plugin_command import scaffold
from support.plugin import install, quadrille

ROOT = Path(__file__).parents[2]
FOLDER = Path(__file__).parent / "bidder"
MADE = scaffold("bidder", bot=True)
TESTS = "test_bidder.py"
SURFACE = "quadrille_plugins.kernel.bot"
COMPILED = [
    *FOLDER.glob("*/kernel.py"),
    ROOT / "plugins/quadrille_plugins/players/kernel_random.py",
]
CLAIMS = """
from quadrille_plugins.house_rules.testing import compiled, same_by_both_engines

MIXED = ["bidder:bids=always", "steady:calls=long", "random", "bidder"]
for rules in ("quanti-1822", "mediateur-1752"):
    played = compiled(rules, settings={"play.claim_won": True})
    for players in ("bidder:bids=always", MIXED):
        print(same_by_both_engines(played, deals=40, seed=3, players=players))
"""


def test_the_bot_is_what_the_scaffold_writes():
    kept = {p.relative_to(FOLDER).as_posix() for p in FOLDER.rglob("*.*") if p.suffix != ".pyc"}
    assert kept == set(MADE) - {TESTS}
    for name in kept:
        assert (FOLDER / name).read_text("utf-8") == MADE[name], name


@pytest.mark.parametrize("path", COMPILED, ids=[path.parent.name for path in COMPILED])
def test_a_compiled_bot_imports_of_the_kernel_its_surface_alone(path):
    found = {
        node.module or ""
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom)
    }
    assert {name for name in found if name.startswith("quadrille_plugins")} == {SURFACE}


def test_the_page_on_the_kernel_has_all_that_the_surface_holds():
    """Every name, and every field that may be read, which the kernel's records have."""
    bot = pytest.importorskip(SURFACE, exc_type=ImportError)
    from quadrille_plugins.kernel.state import DEAL, RULES

    page = (ROOT / "docs/kernel.md").read_text("utf-8")
    assert not [name for name in bot.__all__ if f"`{name}" not in page]
    for of, layout in (("deal", DEAL), ("rules", RULES)):
        assert set(bot.FIELDS[of]) <= set(layout.names)
        rows = [f"| `{of}.{name}` | {means} |" for name, means in bot.FIELDS[of].items()]
        assert not [row for row in rows if row not in page]


def test_a_decision_that_is_none_and_one_that_is_missing_are_refused_by_name():
    bot = pytest.importorskip(SURFACE, exc_type=ImportError)
    with pytest.raises(TypeError, match=r"play_card\(\) is no decision of a bot: bid, trump, call"):

        @bot.decides("int64")
        def play_card(rules, policy, deal):
            return 0

    with pytest.raises(TypeError, match="the bot of ours does not decide bid, trump, call, give"):
        bot.playing("ours", "int64", card=None)


@pytest.fixture(scope="module")
def bidder(tmp_path_factory):
    """The bot, installed by pip into a folder of its own."""
    return install(FOLDER, tmp_path_factory.mktemp("bidder"))


def test_it_is_compared_by_the_readable_engine(bidder, tmp_path):
    options = ("--players", "bidder:bids=always", "--deals", "8", "--engine", "readable")
    done = quadrille(
        "compare", "quanti-1822", "quanti-1822@parlett", *options, path=bidder, cwd=tmp_path
    )
    assert "bidder:bids=always" in done.stdout + done.stderr


@pytest.mark.slow
def test_it_plays_alike_by_both_engines_and_passes_its_own_tests(bidder, tmp_path):
    """Nothing of ours names it; claims are met, and the fast engine plays it wherever it plays
    ``steady``, and beside it and ``random``."""
    (tmp_path / TESTS).write_text(MADE[TESTS])
    env = {**os.environ, "PYTHONPATH": str(bidder), "NUMBA_CACHE_DIR": str(tmp_path / "kept")}

    def python(*words):
        command = [sys.executable, "-B", *words]
        done = subprocess.run(
            command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    assert "7 passed" in python("-m", "pytest", "-q", "-p", "no:cacheprovider", TESTS)
    assert python("-c", CLAIMS).count("Equality(deals=40,") == 4
    refs, options = ("quanti-1822", "mediateur-1752"), ("--players", "bidder", "--deals", "400")
    code = "from quadrille_plugins.shell.main import main; main()"
    told = python("-c", code, "compare", *refs, *options, "--engine", "fast", "--format", "json")
    assert json.loads(told)["design"]["engine"] == "fast"
