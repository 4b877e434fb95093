"""What rulebook, settlement, ledger and play import is Python and the parser of YAML, so that pages
without a server remain possible."""

import subprocess
import sys
from pathlib import Path

import pytest

BLOCK = '''
import sys, sysconfig
from importlib.machinery import ExtensionFileLoader, PathFinder

OWN = (sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib"))
NAMED = ("numpy", "numba", "llvmlite", "scipy", "pandas", "pyarrow", "lxml")
refused = []

class Refuse:
    """Finds no module of a package that is compiled, and none of the packages named."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name.partition(".")[0] in NAMED:
            refused.append(name)
            raise ModuleNotFoundError(name, name=name)
        spec = PathFinder.find_spec(name, path, target)
        of_a_package = spec is not None and isinstance(spec.loader, ExtensionFileLoader) and "-packages" in spec.origin
        if of_a_package and name != "yaml._yaml":
            refused.append(name)
            raise ModuleNotFoundError(name, name=name)
        return None

sys.meta_path.insert(0, Refuse)
'''
WORK = """
from quadrille_core.ruleset import compile_reference
compiled = compile_reference("quanti-1822@parlett")
"""
PIECES = {
    "rulebook": """
from quadrille_plugins.rulebook.html import as_html
from quadrille_plugins.rulebook.page import rulebook, sheet
assert "Hombre" in as_html(rulebook(compiled)) and as_html(sheet(compiled))
""",
    "settlement": """
from quadrille_core.engine.settle import settle
from quadrille_plugins.settle.blocks import settlement_blocks
from quadrille_plugins.settle.result_file import read_result
data = {"players": list("ABCD"), "pool": 12, "contract": "solo", "trump": "hearts", "hombre": "A"}
rules = compiled.ruleset.rules
result = read_result({**data, "tricks": {"A": 6, "B": 4}, "matadors": 3}, rules)
assert settlement_blocks(compiled, result, settle(rules, result))
""",
    "ledger": """
from pathlib import Path
from quadrille_plugins.ledger.journal import Fact
from quadrille_plugins.ledger.service import Ledger, start
from quadrille_plugins.ledger import ending_report, report
file = Path("evening.ledger")
start(file, compiled, "quanti-1822@parlett", list("ABCD"), dealer=None)
with Ledger(file) as ledger:
    ledger.record(Fact("result", {"contract": "solo", "trump": "hearts", "hombre": "A", "tricks": {"A": 6, "B": 4}}))
    journal = ledger.journal()
    assert report.session_blocks(journal) and ending_report.ending_blocks(journal, ledger.ending())
""",
    "play": """
from quadrille_plugins.play.game import done, go_on, hint, new_game, undone
from quadrille_plugins.play.short import from_short, short_form
from quadrille_plugins.deal.judging import of_cards
from quadrille_plugins.play.drawing import table
game = go_on(new_game(compiled, seed=1, seat=1))
while not game.deal.over:
    assert table(game) and isinstance(of_cards(compiled, game.deal), tuple)
    game = go_on(done(game, hint(game)[0]))
assert game.settlement is not None and any(game.settlement.net) and not undone(game).deal.over
assert from_short(short_form(game), compiled).deal.result() == game.deal.result()
""",
    "forms": """
from quadrille_plugins.serve.forms import desk_fields, ledger_fields, plain_table
table = plain_table(compiled.ruleset.rules)
assert desk_fields(table) and ledger_fields(table)
""",
    "points": """
from quadrille_plugins.apparatus.model import apparatus_of
from quadrille_plugins.lookup.answer import matching
assert apparatus_of(compiled).points and matching("codille", compiled)
from quadrille_plugins.shell import shipped_effects as effects
assert effects.shipped_study()["findings"]
""",
    "rules": """
from quadrille_plugins.lookup.rule_page import rule_page
assert rule_page("stakes.ante").values
""",
    "pages of play": """
from quadrille_plugins.play.faces import face
from quadrille_plugins.play.game import done, go_on, hint, new_game, next_deal
from quadrille_plugins.play.short import from_short, short_form
from quadrille_plugins.serve.play_end import ending
from quadrille_plugins.serve.play_table import table_of
game = go_on(new_game(compiled, seed=1))
while not game.deal.over:
    assert table_of(game)["hand"] and face(game.deal.hands[0][0])
    game = go_on(done(game, hint(game)[0]))
assert ending(game)["blocks"] and from_short(short_form(game), compiled) == game
assert next_deal(game).setup.deal == 1
""",
}


@pytest.mark.parametrize("what", PIECES)
def test_nothing_compiled_is_imported(what, tmp_path):
    """With every compiled module of a package but libyaml refused, NumPy and Numba among them, it
    works."""
    done = subprocess.run(
        [sys.executable, "-c", BLOCK + WORK + PIECES[what]],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_block_refuses_what_is_compiled(tmp_path):
    """The test above would fail by NumPy, and by a compiled module of any other package."""
    for module in ("numpy", "rpds", "markupsafe._speedups"):
        done = subprocess.run(
            [sys.executable, "-c", f"{BLOCK}import {module}"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert "ModuleNotFoundError" in done.stderr, module


def test_the_server_itself_needs_no_compiled_engine(tmp_path):
    """Starlette and Jinja2 may have compiled parts; NumPy, Numba and their kin are asked for by no
    page."""
    work = """
from quadrille_plugins.serve.app import desk
import quadrille_plugins.serve.serving
from quadrille_plugins.serve import apparatus_pages, study_queue, explain_pages, study_pages
import sys
found = {name.partition(".")[0] for name in sys.modules}
assert not found & {"numpy", "numba", "llvmlite", "scipy", "pandas", "pyarrow", "lxml", "matplotlib", "altair"}, found
"""
    done = subprocess.run(
        [sys.executable, "-c", work],
        cwd=Path(tmp_path),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
