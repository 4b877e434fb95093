"""A deal as a table: a row for each event, with named and typed columns."""

import csv
import io
import json
import re
from pathlib import Path

import pytest

import quadrille_core as q

REFS = ("quanti-1822", "mediateur-1752", "quintille")
DESCRIBED = Path(__file__).parents[2] / "docs" / "deal.md"


@pytest.mark.parametrize("ref", REFS)
def test_the_rows_of_a_deal_hold_what_its_record_holds(ref):
    """Every event, every card of a trick, who played it and what each was dealt are the
    record's."""
    for seed in range(1, 6):
        found = q.deal(ref, seed=seed)
        record, rows = found.to_dict(), found.rows
        assert [row["event"] for row in rows] == record["events"]
        assert [row["number"] for row in rows] == list(range(len(rows)))
        played = [f"{row['player']} play {row['card']}" for row in rows if row["kind"] == "play"]
        assert played == [action for action in record["actions"] if " play " in action]
        for row in rows:
            if row["seat"] is not None:
                assert row["player"] == record["players"][row["seat"]]
                assert row["dealt"] == record["hands"][row["seat"]]
            if row["card"] is not None:
                assert row["suit"][0].upper() + row["rank"] == row["card"]
            if row["kind"] == "trick":
                cards = [
                    one["card"]
                    for one in rows
                    if one["kind"] == "play" and one["trick"] == row["trick"]
                ]
                assert row["cards"].split() == cards


def test_an_exchange_shows_both_cards():
    """At the médiateur the Hombre takes a king and gives a card for it."""
    deals = (q.deal("mediateur-1752", seed=seed) for seed in range(1, 40))
    row = next(row for deal in deals for row in deal.rows if row["kind"] == "exchange")
    taken, given = row["cards"].split()
    assert (row["card"], row["rank"]) == (taken, "K")
    assert row["event"].endswith(f"for {given}")


def test_a_data_frame_of_a_deal_has_typed_columns():
    """It was one column of text."""
    pytest.importorskip("pandas")
    frame = q.deal("quanti-1822", seed=1).to_pandas()
    assert {name: str(frame[name].dtype) for name in ("number", "seat", "trick")} == {
        "number": "int64",
        "seat": "Int64",
        "trick": "Int64",
    }
    won = frame[frame.kind == "trick"].groupby("player").size().to_dict()
    assert won == q.deal("quanti-1822", seed=1).to_dict()["result"]["tricks"]


def test_every_column_is_described():
    """The page of ``deal`` names each column in a table, in the order of the rows."""
    table = DESCRIBED.read_text("utf-8").partition("## As CSV")[2].partition("\n## ")[0]
    cells = [row.split("|")[1] for row in table.splitlines() if row.startswith("| `")]
    named = re.findall(r"`(\w+)`", " ".join(cells))
    assert tuple(named) == q.deal("quanti-1822", seed=1).columns


def test_the_csv_of_deal_and_of_replay_are_the_same(quadrille, write):
    """A record replayed gives the table of the deal."""
    _, text, _ = quadrille("deal", "quanti-1822", "--seed", "3", "--format", "csv")
    _, record, _ = quadrille("deal", "quanti-1822", "--seed", "3", "--format", "json")
    assert quadrille("deal", "--replay", write(record, "deal.json"), "--format", "csv")[1] == text
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["event"] for row in rows] == json.loads(record)["events"]
