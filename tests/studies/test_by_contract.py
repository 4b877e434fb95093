"""The recipe for a mean pay-off by contract: the interval of docs/python.md covers as often as the
page says."""

import pytest
from support.recipes import assert_covers, long_run, recipe, table

BY_CONTRACT = recipe("by_contract")
COLUMNS = ("rule_set", "session", "contract")


def test_the_recipe_takes_sessions_as_the_unit():
    """By hand: 30 sessions with means 1 and 3, however many alike deals each has, are 30
    observations."""
    rows = [("a", s, "solo", 1 + s % 2 * 2) for s in range(30) for _ in range(10)]
    found = BY_CONTRACT(table(rows, *COLUMNS)).loc["a", "solo"]
    # residuals −10 and 10: variance 30/29 · 3000 / 300² = 1/29, and t with 29 degrees of freedom is
    # 2.0452
    assert (found["mean"], found.deals, found.sessions) == (2, 300, 30)
    assert found.high - found["mean"] == pytest.approx(2.0452 / 29**0.5, abs=1e-4)


def test_the_recipe_gives_no_interval_that_was_not_tried():
    """Below 30 sessions that have the contract the mean stands without an interval, and so it does
    in one."""
    rows = [("a", s, "solo", 1 + s % 2 * 2) for s in range(29)] + [("a", 3, "vole", 40)]
    found = BY_CONTRACT(table(rows, *COLUMNS))
    assert list(found["mean"].round(2)) == [1.97, 40.0]
    assert found[["low", "high"]].isna().to_numpy().all()


def test_rule_sets_stay_apart_and_the_session_that_weighs_most_is_told():
    """Who forgets to choose a rule set gets both; of four departures 1, 1, 1 and 3 the last has
    three quarters."""
    rows = [("a", s, "solo", net) for s, net in enumerate((1, 3, 1, 3))]
    rows += [("b", s, "solo", net) for s, net in enumerate((1, 1, 1, 5))]
    found = BY_CONTRACT(table(rows, *COLUMNS))
    assert found["mean"].to_dict() == {("a", "solo"): 2, ("b", "solo"): 2}
    assert found["heaviest"].to_dict() == {("a", "solo"): 0.25, ("b", "solo"): 0.75}


@pytest.mark.slow
def test_the_interval_covers_as_the_page_says(tmp_path):
    """Sessions drawn from a long run with replacement: how often the interval holds that run's own
    ratio."""
    pytest.importorskip("numba")
    assert_covers(long_run(tmp_path, "parlett", "wikipedia"), BY_CONTRACT, "mean")
