"""Alternatives held against a rule set one after another, in little room, come to what all at once
come to."""

import pytest

pytest.importorskip("numba")

import numpy as np
from quadrille_plugins.matters import fast_matched
from quadrille_plugins.studies import fast

from quadrille_core.ruleset import compile_reference

READINGS = (
    {},
    {"remise_pays": "matadors_only"},
    {"ladder": "with_mediateur_and_casco"},
    {"vole_scheme": "nothing"},
)
SESSIONS, DEALS = 6, 10


def played(decompose, how):
    rulesets = [compile_reference("quanti-1822", readings=r).ruleset for r in READINGS]
    arrays, _ = fast.tabulate(rulesets, ["steady"])
    room, lengths = fast.Workspace(arrays, SESSIONS, DEALS), np.full(SESSIONS, DEALS, np.int64)
    return room, how(arrays, 7, 3, lengths, room, 20, decompose=decompose)


def told(block):
    return block


def all_at_once(*asked, **more):
    return fast_matched.play_at_once(*asked, **more)[0]


@pytest.mark.parametrize("decompose", [False, True])
def test_one_after_another_as_all_at_once(decompose):
    """Sums, effects, reaches and the deals drawn; bids differ in number among them."""
    assert told(played(decompose, fast_matched.play_pairs)[1]) == told(
        played(decompose, all_at_once)[1]
    )


def test_only_two_rule_sets_deals_are_kept():
    """The room of the others is never written to, so that it takes no memory."""
    room, _ = played(False, fast_matched.play_pairs)
    assert [bool(r.view(np.int64).any()) for r in room.records] == [True, True, False, False]


def test_a_session_that_a_later_alternative_leaves_is_left_by_all(monkeypatch):
    """The blocks are added up again without it."""
    play_one = fast.play_one

    def leaving(arrays, number, seed, played, room, place):
        play_one(arrays, number, seed, played, room, place)
        if number == 2:
            played.skip[4] = True

    monkeypatch.setattr(fast, "play_one", leaving)
    one, other = (told(played(False, how)[1]) for how in (fast_matched.play_pairs, all_at_once))
    assert one == other
    assert one.left == [7]
