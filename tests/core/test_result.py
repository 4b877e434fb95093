"""A deal's result in itself: whose side is whose, and what a player can be called."""

from quadrille_plugins.settle.player_names import name_fault
from support import made_result

from quadrille_core.engine.result import RESERVED


def test_a_side_is_hombre_and_the_ally_and_all_others_are_adversaries() -> None:
    alone = made_result(hombre=2, tricks=(1, 2, 6, 1))
    assert (alone.side(), alone.adversaries(), alone.side_tricks()) == ((2,), (0, 1, 3), 6)
    allied = made_result(hombre=2, ally=0, tricks=(1, 2, 6, 1))
    assert (allied.side(), allied.adversaries(), allied.side_tricks()) == ((2, 0), (1, 3), 7)


def test_a_name_is_a_text_that_is_not_empty() -> None:
    for name in (None, 3, "", "  "):
        assert name_fault(name) == "a player's name is a text that is not empty"


def test_a_name_is_neither_too_long_nor_blank_at_an_end_nor_unprintable() -> None:
    words = (
        "cannot be a name: it is too long, begins or ends blank, or holds what cannot be printed"
    )
    assert name_fault("n" * 64) is None
    assert name_fault("n" * 65) == f"{'n' * 20!r} {words}"
    assert name_fault(" Anne") == f"' Anne' {words}"
    assert name_fault("Anne\n") == f"'Anne\\n' {words}"
    assert name_fault("An\tne") == f"'An\\tne' {words}"
    assert name_fault("Anne Marie") is None


def test_no_player_bears_the_name_of_an_account_however_it_is_spelled() -> None:
    for word in RESERVED:
        for name in (word, word.upper(), word.title()):
            assert (
                name_fault(name) == f"no player can be called {name!r}: payments name an account so"
            )
    assert name_fault("Poole") is None
