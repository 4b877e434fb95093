"""The test kit: a plugin's tests need say of a result no more than what they are about."""

import pytest
from quadrille_plugins.house_rules.testing import compiled, transfers, unit

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
