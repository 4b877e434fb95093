"""The recipe for a difference by contract: its interval in docs/python.md covers as often as the
page says."""

import pytest
from support.recipes import assert_covers, long_run, recipe, table

DIFFERENCE = recipe("difference_by_contract")
COLUMNS = ("rule_set", "session", "contract")


def test_the_recipe_takes_the_difference_of_ratios_with_sessions_as_the_unit():
    """By hand: what moves alike under both rule sets cancels, and what is left varies from session
    to session."""
    rows = [("a", s, "solo", 10 * (s % 3)) for s in range(30) for _ in range(5)]
    rows += [("b", s, "solo", 10 * (s % 3) + 1 + s % 2 * 2) for s in range(30) for _ in range(5)]
    found = DIFFERENCE(table(rows, *COLUMNS), "a", "b").loc["solo"]
    # each session's deviation is ±1, in 30 sessions: variance 1/29, and t with 29 degrees of
    # freedom is 2.0452
    assert (found.a, found.b, found.difference, found.sessions) == (10, 12, 2, 30)
    assert found.high - found.difference == pytest.approx(2.0452 / 29**0.5, abs=1e-4)


def test_a_deal_may_have_another_contract_under_the_second_rule_set():
    """Each rule set's mean is over its own deals of the contract; a contract that one never has
    gets no difference."""
    rows = [("a", s, "solo" if n else "vole", 6) for s in range(30) for n in range(3)]
    rows += [("b", s, "solo" if n == 0 else "casco", 9) for s in range(30) for n in range(3)]
    found = DIFFERENCE(table(rows, *COLUMNS), "a", "b")
    assert list(found.index[found.difference.notna()]) == ["solo"]
    assert found.loc["vole", "a"] == 6
    assert found.loc["vole", ["b", "difference", "low", "high", "sessions"]].isna().all()
    assert found.loc["solo", ["a", "b", "difference", "low", "high"]].tolist() == [6, 9, 3, 3, 3]


def test_the_recipe_gives_no_interval_that_was_not_tried():
    """Where fewer than 30 sessions have the contract under either rule set, the difference stands
    alone."""
    rows = [("a", s, "solo", 1 + s % 2 * 2) for s in range(40)] + [
        ("b", s, "solo", 4) for s in range(29)
    ]
    found = DIFFERENCE(table(rows, *COLUMNS), "a", "b").loc["solo"]
    assert (found.difference, found.sessions) == (2, 29)
    assert found[["low", "high"]].isna().all()


@pytest.mark.slow
def test_the_interval_covers_as_the_page_says(tmp_path):
    """Sessions drawn from a long run with replacement: how often the interval holds that run's own
    difference."""
    pytest.importorskip("numba")
    names = ("parlett", "wikipedia")
    assert_covers(long_run(tmp_path, *names), lambda deals: DIFFERENCE(deals, *names), "difference")
