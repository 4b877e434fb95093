"""The recipes of docs/python.md for pay-offs by contract: run as they stand there, and their intervals simulated."""

import re
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pandas as pd
from documents import ROOT
from scipy.stats import binom

from quadrille_core.cli.main import run

RUNS, SESSIONS, LENGTH = 1000, 100, 40
AT_ONCE = 50


def recipe(name: str, until: str) -> Callable[..., Any]:
    """The function of that name as it stands on the page; ``until`` is what follows it there."""
    page = (ROOT / "docs" / "python.md").read_text("utf-8")
    lines = page.partition(f">>> def {name}(")[2].partition(f">>> {until}")[0]
    source = f"def {name}(" + re.sub(r"^\.\.\. ?", "", lines, flags=re.M)
    names: dict[str, Any] = {}
    exec("import pandas as pd\nfrom scipy.stats import t\n" + source, names)  # noqa: S102 - our own page
    return names[name]


def table(rows: Iterable[tuple[Any, ...]], *columns: str) -> pd.DataFrame:
    """Deals in which seat 0 is the Hombre: these columns, and what the Hombre gains."""
    made = pd.DataFrame(rows, columns=[*columns, "net_seat0_num"]).assign(hombre=0)
    return made.assign(**{f"net_seat{s}_num": 0 for s in range(1, 4)}, **{f"net_seat{s}_den": 1 for s in range(4)})


def long_run(folder: Any, *names: str) -> list[pd.DataFrame]:
    """The deals of a long run of two rule sets, a table for each of those named."""
    line = ["compare", "quanti-1822@parlett", "quanti-1822@wikipedia", "--deals", "100000", "--engine", "fast"]
    assert run([*line, "--workers", "1", "--table", str(folder / "deals.parquet")]) == 0
    whole = pd.read_parquet(folder / "deals.parquet")
    parts = [whole[whole.rule_set == name].reset_index(drop=True) for name in names]
    for one in parts:
        sessions = len(one) // LENGTH
        assert (one.session.to_numpy().reshape(sessions, LENGTH) == np.arange(sessions)[:, None]).all()
    return parts


def assert_covers(parts: list[pd.DataFrame], found: Callable[[pd.DataFrame], pd.DataFrame], column: str) -> None:
    """Of many studies of sessions drawn from the run with replacement, intervals hold that run's own ``column``."""
    truth = found(pd.concat(parts, ignore_index=True))[column]
    sessions = len(parts[0]) // LENGTH
    draw = np.random.default_rng(1822)
    held, tried = dict.fromkeys(truth.index, 0), dict.fromkeys(truth.index, 0)
    for _ in range(0, RUNS, AT_ONCE):
        # studies at once are contracts of their own, so that the recipe is called once for all of them
        drawn = np.concatenate([draw.integers(sessions, size=SESSIONS) for _ in range(AT_ONCE)])
        rows = (drawn[:, None] * LENGTH + np.arange(LENGTH)).ravel()
        numbers = pd.Series(np.repeat(np.arange(AT_ONCE), SESSIONS * LENGTH).astype(str))
        several = []
        for one in parts:
            some = one.iloc[rows].reset_index(drop=True)
            some["contract"] = some.contract + " " + numbers
            several.append(some.assign(session=np.repeat(np.arange(len(drawn)), LENGTH)))
        told = found(pd.concat(several, ignore_index=True))
        for label, row in told[told.sessions >= 30].iterrows():
            name = str(label).partition(" ")[0]
            tried[name] += 1
            held[name] += row.low <= truth[name] <= row.high
    shares = {name: held[name] / tried[name] for name in truth.index if tried[name] >= RUNS // 2}
    print({name: (round(share, 3), tried[name]) for name, share in shares.items()})  # noqa: T201
    assert set(shares) == {"alliance", "forced-spadille", "solo"}
    assert all(share >= binom.ppf(0.001, RUNS, 0.93) / RUNS for share in shares.values()), shares
    assert all(share <= binom.ppf(0.999, RUNS, 0.96) / RUNS for share in shares.values()), shares
