"""Alternatives held against a rule set one after another, in little room, come to what all at once
come to."""

import pytest

pytest.importorskip("numba")

from dataclasses import replace
from functools import partial

from quadrille_plugins.matters import matched_play
from quadrille_plugins.matters.matched_play import PlayingMatched
from quadrille_plugins.matters.matched_starts import hold
from quadrille_plugins.studies import fast
from quadrille_plugins.studies.design import FAST
from quadrille_plugins.studies.sessions import Played, side_by_side

from quadrille_core.ruleset import compile_reference

READINGS = (
    {},
    {"remise_pays": "matadors_only"},
    {"ladder": "with_mediateur_and_casco"},
    {"vole_scheme": "nothing"},
)
SESSIONS, DEALS, FIRST, SEED, MOST = 6, 10, 3, 7, 20


def one_by_one(engines, room, *, decompose=False):
    work = PlayingMatched((), (), SEED, None, decompose, MOST, FAST)
    played = Played(FIRST, [DEALS] * SESSIONS, [False] * SESSIONS)
    return matched_play.one_by_one(work, engines, played, room)


def all_at_once(engines, room, *, decompose=False):
    leave = matched_play.leave_large
    how = {"decompose": decompose, "leave": leave, "hold": hold}
    return side_by_side(engines, SEED, FIRST, [DEALS] * SESSIONS, room, MOST, **how)[0]


def played(how):
    rulesets = [compile_reference("quanti-1822", readings=r).ruleset for r in READINGS]
    engines, _ = fast.tabulate(rulesets, ["steady"])
    room = fast.Workspace(SESSIONS, DEALS)
    return room, how(engines, room)


@pytest.mark.parametrize("decompose", [False, True])
def test_one_after_another_as_all_at_once(decompose):
    """Sums, effects, reaches and the deals drawn; bids differ in number among them."""
    ways = (partial(how, decompose=decompose) for how in (one_by_one, all_at_once))
    one, other = (replace(played(how)[1], told=[]) for how in ways)
    assert one == replace(other, told=[])
    assert len(one.tables) == len(READINGS)


def test_only_two_rule_sets_deals_are_kept():
    room, _ = played(one_by_one)
    assert sorted(room._held) == [0, 1]


def test_a_session_that_a_later_alternative_leaves_is_left_by_all(monkeypatch):
    """The blocks are added up again without it."""
    play, leaving = fast.Arrays.play, compile_reference("quanti-1822", readings=READINGS[2])

    def some(self, *given):
        held = play(self, *given)
        if self.ruleset.identity.digest == leaving.identity.digest:
            held.inexact[4] = True
        return held

    monkeypatch.setattr(fast.Arrays, "play", some)
    one, other = (played(how)[1] for how in (one_by_one, all_at_once))
    assert replace(one, told=[]) == replace(other, told=[])
    assert one.left == [7]
