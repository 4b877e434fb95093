"""The recipe for a difference by contract: its interval in docs/python.md covers as often as the page says."""

import re

import numpy as np
import pandas as pd
import pytest
from documents import ROOT
from scipy.stats import binom

from quadrille_core.cli.main import run

RUNS, SESSIONS, LENGTH = 1000, 100, 40
AT_ONCE = 50


def recipe():
    """``difference_by_contract`` as it stands on the page."""
    page = (ROOT / "docs" / "python.md").read_text("utf-8")
    lines = page.partition(">>> def difference_by_contract")[2].partition(">>> print")[0]
    source = "def difference_by_contract" + re.sub(r"^\.\.\. ?", "", lines, flags=re.M)
    names = {}
    exec("import pandas as pd\nfrom scipy.stats import t\n" + source, names)  # noqa: S102 - our own page
    return names["difference_by_contract"]


def table(rows):
    """Deals in which seat 0 is the Hombre: rule set, session, contract, what the Hombre gains."""
    made = pd.DataFrame(rows, columns=["rule_set", "session", "contract", "net_seat0_num"]).assign(hombre=0)
    return made.assign(**{f"net_seat{s}_num": 0 for s in range(1, 4)}, **{f"net_seat{s}_den": 1 for s in range(4)})


def test_the_recipe_takes_the_difference_of_ratios_with_sessions_as_the_unit():
    """By hand: what moves alike under both rule sets cancels, and what is left varies from session to session."""
    rows = [("a", s, "solo", 10 * (s % 3)) for s in range(30) for _ in range(5)]
    rows += [("b", s, "solo", 10 * (s % 3) + 1 + s % 2 * 2) for s in range(30) for _ in range(5)]
    found = recipe()(table(rows), "a", "b").loc["solo"]
    # each session's deviation is ±1, in 30 sessions: variance 1/29, and t with 29 degrees of freedom is 2.0452
    assert (found.a, found.b, found.difference, found.sessions) == (10, 12, 2, 30)
    assert found.high - found.difference == pytest.approx(2.0452 / 29**0.5, abs=1e-4)


def test_a_deal_may_have_another_contract_under_the_second_rule_set():
    """Each rule set's mean is over its own deals of the contract; a contract that one never has gets no row."""
    rows = [("a", s, "solo" if n else "vole", 6) for s in range(30) for n in range(3)]
    rows += [("b", s, "solo" if n == 0 else "casco", 9) for s in range(30) for n in range(3)]
    found = recipe()(table(rows), "a", "b")
    assert list(found.index) == ["solo"]
    assert found.loc["solo", ["a", "b", "difference", "low", "high"]].tolist() == [6, 9, 3, 3, 3]


def test_the_recipe_gives_no_interval_that_was_not_tried():
    """Where fewer than 30 sessions have the contract under either rule set, the difference stands alone."""
    rows = [("a", s, "solo", 1 + s % 2 * 2) for s in range(40)] + [("b", s, "solo", 4) for s in range(29)]
    found = recipe()(table(rows), "a", "b").loc["solo"]
    assert (found.difference, found.sessions) == (2, 29)
    assert found[["low", "high"]].isna().all()


@pytest.mark.slow
def test_the_interval_covers_as_the_page_says(tmp_path):
    """Sessions drawn from a long run with replacement: how often the interval holds that run's own difference."""
    pytest.importorskip("numba")
    line = ["compare", "quanti-1822@parlett", "quanti-1822@wikipedia", "--deals", "100000", "--engine", "fast"]
    assert run([*line, "--workers", "1", "--table", str(tmp_path / "deals.parquet")]) == 0
    whole = pd.read_parquet(tmp_path / "deals.parquet")
    difference_by_contract = recipe()
    truth = difference_by_contract(whole, "parlett", "wikipedia").difference
    both = [whole[whole.rule_set == name].reset_index(drop=True) for name in ("parlett", "wikipedia")]
    sessions = len(both[0]) // LENGTH
    for one in both:
        assert (one.session.to_numpy().reshape(sessions, LENGTH) == np.arange(sessions)[:, None]).all()
    draw = np.random.default_rng(1822)
    held, tried = dict.fromkeys(truth.index, 0), dict.fromkeys(truth.index, 0)
    for _ in range(0, RUNS, AT_ONCE):
        # runs at once are contracts of their own, so that the recipe is called once for all of them
        drawn = np.concatenate([draw.integers(sessions, size=SESSIONS) for _ in range(AT_ONCE)])
        rows = (drawn[:, None] * LENGTH + np.arange(LENGTH)).ravel()
        numbers = pd.Series(np.repeat(np.arange(AT_ONCE), SESSIONS * LENGTH).astype(str))
        parts = []
        for one in both:
            several = one.iloc[rows].reset_index(drop=True)
            several["contract"] = several.contract + " " + numbers
            parts.append(several.assign(session=np.repeat(np.arange(len(drawn)), LENGTH)))
        found = difference_by_contract(pd.concat(parts, ignore_index=True), "parlett", "wikipedia")
        for label, row in found[found.sessions >= 30].iterrows():
            name = str(label).partition(" ")[0]
            tried[name] += 1
            held[name] += row.low <= truth[name] <= row.high
    shares = {name: held[name] / tried[name] for name in truth.index if tried[name] >= RUNS // 2}
    print({name: (round(share, 3), tried[name]) for name, share in shares.items()})  # noqa: T201
    assert set(shares) == {"alliance", "forced-spadille", "solo"}
    assert all(share >= binom.ppf(0.001, RUNS, 0.93) / RUNS for share in shares.values()), shares
    assert all(share <= binom.ppf(0.999, RUNS, 0.96) / RUNS for share in shares.values()), shares
