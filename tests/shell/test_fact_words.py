"""Conditions on facts read as English, whatever number they want and whose fact it is."""

import pytest
from quadrille_plugins.shell.fact_words import within

SAID = {
    ("adversaries.kings_captured", 0, 0): "there are no kings taken by the adversaries",
    ("adversaries.kings_captured", 1, 1): "the number of kings taken by the adversaries is 1",
    ("tricks_above", 2, None): "the number of tricks made beyond those undertaken is at least 2",
    ("hombre.last_trick", 1, 1): "Hombre took the last trick",
    ("ally.spadille_dealt", 0, 0): "it was not the ally who was dealt Spadille",
    ("trumped.red_kings_called", 0, 0): "there are no red kings called",
    ("trumped.red_kings_called", 1, 1): "the number of red kings called is 1",
}


@pytest.mark.parametrize("condition", SAID, ids=map(str, SAID))
def test_a_condition_is_a_sentence(condition):
    assert within(*condition) == SAID[condition]
