"""Deals out of a spreadsheet, and deals for one."""

import contextlib
import csv
import io
import json
import os
import re
import signal
import time

import pytest
from quadrille_plugins.ledger.service import Ledger
from quadrille_plugins.ledger.spreadsheet import COLUMNS, MOST_ROWS, deals_of
from support.chromium import ROOT
from support.ledger import NAMES, holdings

DEALS = """contract;trump;Hombre;ally;tricks;hombre tricks;matadors;premiers;vole;dealer;reason
Solo;hearts;Anne;;6;;3;;;;
Ask leave;♠;charl;Dorothea;5;;;;;;

misdeal;;;;;;;;;;a card faced
alliance;spades;Anne;none;10;;;TRUE;undertaken;Beatrice;
"""


@pytest.fixture
def sheet(tmp_path):
    def write(text: str | bytes):
        path = tmp_path / "deals.csv"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def recorded(path):
    with Ledger(path) as ledger:
        journal = ledger.verify()
    return [(row.fact.kind, dict(row.fact.data)) for row in journal.deals.values()]


@pytest.mark.parametrize("between", [";", ",", "\t"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_deals_of_a_file_are_recorded_as_if_told_one_by_one(begin, quadrille, sheet, between, mark):
    """By names as they are printed, with any separator, with or without a byte order mark, and
    with columns at the end in which nothing stands."""
    one, all_at_once = begin(), begin()
    text = mark + DEALS.replace("\n", ";;\n").replace(";", between)
    assert quadrille("deal", all_at_once, sheet(text))[0] == 0
    for args in (
        "--contract solo --trump hearts --hombre Anne --tricks 6 --matadors 3",
        "--contract alliance --trump spades --hombre Charlotte --ally Dorothea --tricks 5",
        "--void face",
        "--contract alliance --trump spades --hombre A --ally none --tricks 10 --premiers --vole undertaken --dealer B",
    ):
        assert quadrille("deal", one, *args.split())[0] == 0, args
    assert recorded(all_at_once) == recorded(one)
    assert holdings(all_at_once) == holdings(one)


GOOD = "solo,hearts,Anne,6\n"
HEAD = "contract,trump,hombre,tricks\n"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("contract,trumps\nsolo,hearts\n", ["row 1, trumps"]),
        ("contract,contract\nsolo,solo\n", ["row 1, contract"]),
        ("trump\nhearts\n", ["row 1"]),
        (
            HEAD + GOOD + "solo,hearts,Anne,six\nsolo,hearts,Anne,-1\n",
            ["row 3, tricks", "row 4, tricks"],
        ),
        (HEAD + GOOD + "solo,hearts,Bob,6\n", ["row 3, hombre"]),
        (HEAD + GOOD + "\nsolo,stars,Anne,11\n", ["row 4, trump", "row 4, tricks"]),
        (HEAD + GOOD + ",hearts,Anne,6\n", ["row 3, contract"]),
        (HEAD + GOOD + "misdeal,,,\n", ["row 3, reason"]),
        (HEAD + GOOD + "solo,hearts,Anne,6,7\n", ["row 3"]),
        ("deal," + HEAD + "1," + GOOD + "3," + GOOD, ["row 3"]),
        (
            HEAD + "solo,hearts,Bob,6\n" + GOOD + "solo,stars,Anne,six\n,hearts,Anne,6\n",
            ["row 2, hombre", "row 4, tricks", "row 5, contract"],
        ),
        (
            "deal," + HEAD + "1,solo,hearts,Bob,6\n2," + GOOD + "9," + GOOD,
            ["row 2, hombre", "row 4"],
        ),
        (HEAD + "passed,,,\n" + GOOD + "passed,,,\n", ["row 2", "row 4"]),
        (HEAD + "solo,hearts,Bob,6\n" * 30, [f"row {n}, hombre" for n in range(2, 22)]),
        (HEAD + GOOD * (MOST_ROWS + 1), [""]),
        (HEAD + '"solo', [""]),
        ("", [""]),
        (HEAD + ",,,\n", [""]),
        (b"contract\n\xff\n", [""]),
        (HEAD + GOOD * 10_000, [""]),
    ],
    ids=range(20),
)
def test_what_cannot_be_is_told_by_row_and_column_and_nothing_is_recorded(
    begin, quadrille, sheet, text, told
):
    """Not even the rows before it."""
    path = begin()
    before = path.read_bytes()
    status, _, err = quadrille("deal", path, sheet(text))
    assert status in (1, 2), err
    faults = [line for line in err.splitlines() if re.search(r": Q\d", line)]
    assert len(faults) == len(told), err
    assert all(where in fault for where, fault in zip(told, faults, strict=True)), err
    assert path.read_bytes() == before


def test_a_program_killed_among_the_deals_of_a_file_has_recorded_none_or_all(begin, sheet):
    """At whatever moment: the ledger is sound, and the same file can be given again."""
    rows = deals_of(sheet(HEAD + GOOD * 12))
    counts = set()
    for wait in (0.0, 0.02, 0.05, 0.1, 0.2, 10):
        path = begin()
        child = os.fork()
        if child == 0:
            with Ledger(path) as ledger:
                ledger.record_all(rows)
            os._exit(0)
        until = time.monotonic() + wait
        while time.monotonic() < until and not os.waitpid(child, os.WNOHANG)[0]:
            time.sleep(0.002)
        with contextlib.suppress(ProcessLookupError, ChildProcessError):
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        counts.add(len(recorded(path)))
    assert counts == {0, 12}


def test_options_beside_a_file_of_deals_are_refused(begin, quadrille, sheet):
    """But for the number of its first deal, by which a file that is given again is refused."""
    path, file = begin(), sheet(HEAD + GOOD)
    for option in (("--dealer", "Anne"), ("--before", 1), ("--passed",), ("--ask",)):
        assert quadrille("deal", path, file, *option)[0] == 2, option
    assert quadrille("deal", path, file, "--deal", 1)[0] == 0
    status, _, err = quadrille("deal", path, file, "--deal", 1)
    assert (status, "row 2" in err) == (2, True)
    assert len(recorded(path)) == 1


def test_a_spreadsheet_gets_numbers_as_numbers(begin, quadrille):
    """Fractions as decimals, every other cell as in the CSV of ``show``."""
    path = begin("quanti-1822", stakes__odd_counters="exact")
    for _ in range(2):
        deal = [
            "--contract",
            "alliance",
            "--trump",
            "spades",
            "--hombre",
            "Anne",
            "--ally",
            "Charlotte",
        ]
        assert quadrille("deal", path, *deal, "--tricks", 5)[0] == 0
    text = quadrille("export", path, "--format", "spreadsheet")[1]
    exact = list(csv.reader(io.StringIO(quadrille("show", path, "--format", "csv")[1])))
    cells = list(csv.reader(io.StringIO(text)))
    assert [row[:4] for row in cells] == [row[:4] for row in exact]
    assert not [cell for row in cells[1:] for cell in row[4:] if "/" in cell]
    data = json.loads(quadrille("show", path, "--format", "json")[1])
    sums = [sum(float(row[4 + n]) for row in cells[1:]) for n in range(len(NAMES))]
    nets = {one["player"]: one["net"] for one in data["standing"]}
    assert sums == pytest.approx([nets[name] for name in cells[0][4:-1]])


def test_the_columns_are_those_that_are_documented():
    """Each is named in the page of the ledger."""
    page = (ROOT / "docs" / "ledger.md").read_text("utf-8")
    assert [c for c in COLUMNS if f"`{c}`" not in page] == []
