"""The test kit: a plugin's tests need say of a result no more than what they are about."""

from dataclasses import replace

import pytest
from quadrille_plugins.deal import players as deal_players
from quadrille_plugins.house_rules.equality import differing
from quadrille_plugins.house_rules.testing import (
    compiled,
    same_by_both_engines,
    transfers,
    unit,
)
from quadrille_plugins.studies import fast

from quadrille_core.errors import ResultError

SOLO = {"contract": "solo", "trump": "hearts", "hombre": "A", "tricks": 6}


def test_what_is_left_out_of_a_result_is_filled_in():
    """Players, the pool of a first deal and whose the other tricks are; what is given is taken as
    it is."""
    rules = compiled("quanti-1822@parlett")
    whole = {**SOLO, "players": ["A", "B", "C", "D"], "pool": 4, "tricks": {"A": 6, "B": 4}}
    assert transfers(rules, SOLO) == transfers(rules, whole)
    assert ("pool", "A", 4, "pool taken") in transfers(rules, SOLO)
    assert ("pool", "A", 9, "pool taken") in transfers(rules, SOLO | {"pool": 9})
    with pytest.raises(ResultError):
        transfers(rules, SOLO | {"tricks": 11})
    with pytest.raises(ResultError):
        transfers(rules, SOLO | {"hombre": "Zoe"})


@pytest.mark.parametrize(
    ("reference", "pool", "counters"),
    [
        ("quanti-1822@parlett", None, 1),
        ("quanti-1822@parlett", 14, "7/2"),
        ("academie", None, 1),
        ("academie", 99, 1),
    ],
)
def test_a_unit_is_told_in_counters(reference, pool, counters):
    """Of a stake, or always the same; exactly, a fraction as a text."""
    assert unit(compiled(reference), pool) == counters


@pytest.mark.parametrize(
    ("mine", "theirs", "said"),
    [
        ([1, 2], [1, 3], "net[1]: 2 by the readable engine, 3 by the fast one"),
        (
            [1],
            [1, (3, "fine")],
            "net[1]: nothing by the readable engine, (3, fine) by the fast one",
        ),
        (4, 5, "net: 4 by the readable engine, 5 by the fast one"),
    ],
)
def test_a_difference_of_the_engines_is_told_by_field_and_place(mine, theirs, said):
    both = [{"pool": 0, "net": one} for one in (mine, theirs)]
    assert differing(*both) == said
    assert differing(both[0], both[0]) == ""


def test_players_whom_the_fast_engine_does_not_seat_are_blocked_and_not_equal(monkeypatch):
    """Whoever has no compiled half, such as a plugin's bot before it has one."""
    slow = {**deal_players.BOTS, "slow": replace(deal_players.BOTS["random"], compiled=None)}
    for module in (deal_players, fast):
        monkeypatch.setattr(module, "BOTS", slow)
    players = ["steady", "slow", "steady", "steady"]
    same = same_by_both_engines(compiled("quanti-1822"), deals=1, players=players)
    assert (bool(same), same.deals) == (False, 0)
    assert same.blocked
