"""A deal's result in itself: whose side is whose, and what a player can be called."""

from quadrille_plugins.settle.player_names import name_fault
from support import made_result

from quadrille_core.engine.result import RESERVED
from quadrille_core.errors import Problem


def test_a_side_is_hombre_and_the_ally_and_all_others_are_adversaries() -> None:
    alone = made_result(hombre=2, tricks=(1, 2, 6, 1))
    assert (alone.side(), alone.adversaries(), alone.side_tricks()) == ((2,), (0, 1, 3), 6)
    allied = made_result(hombre=2, ally=0, tricks=(1, 2, 6, 1))
    assert (allied.side(), allied.adversaries(), allied.side_tricks()) == ((2, 0), (1, 3), 7)


def test_a_name_is_a_text_that_is_not_empty() -> None:
    for name in (None, 3, "", "  "):
        assert name_fault(name) == Problem("Q207", "empty-name")


def test_no_player_bears_the_name_of_an_account_however_it_is_spelled() -> None:
    for word in RESERVED:
        for name in (word, word.upper(), word.title()):
            assert name_fault(name) == Problem("Q207", "name-of-account", {"name": name})
    assert name_fault("Poole") is None
