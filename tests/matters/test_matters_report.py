"""The tables of a detailed answer have the numbers of its record, each where its heading says."""

from functools import cache

import pytest
from quadrille_plugins.matters.report import PARTITIONS
from quadrille_plugins.shell.blocks import Table, Text
from quadrille_plugins.studies.words import column_name

import quadrille_core as q


@cache
def asked(**more):
    """The blocks of an answer, and its finding."""
    result = q.matters(
        "quanti-1822",
        "remise_pays",
        deals=80,
        engine="readable",
        players="steady",
        details=True,
        **more,
    )
    return result._taken.blocks, result.to_dict()["findings"][0]


def table(title, **more):
    """The one table that has this in its title."""
    blocks, _ = asked(**more)
    (found,) = (b for b in blocks if isinstance(b, Table) and title in b.title)
    return found


def minus(text):
    return text.replace("-", "−")


@pytest.mark.parametrize("partition", PARTITIONS)
def test_what_each_gains_stands_in_the_row_of_that_seat_or_role(partition):
    found, effects = table(PARTITIONS[partition]), asked()[1]["effects"]["total"][partition]
    assert found.title.startswith("what each gains by the alternative: ")
    rows = {row[0]: row for row in found.rows}
    told = {column_name(c, 4): e for c, e in effects.items() if e["sessions_that_differ"]}
    assert told
    for name, e in told.items():
        assert rows[name][1].startswith(minus(f"{e['mean']:+.1f} ± ")), name
        assert rows[name][-1] == str(e["sessions_that_differ"])


def test_each_count_stands_beside_its_share_with_the_bounds_of_the_record():
    finding = asked()[1]
    rows = {row[0].strip(): row[1:] for row in table("how often it matters").rows}
    assert rows["deals played"] == (str(finding["deals"]), "")
    assert rows["matched starts"] == (str(finding["matched_starts"]), "")
    for label, count, share in (
        ("that diverge", "diverge", "share"),
        ("that diverge and payments differ", "payments_differ", "share_payments_differ"),
    ):
        mean, low, high = (100 * finding[share][key] for key in ("mean", "low", "high"))
        assert rows[label] == (
            str(finding[count]),
            f"{mean:.2f} % ({low:.2f} % to {high:.2f} %)",
        )
    stages = [n for n in finding["first_in"].values() if n]
    assert [int(row[0]) for label, row in rows.items() if label.startswith("first ")] == stages


def test_a_simplified_deal_shows_every_hand_and_what_it_wins_under_either_reading():
    found, records = table("net: by the settlement"), asked()[1]["shrunk"]["records"]
    players = records[0]["players"]
    assert [row[0] for row in found.rows] == ["eldest", "second", "third", "dealer"]
    nets = [[r["net"].get(name, "–") for r in records] for name in players]
    assert [list(row[2:]) for row in found.rows] == [[minus(str(n)) for n in row] for row in nets]
    assert all(len(row[1].split()) == 10 for row in found.rows)


def test_of_a_decomposed_effect_it_is_said_how_many_states_were_replayed_and_lost():
    blocks, finding = asked(decompose=True)
    (said,) = (b.text for b in blocks if isinstance(b, Text) and b.text.startswith("Direct: "))
    replayed, lost = finding["deals_replayed"], finding["states_lost"].get("any", 0)
    assert replayed
    assert [int(word) for word in said.split() if word.isdigit()] == [replayed, lost]
