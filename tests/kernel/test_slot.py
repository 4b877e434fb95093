"""A stranger's player in the kernel's slot: a distribution with one module of compiled
functions."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("numba")

PACKAGE = """
from quadrille_core.hookspecs import Player, PlayerParameter, hookimpl


class Timid:
    name = "timid"

    def __init__(self, bids):
        self.bids = bids

    def choose(self, view, legal, stream):
        if view.phase == "auction":
            return legal[self.bids == "lowest" and len(legal) > 1]
        return legal[-1] if legal[-1].kind == "claim" else legal[0]


@hookimpl
def quadrille_players():
    bids = PlayerParameter(doc="What it bids.", default="never", choices=("never", "lowest"))
    return {"timid": Player(make=Timid, parameters={"bids": bids}, begins_anew=True, compiled="timid.kernel")}
"""
KERNEL = '''
"""Takes the first legal action, and claims whatever she may."""

import numpy as np
from numba import int64

from quadrille_plugins.kernel.auction import home_bit, may_bid
from quadrille_plugins.kernel.bits import ZERO
from quadrille_plugins.kernel.cards import first_in_pack
from quadrille_plugins.kernel.compiled import compiled
from quadrille_plugins.kernel.declare import callable_cards, may_name
from quadrille_plugins.kernel.session import sessions_of
from quadrille_plugins.kernel.shares import OPTIONS
from quadrille_plugins.kernel.slot import PASS, STOP, CompiledPlayer
from quadrille_plugins.kernel.table import table_of

POLICY = "UniTuple(int64[::1], 1)"
START = f"(rules, {POLICY}, deal"


def policy_of(rules, record, bids):
    return (np.full(1, bids == "lowest", np.int64),)


@compiled(f"int64{START}, int64)", **OPTIONS)
def bid(rules, policy, deal, seat):
    if policy[0][0]:
        for spec in range(rules.ladder):
            if may_bid(rules, deal, deal.hands[seat], seat, int64(spec)):
                return int64(spec)
    return int64(PASS)


@compiled(f"int64{START}, int64)", **OPTIONS)
def trump(rules, policy, deal, seat):
    suit = int64(0)
    while not may_name(rules, deal, suit):
        suit += 1
    return suit


@compiled(f"int64{START})", **OPTIONS)
def call(rules, policy, deal):
    cards, card = callable_cards(rules, deal, deal.hands[deal.hombre]), int64(0)
    while not cards >> card & 1:
        card += 1
    return card


@compiled(f"uint64{START})", **OPTIONS)
def give(rules, policy, deal):
    card = int64(0)
    while card == deal.called or not deal.hands[deal.hombre] & home_bit(rules, card):
        card += 1
    return home_bit(rules, card)


@compiled(f"int64{START}, int64, int64, result, out)", **OPTIONS)
def decide(rules, policy, deal, seat, choices, result, out):
    return int64(STOP)


@compiled(f"boolean{START}, int64, result, out)", **OPTIONS)
def answer(rules, policy, deal, seat, result, out):
    return True


@compiled(f"uint64{START}, int64)", **OPTIONS)
def lead(rules, policy, deal, seat):
    return ZERO


@compiled(f"uint64{START}, int64, int64, uint64, uint64, int64, int64)", **OPTIONS)
def card(rules, policy, deal, seat, played, cards, best, winner, behind):
    return first_in_pack(rules, deal.trump, cards)


TIMID = CompiledPlayer(
    module=__name__, policy=POLICY, draws=False, bid=bid, trump=trump, call=call, give=give, announce=decide,
    decide=decide, answer=answer, lead=lead, card=card,
)
play_sessions, replay_sessions = sessions_of(TIMID, table_of(TIMID))
'''
BOTH = """
from kernel_equality import EqualityCounts, compare
from quadrille_plugins.studies.fast import blocked_by
from quadrille_core.ruleset import compile_reference
tally = EqualityCounts()
for reference in ("quanti-1822", "mediateur-1752", "quintille"):
    for bot in ("timid", "timid:bids=lowest"):
        compare(reference, compile_reference(reference, settings={"play.claim_won": True}).ruleset, 40, 3, tally, bot)
print(tally.deals, tally.difference or "alike")
print(blocked_by([], ["timid"] * 4))
"""


@pytest.mark.slow
def test_a_strangers_player_plays_in_the_kernel_as_her_readable_twin_does(tmp_path):
    """Nothing of ours names it; the fast engine plays it wherever it plays ``steady``, and by its
    parameter."""
    files = {
        "timid/__init__.py": PACKAGE,
        "timid/kernel.py": KERNEL,
        "timid-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: timid\nVersion: 1.0\n",
        "timid-1.0.dist-info/entry_points.txt": "[quadrille.features]\ntimid = timid\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    top = Path(__file__).parents[2]
    paths = os.pathsep.join(map(str, (tmp_path, top / "tests", top / "tools")))
    done = subprocess.run(
        [sys.executable, "-B", "-c", BOTH],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": paths, "NUMBA_CACHE_DIR": str(tmp_path / "kept")},
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["240 alike", "None"]
