"""What another process does in the meantime comes to what this one would have come to."""

import os
from fractions import Fraction

import pytest

from quadrille_core.study.ahead import Ahead

HERE = os.getpid()


def _third(number: int) -> tuple[bool, Fraction]:
    return os.getpid() == HERE, Fraction(number, 3)


def test_results_come_in_order_and_from_elsewhere() -> None:
    """They are asked for in any order, and those beyond what was begun are worked out here."""
    ahead = Ahead(_third, 3)
    try:
        assert [ahead(n)[1] for n in (2, 0, 1, 3)] == [Fraction(2, 3), 0, Fraction(1, 3), 1]
        assert ahead(3)[0]
        assert not any(ahead(n)[0] for n in range(3))
    finally:
        ahead.close()


def _dies_elsewhere(number: int) -> int:
    if number and os.getpid() != HERE:
        os._exit(1)
    return number


def test_what_a_lost_process_leaves_is_done_here() -> None:
    """A process that is killed costs time and no result."""
    ahead = Ahead(_dies_elsewhere, 3)
    assert [ahead(n) for n in range(3)] == [0, 1, 2]


def _fails(number: int) -> int:
    raise ValueError(f"no result for {number}")


def test_an_error_is_raised_where_the_result_is_asked_for() -> None:
    """It is the very error that the work raises."""
    ahead = Ahead(_fails, 1)
    with pytest.raises(ValueError, match="no result for 0"):
        ahead(0)


def test_closed_it_works_here() -> None:
    """Nothing waits for a process that was ended."""
    ahead = Ahead(_third, 2)
    ahead.close()
    ahead.close()
    assert ahead(1) == (True, Fraction(1, 3))
