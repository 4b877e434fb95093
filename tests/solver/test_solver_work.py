"""How much the solver searches on fixed deals, and that what was compiled once is found again."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("numba")

import yaml
from make_nodes import FILE, GROUPS, measured

ONCE = """
from numba.core import event
from quadrille_core.cards import PACK, SPADES
from quadrille_core.rules import CardOrder, Forcing
compiled = []
class Listener(event.Listener):
    def on_start(self, event): compiled.append(event)
    def on_end(self, event): pass
event.register("numba:compile", Listener())
from quadrille_plugins.solver.solve import Position, Solver
forcing = Forcing(renege="allowed", forced_by="led", among_several="any_trump")
order = CardOrder(red_plain_ace="top", black_ponto="none")
hands = tuple(PACK[i::4] for i in range(4))
made = Solver().exact(Position(order, forcing, SPADES, hands, 0, 3))
print(len(compiled) > 0, made)
"""


@pytest.mark.slow
def test_the_solver_searches_as_much_as_is_on_record():
    assert measured() == yaml.safe_load(FILE.read_text("utf-8"))
    assert len(GROUPS) > 9


@pytest.mark.slow
def test_a_second_process_finds_all_that_the_first_compiled(tmp_path):
    environment = {
        **os.environ,
        "NUMBA_CACHE_DIR": str(tmp_path),
        "PYTHONPATH": str(Path(__file__).parents[2]),
    }
    said = [
        subprocess.run(
            [sys.executable, "-c", ONCE],
            capture_output=True,
            text=True,
            env=environment,
            check=True,
        ).stdout
        for _ in range(3)
    ]
    assert said[0].startswith("True ")
    assert said[1] == said[2] == said[0].replace("True", "False")
