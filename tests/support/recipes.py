"""The recipes of docs/python.md for pay-offs by contract: run as they stand there, and their
intervals simulated."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from documents import ROOT, files
from quadrille_plugins.shell.main import run
from scipy.stats import binom

RUNS, LENGTH = 1000, 40
SESSIONS = (35, 50, 100)
AT_ONCE = 50


@cache
def recipe(name: str) -> Callable[..., Any]:
    """The function of that name in the file that the page shows."""
    names: dict[str, Any] = {}
    exec(files((ROOT / "docs" / "python.md").read_text("utf-8"))["by_contract.py"], names)  # noqa: S102 - our own page
    return names[name]


def table(rows: Iterable[tuple[Any, ...]], *columns: str) -> pd.DataFrame:
    """Deals in which seat 0 is the Hombre: these columns, and what the Hombre gains."""
    made = pd.DataFrame(rows, columns=[*columns, "net_seat0_num"]).assign(hombre=0)
    return made.assign(
        **{f"net_seat{s}_num": 0 for s in range(1, 4)}, **{f"net_seat{s}_den": 1 for s in range(4)}
    )


def long_run(folder: Any, *names: str) -> list[pd.DataFrame]:
    """The deals of a long run of two rule sets, a table for each of those named."""
    line = [
        "compare",
        "quanti-1822@parlett",
        "quanti-1822@wikipedia",
        "--deals",
        "100000",
        "--engine",
        "fast",
    ]
    assert run([*line, "--workers", "1", "--table", str(folder / "deals.parquet")]) == 0
    whole = pd.read_parquet(folder / "deals.parquet")
    parts = [whole[whole.rule_set == name].reset_index(drop=True) for name in names]
    for one in parts:
        sessions = len(one) // LENGTH
        assert (
            one.session.to_numpy().reshape(sessions, LENGTH) == np.arange(sessions)[:, None]
        ).all()
    return parts


def assert_covers(
    parts: list[pd.DataFrame], found: Callable[[pd.DataFrame], pd.DataFrame], column: str
) -> None:
    """Of many studies of sessions drawn with replacement, intervals hold the whole run's own
    ``column``."""
    truth = found(pd.concat(parts, ignore_index=True))[column].dropna()
    for sessions in SESSIONS:
        shares = dict(_held(parts, found, truth, sessions))
        print(sessions, {key: (round(share, 3), tried) for key, (share, tried) in shares.items()})  # noqa: T201
        assert len(shares) >= 2
        for share, tried in shares.values():
            assert (
                binom.ppf(0.001, tried, 0.93) <= share * tried <= binom.ppf(0.999, tried, 0.965)
            ), shares


def _held(
    parts: list[pd.DataFrame],
    found: Callable[[pd.DataFrame], pd.DataFrame],
    truth: pd.Series,
    sessions: int,
) -> Iterator[tuple[Any, tuple[float, int]]]:
    """The share of studies in which the interval held, and how many had one; what fewer than half
    had is left out."""
    whole = len(parts[0]) // LENGTH
    draw = np.random.default_rng(1822)
    held: Counter[Any] = Counter()
    tried: Counter[Any] = Counter()
    for _ in range(0, RUNS, AT_ONCE):
        # studies at once are contracts of their own, so that the recipe is called once for all of
        # them
        drawn = np.concatenate([draw.integers(whole, size=sessions) for _ in range(AT_ONCE)])
        rows = (drawn[:, None] * LENGTH + np.arange(LENGTH)).ravel()
        numbers = pd.Series(np.repeat(np.arange(AT_ONCE), sessions * LENGTH).astype(str))
        several = []
        for one in parts:
            some = one.iloc[rows].reset_index(drop=True)
            some["contract"] = some.contract + " " + numbers
            several.append(some.assign(session=np.repeat(np.arange(len(drawn)), LENGTH)))
        for label, row in (
            found(pd.concat(several, ignore_index=True)).dropna(subset="low").iterrows()
        ):
            *rule_set, contract = label if isinstance(label, tuple) else (label,)
            name = str(contract).partition(" ")[0]
            key = (*rule_set, name) if rule_set else name
            tried[key] += 1
            held[key] += row.low <= truth[key] <= row.high
    for key in truth.index:
        if tried[key] >= RUNS // 2:
            yield key, (held[key] / tried[key], tried[key])
