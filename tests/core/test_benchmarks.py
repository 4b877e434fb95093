"""The benchmark suite runs and tells what it found; nothing here depends on how fast anything
is."""

import csv
import json
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import pytest

pytest.importorskip("numba")

import bench_ours as ours
from bench_measure import BenchSample, Rounds, one_by_one, whole
from bench_report import Need, Row, rows_json, table

from quadrille_core.cards import SPADES, parse_cards

FOLDER = Path(__file__).parents[1] / "benchmarks"


def test_a_ratio_is_of_two_sides_in_one_round_and_told_by_its_median():
    rounds, turns = Rounds(), {"slow": iter((9, 4, 6, 20)), "fast": iter((9, 1, 2, 4))}
    sides = {n: (1, lambda _, n=n: BenchSample(10, next(turns[n]), 1)) for n in turns}
    rounds.run(sides, 3, lambda text: None)
    ratios = rounds.ratios("slow", "fast", lambda s: s.seconds)
    assert ratios == [4, 3, 5], "the first time does not count"
    row = Row("slow", "fast", "", tuple(ratios), Need(most=4.5))
    assert (row.median, row.verdict) == (4, "yes")
    assert "4 (3–5) | ≤ 4.5 | yes" in table([row])
    assert Row("slow", "fast", "", tuple(ratios), Need(least=4.5)).verdict == "**no**"
    left = Row("slow", "fast", need=Need(least=2), skipped="it is not installed")
    assert "it is not installed | ≥ 2 | not measured" in table([left])
    assert rows_json([left])[0]["met"] is None


def test_seconds_are_those_of_the_processor():
    sample = whole(4, lambda: time.sleep(0.05))
    assert sample.clock >= 0.05
    assert sample.seconds < sample.clock
    each = one_by_one([lambda: None] * 20)
    assert (each.work, len(each.each)) == (20, 20)
    assert BenchSample(20, 0, 0, tuple(range(20))).p95 == 19


def test_deals_worth_bidding_are_those_of_the_strongest_hand():
    strong = parse_cards("SA C2 CA SK SQ HK HQ D7 D6 D5")
    weak = parse_cards("S3 S4 D4 D3 D2 H2 H3 H4 C6 C7")
    assert ours.strength(strong, SPADES) > ours.strength(weak, SPADES) > 0
    for position in ours.positions("worth bidding", 2, 5):
        hombre = [s for s in range(4) if position.side >> s & 1]
        values = [ours.strength(hand, position.trump) for hand in position.hands]
        assert max(values) in [values[s] for s in hombre]
    assert ours.positions("random", 1, 3) == ours.positions("random", 1, 3)


@pytest.mark.slow
def test_the_quick_run_tells_every_row_or_why_it_is_left_out(tmp_path):
    done = subprocess.run(
        [sys.executable, FOLDER / "run.py", "--quick", "--out", tmp_path],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "benchmarks.md").read_text("utf-8")
    assert done.stdout.startswith("# Benchmarks")
    assert "figures mean nothing" in page
    told = json.loads((tmp_path / "benchmarks" / "ratios.json").read_text("utf-8"))
    rows = [row for section in told["sections"].values() for row in section]
    required = [row["required"] for row in rows if row["required"]]
    assert required == ["≥ 60", "≥ 1.85", "≤ 1", "≤ 1.2", "≤ 0.9", "≤ 0.35", "≤ 0.2"]
    for row in rows:
        if row["skipped"]:
            assert (
                "OpenSpiel" in row["against"] or "DDS" in row["against"] or "cores" in row["what"]
            )
            assert "not installed" in row["skipped"] or "one core" in row["skipped"]
        else:
            assert row["ratio"] > 0
    missing = [row for row in rows if "OpenSpiel" in row["against"] and row["skipped"]]
    assert len(missing) == (0 if find_spec("pyspiel") else 3)
    with (tmp_path / "benchmarks" / "costs.csv").open() as file:
        costs = list(csv.DictReader(file))
    assert {c["picture"] for c in costs} == {"deals", "cards", "rule-sets"}
    assert all(float(c["seconds"]) > 0 for c in costs)
    if find_spec("matplotlib"):
        assert (tmp_path / "benchmarks" / "deals.svg").read_text("utf-8").count("<svg") == 1
    else:
        assert "matplotlib is not installed" in done.stderr


def test_the_page_in_the_documents_is_of_the_suite_as_it_is():
    """Its rows are those the suite tells, whatever they say."""
    docs = Path(__file__).parents[2] / "docs"
    told = json.loads((docs / "benchmarks" / "ratios.json").read_text("utf-8"))
    assert not told["quick"]
    page = (docs / "benchmarks.md").read_text("utf-8")
    for section in told["sections"].values():
        for row in section:
            assert f"| {row['what']} | {row['against']} | " in page
