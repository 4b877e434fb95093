"""The recipe for a mean pay-off by contract: the interval of docs/python.md covers as often as the page says."""

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
    """``by_contract`` as it stands on the page."""
    page = (ROOT / "docs" / "python.md").read_text("utf-8")
    lines = page.partition(">>> def by_contract")[2].partition(">>> _ =")[0]
    source = "def by_contract" + re.sub(r"^\.\.\. ?", "", lines, flags=re.M)
    names = {}
    exec("import pandas as pd\nfrom scipy.stats import t\n" + source, names)  # noqa: S102 - our own page
    return names["by_contract"]


def table(rows):
    """Deals in which seat 0 is the Hombre: session, contract, what the Hombre gains."""
    made = pd.DataFrame(rows, columns=["session", "contract", "net_seat0_num"]).assign(hombre=0)
    return made.assign(**{f"net_seat{s}_num": 0 for s in range(1, 4)}, **{f"net_seat{s}_den": 1 for s in range(4)})


def test_the_recipe_takes_sessions_as_the_unit():
    """By hand: 30 sessions with means 1 and 3, however many alike deals each has, are 30 observations."""
    found = recipe()(table([(s, "solo", 1 + s % 2 * 2) for s in range(30) for _ in range(10)])).loc["solo"]
    # residuals −10 and 10: variance 30/29 · 3000 / 300² = 1/29, and t with 29 degrees of freedom is 2.0452
    assert (found["mean"], found.deals, found.sessions) == (2, 300, 30)
    assert found.high - found["mean"] == pytest.approx(2.0452 / 29**0.5, abs=1e-4)


def test_the_recipe_gives_no_interval_that_was_not_tried():
    """Below 30 sessions that have the contract the mean stands without an interval, and so it does in one."""
    rows = [(s, "solo", 1 + s % 2 * 2) for s in range(29)] + [(3, "vole", 40)]
    found = recipe()(table(rows))
    assert list(found["mean"].round(2)) == [1.97, 40.0]
    assert found[["low", "high"]].isna().to_numpy().all()


@pytest.mark.slow
def test_the_interval_covers_as_the_page_says(tmp_path):
    """Sessions drawn from a long run with replacement: how often the interval holds that run's own ratio."""
    pytest.importorskip("numba")
    line = ["compare", "quanti-1822@parlett", "quanti-1822@wikipedia", "--deals", "100000", "--engine", "fast"]
    assert run([*line, "--workers", "1", "--table", str(tmp_path / "deals.parquet")]) == 0
    whole = pd.read_parquet(tmp_path / "deals.parquet")
    whole = whole[whole.rule_set == "parlett"].reset_index(drop=True)
    by_contract = recipe()
    truth = by_contract(whole)["mean"]
    sessions = len(whole) // LENGTH
    assert (whole.session.to_numpy().reshape(sessions, LENGTH) == np.arange(sessions)[:, None]).all()
    draw = np.random.default_rng(1822)
    held, tried = dict.fromkeys(truth.index, 0), dict.fromkeys(truth.index, 0)
    for _ in range(0, RUNS, AT_ONCE):
        # runs at once are contracts of their own, so that the recipe is called once for all of them
        drawn = np.concatenate([draw.integers(sessions, size=SESSIONS) for _ in range(AT_ONCE)])
        rows = (drawn[:, None] * LENGTH + np.arange(LENGTH)).ravel()
        several = whole.iloc[rows].reset_index(drop=True)
        numbers = np.repeat(np.arange(AT_ONCE), SESSIONS * LENGTH).astype(str)
        several["contract"] = several.contract + " " + pd.Series(numbers)
        found = by_contract(several.assign(session=np.repeat(np.arange(len(drawn)), LENGTH)))
        for label, one in found[found.sessions >= 30].iterrows():
            name = str(label).partition(" ")[0]
            tried[name] += 1
            held[name] += one.low <= truth[name] <= one.high
    shares = {name: held[name] / tried[name] for name in truth.index if tried[name] >= RUNS // 2}
    print({name: (round(share, 3), tried[name]) for name, share in shares.items()})  # noqa: T201
    assert set(shares) == {"alliance", "forced-spadille", "solo"}
    assert all(share >= binom.ppf(0.001, RUNS, 0.93) / RUNS for share in shares.values()), shares
    assert all(share <= binom.ppf(0.999, RUNS, 0.96) / RUNS for share in shares.values()), shares
