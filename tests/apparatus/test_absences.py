"""A witness that does not answer a point is silent, unseen or inapplicable: every format says
which."""

import csv
import io
import json
import re

import pytest
from lxml import etree
from quadrille_plugins.apparatus.model import apparatus_of
from quadrille_plugins.apparatus.tei import XML_ID, write
from teiphy import Collation

from quadrille_core.ruleset import compile_reference

LEAF = """\
kind: profile
id: leaf
title: A leaf of a book
extends: quadrille-laws
sources:
  leaf:
    title: A leaf of a book
    pages: {seen: [p. 1, p. 3], known: 9, whole: [p. 1]}
    descends:
      - {from: wikipedia-old, how: conjecture, evidence: the same laws in the same order}
witnesses:
  leaf:
    source: leaf
    silent: [call_trump]
    inapplicable: [own_king]
"""
WANTED = {"call_trump": "silent", "own_king": "inapplicable", "queen_when": "unseen"}


@pytest.fixture
def leaf(tmp_path):
    """The profile's file."""
    path = tmp_path / "leaf.yaml"
    path.write_text(LEAF, encoding="utf-8")
    return str(path)


def test_each_format_keeps_the_three_absences_apart(leaf, quadrille):
    """The table names the state of each witness, JSON and CSV have a list for each state."""
    chosen = [part for point in WANTED for part in ("--point", point)]
    text = " ".join(quadrille("apparatus", f"{leaf}@leaf", *chosen)[1].split())
    assert "pages seen: 2 of 9 known" in text
    for state in WANTED.values():
        assert f"{state}: leaf;" in text
    data = json.loads(quadrille("apparatus", leaf, "--format", "json", *chosen)[1])
    rows = list(
        csv.DictReader(io.StringIO(quadrille("apparatus", leaf, "--format", "csv", *chosen)[1]))
    )
    for point, state in WANTED.items():
        for one in set(WANTED.values()):
            assert ("leaf" in data["points"][point][one]) == (one == state)
            assert {"leaf" in r[one] for r in rows if r["point"] == point} == {one == state}
    assert data["witnesses"]["leaf"]["pages"] == "pages seen: 2 of 9 known"


def test_tei_has_an_omission_a_lacuna_and_a_reading_of_its_own_type(leaf):
    """Only what was not read is lost to us; pages and descents come back as they went."""
    apparatus = apparatus_of(compile_reference(leaf))
    data = write(apparatus).encode()
    root = etree.fromstring(data)
    spaces = {"t": "http://www.tei-c.org/ns/1.0"}
    for point, state in WANTED.items():
        (absent,) = root.findall(f".//t:app[@n='{point}']/t:rdg[@wit='#leaf']", spaces)
        assert absent.get("type") == ("lac" if state == "unseen" else state)
        assert (absent.find("t:lacunaStart", spaces) is not None) == (state == "unseen")
    (leaf_bibl,) = (
        b for b in root.findall(".//t:bibl", spaces) if b.get(XML_ID) == "quadrille.source.leaf"
    )
    (descent,) = leaf_bibl.findall("t:relatedItem[@type='conjecture']", spaces)
    assert descent.get("target") == "#quadrille.source.wikipedia-old"


def test_teiphy_takes_every_absence_for_missing_data(leaf):
    """The leaf supports no reading of a point that it does not answer."""
    root = etree.fromstring(write(apparatus_of(compile_reference(leaf))).encode())
    found = Collation(
        etree.ElementTree(root), missing_reading_types=["silent", "lac", "inapplicable"]
    )
    matrix, witnesses, points = found.to_nexus_table()
    states = dict(zip(points, matrix[witnesses.index("leaf")], strict=True))
    assert {states[point] for point in WANTED} == {"?"}


def test_show_and_explain_tell_how_much_of_the_text_was_seen(leaf, quadrille):
    """The line below the rule set's name has the pages; the rules and points their own absence."""
    shown = " ".join(quadrille("show", f"{leaf}@leaf")[1].split())
    assert "pages seen: 2 of 9 known" in shown
    for state in ("silent", "unseen", "inapplicable"):
        assert f"({state})" in shown
    explained = " ".join(quadrille("explain", f"{leaf}@leaf", "stakes.ante")[1].split())
    assert "pages seen: 2 of 9 known" in explained
    assert "unseen: leaf" in explained


@pytest.mark.parametrize("ref", ["academie", "hoyle-improved", "quintille-old"])
def test_no_page_calls_a_text_silent_whose_place_was_not_read(quadrille, ref):
    """No witness of these was read whole; lists of points, `explain` and `diff` called what was
    unseen silent."""
    points = json.loads(quadrille("apparatus", ref, "--format", "json")[1])["points"]
    unseen = [name for name, point in points.items() if point["unseen"]]
    assert unseen
    for point in points.values():
        assert "silent" not in (point["status"] or "")
        assert ("unseen" in (point["status"] or "")) == bool(point["unseen"])
    text = quadrille("apparatus", ref)[1]
    assert "silent" not in text.replace("Quadrille: silence", "")
    explained = quadrille("explain", ref, f"point:{unseen[0]}")[1]
    assert " unseen; filled: " in explained
    assert "pages seen: " in explained
    assert "pages seen: " in quadrille("rulebook", ref)[1].partition("THE GAME IN SHORT")[0]


def test_what_fills_a_place_that_was_not_read_is_counted_so_where_rule_sets_are_compared(quadrille):
    """The line at the end of `diff` counted silences alone."""
    text = " ".join(quadrille("diff", "academie", "hoyle-improved")[1].split())
    assert re.search(r"academie: of these rules \d+ fill what was not read", text)
    assert "fill a silence" not in text
