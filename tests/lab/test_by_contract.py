"""The recipe for a mean pay-off by contract: the interval of docs/python.md covers as often as the page says."""

import pytest
from support.recipes import assert_covers, long_run, recipe, table

BY_CONTRACT = recipe("by_contract", "_ =")
COLUMNS = ("session", "contract")


def test_the_recipe_takes_sessions_as_the_unit():
    """By hand: 30 sessions with means 1 and 3, however many alike deals each has, are 30 observations."""
    rows = [(s, "solo", 1 + s % 2 * 2) for s in range(30) for _ in range(10)]
    found = BY_CONTRACT(table(rows, *COLUMNS)).loc["solo"]
    # residuals −10 and 10: variance 30/29 · 3000 / 300² = 1/29, and t with 29 degrees of freedom is 2.0452
    assert (found["mean"], found.deals, found.sessions) == (2, 300, 30)
    assert found.high - found["mean"] == pytest.approx(2.0452 / 29**0.5, abs=1e-4)


def test_the_recipe_gives_no_interval_that_was_not_tried():
    """Below 30 sessions that have the contract the mean stands without an interval, and so it does in one."""
    rows = [(s, "solo", 1 + s % 2 * 2) for s in range(29)] + [(3, "vole", 40)]
    found = BY_CONTRACT(table(rows, *COLUMNS))
    assert list(found["mean"].round(2)) == [1.97, 40.0]
    assert found[["low", "high"]].isna().to_numpy().all()


@pytest.mark.slow
def test_the_interval_covers_as_the_page_says(tmp_path):
    """Sessions drawn from a long run with replacement: how often the interval holds that run's own ratio."""
    pytest.importorskip("numba")
    assert_covers(long_run(tmp_path, "parlett"), BY_CONTRACT, "mean")
